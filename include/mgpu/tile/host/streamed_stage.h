// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/tile/host/copy_range.h>
#include <mgpu/tile/host/prefetch.h>
#include <mgpu/tile/host/step_history.h>

#include <cuda/std/type_traits>

#include <cstddef>
#include <cstdint>
#include <cstring>

MGPU_NAMESPACE_BEGIN
namespace detail::tile {

/// From this size on merged 16-byte keys may wait in stages: what branches emit in small pieces then goes past the
/// caches, too. 8-byte keys gain nothing: merge u64, a b a b ..., one thread / two, 5.7 ms to 6.1 / 3.5 to 3.4; in an
/// output of 32 MiB, 1,000 : 1, 2.3 to 2.8 / 1.3 to 1.7.
inline constexpr offset staged_output_bytes = offset{48} << 20;
template <class Keys>
inline constexpr bool is_staged_key = sizeof(base::value_type<Keys>) >= 16;

/// True if the next elements of one input fill a stretch. Then they are copied, and not through a stage.
///   2 x 2^22 keys of 16 bytes, EPYC 9004, ms, without stages / with them, one thread; two, least of two to seven:
///   merge a b a b ... 13.0 / 11.5; 8.9 / 6.3, blocks of 1,000 11.8 / 13.7; 8.3 / 7.7, 1,000 : 1 6.2 / 5.2; 3.6 / 3.1
///   (benchmarks/merge_host.cpp, 2026-11-26)
/// Set operations have no stages: set_union a b a b ... 12.6 / 12.2; 10.2 / 8.5, but blocks of 1,000 12.6 / 14.4; 8.8 /
/// 8.7, 1,000 : 1 5.6 / 6.7; 4.3 / 4.1 (benchmarks/set_operations_host.cpp, 2026-11-26)
template <class A, class B, class Compare>
bool begins_with_stretch(const A& a, offset a_left, const B& b, offset b_left, const Compare& compare) {
  constexpr offset a_items = copied_stretch_items<A>, b_items = copied_stretch_items<B>;
  return (a_left >= a_items && !compare(b[offset{0}], a[a_items - 1])) ||
         (b_left >= b_items && compare(b[b_items - 1], a[offset{0}]));
}

/// From this ratio of its inputs on, a merge of stretches goes through stages nevertheless (1,000 : 1 above).
inline constexpr offset staged_ratio = 16;

/// The steps that fill a stage: with two elements each, 4 KiB of keys. Keys of 16 bytes, a b a b ..., one thread, time
/// beside that without stages, 4 KiB / 8 KiB: merge 0.90 / 0.90 (as above)
template <class Keys>
inline constexpr offset steps_per_stage = 2048 / offset{sizeof(base::value_type<Keys>)};

/// The most elements that these steps emit, and a stretch after them.
template <class Keys>
inline constexpr offset stage_room = 2 * steps_per_stage<Keys> + copied_stretch_items<Keys> + 1;

/// True if elements of A and B go to Out as bytes, wherever in a line they lie. The element of an output may be void.
template <class A, class B, class Out, bool = base::is_byte_range<Out>>
inline constexpr bool is_byte_output = false;
template <class A, class B, class Out>
inline constexpr bool is_byte_output<A, B, Out, true> = base::is_bytewise_output<A, B, Out> &&
                                                        alignof(base::value_type<Out>) <= line_bytes;
template <class A, class B, class Out>
inline constexpr bool is_staged_output = MGPU_CAN_STREAM&& is_byte_output<A, B, Out>&& is_staged_key<A>;

/// Where elements wait in the nearest cache until they fill lines of the output. These then go past the caches.
template <class Out, offset room>
class streamed_stage {
  using element = base::value_type<Out>;
  static constexpr offset line = line_bytes;

 public:
  /// The elements go to `out` and behind it.
  explicit streamed_stage(Out out)
      : begin_(static_cast<offset>(reinterpret_cast<std::uintptr_t>(out) % line)),
        end_(begin_),
        out_(reinterpret_cast<char*>(out) - begin_) {}

  /// Where the next elements are to be put, at most `room` of them.
  Out next() { return reinterpret_cast<Out>(bytes_ + end_); }

  /// Says that `count` elements lie at next().
  void take(offset count) {
    end_ += count * offset{sizeof(element)};
    const offset whole = end_ / line * line;
    if (whole == 0) return;
    const offset first = begin_ > 0 ? line : 0;
    store(first);
    tile::stream_lines(bytes_ + first, whole - first, out_ + first);
    std::memcpy(bytes_, bytes_ + whole, line);
    out_ += whole;
    end_ -= whole;
    begin_ = 0;
  }

  /// Writes what fills no line.
  void end() {
    store(end_);
    MGPU_STREAM_END();
  }

 private:
  /// Writes the bytes before `end` through the caches.
  void store(offset end) {
    for (offset i = begin_; i < end; ++i) out_[i] = bytes_[i];
  }

  offset begin_, end_;  // of the bytes that wait
  char* out_;           // where bytes_ goes: a line of the output
  alignas(line) char bytes_[room * offset{sizeof(element)} + 2 * line];
};

/// Without values there is nothing to stage.
template <offset room>
class streamed_stage<base::no_values, room> {
 public:
  explicit streamed_stage(base::no_values) {}
  static base::no_values next() { return {}; }
  void take(offset) {}
  void end() {}
};

}  // namespace detail::tile
MGPU_NAMESPACE_END
