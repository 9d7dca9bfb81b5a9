// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>

#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::block {

/// True for keys that tell how far they are from each other.
template <class Key>
inline constexpr bool has_distances = cuda::std::is_arithmetic_v<Key> && !cuda::std::is_same_v<Key, bool>;

/// How many elements of a run there are to a difference of 1 between keys. Of keys that are no numbers nobody knows.
template <class Key, bool = has_distances<Key>>
struct way_density {
  template <class Keys, class Index>
  MGPU_DEVICE way_density(const Keys&, Index) {}
  MGPU_DEVICE void measure() {}

  /// Narrows [low, high), which has the bound of x among the keys. The guess is in the window. Whatever keys and
  /// comparator are, the bound stays in the window.
  template <class Index, class Keys, class X, class Predicate>
  MGPU_DEVICE void narrow(Index& low, Index& high, Index guess, Index margin, const Keys& keys, const X&,
                          const Predicate& precedes) const {
    narrow_around(low, high, guess, margin, keys, precedes);
  }

 protected:
  /// Narrows a window that is wide to the neighbourhood of the guess, if the bound is there.
  template <class Index, class Keys, class Predicate>
  static MGPU_DEVICE void narrow_around(Index& low, Index& high, Index guess, Index margin, const Keys& keys,
                                        const Predicate& precedes) {
    if (high - low <= 2 * margin + 2) return;
    const Index left = base::max(guess - margin, low), right = base::min(guess + margin, high - 1);
    const bool past_left = precedes(keys[offset{left}]), past_right = precedes(keys[offset{right}]);
    if (!past_left) {
      high = left;
    } else if (past_right) {
      low = right + 1;
    } else {
      low = left + 1;
      high = right;
    }
  }
};
template <class Key>
class way_density<Key, true> : way_density<Key, false> {
 public:
  /// Reads the ends of the first `count` keys. measure() is for when they have come.
  template <class Keys, class Index>
  MGPU_DEVICE way_density(const Keys& keys, Index count) : way_density<Key, false>(keys, count) {
    if (count <= 1) return;
    count_ = static_cast<float>(count);
    first_ = keys[offset{0}];
    last_ = keys[offset{count} - 1];
  }
  /// The mean of these keys.
  MGPU_DEVICE void measure() {
    if (count_ > 0) density_ = count_ / distance(first_, last_);
  }
  MGPU_DEVICE float to_one() const { return density_; }

  /// How many elements lie between two keys, probably.
  MGPU_DEVICE float between(const Key& x, const Key& y) const { return distance(x, y) * density_; }

  /// Each probe is as far from the last one as the difference of keys tells, at most `margin`.
  template <class Index, class Keys, class Predicate>
  MGPU_DEVICE void narrow(Index& low, Index& high, Index guess, Index margin, const Keys& keys, const Key& x,
                          const Predicate& precedes) const {
    for (int probe = 0; probe < 3 && high - low > 16; ++probe) {
      const Index at = base::clamp(guess, low, high - 1);
      const Key y = keys[offset{at}];
      // The second probe is where x is expected, the others are a little behind, to bound it on the other side.
      float elements = between(x, y);
      if (probe > 0) elements += 2.0f * sqrtf(elements) + 1.0f;
      const Index step = static_cast<Index>(fminf(elements, static_cast<float>(margin)));
      if (precedes(y)) {
        low = at + 1;
        guess = low + step;
      } else {
        high = at;
        guess = high - 1 - step;
      }
    }
    if (low < high) this->narrow_around(low, high, base::clamp(guess, low, high - 1), margin, keys, precedes);
  }

  /// The difference of x and y, negative if x is the smaller one.
  static MGPU_DEVICE float difference(const Key& x, const Key& y) { return x < y ? -distance(x, y) : distance(x, y); }
  /// x and a difference.
  static MGPU_DEVICE Key moved(const Key& x, float by) {
    if constexpr (cuda::std::is_floating_point_v<Key>) {
      return x + static_cast<Key>(by);
    } else {
      using bits = cuda::std::make_unsigned_t<Key>;
      const bits from = static_cast<bits>(x), size = static_cast<bits>(fabsf(by));
      return static_cast<Key>(static_cast<bits>(by < 0 ? from - size : from + size));
    }
  }

 private:
  static MGPU_DEVICE float distance(const Key& x, const Key& y) {
    if constexpr (cuda::std::is_floating_point_v<Key>) {
      return fabsf(static_cast<float>(x - y));
    } else {
      using bits = cuda::std::make_unsigned_t<Key>;
      const bits larger = static_cast<bits>(base::max(x, y)), smaller = static_cast<bits>(base::min(x, y));
      return static_cast<float>(static_cast<bits>(larger - smaller));
    }
  }

  Key first_{}, last_{};
  float count_ = 0, density_ = 0;
};

}  // namespace detail::block
MGPU_NAMESPACE_END
