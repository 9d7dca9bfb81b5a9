// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Algorithms over several GPUs, or several machines. Each rank (a process, or a thread of the host) passes its own
// ranges; a sequence is the concatenation of the ranks' ranges, in the order of the ranks. The call is that of one
// rank, only the policy changes:
//
//   const auto everywhere = mgpu::distributed(mgpu::par.on(stream), communicator);
//   mgpu::stable_sort(everywhere, keys.begin(), keys.end());           // every rank keeps its count
//   auto end = mgpu::merge(everywhere, a, a_end, b, b_end, out);       // each gets as many elements as it gave
//   auto kept = mgpu::set_union(everywhere, a, a_end, b, b_end, out);  // this rank's part of the result
//   mgpu::rebalance(everywhere, out, kept, even.begin(), even.end());  // any distribution to any other
//
// A communicator is mgpu::nccl_communicator of <mgpu/nccl.h>, one of mgpu::in_process_group of <mgpu/in_process.h>, or
// a class of the caller's: exec/distributed/communicator.h says what it must have.
//
// Order: by key, then by rank, then by index, so everything is as stable as on one rank. The splits between ranks are
//   exact: no rank gets more than its share, however many keys are equal, and whatever ranks have nothing.
// Requires: all ranks make the same calls in the same order, with the same comparator, and all with CUDA's policies or
//   all with those of the CPU. a and b have one type of keys and one type of values. Keys and values are trivially
//   copyable: they are sent as bytes. Ranges of the ranks may be empty. An output overlaps no input. Random-access
//   iterators; what is no contiguous range is copied to scratch memory before it is sent. The policy's stream is not
//   captured. With one rank a call is that of the policy alone, and nothing here differs from it.
// Cost: beside the work of one rank some 3 to 10 rounds of small messages, of at most 11,000 keys between two ranks, on
//   GPUs 27,000. Their number grows with the logarithm of the number of all elements. The elements that belong to other
//   ranks are sent once. On GPUs a sort sends many elements in a stream of its own, while the policy's stream merges
//   those that have come. The host waits for the ranks several times during a call, whatever the policy is; par_nosync
//   spares the wait at the end.
// Memory: from the policy's allocator, in one piece; the functions say how much. Beside it for the splits some 32,768
//   keys, on up to 8 GPUs 131,072, for more than 256 ranks (128 for two inputs) 128 keys for each rank and input; and
//   some bytes for each key. A sort takes 8 bytes for each two ranks, there and on the host.
// Throws: every rank throws if one fails: that rank what it would throw alone (std::invalid_argument, std::bad_alloc,
//   mgpu::cuda_error, what compare throws), the others mgpu::rank_error. No rank hangs. If arguments are bad, memory is
//   lacking for what comes before the exchange, or the splits fail, nothing has been written. After that, the outputs
//   are unspecified (of a sort: the arrays). Memory that the last step takes, on elements that are where they belong,
//   may be lacking after the exchange: on the GPU some bytes for each tile of a merge or a set operation.
//   A rank that fails between the beginning and the end of the search for splits, by something else than what compare
//   throws, may have to leave the others, which count on what it finds: that is as after an error of the communicator.
//   std::invalid_argument on all ranks if the ranks make different calls, have keys or values of different sizes,
//   numbers of different kinds as keys, or some of them less or greater of numbers and others another comparator; and
//   if an input is not sorted, or compare is no strict weak ordering, so that the ranks find no split. Where they find
//   one all the same, the order of the result is unspecified. Nothing outside the ranges is accessed. Keys that are NaN
//   are such a case for less and greater: what sort.h says of NaNs does not hold over ranks. What the communicator
//   throws; its ranks are then of no more use.
// After a failure: everywhere.is_usable() says whether further calls work, as far as this rank knows. It sends nothing.
//   A failure that the ranks have agreed on leaves them as good as before. is_usable() is false for ever when the
//   communicator has thrown, or says that it is not usable, or when this rank has left the others. Then each call
//   throws at once: rank_error, or what the communicator throws. The other ranks of an in_process_group throw, too;
//   those of NCCL may wait until their owner calls ncclCommAbort. Make new communicators, and new policies.

#include <mgpu/base/iterator.h>
#include <mgpu/base/math.h>
#include <mgpu/exec/distributed/policy.h>
#include <mgpu/exec/requirements.h>
#include <mgpu/merge.h>
#include <mgpu/plan/distributed/call.h>
#include <mgpu/plan/distributed/merge.h>
#include <mgpu/plan/distributed/rebalance.h>
#include <mgpu/plan/distributed/set_operation.h>
#include <mgpu/plan/distributed/sort.h>
#include <mgpu/set_operations.h>
#include <mgpu/sort.h>

#include <cuda/std/functional>
#include <cuda/std/utility>

MGPU_NAMESPACE_BEGIN

/// A policy over the ranks of a communicator. Each rank makes one, with a policy for its own work. The policy and the
/// communicator are copied.
template <class Local, class Communicator>
detail::exec::distributed_policy<Local, Communicator> distributed(const Local& policy,
                                                                  const Communicator& communicator) {
  static_assert(detail::exec::meets<detail::exec::mgpu_policy<Local>,
                                    detail::exec::communicator_on<Communicator, detail::exec::stream_of<Local>>>);
  return {policy, communicator};
}

/// Sorts the pairs of keys and values of all ranks by `compare` on the keys. Every rank keeps its number of pairs.
/// Stable: pairs with equal keys stay in the order of the ranks, and of their positions there.
/// Memory: twice the size of the rank's arrays. Beside it, while the rank's part is sorted, at most what stable_sort
///   takes: on a GPU some percent of that for arrays of more than 2^22 numbers in natural order, with values of up to
///   32 bytes. Then, while as many runs as there are ranks are merged, what merge_runs takes.
/// Throws: as all calls over ranks. If memory is lacking for the merge at the end, the arrays are unspecified.
template <class Policy, class Communicator, class Keys, class Values, class Compare = cuda::std::less<>>
void stable_sort_by_key(const detail::exec::distributed_policy<Policy, Communicator>& p, Keys keys, Keys keys_end,
                        Values values, Compare compare = {}) {
  if constexpr (detail::exec::meets<
                    detail::exec::random_access_inputs<Keys, Values>, detail::exec::writable_ranges<Keys, Values>,
                    detail::exec::comparator_of_keys<Compare, Keys>, detail::exec::callable_comparator<Policy, Compare>,
                    detail::plan::sent_as_bytes<Keys, Values>>) {
    if (p.size() == 1) mgpu::stable_sort_by_key(p.local(), keys, keys_end, values, compare);
    else detail::plan::distributed_sort(p, detail::plan::sort_range{keys, keys_end, values}, compare);
  }
}

/// stable_sort_by_key without values.
template <class Policy, class Communicator, class Keys, class Compare = cuda::std::less<>>
void stable_sort(const detail::exec::distributed_policy<Policy, Communicator>& p, Keys first, Keys last,
                 Compare compare = {}) {
  mgpu::stable_sort_by_key(p, first, last, detail::base::no_values{}, compare);
}

/// Merges the sorted sequences a and b of all ranks. This rank gets its share: as many pairs of keys and values as it
/// gave, (a_end - a) + (b_end - b). Returns the ends of both outputs.
/// Stable: equal keys keep their order, those of a before those of b.
/// Memory: the size of the rank's share.
template <class Policy, class Communicator, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut,
          class ValuesOut, class Compare = cuda::std::less<>>
cuda::std::pair<KeysOut, ValuesOut> merge_by_key(const detail::exec::distributed_policy<Policy, Communicator>& p,
                                                 KeysA a, KeysA a_end, KeysB b, KeysB b_end, ValuesA a_values,
                                                 ValuesB b_values, KeysOut keys_out, ValuesOut values_out,
                                                 Compare compare = {}) {
  if constexpr (detail::exec::meets<
                    detail::exec::random_access_inputs<KeysA, KeysB, ValuesA, ValuesB>,
                    detail::exec::random_access_outputs<KeysOut, ValuesOut>,
                    detail::exec::writable_output<KeysOut, KeysA, KeysB>,
                    detail::exec::writable_output<ValuesOut, ValuesA, ValuesB>,
                    detail::exec::comparator_of<Compare, KeysB, KeysA>,
                    detail::exec::callable_comparator<Policy, Compare>, detail::plan::same_elements<KeysA, KeysB>,
                    detail::plan::same_elements<ValuesA, ValuesB>, detail::plan::sent_as_bytes<KeysA, ValuesA>>) {
    if (p.size() == 1)
      return mgpu::merge_by_key(p.local(), a, a_end, b, b_end, a_values, b_values, keys_out, values_out, compare);
    const auto inputs = [&] { return detail::plan::inputs_of_rank(a, a_end, b, b_end, a_values, b_values); };
    return detail::plan::distributed_merge(p, inputs, keys_out, values_out, compare);
  } else {
    return {keys_out, values_out};
  }
}

/// merge_by_key without values. Returns the end of out.
template <class Policy, class Communicator, class A, class B, class Out, class Compare = cuda::std::less<>>
Out merge(const detail::exec::distributed_policy<Policy, Communicator>& p, A a, A a_end, B b, B b_end, Out out,
          Compare compare = {}) {
  constexpr detail::base::no_values none;
  return mgpu::merge_by_key(p, a, a_end, b, b_end, none, none, out, none, compare).first;
}

/// Moves a sequence from one distribution over the ranks to another: the elements of the ranks' ranges [first, last),
/// in their order, fill the ranks' ranges [out, out_end). Their types may differ; elements are converted where they
/// arrive.
/// Memory: none where both ranges are contiguous and of one type; else a copy of what is not.
/// Throws: std::invalid_argument on every rank if the ranges have not as many elements in all as the outputs have room
///   for. Nothing has been written then.
template <class Policy, class Communicator, class In, class Out>
void rebalance(const detail::exec::distributed_policy<Policy, Communicator>& p, In first, In last, Out out,
               Out out_end) {
  if constexpr (detail::exec::meets<detail::exec::random_access_inputs<In>, detail::exec::random_access_outputs<Out>,
                                    detail::exec::writable_output<Out, In>, detail::plan::sent_as_bytes<In>>)
    detail::plan::rebalance(p, first, last, out, out_end);
}

// The set operations of set_operations.h. Pairs of equal elements are matched over all ranks. This rank's part of the
// result follows those of the ranks before it. It has room for (a_end - a) + (b_end - b) elements, and gets at most as
// many, whatever the operation is. The options are [compare][, mgpu::unique_keys]; the promise makes no call faster
// here. There are no _into forms. The _size forms return the size of the whole result, the same on every rank;
// inner_join_size of distributed_join.h returns the size of one rank's part.
// Memory: the size of the rank's share, and what the operation takes on one rank.

// --- set_union

/// Writes this rank's part of the union of a and b to out. Returns the end of that part.
template <class Policy, class Communicator, class A, class B, class Out, class... Options>
Out set_union(const detail::exec::distributed_policy<Policy, Communicator>& p, A a, A a_end, B b, B b_end, Out out,
              Options... options) {
  const detail::plan::set_inputs in{a, a_end, b, b_end, detail::plan::none, detail::plan::none};
  return detail::plan::set_operation_of_ranks<detail::tile::set_union>(
             p, in, detail::plan::set_outputs{out, detail::plan::none}, options...)
      .first;
}

/// set_union of keys with their values. Returns the ends of both outputs.
template <class Policy, class Communicator, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut,
          class ValuesOut, class... Options>
cuda::std::pair<KeysOut, ValuesOut> set_union_by_key(const detail::exec::distributed_policy<Policy, Communicator>& p,
                                                     KeysA a, KeysA a_end, KeysB b, KeysB b_end, ValuesA a_values,
                                                     ValuesB b_values, KeysOut keys_out, ValuesOut values_out,
                                                     Options... options) {
  const detail::plan::set_inputs in{a, a_end, b, b_end, a_values, b_values};
  return detail::plan::set_operation_of_ranks<detail::tile::set_union>(
      p, in, detail::plan::set_outputs{keys_out, values_out}, options...);
}

/// The number of elements that set_union writes on all ranks together: the same on every rank.
template <class Policy, class Communicator, class A, class B, class... Options>
offset set_union_size(const detail::exec::distributed_policy<Policy, Communicator>& p, A a, A a_end, B b, B b_end,
                      Options... options) {
  const detail::plan::set_inputs in{a, a_end, b, b_end, detail::plan::none, detail::plan::none};
  return detail::plan::set_operation_size_of_ranks<detail::tile::set_union>(p, in, options...);
}

// --- set_intersection

/// Writes this rank's part of the elements of a that have a match in b to out. Returns the end of that part.
template <class Policy, class Communicator, class A, class B, class Out, class... Options>
Out set_intersection(const detail::exec::distributed_policy<Policy, Communicator>& p, A a, A a_end, B b, B b_end,
                     Out out, Options... options) {
  const detail::plan::set_inputs in{a, a_end, b, b_end, detail::plan::none, detail::plan::none};
  return detail::plan::set_operation_of_ranks<detail::tile::set_intersection>(
             p, in, detail::plan::set_outputs{out, detail::plan::none}, options...)
      .first;
}

/// set_intersection of keys with the values of a. Returns the ends of both outputs.
template <class Policy, class Communicator, class KeysA, class KeysB, class ValuesA, class KeysOut, class ValuesOut,
          class... Options>
cuda::std::pair<KeysOut, ValuesOut> set_intersection_by_key(
    const detail::exec::distributed_policy<Policy, Communicator>& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end,
    ValuesA a_values, KeysOut keys_out, ValuesOut values_out, Options... options) {
  const detail::plan::set_inputs in{a, a_end, b, b_end, a_values, detail::plan::none};
  return detail::plan::set_operation_of_ranks<detail::tile::set_intersection>(
      p, in, detail::plan::set_outputs{keys_out, values_out}, options...);
}

/// The number of elements that set_intersection writes on all ranks together: the same on every rank.
template <class Policy, class Communicator, class A, class B, class... Options>
offset set_intersection_size(const detail::exec::distributed_policy<Policy, Communicator>& p, A a, A a_end, B b,
                             B b_end, Options... options) {
  const detail::plan::set_inputs in{a, a_end, b, b_end, detail::plan::none, detail::plan::none};
  return detail::plan::set_operation_size_of_ranks<detail::tile::set_intersection>(p, in, options...);
}

// --- set_difference

/// Writes this rank's part of the elements of a that have no match in b to out. Returns the end of that part.
template <class Policy, class Communicator, class A, class B, class Out, class... Options>
Out set_difference(const detail::exec::distributed_policy<Policy, Communicator>& p, A a, A a_end, B b, B b_end, Out out,
                   Options... options) {
  const detail::plan::set_inputs in{a, a_end, b, b_end, detail::plan::none, detail::plan::none};
  return detail::plan::set_operation_of_ranks<detail::tile::set_difference>(
             p, in, detail::plan::set_outputs{out, detail::plan::none}, options...)
      .first;
}

/// set_difference of keys with the values of a. Returns the ends of both outputs. The values of b are not read.
template <class Policy, class Communicator, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut,
          class ValuesOut, class... Options>
cuda::std::pair<KeysOut, ValuesOut> set_difference_by_key(
    const detail::exec::distributed_policy<Policy, Communicator>& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end,
    ValuesA a_values, ValuesB, KeysOut keys_out, ValuesOut values_out, Options... options) {
  const detail::plan::set_inputs in{a, a_end, b, b_end, a_values, detail::plan::none};
  return detail::plan::set_operation_of_ranks<detail::tile::set_difference>(
      p, in, detail::plan::set_outputs{keys_out, values_out}, options...);
}

/// The number of elements that set_difference writes on all ranks together: the same on every rank.
template <class Policy, class Communicator, class A, class B, class... Options>
offset set_difference_size(const detail::exec::distributed_policy<Policy, Communicator>& p, A a, A a_end, B b, B b_end,
                           Options... options) {
  const detail::plan::set_inputs in{a, a_end, b, b_end, detail::plan::none, detail::plan::none};
  return detail::plan::set_operation_size_of_ranks<detail::tile::set_difference>(p, in, options...);
}

// --- set_symmetric_difference

/// Writes this rank's part of the elements of a and b that have no match in the other input to out. Returns the end of
/// that part.
template <class Policy, class Communicator, class A, class B, class Out, class... Options>
Out set_symmetric_difference(const detail::exec::distributed_policy<Policy, Communicator>& p, A a, A a_end, B b,
                             B b_end, Out out, Options... options) {
  const detail::plan::set_inputs in{a, a_end, b, b_end, detail::plan::none, detail::plan::none};
  return detail::plan::set_operation_of_ranks<detail::tile::set_symmetric_difference>(
             p, in, detail::plan::set_outputs{out, detail::plan::none}, options...)
      .first;
}

/// set_symmetric_difference of keys with their values. Returns the ends of both outputs.
template <class Policy, class Communicator, class KeysA, class KeysB, class ValuesA, class ValuesB, class KeysOut,
          class ValuesOut, class... Options>
cuda::std::pair<KeysOut, ValuesOut> set_symmetric_difference_by_key(
    const detail::exec::distributed_policy<Policy, Communicator>& p, KeysA a, KeysA a_end, KeysB b, KeysB b_end,
    ValuesA a_values, ValuesB b_values, KeysOut keys_out, ValuesOut values_out, Options... options) {
  const detail::plan::set_inputs in{a, a_end, b, b_end, a_values, b_values};
  return detail::plan::set_operation_of_ranks<detail::tile::set_symmetric_difference>(
      p, in, detail::plan::set_outputs{keys_out, values_out}, options...);
}

/// The number of elements that set_symmetric_difference writes on all ranks together: the same on every rank.
template <class Policy, class Communicator, class A, class B, class... Options>
offset set_symmetric_difference_size(const detail::exec::distributed_policy<Policy, Communicator>& p, A a, A a_end, B b,
                                     B b_end, Options... options) {
  const detail::plan::set_inputs in{a, a_end, b, b_end, detail::plan::none, detail::plan::none};
  return detail::plan::set_operation_size_of_ranks<detail::tile::set_symmetric_difference>(p, in, options...);
}

MGPU_NAMESPACE_END
