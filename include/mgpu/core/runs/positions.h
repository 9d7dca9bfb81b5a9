// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>

#include <cuda/std/iterator>
#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

// Elements that cannot be copied as bytes stay where they are while passes merge their positions. The last pass moves
// them, once.

/// Where an element of a run is: see keys_at of core/runs/runs.h.
struct run_position {
  offset run, place;
};

/// What can be done with every iterator of this header.
template <class Iterator, class Value, class Reference>
struct position_iterator {
  using iterator_category = cuda::std::random_access_iterator_tag;
  using value_type = Value;
  using difference_type = offset;
  using pointer = void;
  using reference = Reference;

  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE Reference operator*() const { return self()[0]; }
  MGPU_HOST_DEVICE Iterator& operator++() {
    self().at += 1;
    return self();
  }
  MGPU_HOST_DEVICE Iterator operator+(offset n) const {
    Iterator moved = self();
    moved.at += n;
    return moved;
  }
  MGPU_HOST_DEVICE offset operator-(const Iterator& other) const { return static_cast<offset>(self().at - other.at); }

 private:
  MGPU_HOST_DEVICE Iterator& self() { return static_cast<Iterator&>(*this); }
  MGPU_HOST_DEVICE const Iterator& self() const { return static_cast<const Iterator&>(*this); }
};

/// The positions of the elements of a run.
struct positions_of_run : position_iterator<positions_of_run, run_position, run_position> {
  offset run, at;

  MGPU_HOST_DEVICE positions_of_run(offset of_run, offset place) : run(of_run), at(place) {}
  MGPU_HOST_DEVICE run_position operator[](offset i) const { return {run, at + i}; }
};

/// The keys of runs, read at positions.
template <class Runs>
struct keys_at_positions : position_iterator<keys_at_positions<Runs>, base::value_type<typename Runs::keys_type>,
                                             decltype(cuda::std::declval<typename Runs::keys_type>()[offset{}])> {
  Runs runs;
  const run_position* at;

  MGPU_HOST_DEVICE keys_at_positions(const Runs& of, const run_position* positions) : runs(of), at(positions) {}
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE decltype(auto) operator[](offset i) const { return runs.keys_at(at[i].run, at[i].place)[offset{}]; }
};

/// The same of values.
template <class Runs>
struct values_at_positions : position_iterator<values_at_positions<Runs>, base::value_type<typename Runs::values_type>,
                                               decltype(cuda::std::declval<typename Runs::values_type>()[offset{}])> {
  Runs runs;
  const run_position* at;

  MGPU_HOST_DEVICE values_at_positions(const Runs& of, const run_position* positions) : runs(of), at(positions) {}
  MGPU_EXEC_CHECK_DISABLE
  MGPU_HOST_DEVICE decltype(auto) operator[](offset i) const {
    return runs.values_at(at[i].run, at[i].place)[offset{}];
  }
};

/// Runs whose values are the positions of their elements.
template <class Runs>
struct runs_with_positions : Runs {
  using values_type = positions_of_run;
  MGPU_HOST_DEVICE values_type values_at(offset run, offset place) const { return {run, place}; }
};

/// An output that keeps nothing.
struct nowhere {
  struct place {
    template <class T>
    MGPU_HOST_DEVICE place& operator=(const T&) {
      return *this;
    }
  };
  using iterator_category = cuda::std::random_access_iterator_tag;
  using value_type = place;
  using difference_type = offset;
  using pointer = void;
  using reference = place;

  MGPU_HOST_DEVICE place operator[](offset) const { return {}; }
  MGPU_HOST_DEVICE place operator*() const { return {}; }
  MGPU_HOST_DEVICE nowhere& operator++() { return *this; }
  MGPU_HOST_DEVICE nowhere operator+(offset) const { return {}; }
};

}  // namespace detail::core
MGPU_NAMESPACE_END
