// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The stable sort over ranks. Each rank sorts a copy of its part; exact splits say which elements of each rank belong
// to which; these are sent; each rank merges what it has received.

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/base/order.h>
#include <mgpu/exec/distributed/policy.h>
#include <mgpu/plan/distributed/call.h>
#include <mgpu/plan/distributed/memory.h>
#include <mgpu/plan/distributed/split.h>
#include <mgpu/plan/distributed/transfers.h>
#include <mgpu/plan/merge_runs.h>
#include <mgpu/plan/sort.h>
#include <mgpu/plan/sort_arrays.h>
#include <mgpu/runs.h>

#include MGPU_CUDA_VERB_HEADER(copy)
#include MGPU_CUDA_VERB_HEADER(each)

#include <cuda/std/type_traits>

#include <cstddef>
#include <optional>
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
        run_keys_(static_cast<std::size_t>(d.size())),
        run_values_(static_cast<std::size_t>(d.size())),
        run_lengths_(static_cast<std::size_t>(d.size())) {}

  /// All that can fail before the ranks agree: memory, and the sort of this rank's part.
  void prepare() {
    memory_.take(policy(), [this](scratch_layout& layout) {
      split_.place(layout);
      sorted_.place(count_, layout);
      received_.place(count_, layout);
      runs_ = {layout.take<const key*>(d_.size()), layout.take<const value*>(d_.size()),
               layout.take<offset>(d_.size())};
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

  /// Sends what belongs to others, and receives what belongs here. What stays here is not copied.
  void exchange() {
    const int own = d_.rank();
    offset end = 0;
    for (int r = 0; r < d_.size(); ++r) {
      const auto i = static_cast<std::size_t>(r);
      const stretch in = split_.gets(r, 0), out = split_.gives(r, 0);
      const arrays place = r == own ? sorted_.from(out.begin) : received_.from(end);
      run_keys_[i] = place.keys;
      run_lengths_[i] = in.count();
      if constexpr (has_values) run_values_[i] = place.values;
      if (r == own) continue;
      messages_.send(r, sorted_.keys + out.begin, out.count());
      messages_.receive(r, place.keys, in.count());
      if constexpr (has_values) {
        messages_.send(r, sorted_.values + out.begin, out.count());
        messages_.receive(r, place.values, in.count());
      }
      end += in.count();
    }
    messages_.run(d_);
  }

  /// Merges the runs, this rank's own and those that have been received, into the caller's range.
  void merge() {
    if (count_ == 0) return;
    const offset ranks = d_.size();
    copy(runs_.keys, run_keys_.data(), ranks);
    copy(runs_.lengths, run_lengths_.data(), ranks);
    const run_ranges runs(runs_.keys, runs_.lengths, ranks, count_);
    const run_outputs out{range_.keys, range_.values};
    if constexpr (has_values) {
      copy(runs_.values, run_values_.data(), ranks);
      plan::merge_separate_runs(policy(), runs, runs_.values, out, compare_);
    } else {
      plan::merge_separate_runs(policy(), runs, base::no_values{}, out, compare_);
    }
    exec::executor(policy()).complete();
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

  const Distributed& d_;
  sort_arrays<Keys, Values> range_;
  offset count_;
  Compare compare_;
  split_search<Distributed, key, base::order<Compare>> split_;
  transfers messages_;
  // The runs that are merged, [ranks], on the host and where the executor works.
  std::vector<const key*> run_keys_;
  std::vector<const value*> run_values_;
  std::vector<offset> run_lengths_;
  struct {
    const key** keys;
    const value** values;
    offset* lengths;
  } runs_{};
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
  const auto* const counts = plan::agree_on_call<Keys, Values>(d, failure, {distributed_call::stable_sort}, count);
  if (plan::total_count(counts, d.size()) == 0) return;
  sort->split(failure, counts);
  d.agree(failure);
  sort->exchange();
  failure.run([&] { sort->merge(); });
  d.agree(failure);
}

}  // namespace plan
MGPU_NAMESPACE_END
