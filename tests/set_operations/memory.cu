// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Set operations over their own first input, and with allocators that refuse.
#include "check_set_operations.h"
#include "support/refusing_allocator.h"
#include "support/vectors.h"

#include <thrust/iterator/zip_iterator.h>

#include <type_traits>

namespace {

using namespace test;

template <class T>
bool begins_with(const std::vector<T>& x, const std::vector<T>& expected) {
  return x.size() >= expected.size() && std::equal(expected.begin(), expected.end(), x.begin());
}

/// Whether the memory at `x` holds these elements, bit by bit.
template <class Executor, class T>
bool holds(Executor, const T* x, const std::vector<T>& expected) {
  std::vector<char> bytes(expected.size() * sizeof(T));
  Executor::copy_out(bytes.data(), x, bytes.size());
  return expected.empty() || std::memcmp(bytes.data(), expected.data(), bytes.size()) == 0;
}

/// The result over a is the one elsewhere, by both forms that write.
template <class Operation, class Key, class Compare, class... Options>
void check_in_place(Operation, const two_inputs<Key>& in, const Compare& compare, const Options&... options) {
  const auto expected = in_order<Key>(emitted_numbers<Operation>(in.a, in.b, compare), in.a, in.b);
  for_each_executor([&](auto executor) {
    using executor_type = decltype(executor);
    INFO(executor.name, ", ", Operation::name, ", ", in.a.size(), " and ", in.b.size(), " keys of ", sizeof(Key),
         " bytes");
    const input<executor_type, Key> a(in.a, 1), into_a(in.a, 3), b(in.b);
    const output<executor_type, offset> size_out(1);
    Key* const end = Operation::keys(executor.policy(), a.begin(), a.end(), b.begin(), b.end(), a.begin(), options...);
    CHECK(end - a.begin() == static_cast<offset>(expected.size()));
    CHECK(holds(executor, a.begin(), expected));
    Operation::into(executor.policy(), into_a.begin(), into_a.end(), b.begin(), b.end(), into_a.begin(),
                    size_out.begin(), options...);
    CHECK(size_out.first_difference({static_cast<offset>(expected.size())}) == -1);
    CHECK(holds(executor, into_a.begin(), expected));
    CHECK(b.unchanged());
  });
}

template <class Operation, class Key, class Compare>
void check_in_place_everywhere(Operation operation, const Compare& compare) {
  const int tile = first_executor::items_per_tile<typename set_core_of<Operation, Key, void, true, Compare>::type>();
  std::mt19937 random(sizeof(Key));
  for (const auto o : all_overlaps) {
    for (const auto& size : {sizes{0, 9}, sizes{9, 0}, sizes{tile - 1, 2}, sizes{2 * tile, 2 * tile}}) {
      if (takes_few_cases() && size.a > tile) continue;
      check_in_place(operation, overlapping_keys<Key>(o, size.a, size.b, random), compare, compare);
    }
  }
  if (takes_few_cases()) return;
  // So many tiles that many are at work at once, and their outputs move far from their inputs.
  const int total = std::min(400 * tile, 600'000);
  check_in_place(operation, overlapping_keys<Key>(overlap::some, total / 2, total / 2, random), compare, compare);
  check_in_place(operation, overlapping_keys<Key>(overlap::few_keys, total / 4, 3 * (total / 4), random), compare,
                 compare);
  if (ranks<Key> < 2 * total) return;
  check_in_place(operation, unique_keys<Key>(overlap::some, total / 2, total / 2, random), compare, compare,
                 mgpu::unique_keys);
}

}  // namespace

TEST_CASE("set_difference of keys over its first input") {
  check_in_place_everywhere<op::set_difference, std::uint32_t>({}, cuda::std::less<>{});
  check_in_place_everywhere<op::set_difference, key16>({}, cuda::std::less<>{});
  check_in_place_everywhere<op::set_difference, copied>({}, cuda::std::less<>{});
}

TEST_CASE("set_intersection of keys over its first input") {
  check_in_place_everywhere<op::set_intersection, std::uint8_t>({}, cuda::std::less<>{});
  check_in_place_everywhere<op::set_intersection, opaque>({}, less_opaque{});
  check_in_place_everywhere<op::set_intersection, key12>({}, cuda::std::less<>{});
}

TEST_CASE("over the first input by vector iterators and by a zip, const and not") {
  std::mt19937 random(5);
  for_each_executor([&](auto executor) {
    for (const auto o : {overlap::some, overlap::same, overlap::lone_runs}) {
      const auto in = overlapping_keys<int>(o, 300000, 200000, random);
      INFO(executor.name, ", overlap ", static_cast<int>(o));
      const auto b = to_vector(in.b), b_second = to_vector(in.b);
      const auto check = [&](auto operation) {
        using tag = decltype(operation);
        const auto expected = in_order<int>(emitted_numbers<tag>(in.a, in.b, std::less<>{}), in.a, in.b);
        const auto size = static_cast<offset>(expected.size());
        auto a = to_vector(in.a);
        const auto end = tag::keys(executor.policy(), a.begin(), a.end(), b.cbegin(), b.cend(), a.begin());
        CHECK(end - a.begin() == size);
        CHECK(begins_with(to_std(a), expected));

        const auto check_zip = [&](auto is_const) {
          auto first = to_vector(in.a), second = to_vector(in.a);
          const auto zip_out = thrust::make_zip_iterator(thrust::make_tuple(first.begin(), second.begin()));
          const auto zip_b = thrust::make_zip_iterator(thrust::make_tuple(b.begin(), b_second.begin()));
          const auto run = [&](auto zip_a) {
            return tag::keys(executor.policy(), zip_a, zip_a + static_cast<offset>(in.a.size()), zip_b,
                             zip_b + static_cast<offset>(in.b.size()), zip_out);
          };
          if constexpr (is_const) {
            CHECK(run(thrust::make_zip_iterator(thrust::make_tuple(first.cbegin(), second.cbegin()))) - zip_out ==
                  size);
          } else {
            CHECK(run(zip_out) - zip_out == size);
          }
          CHECK(begins_with(to_std(first), expected));
          CHECK(begins_with(to_std(second), expected));
        };
        check_zip(std::false_type{});
        check_zip(std::true_type{});
      };
      check(op::set_difference{});
      check(op::set_intersection{});
    }
  });
}

TEST_CASE("an allocator that refuses: bad_alloc, nothing leaked, the inputs as they were, and the next call works") {
  for_each_executor([](auto executor) {
    using executor_type = decltype(executor);
    INFO(executor.name);
    requests log;
    const auto policy = executor.policy()(refusing_allocator{&log});
    std::mt19937 random(9);
    const auto in = overlapping_keys<int>(overlap::some, 90000, 80000, random);
    const auto values = numbered_values<int>(0, 170000);
    const input<executor_type, int> a(in.a), b(in.b), v(values);
    const auto are_unchanged = [&] { return a.unchanged() && b.unchanged() && v.unchanged(); };
    for_each_operation([&](auto operation) {
      using tag = decltype(operation);
      INFO(tag::name);
      const auto numbers = emitted_numbers<tag>(in.a, in.b, std::less<>{});
      const auto size = static_cast<offset>(numbers.size());
      const output<executor_type, int> keys(room_for<tag>(in.a, in.b)), values_out(room_for<tag>(in.a, in.b)),
          size_out(1);
      const auto has_keys = [&] { return keys.first_difference(in_order<int>(numbers, in.a, in.b)) == -1; };
      check_refusals(
          log, policy, [&](const auto& p) { tag::keys(p, a.begin(), a.end(), b.begin(), b.end(), keys.begin()); },
          are_unchanged, has_keys);
      check_refusals(
          log, policy,
          [&](const auto& p) {
            tag::by_key_into(p, a.begin(), a.end(), b.begin(), b.end(), v.begin(), v.begin() + in.a.size(),
                             keys.begin(), values_out.begin(), size_out.begin());
          },
          are_unchanged,
          [&] {
            return has_keys() && values_out.first_difference(numbers) == -1 &&
                   size_out.first_difference({static_cast<int>(size)}) == -1;
          });
      offset counted = 0;
      check_refusals(
          log, policy, [&](const auto& p) { counted = tag::size(p, a.begin(), a.end(), b.begin(), b.end()); },
          are_unchanged, [&] { return counted == size; });
    });
  });
}

TEST_CASE("an allocator that refuses a call over its first input: the input is as it was") {
  for_each_executor([](auto executor) {
    using executor_type = decltype(executor);
    INFO(executor.name);
    requests log;
    const auto policy = executor.policy()(refusing_allocator{&log});
    std::mt19937 random(9);
    const auto in = overlapping_keys<int>(overlap::some, 90000, 80000, random);
    const auto expected = in_order<int>(emitted_numbers<op::set_difference>(in.a, in.b, std::less<>{}), in.a, in.b);
    const input<executor_type, int> a(in.a), b(in.b);
    const auto run = [&](const auto& p) {
      executor_type::copy_in(a.begin(), in.a.data(), in.a.size() * sizeof(int));
      mgpu::set_difference(p, a.begin(), a.end(), b.begin(), b.end(), a.begin());
    };
    check_refusals(
        log, policy, run, [&] { return a.unchanged() && b.unchanged(); },
        [&] { return holds(executor, a.begin(), expected); });
  });
}
