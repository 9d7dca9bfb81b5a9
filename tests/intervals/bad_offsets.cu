// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Offsets that are no exclusive scan: found where the policy waits, and harmless everywhere.
#include "check_intervals.h"
#include "support/throws_ours.h"
#include "support/watched.h"

#include <limits>

namespace {

using namespace test;

/// The definition of an exclusive scan of counts with this total.
bool is_scan(const std::vector<offset>& offsets, offset total) {
  if (offsets.empty()) return total == 0;
  return offsets.front() == 0 && std::is_sorted(offsets.begin(), offsets.end()) && offsets.back() <= total;
}

/// The counts that offsets are the scan of.
std::vector<int> counts_of(const std::vector<offset>& offsets, offset total) {
  std::vector<int> counts;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    counts.push_back(static_cast<int>((i + 1 < offsets.size() ? offsets[i + 1] : total) - offsets[i]));
  }
  return counts;
}

/// All functions that write in the order of items, which cannot write anywhere else whatever the offsets are.
template <class T, class Executor, class Policy>
void check_offsets(Executor, const Policy& policy, const std::vector<offset>& offsets, offset total,
                   bool finds_faults) {
  const bool is_good = is_scan(offsets, total), is_found = finds_faults && !is_good;
  const auto count = static_cast<offset>(offsets.size());
  // Positions from which a source has as many items as there are, whatever counts these offsets stand for.
  std::vector<offset> places(offsets.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<offset>(i) * 7919 % (total + 1);
  const offset most = places.empty() ? 0 : *std::max_element(places.begin(), places.end());
  const auto values = elements<T>(100, count), source = elements<T>(-5000, most + total);
  const input<Executor, offset> offsets_in(offsets), gather(places);
  const input<Executor, T> values_in(values), source_in(source, 5);
  const output<Executor, T> expanded(total, 1), gathered(total, 2);
  const output<Executor, int> times(total + 1);
  const output<Executor, offset> interval_out(total), rank_out(total);
  const std::vector<int> zeros(static_cast<std::size_t>(total) + 1, 0);
  Executor::copy_in(times.begin(), zeros.data(), zeros.size() * sizeof(int));
  const offset* const first = offsets_in.begin();
  const mgpu::interval_offsets intervals(first, count, total);

  CHECK(throws_ours([&] {
          const T* const end = mgpu::interval_expand(policy, intervals, values_in.begin(), expanded.begin());
          CHECK(end == expanded.end());
        }) == is_found);
  CHECK(throws_ours([&] {
          mgpu::interval_gather(policy, intervals, gather.begin(), source_in.begin(), gathered.begin());
        }) == is_found);
  CHECK(throws_ours([&] {
          mgpu::for_each_interval_item(policy, intervals,
                                       note_visit{total, interval_out.begin(), rank_out.begin(), times.begin()});
        }) == is_found);
  CHECK(expanded.guards_untouched());
  CHECK(gathered.guards_untouched());
  CHECK(interval_out.guards_untouched());
  CHECK(rank_out.guards_untouched());
  CHECK(times.guards_untouched());
  CHECK(times.read().back() == 0);  // calls with what is no item
  CHECK(offsets_in.unchanged());
  CHECK(values_in.unchanged());
  CHECK(gather.unchanged());
  CHECK(source_in.unchanged());
  if (!is_good) return;
  std::vector<T> expected_values, expected_source;
  for_each_item(counts_of(offsets, total), [&](offset, std::size_t i, offset rank) {
    expected_values.push_back(values[i]);
    expected_source.push_back(source[static_cast<std::size_t>(places[i] + rank)]);
  });
  CHECK(expanded.first_difference(expected_values) == -1);
  CHECK(gathered.first_difference(expected_source) == -1);
}

/// With policies that wait, and with one that does not.
template <class T>
void check_offsets_of(const std::vector<offset>& offsets, offset total) {
  for_each_executor([&](auto executor) {
    INFO(executor.name, ", elements of ", sizeof(T), " bytes");
    check_offsets<T>(executor, executor.policy(), offsets, total, true);
#ifdef MGPU_TEST_CUDA
    INFO("par_nosync");
    check_offsets<T>(executor, mgpu::par_nosync, offsets, total, false);
#endif
  });
}

/// In turns with elements that are moved one by one and with such as go by words.
void check_offsets(const std::vector<offset>& offsets, offset total) {
  static int number = 0;
  if (++number % 3 == 0) check_offsets_of<std::uint16_t>(offsets, total);
  else check_offsets_of<int>(offsets, total);
}

/// Calls f(what is written in place of an offset).
template <class F>
void for_each_change(offset old, offset total, const F& f) {
  constexpr offset least = std::numeric_limits<offset>::min(), most = std::numeric_limits<offset>::max();
  for (const offset changed : {old - 1, old + 1, old + 3000, offset{0}, offset{-1}, total, total + 1,
                               old - (offset{1} << 32), old + (offset{1} << 32), most, least}) {
    f(changed);
  }
}

int some_tile() { return first_executor::items_per_tile<expand_core<int>>(); }

}  // namespace

TEST_CASE("one wrong offset at the beginning, at the end, at tile borders and elsewhere") {
  const int tile = some_tile();
  std::mt19937 random(8);
  for (const auto s : {sharing::ones, sharing::tens, sharing::long_inside, sharing::zipf}) {
    const auto counts = counts_of_size(s, 2 * tile + 100, random);
    const auto offsets = offsets_of(counts);
    const offset total = total_of(counts), count = static_cast<offset>(counts.size());
    std::vector<offset> places{0, 1, count - 1, count / 2, static_cast<offset>(random() % counts.size())};
    if (s == sharing::ones) places.insert(places.end(), {tile / 2 - 1, tile / 2, tile / 2 + 1, tile});
    for (const offset place : places) {
      if (takes_few_cases() && place % 3 != 1) continue;
      const auto i = static_cast<std::size_t>(place);
      for_each_change(offsets[i], total, [&](offset changed) {
        INFO("offset ", place, " of ", count, " is ", changed, " instead of ", offsets[i], ", the total is ", total);
        auto wrong = offsets;
        wrong[i] = changed;
        check_offsets(wrong, total);
      });
    }
  }
}

TEST_CASE("offsets that are wrong as a whole") {
  const int tile = some_tile();
  std::mt19937_64 random(9);
  for (const int count : {1, 2, tile / 3, 2 * tile + 1}) {
    for (const offset total : {offset{0}, offset{1}, offset{tile / 2}, offset{3 * tile}}) {
      INFO(count, " offsets, the total is ", total);
      std::vector<offset> offsets(static_cast<std::size_t>(count));
      const auto check = [&](auto next) {
        for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = next(static_cast<offset>(i));
        check_offsets(offsets, total);
      };
      check([&](offset) { return static_cast<offset>(random() % static_cast<std::uint64_t>(total + 1)); });
      check([&](offset) { return static_cast<offset>(random()); });
      check([&](offset i) { return total - i; });
      check([&](offset i) { return total + i; });
      check([&](offset i) { return -i; });
      check([&](offset i) { return 2 * i; });
      check([&](offset) { return total; });
      check([&](offset i) { return i < count / 2 ? offset{0} : total + 1; });
      check([&](offset i) { return std::min(i / 2 * 2 + (1 - i % 2), total); });  // neighbours have changed places
    }
  }
}

TEST_CASE("wrong offsets beyond a single launch") {
  const int size = first_executor::items_beyond_single_launch<expand_core<int>>();
  std::mt19937 random(10);
  const auto counts = counts_of_size(sharing::tens, size, random);
  const auto offsets = offsets_of(counts);
  const offset total = total_of(counts);
  const auto check_change = [&](std::size_t i, offset changed) {
    INFO("offset ", i, " is ", changed, " instead of ", offsets[i], ", the total is ", total);
    auto wrong = offsets;
    wrong[i] = changed;
    check_offsets(wrong, total);
  };
  const auto last = offsets.size() - 1;
  check_change(last / 3, offsets[last / 3 + 1] + 1);
  if (takes_few_cases()) return;
  check_change(0, 1);
  check_change(last, total + 1);
  check_change(last / 2, -(offset{1} << 40));
  auto shuffled = offsets;
  std::shuffle(shuffled.begin() + 1, shuffled.end(), random);
  check_offsets(shuffled, total);
  auto short_of_total = offsets;
  check_offsets(short_of_total, total + 1000);  // which the last interval has
  check_offsets(short_of_total, offsets.back() - 1);
}

TEST_CASE("only offsets and values of intervals are read, and only what intervals name of a source") {
  const int tile = some_tile();
  std::mt19937 random(12);
  int number = 0;
  for (const auto s : all_sharings) {
    for (const int size : {1, tile, 2 * tile + 77}) {
      const auto counts = counts_of_size(s, size, random);
      const auto offsets = offsets_of(counts);
      const auto values = elements<int>(3, static_cast<offset>(counts.size()));
      const auto places = place(layout::apart, counts, random);
      const auto source = elements<int>(9, places.extent);
      std::vector<char> is_named(source.size(), 0);
      std::vector<int> expanded, gathered;
      for_each_item(counts, [&](offset, std::size_t i, offset rank) {
        const auto at = static_cast<std::size_t>(places.begins[i] + rank);
        is_named[at] = 1;
        expanded.push_back(values[i]);
        gathered.push_back(source[at]);
      });
      for_each_executor([&](auto executor) {
        INFO(executor.name, ", ", counts.size(), " intervals with ", total_of(counts), " items, number ", ++number);
        using executor_type = decltype(executor);
        const watched<executor_type, offset> offsets_in(offsets), gather(places.begins);
        const watched<executor_type, int> values_in(values), source_in(source, is_named);
        const output<executor_type, int> expand_out(total_of(counts)), gather_out(total_of(counts));
        const auto count = static_cast<offset>(counts.size());
        const mgpu::interval_offsets intervals(offsets_in.begin(), count, total_of(counts));
        mgpu::interval_expand(executor.policy(), intervals, values_in.begin(), expand_out.begin());
        mgpu::interval_gather(executor.policy(), intervals, gather.begin(), source_in.begin(), gather_out.begin());
        CHECK(expand_out.first_difference(expanded) == -1);
        CHECK(gather_out.first_difference(gathered) == -1);
        CHECK(offsets_in.has_no_strays());
        CHECK(values_in.has_no_strays());
        CHECK(gather.has_no_strays());
        CHECK(source_in.has_no_strays());

        // Bad offsets, too, are read where they are, and so are their values.
        auto wrong = offsets;
        wrong[random() % wrong.size()] += static_cast<int>(random() % 5000) - 2500;
        std::swap(wrong.front(), wrong[random() % wrong.size()]);
        const watched<executor_type, offset> wrong_in(wrong);
        const mgpu::interval_offsets wrong_intervals(wrong_in.begin(), count, total_of(counts));
        CHECK(throws_ours([&] {
                mgpu::interval_expand(executor.policy(), wrong_intervals, values_in.begin(), expand_out.begin());
              }) == !is_scan(wrong, total_of(counts)));
        CHECK(expand_out.guards_untouched());
        CHECK(wrong_in.has_no_strays());
        CHECK(values_in.has_no_strays());
      });
    }
  }
}
