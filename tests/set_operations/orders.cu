// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Set operations by orders of every kind, with keys and values of two types each, and calls without options.
#include "check_set_operations.h"
#include "support/orders.h"

namespace {

using namespace test;

constexpr sizes some_sizes[] = {{0, 300}, {5, 0}, {1, 3000}, {20011, 9973}, {70001, 90007}};

/// Not convertible to a key.
struct row {
  int other, key;
};
struct less_by_key {
  MGPU_HOST_DEVICE bool operator()(int x, const row& y) const { return x < y.key; }
  MGPU_HOST_DEVICE bool operator()(const row& x, int y) const { return x.key < y; }
};

/// An order that the executor asks and the same one that the host can ask.
template <class Operation, class Executor, class Key, class Compare, class HostCompare>
void check_order(Operation operation, Executor executor, std::vector<Key> a, std::vector<Key> b, const Compare& compare,
                 const HostCompare& host_compare) {
  INFO(executor.name, ", ", a.size(), " and ", b.size(), " elements");
  std::stable_sort(a.begin(), a.end(), host_compare);
  std::stable_sort(b.begin(), b.end(), host_compare);
  const int a_count = static_cast<int>(a.size()), b_count = static_cast<int>(b.size());
  check_by_key(operation, executor, a, b, numbered_values<int>(0, a_count), numbered_values<int>(a_count, b_count),
               host_compare, skips::number(a_count), compare);
}

/// Two types of keys, two types of values and outputs of third types, in all five forms.
template <class KeyOut, class Operation, class Executor, class KeyA, class KeyB, class Compare>
void check_two_types(Operation, Executor executor, const std::vector<KeyA>& a, const std::vector<KeyB>& b,
                     const Compare& compare) {
  INFO(executor.name, ", ", Operation::name, ", ", a.size(), " and ", b.size(), " elements");
  const auto numbers = emitted_numbers<Operation>(a, b, compare);
  const auto size = static_cast<offset>(numbers.size()), room = room_for<Operation>(a, b);
  const auto a_values = numbered_values<std::uint16_t>(3, static_cast<int>(a.size()));
  const auto b_values = numbered_values<std::uint32_t>(70000, static_cast<int>(b.size()));
  const input<Executor, KeyA> a_in(a, 1);
  const input<Executor, KeyB> b_in(b, 2);
  const input<Executor, std::uint16_t> a_values_in(a_values, 3);
  const input<Executor, std::uint32_t> b_values_in(b_values, 1);
  const output<Executor, KeyOut> keys_out(room, 1), keys_alone_out(room), keys_into_out(room);
  const output<Executor, std::int64_t> values_out(room);
  const output<Executor, int> size_out(1);

  const auto ends =
      Operation::by_key(Executor::policy(), a_in.begin(), a_in.end(), b_in.begin(), b_in.end(), a_values_in.begin(),
                        b_values_in.begin(), keys_out.begin(), values_out.begin(), compare);
  CHECK(ends.first - keys_out.begin() == size);
  CHECK(ends.second - values_out.begin() == size);
  const auto end = Operation::keys(Executor::policy(), a_in.begin(), a_in.end(), b_in.begin(), b_in.end(),
                                   keys_alone_out.begin(), compare);
  CHECK(end - keys_alone_out.begin() == size);
  CHECK(Operation::size(Executor::policy(), a_in.begin(), a_in.end(), b_in.begin(), b_in.end(), compare) == size);
  Operation::into(Executor::policy(), a_in.begin(), a_in.end(), b_in.begin(), b_in.end(), keys_into_out.begin(),
                  size_out.begin(), compare);
  CHECK(size_out.first_difference({static_cast<int>(size)}) == -1);

  const auto expected = in_order<KeyOut>(numbers, a, b);
  CHECK(keys_out.first_difference(expected) == -1);
  CHECK(keys_alone_out.first_difference(expected) == -1);
  CHECK(keys_into_out.first_difference(expected) == -1);
  CHECK(values_out.first_difference(in_order<std::int64_t>(numbers, a_values, b_values)) == -1);
  CHECK(a_in.unchanged());
  CHECK(b_in.unchanged());
}

}  // namespace

TEST_CASE("comparators: descending, with state, without a default constructor, of one side only") {
  for_each_executor([](auto executor) {
    using executor_type = decltype(executor);
    std::mt19937 random(1);
    std::vector<int> place(256);
    for (int i = 0; i < 256; ++i) place[i] = (i * 91 + 17) % 256;
    const input<executor_type, int> table(place);
    for (const auto& size : some_sizes) {
      const auto a = random_keys<std::int32_t>(size.a, -5000, 5000, random);
      const auto b = random_keys<std::int32_t>(size.b, -5000, 5000, random);
      check_order(op::set_symmetric_difference{}, executor, a, b, test::greater{}, test::greater{});
      check_order(op::set_union{}, executor, a, b, less_of_executor{}, std::less<std::int32_t>{});
      check_order(op::set_intersection{}, executor, random_keys<std::uint8_t>(size.a, 0, 255, random),
                  random_keys<std::uint8_t>(size.b, 0, 255, random), less_by_table{table.begin()},
                  less_by_table{place.data()});
      const less_shifted shifted(1234, 0.5);
      check_order(op::set_difference{}, executor, random_keys<std::int64_t>(size.a, 0, 4095, random),
                  random_keys<std::int64_t>(size.b, 0, 4095, random), shifted, shifted);
    }
    CHECK(table.unchanged());
  });
}

TEST_CASE("comparators whose yes is not 1") {
  for_each_executor([](auto executor) {
    std::mt19937 random(3);
    for (const auto& size : some_sizes) {
      const auto a = random_keys<std::int32_t>(size.a, -5000, 5000, random);
      const auto b = random_keys<std::int32_t>(size.b, -5000, 5000, random);
      const std::less<std::int32_t> less;
      check_order(op::set_union{}, executor, a, b, less_answering<int>{2}, less);
      check_order(op::set_intersection{}, executor, a, b, less_answering<long long>{1ll << 40}, less);
      check_order(op::set_symmetric_difference{}, executor, a, b, less_answering<yes_or_no>{{true}}, less);
    }
  });
}

TEST_CASE("orders that the library knows, descending") {
  for_each_executor([](auto executor) {
    std::mt19937 random(2);
    for (const auto& size : some_sizes) {
      const auto down = [&](int count) {
        auto x = random_keys<std::int32_t>(count, -5000, 5000, random);
        std::sort(x.begin(), x.end(), std::greater<>{});
        return x;
      };
      const auto a = down(size.a), b = down(size.b);
      INFO(executor.name, ", ", size.a, " and ", size.b, " elements");
      check_keys(op::set_union{}, executor, a, b, std::greater<>{}, skips{}, cuda::std::greater<>{});
      check_keys(op::set_intersection{}, executor, a, b, std::greater<>{}, skips{}, cuda::std::greater<int>{});
    }
  });
}

TEST_CASE("a known order of another type than the keys, which makes more of them equal") {
  for_each_executor([](auto executor) {
    std::mt19937 random(6);
    for (const auto& size : some_sizes) {
      const auto halves = [&](int count) {
        std::vector<float> x;
        for (const int key : random_keys<int>(count, 0, 9000, random)) x.push_back(static_cast<float>(key) * 0.5f);
        return x;
      };
      check_order(op::set_intersection{}, executor, halves(size.a), halves(size.b), cuda::std::less<int>{},
                  std::less<int>{});
      check_order(op::set_union{}, executor, halves(size.a), halves(size.b), cuda::std::less<int>{}, std::less<int>{});
    }
  });
}

TEST_CASE("b's keys that no output takes, where none is emitted") {
  for_each_executor([](auto executor) {
    using executor_type = decltype(executor);
    std::vector<int> a, common, rest;
    std::vector<row> b;
    for (int i = 0; i < 30000; ++i) {
      a.push_back(i);
      if (i % 3 == 0) b.push_back({-i, i});
      (i % 3 == 0 ? common : rest).push_back(i);
    }
    const input<executor_type, int> a_in(a);
    const input<executor_type, row> b_in(b);
    const output<executor_type, int> common_out(10000), rest_out(20000);
    const auto policy = executor.policy();
    INFO(executor.name);
    mgpu::set_intersection(policy, a_in.begin(), a_in.end(), b_in.begin(), b_in.end(), common_out.begin(),
                           less_by_key{});
    CHECK(common_out.first_difference(common) == -1);
    mgpu::set_difference(policy, a_in.begin(), a_in.end(), b_in.begin(), b_in.end(), rest_out.begin(), less_by_key{});
    CHECK(rest_out.first_difference(rest) == -1);
  });
}

TEST_CASE("keys and values of two types") {
  for_each_executor([](auto executor) {
    std::mt19937 random(3);
    for (const auto& size : some_sizes) {
      auto ints = random_keys<std::int32_t>(size.a, -30000, 30000, random);
      auto longs = random_keys<std::int64_t>(size.b, -30000, 30000, random);
      std::sort(ints.begin(), ints.end());
      std::sort(longs.begin(), longs.end());
      check_two_types<std::int64_t>(op::set_union{}, executor, ints, longs, cuda::std::less<>{});

      auto unsigneds = random_keys<std::uint32_t>(size.a, 0, 900, random);
      auto floats = random_keys<float>(size.b, -100, 1000, random);
      for (auto& x : floats) x += x < 500 ? 0.5f : 0.0f;
      std::sort(unsigneds.begin(), unsigneds.end());
      std::sort(floats.begin(), floats.end());
      check_two_types<double>(op::set_intersection{}, executor, unsigneds, floats, less_of_two_types{});
      check_two_types<float>(op::set_symmetric_difference{}, executor, floats, unsigneds, less_of_two_types{});

      std::vector<record> records;
      for (const int id : ints) records.push_back({id / 3, {1, 2, 3, 4, 5, 6, 7, 8}});
      auto shorts = random_keys<std::int16_t>(size.b, -10000, 10000, random);
      std::sort(shorts.begin(), shorts.end());
      check_two_types<std::int32_t>(op::set_difference{}, executor, records, shorts, less_by_id{});
      check_two_types<std::int32_t>(op::set_union{}, executor, shorts, records, less_by_id{});
    }
  });
}

TEST_CASE("the promise of unique keys after an order of two types") {
  for_each_executor([](auto executor) {
    std::vector<std::uint32_t> a;
    std::vector<float> b;
    for (int i = 0; i < 70000; ++i) {
      if (i % 3 != 0) a.push_back(static_cast<std::uint32_t>(i));
      b.push_back(static_cast<float>(i) * 1.5f);
    }
    using executor_type = decltype(executor);
    const auto numbers = emitted_numbers<op::set_union>(a, b, less_of_two_types{});
    const input<executor_type, std::uint32_t> a_in(a);
    const input<executor_type, float> b_in(b);
    const output<executor_type, double> out(room_for<op::set_union>(a, b));
    const auto end = mgpu::set_union(executor.policy(), a_in.begin(), a_in.end(), b_in.begin(), b_in.end(), out.begin(),
                                     less_of_two_types{}, mgpu::unique_keys);
    CHECK(end - out.begin() == static_cast<offset>(numbers.size()));
    CHECK(out.first_difference(in_order<double>(numbers, a, b)) == -1);
  });
}

TEST_CASE("every form without options takes less, and each with the promise alone") {
  for_each_executor([](auto executor) {
    std::mt19937 random(4);
    const auto some = overlapping_keys<int>(overlap::some, 3000, 4000, random);
    const auto unique = unique_keys<int>(overlap::some, 3000, 4000, random);
    const auto a_values = numbered_values<int>(0, 3000), b_values = numbered_values<int>(3000, 4000);
    INFO(executor.name);
    for_each_operation([&](auto operation) {
      check_keys(operation, executor, some.a, some.b, std::less<>{}, skips{});
      check_by_key(operation, executor, some.a, some.b, a_values, b_values, std::less<>{}, skips{});
      check_keys(operation, executor, unique.a, unique.b, std::less<>{}, skips{}, mgpu::unique_keys);
      check_by_key(operation, executor, unique.a, unique.b, a_values, b_values, std::less<>{}, skips{},
                   mgpu::unique_keys);
    });
  });
}
