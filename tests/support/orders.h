// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Comparators of every kind, and keys for them.

#include <mgpu/base/config.h>

#include <cstdint>
#include <random>
#include <vector>

namespace test {

struct greater {
  MGPU_HOST_DEVICE bool operator()(std::int32_t x, std::int32_t y) const { return y < x; }
};

/// Orders by what a table in the executor's memory says.
struct less_by_table {
  const int* place;
  MGPU_HOST_DEVICE bool operator()(std::uint8_t x, std::uint8_t y) const { return place[x] < place[y]; }
};

/// Compiled for the executor's side only: under CUDA the host cannot call it.
struct less_of_executor {
  MGPU_DEVICE bool operator()(std::int32_t x, std::int32_t y) const { return x < y; }
};

/// Cannot be default-constructed, and holds more than a few bytes.
class less_shifted {
 public:
  less_shifted(std::int64_t shift, double factor) : shift_(shift), unused_{factor, factor, factor} {}
  MGPU_HOST_DEVICE bool operator()(std::int64_t x, std::int64_t y) const {
    return ((x + shift_) & 4095) < ((y + shift_) & 4095);
  }

 private:
  std::int64_t shift_;
  [[maybe_unused]] double unused_[3];
};

/// Says yes by something that converts to true and is not 1.
template <class Answer>
struct less_answering {
  Answer yes;
  MGPU_HOST_DEVICE Answer operator()(std::int32_t x, std::int32_t y) const { return x < y ? yes : Answer{}; }
};
struct yes_or_no {
  bool is_yes;
  MGPU_HOST_DEVICE operator bool() const { return is_yes; }
};

/// One function for each order of its two types, and none for two of one.
struct less_of_two_types {
  MGPU_HOST_DEVICE bool operator()(std::uint32_t x, float y) const {
    return static_cast<double>(x) < static_cast<double>(y);
  }
  MGPU_HOST_DEVICE bool operator()(float x, std::uint32_t y) const {
    return static_cast<double>(x) < static_cast<double>(y);
  }
};

/// A record and what is looked for in it are different types.
struct record {
  std::int32_t id;
  std::uint8_t rest[8];
  MGPU_HOST_DEVICE operator std::int32_t() const { return id; }
};
struct less_by_id {
  MGPU_HOST_DEVICE bool operator()(const record& x, std::int16_t y) const { return x.id < y; }
  MGPU_HOST_DEVICE bool operator()(std::int16_t x, const record& y) const { return x < y.id; }
};

// No orders.

struct always_true {
  template <class Key>
  MGPU_HOST_DEVICE bool operator()(const Key&, const Key&) const {
    return true;
  }
};
struct always_false {
  template <class Key>
  MGPU_HOST_DEVICE bool operator()(const Key&, const Key&) const {
    return false;
  }
};
/// Says that every element comes before those that are equal to it.
struct less_or_equal {
  template <class Key>
  MGPU_HOST_DEVICE bool operator()(const Key& x, const Key& y) const {
    return !(y < x);
  }
};

template <class Key>
std::vector<Key> random_keys(int count, int low, int high, std::mt19937& random) {
  std::vector<Key> keys(static_cast<std::size_t>(count));
  for (auto& key : keys) key = static_cast<Key>(std::uniform_int_distribution<int>(low, high)(random));
  return keys;
}

}  // namespace test
