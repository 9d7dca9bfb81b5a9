// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Set operations of keys of every type, each with some of the four operations.
#include "set_types.h"

namespace {

using namespace test;
using namespace test::op;

}  // namespace

TEST_CASE_TEMPLATE(
    "keys of arithmetic types", Types, set_keys<std::uint8_t, set_union, set_symmetric_difference>,
    set_keys<std::int64_t, set_intersection, set_symmetric_difference>,
    set_keys<double, set_union, set_difference> MGPU_TEST_MORE(set_keys<std::int16_t, set_intersection, set_difference>,
                                                               set_keys<float, set_union, set_difference>)) {
  check_types(Types{});
}

TEST_CASE_TEMPLATE("keys of 12, 16 and 32 bytes, keys that only a comparator knows, keys that only copies move", Types,
                   set_keys<key12, set_union, set_intersection>,
                   set_keys<key16, set_difference, set_symmetric_difference>, set_keys<key32, set_union>,
                   set_types<opaque, void, less_opaque, set_intersection, set_symmetric_difference>,
                   set_keys<copied, set_union, set_difference>) {
  check_types(Types{});
}

TEST_CASE("keys without duplicates of several types") {
  std::mt19937 random(3);
  int number = 0;
  for (const auto o : unique_overlaps) {
    for (const auto& size : {sizes{6000, 7001}, sizes{70001, 50000}}) {
      if (takes_few_cases() && size.a > 6000) continue;
      check_case<void>(set_union{}, unique_keys<std::int64_t>(o, size.a, size.b, random), std::less<>{}, ++number,
                       cuda::std::less<>{}, mgpu::unique_keys);
      check_case<void>(set_difference{}, unique_keys<key16>(o, size.a, size.b, random), std::less<>{}, ++number,
                       mgpu::unique_keys);
      check_case<value_bytes<12>>(set_symmetric_difference{}, unique_keys<opaque>(o, size.a, size.b, random),
                                  less_opaque{}, ++number, less_opaque{}, mgpu::unique_keys);
      check_case<std::uint32_t>(set_intersection{}, unique_keys<copied>(o, size.a, size.b, random), std::less<>{},
                                ++number, mgpu::unique_keys);
    }
  }
}

/// Zeros of both signs are equal keys that differ in their bits: those that std:: takes come out.
TEST_CASE("zeros of both signs") {
  std::mt19937 random(5);
  const auto with_zeros = [&](int below, int zeros, int above) {
    std::vector<float> x;
    for (int i = below; i > 0; --i) x.push_back(-0.25f * static_cast<float>(i));
    for (int i = 0; i < zeros; ++i) x.push_back(random() % 2 == 0 ? -0.0f : 0.0f);
    for (int i = 1; i <= above; ++i) x.push_back(0.25f * static_cast<float>(i));
    return x;
  };
  int number = 0;
  for (const auto& zeros : {sizes{1, 1}, sizes{2, 5}, sizes{6, 3}, sizes{9001, 9001}, sizes{7000, 20000}}) {
    two_inputs<float> in{with_zeros(4100, zeros.a, 3000), with_zeros(3900, zeros.b, 5000)};
    in.a[4100] = -0.0f;
    in.b[3900] = 0.0f;
    for_each_operation([&](auto operation) {
      check_case<void>(operation, in, std::less<>{}, ++number);
      check_case<std::uint32_t>(operation, in, std::less<>{}, ++number);
    });
  }
}

#ifndef MGPU_TEST_CUDA
/// The CPU looks at several pairs at once where they follow each other.
TEST_CASE_TEMPLATE("inputs that are equal but for one element", Key, std::uint32_t, std::int64_t, double) {
  int number = 0;
  for (int place = 64; place < 80; ++place) {
    std::vector<Key> a(1000);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<Key>(2 * i);
    auto b = a;
    ++b[static_cast<std::size_t>(place)];
    for (const auto& in : {two_inputs<Key>{a, b}, two_inputs<Key>{b, a}}) {
      check_case<void>(set_difference{}, in, std::less<>{}, ++number);
      check_case<void>(set_symmetric_difference{}, in, std::less<>{}, ++number);
      check_case<void>(set_intersection{}, in, std::less<>{}, ++number);
    }
  }
}
#endif
