// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sorts random numbers that lie on several GPUs, which talk through NCCL, and checks them.
//   distributed_nccl                     a thread for each GPU of this machine
//   distributed_nccl RANK RANKS ID_FILE  one of several processes, each with the GPU of its number, counted from the
//                                        first of its machine. Rank 0 writes ID_FILE, which must not exist before
#include <mgpu/distributed.h>
#include <mgpu/nccl.h>
#include <mgpu/par.h>

#include <thrust/copy.h>
#include <thrust/device_vector.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using numbers = std::vector<std::uint32_t>;

void check(cudaError_t code) {
  if (code != cudaSuccess) throw std::runtime_error(cudaGetErrorString(code));
}
void check(ncclResult_t code) {
  if (code != ncclSuccess) throw std::runtime_error(ncclGetErrorString(code));
}

/// Random numbers of a rank, more on each than on the one before.
numbers random_part(int rank) {
  std::mt19937 random(static_cast<unsigned>(rank));
  numbers part(static_cast<std::size_t>(1'000'000 * (rank + 1)));
  for (auto& x : part) x = static_cast<std::uint32_t>(random());
  return part;
}

// [snippet: rank]
/// What each rank does: its part of the sequence goes in, its part of the sorted sequence comes out.
void sort_on_rank(ncclComm_t comm, numbers& part) {
  const auto everywhere = mgpu::distributed(mgpu::par, mgpu::nccl_communicator(comm));
  thrust::device_vector<std::uint32_t> keys(part.begin(), part.end());
  mgpu::stable_sort(everywhere, keys.begin(), keys.end());
  thrust::copy(keys.begin(), keys.end(), part.begin());
}
// [end]

/// True if the part of a rank is what it must be.
bool is_right(const numbers& part, int rank, int ranks) {
  numbers all;
  std::size_t begin = 0;
  for (int r = 0; r < ranks; ++r) {
    const numbers of_rank = random_part(r);
    if (r < rank) begin += of_rank.size();
    all.insert(all.end(), of_rank.begin(), of_rank.end());
  }
  std::sort(all.begin(), all.end());
  return std::equal(part.begin(), part.end(), all.begin() + static_cast<std::ptrdiff_t>(begin));
}

/// Sorts on a rank, and says whether the result is right.
bool sorts(ncclComm_t comm, int rank, int ranks) {
  numbers part = random_part(rank);
  sort_on_rank(comm, part);
  std::printf("rank %d of %d: %zu numbers from %u to %u\n", rank, ranks, part.size(), part.front(), part.back());
  return is_right(part, rank, ranks);
}

bool sorts_on_threads() {
  int gpus = 0;
  check(cudaGetDeviceCount(&gpus));
  std::vector<ncclComm_t> comms(static_cast<std::size_t>(gpus));
  check(ncclCommInitAll(comms.data(), gpus, nullptr));
  std::vector<char> right(comms.size());
  std::vector<std::thread> threads;
  for (int r = 0; r < gpus; ++r) {
    threads.emplace_back([&, r] {
      const auto i = static_cast<std::size_t>(r);
      try {
        check(cudaSetDevice(r));
        right[i] = sorts(comms[i], r, gpus);
      } catch (const std::exception& error) {
        std::fprintf(stderr, "rank %d: %s\n", r, error.what());
        std::_Exit(1);  // the others would wait for this rank
      }
    });
  }
  for (std::thread& t : threads) t.join();
  for (const ncclComm_t comm : comms) check(ncclCommDestroy(comm));
  return std::all_of(right.begin(), right.end(), [](char x) { return x != 0; });
}

// [snippet: id]
/// What the processes need to find each other: rank 0 makes it and leaves it in a file.
ncclUniqueId id_in_file(const std::string& file, int rank) {
  ncclUniqueId id;
  if (rank == 0) {
    check(ncclGetUniqueId(&id));
    std::ofstream(file + ".new", std::ios::binary).write(reinterpret_cast<const char*>(&id), sizeof(id));
    if (std::rename((file + ".new").c_str(), file.c_str()) == 0) return id;
    throw std::runtime_error("cannot write " + file);
  }
  for (int i = 0; i < 1200; ++i) {
    std::ifstream in(file, std::ios::binary);
    if (in.read(reinterpret_cast<char*>(&id), sizeof(id))) return id;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  throw std::runtime_error("rank 0 has left no id in " + file);
}
// [end]

bool sorts_as_process(int rank, int ranks, const std::string& file) {
  int gpus = 0;
  check(cudaGetDeviceCount(&gpus));
  check(cudaSetDevice(rank % std::max(gpus, 1)));
  ncclComm_t comm;
  check(ncclCommInitRank(&comm, ranks, id_in_file(file, rank), rank));
  const bool right = sorts(comm, rank, ranks);
  check(ncclCommDestroy(comm));
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 1 && argc != 4) {
    std::fprintf(stderr, "usage: distributed_nccl [RANK RANKS ID_FILE]\n");
    return 2;
  }
  try {
    if (argc == 1 ? sorts_on_threads() : sorts_as_process(std::atoi(argv[1]), std::atoi(argv[2]), argv[3])) return 0;
    std::printf("wrong result\n");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "distributed_nccl: %s\n", error.what());
  }
  return 1;
}
