// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// When merge_runs returns, what runs at the same time, and calls captured into CUDA graphs.
#include "check_merge_runs.h"
#include "support/async.h"

#include <map>

namespace {

using namespace test;

enum class runs_call { keys, by_key, separate };
constexpr runs_call all_runs_calls[] = {runs_call::keys, runs_call::by_key, runs_call::separate};

/// Runs whose number and total are fixed, with other keys and other lengths for each seed.
class runs_calls {
 public:
  using key = std::uint32_t;

  runs_calls(int runs, int count)
      : runs_(runs),
        count_(count),
        keys_(runs_of(0).keys),
        values_(numbers()),
        offsets_(runs_of(0).offsets),
        begins_(begins(0)),
        lengths_(lengths(0)),
        keys_out_(count),
        values_out_(count) {}

  /// Puts the data of `seed` where the calls find it, and clears what they write.
  void load(int seed) const {
    for_each_input(seed,
                   [](void* to, const void* from, std::size_t bytes) { cuda_executor::copy_in(to, from, bytes); });
    require_cuda(cudaMemset(keys_out_.begin(), 0x77, static_cast<std::size_t>(count_) * sizeof(key)));
    require_cuda(cudaMemset(values_out_.begin(), 0x77, static_cast<std::size_t>(count_) * sizeof(int)));
    require_cuda(cudaDeviceSynchronize());
  }
  /// Calls f(to, from, bytes) for all that a call reads.
  template <class F>
  void for_each_input(int seed, const F& f) const {
    const auto copy = [&](auto* to, const auto& from) { f(to, from.data(), from.size() * sizeof(from[0])); };
    copy(keys_.begin(), runs_of(seed).keys);
    copy(offsets_.begin(), runs_of(seed).offsets);
    copy(begins_.begin(), begins(seed));
    copy(lengths_.begin(), lengths(seed));
  }

  template <class Policy>
  void run(runs_call c, const Policy& policy) const {
    const key *const first = keys_.begin(), *const last = keys_.end();
    const mgpu::run_offsets cut(offsets_.begin(), runs_);
    if (c == runs_call::keys) {
      mgpu::merge_runs(policy, first, last, cut, keys_out_.begin());
    } else if (c == runs_call::by_key) {
      mgpu::merge_runs_by_key(policy, first, last, values_.begin(), cut, keys_out_.begin(), values_out_.begin());
    } else {
      mgpu::merge_runs(policy, mgpu::run_ranges(begins_.begin(), lengths_.begin(), runs_, count_), keys_out_.begin());
    }
  }
  /// Requires that the call has finished.
  bool has_result(runs_call c, int seed) const {
    auto& runs = runs_of(seed);
    if (runs.order.empty()) {
      runs.order = merged_runs_order(runs.keys, cuda::std::less<>{});
      runs.merged = in_order_of(runs.order, runs.keys);
    }
    if (keys_out_.first_difference(runs.merged) != -1) return false;
    return c != runs_call::by_key || values_out_.first_difference(runs.order) == -1;
  }
  /// Whether no call has written anything.
  bool has_not_run(int) const {
    return keys_out_.first_difference(std::vector<key>(static_cast<std::size_t>(count_), 0x77777777u)) == -1;
  }

 private:
  /// Runs, and their merge once it has been asked for.
  struct data {
    std::vector<offset> offsets;
    std::vector<key> keys;
    std::vector<int> order;
    std::vector<key> merged;
  };
  /// The runs of `seed`, which are kept: every call asks for them.
  data& runs_of(int seed) const {
    data& runs = data_[seed];
    if (runs.offsets.empty()) {
      std::mt19937 random(static_cast<unsigned>(seed));
      runs.offsets = divided(seed % 3 == 0 ? division::equal : division::random, runs_, count_, random);
      random.seed(static_cast<unsigned>(seed) + 77);
      const auto ranks = ranks_of_runs(all_layouts[seed % 2], runs.offsets, 100'000, random);
      runs.keys.assign(ranks.begin(), ranks.end());
    }
    return runs;
  }
  std::vector<int> numbers() const {
    std::vector<int> result(static_cast<std::size_t>(count_));
    std::iota(result.begin(), result.end(), 0);
    return result;
  }
  std::vector<const key*> begins(int seed) const {
    std::vector<const key*> result;
    const auto& all = runs_of(seed).offsets;
    for (int i = 0; i < runs_; ++i) result.push_back(keys_.begin() + all[i]);
    return result;
  }
  std::vector<int> lengths(int seed) const {
    std::vector<int> result;
    const auto& all = runs_of(seed).offsets;
    for (int i = 0; i < runs_; ++i) result.push_back(static_cast<int>(all[i + 1] - all[i]));
    return result;
  }

  int runs_, count_;
  mutable std::map<int, data> data_;
  input<cuda_executor, key> keys_;
  input<cuda_executor, int> values_;
  input<cuda_executor, offset> offsets_;
  input<cuda_executor, const key*> begins_;
  input<cuda_executor, int> lengths_;
  output<cuda_executor, key> keys_out_;
  output<cuda_executor, int> values_out_;
};

int large_size() { return first_executor::items_beyond_single_launch<runs_core_of<8, std::uint32_t, void>::type>(); }

/// One pass with and without a launch for the splits, several passes, a sort, and two runs.
struct some_calls {
  runs_calls two{2, 5000}, small{8, 900}, large{8, large_size()}, passes{widest_pass + 3, 900'000},
      sorted{9000, 200'000};

  template <class F>
  void each(const F& f) const {
    for (const auto* calls : {&two, &small, &large, &passes, &sorted}) {
      for (const auto c : all_runs_calls) {
        INFO("call ", static_cast<int>(c));
        f(one_call{*calls, c});
      }
    }
  }
};

}  // namespace

// First in the file: nothing has been set up before it, and no kernel has been loaded.
TEST_CASE("every call can be captured at its first call, and replayed with other runs and data") {
  const stream s;
  const some_calls all;
  all.each([&](const auto& call) { check_capture(call, mgpu::par_nosync.on(s), s, {1, 2, 6}); });
  check_capture(one_call{all.small, runs_call::by_key}, mgpu::wrap(thrust::cuda::par_nosync.on(s)), s, {1, 5});
}

TEST_CASE("many calls in one graph, the ones after the others") {
  const stream s;
  const some_calls all;
  check_captured_together(s, 2, {3, 4}, one_call{all.large, runs_call::by_key},
                          one_call{all.small, runs_call::separate}, one_call{all.passes, runs_call::separate},
                          one_call{all.sorted, runs_call::keys});
}

TEST_CASE("calls run in stream order on runs and data that come late") {
  const stream s;
  const some_calls all;
  all.each([&](const auto& call) { check_late_data(call, 4, s); });
}

TEST_CASE("par_nosync returns before completion, par after it") {
  const stream s;
  const some_calls all;
  all.each([&](const auto& call) {
    call.load(6);
    check_returns_before_completion(call, mgpu::par_nosync.on(s), s);
    CHECK(call.has_result(6));
    check_returns_after_completion(call, mgpu::par.on(s), s);
  });
  const one_call on_default{all.passes, runs_call::by_key};
  check_returns_before_completion(on_default, mgpu::par_nosync, cudaStreamLegacy);
}

TEST_CASE("wrapped policies of Thrust and policies with an allocator; small calls take no memory") {
  const stream s;
  const some_calls all;
  for (const auto c : all_runs_calls) {
    check_allocators(one_call{all.passes, c}, 8, s);
    check_allocators(one_call{all.sorted, c}, 9, s);
    check_allocators(one_call{all.small, c}, 10, s, false);
    check_allocators(one_call{all.two, c}, 10, s, false);
  }
}

TEST_CASE("bad offsets in a graph: nothing is thrown, and calls after them are right") {
  const stream s;
  const input<cuda_executor, offset> bad({0, 900, 20, 400}), good({0, 100, 200, 400});
  std::vector<int> keys(400);
  for (int i = 0; i < 400; ++i) keys[static_cast<std::size_t>(i)] = i % 100 + (i >= 300 ? 100 : 0);
  const input<cuda_executor, int> in(keys);
  const output<cuda_executor, int> bad_out(400), good_out(400);
  const graph captured(s, [&] {
    const auto policy = mgpu::par_nosync.on(s);
    mgpu::merge_runs(policy, in.begin(), in.end(), mgpu::run_offsets(bad.begin(), 3), bad_out.begin());
    mgpu::merge_runs(policy, in.begin(), in.end(), mgpu::run_offsets(good.begin(), 3), good_out.begin());
  });
  captured.launch(s);
  s.wait();
  std::sort(keys.begin(), keys.end());
  CHECK(good_out.first_difference(keys) == -1);
  CHECK(bad_out.guards_untouched());
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("a call in one stream does not wait for another stream, and two threads call at once") {
  const some_calls all;
  const runs_calls other(8, large_size() / 4 * 3);
  check_streams_are_apart(one_call{all.large, runs_call::keys}, one_call{other, runs_call::by_key});
  check_in_two_threads([](int thread, const stream& s) {
    const runs_calls one_pass(8, 300'000 + thread), passes(100, 300'000 + thread);
    bool all_right = true;
    for (int i = 0; i < 4; ++i) {
      for (const auto c : all_runs_calls) {
        all_right = runs_in(s, one_call{one_pass, c}, i, 10 * thread + i) && all_right;
        all_right = runs_in(s, one_call{passes, c}, i, 10 * thread + i) && all_right;
      }
    }
    return all_right;
  });
}
