// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The search for splits with many ranks, in one process: what the rank of one border does, with the lists of all ranks.
// Every border is exact, within the rounds that the number of elements allows.
#include <doctest/doctest.h>

#include <mgpu/base/order.h>
#include <mgpu/plan/distributed/split.h>

#include <cuda/std/functional>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

namespace {

using mgpu::offset;
using namespace mgpu::plan;
using order = mgpu::base::order<cuda::std::less<>>;
using list = std::vector<std::uint32_t>;

/// The windows of one border in the lists of all ranks, one of each.
class border_search {
 public:
  border_search(const std::vector<list>& lists, offset border)
      : lists_(lists),
        border_(border),
        shape_{static_cast<int>(lists.size()), 0, 1, split_shape::most_samples(static_cast<int>(lists.size()), 1)},
        windows_(lists.size() + 1),
        samples_(static_cast<std::size_t>(shape_.samples())),
        sides_(samples_.size()) {
    for (std::size_t r = 0; r < lists.size(); ++r) windows_[r] = {0, static_cast<offset>(lists[r].size())};
    arrays_ = {windows_.data(), windows_.data(), samples_.data(), samples_.data(), sides_.data()};
  }

  int rounds() const { return shape_.rounds(left()); }

  void narrow() {
    for (int r = 0; r < shape_.ranks; ++r) take_samples_of(r);
    const judge_samples<std::uint32_t, order> judge{shape_, arrays_, border_, order{}};
    for (offset i = 0; i < shape_.samples(); ++i) judge(i);
    const narrow_window<std::uint32_t> narrow{shape_, arrays_};
    for (offset i = 0; i < shape_.windows(); ++i) narrow(i);
  }

  /// How many elements the windows have.
  offset left() const {
    offset result = 0;
    for (std::size_t r = 0; r < lists_.size(); ++r) result += windows_[r].end - windows_[r].begin;
    return result;
  }
  /// At most so many after the next round.
  offset most_left() const { return left() <= shape_.most ? 0 : 4 * (left() / shape_.most) + 1; }

  offset split_of(std::size_t rank) const { return windows_[rank].begin; }

 private:
  void take_samples_of(int rank) {
    const auto r = static_cast<std::size_t>(rank);
    const split_samples samples(windows_[r], shape_.most);
    for (int i = 0; i < samples.count(); ++i)
      samples_[r * static_cast<std::size_t>(shape_.most) + static_cast<std::size_t>(i)] =
          lists_[r][static_cast<std::size_t>(samples.position(i))];
  }

  const std::vector<list>& lists_;
  offset border_;
  split_shape shape_;
  std::vector<split_window> windows_;
  list samples_;
  std::vector<split_side> sides_;
  split_arrays<std::uint32_t> arrays_{};
};

/// Sorted lists of different lengths.
std::vector<list> lists_of(int ranks, int mean, std::uint32_t most, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<list> result(static_cast<std::size_t>(ranks));
  for (list& l : result) {
    l.resize(random() % static_cast<unsigned>(2 * mean));
    for (auto& x : l) x = static_cast<std::uint32_t>(random()) % most;
    std::sort(l.begin(), l.end());
  }
  return result;
}

/// Where the border cuts each list, by one sort of all elements.
std::vector<offset> exact_splits(const std::vector<list>& lists, offset border) {
  std::vector<std::pair<std::uint32_t, std::size_t>> all;
  for (std::size_t r = 0; r < lists.size(); ++r)
    for (const std::uint32_t x : lists[r]) all.emplace_back(x, r);
  std::sort(all.begin(), all.end());
  std::vector<offset> result(lists.size());
  for (offset i = 0; i < border; ++i) ++result[all[static_cast<std::size_t>(i)].second];
  return result;
}

void check_border(const std::vector<list>& lists, offset border) {
  border_search search(lists, border);
  const int most_rounds = search.rounds();
  int rounds = 0;
  while (search.left() > 0) {
    const offset most_left = search.most_left();
    search.narrow();
    CHECK(search.left() <= most_left);
    ++rounds;
    REQUIRE(rounds <= most_rounds);
  }
  const auto expected = exact_splits(lists, border);
  offset wrong = 0;
  for (std::size_t r = 0; r < lists.size(); ++r) wrong += search.split_of(r) != expected[r];
  CHECK(wrong == 0);
  MESSAGE(lists.size(), " ranks: ", rounds, " rounds of at most ", most_rounds);
}

TEST_CASE("splits are exact within their rounds") {
  const bool is_long = std::getenv("MGPU_TEST_MANY_RANKS") != nullptr;  // takes a minute
  for (const int ranks : {1, 2, 7, 64, is_long ? 1024 : 200}) {
    for (const std::uint32_t most : {1u, 5u, 1u << 31}) {
      const auto lists = lists_of(ranks, is_long ? 4000 : 200'000 / ranks, most, 1);
      offset total = 0;
      for (const list& l : lists) total += static_cast<offset>(l.size());
      for (const offset border : {total / 3, total}) {
        if (ranks > 64 && border == total) continue;
        INFO(ranks, " ranks, keys below ", most, ", border ", border, " of ", total);
        check_border(lists, border);
      }
    }
  }
}

}  // namespace
