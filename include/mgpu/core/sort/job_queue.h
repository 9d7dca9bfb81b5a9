// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// The queue of a pass: the jobs that the pass plans, and that the executor then runs. Merges are queued from the front
/// of the memory. Copies take less time. They are queued from its back, and so run last.
/// The queue holds nothing but a reference to the pass. So a kernel reads each value from its parameters where it needs
/// it.
template <class Pass>
struct job_queue {
  using job = typename Pass::job;
  /// A border of tiles makes at most so many jobs: one in the tile behind it, and one in the tile before it.
  static constexpr int jobs_per_border = 2;

  const Pass& pass;

  MGPU_HOST_DEVICE offset capacity() const { return jobs_per_border * pass.tiles; }
  MGPU_HOST_DEVICE int merges() const { return *merge_counter(); }
  MGPU_HOST_DEVICE int copies() const { return *copy_counter(); }

  /// Queues a job. Many threads may do so at the same time.
  MGPU_HOST_DEVICE void push(const job& x) const {
    if (x.is_copy()) pass.jobs[capacity() - 1 - MGPU_FETCH_INCREMENT(copy_counter())] = x;
    else pass.jobs[MGPU_FETCH_INCREMENT(merge_counter())] = x;
  }

  MGPU_HOST_DEVICE const job* merge(int i) const { return pass.jobs + i; }
  MGPU_HOST_DEVICE const job* copy(int i) const { return pass.jobs + (capacity() - 1 - i); }

  /// Returns how often it was called before. Many threads may do so at the same time.
  MGPU_HOST_DEVICE int take() const { return MGPU_FETCH_INCREMENT(&pass.progress->taken[pass.number()]); }

  // An executor may give each border places of its own, instead of pushing.

  /// Empties the places of a border. Returns the first one.
  job* open_places(offset border) const {
    job* const places = pass.jobs + jobs_per_border * border;
    for (int i = 0; i < jobs_per_border; ++i) places[i] = {};
    return places;
  }

  /// Moves the jobs of all borders to the front, in their order. Counts merges and copies. Returns the number of both.
  offset collect() const {
    offset count = 0;
    for (offset i = 0; i < capacity(); ++i) {
      if (pass.jobs[i].is_empty()) continue;
      ++*(pass.jobs[i].is_copy() ? copy_counter() : merge_counter());
      pass.jobs[count++] = pass.jobs[i];
    }
    return count;
  }
  const job& collected(offset i) const { return pass.jobs[i]; }

 private:
  MGPU_HOST_DEVICE int* merge_counter() const { return &pass.progress->merged[pass.number()]; }
  MGPU_HOST_DEVICE int* copy_counter() const { return &pass.progress->copied[pass.number()]; }
};

}  // namespace detail::core
MGPU_NAMESPACE_END
