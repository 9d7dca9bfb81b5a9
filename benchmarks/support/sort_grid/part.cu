// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A part of the grid of sorts: MGPU_GRID_PART says which, from 0 to 15. All of them are one program with sort_grid.cu.

#include <support/sort_grid/grid.h>
#include <support/sort_grid/keys.cuh>
#include <support/sort_grid/rows.cuh>
#include <support/sort_grid/runs.cuh>
#include <support/sort_grid/segments.cuh>

namespace bench {
namespace {

template <int Part>
void add_arrays(grid& rows) {
  if constexpr (Part == 0) {
    add_stable_sorts<u32>(rows);
    add_stable_sorts<u32, no_values, user_order>(rows);
    add_stable_sorts<u32, no_values, remainder_order>(rows);
  } else if constexpr (Part == 1) {
    add_stable_sorts<u64>(rows);
    add_stable_sorts<u64, no_values, user_order>(rows);
  } else if constexpr (Part == 2) {
    add_stable_sorts<f32>(rows);
    add_stable_sorts<f32, no_values, user_order>(rows);
    add_stable_sorts<f64>(rows);
  } else if constexpr (Part == 3) {
    add_stable_sorts<u8>(rows);
    add_stable_sorts<i16>(rows);
    add_stable_sorts<f16>(rows);
  } else if constexpr (Part == 4) {
    add_stable_sorts<i128>(rows);
    add_stable_sorts<s12, no_values, key_order>(rows);
    add_stable_sorts<s16, no_values, key_order>(rows);
  } else if constexpr (Part == 5) {
    add_stable_sorts<s32, no_values, key_order>(rows);
    add_stable_sorts<zip>(rows);
  } else if constexpr (Part == 6) {
    add_stable_sorts<u32, u32>(rows);
    add_stable_sorts<i16, u32>(rows);
    add_stable_sorts<u64, u32>(rows);
  } else if constexpr (Part == 7) {
    add_stable_sorts<f32, f64>(rows);
    add_stable_sorts<u64, u64>(rows);
  }
}

template <int Part>
void add_segments(grid& rows) {
  if constexpr (Part == 8) {
    add_segmented_sorts<u32>(rows);
    add_segmented_sorts<u32, no_values, user_order>(rows);
    add_segmented_sorts<u64>(rows);
  } else if constexpr (Part == 9) {
    add_segmented_sorts<f32>(rows);
    add_segmented_sorts<f64>(rows);
    add_segmented_sorts<s16, no_values, key_order>(rows);
  } else if constexpr (Part == 10) {
    add_segmented_sorts<u8>(rows);
    add_segmented_sorts<i16>(rows);
    add_segmented_sorts<f16>(rows);
  } else if constexpr (Part == 11) {
    add_segmented_sorts<u32, u32>(rows);
    add_stable_segmented_sorts<u32, u32>(rows);
    add_segmented_sorts<i16, u32>(rows);
  } else if constexpr (Part == 12) {
    add_segmented_sorts<f32, f64>(rows);
    add_segmented_sorts<u64, u32>(rows);
    add_segmented_sorts<u64, u64>(rows);
  }
}

template <int Part>
void add_others(grid& rows) {
  if constexpr (Part == 13) {
    add_merges_of_runs<u32>(rows);
    add_merges_of_runs<u64>(rows);
  } else if constexpr (Part == 14) {
    add_merges_of_runs<u32, u32>(rows);
    add_merges_of_runs<s16, no_values, key_order>(rows);
  } else if constexpr (Part == 15) {
    add_locality_sorts<u32>(rows);
    add_locality_sorts<u32, u32>(rows);
    add_locality_sorts<u64>(rows);
    add_locality_sorts<f64, u64>(rows);
  }
}

void add_rows(grid& rows) {
  add_arrays<MGPU_GRID_PART>(rows);
  add_segments<MGPU_GRID_PART>(rows);
  add_others<MGPU_GRID_PART>(rows);
}

[[maybe_unused]] const bool is_listed = (grid_parts().push_back({MGPU_GRID_PART, add_rows}), true);

}  // namespace
}  // namespace bench
