// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The examples of the reference: one call of each function of the sorts; checks its own results.

#include "check.h"

#include <mgpu/locality_sort.h>
#include <mgpu/odd_even_merge_sort.h>
#include <mgpu/par.h>
#include <mgpu/segmented_sort.h>
#include <mgpu/segments.h>
#include <mgpu/sort.h>

#include <cuda/std/functional>

namespace {

bool calls_segmented_sort() {
  // [snippet: segmented_sort]
  vector<int> keys{4, 2, 9, 1, 3};
  const vector<int> offsets{0, 2, 5};  // segments 4 2 and 9 1 3
  mgpu::segmented_sort(mgpu::par, keys.begin(), keys.end(), mgpu::segment_offsets(offsets.begin(), 2));  // 2 4, 1 3 9
  // [end]
  return keys == vector<int>{2, 4, 1, 3, 9};
}

bool calls_segmented_sort_by_key() {
  // [snippet: segmented_sort_by_key]
  vector<int> keys{4, 2, 9, 1, 3}, values{0, 1, 2, 3, 4};
  const vector<int> offsets{0, 2, 5};  // segments 4 2 and 9 1 3
  mgpu::segmented_sort_by_key(mgpu::par, keys.begin(), keys.end(), values.begin(),
                              mgpu::segment_offsets(offsets.begin(), 2));
  // keys 2 4, 1 3 9, values 1 0, 3 4 2
  // [end]
  return keys == vector<int>{2, 4, 1, 3, 9} && values == vector<int>{1, 0, 3, 4, 2};
}

bool calls_stable_segmented_sort() {
  // [snippet: stable_segmented_sort]
  vector<int> keys{4, 2, 9, 1, 3};
  const vector<int> offsets{0, 2, 5};  // segments 4 2 and 9 1 3
  mgpu::stable_segmented_sort(mgpu::par, keys.begin(), keys.end(),
                              mgpu::segment_offsets(offsets.begin(), 2));  // 2 4, 1 3 9
  // [end]
  return keys == vector<int>{2, 4, 1, 3, 9};
}

bool calls_stable_segmented_sort_by_key() {
  // [snippet: stable_segmented_sort_by_key]
  vector<int> keys{4, 2, 9, 1, 3}, values{0, 1, 2, 3, 4};
  const vector<int> offsets{0, 2, 5};  // segments 4 2 and 9 1 3
  mgpu::stable_segmented_sort_by_key(mgpu::par, keys.begin(), keys.end(), values.begin(),
                                     mgpu::segment_offsets(offsets.begin(), 2));
  // keys 2 4, 1 3 9, values 1 0, 3 4 2
  // [end]
  return keys == vector<int>{2, 4, 1, 3, 9} && values == vector<int>{1, 0, 3, 4, 2};
}

bool calls_locality_sort() {
  // [snippet: locality_sort]
  vector<int> keys{1, 3, 2, 4};
  mgpu::locality_sort(mgpu::par, keys.begin(), keys.end());  // 1 2 3 4
  // [end]
  return keys == vector<int>{1, 2, 3, 4};
}

bool calls_locality_sort_by_key() {
  // [snippet: locality_sort_by_key]
  vector<int> keys{4, 3, 1, 2}, values{0, 1, 2, 3};
  mgpu::locality_sort_by_key(mgpu::par, keys.begin(), keys.end(), values.begin(), cuda::std::greater<>{});
  // keys 4 3 2 1, values 0 1 3 2
  // [end]
  return keys == vector<int>{4, 3, 2, 1} && values == vector<int>{0, 1, 3, 2};
}

bool calls_stable_sort() {
  // [snippet: stable_sort]
  vector<int> keys{4, 2, 9, 1};
  mgpu::stable_sort(mgpu::par, keys.begin(), keys.end());  // 1 2 4 9
  // [end]
  return keys == vector<int>{1, 2, 4, 9};
}

bool calls_stable_sort_by_key() {
  // [snippet: stable_sort_by_key]
  vector<int> keys{3, 1, 3, 2}, values{0, 1, 2, 3};
  mgpu::stable_sort_by_key(mgpu::par, keys.begin(), keys.end(), values.begin());
  // keys 1 2 3 3, values 1 3 0 2
  // [end]
  return keys == vector<int>{1, 2, 3, 3} && values == vector<int>{1, 3, 0, 2};
}

bool calls_odd_even_merge_sort() {
  // [snippet: odd_even_merge_sort]
  vector<int> keys{4, 2, 9, 1};
  mgpu::odd_even_merge_sort(mgpu::par, keys.begin(), keys.end());  // 1 2 4 9
  // [end]
  return keys == vector<int>{1, 2, 4, 9};
}

bool calls_odd_even_merge_sort_by_key() {
  // [snippet: odd_even_merge_sort_by_key]
  vector<int> keys{4, 2, 9, 1}, values{0, 1, 2, 3};
  mgpu::odd_even_merge_sort_by_key(mgpu::par, keys.begin(), keys.end(), values.begin());
  // keys 1 2 4 9, values 3 1 0 2
  // [end]
  return keys == vector<int>{1, 2, 4, 9} && values == vector<int>{3, 1, 0, 2};
}

}  // namespace

int main() {
  const bool right[] = {calls_segmented_sort(),        calls_segmented_sort_by_key(),
                        calls_stable_segmented_sort(), calls_stable_segmented_sort_by_key(),
                        calls_locality_sort(),         calls_locality_sort_by_key(),
                        calls_stable_sort(),           calls_stable_sort_by_key(),
                        calls_odd_even_merge_sort(),   calls_odd_even_merge_sort_by_key()};
  return docs::report("the sorts", right);
}
