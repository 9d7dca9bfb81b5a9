// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls over ranks that fail on one rank: every rank throws, none hangs, inputs are unchanged.
#include "outcome.h"
#include "ranks.h"
#include "support/refusing_allocator.h"

#include <array>
#include <atomic>
#include <limits>
#include <new>
#include <stdexcept>

namespace {

using namespace test;

const int ranks = are_over_nccl() ? 2 : 4;
constexpr int most_ranks = 4;

/// What a call on a rank has thrown.
using outcomes_of_ranks = std::vector<outcome>;

/// Two sorted inputs and one that is not, with outputs, on the ranks.
struct data {
  shares s = ranks == 2 ? shares{"", {700, 900}} : shares{"", {700, 0, 900, 400}},
         room = ranks == 2 ? shares{"", {1400, 1800}} : shares{"", {1400, 0, 1800, 800}};
  std::vector<std::uint32_t> a = sorted(1), b = sorted(2), c = keys<std::uint32_t>(s.total(), repeats::few, 3);
  spread<first_executor, std::uint32_t> a_in{a, s}, b_in{b, s}, sorted_in_place{c, s};
  rooms<first_executor, std::uint32_t> out{room}, moved{s};

  std::vector<std::uint32_t> sorted(unsigned seed) const {
    auto result = keys<std::uint32_t>(s.total(), repeats::few, seed);
    std::sort(result.begin(), result.end());
    return result;
  }
  bool unchanged() const { return a_in.unchanged() && b_in.unchanged() && sorted_in_place.unchanged(); }
};

/// Call number `number` on a rank.
template <class Policy, class Compare = cuda::std::less<>>
void make_call(int number, const Policy& p, const data& d, int r, Compare compare = {}) {
  const auto *a = d.a_in[r].begin(), *a_end = d.a_in[r].end(), *b = d.b_in[r].begin(), *b_end = d.b_in[r].end();
  if (number == 0) mgpu::stable_sort(p, d.sorted_in_place[r].begin(), d.sorted_in_place[r].end(), compare);
  if (number == 1) mgpu::merge(p, a, a_end, b, b_end, d.out[r].begin(), compare);
  if (number == 2) mgpu::set_union(p, a, a_end, b, b_end, d.out[r].begin(), compare);
  if (number == 3) mgpu::set_intersection_size(p, a, a_end, b, b_end, compare);
}

TEST_CASE("allocations that fail on one rank") {
  if (!has_ranks(ranks)) return;
  for (int call = 0; call < 4; ++call) {
    for (const int victim : {0, 1, 3}) {
      if (victim >= ranks) continue;
      requests logs[most_ranks];
      for (int allowed = 0;; ++allowed) {
        const data d;
        for (auto& log : logs) log.restart(1 << 30);
        logs[victim].restart(allowed);
        outcomes_of_ranks outcomes(static_cast<std::size_t>(ranks));
        run_ranks(ranks, [&](const auto& c) {
          const auto local = first_executor::policy()(refusing_allocator{&logs[c.rank()]});
          outcomes[static_cast<std::size_t>(c.rank())] =
              outcome_of([&] { make_call(call, mgpu::distributed(local, c), d, c.rank()); });
        });
        for (auto& log : logs) CHECK(log.allocations == log.deallocations);
        if (outcomes[static_cast<std::size_t>(victim)] == outcome::returned) {
          CHECK(allowed > 0);
          CHECK(std::count(outcomes.begin(), outcomes.end(), outcome::returned) == ranks);
          break;
        }
        INFO("call ", call, ", rank ", victim, " has ", allowed, " allocations");
        CHECK(outcomes[static_cast<std::size_t>(victim)] == outcome::no_memory);
        CHECK(std::count(outcomes.begin(), outcomes.end(), outcome::rank_failed) == ranks - 1);
        if (call != 0 || allowed < 2) CHECK(d.unchanged());  // then a sort merges into the ranks' arrays
      }
    }
  }
}

TEST_CASE("bad arguments on one rank") {
  if (!has_ranks(ranks)) return;
  for (int victim = 0; victim < ranks; victim += 2) {
    const data d;
    std::array<outcomes_of_ranks, 5> outcomes;
    outcomes.fill(outcomes_of_ranks(static_cast<std::size_t>(ranks)));
    run_ranks(ranks, [&](const auto& c) {
      const auto everywhere = mgpu::distributed(first_executor::policy(), c);
      const int r = c.rank();
      const auto i = static_cast<std::size_t>(r);
      const auto *a = d.a_in[r].begin(), *a_end = r == victim ? a - 1 : d.a_in[r].end();
      std::uint32_t* const keys = r == victim ? nullptr : d.sorted_in_place[r].begin();
      std::uint32_t* const keys_end = d.sorted_in_place[r].end();
      outcomes[0][i] = outcome_of([&] { mgpu::merge(everywhere, a, a_end, a, a, d.out[r].begin()); });
      outcomes[1][i] = outcome_of([&] { mgpu::set_difference(everywhere, a, a_end, a, a, d.out[r].begin()); });
      outcomes[2][i] = outcome_of([&] { mgpu::stable_sort(everywhere, keys, keys_end); });
      const auto *b = d.b_in[r].begin(), *b_end = d.b_in[r].end();
      std::uint32_t* const out = r == victim ? nullptr : d.out[r].begin();
      outcomes[3][i] = outcome_of([&] { mgpu::set_union(everywhere, b, b_end, b, b_end, out); });
      outcomes[4][i] = outcome_of([&] { mgpu::merge(everywhere, b, b_end, b, b_end, out); });
    });
    for (const auto& o : outcomes) {
      CHECK(o[static_cast<std::size_t>(victim)] == outcome::bad_argument);
      CHECK(std::count(o.begin(), o.end(), outcome::rank_failed) == ranks - 1);
    }
    CHECK(d.unchanged());
    CHECK(d.out.untouched());
  }
}

TEST_CASE("totals that differ, and different calls, throw on every rank") {
  if (!has_ranks(ranks)) return;
  const data d;
  const outcomes_of_ranks none(static_cast<std::size_t>(ranks));
  auto totals = none, calls = none, operations = none, sizes = none, promises = none, after = none;
  run_ranks(ranks, [&](const auto& c) {
    const auto everywhere = mgpu::distributed(first_executor::policy(), c);
    const int r = c.rank();
    const auto i = static_cast<std::size_t>(r);
    totals[i] = outcome_of([&] {
      mgpu::rebalance(everywhere, d.a_in[r].begin(), d.a_in[r].end(), d.moved[r].begin(),
                      d.moved[r].end() - (r == ranks - 2));
    });
    calls[i] = outcome_of([&] { make_call(r == ranks - 1 ? 1 : 2, everywhere, d, r); });
    const auto *a = d.a_in[r].begin(), *a_end = d.a_in[r].end(), *b = d.b_in[r].begin(), *b_end = d.b_in[r].end();
    operations[i] = outcome_of([&] {
      if (r == ranks - 1) mgpu::set_intersection(everywhere, a, a_end, b, b_end, d.out[r].begin());
      else mgpu::set_difference(everywhere, a, a_end, b, b_end, d.out[r].begin());
    });
    sizes[i] = outcome_of([&] {
      if (r == 1) mgpu::set_union_size(everywhere, a, a_end, b, b_end);
      else mgpu::set_symmetric_difference_size(everywhere, a, a_end, b, b_end);
    });
    promises[i] = outcome_of([&] {
      if (r == 0) mgpu::set_intersection_size(everywhere, a, a_end, a, a, mgpu::unique_keys);
      else mgpu::set_intersection_size(everywhere, a, a_end, a, a);
    });
    after[i] = outcome_of([&] { make_call(1, everywhere, d, r); });  // the group is as good as before
  });
  CHECK(std::count(totals.begin(), totals.end(), outcome::bad_argument) == ranks);
  CHECK(d.moved.untouched());
  for (const auto& o : {calls, operations, sizes, promises})
    CHECK(std::count(o.begin(), o.end(), outcome::bad_argument) == ranks);
  CHECK(std::count(after.begin(), after.end(), outcome::returned) == ranks);
  CHECK(d.unchanged());
}

TEST_CASE("inputs without order: all ranks throw, or none, and nothing else is written") {
  if (!has_ranks(ranks)) return;
  for (unsigned seed = 0; seed < 12; ++seed) {
    data d;
    const auto mixed = keys<std::uint32_t>(d.s.total(), seed % 2 == 0 ? repeats::few : repeats::many, seed);
    const spread<first_executor, std::uint32_t> a(mixed, d.s);
    std::array<outcomes_of_ranks, 5> outcomes;
    outcomes.fill(outcomes_of_ranks(static_cast<std::size_t>(ranks)));
    run_ranks(ranks, [&](const auto& c) {
      const auto everywhere = mgpu::distributed(first_executor::policy(), c);
      const int r = c.rank();
      const auto i = static_cast<std::size_t>(r);
      const auto *x = a[r].begin(), *x_end = a[r].end(), *y = d.b_in[r].begin(), *y_end = d.b_in[r].end();
      outcomes[0][i] = outcome_of([&] { mgpu::merge(everywhere, x, x_end, y, y_end, d.out[r].begin()); });
      outcomes[1][i] = outcome_of([&] { mgpu::merge(everywhere, y, y_end, x, x_end, d.out[r].begin()); });
      outcomes[2][i] = outcome_of([&] { mgpu::set_union(everywhere, x, x_end, y, y_end, d.out[r].begin()); });
      outcomes[3][i] =
          outcome_of([&] { mgpu::set_symmetric_difference(everywhere, x, x_end, x, x_end, d.out[r].begin()); });
      outcomes[4][i] = outcome_of([&] { mgpu::set_intersection(everywhere, y, y_end, x, x_end, d.out[r].begin()); });
    });
    for (const auto& o : outcomes) {
      const auto threw = std::count(o.begin(), o.end(), outcome::returned);
      CHECK((threw == 0 || threw == ranks));
      CHECK(std::count(o.begin(), o.end(), outcome::other) == 0);
    }
    for (int r = 0; r < ranks; ++r) CHECK(d.out[r].guards_untouched());
    CHECK(a.unchanged());
    CHECK(d.b_in.unchanged());
  }
}

TEST_CASE("a sort of NaN keeps the elements, or throws on every rank") {
  if (!has_ranks(ranks)) return;
  const shares s = ranks == 2 ? shares{"", {500, 1300}} : shares{"", {500, 600, 0, 700}};
  for (unsigned seed = 0; seed < 6; ++seed) {
    auto all = keys<double>(s.total(), repeats::many, seed);
    for (std::size_t i = seed; i < all.size(); i += 5) all[i] = std::numeric_limits<double>::quiet_NaN();
    const rooms<first_executor, double> arrays(s);
    outcomes_of_ranks outcomes(static_cast<std::size_t>(ranks));
    run_ranks(ranks, [&](const auto& c) {
      const int r = c.rank();
      const auto part = part_of(all, s, r);
      first_executor::copy_in(arrays[r].begin(), part.data(), part.size() * sizeof(double));
      outcomes[static_cast<std::size_t>(r)] = outcome_of([&] {
        mgpu::stable_sort(mgpu::distributed(first_executor::policy(), c), arrays[r].begin(), arrays[r].end());
      });
    });
    const auto returned = std::count(outcomes.begin(), outcomes.end(), outcome::returned);
    CHECK((returned == 0 || returned == ranks));
    for (int r = 0; r < ranks; ++r) {
      CHECK(arrays[r].guards_untouched());
      if (returned == 0) CHECK(arrays[r].first_difference(part_of(all, s, r)) == -1);
    }
  }
}

/// Less, of which nobody knows that.
struct upwards {
  MGPU_HOST_DEVICE bool operator()(std::uint32_t x, std::uint32_t y) const { return x < y; }
};

TEST_CASE("less on one rank, and a comparator of one's own on another") {
  if (!has_ranks(ranks)) return;
  outcomes_of_ranks outcomes(static_cast<std::size_t>(ranks));
  const data d;
  run_ranks(ranks, [&](const auto& c) {
    const int r = c.rank();
    const auto everywhere = mgpu::distributed(first_executor::policy(), c);
    outcomes[static_cast<std::size_t>(r)] = outcome_of([&] {
      if (r == 0) make_call(0, everywhere, d, r, cuda::std::less<>{});
      else make_call(0, everywhere, d, r, upwards{});
    });
  });
  CHECK(std::count(outcomes.begin(), outcomes.end(), outcome::bad_argument) == ranks);
  CHECK(d.unchanged());
}

TEST_CASE("numbers of one size and of different kinds") {
  if (!has_ranks(ranks)) return;
  for (int victim = 0; victim < 2; ++victim) {
    outcomes_of_ranks outcomes(static_cast<std::size_t>(ranks));
    const data d;
    run_ranks(ranks, [&](const auto& c) {
      const int r = c.rank();
      const auto everywhere = mgpu::distributed(first_executor::policy(), c);
      auto *keys = d.sorted_in_place[r].begin(), *keys_end = d.sorted_in_place[r].end();
      outcomes[static_cast<std::size_t>(r)] = outcome_of([&] {
        if (r == victim)
          mgpu::stable_sort(everywhere, reinterpret_cast<std::int32_t*>(keys),
                            reinterpret_cast<std::int32_t*>(keys_end));
        else mgpu::stable_sort(everywhere, keys, keys_end);
      });
    });
    CHECK(std::count(outcomes.begin(), outcomes.end(), outcome::bad_argument) == ranks);
    CHECK(d.unchanged());
  }
}

#if !defined(MGPU_TEST_CUDA)
struct refusal {};

/// Throws at one of its calls on one rank.
struct throwing_less {
  std::atomic<int>* calls;
  int last;
  bool operator()(std::uint32_t x, std::uint32_t y) const {
    if (calls->fetch_add(1, std::memory_order_relaxed) == last) throw refusal{};
    return x < y;
  }
};

TEST_CASE("a comparator that throws on one rank") {
  for (int call = 0; call < 4; ++call) {
    std::atomic<int> calls[most_ranks];
    int all_calls = 0;
    for (int attempt = -1; attempt < 12; ++attempt) {
      const data d;
      for (auto& n : calls) n = 0;
      const int victim = attempt % ranks == 1 ? 0 : 2, last = attempt < 0 ? -1 : attempt * (all_calls - 1) / 11;
      outcomes_of_ranks outcomes(static_cast<std::size_t>(ranks));
      run_ranks(ranks, [&](const auto& c) {
        const int r = c.rank();
        const throwing_less compare{&calls[r], r == victim ? last : -1};
        outcomes[static_cast<std::size_t>(r)] =
            outcome_of([&] { make_call(call, mgpu::distributed(mgpu::cpp::par, c), d, r, compare); });
      });
      INFO("call ", call, ", rank ", victim, " throws at comparison ", last, " of ", all_calls);
      if (attempt < 0) {
        all_calls = std::min(calls[0].load(), calls[2].load());
        CHECK(std::count(outcomes.begin(), outcomes.end(), outcome::returned) == ranks);
        continue;
      }
      CHECK(outcomes[static_cast<std::size_t>(victim)] == outcome::other);
      CHECK(std::count(outcomes.begin(), outcomes.end(), outcome::rank_failed) == ranks - 1);
      CHECK(d.a_in.unchanged());
      CHECK(d.b_in.unchanged());
      if (attempt < 6) CHECK(d.unchanged());  // before the exchange
    }
  }
}
#endif

}  // namespace
