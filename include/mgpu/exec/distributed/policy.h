// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/exec/distributed/agreement.h>
#include <mgpu/exec/distributed/communicator.h>
#include <mgpu/exec/distributed/rank_error.h>
#include <mgpu/exec/policy.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// A policy over ranks: a policy for the work of this rank, and a communicator.
template <class Policy, class Communicator>
class distributed_policy {
 public:
  using local_policy = Policy;
  using stream = decltype(exec::executor(std::declval<const Policy&>()).stream());
  static constexpr bool agrees_in_parts = communicator_member::exists<communicator_member::begin_gather, Communicator>;
  static constexpr bool has_copy = communicator_member::exists<communicator_member::copy, Communicator, stream>;

  distributed_policy(const Policy& p, const Communicator& c)
      : local_(p), communicator_(c), state_(std::make_shared<state>(static_cast<std::size_t>(c.size()))) {}

  const Policy& local() const { return local_; }
  const Communicator& communicator() const { return communicator_; }
  int rank() const { return communicator_.rank(); }
  int size() const { return communicator_.size(); }

  /// Whether calls over these ranks still work, as far as this rank knows: distributed.h says when they do not. Sends
  /// nothing and does not wait.
  /// Requires: no call with this policy, or a copy of it, runs in another thread.
  bool is_usable() const {
    if (state_->has_left) return false;
    if constexpr (has_is_usable) return communicator_.is_usable();
    else return true;
  }
  /// At the beginning of a call: throws if the ranks are of no more use. The communicator may say who has failed.
  void check_usable() const {
    if (is_usable()) return;
    if constexpr (has_is_usable) {
      if (!communicator_.is_usable()) agree({});
    }
    throw rank_error(rank(), "has lost the other ranks in an earlier call, and needs a new communicator");
  }

  /// Calls f(), which talks to the other ranks.
  template <class Function>
  auto talk(const Function& f) const {
    try {
      return f();
    } catch (...) {
      state_->are_ranks_lost = true;
      leave();
      throw;
    }
  }
  /// Calls f() where the other ranks count on this one. If it throws they do not hear of it: this rank leaves them.
  template <class Function>
  void succeed_or_leave(const Function& f) const {
    try {
      f();
    } catch (...) {
      leave();
      throw;
    }
  }
  /// Becomes true when the communicator fails: messages of other ranks may never come.
  const bool& are_ranks_lost() const { return state_->are_ranks_lost; }

  /// Tells the others of this rank, and waits for what they tell. If a rank has failed, all throw: that rank what it
  /// has kept, the others rank_error. The reports are good until the next call.
  const rank_report* agree(const rank_failure& failure, offset x = 0, offset y = 0, offset z = 0) const {
    const rank_report own{failure.state(), {x, y, z}};
    gather(failure,
           [&] { communicator_.all_gather(&own, reports(), offset{sizeof(own)}, exec::executor(local_).stream()); });
    exec::throw_if_failed(failure, reports(), size());
    return reports();
  }
  /// agree() at the end of a call. If the policy synchronizes, the work of its stream is done then: the other ranks
  /// have read what this one has sent, and nothing writes its scratch memory any more.
  const rank_report* agree_at_end(rank_failure& failure, offset x = 0) const {
    failure.run_anyway([this] {
      const auto executor = exec::executor(local_);
      if (!executor.is_synchronous()) return;
      await_messages();
      executor.complete();
    });
    return agree(failure, x);
  }

  /// agree() in two parts, with other work between them. If this rank fails there, the others do not hear of it yet.
  void begin_agreement(const rank_failure& failure, offset x, offset y, offset z) const {
    const rank_report own{failure.state(), {x, y, z}};
    gather(failure, [&] { communicator_.begin_gather(&own, offset{sizeof(own)}); });
  }
  const rank_report* end_agreement(const rank_failure& failure) const {
    rank_report* const all = reports();
    gather(failure, [&] { communicator_.end_gather(all, offset{sizeof(*all)}); });
    exec::throw_if_failed(all[rank()].state == rank_state::works ? rank_failure{} : failure, all, size());
    return all;
  }

  /// agree() with more numbers, `count` of each rank. The first of own[0, count) is left for the rank's state; they
  /// arrive at all + r * count.
  void agree_with(const rank_failure& failure, offset* own, offset* all, offset count) const {
    own[0] = static_cast<offset>(failure.state());
    gather(failure, [&] {
      communicator_.all_gather(own, all, count * offset{sizeof(offset)}, exec::executor(local_).stream());
    });
    for (int r = 0; r < size(); ++r) reports()[r].state = rank_state{all[r * count]};
    exec::throw_if_failed(failure, reports(), size());
  }

  /// Copies bytes to the host, after the work of the policy's stream. All that waits for messages does it here.
  void fetch(void* to, const void* from, offset bytes) const {
    const auto executor = exec::executor(local_);
    if constexpr (has_fetch) {
      talk([&] { communicator_.fetch(to, from, bytes, executor.stream()); });
    } else {
      executor.copy(to, from, bytes);
      executor.wait();
    }
  }
  /// Before work that may wait for the policy's stream: waits for the messages in it, if they may never come.
  void await_messages() const {
    if constexpr (has_fetch) fetch(nullptr, nullptr, 0);
  }

  /// Whether these messages can be copied to other ranks beside other work on the GPU. All ranks ask together.
  bool can_copy(const outgoing* sends, offset send_count) const {
    if constexpr (!has_copy) return false;
    else return talk([&] { return communicator_.can_copy(sends, send_count, exec::executor(local_).stream()); });
  }

 private:
  struct state {
    explicit state(std::size_t ranks) : reports(ranks) {}
    std::vector<rank_report> reports;
    bool are_ranks_lost = false;
    bool has_left = false;
  };
  rank_report* reports() const { return state_->reports.data(); }

  /// This rank makes no more calls.
  void leave() const {
    state_->has_left = true;
    if constexpr (communicator_member::exists<communicator_member::leave, Communicator>) communicator_.leave();
  }

  /// talk() of what the ranks agree on. If that fails, what this rank has kept is the cause; that it finds no split may
  /// follow from what another rank has not sent.
  template <class Function>
  void gather(const rank_failure& failure, const Function& f) const {
    try {
      talk(f);
    } catch (...) {
      if (failure.state() != rank_state::finds_no_split) failure.rethrow();
      throw;
    }
  }

  static constexpr bool has_is_usable = communicator_member::exists<communicator_member::is_usable, Communicator>;
  static constexpr bool has_fetch = communicator_member::exists<communicator_member::fetch, Communicator, stream>;

  Policy local_;
  Communicator communicator_;
  std::shared_ptr<state> state_;  // made with the policy: to agree takes no memory
};

/// What communicators are given for the stream of a policy.
template <class Policy>
using stream_of = decltype(exec::executor(std::declval<const Policy&>()).stream());

/// A policy over ranks is none for the other algorithms.
template <class Policy, class Communicator>
struct mgpu_policy<distributed_policy<Policy, Communicator>> {
  static constexpr bool value = false;
  static_assert(
      sizeof(Policy) == 0,
      "over ranks (mgpu::distributed) there are stable_sort, stable_sort_by_key, merge, merge_by_key, "
      "rebalance, and set_union, set_intersection, set_difference, set_symmetric_difference with their _by_key "
      "and _size forms, of <mgpu/distributed.h>, and inner_join, inner_join_size and as_of_join of "
      "<mgpu/distributed_join.h>; other algorithms take a policy of one rank");
};

}  // namespace detail::exec
MGPU_NAMESPACE_END
