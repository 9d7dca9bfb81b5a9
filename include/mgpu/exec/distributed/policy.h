// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/exec/distributed/agreement.h>
#include <mgpu/exec/distributed/communicator.h>
#include <mgpu/exec/policy.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

MGPU_NAMESPACE_BEGIN
namespace exec {

/// A policy over ranks: a policy for the work of this rank, and a communicator.
template <class Policy, class Communicator>
class distributed_policy {
 public:
  using local_policy = Policy;

  distributed_policy(const Policy& p, const Communicator& c)
      : local_(p),
        communicator_(c),
        reports_(std::make_shared<std::vector<rank_report>>(static_cast<std::size_t>(c.size()))) {}

  const Policy& local() const { return local_; }
  const Communicator& communicator() const { return communicator_; }
  int rank() const { return communicator_.rank(); }
  int size() const { return communicator_.size(); }

  /// Tells the others of this rank, and waits for what they tell. If a rank has failed, all throw: that rank what it
  /// has kept, the others rank_error. The reports are good until the next call.
  const rank_report* agree(const rank_failure& failure, offset x = 0, offset y = 0, offset z = 0) const {
    const rank_report own{failure.state(), {x, y, z}};
    rank_report* const all = reports_->data();
    communicator_.all_gather(&own, all, offset{sizeof(own)}, exec::executor(local_).stream());
    exec::throw_if_failed(failure, all, size());
    return all;
  }

  /// agree() with more numbers, `count` of each rank. The first of own[0, count) is left for the rank's state; they
  /// arrive at all + r * count.
  void agree_with(const rank_failure& failure, offset* own, offset* all, offset count) const {
    own[0] = static_cast<offset>(failure.state());
    communicator_.all_gather(own, all, count * offset{sizeof(offset)}, exec::executor(local_).stream());
    for (int r = 0; r < size(); ++r) (*reports_)[static_cast<std::size_t>(r)].state = rank_state{all[r * count]};
    exec::throw_if_failed(failure, reports_->data(), size());
  }

 private:
  Policy local_;
  Communicator communicator_;
  std::shared_ptr<std::vector<rank_report>> reports_;  // made with the policy: to agree takes no memory
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

}  // namespace exec
MGPU_NAMESPACE_END
