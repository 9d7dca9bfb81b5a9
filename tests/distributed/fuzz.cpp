// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random calls over ranks against std:: on the whole sequences: any number of ranks, shares and repeats of keys; all
// functions by key, one after the other over one group, so that a call that leaves a message behind spoils the next.
// MGPU_TEST_SEEDS is how many of them; by default a few.
#include "ranks.h"

#include <cstdlib>
#include <functional>

namespace {

using namespace test;
using numbers_of_rank = std::vector<std::uint32_t>;

/// A sequence with keys in order, and its positions as values; a part of both for each rank.
struct sequence {
  shares s;
  std::vector<std::uint32_t> keys, values;

  numbers_of_rank keys_of(int r) const { return part_of(keys, s, r); }
  numbers_of_rank values_of(int r) const { return part_of(values, s, r); }
};

shares random_shares(int ranks, std::mt19937& random) {
  shares s{"", std::vector<offset>(static_cast<std::size_t>(ranks))};
  const std::uint32_t most = 1u << random() % 13;
  for (offset& count : s.counts) count = random() % 3 == 0 ? 0 : static_cast<offset>(random() % most);
  if (random() % 8 == 0) s.counts[random() % s.counts.size()] += 20'000;
  return s;
}

std::vector<std::uint32_t> random_keys(offset count, std::mt19937& random) {
  const std::uint32_t least = random() % 2 == 0 ? 0 : 1u << random() % 16, most = least + (1u << random() % 17);
  std::vector<std::uint32_t> keys(static_cast<std::size_t>(count));
  for (auto& k : keys) k = std::uniform_int_distribution<std::uint32_t>(least, most)(random);
  if (random() % 4 == 0) std::fill(keys.begin(), keys.begin() + static_cast<offset>(keys.size() / 2), most);
  return keys;
}

sequence random_sequence(int ranks, std::uint32_t first_value, std::mt19937& random) {
  sequence x{random_shares(ranks, random), {}, {}};
  x.keys = random_keys(x.s.total(), random);
  std::sort(x.keys.begin(), x.keys.end());
  x.values = indices(x.keys.size(), first_value);
  return x;
}

/// What the ranks have got, one behind the other.
struct gathered {
  std::vector<numbers_of_rank> keys, values;

  explicit gathered(int ranks) : keys(static_cast<std::size_t>(ranks)), values(keys.size()) {}
  bool is(const std::vector<std::uint32_t>& order, const std::vector<std::uint32_t>& both) const {
    numbers_of_rank all_keys, all_values;
    for (const auto& x : keys) all_keys.insert(all_keys.end(), x.begin(), x.end());
    for (const auto& x : values) all_values.insert(all_values.end(), x.begin(), x.end());
    return all_values == order && all_keys == taken(both, order);
  }
};

/// A function with two inputs: over ranks, and of std:: on positions.
struct function {
  const char* name;
  std::function<std::size_t(const mgpu::in_process_communicator&, const sequence&, const sequence&, numbers_of_rank&,
                            numbers_of_rank&)>
      run;
  std::function<void(const numbers_of_rank&, const numbers_of_rank&, numbers_of_rank&,
                     const std::function<bool(std::uint32_t, std::uint32_t)>&)>
      expected;
};

#define MGPU_FUZZ_FUNCTION(NAME, STD_NAME, ...)                                                                   \
  function {                                                                                                      \
#NAME,                                                                                                          \
        [](const auto& c, const sequence& a, const sequence& b, numbers_of_rank& keys, numbers_of_rank& values) {   \
          const auto ka = a.keys_of(c.rank()), kb = b.keys_of(c.rank()), va = a.values_of(c.rank()),                \
                     vb = b.values_of(c.rank());                                                                    \
          const auto everywhere = mgpu::distributed(mgpu::cpp::par, c);                                             \
          return static_cast<std::size_t>(mgpu::NAME(everywhere, ka.begin(), ka.end(), kb.begin(), kb.end(),        \
                                                     __VA_ARGS__, keys.begin(), values.begin())                     \
                                              .first -                                                              \
                                          keys.begin());                                                            \
        },                                                                                                          \
        [](const auto& a, const auto& b, auto& out, const auto& less) {                                             \
          std::STD_NAME(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out), less);                     \
        } \
  }

const function functions[] = {
    MGPU_FUZZ_FUNCTION(merge_by_key, merge, va.begin(), vb.begin()),
    MGPU_FUZZ_FUNCTION(set_union_by_key, set_union, va.begin(), vb.begin()),
    MGPU_FUZZ_FUNCTION(set_intersection_by_key, set_intersection, va.begin()),
    MGPU_FUZZ_FUNCTION(set_difference_by_key, set_difference, va.begin(), vb.begin()),
    MGPU_FUZZ_FUNCTION(set_symmetric_difference_by_key, set_symmetric_difference, va.begin(), vb.begin()),
};

void check_two_inputs(const mgpu::in_process_group& group, std::mt19937& random) {
  const sequence a = random_sequence(group.size(), 0, random),
                 b = random_sequence(group.size(), static_cast<std::uint32_t>(a.keys.size()), random);
  auto both = a.keys;
  both.insert(both.end(), b.keys.begin(), b.keys.end());
  const auto less = [&](std::uint32_t x, std::uint32_t y) { return both[x] < both[y]; };
  for (const function& f : functions) {
    INFO(f.name);
    numbers_of_rank expected;
    f.expected(a.values, b.values, expected, less);
    gathered got(group.size());
    group.run([&](const auto& c) {
      const auto r = static_cast<std::size_t>(c.rank());
      const auto room = static_cast<std::size_t>(a.s.counts[r] + b.s.counts[r]);
      got.keys[r].resize(room);
      got.values[r].resize(room);
      const std::size_t size = f.run(c, a, b, got.keys[r], got.values[r]);
      got.keys[r].resize(size);
      got.values[r].resize(size);
    });
    CHECK(got.is(expected, both));
  }
}

/// Parts that are in order, of a sequence that is not: nothing is written beyond a rank's room.
void check_disorder(int ranks, std::mt19937& random) {
  const auto parts = [&] {
    std::vector<numbers_of_rank> made(static_cast<std::size_t>(ranks));
    for (auto& part : made) {
      part.resize(random() % 4);
      for (auto& key : part) key = static_cast<std::uint32_t>(random() % 3);
      std::sort(part.begin(), part.end());
    }
    return made;
  };
  const auto a = parts(), b = parts();
  constexpr std::uint32_t untouched = 99;
  std::vector<numbers_of_rank> out(a.size());
  const auto check = [&](const auto& call) {
    try {
      mgpu::in_process_group(ranks).run([&](const auto& c) {
        const auto r = static_cast<std::size_t>(c.rank());
        out[r].assign(a[r].size() + b[r].size() + 3, untouched);
        call(mgpu::distributed(mgpu::cpp::par, c), r);
      });
    } catch (const std::invalid_argument&) {  // the splits contradict each other
    }
    for (std::size_t r = 0; r < a.size(); ++r) {
      for (std::size_t i = a[r].size() + b[r].size(); i < out[r].size(); ++i) CHECK(out[r][i] == untouched);
    }
  };
  check([&](const auto& p, std::size_t r) {
    mgpu::set_union(p, a[r].begin(), a[r].end(), b[r].begin(), b[r].end(), out[r].begin());
  });
  check([&](const auto& p, std::size_t r) {
    mgpu::set_difference(p, a[r].begin(), a[r].end(), b[r].begin(), b[r].end(), out[r].begin());
  });
  check([&](const auto& p, std::size_t r) {
    mgpu::set_symmetric_difference(p, a[r].begin(), a[r].end(), b[r].begin(), b[r].end(), out[r].begin());
  });
}

void check_sort_and_rebalance(const mgpu::in_process_group& group, std::mt19937& random) {
  const shares s = random_shares(group.size(), random);
  const auto keys = random_keys(s.total(), random);
  numbers_of_rank order = indices(keys.size());
  std::stable_sort(order.begin(), order.end(), [&](auto x, auto y) { return keys[x] < keys[y]; });
  gathered got(group.size()), last(group.size());
  group.run([&](const auto& c) {
    const auto r = static_cast<std::size_t>(c.rank());
    const auto everywhere = mgpu::distributed(mgpu::cpp::par, c);
    got.keys[r] = part_of(keys, s, c.rank());
    got.values[r] = part_of(indices(keys.size()), s, c.rank());
    mgpu::stable_sort_by_key(everywhere, got.keys[r].begin(), got.keys[r].end(), got.values[r].begin());
    const auto room = c.rank() + 1 == c.size() ? keys.size() : 0;  // all to the last rank
    last.keys[r].resize(room);
    last.values[r].resize(room);
    mgpu::rebalance(everywhere, got.keys[r].begin(), got.keys[r].end(), last.keys[r].begin(), last.keys[r].end());
    mgpu::rebalance(everywhere, got.values[r].begin(), got.values[r].end(), last.values[r].begin(),
                    last.values[r].end());
  });
  for (std::size_t r = 0; r < got.keys.size(); ++r) CHECK(static_cast<offset>(got.keys[r].size()) == s.counts[r]);
  CHECK(got.is(order, keys));
  CHECK(last.is(order, keys));
}

TEST_CASE("random calls") {
  const char* const seeds = std::getenv("MGPU_TEST_SEEDS");
  const int count = seeds != nullptr ? std::atoi(seeds) : takes_few_cases() ? 10 : 120;
  for (int seed = 0; seed < count; ++seed) {
    std::mt19937 random(static_cast<unsigned>(seed));
    const mgpu::in_process_group group(1 + static_cast<int>(random() % 8));
    INFO("seed ", seed, ", ", group.size(), " ranks");
    check_two_inputs(group, random);
    check_sort_and_rebalance(group, random);
  }
}

TEST_CASE("parts that are in order, of sequences that are not") {
  std::mt19937 random(1);
  for (int i = 0; i < 400; ++i) check_disorder(2 + i % 2, random);
}

}  // namespace
