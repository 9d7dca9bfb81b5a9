// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls of merge and of the set operations over ranks. Included once for each function.

#include <mgpu/distributed.h>

#include "draw_two_inputs.h"
#include "over_ranks.h"

namespace test::harness::MGPU_HARNESS_FUNCTION {
namespace {

/// Few different keys, in order on each rank, but not in all.
template <class Key, class Compare>
void order_on_ranks(source& s, std::vector<Key>& keys, const rank_borders& borders, const Compare& compare) {
  for (std::size_t i = 0; i < keys.size(); ++i)
    keys[i] = make_key<Key>(static_cast<int>(s.data() % 3), static_cast<int>(i));
  const bool descends = compare(make_key<Key>(1, 0), make_key<Key>(0, 0));
  for (std::size_t r = 0; r + 1 < borders.size(); ++r)
    std::stable_sort(keys.begin() + borders[r], keys.begin() + borders[r + 1],
                     [=](const Key& x, const Key& y) { return descends ? y < x : x < y; });
}

template <class Kind>
std::unique_ptr<call> make(source& s) {
  using key = typename Kind::key;
  using value = typename Kind::value;
  using access = typename Kind::access;
  drawn_inputs<Kind> drawn(s);
  const int ranks = draw_ranks(s);
  const auto a_borders = draw_borders(s, ranks, drawn.a_count), b_borders = draw_borders(s, ranks, drawn.b_count);
  auto out_borders = a_borders;
  for (std::size_t r = 0; r < out_borders.size(); ++r) out_borders[r] += b_borders[r];
  if (!s.wanted.is_sound && s.data() % 2 == 0) {
    order_on_ranks(s, drawn.in.a, a_borders, drawn.compare);
    order_on_ranks(s, drawn.in.b, b_borders, drawn.compare);
  }

  arena data(s.shape);
  const auto a = add_inputs(data, drawn.in.a, a_borders), b = add_inputs(data, drawn.in.b, b_borders);
  const auto a_values = add_inputs(data, drawn.a_values(), a_borders);
  const auto b_values = add_inputs(data, drawn.b_values(), b_borders);
  const rank_borders no_room(out_borders.size());
  const auto keys_out = add_rooms<key>(data, is_size ? no_room : out_borders);
  const auto values_out = add_rooms<value>(data, has_values ? out_borders : no_room);

  const auto run = [=, compare = drawn.compare](const auto& policy, int rank, char* memory) {
    const auto r = static_cast<std::size_t>(rank);
    const auto first = access::read(a[r], memory), second = access::read(b[r], memory);
    [[maybe_unused]] const auto av = access::read(a_values[r], memory), bv = access::read(b_values[r], memory);
    [[maybe_unused]] const auto keys = access::write(keys_out[r], memory);
    [[maybe_unused]] const auto values = access::write(values_out[r], memory);
    const auto with_options = [&](const auto&... args) {
      if constexpr (is_unique<Kind>) {
        return under_test{}(policy, first, first + a[r].count, second, second + b[r].count, args..., compare,
                            mgpu::unique_keys);
      } else return under_test{}(policy, first, first + a[r].count, second, second + b[r].count, args..., compare);
    };
    const auto size_of = [&](const auto& ends) {
      const offset size = ends.first - keys;
      if (size != ends.second - values) throw wrong_answer("the ends of keys and values differ");
      return size;
    };
    offset size = 0;
    if constexpr (is_size) return with_options();
    else if constexpr (has_values && takes_values_of_a_only) size = size_of(with_options(av, keys, values));
    else if constexpr (has_values) size = size_of(with_options(av, bv, keys, values));
    else size = with_options(keys) - keys;
    if (size < 0 || size > keys_out[r].count) throw wrong_answer("a rank has got more than it has room for");
    return size;
  };
  const auto settle = [=](arena& after, const std::vector<offset>& sizes) {
    if (is_size) return std::count(sizes.begin(), sizes.end(), drawn.size()) == ranks;
    if (std::accumulate(sizes.begin(), sizes.end(), offset{0}) != drawn.size()) return false;
    expect_on_ranks<access>(after, keys_out, drawn.keys_out(), sizes);
    if (has_values) expect_on_ranks<access>(after, values_out, drawn.values_out(), sizes);
    for (int r = 0; is_merge && r < ranks; ++r)
      if (sizes[static_cast<std::size_t>(r)] != count_of(out_borders, r)) return false;
    return true;
  };
  return make_call_over_ranks<Kind>(std::move(data), ranks, run, settle);
}

registration registered_kinds() {
  if constexpr (has_all_kinds) return registration(make<kind0>, make<kind1>, make<kind2>, make<kind3>);
  else if constexpr (has_even_kinds(true)) return registration(make<std::conditional_t<has_values, kind2, kind0>>);
  else return registration(make<std::conditional_t<has_values, kind1, kind3>>);
}
const registration registered = registered_kinds();

}  // namespace
}  // namespace test::harness::MGPU_HARNESS_FUNCTION
