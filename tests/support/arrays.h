// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "executors.h"

#include <algorithm>
#include <vector>

namespace test {

/// Bytes in the executor's memory.
template <class Executor>
class memory {
 public:
  explicit memory(const std::vector<char>& bytes) : bytes_(bytes.size()), data_(Executor::allocate(bytes.size())) {
    Executor::copy_in(data_, bytes.data(), bytes_);
  }
  ~memory() { Executor::free(data_); }
  memory(const memory&) = delete;
  memory& operator=(const memory&) = delete;

  char* data() const { return static_cast<char*>(data_); }
  std::vector<char> read() const {
    std::vector<char> result(bytes_);
    Executor::copy_out(result.data(), data_, bytes_);
    return result;
  }

 private:
  std::size_t bytes_;
  void* data_;
};

/// Bytes that no test writes by accident: each differs from its neighbours.
inline std::vector<char> sentinel_bytes(std::size_t bytes) {
  constexpr std::size_t period = 256;
  std::vector<char> result(bytes);
  for (std::size_t i = 0; i < std::min(bytes, period); ++i) result[i] = static_cast<char>(0x91 + 37 * i);
  for (std::size_t i = period; i < bytes; i *= 2) std::memcpy(result.data() + i, result.data(), std::min(i, bytes - i));
  return result;
}

/// Not inlined: g++ would warn of copies into vectors that it takes for empty.
[[gnu::noinline]] inline void place_bytes(std::vector<char>& bytes, std::size_t at, const void* from,
                                          std::size_t count) {
  if (count > 0) std::memcpy(bytes.data() + at, from, count);
}

/// Elements in an allocation that ends with the last of them. `skipped` elements in front take them off its alignment.
template <class Executor, class T>
class input {
 public:
  input(const std::vector<T>& x, int skipped = 0)
      : count_(static_cast<offset>(x.size())), skipped_(skipped), bytes_(image(x, skipped)), memory_(bytes_) {}

  T* begin() const { return reinterpret_cast<T*>(memory_.data()) + skipped_; }
  T* end() const { return begin() + count_; }
  bool unchanged() const { return memory_.read() == bytes_; }

 private:
  static std::vector<char> image(const std::vector<T>& x, int skipped) {
    auto bytes = sentinel_bytes((x.size() + skipped) * sizeof(T));
    place_bytes(bytes, skipped * sizeof(T), x.data(), x.size() * sizeof(T));
    return bytes;
  }

  offset count_;
  int skipped_;
  std::vector<char> bytes_;
  memory<Executor> memory_;
};

/// Room for `count` elements between guards.
template <class Executor, class T>
class output {
 public:
  explicit output(offset count, int skipped = 0)
      : count_(static_cast<std::size_t>(count)),
        front_((guard_elements + skipped) * sizeof(T)),
        bytes_(sentinel_bytes(front_ + count_ * sizeof(T) + guard_elements * sizeof(T))),
        memory_(bytes_) {}

  T* begin() const { return reinterpret_cast<T*>(memory_.data() + front_); }
  T* end() const { return begin() + count_; }

  bool untouched() const { return memory_.read() == bytes_; }
  bool guards_untouched() const {
    const auto now = memory_.read();
    const auto back = front_ + count_ * sizeof(T);
    return std::memcmp(now.data(), bytes_.data(), front_) == 0 &&
           std::memcmp(now.data() + back, bytes_.data() + back, bytes_.size() - back) == 0;
  }
  /// The first position that differs from `expected` in any bit, where elements after the expected ones are to be
  /// untouched; the size where a guard has changed; -1 for neither.
  offset first_difference(const std::vector<T>& expected) const {
    const auto now = memory_.read();
    auto wanted = bytes_;
    place_bytes(wanted, front_, expected.data(), std::min(count_, expected.size()) * sizeof(T));
    if (now == wanted) return -1;
    for (std::size_t i = 0; i < count_; ++i) {
      const auto at = front_ + i * sizeof(T);
      if (std::memcmp(now.data() + at, wanted.data() + at, sizeof(T)) != 0) return static_cast<offset>(i);
    }
    return static_cast<offset>(count_);
  }
  /// Requires a T that can be copied from bytes.
  std::vector<T> read() const {
    std::vector<T> result(count_);
    if (count_ > 0) std::memcpy(static_cast<void*>(result.data()), memory_.read().data() + front_, count_ * sizeof(T));
    return result;
  }

 private:
  static constexpr int guard_elements = 48;

  std::size_t count_, front_;
  std::vector<char> bytes_;
  memory<Executor> memory_;
};

}  // namespace test
