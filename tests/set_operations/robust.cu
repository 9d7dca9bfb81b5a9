// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What holds of set operations whatever the arguments: which elements are compared, empty and impossible ranges, inputs
// that end where memory does.
#include "check_set_operations.h"
#include "support/strays.h"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstring>
#include <stdexcept>

#ifndef MGPU_TEST_CUDA
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace {

using namespace test;

template <class Operation, int Words, class Executor>
void check_call_domain(Executor executor, sizes size, overlap o, std::uint32_t tag) {
  using key = tagged<Words>;
  INFO(executor.name, ", ", Operation::name, ", ", Words, " words, ", size.a, " and ", size.b, " elements, overlap ",
       static_cast<int>(o));
  std::mt19937 random(tag);
  const auto a = overlapping_ranks(o, 0, size.a, size.b, 1 << 30, random);
  const auto b = overlapping_ranks(o, 1, size.b, size.a, 1 << 30, random);
  const auto expected = in_order<std::uint32_t>(emitted_numbers<Operation>(a, b, std::less<>{}), a, b);
  const auto expected_size = static_cast<offset>(expected.size());
  const input<Executor, key> a_in(with_margins<key>(a, tag)), b_in(with_margins<key>(b, tag));
  const output<Executor, key> out(expected_size), out_of_iterators(expected_size);
  const input<Executor, int> strays({0});
  const key* const a_begin = a_in.begin() + margin;
  const key* const b_begin = b_in.begin() + margin;
  const checked_less less{tag, strays.begin()};
  const auto& policy = executor.policy();
  const key* const end =
      Operation::keys(policy, a_begin, a_begin + size.a, b_begin, b_begin + size.b, out.begin(), less);
  CHECK(end == out.end());
  CHECK(strays.unchanged());
  CHECK(Operation::size(policy, a_begin, a_begin + size.a, b_begin, b_begin + size.b, less) == expected_size);
  CHECK(strays.unchanged());

  const thrust::counting_iterator<offset> from_zero(0);
  const auto a_loaded = thrust::make_transform_iterator(from_zero, load_from<key>{a_begin});
  const auto b_loaded = thrust::make_transform_iterator(from_zero, load_from<key>{b_begin});
  Operation::keys(policy, a_loaded, a_loaded + size.a, b_loaded, b_loaded + size.b, out_of_iterators.begin(), less);
  CHECK(strays.unchanged());

  for (const auto& found : {out.read(), out_of_iterators.read()}) {
    CHECK(std::equal(found.begin(), found.end(), expected.begin(), expected.end(),
                     [tag](const key& x, std::uint32_t y) { return x.key == y && x.tag == tag; }));
  }
  CHECK(out.guards_untouched());
  CHECK(out_of_iterators.guards_untouched());
}

}  // namespace

TEST_CASE("only elements of the inputs are compared") {
  for_each_executor([](auto executor) {
    using core = typename set_core_of<op::set_union, tagged<2>, void, true, checked_less>::type;
    std::uint32_t tag = 0x5eed0000;
    for (const auto& size : sizes_around_tile(executor.template items_per_tile<core>())) {
      const auto o = all_overlaps[++tag % std::size(all_overlaps)];
      if (takes_few_cases() || tag % 4 == 0) check_call_domain<op::set_union, 2>(executor, size, o, tag);
      else if (tag % 4 == 1) check_call_domain<op::set_symmetric_difference, 2>(executor, size, o, tag);
      else if (tag % 4 == 2) check_call_domain<op::set_intersection, 4>(executor, size, o, tag);
      else check_call_domain<op::set_difference, 7>(executor, size, o, ~tag);
    }
    // g++ has been seen to break the CPU's step of one of the four, depending on how it is written.
    for_each_operation([&](auto operation) {
      check_call_domain<decltype(operation), 2>(executor, {100000, 50000}, overlap::some, 0xabcdef);
    });
  });
}

TEST_CASE("nothing is needed of an empty input or for an empty output") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    using executor_type = decltype(executor);
    const auto& policy = executor.policy();
    int* const null = nullptr;
    const std::vector<int> some{1, 2, 2, 4, 5};
    const input<executor_type, int> in(some);
    int *const a = in.begin(), *const a_end = in.end();
    for_each_operation([&](auto operation) {
      using tag = decltype(operation);
      const output<executor_type, int> size_out(1), key_size_out(1);
      CHECK(tag::keys(policy, null, null, null, null, null) == null);
      CHECK(tag::size(policy, null, null, null, null) == 0);
      const auto ends = tag::by_key(policy, null, null, null, null, null, null, null, null);
      CHECK(ends.first == null);
      CHECK(ends.second == null);
      tag::into(policy, null, null, null, null, null, size_out.begin());
      tag::by_key_into(policy, null, null, null, null, null, null, null, null, key_size_out.begin());
      CHECK(size_out.first_difference({0}) == -1);
      CHECK(key_size_out.first_difference({0}) == -1);

      // One input alone, of which the operation emits all or nothing.
      const output<executor_type, int> of_a(5), of_b(5), of_a_values(5), of_b_values(5);
      const int* const a_out_end = tag::keys(policy, a, a_end, null, null, of_a.begin());
      const auto b_out_ends = tag::by_key(policy, null, null, a, a_end, null, a, of_b.begin(), of_b_values.begin());
      const auto nothing = std::vector<int>{};
      const auto& expected_of_a = tag::tag::emits_a ? some : nothing;
      const auto& expected_of_b = tag::tag::emits_b ? some : nothing;
      CHECK(a_out_end - of_a.begin() == static_cast<offset>(expected_of_a.size()));
      CHECK(of_a.first_difference(expected_of_a) == -1);
      CHECK(b_out_ends.first - of_b.begin() == static_cast<offset>(expected_of_b.size()));
      CHECK(of_b.first_difference(expected_of_b) == -1);
      CHECK(of_b_values.first_difference(expected_of_b) == -1);
      CHECK(tag::size(policy, a, a_end, null, null) == static_cast<offset>(expected_of_a.size()));
      CHECK(tag::size(policy, null, null, a, a_end) == static_cast<offset>(expected_of_b.size()));
    });
    // What cannot emit anything takes no output.
    CHECK(mgpu::set_intersection(policy, a, a_end, null, null, null) == null);
    CHECK(mgpu::set_difference(policy, null, null, a, a_end, null) == null);
    CHECK(mgpu::set_difference_by_key(policy, null, null, a, a_end, null, null, null, null).first == null);
  });
}

TEST_CASE("impossible ranges throw, and nothing has happened") {
  for_each_executor([](auto executor) {
    INFO(executor.name);
    using executor_type = decltype(executor);
    using wrong = std::invalid_argument;
    const auto& policy = executor.policy();
    int* const null = nullptr;
    const input<executor_type, int> in({1, 2, 3, 4, 5});
    const output<executor_type, int> keys(10), values(10), size_out(1);
    int *const a = in.begin(), *const a_end = in.end(), *const k = keys.begin(), *const v = values.begin(),
               *const s = size_out.begin();
    const thrust::counting_iterator<int> five(5);
    for_each_operation([&](auto operation) {
      using tag = decltype(operation);
      INFO(tag::name);
      CHECK_THROWS_AS(tag::keys(policy, a_end, a, a, a_end, k), wrong);
      CHECK_THROWS_AS(tag::keys(policy, a, a_end, a_end, a, k), wrong);
      CHECK_THROWS_AS(tag::keys(policy, five, five - 3, a, a_end, k), wrong);
      CHECK_THROWS_AS(tag::size(policy, a_end, a, a, a_end), wrong);
      CHECK_THROWS_AS(tag::size(policy, a, a_end, a_end, a), wrong);
      CHECK_THROWS_AS(tag::by_key(policy, a, a_end, a + 1, a, a, a, k, v), wrong);
      CHECK_THROWS_AS(tag::into(policy, a_end, a, a, a_end, k, s), wrong);
      CHECK_THROWS_AS(tag::by_key_into(policy, a, a_end, a_end, a, a, a, k, v, s), wrong);

      CHECK_THROWS_AS(tag::keys(policy, null, null + 5, a, a_end, k), wrong);
      CHECK_THROWS_AS(tag::keys(policy, a, a_end, null, null + 5, k), wrong);
      CHECK_THROWS_AS(tag::size(policy, a, a_end, null, null + 5), wrong);
      CHECK_THROWS_AS(tag::keys(policy, a, a_end, a, a_end, null), wrong);
      CHECK_THROWS_AS(tag::into(policy, a, a_end, a, a_end, null, s), wrong);
      CHECK_THROWS_AS(tag::into(policy, a, a_end, a, a_end, k, null), wrong);
      CHECK_THROWS_AS(tag::into(policy, null, null, null, null, null, null), wrong);
      CHECK_THROWS_AS(tag::by_key(policy, a, a_end, a, a_end, null, a, k, v), wrong);
      CHECK_THROWS_AS(tag::by_key(policy, a, a_end, a, a_end, a, a, null, v), wrong);
      CHECK_THROWS_AS(tag::by_key(policy, a, a_end, a, a_end, a, a, k, null), wrong);
      CHECK_THROWS_AS(tag::by_key_into(policy, a, a_end, a, a_end, a, a, k, v, null), wrong);
    });
    CHECK_THROWS_AS(mgpu::set_union_by_key(policy, a, a_end, a, a_end, a, null, k, v), wrong);
    CHECK_THROWS_AS(mgpu::set_symmetric_difference_by_key(policy, a, a_end, a, a_end, a, null, k, v), wrong);
    CHECK(in.unchanged());
    CHECK(keys.untouched());
    CHECK(values.untouched());
    CHECK(size_out.untouched());
    // set_difference takes the values of b, and reads none.
    CHECK(mgpu::set_difference_by_key(policy, a, a_end, a, a_end, a, null, k, v).first == k);
  });
}

#ifndef MGPU_TEST_CUDA
namespace {

/// Elements with memory that cannot be accessed right behind them, and right before them where the size fits the pages.
template <class T>
class fenced {
 public:
  explicit fenced(const std::vector<T>& x)
      : count_(x.size()),
        page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
        bytes_((x.size() * sizeof(T) + page_ - 1) / page_ * page_ + 2 * page_),
        memory_(static_cast<char*>(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    REQUIRE(memory_ != MAP_FAILED);
    if (!x.empty()) std::memcpy(static_cast<void*>(begin()), x.data(), x.size() * sizeof(T));
    mprotect(memory_, page_, PROT_NONE);
    mprotect(memory_ + bytes_ - page_, page_, PROT_NONE);
  }
  ~fenced() { munmap(memory_, bytes_); }
  fenced(const fenced&) = delete;
  fenced& operator=(const fenced&) = delete;

  T* begin() const { return end() - count_; }
  T* end() const { return reinterpret_cast<T*>(memory_ + bytes_ - page_); }

 private:
  std::size_t count_, page_, bytes_;
  char* memory_;
};

}  // namespace

// On the GPU compute-sanitizer sees the same: every input of these tests ends with its allocation.
TEST_CASE("inputs and outputs that end where memory does") {
  std::mt19937 random(21);
  for (const auto o : {overlap::some, overlap::few_keys, overlap::same_after_one, overlap::b_first}) {
    for (const auto& size : {sizes{0, 3}, sizes{4096, 4096}, sizes{33333, 45000}}) {
      const auto in = overlapping_keys<std::uint32_t>(o, size.a, size.b, random);
      const auto a_numbers = numbered_values<int>(0, size.a), b_numbers = numbered_values<int>(size.a, size.b);
      const fenced<std::uint32_t> a(in.a), b(in.b);
      const fenced<int> a_values(a_numbers), b_values(b_numbers);
      for_each_operation([&](auto operation) {
        using tag = decltype(operation);
        const auto expected = emitted_numbers<tag>(in.a, in.b, std::less<>{});
        const fenced<std::uint32_t> keys(std::vector<std::uint32_t>(expected.size()));
        const fenced<int> values{std::vector<int>(expected.size())};
        for_each_executor([&](auto executor) {
          INFO(executor.name, ", ", tag::name, ", ", size.a, " and ", size.b, " elements, overlap ",
               static_cast<int>(o));
          const auto ends = tag::by_key(executor.policy(), a.begin(), a.end(), b.begin(), b.end(), a_values.begin(),
                                        b_values.begin(), keys.begin(), values.begin());
          CHECK(ends.first == keys.end());
          CHECK(std::equal(expected.begin(), expected.end(), values.begin()));
          CHECK(tag::keys(executor.policy(), a.begin(), a.end(), b.begin(), b.end(), keys.begin()) == keys.end());
        });
      });
    }
  }
}
#endif
