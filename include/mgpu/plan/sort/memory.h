// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/core/sort/borders.h>
#include <mgpu/core/sort/item.h>
#include <mgpu/core/sort/segments.h>
#include <mgpu/core/sort/two_way_pass.h>
#include <mgpu/core/sort/wide_pass.h>
#include <mgpu/exec/policy.h>
#include <mgpu/exec/workspace.h>
#include <mgpu/plan/scratch_layout.h>
#include <mgpu/plan/sort/arrays.h>
#include <mgpu/plan/sort/tiling.h>

#include <cstdint>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// The scratch memory of one sort: the second buffer of its keys and values, and what its steps leave for each other.
/// It is one allocation, since each takes microseconds. A single tile takes none on the GPU.
template <class Keys, class Values, class Policy>
class sort_memory {
 public:
  using key = base::value_type<Keys>;
  using value = base::value_type<Values>;
  static constexpr bool is_in_place = core::is_sorted_in_place<Keys, Values>;

  core::sort_border* borders = nullptr;  // [tiles + 1]
  core::sort_progress* progress = nullptr;
  core::sort_buffers<key, value> buffers = {};

  sort_memory(Policy& p, const sort_arrays<Keys, Values>& arrays, const sort_tiling& tiling)
      : tiling_(tiling), memory_(p, size(arrays)) {
    const auto memory = reinterpret_cast<std::uintptr_t>(memory_.data());
    if (memory != 0) lay_out({base::align_up(memory, unit)}, arrays);
  }

  /// The buffers that parts of cut segments lie in before a pass.
  core::part_buffers buffers_of(int pass) const {
    return core::part_buffers{buffers_ == nullptr ? nullptr : buffers_ + (pass & 1) * offset{2} * tiling_.tiles};
  }

  /// All passes use the same memory for their jobs: one pass runs at a time.
  template <class Job>
  Job* jobs() const {
    static_assert(sizeof(Job) <= sizeof(any_job) && alignof(Job) <= alignof(any_job));
    return reinterpret_cast<Job*>(jobs_);
  }

 private:
  union any_job {
    core::two_way_job two_way;
    core::wide_job<1 << tuning::sort_wide_levels> wide;
  };
  static constexpr auto unit = base::max<std::uintptr_t>(16, base::max(alignof(key), alignof(value)));

  offset size(const sort_arrays<Keys, Values>& arrays) {
    const auto end = static_cast<offset>(lay_out({0}, arrays));
    return end > 0 ? end + offset{unit} : 0;
  }

  /// Returns the end of the layout.
  std::uintptr_t lay_out(scratch_layout layout, const sort_arrays<Keys, Values>& arrays) {
    if (!tiling_.is_single_tile) {
      jobs_ = layout.take<any_job>(tiling_.tiles > 1 ? 2 * tiling_.tiles : 0);
      borders = layout.take<core::sort_border>(tiling_.tiles + 1);
      progress = layout.take<core::sort_progress>(1);
      buffers_ = layout.take<unsigned char>(4 * tiling_.tiles);
    }
    lay_out(layout, arrays.keys, buffers.keys);
    if constexpr (base::has_values<Values>) lay_out(layout, arrays.values, buffers.values);
    return layout.end;
  }
  template <class Iterator, class T>
  void lay_out(scratch_layout& layout, const Iterator& first, T* (&places)[2]) const {
    const T* like = nullptr;
    if constexpr (is_in_place) like = places[0] = first;
    else places[0] = layout.take<T>(tiling_.count);
    // Without shared memory a tile is sorted from one buffer to the other and back.
    if (tiling_.tiles > 1 || !exec::executor_of<Policy>::has_shared_memory)
      places[1] = layout.take<T>(tiling_.count, like);
  }

  sort_tiling tiling_;
  any_job* jobs_ = nullptr;
  unsigned char* buffers_ = nullptr;  // [2][2 * tiles]
  exec::workspace<char, Policy> memory_;
};

}  // namespace detail::plan
MGPU_NAMESPACE_END
