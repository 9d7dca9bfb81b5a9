// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// All arrays of a call in one piece of memory, between guards: as the call finds them, and as it is to leave them.

#include "support/arrays.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace test::harness {

/// What a call may do with an array.
enum class role { in, out, in_out };

/// An array in an arena, wherever that is.
template <class T>
struct array {
  std::size_t place;  // in bytes, in the arena
  offset count;

  T* in(char* arena) const { return reinterpret_cast<T*>(arena + place); }
};

class arena {
 public:
  /// The same numbers lay out the same arrays in the same way.
  explicit arena(std::mt19937& layout) : layout_(layout()) {}

  template <class T>
  array<T> add_input(const std::vector<T>& x) {
    return add(role::in, x.size(), x, x);
  }
  template <class T>
  array<T> add_inout(const std::vector<T>& before, const std::vector<T>& after) {
    return add(role::in_out, before.size(), before, after);
  }
  /// Room for `count` elements, of which the call is to write `after`, from element `first` on, and leave the others
  /// alone.
  template <class T>
  array<T> add_output(offset count, const std::vector<T>& after, offset first = 0) {
    return add(role::out, static_cast<std::size_t>(count), {}, after, static_cast<std::size_t>(first));
  }

  /// The call is to write `after` into an output, from element `first` on: what add_output() was told, or said again.
  template <class T>
  void expect(const array<T>& x, const std::vector<T>& after, offset first) {
    const auto begin = static_cast<offset>(x.place), end = begin + x.count * offset{sizeof(T)};
    std::copy(before_.begin() + begin, before_.begin() + end, after_.begin() + begin);
    place_bytes(after_, x.place + static_cast<std::size_t>(first) * sizeof(T), after.data(), after.size() * sizeof(T));
  }

  const std::vector<char>& before() const { return before_; }
  bool has_layout_of(const arena& x) const { return x.before_.size() == before_.size() && x.ranges_ == ranges_; }

  /// What is wrong with the bytes that a call has left; nothing if nothing.
  std::string check_result(const std::vector<char>& found) const {
    return first_difference(found, after_, [](role) { return true; });
  }
  /// The same for a call that does what it likes with its outputs: nothing else may have changed.
  std::string check_outside_of_outputs(const std::vector<char>& found) const {
    return first_difference(found, before_, [](role r) { return r == role::in; });
  }
  /// The same for a call that is to have written nothing.
  std::string check_untouched(const std::vector<char>& found) const {
    return first_difference(found, before_, [](role) { return true; });
  }
  /// The same for a call that has failed before it did anything that matters: all that it reads is as it was.
  std::string check_inputs(const std::vector<char>& found) const {
    return first_difference(found, before_, [](role r) { return r != role::out; });
  }

 private:
  struct range {
    role use;
    std::size_t begin, end;  // in bytes
    friend bool operator==(const range& x, const range& y) {
      return x.use == y.use && x.begin == y.begin && x.end == y.end;
    }
  };
  static constexpr std::size_t guard_bytes = 64, alignment = 256;

  template <class T>
  array<T> add(role use, std::size_t count, const std::vector<T>& before, const std::vector<T>& after,
               std::size_t first = 0) {
    const std::size_t skipped = layout_() % 3 == 0 ? 0 : layout_() % 17;
    const std::size_t aligned = (before_.size() + guard_bytes + alignment - 1) / alignment * alignment;
    const std::size_t begin = aligned + skipped * sizeof(T), end = begin + count * sizeof(T);
    extend(end + guard_bytes);
    place_bytes(before_, begin, before.data(), before.size() * sizeof(T));
    place_bytes(after_, begin + first * sizeof(T), after.data(), after.size() * sizeof(T));
    ranges_.push_back({use, begin, end});
    return {begin, static_cast<offset>(count)};
  }
  void extend(std::size_t size) {
    std::size_t i = before_.size();
    before_.resize(size);
    for (; i < size; ++i) before_[i] = static_cast<char>(0x91 + 37 * i);
    after_.insert(after_.end(), before_.begin() + static_cast<offset>(after_.size()), before_.end());
  }
  template <class IsLookedAt>
  std::string first_difference(const std::vector<char>& found, const std::vector<char>& wanted,
                               const IsLookedAt& is_looked_at) const {
    std::size_t at = 0;
    const auto differs = [&](std::size_t end) {
      const bool is_equal = std::memcmp(&found[at], &wanted[at], end - at) == 0;
      while (!is_equal && found[at] == wanted[at]) ++at;
      return !is_equal;
    };
    for (std::size_t i = 0; i <= ranges_.size(); ++i) {
      const bool is_last = i == ranges_.size();
      if (differs(is_last ? found.size() : ranges_[i].begin)) {
        return "byte " + std::to_string(at) + " between arrays, before array " + std::to_string(i);
      }
      if (is_last) break;
      at = ranges_[i].begin;
      if (is_looked_at(ranges_[i].use) && differs(ranges_[i].end)) {
        return "byte " + std::to_string(at - ranges_[i].begin) + " of the " +
               std::to_string(ranges_[i].end - ranges_[i].begin) + " bytes of array " + std::to_string(i);
      }
      at = ranges_[i].end;
    }
    return {};
  }

  std::mt19937 layout_;
  std::vector<char> before_, after_;
  std::vector<range> ranges_;
};

}  // namespace test::harness
