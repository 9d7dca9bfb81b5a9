// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/address.h>
#include <mgpu/base/iterator.h>
#include <mgpu/base/slot.h>
#include <mgpu/base/tile_shape.h>
#include <mgpu/tile/range.h>
#include <mgpu/tile/shared_layout.h>
#include <mgpu/block/stage/bulk_copy.cuh>
#include <mgpu/block/stage/bulk_span.cuh>
#include <mgpu/block/team.cuh>
#include <mgpu/block/tile_part.cuh>

MGPU_NAMESPACE_BEGIN
namespace detail::block {

/// A tile's part of two inputs, in shared memory.
template <class A, class B>
struct staged_pair {
  const A* a;  // [a_count]
  const B* b;  // [b_count]
  char* room;  // the shared memory of both
};

/// One thread block that runs one tile. It has threads and shared memory, and moves elements into that memory and out
/// of it.
template <class Core>
class staging_block : public team<Core::shape(MGPU_DEVICE_CC).threads> {
 public:
  static constexpr base::tile_shape shape = Core::shape(MGPU_DEVICE_CC);
  static constexpr bool has_bulk_copy = MGPU_DEVICE_CC >= 90;

  /// `own`: the bytes at the beginning of shared memory that the block keeps for itself.
  MGPU_DEVICE explicit staging_block(char* shared, int own = own_bytes)
      : arrival_(reinterpret_cast<arrival*>(shared)), room_(shared + own) {
    if constexpr (has_bulk_copy) {
      if (thread() == 0) open_arrival(arrival_);
    }
  }

  static constexpr int shared_bytes(const base::tile_shape& s) { return own_bytes + Core::shared_bytes(s); }

  /// The shared memory that the block takes beside Core::shared_bytes, for the counter of bulk copies. As much as a
  /// path_block with small splits takes.
  static constexpr int own_bytes = 32;

  MGPU_DEVICE int thread() const { return static_cast<int>(threadIdx.x); }
  MGPU_DEVICE void sync() { __syncthreads(); }

  /// From now on take() takes memory from `room`.
  MGPU_DEVICE void take_from(char* room) { room_ = room; }

  /// A part of shared memory, aligned to 16 bytes.
  MGPU_DEVICE char* take(int bytes) {
    char* const begin = room_;
    room_ += bytes;
    return begin;
  }

  /// Starts to copy the tile's part of two inputs into shared memory. Call wait() before they are used.
  template <class A, class B>
  MGPU_DEVICE auto stage(A a, offset a_count, B b, offset b_count, const tile::range& t) {
    using value_a = base::value_type<A>;
    using value_b = base::value_type<B>;
    char* const room = take(tile::staged_pair_bytes<value_a, value_b>(shape));
    const auto part_a = part(a, a_count, t.a_begin, t.a_count(), room);
    const auto part_b = part(b, b_count, t.b_begin, t.b_count(), part_a.after);
    start(part_a);  // both bulk copies start before the threads copy elements
    start(part_b);
    if constexpr (!goes_by_bulk<A> && cuda::std::is_same_v<A, B> && tile_part<A>::is_one_array) {
      copy_both(part_a, part_b);
    } else {
      copy(part_a);
      copy(part_b);
    }
    return staged_pair<value_a, value_b>{reinterpret_cast<const value_a*>(part_a.to),
                                         reinterpret_cast<const value_b*>(part_b.to), room};
  }

  /// Starts to copy elements [first, first + count) of an array into shared memory. They then begin at the same byte of
  /// a 16-byte word as `out`.
  /// Requires: if `a` is a raw pointer, its elements begin at the same byte of a 16-byte word as `out`.
  template <class A, class T>
  MGPU_DEVICE T* stage_one(A a, offset a_count, offset first, int count, char* room, T* out) {
    auto one = part(a, a_count, first, count, room);
    if constexpr (!goes_by_bulk<A>) one.to = reinterpret_cast<char*>(place(one.to, out));
    start(one);
    copy(one);
    return reinterpret_cast<T*>(one.to);
  }

  /// Waits until everything that was staged has arrived.
  MGPU_DEVICE void wait() {
    if constexpr (has_bulk_copy) {
      if (thread() == 0) expect_bytes(arrival_, expected_bytes_);
      expected_bytes_ = 0;
      sync();
      wait_for_bytes(arrival_, phase_++);
    } else {
      sync();
    }
  }

  /// The counter of the block's bulk loads.
  MGPU_DEVICE arrival* bulk_counter() const { return arrival_; }
  /// Tells that bulk loads which others have started bring so many bytes. Called by the first thread before wait().
  MGPU_DEVICE void expect(int bytes) { expected_bytes_ += bytes; }

  /// The place in the shared memory at `room` from which a bulk store can take elements to `out`.
  template <class T>
  MGPU_DEVICE T* place(char* room, T* out) const {
    return reinterpret_cast<T*>(room + (has_bulk_copy ? reinterpret_cast<std::uintptr_t>(out) & 15 : 0));
  }

  template <class T>
  MGPU_DEVICE T* place(char* room, const base::spliced<T>& out) const {
    return place(room, out.before);
  }

  /// Puts this thread's part of the tile's output at `placed`.
  template <class T, int Items>
  MGPU_DEVICE void put(const base::slot<T> (&x)[Items], T* placed, int count) const {
    T* const mine = placed + thread() * Items;
    const int mine_count = count - thread() * Items;
    if (mine_count >= Items) {
      MGPU_UNROLL
      for (int i = 0; i < Items; ++i) base::construct(mine + i, x[i].value);
    } else {
      MGPU_UNROLL
      for (int i = 0; i < Items; ++i) {
        if (i < mine_count) base::construct(mine + i, x[i].value);
      }
    }
  }

  /// Call it between the block's stores to shared memory and bulk copies from or to the same place.
  MGPU_DEVICE void publish() {
    if constexpr (has_bulk_copy) publish_to_bulk_store();
    sync();
  }

  /// Writes `count` placed elements to out.
  template <class T>
  MGPU_DEVICE void store_placed(const T* placed, T* out, int count) {
    if constexpr (has_bulk_copy) {
      const auto span = bulk_span::writable(out, count);
      const char* const from = reinterpret_cast<const char*>(placed);
      char* const to = reinterpret_cast<char*>(out);
      if (thread() == 0 && span.bulk_bytes > 0)
        bulk_store(to + span.bulk_begin, from + span.bulk_begin, span.bulk_bytes);
      block::copy_ends<T>(to, from, span, thread());
    } else {
      for (int i = thread(); i < count; i += shape.threads) out[i] = placed[i];
    }
  }

  template <class T>
  MGPU_DEVICE void store_placed(const T* placed, const base::spliced<T>& out, int count) {
    const int before = static_cast<int>(base::clamp<offset>(out.border, 0, count));
    store_placed(placed, out.before, before);
    if (before < count) store_placed(placed + before, out.after + before, count - before);
  }

  /// Call it before the block ends: bulk stores may still read its shared memory.
  MGPU_DEVICE void finish() {
    if constexpr (has_bulk_copy) {
      if (thread() == 0) finish_bulk_stores();
    }
  }

  /// Writes out[i] = the element that sources[i] names, for i in [0, count).
  template <class A, class B, class Out>
  MGPU_DEVICE void store_gathered(const tile::source* sources, int a_count, int count, A a, B b, const Out& out) {
    using value = base::value_type<A>;
    if constexpr (base::is_byte_range<A> && base::is_byte_range<B> && base::is_byte_range<Out> &&
                  base::is_bytewise_output<A, B, Out> && sizeof(value) > 16) {
      store_gathered_words<value>(sources, a_count, count, a, b, out);
    } else if constexpr (cuda::std::is_same_v<value, base::value_type<B>>) {
      constexpr int batch = base::clamp(64 / int{sizeof(value)}, 1, shape.items_per_thread);
      in_batches<value, batch>(
          count,
          [&](int i, base::slot<value>& x) {
            const int s = sources[i];
            x.put(element(a, b, a_count, s));
          },
          [&](int i, const base::slot<value>& x) { out[i] = x.value; });
    } else {
      for (int i = thread(); i < count; i += shape.threads) {
        const int s = sources[i];
        if (s < a_count) out[i] = a[s];
        else out[i] = b[s - a_count];
      }
    }
  }

 private:
  /// Element i of a[0, a_count) followed by b. Of two iterators of one type, one is chosen before the element is read.
  /// With a branch around each read, only one read would be under way at a time.
  template <class A, class B>
  static MGPU_DEVICE base::value_type<A> element(const A& a, const B& b, int a_count, int i) {
    if constexpr (cuda::std::is_same_v<A, B>) {
      const bool from_a = i < a_count;
      const A from = from_a ? a : b;
      return from[from_a ? i : i - a_count];
    } else {
      if (i < a_count) return a[i];
      return b[i - a_count];
    }
  }

  /// Calls load(i, x), then store(i, x), for every i in [0, count). `batch` loads of a thread are under way at once.
  template <class T, int batch, class Index, class Load, class Store>
  MGPU_DEVICE void in_batches(Index count, const Load& load, const Store& store) {
    for (Index first = thread(); first < count; first += batch * shape.threads) {
      base::slot<T> x[batch];
      MGPU_UNROLL
      for (int k = 0; k < batch; ++k) {
        if (first + k * shape.threads < count) load(first + k * shape.threads, x[k]);
      }
      MGPU_UNROLL
      for (int k = 0; k < batch; ++k) {
        if (first + k * shape.threads < count) store(first + k * shape.threads, x[k]);
      }
    }
  }

  /// store_gathered of wide elements. Neighbouring threads move neighbouring words.
  template <class T>
  MGPU_DEVICE void store_gathered_words(const tile::source* sources, int a_count, int count, const T* a, const T* b,
                                        T* out) {
    constexpr int word_bytes = base::min<int>(alignof(T), 16);
    constexpr int words = sizeof(T) / word_bytes;
    struct alignas(word_bytes) word {
      char bytes[word_bytes];
    };
    // An int counts the words of a tile unless elements have hundreds of kilobytes.
    using index = cuda::std::conditional_t<(words < (1 << 30) / shape.items_per_tile()), int, offset>;
    in_batches<word, 4>(
        static_cast<index>(count) * words,
        [&](index i, base::slot<word>& x) {
          const int s = sources[i / words];
          const T* const from = s < a_count ? a + s : b + (s - a_count);
          x.value = reinterpret_cast<const word*>(from)[i % words];
        },
        [&](index i, const base::slot<word>& x) { reinterpret_cast<word*>(out)[i] = x.value; });
  }

  template <class A>
  static constexpr bool goes_by_bulk = has_bulk_copy && (base::is_byte_range<A>);

  template <class T>
  MGPU_DEVICE tile_part<base::spliced_later<T>> part(const base::spliced_later<T>& a, offset a_count, offset first,
                                                     int count, char* room) {
    return {part(a.array(), a_count, first, count, room), a, first};
  }
  template <class A>
  MGPU_DEVICE tile_part<A> part(A a, offset a_count, offset first, int count, char* room) {
    using value = base::value_type<A>;
    if constexpr (alignof(value) > 16) room = reinterpret_cast<char*>(base::aligned<value>(room));
    if constexpr (goes_by_bulk<A>) {
      const auto span = bulk_span::readable(a, a_count, first, count);
      return {a + first, count, room + span.misalignment, room + base::align_up(span.misalignment + span.bytes, 16),
              span};
    } else {
      return {a + first, count, room, room + base::align_up(count * int{sizeof(value)}, 16), {}};
    }
  }

  template <class A>
  MGPU_DEVICE void start(const tile_part<A>& p) {
    if constexpr (goes_by_bulk<A>) {
      if (thread() == 0 && p.span.bulk_bytes > 0) {
        bulk_load(p.to + p.span.bulk_begin, reinterpret_cast<const char*>(p.from) + p.span.bulk_begin,
                  p.span.bulk_bytes, arrival_);
        expected_bytes_ += p.span.bulk_bytes;
      }
    }
  }

  template <class A>
  MGPU_DEVICE void copy(const tile_part<A>& p) {
    using value = base::value_type<A>;
    if constexpr (goes_by_bulk<A>) {
      block::copy_ends<value>(p.to, reinterpret_cast<const char*>(p.from), p.span, thread());
    } else {
      in_batches<value, base::clamp(64 / int{sizeof(value)}, 1, 8)>(
          p.count, [&](int i, base::slot<value>& x) { x.put(p.from[i]); },
          [&](int i, const base::slot<value>& x) { base::construct(reinterpret_cast<value*>(p.to) + i, x.value); });
    }
  }

  template <class T>
  MGPU_DEVICE void start(const tile_part<base::spliced_later<T>>& p) {
    const tile_part<T*>& whole = p;
    if (p.array.is_one_array()) start(whole);
  }
  template <class T>
  MGPU_DEVICE void copy(const tile_part<base::spliced_later<T>>& p) {
    const tile_part<T*>& whole = p;
    if (p.array.is_one_array()) return copy(whole);
    const base::spliced<T> elements = p.array + p.first;
    for (int i = thread(); i < p.count; i += shape.threads)
      base::construct(reinterpret_cast<T*>(p.to) + i, elements[i]);
  }

  /// copy of two parts of one type. All loads of a thread are under way at once.
  template <class A>
  MGPU_DEVICE void copy_both(const tile_part<A>& a, const tile_part<A>& b) {
    using value = base::value_type<A>;
    in_batches<value, base::clamp(64 / int{sizeof(value)}, 1, shape.items_per_thread)>(
        a.count + b.count, [&](int i, base::slot<value>& x) { x.put(element(a.from, b.from, a.count, i)); },
        [&](int i, const base::slot<value>& x) {
          value* const to =
              i < a.count ? reinterpret_cast<value*>(a.to) + i : reinterpret_cast<value*>(b.to) + (i - a.count);
          base::construct(to, x.value);
        });
  }

  arrival* arrival_;
  char* room_;
  int expected_bytes_ = 0;
  int phase_ = 0;  // how often the block has waited
};

}  // namespace detail::block
MGPU_NAMESPACE_END
