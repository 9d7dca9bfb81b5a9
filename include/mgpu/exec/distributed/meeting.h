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
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

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
  void wait() { meet(nobody); }

  /// Whether no rank has given up. Any thread may ask.
  bool is_usable() const { return quitter_ == nobody; }

  /// No rank waits any more, now or later: wait() throws.
  void give_up(int rank) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (quitter_ == nobody) quitter_ = rank;
    }
    all_here_.notify_all();
  }

  /// Calls f(), and waits until every rank has. If f throws on a rank, all of them call settle(), meet once more and
  /// throw: what a rank has, others may read in f and until settle() returns. Then no rank waits any more.
  template <class Function, class Settle>
  void together(int rank, const Function& f, const Settle& settle) {
    std::exception_ptr thrown;
    try {
      f();
    } catch (...) {
      thrown = std::current_exception();
    }
    int failed = nobody;
    try {
      failed = meet(thrown ? rank : nobody);
    } catch (...) {
      if (thrown) std::rethrow_exception(thrown);
      throw;
    }
    if (failed == nobody) return;
    settle();
    wait();
    give_up(failed);
    if (thrown) std::rethrow_exception(thrown);
    throw rank_error(failed, "has left its group");
  }

  /// Shows the others what a rank sends. Throws std::logic_error if a message goes to no other rank.
  void show_sends(int rank, const outgoing* sends, offset count) {
    for (offset i = 0; i < count; ++i) check_is_other(rank, sends[i].to, "sends a message to");
    of(rank).sends.assign(sends, sends + count);
  }

  /// The data that the sender of the `number`-th receive has listed for it. Throws std::logic_error if it has not, or
  /// has listed another size, or if it is no other rank.
  const void* sent(int rank, const incoming* receives, offset number) {
    const incoming& wanted = receives[number];
    check_is_other(rank, wanted.from, "expects a message from");
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
  static constexpr int nobody = -1;

  /// wait(), in which ranks also say that they have failed: `failing` is this rank, or nobody. Returns one that has.
  int meet(int failing) {
    std::unique_lock<std::mutex> lock(mutex_);
    if (quitter_ != nobody) throw_given_up();
    if (failing != nobody) failing_ = failing;
    const std::uint64_t round = round_;
    if (++arrived_ == size()) {
      arrived_ = 0;
      failed_ = std::exchange(failing_, nobody);
      ++round_;
      lock.unlock();
      all_here_.notify_all();
      return failed_;
    }
    lock.unlock();
    // The others mostly come soon. To wake a thread that sleeps takes longer than that.
    for (int i = 0; i < 200; ++i) {
      if (round_ != round) return failed_;
      std::this_thread::yield();
    }
    lock.lock();
    all_here_.wait(lock, [this, round] { return round_ != round || quitter_ != nobody; });
    if (round_ == round) throw_given_up();
    return failed_;
  }

  void check_is_other(int rank, int other, const char* does) const {
    if (other >= 0 && other < size() && other != rank) return;
    throw std::logic_error("mgpu: rank " + std::to_string(rank) + " of " + std::to_string(size()) + " " + does +
                           " rank " + std::to_string(other));
  }

  [[noreturn]] void throw_given_up() const { throw rank_error(quitter_, "has left its group"); }

  std::vector<shown> all_;
  std::mutex mutex_;
  std::condition_variable all_here_;
  int arrived_ = 0;
  int failing_ = nobody;                 // in this round
  int failed_ = nobody;                  // in the last round: the next one ends when all have read it
  std::atomic<int> quitter_{nobody};     // changed with the mutex held
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
  const auto nothing_is_left = [] {};
  m.together(
      rank, [&] { m.show_sends(rank, sends, send_count); }, nothing_is_left);
  const auto fetch = [&] {
    for (offset i = 0; i < receive_count; ++i)
      std::memcpy(receives[i].data, m.sent(rank, receives, i), static_cast<std::size_t>(receives[i].bytes));
  };
  m.together(rank, fetch, nothing_is_left);
}

}  // namespace detail::exec
MGPU_NAMESPACE_END
