// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The scratch memory of calls over ranks is what the contracts say, to 5 %.
#include "ranks.h"

#include <mgpu/tuning/distributed.h>

#include <atomic>
#include <cmath>

namespace {

using namespace test;

const int ranks = are_over_nccl() ? 2 : 3;

/// How many bytes a policy has, and had at most.
struct usage {
  std::atomic<offset> now{0}, most{0};
};

struct metering_allocator {
  using value_type = char;
  usage* of;

  char* allocate(std::ptrdiff_t bytes) {
    const offset now = of->now += bytes;
    if (now > of->most) of->most = now;
    return static_cast<char*>(first_executor::allocate(static_cast<std::size_t>(bytes)));
  }
  void deallocate(char* memory, std::size_t bytes) {
    of->now -= static_cast<offset>(bytes);
    first_executor::free(memory);
  }
};

/// The most that f(policy) has at a time.
template <class F>
offset most_alone(const F& f) {
  usage u;
  f(first_executor::policy()(metering_allocator{&u}));
  CHECK(u.now == 0);
  return u.most;
}

/// The most that each rank has at a time in f(policy over ranks, rank).
template <class F>
std::vector<offset> most_of_ranks(const F& f) {
  usage all[3];
  run_ranks(ranks, [&](const auto& c) {
    f(mgpu::distributed(first_executor::policy()(metering_allocator{&all[c.rank()]}), c), c.rank());
  });
  std::vector<offset> result;
  for (int r = 0; r < ranks; ++r) {
    CHECK(all[r].now == 0);
    result.push_back(all[r].most);
  }
  return result;
}

void check_figure(offset most, offset expected) {
  INFO(most, " bytes, expected ", expected);
  CHECK(std::abs(static_cast<double>(most) / static_cast<double>(expected) - 1) < 0.05);
}

shares shares_of(offset count) {
  shares s{"", {}};
  for (int r = 0; r < ranks; ++r) s.counts.push_back((r + 1) * count);
  return s;
}

/// The samples of the splits, and their sides.
template <class Key>
constexpr offset split_bytes = 32'768 * sizeof(Key) + 16'384;

/// Whether the sort of many numbers works in the memory for what is received.
#ifdef MGPU_TEST_CUDA
constexpr bool sorts_where_it_receives = true;
#else
constexpr bool sorts_where_it_receives = false;
#endif

template <class Key, class Value>
void check_sort(offset count) {
  const shares s = shares_of(count);
  const auto all = keys<Key>(s.total(), repeats::few, 1);
  const std::vector<Value> numbers(static_cast<std::size_t>(s.total()));
  const rooms<first_executor, Key> keys(s);
  const rooms<first_executor, Value> values(s);
  const auto fill = [&](int r) {
    const auto own_keys = part_of(all, s, r);
    const auto own_values = part_of(numbers, s, r);
    first_executor::copy_in(keys[r].begin(), own_keys.data(), own_keys.size() * sizeof(Key));
    first_executor::copy_in(values[r].begin(), own_values.data(), own_values.size() * sizeof(Value));
  };
  const auto most = most_of_ranks([&](const auto& everywhere, int r) {
    fill(r);
    mgpu::stable_sort_by_key(everywhere, keys[r].begin(), keys[r].end(), values[r].begin());
  });
  for (int r = 0; r < ranks; ++r) {
    use_device_of(r);
    fill(r);
    const offset alone = most_alone(
        [&](const auto& p) { mgpu::stable_sort_by_key(p, keys[r].begin(), keys[r].end(), values[r].begin()); });
    const offset own = s.counts[static_cast<std::size_t>(r)], arrays = own * offset{sizeof(Key) + sizeof(Value)};
    const bool is_in_received = sorts_where_it_receives && own > mgpu::detail::tuning::most_sorted_in_place;
    const offset for_the_sort = is_in_received ? 0 : alone;
    check_figure(most[static_cast<std::size_t>(r)], 2 * arrays + split_bytes<Key> + for_the_sort);
  }
  use_device_of(0);
}

TEST_CASE("a sort takes twice the rank's arrays, and what their sort takes beside them") {
  if (!has_ranks(ranks)) return;
  check_sort<std::uint32_t, std::uint32_t>(1'000'000);
  if (sorts_where_it_receives) check_sort<std::uint32_t, std::uint32_t>(5'000'000);
  check_sort<std::uint64_t, std::uint32_t>(1'000'000);
  check_sort<double, std::uint64_t>(1'000'000);
}

TEST_CASE("a merge and a union take the rank's share, and some bytes for each tile") {
  if (!has_ranks(ranks)) return;
  const shares s = shares_of(1'000'000), both = shares_of(2'000'000);
  auto a = keys<std::uint64_t>(s.total(), repeats::few, 1), b = keys<std::uint64_t>(s.total(), repeats::few, 2);
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  const spread<first_executor, std::uint64_t> a_in(a, s), b_in(b, s);
  const rooms<first_executor, std::uint64_t> out(both);
  const auto merge = [&](const auto& p, int r) {
    mgpu::merge(p, a_in[r].begin(), a_in[r].end(), b_in[r].begin(), b_in[r].end(), out[r].begin());
  };
  const auto unite = [&](const auto& p, int r) {
    mgpu::set_union(p, a_in[r].begin(), a_in[r].end(), b_in[r].begin(), b_in[r].end(), out[r].begin());
  };
  const auto check = [&](const auto& call) {
    const auto most = most_of_ranks(call);
    for (int r = 0; r < ranks; ++r) {
      use_device_of(r);
      const offset share = both.counts[static_cast<std::size_t>(r)] * offset{sizeof(std::uint64_t)};
      const offset alone = most_alone([&](const auto& p) { call(p, r); });
      check_figure(most[static_cast<std::size_t>(r)], share + split_bytes<std::uint64_t> + alone);
    }
    use_device_of(0);
  };
  check(merge);
  check(unite);
}

}  // namespace
