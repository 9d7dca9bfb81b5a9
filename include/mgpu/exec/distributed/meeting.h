// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/exec/distributed/communicator.h>
#include <mgpu/exec/distributed/rank_error.h>
#include <mgpu/exec/no_stream.h>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

MGPU_NAMESPACE_BEGIN
namespace exec {

/// Where the ranks of one process meet. Each shows the others what it has; between two calls of wait() all may read it.
class meeting {
 public:
  /// What a rank shows.
  struct shown {
    const void* data = nullptr;
    std::vector<outgoing> sends;   // copies: a rank that fails does not take them away from those that still read
    void* ready = nullptr;         // of the stream's kind: what its receivers wait for
    void* done = nullptr;          // what its senders wait for
    std::shared_ptr<void> keeper;  // owns ready, done, and what else the rank copies with
    int device = 0;                // that the rank works on
  };

  explicit meeting(int size) : all_(static_cast<std::size_t>(size)) {}

  int size() const { return static_cast<int>(all_.size()); }
  shown& of(int rank) { return all_[static_cast<std::size_t>(rank)]; }

  /// Waits until every rank has called it. Throws rank_error if a rank has given up before.
  void wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    if (quitter_ >= 0) throw_given_up();
    const std::uint64_t round = round_;
    if (++arrived_ == size()) {
      arrived_ = 0;
      ++round_;
      lock.unlock();
      all_here_.notify_all();
      return;
    }
    lock.unlock();
    // The others mostly come soon. To wake a thread that sleeps takes longer than that.
    for (int i = 0; i < 200; ++i) {
      if (round_ != round) return;
      std::this_thread::yield();
    }
    lock.lock();
    all_here_.wait(lock, [this, round] { return round_ != round || quitter_ >= 0; });
    if (round_ == round) throw_given_up();
  }

  /// No rank waits any more, now or later: wait() throws.
  void give_up(int rank) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (quitter_ < 0) quitter_ = rank;
    }
    all_here_.notify_all();
  }

  /// Calls f(), with the others waiting for this rank. If f throws, no rank waits any more.
  template <class Function>
  void guarded(int rank, const Function& f) {
    try {
      f();
    } catch (...) {
      give_up(rank);
      throw;
    }
  }

  /// The data that the sender of the `number`-th receive has listed for it. Throws std::logic_error if it has not, or
  /// has listed another size, or if it is no other rank.
  const void* sent(int rank, const incoming* receives, offset number) {
    const incoming& wanted = receives[number];
    if (wanted.from < 0 || wanted.from >= size() || wanted.from == rank)
      throw std::logic_error("mgpu: rank " + std::to_string(rank) + " of " + std::to_string(size()) +
                             " expects a message from rank " + std::to_string(wanted.from));
    offset before = 0;
    for (offset i = 0; i < number; ++i) before += receives[i].from == wanted.from;
    const shown& from = of(wanted.from);
    for (const outgoing& message : from.sends) {
      if (message.to != rank || before-- > 0) continue;
      if (message.bytes == wanted.bytes) return message.data;
      throw std::logic_error("mgpu: rank " + std::to_string(wanted.from) + " sends " + std::to_string(message.bytes) +
                             " bytes where rank " + std::to_string(rank) + " expects " + std::to_string(wanted.bytes));
    }
    throw std::logic_error("mgpu: rank " + std::to_string(wanted.from) + " sends less messages than rank " +
                           std::to_string(rank) + " expects");
  }

 private:
  [[noreturn]] void throw_given_up() const { throw rank_error(quitter_, "has left its group"); }

  std::vector<shown> all_;
  std::mutex mutex_;
  std::condition_variable all_here_;
  int arrived_ = 0;
  int quitter_ = -1;
  std::atomic<std::uint64_t> round_{0};  // changed with the mutex held
};

inline void all_gather_in_process(meeting& m, int rank, const void* from, void* to, offset bytes) {
  m.of(rank).data = from;
  m.wait();
  const auto size = static_cast<std::size_t>(bytes);
  for (int r = 0; r < m.size(); ++r) {
    if (size > 0) std::memcpy(static_cast<char*>(to) + static_cast<std::size_t>(r) * size, m.of(r).data, size);
  }
  m.wait();
}

/// The exchange in memory of the host. Each rank fetches what it receives.
inline void exchange_in_process(meeting& m, int rank, const outgoing* sends, offset send_count,
                                const incoming* receives, offset receive_count, no_stream) {
  m.guarded(rank, [&] { m.of(rank).sends.assign(sends, sends + send_count); });
  m.wait();
  m.guarded(rank, [&] {
    for (offset i = 0; i < receive_count; ++i)
      std::memcpy(receives[i].data, m.sent(rank, receives, i), static_cast<std::size_t>(receives[i].bytes));
  });
  m.wait();
}

}  // namespace exec
MGPU_NAMESPACE_END
