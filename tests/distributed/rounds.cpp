// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The search for splits with many ranks, in one process: what a rank does that searches one border, or all of them,
// with the lists of all ranks. Every border is exact, within the rounds that the number of elements allows.
#include <doctest/doctest.h>

#include <mgpu/base/order.h>
#include <mgpu/plan/distributed/split.h>
#include <mgpu/tile/binary_search.h>

#include <cuda/std/functional>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

namespace {

using mgpu::offset;
using namespace mgpu::detail::plan;
using order = mgpu::detail::base::order<cuda::std::less<>>;
using list = std::vector<std::uint32_t>;

/// The windows of borders in the lists of all ranks, one of each: of one border, or of all where the ranks are few.
class border_search {
 public:
  border_search(const std::vector<list>& lists, const std::vector<offset>& positions)
      : lists_(lists),
        shape_(split_shape::of(static_cast<int>(lists.size()), 0, 1, mgpu::detail::tuning::split_samples)),
        sides_(static_cast<std::size_t>(shape_.windows() * shape_.most)),
        samples_(sides_.size()),
        windows_(static_cast<std::size_t>(shape_.windows() + shape_.own_windows())),
        begins_(lists.size() * lists.size()) {
    for (int window = 0; window < shape_.windows(); ++window) {
      const auto count = static_cast<offset>(list_of(window).size());
      windows_[static_cast<std::size_t>(window)] = {0, count, count};
    }
    arrays_.windows = windows_.data();
    arrays_.own_windows = windows_.data() + shape_.windows();
    arrays_.received = samples_.data();
    arrays_.sides = sides_.data();
    arrays_.begins = begins_.data();
    REQUIRE(static_cast<int>(positions.size()) == shape_.borders());
    std::copy(positions.begin(), positions.end(), judge_.positions);
    judge_.shape = shape_;
    judge_.arrays = arrays_;
  }

  static std::vector<offset> positions_for(int ranks, offset total) {
    const int borders = split_shape::of(ranks, 0, 1, mgpu::detail::tuning::split_samples).borders();
    std::vector<offset> result;
    for (int b = 0; b < borders; ++b) result.push_back(total * (b + 1) / (borders < 2 ? 3 : borders));
    return result;
  }

  int rounds() const { return shape_.rounds(left(0)); }

  void narrow() {
    for (int window = 0; window < shape_.windows(); ++window) take_samples_of(window);
    for (offset i = 0; i < shape_.windows(); ++i) judge_windows<std::uint32_t, order>{judge_}(i);
    const auto sides = sides_;
    for (offset i = 0; i < static_cast<offset>(sides_.size()); ++i) judge_(i);
    CHECK(sides_ == sides);
    const narrow_windows<std::uint32_t> narrow{shape_, arrays_};
    for (offset i = 0; i < shape_.windows(); ++i) narrow.store(i, narrow.find(i, mgpu::detail::tile::serial_search{}));
  }

  /// How many elements the windows of a border have.
  offset left(int border) const {
    offset result = 0;
    for (int r = 0; r < shape_.ranks; ++r) result += window(r, border).end - window(r, border).begin;
    return result;
  }
  /// At most so many after the next round.
  offset most_left(int border) const { return left(border) <= shape_.most ? 0 : 4 * (left(border) / shape_.most) + 1; }

  offset split_of(int rank, int border) const { return window(rank, border).begin; }

 private:
  const list& list_of(int window) const { return lists_[static_cast<std::size_t>(shape_.rank_of(window))]; }
  const split_window& window(int r, int border) const {
    return windows_[static_cast<std::size_t>(shape_.window_of(r, border, 0))];
  }
  void take_samples_of(int window) {
    const split_samples samples(windows_[static_cast<std::size_t>(window)], shape_.most);
    for (int i = 0; i < samples.count(); ++i)
      samples_[static_cast<std::size_t>(window * shape_.most + i)] =
          list_of(window)[static_cast<std::size_t>(samples.position(i))];
  }

  const std::vector<list>& lists_;
  split_shape shape_;
  std::vector<split_side> sides_;
  list samples_;
  std::vector<split_window> windows_;
  std::vector<offset> begins_;
  split_arrays<std::uint32_t> arrays_{};
  judge_samples<std::uint32_t, order> judge_{};
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

void check_borders(const std::vector<list>& lists, const std::vector<offset>& positions) {
  border_search search(lists, positions);
  const int most_rounds = search.rounds(), borders = static_cast<int>(positions.size());
  int needed = 0;
  for (int round = 0; round < most_rounds; ++round) {
    std::vector<offset> most_left;
    for (int b = 0; b < borders; ++b) {
      most_left.push_back(search.most_left(b));
      if (search.left(b) > 0) needed = round + 1;
    }
    search.narrow();
    for (int b = 0; b < borders; ++b) CHECK(search.left(b) <= most_left[static_cast<std::size_t>(b)]);
  }
  MESSAGE(lists.size(), " ranks: ", needed, " rounds of at most ", most_rounds);
  offset wrong = 0;
  for (int b = 0; b < borders; ++b) {
    const auto expected = exact_splits(lists, positions[static_cast<std::size_t>(b)]);
    for (std::size_t r = 0; r < lists.size(); ++r) wrong += search.split_of(static_cast<int>(r), b) != expected[r];
    CHECK(search.left(b) == 0);
  }
  CHECK(wrong == 0);
}

TEST_CASE("splits are exact within their rounds") {
  const bool is_long = std::getenv("MGPU_TEST_MANY_RANKS") != nullptr;  // takes a minute
  for (const int ranks : {2, 7, 9, 64, is_long ? 1024 : 200}) {
    for (const std::uint32_t most : {1u, 5u, 1u << 31}) {
      const auto lists = lists_of(ranks, is_long ? 4000 : 200'000 / ranks, most, 1);
      offset total = 0;
      for (const list& l : lists) total += static_cast<offset>(l.size());
      INFO(ranks, " ranks, keys below ", most, ", ", total, " of them");
      check_borders(lists, border_search::positions_for(ranks, total));
      if (ranks > 8 && ranks <= 64) check_borders(lists, {total});
    }
  }
}

}  // namespace
