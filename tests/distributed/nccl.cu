// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What ranks of NCCL have of their own: processes, errors of calls, and messages of several GiB. The calls over ranks
// are tested through NCCL by the other files of this folder.
#include "ranks.h"
#include "support/cuda.h"
#include "support/skip.h"

#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace {

using namespace test;

bool has_two_gpus() {
  if (nccl_ranks::most() >= 2) return true;
  has_skipped_a_test = true;
  return false;
}

// --- processes

/// Where rank 0 leaves the id of the ranks.
ncclUniqueId id_of_ranks(const std::string& file, int rank) {
  ncclUniqueId id;
  if (rank == 0) {
    require_nccl(ncclGetUniqueId(&id));
    std::ofstream(file + ".new", std::ios::binary).write(reinterpret_cast<const char*>(&id), sizeof(id));
    if (std::rename((file + ".new").c_str(), file.c_str()) != 0) throw std::runtime_error("cannot write " + file);
    return id;
  }
  for (int i = 0; i < 600; ++i) {
    if (std::ifstream in(file, std::ios::binary); in.read(reinterpret_cast<char*>(&id), sizeof(id))) return id;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  throw std::runtime_error("rank 0 has left no id in " + file);
}

template <class T>
bool is_part(const output<cuda_executor, T>& out, const std::vector<T>& all, const shares& s, int rank) {
  return out.first_difference(part_of(all, s, rank)) == -1;
}

/// The calls of one rank, and their results.
void check_calls(const mgpu::nccl_communicator& c) {
  const auto everywhere = mgpu::distributed(mgpu::par, c);
  const int r = c.rank();
  for (const repeats how : all_repeats) {
    for (const shares& s : ways_to_share(c.size(), 50'000, 3)) {
      INFO(s.name, ", equal keys: ", name_of(how));
      auto a = keys<std::uint32_t>(s.total(), how, 1), b = keys<std::uint32_t>(s.total(), how, 2);
      const output<cuda_executor, std::uint32_t> sorted(s.counts[static_cast<std::size_t>(r)]);
      const auto unsorted = part_of(a, s, r);
      cuda_executor::copy_in(sorted.begin(), unsorted.data(), 4 * unsorted.size());
      mgpu::stable_sort(everywhere, sorted.begin(), sorted.end());
      std::sort(a.begin(), a.end());
      std::sort(b.begin(), b.end());
      CHECK(is_part(sorted, a, s, r));

      const input<cuda_executor, std::uint32_t> a_in(part_of(a, s, r)), b_in(part_of(b, s, r));
      const output<cuda_executor, std::uint32_t> merged(a_in.end() - a_in.begin() + (b_in.end() - b_in.begin()));
      mgpu::merge(everywhere, a_in.begin(), a_in.end(), b_in.begin(), b_in.end(), merged.begin());
      std::vector<std::uint32_t> expected;
      std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
      shares both = s;
      for (auto& count : both.counts) count *= 2;
      CHECK(is_part(merged, expected, both, r));

      expected.clear();
      std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
      CHECK(mgpu::set_symmetric_difference_size(everywhere, a_in.begin(), a_in.end(), b_in.begin(), b_in.end()) ==
            static_cast<offset>(expected.size()));
    }
  }
}

TEST_CASE("one of several processes") {
  const char *const rank = std::getenv("MGPU_TEST_RANK"), *const file = std::getenv("MGPU_TEST_ID_FILE");
  if (rank == nullptr || file == nullptr) return;
  const int r = std::atoi(rank);
  require_cuda(cudaSetDevice(r));
  ncclComm_t comm;
  require_nccl(ncclCommInitRank(&comm, nccl_ranks::most(), id_of_ranks(file, r), r));
  check_calls(mgpu::nccl_communicator(comm));
  require_nccl(ncclCommDestroy(comm));
}

TEST_CASE("ranks that are processes") {
  if (std::getenv("MGPU_TEST_RANK") != nullptr || !has_two_gpus()) return;
  char file[] = "/tmp/mgpu_nccl_id_XXXXXX";
  const int created = ::mkstemp(file);
  REQUIRE(created >= 0);
  ::close(created);
  const std::string id = std::string(file) + ".id";
  setenv("NCCL_NVLS_ENABLE", "0", 0);
  setenv("MGPU_TEST_ID_FILE", id.c_str(), 1);
  std::vector<pid_t> processes(static_cast<std::size_t>(nccl_ranks::most()));
  for (std::size_t r = 0; r < processes.size(); ++r) {
    setenv("MGPU_TEST_RANK", std::to_string(r).c_str(), 1);
    char program[] = "/proc/self/exe", only[] = "--test-case=one of several processes";
    char* arguments[] = {program, only, nullptr};
    REQUIRE(::posix_spawn(&processes[r], program, nullptr, nullptr, arguments, environ) == 0);
  }
  unsetenv("MGPU_TEST_RANK");
  unsetenv("MGPU_TEST_ID_FILE");
  for (const pid_t process : processes) {
    int status = -1;
    CHECK(::waitpid(process, &status, 0) == process);
    CHECK(status == 0);
  }
  std::remove(file);
  std::remove(id.c_str());
}

// --- errors

/// Two ranks that a test may spoil.
struct spoilt_ranks {
  ncclComm_t comms[2];
  spoilt_ranks() { require_nccl(ncclCommInitAll(comms, 2, nullptr)); }
  ~spoilt_ranks() {
    std::thread other([this] { ncclCommAbort(comms[1]); });
    ncclCommAbort(comms[0]);
    other.join();
  }
};

TEST_CASE("an error of a call") {
  if (!has_two_gpus()) return;
  const spoilt_ranks ranks;
  const mgpu::nccl_communicator c(ranks.comms[0]);
  const memory<cuda_executor> sent{std::vector<char>(64)};
  const mgpu::outgoing nobody{17, sent.data(), 64};
  CHECK(c.is_usable());
  try {
    c.exchange(&nobody, 1, nullptr, 0, nullptr);
    FAIL("there is no rank 17");
  } catch (const mgpu::nccl_error& error) {
    CHECK(error.code() == ncclInvalidArgument);
    CHECK(std::string(error.what()).find("ncclSend") != std::string::npos);
  }
  CHECK(!c.is_usable());
  check_that_calls_fail(c);
}

TEST_CASE("a communicator that does not block") {
  if (!has_two_gpus()) return;
  ncclUniqueId id;
  require_nccl(ncclGetUniqueId(&id));
  std::vector<std::thread> threads;
  for (int r = 0; r < 2; ++r) {
    threads.emplace_back([&, r] {
      use_device_of(r);
      ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
      config.blocking = 0;
      ncclComm_t comm = nullptr;
      const ncclResult_t code = ncclCommInitRankConfig(&comm, 2, id, r, &config);
      CHECK((code == ncclSuccess || code == ncclInProgress));
      check_calls(mgpu::nccl_communicator(comm));
      ncclResult_t state = ncclInProgress;
      ncclCommFinalize(comm);
      while (ncclCommGetAsyncError(comm, &state) == ncclSuccess && state == ncclInProgress) std::this_thread::yield();
      ncclCommDestroy(comm);
    });
  }
  for (auto& t : threads) t.join();
}

// --- messages of several GiB

/// A well mixed number.
struct mixed {
  std::uint64_t seed;
  MGPU_HOST_DEVICE std::uint64_t operator()(std::uint64_t i) const {
    std::uint64_t z = (i + seed) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    return z ^ (z >> 31);
  }
};
/// A random key of 31 bits, moved and set on some bits.
struct key_at {
  std::uint64_t seed;
  int shift;
  std::uint32_t bits;
  MGPU_HOST_DEVICE std::uint32_t operator()(std::uint64_t i) const {
    return static_cast<std::uint32_t>(mixed{seed << 40}(i) >> 33 >> shift) | bits;
  }
};

/// Keys of a rank on its device, and what tells whether the ranks have the same keys as before, in order.
class many_keys {
 public:
  many_keys(int rank, std::uint64_t count) : rank_(rank), count_(static_cast<offset>(count)) {
    use_device_of(rank);
    data_ = static_cast<std::uint32_t*>(cuda_executor::allocate(count * sizeof(std::uint32_t)));
  }
  ~many_keys() {
    use_device_of(rank_);
    cuda_executor::free(data_);
  }
  many_keys(const many_keys&) = delete;
  many_keys& operator=(const many_keys&) = delete;

  std::uint32_t* begin() const { return data_; }
  std::uint32_t* end() const { return data_ + count_; }
  void fill(const key_at& key) const {
    use_device_of(rank_);
    const thrust::counting_iterator<std::uint64_t> i(0);
    thrust::transform(thrust::cuda::par, i, i + count_, data_, key);
  }
  std::uint64_t sum() const {
    use_device_of(rank_);
    return thrust::transform_reduce(thrust::cuda::par, begin(), end(), mixed{1}, std::uint64_t{0},
                                    thrust::plus<std::uint64_t>{});
  }
  bool is_sorted() const {
    use_device_of(rank_);
    return thrust::is_sorted(thrust::cuda::par, begin(), end());
  }
  std::uint32_t at(offset i) const {
    use_device_of(rank_);
    std::uint32_t result;
    cuda_executor::copy_out(&result, data_ + i, sizeof(std::uint32_t));
    return result;
  }
  std::uint32_t first() const { return at(0); }
  std::uint32_t last() const { return at(count_ - 1); }

 private:
  int rank_;
  offset count_;
  std::uint32_t* data_;
};

/// Whether both GPUs have so much memory.
bool have_free(std::size_t bytes) {
  bool result = has_two_gpus();
  for (int r = 0; r < 2 && result; ++r) {
    use_device_of(r);
    std::size_t available = 0, all = 0;
    require_cuda(cudaMemGetInfo(&available, &all));
    result = available > bytes;
  }
  use_device_of(0);
  has_skipped_a_test |= !result;
  return result;
}

TEST_CASE("a merge in which each rank sends 4 GiB" * doctest::test_suite("large")) {
  constexpr std::uint64_t count = std::uint64_t{1} << 30;
  if (!have_free(std::size_t{26} << 30)) return;
  std::uint64_t before = 0, after = 0;
  std::vector<std::unique_ptr<many_keys>> a, b, out;
  for (std::uint32_t r = 0; r < 2; ++r) {
    a.push_back(std::make_unique<many_keys>(static_cast<int>(r), count));
    b.push_back(std::make_unique<many_keys>(static_cast<int>(r), count));
    out.push_back(std::make_unique<many_keys>(static_cast<int>(r), 2 * count));
    const std::uint32_t of_rank = r == 0 ? 0 : 1u << 30;
    a[r]->fill({1 + r, 1, of_rank});
    b[r]->fill({3 + r, 1, of_rank | 1u << 31});
    use_device_of(static_cast<int>(r));
    for (auto* x : {a[r].get(), b[r].get()}) {
      thrust::sort(thrust::cuda::par, x->begin(), x->end());
      before += x->sum();
    }
  }
  nccl_ranks::of(2).run([&](const auto& c) {
    const int r = c.rank();
    const std::uint32_t *x = a[r]->begin(), *x_end = a[r]->end(), *y = b[r]->begin(), *y_end = b[r]->end();
    mgpu::merge(mgpu::distributed(mgpu::par, c), x, x_end, y, y_end, out[r]->begin());
  });
  for (int r = 0; r < 2; ++r) {
    CHECK(out[r]->is_sorted());
    after += out[r]->sum();
  }
  CHECK(before == after);
  CHECK(out[0]->last() < 1u << 31);
  CHECK(out[1]->first() >= 1u << 31);
}

/// Sorts keys of two ranks, most of which belong to the other. make_policy(communicator) is over the ranks.
template <class MakePolicy>
void check_sort_of(std::uint64_t count, const MakePolicy& make_policy) {
  std::uint64_t before = 0, after = 0;
  std::vector<std::unique_ptr<many_keys>> keys;
  for (std::uint32_t r = 0; r < 2; ++r) {
    keys.push_back(std::make_unique<many_keys>(static_cast<int>(r), count + r));
    keys[r]->fill({5 + r, 0, r == 0 ? 1u << 31 : 0});  // what rank 0 has belongs to rank 1, except for a few
    before += keys[r]->sum();
  }
  nccl_ranks::of(2).run(
      [&](const auto& c) { mgpu::stable_sort(make_policy(c), keys[c.rank()]->begin(), keys[c.rank()]->end()); });
  for (int r = 0; r < 2; ++r) {
    CHECK(keys[r]->is_sorted());
    after += keys[r]->sum();
  }
  CHECK(before == after);
  CHECK(keys[0]->last() <= keys[1]->first());
}

TEST_CASE("a sort of more than 2^32 keys" * doctest::test_suite("large")) {
  if (!have_free(std::size_t{40} << 30)) return;
  check_sort_of((std::uint64_t{1} << 31) + 12'345, [](const auto& c) { return mgpu::distributed(mgpu::par, c); });
}

/// A rank that has no more than it must.
class plain_communicator {
 public:
  explicit plain_communicator(const mgpu::nccl_communicator& inner) : inner_(inner) {}
  int rank() const { return inner_.rank(); }
  int size() const { return inner_.size(); }
  void all_gather(const void* from, void* to, offset bytes, cudaStream_t stream) const {
    inner_.all_gather(from, to, bytes, stream);
  }
  void exchange(const mgpu::outgoing* sends, offset send_count, const mgpu::incoming* receives, offset receive_count,
                cudaStream_t stream) const {
    inner_.exchange(sends, send_count, receives, receive_count, stream);
  }

 private:
  mgpu::nccl_communicator inner_;
};

TEST_CASE("a sort whose elements are copied, and one whose elements NCCL's kernels send") {
  if (!has_two_gpus()) return;
  constexpr std::uint64_t count = (std::uint64_t{1} << 26) + 4'321;
  check_sort_of(count, [](const auto& c) { return mgpu::distributed(mgpu::par, c); });
  check_sort_of(count, [](const auto& c) { return mgpu::distributed(mgpu::par, plain_communicator(c)); });
}

}  // namespace
