// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Where MGPU_CHECK_INPUTS is defined, public functions verify their inputs by these functions. Otherwise
// unchecked_inputs.h stands for this header.

#include <mgpu/base/math.h>
#include <mgpu/base/order.h>
#include <mgpu/base/overlap.h>
#include <mgpu/base/requirements.h>
#include <mgpu/core/runs/runs.h>
#include <mgpu/exec/policy.h>
#include <mgpu/exec/workspace.h>
#include <mgpu/tile/binary_search.h>

#include MGPU_CUDA_VERB_HEADER(access)
#include MGPU_CUDA_VERB_HEADER(read)
#include MGPU_CUDA_VERB_HEADER(each)

#include <cuda/std/atomic>
#include <cuda/std/type_traits>

#include <stdexcept>
#include <string>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// Whether calls verify their inputs.
inline constexpr bool checks_inputs = true;

/// Throws std::invalid_argument if the policy's device cannot access the memory of an argument. A pointer tells where
/// its memory is, other iterators do not. An executor that calls functions of the host can access all of its memory.
template <class Policy, class Argument>
void check_accessible(Policy& p, const Argument& x) {
  if constexpr (!exec::executor_of<Policy>::calls_host_functions && cuda::std::is_pointer_v<decltype(x.first)>) {
    if (x.count > 0 && x.first != nullptr && !exec::executor(p).can_access(x.first)) {
      throw std::invalid_argument(std::string("mgpu: ") + x.name +
                                  " lies in memory of the host, which the device cannot access: pass memory of the "
                                  "device, or a policy of the CPU such as mgpu::omp::par");
    }
  }
}

template <class Written, class Other>
void check_two_apart([[maybe_unused]] const Written& written, [[maybe_unused]] const Other& other) {
  if constexpr (cuda::std::is_pointer_v<decltype(written.first)> && cuda::std::is_pointer_v<decltype(other.first)>) {
    if (base::overlaps(other.first, other.count, written.first, written.count))
      throw std::invalid_argument(std::string("mgpu: ") + written.name + " overlaps " + other.name);
  }
}
/// Throws std::invalid_argument if the memory of an argument that is written overlaps that of another one.
template <class Written, class... Others>
void check_apart(const Written& written, const Others&... others) {
  (plan::check_two_apart(written, others), ...);
}

struct set_number {
  offset* place;
  offset number;
  MGPU_HOST_DEVICE void operator()(offset) const { *place = number; }
};

/// Lowers *first to i if is_bad(i) is true.
template <class Predicate>
struct note_first {
  Predicate is_bad;
  offset* first;

  MGPU_HOST_DEVICE void operator()(offset i) const {
    if (!is_bad(i)) return;
    const cuda::std::atomic_ref<offset> least(*first);
    offset known = least.load(cuda::std::memory_order_relaxed);
    while (i < known && !least.compare_exchange_weak(known, i, cuda::std::memory_order_relaxed)) {
    }
  }
};

/// The least i in [0, count) for which is_bad(i) is true, or count. The executor searches, since is_bad may run on the
/// device only.
template <class Policy, class Predicate>
offset first_bad(Policy& p, offset count, const Predicate& is_bad) {
  if (count <= 0) return count;
  auto executor = exec::executor(p);
  if (executor.is_captured()) {
    throw std::logic_error(
        "mgpu: with MGPU_CHECK_INPUTS this call waits for the check of its inputs, and cannot be captured into a CUDA "
        "graph");
  }
  const exec::workspace<offset, Policy> first(p, 1);
  executor.each(1, set_number{first.data(), count});
  executor.each(count, note_first<Predicate>{is_bad, first.data()});
  return executor.read(first.data());
}

/// Whether key i + 1 comes before key i.
template <class Keys, class Order>
struct is_out_of_order {
  Keys keys;
  Order order;
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE bool operator()(offset i) const { return order(keys[i + 1], keys[i]); }
};

/// Whether key i + 1 does not come after key i.
template <class Keys, class Order>
struct is_not_after {
  Keys keys;
  Order order;
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE bool operator()(offset i) const { return !order(keys[i], keys[i + 1]); }
};

/// Throws std::invalid_argument if keys [0, count) are not sorted, or if HasDuplicates is false and two keys are equal.
/// Nothing is checked if Compare takes no two of these keys, but only one of them with a key of another input.
template <class Policy, class Keys, class Compare, class HasDuplicates>
void check_sorted(Policy& p, const Keys& keys, offset count, const base::order<Compare>& order, HasDuplicates,
                  const char* name) {
  if constexpr (base::is_comparator<Compare, Keys, Keys>()) {
    const auto numbers = [](offset i) {
      return ": element " + std::to_string(i + 1) + ", compared with element " + std::to_string(i);
    };
    const offset unsorted = plan::first_bad(p, count - 1, is_out_of_order<Keys, base::order<Compare>>{keys, order});
    if (unsorted < count - 1)
      throw std::invalid_argument(std::string("mgpu: ") + name + " is not sorted" + numbers(unsorted));
    if constexpr (!HasDuplicates::value) {
      const offset equal = plan::first_bad(p, count - 1, is_not_after<Keys, base::order<Compare>>{keys, order});
      if (equal < count - 1) {
        throw std::invalid_argument(std::string("mgpu: ") + name + " has equal keys in spite of mgpu::unique_keys" +
                                    numbers(equal));
      }
    }
  }
}

/// Whether position i is less than the one before it, or not in [0, last].
template <class Positions>
struct is_misplaced {
  Positions positions;
  offset last;
  bool begins_at_zero;

  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE bool operator()(offset i) const {
    const auto at = static_cast<offset>(positions[i]);
    if (i == 0 && begins_at_zero && at != 0) return true;
    return at < 0 || at > last || (i > 0 && at < static_cast<offset>(positions[i - 1]));
  }
};

/// Throws std::invalid_argument if positions [0, count) do not ascend, or if one is not in [0, last].
template <class Policy, class Positions>
void check_positions(Policy& p, const Positions& positions, offset count, offset last, const char* name) {
  const offset bad = plan::first_bad(p, count, is_misplaced<Positions>{positions, last, false});
  if (bad < count) {
    throw std::invalid_argument(std::string("mgpu: ") + name + " do not ascend from 0 to at most " +
                                std::to_string(last) + ": see element " + std::to_string(bad));
  }
}

/// Throws std::invalid_argument if the offsets of `count` intervals are not an exclusive scan of counts with the sum
/// `total`.
template <class Policy, class Offsets>
void check_scan(Policy& p, const Offsets& offsets, offset count, offset total) {
  const offset bad = plan::first_bad(p, count, is_misplaced<Offsets>{offsets, total, true});
  if (bad < count) {
    throw std::invalid_argument("mgpu: the offsets of the intervals are no exclusive scan of counts with the total " +
                                std::to_string(total) + ": see element " + std::to_string(bad));
  }
}

/// Whether run i of one array ends before it begins, or leaves a gap at an end of the array.
template <class Runs>
struct is_bad_run {
  Runs runs;
  MGPU_HOST_DEVICE bool operator()(offset i) const { return runs.is_bad_run(i); }
};
/// Whether the lengths of all runs are no parts of their total.
template <class Runs>
struct has_bad_lengths {
  Runs runs;
  MGPU_HOST_DEVICE bool operator()(offset) const { return core::are_bad_runs(runs); }
};

/// Whether key i + 1 of an array comes before key i, and both are of one run.
template <class Runs, class Order>
struct is_out_of_order_in_run {
  Runs runs;
  Order order;
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE bool operator()(offset i) const {
    if (!order(runs.keys[i + 1], runs.keys[i])) return false;
    const offset run = tile::partition_point(offset{0}, runs.count, [&](offset r) { return runs.bound(r) < i + 1; });
    return run == runs.count || runs.bound(run) != i + 1;
  }
};
/// Whether run i of its own array is not sorted.
template <class Runs, class Order>
struct is_unsorted_run {
  Runs runs;
  Order order;
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE bool operator()(offset run) const {
    const auto keys = runs.keys_at(run, 0);
    for (offset i = 1; i < runs.length(run); ++i) {
      if (order(keys[i], keys[i - 1])) return true;
    }
    return false;
  }
};

/// Throws std::invalid_argument if the offsets or lengths of runs are bad, or if a run is not sorted. Of runs in arrays
/// of their own a thread reads each.
template <class Policy, class Runs, class Order>
void check_runs(Policy& p, const Runs& runs, const Order& order) {
  if constexpr (Runs::is_one_array) {
    const offset bad = plan::first_bad(p, runs.count, is_bad_run<Runs>{runs});
    if (bad < runs.count) {
      throw std::invalid_argument("mgpu: the offsets of the runs do not ascend from 0 to " +
                                  std::to_string(runs.total) + ": see elements " + std::to_string(bad) + " and " +
                                  std::to_string(bad + 1));
    }
    const offset unsorted = plan::first_bad(p, runs.total - 1, is_out_of_order_in_run<Runs, Order>{runs, order});
    if (unsorted < runs.total - 1) {
      throw std::invalid_argument("mgpu: a run is not sorted: element " + std::to_string(unsorted + 1) +
                                  " of the array, compared with element " + std::to_string(unsorted));
    }
  } else {
    if (plan::first_bad(p, 1, has_bad_lengths<Runs>{runs}) == 0) {
      throw std::invalid_argument("mgpu: a length of a run is negative, or their sum is not " +
                                  std::to_string(runs.total));
    }
    const offset unsorted = plan::first_bad(p, runs.count, is_unsorted_run<Runs, Order>{runs, order});
    if (unsorted < runs.count) throw std::invalid_argument("mgpu: run " + std::to_string(unsorted) + " is not sorted");
  }
}

}  // namespace detail::plan
MGPU_NAMESPACE_END
