// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Ranks that are threads of one process, for mgpu::distributed. With a policy of the CPU everything runs on a machine
// without a GPU. With CUDA's policies each rank works on the device that is current in its thread; several ranks may
// share one device. Several devices must be able to read each other's memory, or the policies have allocators of their
// own. This access is enabled, for the process, also to the pools that elements are sent from (cudaMallocAsync); the
// copy engines then copy elements. After cudaDeviceReset make a new group.
//
//   const mgpu::in_process_group group(4);
//   group.run([&](const auto& communicator) {  // four threads
//     const auto everywhere = mgpu::distributed(mgpu::cpp::par, communicator);
//     mgpu::stable_sort(everywhere, part[communicator.rank()].begin(), part[communicator.rank()].end());
//   });

#include <mgpu/base/math.h>
#include <mgpu/exec/distributed/communicator.h>
#include <mgpu/exec/distributed/meeting.h>
#include <mgpu/exec/distributed/rank_error.h>

#include MGPU_CUDA_VERB_HEADER(in_process)

#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

MGPU_NAMESPACE_BEGIN

/// One rank of an in_process_group. A handle: copies are the same rank.
/// Requires: one thread at a time uses the handles of a rank. Each of its calls waits for the calls of the others.
/// Throws: rank_error if another rank has left the group; mgpu::cuda_error if a copy on the device fails;
///   std::logic_error if messages do not match; std::bad_alloc. An exchange that fails on one rank throws on all of
///   them, when no rank reads what another one sends any more. The group is then of no more use.
class in_process_communicator {
 public:
  /// What a group makes for one of its ranks.
  in_process_communicator(std::shared_ptr<detail::exec::meeting> meeting, int rank)
      : meeting_(std::move(meeting)), rank_(rank) {}

  /// The number of this rank.
  int rank() const { return rank_; }
  /// The number of ranks.
  int size() const { return meeting_->size(); }

  /// in_process_group::is_usable.
  bool is_usable() const { return meeting_->is_usable(); }
  /// in_process_group::leave of this rank.
  void leave() const { meeting_->give_up(rank_); }

  /// Gathers `bytes` bytes of each rank, in memory of the host.
  template <class Stream>
  void all_gather(const void* from, void* to, offset bytes, const Stream&) const {
    detail::exec::all_gather_in_process(*meeting_, rank_, from, to, bytes);
  }

  /// Sends and receives messages. On CUDA they are copies on the device, in stream order.
  template <class Stream>
  void exchange(const outgoing* sends, offset send_count, const incoming* receives, offset receive_count,
                const Stream& stream) const {
    detail::exec::exchange_in_process(*meeting_, rank_, sends, send_count, receives, receive_count, stream);
  }

  /// Every exchange leaves the multiprocessors to other work.
  template <class Stream>
  bool can_copy(const outgoing*, offset, const Stream&) const {
    return true;
  }
  /// exchange.
  template <class Stream>
  void copy(const outgoing* sends, offset send_count, const incoming* receives, offset receive_count,
            const Stream& stream) const {
    exchange(sends, send_count, receives, receive_count, stream);
  }

 private:
  std::shared_ptr<detail::exec::meeting> meeting_;
  int rank_;
};

/// A number of ranks in this process.
class in_process_group {
 public:
  /// Throws: std::invalid_argument if size < 1.
  explicit in_process_group(int size) : meeting_(std::make_shared<detail::exec::meeting>(checked(size))) {}

  /// The number of ranks.
  int size() const { return meeting_->size(); }

  /// The communicator of a rank, for the thread that is this rank.
  /// Throws: std::out_of_range if there is no such rank.
  in_process_communicator operator[](int rank) const {
    if (rank < 0 || rank >= size())
      throw std::out_of_range("mgpu: there is no rank " + std::to_string(rank) + " of " + std::to_string(size()));
    return in_process_communicator(meeting_, rank);
  }

  /// Whether the ranks can make calls. False for ever when a rank has left or an exchange has failed. Then all calls
  /// throw rank_error at once, on every rank: make a new group. When an exchange throws on a rank, all ranks get the
  /// answer false. A failure that the ranks of a call agree on leaves the group usable, unless it makes a rank leave.
  /// Any thread may ask at any time. Nobody waits.
  bool is_usable() const { return meeting_->is_usable(); }

  /// Says that a rank makes no more calls, because its thread ends. The calls of the others throw rank_error, those
  /// that wait already and all later ones. The group is of no more use.
  void leave(int rank) const { meeting_->give_up(rank); }

  /// Calls f((*this)[r]) for each rank r, each on a thread of its own, and waits for them. If f throws on a rank, that
  /// rank leaves the group.
  /// Throws: what f throws; of several exceptions that of the lowest rank that threw no rank_error.
  template <class Function>
  void run(const Function& f) const {
    std::vector<std::exception_ptr> thrown(static_cast<std::size_t>(size()));
    std::vector<std::thread> threads;
    const auto rank_main = [this, &f, &thrown](int rank) {
      try {
        f((*this)[rank]);
      } catch (...) {
        thrown[static_cast<std::size_t>(rank)] = std::current_exception();
        leave(rank);
      }
    };
    threads.reserve(static_cast<std::size_t>(size()));
    try {
      for (int r = 0; r < size(); ++r) threads.emplace_back(rank_main, r);
    } catch (...) {  // the system has no more threads
      leave(static_cast<int>(threads.size()));
      join(threads);
      throw;
    }
    join(threads);
    rethrow_first(thrown);
  }

 private:
  static int checked(int size) {
    if (size < 1) throw std::invalid_argument("mgpu: a group has at least one rank, not " + std::to_string(size));
    return size;
  }

  static void join(std::vector<std::thread>& threads) {
    for (std::thread& t : threads) t.join();
  }

  /// A rank_error follows from the exception of another rank, which says more.
  static void rethrow_first(const std::vector<std::exception_ptr>& thrown) {
    std::exception_ptr consequence;
    for (const std::exception_ptr& e : thrown) {
      if (!e) continue;
      try {
        std::rethrow_exception(e);
      } catch (const rank_error&) {
        if (!consequence) consequence = e;
      }
    }
    if (consequence) std::rethrow_exception(consequence);
  }

  std::shared_ptr<detail::exec::meeting> meeting_;
};

MGPU_NAMESPACE_END
