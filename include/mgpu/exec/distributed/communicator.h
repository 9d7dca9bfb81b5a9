// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What ranks talk through: a communicator. mgpu::in_process_group and mgpu::nccl_communicator come with the library;
// one of a caller's own (MPI, UCX) is a class with these members. It is copied with the policy, so it is a handle.
//
//   int rank() const;   the number of this rank, in [0, size())
//   int size() const;   how many ranks there are
//   void all_gather(const void* from, void* to, mgpu::offset bytes, Stream stream) const;
//       `from` is `bytes` bytes in memory of the host, on every rank as many. They arrive at to + r * bytes, where r is
//       the rank they come from; those of this rank, too. When the call returns, `to` is complete.
//   void exchange(const mgpu::outgoing* sends, mgpu::offset send_count, const mgpu::incoming* receives,
//                 mgpu::offset receive_count, Stream stream) const;
//       Sends and receives messages of any number of bytes, in memory that the policy's executor works on. The k-th
//       message from rank q to rank r is the k-th receive from q that r lists; both sides list as many bytes. No
//       message is empty, and none goes from a rank to itself. Work of the stream before the call comes before the
//       sends, work after it comes after the receives and may overwrite what was sent. The stream may be another one
//       than the policy's; no two exchanges overlap in time.
//   void fetch(void* to, const void* from, mgpu::offset bytes, Stream stream) const;   may be missing
//       Copies bytes to memory of the host, after the work of the stream, and waits; with 0 bytes it only waits. Throws
//       if messages in the stream never come. Without it the executor copies and waits.
//   bool is_usable() const;   may be missing
//       Whether calls still work, as far as this rank knows. It sends nothing and does not wait. Once false it stays
//       false, and all_gather throws at once: what it throws is what calls over these ranks throw then. Whatever it
//       says, a policy is of no more use when a member has thrown.
//   void leave() const;       may be missing
//       This rank cannot go on with a call, and makes no more. Throws nothing. The others do not know it, and may wait
//       for this rank: their calls are to throw.
//   bool can_copy(const mgpu::outgoing* sends, mgpu::offset send_count, Stream stream) const;   may be missing
//       Whether copy() can send these messages, and others that lie in the same allocations. All ranks ask together,
//       each for messages of its own, if it has any; all get the same answer.
//   void copy(const mgpu::outgoing* sends, ...) const;        may be missing, if can_copy is
//       exchange() that leaves the GPU's multiprocessors to other work. All ranks call it together.
//   void begin_gather(const void* from, mgpu::offset bytes) const;   may be missing
//   void end_gather(void* to, mgpu::offset bytes) const;             may be missing, if begin_gather is
//       all_gather of at most 64 bytes in two parts. `from` is read at once. No other call comes between them.
//
// Stream is cudaStream_t where the policy is CUDA's, mgpu::no_stream where it is the CPU's. Every rank makes the same
// calls in the same order. A call that fails throws. If it does so on some ranks only, the others must not wait for
// ever: that is the communicator's task.

#include <mgpu/base/math.h>
#include <mgpu/exec/no_stream.h>

#include <cuda/std/type_traits>

#include <utility>

MGPU_NAMESPACE_BEGIN

/// A message that this rank sends.
struct outgoing {
  int to;            // the rank that receives it
  const void* data;  // [bytes]
  offset bytes;      // more than 0
};

/// A message that this rank receives.
struct incoming {
  int from;      // the rank that sends it
  void* data;    // [bytes]
  offset bytes;  // as many as the sender lists
};

namespace detail::exec {
namespace communicator_member {

template <class C>
using rank = decltype(int{std::declval<const C&>().rank()});
template <class C>
using size = decltype(int{std::declval<const C&>().size()});
template <class C, class Stream>
using all_gather = decltype(std::declval<const C&>().all_gather(
    static_cast<const void*>(nullptr), static_cast<void*>(nullptr), offset{}, std::declval<const Stream&>()));
template <class C, class Stream>
using exchange = decltype(std::declval<const C&>().exchange(static_cast<const outgoing*>(nullptr), offset{},
                                                            static_cast<const incoming*>(nullptr), offset{},
                                                            std::declval<const Stream&>()));

template <class C, class Stream>
using fetch = decltype(std::declval<const C&>().fetch(static_cast<void*>(nullptr), static_cast<const void*>(nullptr),
                                                      offset{}, std::declval<const Stream&>()));

template <class C>
using begin_gather = decltype(std::declval<const C&>().begin_gather(static_cast<const void*>(nullptr), offset{}));
template <class C>
using is_usable = decltype(bool{std::declval<const C&>().is_usable()});
template <class C>
using leave = decltype(std::declval<const C&>().leave());
template <class C, class Stream>
using copy = decltype(bool{
    std::declval<const C&>().can_copy(static_cast<const outgoing*>(nullptr), offset{}, std::declval<const Stream&>())});

template <template <class...> class Member, class Void, class... Arguments>
inline constexpr bool exists_for = false;
template <template <class...> class Member, class... Arguments>
inline constexpr bool exists_for<Member, cuda::std::void_t<Member<Arguments...>>, Arguments...> = true;
template <template <class...> class Member, class... Arguments>
inline constexpr bool exists = exists_for<Member, void, Arguments...>;

}  // namespace communicator_member

/// What mgpu::distributed requires of a communicator, for policies whose work goes into a Stream.
template <class C, class Stream>
struct communicator_on {
  static constexpr bool has_ranks = communicator_member::exists<communicator_member::rank, C> &&
                                    communicator_member::exists<communicator_member::size, C>;
  static constexpr bool gathers = communicator_member::exists<communicator_member::all_gather, C, Stream>;
  static constexpr bool exchanges = communicator_member::exists<communicator_member::exchange, C, Stream>;
  static constexpr bool value = has_ranks && gathers && exchanges;
  static_assert(has_ranks, "a communicator knows its place: int rank() const and int size() const");
  static_assert(
      !has_ranks || gathers,
      "a communicator has all_gather(from, to, bytes, stream) const, for the policy's stream: cudaStream_t on "
      "CUDA, mgpu::no_stream on the CPU");
  static_assert(
      !has_ranks || !gathers || exchanges,
      "a communicator has exchange(sends, send_count, receives, receive_count, stream) const, for the policy's "
      "stream: cudaStream_t on CUDA, mgpu::no_stream on the CPU");
};

}  // namespace detail::exec
MGPU_NAMESPACE_END
