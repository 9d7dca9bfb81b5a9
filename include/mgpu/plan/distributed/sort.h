// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The stable sort over ranks. Each rank sorts a copy of its part; exact splits say which elements of each rank belong
// to which; these are sent; each rank merges what it has received.

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/base/order.h>
#include <mgpu/core/merge.h>
#include <mgpu/exec/distributed/policy.h>
#include <mgpu/plan/distributed/call.h>
#include <mgpu/plan/distributed/memory.h>
#include <mgpu/plan/distributed/split.h>
#include <mgpu/plan/distributed/transfers.h>
#include <mgpu/plan/sort.h>
#include <mgpu/plan/sort_arrays.h>

#include MGPU_CUDA_VERB_HEADER(copy)
#include MGPU_CUDA_VERB_HEADER(each)
#include MGPU_CUDA_VERB_HEADER(run)

#include <cuda/std/type_traits>

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

MGPU_NAMESPACE_BEGIN
namespace plan {

/// Keys and values in scratch memory. Without values these are base::no_values.
template <class Key, class Value>
struct element_arrays {
  static constexpr bool has_values = !cuda::std::is_same_v<Value, base::no_values::value_type>;
  using values_type = cuda::std::conditional_t<has_values, Value*, base::no_values>;

  Key* keys;
  values_type values;

  void place(offset count, scratch_layout& layout) {
    keys = layout.take<Key>(count);
    if constexpr (has_values) values = layout.take<Value>(count);
  }
  element_arrays from(offset i) const { return {keys + i, values + i}; }
};

/// A distributed sort, step by step.
template <class Distributed, class Keys, class Values, class Compare>
class distributed_sort_steps {
  using key = base::value_type<Keys>;
  using value = base::value_type<Values>;
  using arrays = element_arrays<key, value>;
  static constexpr bool has_values = arrays::has_values;

 public:
  distributed_sort_steps(const Distributed& d, const sort_arrays<Keys, Values>& range, offset count,
                         const Compare& compare)
      : d_(d),
        range_(range),
        count_(count),
        compare_(compare),
        split_(d, 1, base::order<Compare>{compare}),
        messages_(2 * offset{d.size()}),
        runs_(static_cast<std::size_t>(d.size()) + 1) {}

  /// All that can fail before the ranks agree: memory, and the sort of this rank's part.
  void prepare() {
    memory_.take(policy(), [this](scratch_layout& layout) {
      split_.place(layout);
      sorted_.place(count_, layout);
      received_.place(count_, layout);
    });
    if (count_ > 0) {
      copy_in(range_.keys, sorted_.keys);
      if constexpr (has_values) copy_in(range_.values, sorted_.values);
      const sort_range<key*, typename arrays::values_type> own{sorted_.keys, sorted_.keys + count_, sorted_.values};
      plan::stable_sort(policy(), own, compare_);
    }
    split_.prepare({{sorted_.keys, nullptr}, {count_, 0}});
  }

  /// Finds the splits. counts[r].values[1] is how many elements rank r has.
  void split(exec::rank_failure& failure, const exec::rank_report* counts) {
    offset border = 0;
    for (int r = 0; r < d_.rank(); ++r) border += counts[r].values[1];
    split_.run(failure, border, [&](int r, int) { return counts[r].values[1]; });
    split_.find_ends(failure);
  }

  /// Sends what belongs to others, and receives what belongs here. Whatever has failed, the others get their messages.
  void exchange(exec::rank_failure& failure) {
    offset end = 0;
    for (int r = 0; r < d_.size(); ++r) {
      runs_[static_cast<std::size_t>(r)] = end;
      const offset in = split_.gets(r, 0).count();
      if (r != d_.rank()) {
        list_messages(r, end, in);
      } else {
        failure.run([&] { keep(end, in); });
      }
      end += in;
    }
    runs_.back() = end;
    messages_.run(d_);
  }

  /// Merges the runs that have been received, two and two, until the last merge writes the caller's range.
  void merge() {
    if (count_ == 0) return;
    arrays from = received_, to = sorted_;
    std::size_t runs = runs_.size() - 1;
    for (; runs > 2; runs = (runs + 1) / 2, std::swap(from, to)) {
      for (std::size_t run = 0; run < runs; run += 2) {
        const std::size_t middle = run + 1, end = run + 2 < runs ? run + 2 : runs;
        merge_two(from, run, middle, end, to.from(runs_[run]).keys, to.from(runs_[run]).values);
        runs_[run / 2] = runs_[run];
      }
      runs_[(runs + 1) / 2] = runs_[runs];
    }
    merge_two(from, 0, 1, runs, range_.keys, range_.values);
    exec::executor(d_.local()).complete();
  }

 private:
  auto& policy() const { return exec::mutable_policy(d_.local()); }

  template <class From, class T>
  void copy_in(From from, T* to) const {
    if constexpr (base::is_byte_range<From>) copy(to, from, count_);
    else exec::executor(policy()).each(count_, copy_elements<From, T>{from, to});
  }
  template <class T>
  void copy(T* to, const T* from, offset count) const {
    exec::executor(policy()).copy(to, from, count * offset{sizeof(T)});
  }

  void list_messages(int r, offset place, offset in) {
    const stretch out = split_.gives(r, 0);
    messages_.send(r, sorted_.keys + out.begin, out.count());
    messages_.receive(r, received_.keys + place, in);
    if constexpr (has_values) {
      messages_.send(r, sorted_.values + out.begin, out.count());
      messages_.receive(r, received_.values + place, in);
    }
  }

  /// What this rank sends to itself.
  void keep(offset place, offset count) const {
    const offset begin = split_.gives(d_.rank(), 0).begin;
    copy(received_.keys + place, sorted_.keys + begin, count);
    if constexpr (has_values) copy(received_.values + place, sorted_.values + begin, count);
  }

  /// Merges runs_[first, middle) and runs_[middle, last).
  template <class KeysOut, class ValuesOut>
  void merge_two(const arrays& from, std::size_t first, std::size_t middle, std::size_t last, KeysOut keys,
                 ValuesOut values) const {
    const offset a = runs_[first], b = runs_[middle], end = runs_[last];
    if (a == end) return;
    exec::executor(policy()).run(core::merge{from.from(a).keys, from.from(b).keys, b - a, end - b, from.from(a).values,
                                             from.from(b).values, keys, values, base::order<Compare>{compare_}});
  }

  const Distributed& d_;
  sort_arrays<Keys, Values> range_;
  offset count_;
  Compare compare_;
  split_search<Distributed, key, base::order<Compare>> split_;
  transfers messages_;
  std::vector<offset> runs_;  // where each run of the received elements begins
  rank_memory<typename Distributed::local_policy> memory_;
  arrays sorted_{}, received_{};
};

/// The calls of stable_sort and stable_sort_by_key with a policy over ranks.
template <class Distributed, class Keys, class Values, class Compare>
void distributed_sort(const Distributed& d, const sort_range<Keys, Values>& range, const Compare& compare) {
  using arrays = decltype(plan::checked_arrays(range, offset{}));
  using steps = distributed_sort_steps<Distributed, typename arrays::keys_type, typename arrays::values_type, Compare>;
  exec::rank_failure failure;
  std::optional<steps> sort;
  offset count = 0;
  failure.run([&] {
    count = range.checked_count();
    sort.emplace(d, plan::checked_arrays(range, count), count, compare);
    sort->prepare();
  });
  const auto* const counts = plan::agree_on_call<Keys, Values>(d, failure, distributed_call::stable_sort, count);
  if (plan::total_count(counts, d.size()) == 0) return;
  sort->split(failure, counts);
  d.agree(failure);
  sort->exchange(failure);
  failure.run([&] { sort->merge(); });
  d.agree(failure);
}

}  // namespace plan
MGPU_NAMESPACE_END
