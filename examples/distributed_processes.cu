// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A communicator of a user's own: ranks are processes, which talk through sockets. Sorts numbers on the CPU that lie on
// four processes, and checks the result. With MPI the two functions would call MPI_Allgather, MPI_Isend and MPI_Irecv.
#include <mgpu/cpp.h>
#include <mgpu/distributed.h>

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <random>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace {

using mgpu::offset;

void write_all(int socket, const void* data, offset bytes) {
  for (offset done = 0, n = 0; done < bytes; done += n) {
    n = ::send(socket, static_cast<const char*>(data) + done, static_cast<std::size_t>(bytes - done), MSG_NOSIGNAL);
    if (n <= 0) return;  // that process has ended: whoever reads from it says so
  }
}
void read_all(int socket, void* data, offset bytes) {
  for (offset done = 0, n = 0; done < bytes; done += n) {
    n = ::recv(socket, static_cast<char*>(data) + done, static_cast<std::size_t>(bytes - done), 0);
    if (n <= 0) throw std::runtime_error("another process has ended");
  }
}

// [snippet: communicator]
/// Each rank is a process, with a socket to each other rank.
class socket_communicator {
 public:
  socket_communicator(int rank, std::vector<int> sockets) : rank_(rank), sockets_(std::move(sockets)) {}

  int rank() const { return rank_; }
  int size() const { return static_cast<int>(sockets_.size()); }

  void all_gather(const void* from, void* to, offset bytes, mgpu::no_stream stream) const {
    std::vector<mgpu::outgoing> sends;
    std::vector<mgpu::incoming> receives;
    for (int r = 0; r < size(); ++r) {
      char* const place = static_cast<char*>(to) + r * bytes;
      if (r == rank_) {
        std::memcpy(place, from, static_cast<std::size_t>(bytes));
      } else {
        sends.push_back({r, from, bytes});
        receives.push_back({r, place, bytes});
      }
    }
    exchange(sends.data(), size() - 1, receives.data(), size() - 1, stream);
  }

  /// A thread for each other rank sends, while this one receives: so no two ranks wait for each other.
  void exchange(const mgpu::outgoing* sends, offset send_count, const mgpu::incoming* receives, offset receive_count,
                mgpu::no_stream) const {
    std::vector<std::thread> senders;
    for (int r = 0; r < size(); ++r) {
      senders.emplace_back([=] {
        for (offset i = 0; i < send_count; ++i)
          if (sends[i].to == r) write_all(sockets_[static_cast<std::size_t>(r)], sends[i].data, sends[i].bytes);
      });
    }
    std::exception_ptr failure;
    try {
      for (offset i = 0; i < receive_count; ++i)
        read_all(sockets_[static_cast<std::size_t>(receives[i].from)], receives[i].data, receives[i].bytes);
    } catch (...) {
      failure = std::current_exception();
    }
    for (std::thread& sender : senders) sender.join();
    if (failure) std::rethrow_exception(failure);
  }

 private:
  int rank_;
  std::vector<int> sockets_;  // [size()]; none of this rank's own
};
// [end]

/// What ranks tell each other of their part.
struct summary {
  std::uint64_t sum;
  std::uint32_t first, last;
};

/// The work of a rank: sorts its part of random numbers, and checks with the others that all of them are sorted.
bool sorts(const socket_communicator& communicator) {
  std::mt19937 random(static_cast<unsigned>(communicator.rank()));
  std::vector<std::uint32_t> part(static_cast<std::size_t>(200'000 * (communicator.rank() + 1)));
  std::uint64_t sum_before = 0;
  for (auto& x : part) sum_before += x = static_cast<std::uint32_t>(random());

  mgpu::stable_sort(mgpu::distributed(mgpu::cpp::par, communicator), part.begin(), part.end());

  summary own{sum_before, part.front(), part.back()};
  for (const std::uint32_t x : part) own.sum -= x;  // what is left are the numbers that have moved
  std::vector<summary> all(static_cast<std::size_t>(communicator.size()));
  communicator.all_gather(&own, all.data(), sizeof(own), {});
  bool right = std::is_sorted(part.begin(), part.end());
  std::uint64_t moved = 0;
  for (std::size_t r = 0; r < all.size(); ++r) {
    moved += all[r].sum;
    right = right && (r == 0 || all[r - 1].last <= all[r].first);
  }
  std::printf("process %d: %zu numbers from %u to %u\n", communicator.rank(), part.size(), part.front(), part.back());
  return right && moved == 0;
}

int run_rank(int rank, const std::vector<int>& sockets) {
  try {
    if (sorts(socket_communicator(rank, sockets))) return 0;
    std::fprintf(stderr, "process %d: wrong result\n", rank);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "process %d: %s\n", rank, error.what());
  }
  return 1;
}

}  // namespace

int main() {
  constexpr std::size_t ranks = 4;
  std::vector<std::vector<int>> sockets(ranks, std::vector<int>(ranks, -1));  // [q][r]: of rank q, to rank r
  for (std::size_t q = 0; q < ranks; ++q) {
    for (std::size_t r = 0; r < q; ++r) {
      int ends[2];
      if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 1;
      sockets[q][r] = ends[0];
      sockets[r][q] = ends[1];
    }
  }
  int failures = 0;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const pid_t process = ::fork();
    if (process < 0) return 1;
    if (process > 0) continue;
    for (std::size_t q = 0; q < ranks; ++q)
      for (const int socket : sockets[q])
        if (q != rank && socket >= 0) ::close(socket);
    std::exit(run_rank(static_cast<int>(rank), sockets[rank]));
  }
  for (const auto& of_rank : sockets)
    for (const int socket : of_rank)
      if (socket >= 0) ::close(socket);
  for (int status; ::wait(&status) > 0;) failures += status != 0;
  return failures != 0;
}
