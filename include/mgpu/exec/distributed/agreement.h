// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/exec/distributed/rank_error.h>

#include <exception>
#include <new>
#include <stdexcept>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// Why a rank gives up.
enum class rank_state : offset { works, finds_no_split, has_no_memory, has_bad_arguments, has_failed };

/// A rank finds no split. That may follow from another rank's failure in the search; if not, an input is bad.
class no_split : public std::invalid_argument {
 public:
  no_split()
      : std::invalid_argument(
            "mgpu: an input is not sorted, or compare is no strict weak ordering: the ranks find no split") {}
};

/// What a rank tells all others at one time.
struct rank_report {
  rank_state state;
  offset values[3];
};

/// The first exception on a rank, kept until the ranks have agreed that all of them give up.
class rank_failure {
 public:
  /// Calls f() unless this rank has failed before.
  template <class Function>
  void run(const Function& f) {
    if (!thrown_) run_anyway(f);
  }
  /// Calls f(), also if this rank has failed before: other ranks rely on what it does.
  template <class Function>
  void run_anyway(const Function& f) {
    try {
      f();
    } catch (const no_split&) {
      keep(rank_state::finds_no_split);
    } catch (const std::bad_alloc&) {
      keep(rank_state::has_no_memory);
    } catch (const std::invalid_argument&) {
      keep(rank_state::has_bad_arguments);
    } catch (...) {
      keep(rank_state::has_failed);
    }
  }

  rank_state state() const { return state_; }
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  void keep(rank_state state) {
    if (thrown_) return;
    state_ = state;
    thrown_ = std::current_exception();
  }

  rank_state state_ = rank_state::works;
  std::exception_ptr thrown_;
};

/// Throws if a rank has failed: what this rank has kept, else rank_error; no_split on every rank if no rank has failed
/// otherwise.
inline void throw_if_failed(const rank_failure& own, const rank_report* reports, int ranks) {
  if (own.state() != rank_state::finds_no_split) own.rethrow();
  bool is_without_split = false;
  for (int r = 0; r < ranks; ++r) {
    switch (reports[r].state) {
      case rank_state::works:
        break;
      case rank_state::finds_no_split:
        is_without_split = true;
        break;
      case rank_state::has_no_memory:
        throw rank_error(r, "has no memory for the call");
      case rank_state::has_bad_arguments:
        throw rank_error(r, "has bad arguments");
      case rank_state::has_failed:
        throw rank_error(r, "has failed in the call");
    }
  }
  if (is_without_split) throw no_split();
}

}  // namespace detail::exec
MGPU_NAMESPACE_END
