// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/check.h>
#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/exec/distributed/policy.h>
#include <mgpu/exec/iterator.h>
#include <mgpu/plan/distributed/call.h>
#include <mgpu/plan/distributed/memory.h>
#include <mgpu/plan/distributed/transfers.h>

#include MGPU_CUDA_VERB_HEADER(copy)
#include MGPU_CUDA_VERB_HEADER(each)

#include <cuda/std/type_traits>

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// A change of distribution, step by step.
template <class Distributed, class In, class Out>
class rebalance_steps {
  using element = base::value_type<In>;
  /// Messages may arrive where the caller wants them.
  static constexpr bool is_direct = base::is_byte_range<Out> && cuda::std::is_same_v<element, base::value_type<Out>>;

 public:
  rebalance_steps(const Distributed& d, In in, offset in_count, Out out, offset out_count)
      : d_(d),
        in_(in, in_count),
        out_(out),
        out_count_(out_count),
        messages_(d.size()),
        have_(static_cast<std::size_t>(d.size()) + 1),
        want_(static_cast<std::size_t>(d.size()) + 1) {}

  void prepare() {
    if constexpr (!is_direct || sendable<In>::is_copied) {
      memory_.take(policy(), [this](scratch_layout& layout) {
        in_.place(layout);
        if constexpr (!is_direct) room_ = layout.take<element>(out_count_);
      });
      in_.fill(policy());
    }
    if constexpr (is_direct) room_ = out_;
  }

  /// counts[r].values are the elements that rank r has, and those that it wants. Throws on every rank if the totals
  /// differ.
  void plan_messages(const exec::rank_report* counts) {
    for (int r = 0; r < d_.size(); ++r) {
      const auto i = static_cast<std::size_t>(r);
      have_[i + 1] = have_[i] + counts[r].values[1];
      want_[i + 1] = want_[i] + counts[r].values[2];
    }
    if (have_.back() != want_.back())
      throw std::invalid_argument("mgpu: the ranks have " + std::to_string(have_.back()) + " elements and room for " +
                                  std::to_string(want_.back()));
  }

  void run(exec::rank_failure& failure) {
    const redistribution way(have_, want_, d_.rank());
    way.list(messages_, in_.data(), room_);
    messages_.run_or_copy(d_, plan::most_received(have_, want_) * offset{sizeof(element)});
    if (executor().is_synchronous()) d_.await_messages();
    failure.run([&] {
      if (out_count_ == 0) return;
      const element* const from = way.gather(policy(), in_.data(), room_);
      if constexpr (is_direct) {
        if (from != room_) executor().copy(room_, from, out_count_ * offset{sizeof(element)});
      } else {
        executor().each(out_count_, store_elements<element, Out>{from, out_});
      }
    });
  }

 private:
  auto& policy() const { return exec::mutable_policy(d_.local()); }
  auto executor() const { return exec::executor(d_.local()); }

  const Distributed& d_;
  sendable<In> in_;
  Out out_;
  offset out_count_;
  transfers messages_;
  rank_borders have_, want_;
  rank_memory<typename Distributed::local_policy> memory_{d_.are_ranks_lost()};
  element* room_ = nullptr;
};

/// The call of rebalance.
template <class Distributed, class In, class Out>
void rebalance(const Distributed& d, In first, In last, Out out, Out out_end) {
  using in_type = decltype(exec::unwrap(first, offset{}));
  using out_type = decltype(exec::unwrap(out, offset{}));
  d.check_usable();
  exec::rank_failure failure;
  std::optional<rebalance_steps<Distributed, in_type, out_type>> steps;
  offset count = 0, out_count = 0;
  failure.run([&] {
    count = base::checked_count(first, last, "the input");
    out_count = base::checked_count(out, out_end, "the output");
    const auto in_range = exec::unwrap(first, count);
    const auto out_range = exec::unwrap(out, out_count);
    base::check_not_null(in_range, count, "the input");
    base::check_not_null(out_range, out_count, "the output");
    steps.emplace(d, in_range, count, out_range, out_count);
    steps->prepare();
  });
  const auto* const counts =
      plan::agree_on_call<In, base::no_values>(d, failure, {distributed_call::rebalance}, count, out_count);
  steps->plan_messages(counts);
  steps->run(failure);
  d.agree_at_end(failure);
}

}  // namespace detail::plan
MGPU_NAMESPACE_END
