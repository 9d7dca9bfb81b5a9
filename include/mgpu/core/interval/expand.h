// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/address.h>
#include <mgpu/base/iterator.h>
#include <mgpu/base/slot.h>
#include <mgpu/core/interval/sink.h>
#include <mgpu/tile/host/copy.h>

#include <cuda/std/type_traits>

#include <cstring>

MGPU_NAMESPACE_BEGIN
namespace detail::core {

/// The sink of expand to an array of elements that may be written as bytes: out[item] = values[interval].
template <class Values, class T>
struct fill_array : cut_into_units<T> {
  Values values;  // [interval_count]
  T* out;         // [item_count]

  MGPU_HOST_DEVICE fill_array(Values of_intervals, T* to) : values(of_intervals), out(to) {}

  using cut = cut_into_units<T>;
  using unit = typename cut::unit;
  static constexpr bool gathers = false, scatters = false, moves_words = false;
  static constexpr bool fills = cut::units_per_item == 1;
  using fetched = base::slot<T>;
  struct staged {
    unit units[cut::units_per_item];
  };
  using loaded = unit;

  struct in_tile {
    Values values;
    unit* out;  // position 0
    int pad;

    MGPU_EXEC_CHECK_DISABLE
    MGPU_DEVICE void fetch(offset interval, fetched& value) const { value.put(static_cast<T>(values[interval])); }
    MGPU_DEVICE void stage(const fetched& value, offset, offset, staged& to) const {
      std::memcpy(&to, base::address(value.value), sizeof(T));
    }
    MGPU_DEVICE void load(const staged& s, int position, int step, loaded& x) const {
      x = s.units[static_cast<unsigned>(position + step - pad) % cut::units_per_item];
    }
    MGPU_DEVICE void store(const staged&, int position, int step, const loaded& x) const { (out + position)[step] = x; }
  };
  MGPU_DEVICE in_tile at(offset item_begin) const {
    const int pad = cut::line_pad(out + item_begin);
    return {values, reinterpret_cast<unit*>(out + item_begin) - pad, pad};
  }

  void visit(offset interval, offset, offset first, offset last, offset tile_end) const {
    tile::host_fill(out + first, last - first, tile_end - first, static_cast<T>(values[interval]));
  }
};

/// Wider values are not staged. They are read once per item.
inline constexpr int most_staged_bytes = 64;
template <class Out>
inline constexpr bool fills_array = false;
template <class T>
inline constexpr bool fills_array<T*> = base::is_byte_range<T*> && sizeof(T) <= most_staged_bytes;

/// The sink of expand to any iterator.
template <class Values, class Out>
struct expand : whole_elements<int{sizeof(base::value_type<Values>)}> {
  Values values;  // [interval_count]
  Out out;        // [item_count]

  MGPU_HOST_DEVICE expand(Values of_intervals, Out to) : values(of_intervals), out(to) {}

  using value = base::value_type<Values>;
  static constexpr bool gathers = false, scatters = false;
  static constexpr bool stages_values = cuda::std::is_trivially_copyable_v<value> && sizeof(value) <= most_staged_bytes;
  struct nothing {};
  using fetched = cuda::std::conditional_t<stages_values, base::slot<value>, nothing>;
  using staged = cuda::std::conditional_t<stages_values, base::slot<value>, offset>;
  using loaded = nothing;

  struct in_tile {
    Values values;
    Out out;
    offset item_begin;
    static constexpr int pad = 0;

    MGPU_EXEC_CHECK_DISABLE
    MGPU_DEVICE void fetch(offset interval, fetched& f) const {
      if constexpr (stages_values) f.put(static_cast<value>(values[interval]));
    }
    MGPU_DEVICE void stage(const fetched& f, offset interval, offset, staged& to) const {
      if constexpr (stages_values) to.put(f.value);
      else to = interval;
    }
    MGPU_DEVICE void load(const staged&, int, int, loaded&) const {}
    MGPU_EXEC_CHECK_DISABLE
    MGPU_DEVICE void store(const staged& s, int position, int step, const loaded&) const {
      if constexpr (stages_values) out[item_begin + position + step] = s.value;
      else out[item_begin + position + step] = values[s];
    }
  };
  MGPU_DEVICE in_tile at(offset item_begin) const { return {values, out, item_begin}; }

  void visit(offset interval, offset, offset first, offset last, offset) const {
    const auto x = static_cast<written>(values[interval]);
    for (offset item = first; item < last; ++item) out[item] = x;
  }

 private:
  /// Numbers are converted to those of the output, as an assignment would do it with a warning.
  using element = base::value_type<Out>;
  using written = cuda::std::conditional_t<cuda::std::is_arithmetic_v<value> && cuda::std::is_arithmetic_v<element>,
                                           element, value>;
};

/// The sink that calls f(item, interval, rank).
template <class Function>
struct call : whole_elements<4, 1> {
  Function f;

  MGPU_HOST_DEVICE explicit call(Function function) : f(function) {}

  static constexpr bool gathers = false, scatters = false;
  struct nothing {};
  using fetched = nothing;
  struct staged {
    offset interval, begin;
  };
  using loaded = nothing;

  struct in_tile {
    const Function& f;
    offset item_begin;
    static constexpr int pad = 0;

    MGPU_DEVICE void fetch(offset, fetched&) const {}
    MGPU_DEVICE void stage(const fetched&, offset interval, offset begin, staged& to) const { to = {interval, begin}; }
    MGPU_DEVICE void load(const staged&, int, int, loaded&) const {}
    MGPU_DEVICE void store(const staged& s, int position, int step, const loaded&) const {
      const offset item = item_begin + position + step;
      f(item, s.interval, item - s.begin);
    }
  };
  MGPU_DEVICE in_tile at(offset item_begin) const { return {f, item_begin}; }

  void visit(offset interval, offset begin, offset first, offset last, offset) const {
    for (offset item = first; item < last; ++item) f(item, interval, item - begin);
  }
};

}  // namespace detail::core
MGPU_NAMESPACE_END
