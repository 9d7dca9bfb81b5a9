// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Windows are narrowed to a part that has the bound, and numbers tell how many elements lie between them.
#include "blocks.h"
#include "support/keys.h"

#include <mgpu/block/runs/way_density.cuh>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace {

using namespace mgpu::detail;
using namespace test;

struct window {
  int low, high;
};
template <class Key>
struct question {
  window at;
  int guess, margin;
  Key x;
};

template <class Key>
struct goes_before {
  Key x;
  __device__ bool operator()(const Key& y) const { return y < x; }
};
template <class Key>
struct random_answer {
  Key x;
  __device__ bool operator()(const Key& y) const {
    return (reinterpret_cast<std::uintptr_t>(&y) * 2654435761u >> 7 & 1) != 0;
  }
};

/// Each thread narrows a window.
template <class Key, class Predicate>
__global__ void narrow(const Key* keys, int count, const question<Key>* questions, int question_count,
                       window* narrowed) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= question_count) return;
  const question<Key> q = questions[i];
  block::way_density<Key> density(keys, count);
  density.measure();
  window w = q.at;
  density.narrow(w.low, w.high, q.guess, q.margin, keys, q.x, Predicate{q.x});
  narrowed[i] = w;
}

template <class Key, class Predicate>
std::vector<window> narrowed(const std::vector<Key>& keys, const std::vector<question<Key>>& questions) {
  const input<cuda_executor, Key> in(keys);
  const input<cuda_executor, question<Key>> in_questions(questions);
  const auto count = static_cast<int>(questions.size());
  output<cuda_executor, window> out(count);
  launch(narrow<Key, Predicate>, count / 64 + 1, 64, 0, in.begin(), static_cast<int>(keys.size()), in_questions.begin(),
         count, out.begin());
  CHECK(out.guards_untouched());
  return out.read();
}

template <class Key>
void check(std::vector<Key> keys) {
  std::sort(keys.begin(), keys.end(), [](const Key& x, const Key& y) { return x < y; });
  std::vector<question<Key>> questions;
  std::mt19937 random(1);
  const int count = static_cast<int>(keys.size());
  for (int i = 0; i < 2000; ++i) {
    const Key x = keys[random() % keys.size()];
    const auto less = [](const Key& a, const Key& b) { return a < b; };
    const int bound = static_cast<int>(std::lower_bound(keys.begin(), keys.end(), x, less) - keys.begin());
    const int low = i % 3 == 0 ? 0 : static_cast<int>(random() % (bound + 1u));
    const int high = i % 3 == 1 ? count : bound + static_cast<int>(random() % (count - bound + 1u));
    const int guess = std::clamp(i % 2 == 0 ? bound : static_cast<int>(random() % count), low, std::max(low, high - 1));
    questions.push_back({{low, high}, guess, static_cast<int>(random() % 100), x});
  }
  const auto right = narrowed<Key, goes_before<Key>>(keys, questions);
  const auto anyhow = narrowed<Key, random_answer<Key>>(keys, questions);
  int narrower = 0;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const question<Key>& q = questions[i];
    INFO(keys.size(), " keys, window [", q.at.low, ", ", q.at.high, "), guess ", q.guess, ", margin ", q.margin);
    const auto less = [](const Key& a, const Key& b) { return a < b; };
    const auto bound = std::lower_bound(keys.begin(), keys.end(), q.x, less) - keys.begin();
    REQUIRE(right[i].low >= q.at.low);
    REQUIRE(right[i].high <= q.at.high);
    REQUIRE(right[i].low <= bound);
    REQUIRE(right[i].high >= bound);
    REQUIRE(anyhow[i].low >= q.at.low);
    REQUIRE(anyhow[i].high <= q.at.high);
    REQUIRE(anyhow[i].low <= anyhow[i].high);
    narrower += right[i].high - right[i].low < q.at.high - q.at.low;
  }
  if (count >= 1000) CHECK(narrower > 300);
}

/// What a density says of two keys, and of a count of keys.
template <class Key>
struct figures {
  float to_one, between, difference;
  Key moved;
};
template <class Key>
__global__ void measure(const Key* keys, int count, figures<Key>* out) {
  block::way_density<Key> density(keys, count);
  density.measure();
  const Key first = keys[0], last = keys[count - 1];
  out[0] = {density.to_one(), density.between(last, first), density.difference(last, first),
            density.moved(first, density.difference(last, first))};
  out[1] = {density.to_one(), density.between(first, last), density.difference(first, last),
            density.moved(last, density.difference(first, last))};
}

/// Keys from first to last, `count` of them.
template <class Key>
void check_figures(Key first, Key last, int count) {
  std::vector<Key> keys(static_cast<std::size_t>(count), first);
  keys.back() = last;
  const input<cuda_executor, Key> in(keys);
  output<cuda_executor, figures<Key>> out(2);
  launch(measure<Key>, 1, 1, 0, in.begin(), count, out.begin());
  const auto found = out.read();
  const double distance = static_cast<double>(last) - static_cast<double>(first);
  for (int i = 0; i < 2; ++i) {
    INFO(static_cast<double>(first), " to ", static_cast<double>(last), ", ", count, " keys");
    const double sign = i == 0 ? 1 : -1;
    CHECK(found[i].difference == doctest::Approx(sign * distance).epsilon(1e-5));
    if (count > 1) CHECK(found[i].to_one == doctest::Approx(count / distance).epsilon(1e-5));
    if (count > 1) CHECK(found[i].between == doctest::Approx(count).epsilon(1e-4));
    if (distance < 1e6) CHECK(found[i].moved == doctest::Approx(static_cast<double>(i == 0 ? last : first)));
  }
}

}  // namespace

TEST_CASE_TEMPLATE("the bound stays in the window, and the window in itself", Key, std::uint8_t, std::int16_t,
                   std::uint32_t, std::int64_t, float, double, key12, key16) {
  const int most = std::min(ranks<Key>, 1 << 20);
  for (const int count : {1, 2, 17, 1000, 20000}) {
    for (const int end : {1, 3, most}) {
      std::vector<Key> keys;
      for (const int rank : random_numbers<int>(count, 0, end - 1, count)) keys.push_back(make_key<Key>(rank, 0));
      check<Key>(keys);
    }
    std::vector<Key> skewed;
    for (int i = 0; i < count; ++i) skewed.push_back(make_key<Key>(i + 1 == count ? most - 1 : i % 5, 0));
    check<Key>(skewed);
  }
}

TEST_CASE_TEMPLATE("keys tell how many elements lie between them", Key, std::uint8_t, std::int16_t, std::uint32_t,
                   std::int32_t, std::int64_t, std::uint64_t, float, double) {
  using limits = std::numeric_limits<Key>;
  for (const int count : {2, 3, 1000}) {
    check_figures<Key>(3, 100, count);
    check_figures<Key>(0, 1, count);
    if (std::is_integral_v<Key>) check_figures<Key>(limits::lowest(), limits::max(), count);
    if (std::is_signed_v<Key>) check_figures<Key>(static_cast<Key>(-100), 20, count);
  }
}

TEST_CASE("only numbers have distances") {
  CHECK(block::has_distances<std::uint8_t>);
  CHECK(block::has_distances<double>);
  CHECK_FALSE(block::has_distances<bool>);
  CHECK_FALSE(block::has_distances<key16>);
}
