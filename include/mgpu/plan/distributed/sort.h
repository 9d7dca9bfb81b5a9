// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The stable sort over ranks. Each rank sorts a copy of its part; exact splits say which elements of each rank belong
// to which; these are sent; each rank merges what it has received. Many elements are sent in steps: while one is on its
// way, the rank merges what can come before everything that is not there yet.

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/base/order.h>
#include <mgpu/core/sort/item.h>
#include <mgpu/exec/distributed/policy.h>
#include <mgpu/exec/distributed/side_stream.h>
#include <mgpu/plan/distributed/arriving_runs.h>
#include <mgpu/plan/distributed/call.h>
#include <mgpu/plan/distributed/memory.h>
#include <mgpu/plan/distributed/split.h>
#include <mgpu/plan/distributed/transfers.h>
#include <mgpu/plan/runs/merge_runs.h>
#include <mgpu/plan/sort/arrays.h>
#include <mgpu/plan/sort/sort.h>
#include <mgpu/runs.h>
#include <mgpu/tuning/distributed.h>
#include <mgpu/tuning/sort.h>

#include MGPU_CUDA_VERB_HEADER(copy)
#include MGPU_CUDA_VERB_HEADER(each)
#include MGPU_CUDA_VERB_HEADER(radix_sort)
#include MGPU_CUDA_VERB_HEADER(side_stream)

#include <cuda/std/type_traits>

#include <cstddef>
#include <new>
#include <numeric>
#include <optional>
#include <vector>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

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
  using values_type = typename arrays::values_type;
  using local_policy = typename Distributed::local_policy;
  using stream = exec::stream_of<local_policy>;
  static constexpr bool has_values = arrays::has_values;
  static constexpr bool is_array = base::is_byte_range<Keys> && (!has_values || base::is_byte_range<Values>);
  /// Whether there is a sort that leaves the caller's range as it is.
  static constexpr bool is_copied_by_sort =
      is_array && plan::types_of_sort<local_policy, key*, values_type, whole_array, Compare>().has_cub_sort();

 public:
  distributed_sort_steps(const Distributed& d, const sort_arrays<Keys, Values>& range, offset count,
                         const Compare& compare)
      : d_(d),
        range_(range),
        count_(count),
        compare_(compare),
        split_(d, 1, base::order<Compare>{compare}),
        messages_(4 * offset{d.size()}),
        counts_(static_cast<std::size_t>(d.size())),
        run_keys_(static_cast<std::size_t>(d.size())),
        run_values_(static_cast<std::size_t>(d.size())),
        run_lengths_(static_cast<std::size_t>(d.size())) {}

  /// Takes the memory.
  void prepare() {
    if constexpr (is_copied_by_sort) {
      if (count_ > 0) radix_sort_bytes_ = executor().template radix_sort_copy_bytes<Compare, key, values_type>(count_);
    }
    memory_.take(policy(), [this](scratch_layout& layout) {
      split_.place(layout);
      sorted_.place(count_, layout);
      scratch_layout while_sorting = layout;  // before anything is received
      radix_sort_memory_ = while_sorting.take<radix_sort_unit>(
          static_cast<offset>(base::ceil_div(radix_sort_bytes_, sizeof(radix_sort_unit))));
      received_.place(count_ + 2 * message_grid * d_.size(), layout);
      layout = layout.shared_with(while_sorting);
      runs_.place(d_.size(), layout);
    });
    split_.prepare({{sorted_.keys, nullptr}, {count_, 0}});
  }
  static constexpr offset variant = plan::variant_of_search<key, base::order<Compare>>();
  /// Whether sort() cannot fail for want of memory.
  static constexpr bool takes_all_memory_before = is_copied_by_sort;
  /// Sorts this rank's part.
  void sort() {
    if (count_ > 0) sort_copy();
  }

  /// Finds the splits. counts[r].values[1] is how many elements rank r has. Throws on every rank if one fails.
  void split(exec::rank_failure& failure, const exec::rank_report* counts) {
    for (int r = 0; r < d_.size(); ++r) counts_[static_cast<std::size_t>(r)] = counts[r].values[1];
    const outgoing from_memory{0, memory_.data(), 1};  // as all messages are
    if (side_stream::exists &&
        plan::total_count(counts, d_.size()) >= tuning::least_overlapped_bytes / offset{sizeof(key)} &&
        d_.can_copy(&from_memory, 1)) {
      steps_ = tuning::overlapped_steps;
      failure.run([this] { side_.begin(main_stream()); });
      d_.agree(failure);
    }
    split_.run(failure, [this](int r, int) { return counts_[static_cast<std::size_t>(r)]; });
    split_.find_ends(failure);
  }

  /// Sends what belongs to others, and receives what belongs here. What stays here is not copied. With several steps
  /// this goes on in the side stream.
  void exchange(exec::rank_failure& failure) {
    list_runs();
    failure.run([&] { copy_runs(); });
    for (int step = 0; step < steps_; ++step) {
      messages_.clear();
      for (int r = 0; r < d_.size(); ++r) {
        if (r == d_.rank()) continue;
        const offset room = run_keys_[static_cast<std::size_t>(r)] - received_.keys;
        list_messages(r, {split_.part(d_.rank(), r).begin, split_.part(d_.rank(), r).count(), steps_},
                      {room, split_.part(r, d_.rank()).count(), steps_}, step);
      }
      if (steps_ == 1) return messages_.run(d_);
      messages_.copy(d_, side_.stream(main_stream()));
      d_.succeed_or_leave([&] { side_.step_is_queued(step); });
    }
  }

  /// Merges the runs, this rank's own and those that are received, into the caller's range.
  void merge() {
    if (count_ == 0) return;
    if (steps_ == 1) {
      merge_part(0, {runs_.keys, runs_.values, runs_.lengths}, count_);
    } else {
      offset merged = 0;
      for (int step = 0; step < steps_; ++step) {
        side_.await(step);
        merged += merge_step(step, merged);
      }
    }
  }

  /// Work that follows in the policy's stream comes after all messages.
  void await_exchange() {
    if (steps_ > 1) side_.await(steps_ - 1);
  }

 private:
  using side_stream = exec::side_stream<stream>;

  /// What CUB wants its memory to be aligned to.
  struct alignas(256) radix_sort_unit {
    char bytes[256];
  };

  auto& policy() const { return exec::mutable_policy(d_.local()); }
  auto executor() const { return exec::executor(policy()); }
  stream main_stream() const { return exec::executor(d_.local()).stream(); }

  /// Whether numbers are copied, and then sorted where they are, by sorts that are faster than CUB's for as many.
  bool is_sorted_in_place() const {
    const exec::kernel_facts device = plan::device_of_sort<local_policy, key*, values_type, whole_array, Compare>();
    const sort_way way =
        plan::way_of_sort<local_policy, key*, values_type, whole_array, Compare>(count_, whole_array{}, device);
    return way != sort_way::by_cub && (way != sort_way::by_digits || count_ <= tuning::most_sorted_in_place);
  }

  /// Sorts the caller's range into scratch memory.
  void sort_copy() {
    if constexpr (is_copied_by_sort) {
      if (is_sorted_in_place()) {
        try {
          return sort_in_place();
        } catch (const std::bad_alloc&) {  // CUB sorts in the memory that is there
        }
      }
      executor().template radix_sort_copy<Compare>(range_.keys, values_type(range_.values), sorted_.keys,
                                                   sorted_.values, count_, radix_sort_memory_, radix_sort_bytes_);
    } else {
      sort_in_place();
    }
  }

  /// Copies the caller's range, and sorts the copy.
  void sort_in_place() {
    copy_in(range_.keys, sorted_.keys);
    if constexpr (has_values) copy_in(range_.values, sorted_.values);
    const sort_range<key*, values_type> own{sorted_.keys, sorted_.keys + count_, sorted_.values};
    plan::sort_checked<core::ties::keep_order>(policy(), own, whole_array{}, compare_);
  }

  /// Lists a step's messages to and from a rank.
  void list_messages(int r, const stepwise_message& out, const stepwise_message& in, int step) {
    const auto list = [&](const auto* from, auto* to) {
      const auto in_two = [step](const stepwise_message& m, const auto& message) {
        const stretch part = m.part(step);
        const offset head = step == 0 ? m.head() : 0;
        message(m.begin + part.begin, head);
        message(m.begin + part.begin + head, part.count() - head);
      };
      in_two(out, [&](offset begin, offset count) { messages_.send(r, from + begin, count); });
      in_two(in, [&](offset begin, offset count) { messages_.receive(r, to + begin, count); });
    };
    list(sorted_.keys, received_.keys);
    if constexpr (has_values) list(sorted_.values, received_.values);
  }

  /// Where the runs are that this rank merges: its own where it is, the others one behind the other, each as far from
  /// the grid as it is on its rank.
  void list_runs() {
    offset end = 0;
    for (int r = 0; r < d_.size(); ++r) {
      const auto i = static_cast<std::size_t>(r);
      run_lengths_[i] = split_.part(r, d_.rank()).count();
      const offset begin = split_.part(r, d_.rank()).begin;
      const offset room = base::align_up(end, message_grid) + begin % message_grid;
      const arrays place = r == d_.rank() ? sorted_.from(begin) : received_.from(room);
      run_keys_[i] = place.keys;
      if constexpr (has_values) run_values_[i] = place.values;
      if (r != d_.rank()) end = room + run_lengths_[i];
    }
  }

  void copy_runs() const {
    copy(runs_.keys, run_keys_.data(), d_.size());
    if constexpr (has_values) copy(runs_.values, run_values_.data(), d_.size());
    copy(runs_.lengths, run_lengths_.data(), d_.size());
    if (steps_ > 1) copy(runs_.merged, std::vector<offset>(run_lengths_.size()).data(), d_.size());
  }

  /// Merges what can be merged when a step has come. Returns how many elements these are.
  offset merge_step(int step, offset merged) {
    const bool is_last = step + 1 == steps_;
    exec::executor(policy()).search_each(d_.size(),
                                         cut_runs<key, value, base::order<Compare>>{
                                             runs_, received_.keys, d_.size(), d_.rank(), step, steps_, {compare_}});
    offset part = count_ - merged;
    if (!is_last) {
      std::vector<offset> cuts(run_lengths_.size());
      d_.fetch(cuts.data(), runs_.merged, d_.size() * offset{sizeof(offset)});
      part = std::accumulate(cuts.begin(), cuts.end(), -merged);
    }
    merge_part(merged, {runs_.part_keys, runs_.part_values, runs_.part_lengths}, part);
    return part;
  }

  /// Merges `count` elements of runs to the caller's range from `begin` on.
  void merge_part(offset begin, const run_arrays<key, value>& of, offset count) {
    if (count == 0) return;
    if (exec::executor(policy()).is_synchronous()) d_.await_messages();
    const run_ranges runs(of.keys, of.lengths, d_.size(), count);
    const run_outputs out{range_.keys + begin, range_.values + begin};
    if constexpr (has_values) plan::merge_separate_runs(policy(), runs, of.values, out, compare_);
    else plan::merge_separate_runs(policy(), runs, base::no_values{}, out, compare_);
  }

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
  std::vector<offset> counts_;  // [ranks], elements
  // The runs that are merged, [ranks], on the host and where the executor works.
  std::vector<key*> run_keys_;
  std::vector<value*> run_values_;
  std::vector<offset> run_lengths_;
  arriving_runs<key, value> runs_{};
  int steps_ = 1;
  std::size_t radix_sort_bytes_ = 0;
  radix_sort_unit* radix_sort_memory_ = nullptr;
  rank_memory<local_policy> memory_{d_.are_ranks_lost()};
  arrays sorted_{}, received_{};
  side_stream side_;  // destroyed before the memory that is sent
};

/// Sorts the rank's part, and agrees with the others on the call; at the same time where the sort cannot fail.
template <class Keys, class Values, class Distributed, class Steps>
const exec::rank_report* sort_and_agree(const Distributed& d, exec::rank_failure& failure, std::optional<Steps>& sort,
                                        offset count) {
  constexpr call_of_ranks call{distributed_call::stable_sort, Steps::variant};
  if constexpr (Distributed::agrees_in_parts && Steps::takes_all_memory_before) {
    d.begin_agreement(failure, plan::signature_of<Keys, Values>(call), count, 0);
    failure.run([&] { sort->sort(); });
    return plan::checked_calls(d.end_agreement(failure), d.size());
  } else {
    failure.run([&] { sort->sort(); });
    return plan::agree_on_call<Keys, Values>(d, failure, call, count);
  }
}

/// The calls of stable_sort and stable_sort_by_key with a policy over ranks.
template <class Distributed, class Keys, class Values, class Compare>
void distributed_sort(const Distributed& d, const sort_range<Keys, Values>& range, const Compare& compare) {
  using arrays = decltype(plan::checked_arrays(range, offset{}));
  using steps = distributed_sort_steps<Distributed, typename arrays::keys_type, typename arrays::values_type, Compare>;
  d.check_usable();
  exec::rank_failure failure;
  std::optional<steps> sort;
  offset count = 0;
  failure.run([&] {
    count = range.checked_count();
    sort.emplace(d, plan::checked_arrays(range, count), count, compare);
    sort->prepare();
  });
  const auto* const counts = plan::sort_and_agree<Keys, Values>(d, failure, sort, count);
  if (plan::total_count(counts, d.size()) == 0) return;
  sort->split(failure, counts);
  sort->exchange(failure);
  failure.run([&] { sort->merge(); });
  failure.run_anyway([&] { sort->await_exchange(); });
  d.agree_at_end(failure);
}

}  // namespace detail::plan
MGPU_NAMESPACE_END
