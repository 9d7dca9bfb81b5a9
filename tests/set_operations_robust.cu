// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What holds of set operations whatever the arguments: which elements are compared, inputs and orders that are none,
// empty and impossible ranges.
#include "support/check_set_operations.h"
#include "support/strays.h"
#include "support/unsorted.h"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cuda/atomic>

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
  const auto a_loaded = thrust::make_transform_iterator(from_zero, load<key>{a_begin});
  const auto b_loaded = thrust::make_transform_iterator(from_zero, load<key>{b_begin});
  Operation::keys(policy, a_loaded, a_loaded + size.a, b_loaded, b_loaded + size.b, out_of_iterators.begin(), less);
  CHECK(strays.unchanged());

  for (const auto& found : {out.read(), out_of_iterators.read()}) {
    CHECK(std::equal(found.begin(), found.end(), expected.begin(), expected.end(),
                     [tag](const key& x, std::uint32_t y) { return x.key == y && x.tag == tag; }));
  }
  CHECK(out.guards_untouched());
  CHECK(out_of_iterators.guards_untouched());
}

/// An order that counts its calls in the executor's memory. After too many it gives the same answer always, so that a call
/// that would never end becomes one that has called too often.
template <class Compare>
struct counted {
  Compare compare;
  int* calls;
  int limit;

  template <class Key>
  MGPU_HOST_DEVICE bool operator()(const Key& x, const Key& y) const {
    const int before = cuda::atomic_ref<int, cuda::thread_scope_device>(*calls).fetch_add(1, cuda::memory_order_relaxed);
    return before < limit && compare(x, y);
  }
};

/// The commonest of mistakes.
struct less_or_equal {
  template <class Key>
  MGPU_HOST_DEVICE bool operator()(const Key& x, const Key& y) const {
    return !(y < x);
  }
};
struct always {
  template <class Key>
  MGPU_HOST_DEVICE bool operator()(const Key&, const Key&) const {
    return true;
  }
};

template <class Value, class Key>
struct numbered_inputs {
  std::vector<Key> a, b;
  std::vector<Value> a_numbers, b_numbers;

  numbered_inputs(std::vector<Key> of_a, std::vector<Key> of_b)
      : a(std::move(of_a)), b(std::move(of_b)), a_numbers(a.size()), b_numbers(b.size()) {
    int number = 0;
    for (auto& x : a_numbers) x.number = number++;
    for (auto& x : b_numbers) x.number = number++;
  }
  /// Whether it is element `number` and has this key.
  bool has(int number, const Key& key) const {
    const int a_count = static_cast<int>(a.size()), count = a_count + static_cast<int>(b.size());
    if (number < 0 || number >= count) return false;
    const Key& known = number < a_count ? a[number] : b[number - a_count];
    return std::memcmp(&known, &key, sizeof(Key)) == 0;
  }
};

/// True for orders of two elements, whatever they are of more: one is not before the other and after it.
template <class Compare>
inline constexpr bool is_asymmetric = true;
template <>
inline constexpr bool is_asymmetric<answer_at_random> = false;
template <>
inline constexpr bool is_asymmetric<less_or_equal> = false;
template <>
inline constexpr bool is_asymmetric<always> = false;

/// Comes back, with a size that the output has room for; nothing else has changed. Where the order is one of two elements,
/// pairs of the inputs alone come out.
template <class Operation, class Value, class Key, class Compare, class... Options>
void check_disorder(Operation, const numbered_inputs<Value, Key>& in, const Compare& compare,
                    const Options&... options) {
  const auto room = room_for<Operation>(in.a, in.b);
  for_each_executor([&](auto executor) {
    INFO(executor.name, ", ", Operation::name, ", ", in.a.size(), " and ", in.b.size(), " keys of ", sizeof(Key),
         " bytes");
    using executor_type = decltype(executor);
    const input<executor_type, Key> a_in(in.a, 1), b_in(in.b, 3);
    const input<executor_type, Value> a_values(in.a_numbers), b_values(in.b_numbers);
    const output<executor_type, Key> keys(room, 2), keys_alone(room);
    const output<executor_type, Value> values(room, 1);
    const output<executor_type, int> calls(1);
    const int limit = 40 * static_cast<int>(in.a.size() + in.b.size()) + 10000;
    const counted<Compare> order{compare, calls.begin(), limit};
    const auto forget_calls = [&] {
      const int zero = 0;
      executor_type::copy_in(calls.begin(), &zero, sizeof(zero));
    };

    forget_calls();
    const auto ends = Operation::by_key(executor.policy(), a_in.begin(), a_in.end(), b_in.begin(), b_in.end(),
                                        a_values.begin(), b_values.begin(), keys.begin(), values.begin(), order,
                                        options...);
    CHECK(calls.read()[0] < limit);
    forget_calls();
    const Key* const end = Operation::keys(executor.policy(), a_in.begin(), a_in.end(), b_in.begin(), b_in.end(),
                                           keys_alone.begin(), order, options...);
    CHECK(calls.read()[0] < limit);
    forget_calls();
    const offset size = Operation::size(executor.policy(), a_in.begin(), a_in.end(), b_in.begin(), b_in.end(), order,
                                        options...);
    CHECK(calls.read()[0] < limit);

    const offset count = ends.first - keys.begin(), count_alone = end - keys_alone.begin();
    CHECK(count == ends.second - values.begin());
    for (const offset n : {count, count_alone, size}) {
      CHECK(n >= 0);
      CHECK(n <= room);
    }
    if constexpr (is_asymmetric<Compare>) {
      const auto keys_out = keys.read();
      const auto values_out = values.read();
      std::size_t strangers = 0;
      for (std::size_t i = 0; i < static_cast<std::size_t>(std::clamp<offset>(count, 0, room)); ++i) {
        strangers += !in.has(values_out[i].number, keys_out[i]);
      }
      CHECK(strangers == 0);
      auto found = keys_alone.read();
      found.resize(static_cast<std::size_t>(std::clamp<offset>(count_alone, 0, room)));
      CHECK(are_known(in.a, in.b, found));
    }
    CHECK(keys.guards_untouched());
    CHECK(values.guards_untouched());
    CHECK(keys_alone.guards_untouched());
    CHECK(a_in.unchanged());
    CHECK(b_in.unchanged());
    CHECK(a_values.unchanged());
    CHECK(b_values.unchanged());
  });
}

template <class Operation, class Value, class Key>
void check_disorder_of_sizes() {
  const int tile = first_executor::items_per_tile<set_core<Operation, Key, Value>>();
  std::mt19937 random(sizeof(Key));
  for (const auto& size : {sizes{0, 5}, sizes{tile / 2, tile / 2}, sizes{3 * tile, 7}, sizes{2 * tile + 1, tile - 1}}) {
    const numbered_inputs<Value, Key> unsorted(random_bytes<Key>(size.a, random), random_bytes<Key>(size.b, random));
    check_disorder(Operation{}, unsorted, cuda::std::less<>{});
    check_disorder(Operation{}, unsorted, answer_at_random{});
    check_disorder(Operation{}, unsorted, always{});
    // Sorted, but for NaN at every fifth place: also to the promise that no keys are equal, which may not hold.
    auto a = unsorted.a, b = unsorted.b;
    for (auto* x : {&a, &b}) {
      for (std::size_t i = 0; i < x->size(); ++i) {
        if (i % 5 != 0 || !std::is_floating_point_v<Key>) (*x)[i] = make_key<Key>(static_cast<int>(i) % 200 / 3, 0);
      }
    }
    const numbered_inputs<Value, Key> holes(a, b);
    check_disorder(Operation{}, holes, cuda::std::less<>{}, mgpu::unique_keys);
    check_disorder(Operation{}, holes, less_or_equal{});
    check_disorder(Operation{}, holes, answer_at_random{}, mgpu::unique_keys);
  }
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
    check_call_domain<op::set_union, 2>(executor, {100000, 150000}, overlap::few_keys, 0xabcdef);
  });
}

TEST_CASE("unsorted inputs and orders that are none: an end in the output, pairs of the inputs before it, nothing else") {
  check_disorder_of_sizes<op::set_union, number4, std::uint32_t>();
  check_disorder_of_sizes<op::set_intersection, number4, float>();
  check_disorder_of_sizes<op::set_difference, number12, std::int64_t>();
  check_disorder_of_sizes<op::set_symmetric_difference, number64, double>();
}

TEST_CASE("unsorted inputs of many tiles") {
  using core = set_core<op::set_union, std::uint32_t, number4>;
  const int total = std::max(30 * first_executor::items_per_tile<core>() / (takes_few_cases() ? 10 : 1),
                             first_executor::items_beyond_single_launch<core>());
  std::mt19937 random(99);
  const numbered_inputs<number4, std::uint32_t> unsorted(random_bytes<std::uint32_t>(total / 2, random),
                                                         random_bytes<std::uint32_t>(total - total / 2, random));
  check_disorder(op::set_union{}, unsorted, cuda::std::less<>{});
  check_disorder(op::set_symmetric_difference{}, unsorted, cuda::std::less<>{});
}

TEST_CASE("a promise of unique keys that does not hold: an end in the output, pairs of the inputs before it") {
  std::mt19937 random(17);
  for (const auto o : all_overlaps) {
    const auto in = overlapping_keys<std::uint32_t>(o, 20011, 15011, random);
    const numbered_inputs<number4, std::uint32_t> numbered(in.a, in.b);
    for_each_operation([&](auto operation) {
      check_disorder(operation, numbered, cuda::std::less<>{}, mgpu::unique_keys);
    });
  }
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
      : count_(x.size()), page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
        bytes_((x.size() * sizeof(T) + page_ - 1) / page_ * page_ + 2 * page_),
        memory_(static_cast<char*>(
            mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
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
          INFO(executor.name, ", ", tag::name, ", ", size.a, " and ", size.b, " elements, overlap ", static_cast<int>(o));
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
