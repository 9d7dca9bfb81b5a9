// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Calls over ranks: threads of this process, each with arrays of its own between guards.

#include "kinds.h"

#include <mgpu/distributed.h>
#include <mgpu/in_process.h>

#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

namespace test::harness {

/// Rank r has the elements from borders[r] to borders[r + 1] of a sequence.
using rank_borders = std::vector<offset>;
constexpr int most_ranks = 11;

/// Mostly up to eight, which all search all splits. Of more, each searches one.
inline int draw_ranks(source& s) {
  const int ranks = 1 + s.below(8);
  return s.below(6) == 0 ? ranks + 3 : ranks;
}

/// Even shares, all on one rank, any shares, or at most three ranks that have any.
inline rank_borders draw_borders(source& s, int ranks, int count) {
  const int how = s.below(4), owner = s.below(ranks);
  const int some[] = {s.below(count + 1), s.below(count + 1)};
  rank_borders borders{0};
  for (int r = 1; r < ranks; ++r) {
    const int even = static_cast<int>(offset{count} * r / ranks), any = s.below(count + 1), few = s.one_of(some);
    borders.push_back(how == 0 ? even : how == 1 ? (r <= owner ? 0 : count) : how == 2 ? any : few);
  }
  borders.push_back(count);
  std::sort(borders.begin(), borders.end());
  return borders;
}

inline offset count_of(const rank_borders& borders, int rank) {
  return borders[static_cast<std::size_t>(rank) + 1] - borders[static_cast<std::size_t>(rank)];
}

/// Elements from `begin` on.
template <class T>
std::vector<T> part_of(const std::vector<T>& all, offset begin, offset count) {
  return {all.begin() + begin, all.begin() + begin + count};
}

/// Calls add(r, begin, count) for each rank r, and returns the arrays that it returns.
template <class Add>
auto for_ranks(const rank_borders& borders, const Add& add) {
  std::vector<decltype(add(0, offset{}, offset{}))> arrays;
  for (int r = 0; r + 1 < static_cast<int>(borders.size()); ++r)
    arrays.push_back(add(r, borders[static_cast<std::size_t>(r)], count_of(borders, r)));
  return arrays;
}

template <class T>
std::vector<array<T>> add_inputs(arena& data, const std::vector<T>& all, const rank_borders& borders) {
  return for_ranks(borders,
                   [&](int, offset begin, offset count) { return data.add_input(part_of(all, begin, count)); });
}

/// A call finds `before` on the ranks, and is to leave `after` there.
template <class Access, class T>
std::vector<array<T>> add_inouts(arena& data, const std::vector<T>& before, const std::vector<T>& after,
                                 const rank_borders& borders) {
  return for_ranks(borders, [&](int, offset begin, offset count) {
    return data.add_inout(Access::stored(part_of(before, begin, count)), Access::stored(part_of(after, begin, count)));
  });
}

/// Room on the ranks. What a call is to write there stands in expect_on_ranks().
template <class T>
std::vector<array<T>> add_rooms(arena& data, const rank_borders& borders) {
  return for_ranks(borders, [&](int, offset, offset count) { return data.add_output<T>(count, {}); });
}

/// The ranks have room for `all`, and are to write sizes[r] elements of it on rank r.
template <class Access, class T>
void expect_on_ranks(arena& data, const std::vector<array<T>>& rooms, const std::vector<T>& all,
                     const std::vector<offset>& sizes) {
  offset begin = 0;
  for (std::size_t r = 0; r < rooms.size(); begin += sizes[r++])
    data.expect(rooms[r], Access::stored(part_of(all, begin, sizes[r])), Access::first_of(rooms[r].count, sizes[r]));
}

/// The ranks of this thread, which makes one call after the other with them: what one leaves behind the next one finds.
inline const mgpu::in_process_group& group_of(int ranks) {
  thread_local std::unique_ptr<mgpu::in_process_group> groups[most_ranks + 1];
  auto& group = groups[ranks];
  if (!group) group = std::make_unique<mgpu::in_process_group>(ranks);
  return *group;
}

/// Thrown where a rank, or all of them together, have not done what was to be done.
class wrong_answer : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws what a call has thrown. That is on every rank or on none, and std::invalid_argument only on all.
inline void rethrow(const std::vector<std::exception_ptr>& thrown) {
  std::exception_ptr cause;
  std::size_t count = 0, bad_arguments = 0;
  for (const auto& e : thrown) {
    if (!e) continue;
    ++count;
    try {
      std::rethrow_exception(e);
    } catch (const wrong_answer&) {
      throw;
    } catch (const mgpu::rank_error&) {
    } catch (const std::invalid_argument&) {
      ++bad_arguments;
      cause = e;
    } catch (...) {
      cause = e;
    }
  }
  if (count == 0) return;
  if (count < thrown.size()) throw wrong_answer("some ranks have thrown, others have returned");
  if (!cause) throw wrong_answer("every rank says that another one has failed");
  if (bad_arguments != 0 && bad_arguments < count) throw wrong_answer("the ranks have thrown different exceptions");
  std::rethrow_exception(cause);
}

template <class Kind, class F>
class call_over_ranks final : public call {
 public:
  using answers = std::vector<offset>;  // [ranks]
  using settling = std::function<bool(arena&, const answers&)>;

  call_over_ranks(arena data, int ranks, const F& f, settling settle)
      : call(std::move(data)), ranks_(ranks), f_(f), settle_(std::move(settle)) {}

  bool run(const worker& w, way how, char* memory) override {
    const auto count = static_cast<std::size_t>(ranks_);
    answers answered(count);
    std::vector<std::exception_ptr> thrown(count);
    group_of(ranks_).run([&](const auto& communicator) {
      const auto r = static_cast<std::size_t>(communicator.rank());
      const worker own(w.log);
      try {
        own.with_policy<Kind>(how, [&](const auto& policy) {
          answered[r] = f_(mgpu::distributed(policy, communicator), communicator.rank(), memory);
          return true;
        });
      } catch (...) {
        thrown[r] = std::current_exception();
      }
      finish(own);
    });
    rethrow(thrown);
    return settle_(mutable_data(), answered);
  }

 private:
  int ranks_;
  F f_;              // f(policy over ranks, rank, memory), the rank's answer
  settling settle_;  // says what the ranks are to have written if these are their answers, and whether these are right
};

template <class Kind, class F, class Settle>
std::unique_ptr<call> make_call_over_ranks(arena data, int ranks, const F& f, const Settle& settle) {
  return std::make_unique<call_over_ranks<Kind, F>>(std::move(data), ranks, f, settle);
}

}  // namespace test::harness
