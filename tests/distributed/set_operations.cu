// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The set operations over ranks, against those of std:: on the whole sequences. Each rank's room ends with its share.
#include "ranks.h"

namespace {

using namespace test;

struct united {
  template <class... X>
  static auto call(const X&... x) {
    return mgpu::set_union(x...);
  }
  template <class P, class A, class B, class VA, class VB, class K, class V, class C>
  static auto by_key(const P& p, A a, A ae, B b, B be, VA va, VB vb, K k, V v, C c) {
    return mgpu::set_union_by_key(p, a, ae, b, be, va, vb, k, v, c);
  }
  template <class... X>
  static auto size(const X&... x) {
    return mgpu::set_union_size(x...);
  }
  template <class... X>
  static auto expected(const X&... x) {
    return std::set_union(x...);
  }
};
struct common {
  template <class... X>
  static auto call(const X&... x) {
    return mgpu::set_intersection(x...);
  }
  template <class P, class A, class B, class VA, class VB, class K, class V, class C>
  static auto by_key(const P& p, A a, A ae, B b, B be, VA va, VB, K k, V v, C c) {
    return mgpu::set_intersection_by_key(p, a, ae, b, be, va, k, v, c);
  }
  template <class... X>
  static auto size(const X&... x) {
    return mgpu::set_intersection_size(x...);
  }
  template <class... X>
  static auto expected(const X&... x) {
    return std::set_intersection(x...);
  }
};
struct subtracted {
  template <class... X>
  static auto call(const X&... x) {
    return mgpu::set_difference(x...);
  }
  template <class P, class A, class B, class VA, class VB, class K, class V, class C>
  static auto by_key(const P& p, A a, A ae, B b, B be, VA va, VB vb, K k, V v, C c) {
    return mgpu::set_difference_by_key(p, a, ae, b, be, va, vb, k, v, c);
  }
  template <class... X>
  static auto size(const X&... x) {
    return mgpu::set_difference_size(x...);
  }
  template <class... X>
  static auto expected(const X&... x) {
    return std::set_difference(x...);
  }
};
struct different {
  template <class... X>
  static auto call(const X&... x) {
    return mgpu::set_symmetric_difference(x...);
  }
  template <class P, class A, class B, class VA, class VB, class K, class V, class C>
  static auto by_key(const P& p, A a, A ae, B b, B be, VA va, VB vb, K k, V v, C c) {
    return mgpu::set_symmetric_difference_by_key(p, a, ae, b, be, va, vb, k, v, c);
  }
  template <class... X>
  static auto size(const X&... x) {
    return mgpu::set_symmetric_difference_size(x...);
  }
  template <class... X>
  static auto expected(const X&... x) {
    return std::set_symmetric_difference(x...);
  }
};

/// Positions in both sequences, those of b behind those of a, of what the operation emits.
template <class Operation, class Key, class Compare>
std::vector<std::uint32_t> expected_order(const std::vector<Key>& both, std::size_t a_count, Compare compare) {
  const auto a = indices(a_count), b = indices(both.size() - a_count, static_cast<std::uint32_t>(a_count));
  std::vector<std::uint32_t> result;
  Operation::expected(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result),
                      [&](auto x, auto y) { return compare(both[x], both[y]); });
  return result;
}

template <class Operation, class Executor, class Key, class Compare>
void check_operation(const Executor& executor, const shares& sa, const shares& sb, const std::vector<Key>& a,
                     const std::vector<Key>& b, Compare compare) {
  const auto ranks = static_cast<int>(sa.counts.size());
  if (!has_ranks(ranks)) return;
  shares room{"", sa.counts}, emitted{"", sa.counts};
  for (std::size_t r = 0; r < room.counts.size(); ++r) room.counts[r] += sb.counts[r];
  std::vector<Key> both(a);
  both.insert(both.end(), b.begin(), b.end());
  const auto order = expected_order<Operation>(both, a.size(), compare);

  const spread<Executor, Key> a_in(a, sa), b_in(b, sb);
  const spread<Executor, std::uint32_t> a_values(indices(a.size()), sa),
      b_values(indices(b.size(), static_cast<std::uint32_t>(a.size())), sb);
  const rooms<Executor, Key> keys_out(room), alone(room);
  const rooms<Executor, std::uint32_t> values_out(room);
  std::vector<offset> ends(static_cast<std::size_t>(ranks)), sizes(ends), alone_ends(ends);
  in_ranks(executor, ranks, [&](const auto& everywhere, int r) {
    const auto *x = a_in[r].begin(), *x_end = a_in[r].end(), *y = b_in[r].begin(), *y_end = b_in[r].end();
    const auto i = static_cast<std::size_t>(r);
    sizes[i] = Operation::size(everywhere, x, x_end, y, y_end, compare);
    alone_ends[i] = Operation::call(everywhere, x, x_end, y, y_end, alone[r].begin(), compare) - alone[r].begin();
    const auto end = Operation::by_key(everywhere, x, x_end, y, y_end, a_values[r].begin(), b_values[r].begin(),
                                       keys_out[r].begin(), values_out[r].begin(), compare);
    ends[i] = end.first - keys_out[r].begin();
    if (end.second - values_out[r].begin() != ends[i]) ends[i] = -1;
  });
  emitted.counts = ends;
  CHECK(ends == alone_ends);
  CHECK(sizes == std::vector<offset>(sizes.size(), static_cast<offset>(order.size())));
  REQUIRE(std::count(ends.begin(), ends.end(), offset{-1}) == 0);
  CHECK(keys_out.have(taken(both, order), emitted));
  CHECK(alone.have(taken(both, order), emitted));
  CHECK(values_out.have(order, emitted));
  CHECK(a_in.unchanged());
  CHECK(b_in.unchanged());
}

template <class Operation, class Key, class Compare>
void check_operations(Compare compare) {
  for_each_executor([&](const auto& executor) {
    unsigned seed = 0;
    for (const int ranks : rank_counts(8)) {
      for (const repeats how : all_repeats) {
        const auto ways = ways_to_share(ranks, 1200, ++seed);
        for (std::size_t i = 0; i < ways.size(); ++i) {
          const shares &sa = ways[i], &sb = second_of(ways, i, ranks, seed);
          if (is_left_out(seed, i)) continue;
          INFO(ranks, " ranks, a: ", sa.name, ", b: ", sb.name, ", equal keys: ", name_of(how));
          auto a = keys<Key>(sa.total(), how, seed), b = keys<Key>(sb.total(), how, seed + 100);
          if (how == repeats::few)  // so that some match
            for (auto* x : {&a, &b})
              for (auto& k : *x) k = key_of<Key>(static_cast<std::uint32_t>(k) % 2000, 0);
          std::stable_sort(a.begin(), a.end(), compare);
          std::stable_sort(b.begin(), b.end(), compare);
          check_operation<Operation>(executor, sa, sb, a, b, compare);
        }
      }
    }
  });
}

TEST_CASE("set_union") { check_operations<united, std::uint32_t>(cuda::std::less<>{}); }
TEST_CASE("set_intersection") { check_operations<common, std::uint32_t>(cuda::std::less<>{}); }
TEST_CASE("set_difference") { check_operations<subtracted, std::uint32_t>(cuda::std::less<>{}); }
TEST_CASE("set_symmetric_difference") { check_operations<different, std::uint32_t>(cuda::std::less<>{}); }

TEST_CASE("no equal keys in one input") {
  for_each_executor([&](const auto& executor) {
    constexpr int ranks = 2;
    if (!has_ranks(ranks)) return;
    std::vector<std::uint32_t> odd, all = indices(8'000), expected;
    for (std::uint32_t x = 1; x < 16'000; x += 2) odd.push_back(x);
    std::set_intersection(odd.begin(), odd.end(), all.begin(), all.end(), std::back_inserter(expected));
    const shares s{"", {4'000, 4'000}}, room{"", {8'000, 8'000}};
    using executor_type = std::decay_t<decltype(executor)>;
    const spread<executor_type, std::uint32_t> a(odd, s), b(all, s);
    const rooms<executor_type, std::uint32_t> out(room);
    shares emitted{"", std::vector<offset>(ranks)};
    in_ranks(executor, ranks, [&](const auto& everywhere, int r) {
      emitted.counts[static_cast<std::size_t>(r)] =
          mgpu::set_intersection(everywhere, a[r].begin(), a[r].end(), b[r].begin(), b[r].end(), out[r].begin(),
                                 mgpu::unique_keys) -
          out[r].begin();
    });
    CHECK(out.have(expected, emitted));
  });
}

}  // namespace
