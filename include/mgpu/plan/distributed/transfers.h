// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/math.h>
#include <mgpu/exec/distributed/communicator.h>
#include <mgpu/exec/policy.h>
#include <mgpu/tuning/distributed.h>

#include MGPU_CUDA_VERB_HEADER(copy)

#include <cstddef>
#include <vector>

MGPU_NAMESPACE_BEGIN
namespace detail::plan {

/// The messages of one exchange. Ranks list the messages of a pair of ranks in the same order.
class transfers {
 public:
  /// Room for at most so many messages each way, so that nothing fails later.
  explicit transfers(offset most) {
    sends_.reserve(static_cast<std::size_t>(most));
    receives_.reserve(static_cast<std::size_t>(most));
  }

  template <class T>
  void send(int to, const T* data, offset count) {
    if (count > 0) sends_.push_back({to, data, count * offset{sizeof(T)}});
  }
  template <class T>
  void receive(int from, T* data, offset count) {
    if (count > 0) receives_.push_back({from, data, count * offset{sizeof(T)}});
  }

  void clear() {
    sends_.clear();
    receives_.clear();
  }

  template <class Distributed>
  void run(const Distributed& p) const {
    run(p, exec::executor(p.local()).stream());
  }
  template <class Distributed, class Stream>
  void run(const Distributed& p, const Stream& stream) const {
    p.talk([&] {
      p.communicator().exchange(sends_.data(), static_cast<offset>(sends_.size()), receives_.data(),
                                static_cast<offset>(receives_.size()), stream);
    });
  }
  /// run(), by copies where a rank receives many bytes and the ranks can copy: `most_received` is the most that one
  /// receives, on all ranks the same.
  template <class Distributed>
  void run_or_copy(const Distributed& p, offset most_received) const {
    const auto stream = exec::executor(p.local()).stream();
    if (most_received >= tuning::least_copied_bytes && p.can_copy(sends_.data(), static_cast<offset>(sends_.size())))
      copy(p, stream);
    else run(p, stream);
  }
  /// run() where the policy says that it can copy.
  template <class Distributed, class Stream>
  void copy(const Distributed& p, const Stream& stream) const {
    if constexpr (Distributed::has_copy) {
      p.talk([&] {
        p.communicator().copy(sends_.data(), static_cast<offset>(sends_.size()), receives_.data(),
                              static_cast<offset>(receives_.size()), stream);
      });
    }
  }

 private:
  std::vector<outgoing> sends_;
  std::vector<incoming> receives_;
};

/// How the elements of a sequence lie on the ranks: rank r has [borders[r], borders[r + 1]).
using rank_borders = std::vector<offset>;  // [ranks + 1], ascending

/// A part of a sequence, empty if end <= begin.
struct stretch {
  offset begin, end;

  offset count() const { return base::max<offset>(0, end - begin); }
};

/// What rank `from` of one distribution has of what rank `to` of another gets.
inline stretch overlap(const rank_borders& have, int from, const rank_borders& want, int to) {
  const auto f = static_cast<std::size_t>(from), t = static_cast<std::size_t>(to);
  return {base::max(have[f], want[t]), base::min(have[f + 1], want[t + 1])};
}

/// The way of a sequence from one distribution to another, for one rank.
class redistribution {
 public:
  redistribution(const rank_borders& have, const rank_borders& want, int rank)
      : have_(have), want_(want), rank_(rank), own_(plan::overlap(have, rank, want, rank)) {}

  /// How many elements this rank gets.
  offset count() const { return end_of(want_, rank_) - begin_of(want_, rank_); }
  /// How many of them it has already.
  offset own_count() const { return own_.count(); }
  /// Where these are among those that it has, and among those that it gets; 0 if there are none.
  offset own_begin() const { return own_count() == 0 ? 0 : own_.begin - begin_of(have_, rank_); }
  offset own_place() const { return own_count() == 0 ? 0 : own_.begin - begin_of(want_, rank_); }
  /// True if it has all of them already.
  bool is_here() const { return own_.count() == count(); }

  /// Lists the messages that bring the rank's elements from data[0, ...) to their ranks, and those of the others to
  /// room[0, count()).
  template <class T>
  void list(transfers& messages, const T* data, T* room) const {
    const int ranks = static_cast<int>(have_.size()) - 1;
    for (int r = 0; r < ranks; ++r) {
      if (r == rank_) continue;
      const stretch out = plan::overlap(have_, rank_, want_, r), in = plan::overlap(have_, r, want_, rank_);
      if (out.count() > 0) messages.send(r, data + (out.begin - begin_of(have_, rank_)), out.count());
      if (in.count() > 0) messages.receive(r, room + (in.begin - begin_of(want_, rank_)), in.count());
    }
  }

  /// Where the rank's elements are when the messages have come. Those that it had are copied to the others, unless all
  /// are there.
  template <class Policy, class T>
  const T* gather(Policy& p, const T* data, T* room) const {
    if (own_count() == 0) return room;
    if (is_here()) return data + own_begin();
    copy_own(p, data, room, {0, own_count()});
    return room;
  }

  /// Copies a part of the elements that the rank had to the others.
  template <class Policy, class T>
  void copy_own(Policy& p, const T* data, T* room, const stretch& part) const {
    if (part.count() == 0) return;
    exec::executor(p).copy(room + own_place() + part.begin, data + own_begin() + part.begin,
                           part.count() * offset{sizeof(T)});
  }

 private:
  static offset begin_of(const rank_borders& borders, int rank) { return borders[static_cast<std::size_t>(rank)]; }
  static offset end_of(const rank_borders& borders, int rank) { return borders[static_cast<std::size_t>(rank) + 1]; }

  const rank_borders& have_;
  const rank_borders& want_;
  int rank_;
  stretch own_;
};

/// The most elements that a rank receives.
inline offset most_received(const rank_borders& have, const rank_borders& want) {
  offset most = 0;
  for (int r = 0; r + 1 < static_cast<int>(have.size()); ++r) {
    const redistribution way(have, want, r);
    most = base::max(most, way.count() - way.own_count());
  }
  return most;
}

}  // namespace detail::plan
MGPU_NAMESPACE_END
