// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "check_set_operations.h"
#include "support/cuda.h"

#include <cstdint>
#include <vector>

namespace test {

enum class form { keys, by_key, unique_keys, by_unique_key };

/// A call that writes its size to the device, with other data for each seed.
template <class Operation, form Form>
class into_call {
  using key = std::uint32_t;
  static constexpr bool has_values = Form == form::by_key || Form == form::by_unique_key;
  static constexpr bool is_unique = Form == form::unique_keys || Form == form::by_unique_key;

 public:
  explicit into_call(int a_count = 60001, int b_count = 50021)
      : a_count_(a_count),
        b_count_(b_count),
        a_(std::vector<key>(a_count)),
        b_(std::vector<key>(b_count)),
        a_values_(numbered_values<int>(0, a_count)),
        b_values_(numbered_values<int>(a_count, b_count)),
        keys_(room()),
        values_(room()),
        size_(1),
        fresh_keys_(keys_.read()),
        fresh_values_(values_.read()) {}

  /// Puts the data of `seed` where the call reads it, and makes the outputs as they were.
  void load(int seed) const {
    load_inputs(*this, seed);
    const offset none = -7;
    cuda_executor::copy_in(size_.begin(), &none, sizeof(none));
    cuda_executor::copy_in(keys_.begin(), fresh_keys_.data(), fresh_keys_.size() * sizeof(key));
    cuda_executor::copy_in(values_.begin(), fresh_values_.data(), fresh_values_.size() * sizeof(int));
  }
  /// Calls f(to, from, bytes) for the inputs that depend on the seed.
  template <class F>
  void for_each_input(int seed, const F& f) const {
    const auto in = inputs(seed);
    f(a_.begin(), in.a.data(), in.a.size() * sizeof(key));
    f(b_.begin(), in.b.data(), in.b.size() * sizeof(key));
  }
  template <class Policy>
  void run(const Policy& policy) const {
    run_with(policy, size_.begin());
  }
  template <class Policy, class SizeOut>
  void run_with(const Policy& policy, SizeOut size_out) const {
    if constexpr (is_unique) start(policy, size_out, mgpu::unique_keys);
    else start(policy, size_out);
  }
  bool has_not_run(int) const {
    return size_.read()[0] == -7 && keys_.read() == fresh_keys_ && values_.read() == fresh_values_;
  }
  /// Requires that the call has finished.
  bool has_result(int seed) const {
    return has_elements(seed) && size_.first_difference({static_cast<offset>(numbers(seed).size())}) == -1;
  }
  bool has_elements(int seed) const {
    const auto in = inputs(seed);
    return keys_.first_difference(in_order<key>(numbers(seed), in.a, in.b)) == -1 &&
           (!has_values || values_.first_difference(numbers(seed)) == -1);
  }
  offset size(int seed) const { return static_cast<offset>(numbers(seed).size()); }

 private:
  offset room() const {
    return mgpu::detail::tile::set_operation_max_size<typename Operation::tag>(a_count_, b_count_);
  }
  two_inputs<key> inputs(int seed) const {
    std::mt19937 random(static_cast<unsigned>(seed));
    if (is_unique) return unique_keys<key>(unique_overlaps[seed % 6], a_count_, b_count_, random);
    return overlapping_keys<key>(all_overlaps[seed % 10], a_count_, b_count_, random);
  }
  std::vector<int> numbers(int seed) const {
    const auto in = inputs(seed);
    return emitted_numbers<Operation>(in.a, in.b, std::less<>{});
  }
  template <class Policy, class SizeOut, class... Options>
  void start(const Policy& policy, SizeOut size_out, const Options&... options) const {
    if constexpr (has_values) {
      Operation::by_key_into(policy, a_.begin(), a_.end(), b_.begin(), b_.end(), a_values_.begin(), b_values_.begin(),
                             keys_.begin(), values_.begin(), size_out, options...);
    } else {
      Operation::into(policy, a_.begin(), a_.end(), b_.begin(), b_.end(), keys_.begin(), size_out, options...);
    }
  }

  int a_count_, b_count_;
  input<cuda_executor, key> a_, b_;
  input<cuda_executor, int> a_values_, b_values_;
  output<cuda_executor, key> keys_;
  output<cuda_executor, int> values_;
  output<cuda_executor, offset> size_;
  std::vector<key> fresh_keys_;
  std::vector<int> fresh_values_;
};

}  // namespace test
