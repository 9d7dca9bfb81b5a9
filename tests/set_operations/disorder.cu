// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Set operations of inputs that are not sorted, by orders that are none and with promises that do not hold.
#include "check_set_operations.h"
#include "support/unsorted.h"

#include <cuda/atomic>

#include <cstring>

namespace {

using namespace test;

/// Orders and what is none; chosen at run time, so that a test is compiled once for all of them.
enum class order_kind {
  less,
  less_or_equal,  // the commonest of mistakes
  always,
  at_random
};

/// An order that counts its calls in the executor's memory. After too many it gives the same answer always, so that
/// a call that would never end becomes one that has called too often.
struct counted {
  order_kind kind;
  int* calls;
  int limit;

  template <class Key>
  MGPU_HOST_DEVICE bool operator()(const Key& x, const Key& y) const {
    const int before =
        cuda::atomic_ref<int, cuda::thread_scope_device>(*calls).fetch_add(1, cuda::memory_order_relaxed);
    if (before >= limit) return false;
    switch (kind) {
      case order_kind::less:
        return x < y;
      case order_kind::less_or_equal:
        return !(y < x);
      case order_kind::always:
        return true;
      default:
        return answer_at_random{}(x, y);
    }
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

/// Comes back, with a size that the output has room for; nothing else has changed. Where of two elements one at
/// most is before the other, pairs of the inputs alone come out.
template <class Operation, class Value, class Key, class... Options>
void check_disorder(Operation, const numbered_inputs<Value, Key>& in, order_kind kind, const Options&... options) {
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
    const counted order{kind, calls.begin(), limit};
    const auto forget_calls = [&] {
      const int zero = 0;
      executor_type::copy_in(calls.begin(), &zero, sizeof(zero));
    };

    forget_calls();
    const auto ends =
        Operation::by_key(executor.policy(), a_in.begin(), a_in.end(), b_in.begin(), b_in.end(), a_values.begin(),
                          b_values.begin(), keys.begin(), values.begin(), order, options...);
    CHECK(calls.read()[0] < limit);
    forget_calls();
    const Key* const end = Operation::keys(executor.policy(), a_in.begin(), a_in.end(), b_in.begin(), b_in.end(),
                                           keys_alone.begin(), order, options...);
    CHECK(calls.read()[0] < limit);
    forget_calls();
    const offset size =
        Operation::size(executor.policy(), a_in.begin(), a_in.end(), b_in.begin(), b_in.end(), order, options...);
    CHECK(calls.read()[0] < limit);

    const offset count = ends.first - keys.begin(), count_alone = end - keys_alone.begin();
    CHECK(count == ends.second - values.begin());
    for (const offset n : {count, count_alone, size}) {
      CHECK(n >= 0);
      CHECK(n <= room);
    }
    if (kind == order_kind::less) {
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
    check_disorder(Operation{}, unsorted, order_kind::less);
    check_disorder(Operation{}, unsorted, order_kind::at_random);
    check_disorder(Operation{}, unsorted, order_kind::always);
    // Sorted, but for NaN at every fifth place: also to the promise that no keys are equal, which may not hold.
    auto a = unsorted.a, b = unsorted.b;
    for (auto* x : {&a, &b}) {
      for (std::size_t i = 0; i < x->size(); ++i) {
        if (i % 5 != 0 || !std::is_floating_point_v<Key>) (*x)[i] = make_key<Key>(static_cast<int>(i) % 200 / 3, 0);
      }
    }
    const numbered_inputs<Value, Key> holes(a, b);
    check_disorder(Operation{}, holes, order_kind::less, mgpu::unique_keys);
    check_disorder(Operation{}, holes, order_kind::less_or_equal);
    check_disorder(Operation{}, holes, order_kind::at_random, mgpu::unique_keys);
  }
}

}  // namespace

TEST_CASE("unsorted inputs and orders that are none: an end in the output, pairs of the inputs before it") {
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
  check_disorder(op::set_union{}, unsorted, order_kind::less);
  check_disorder(op::set_symmetric_difference{}, unsorted, order_kind::less);
}

TEST_CASE("a promise of unique keys that does not hold: an end in the output, pairs of the inputs before it") {
  std::mt19937 random(17);
  for (const auto o : all_overlaps) {
    const auto in = overlapping_keys<std::uint32_t>(o, 20011, 15011, random);
    const numbered_inputs<number4, std::uint32_t> numbered(in.a, in.b);
    for_each_operation(
        [&](auto operation) { check_disorder(operation, numbered, order_kind::less, mgpu::unique_keys); });
  }
}
