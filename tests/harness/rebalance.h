// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls of rebalance, which has no form for one rank.

#include <mgpu/distributed.h>

#include "over_ranks.h"
#include "support/patterns.h"
#include "under_test.h"

namespace test::harness::MGPU_HARNESS_FUNCTION {
namespace {

template <class Kind>
std::unique_ptr<call> make(source& s) {
  using access = typename Kind::access;
  using from = typename Kind::value;
  using to = std::conditional_t<Kind::number == 3, double, from>;
  const int count = s.size(), ranks = draw_ranks(s);
  const auto borders = draw_borders(s, ranks, count);
  auto wanted = draw_borders(s, ranks, count);
  if (!s.wanted.is_sound) wanted.back() += 1 + s.below(3);  // the call is to find it, and to write nothing
  const auto elements = numbered_values<from>(0, count);
  std::vector<to> expected;
  for (const auto& x : elements) expected.push_back(static_cast<to>(x));

  arena data(s.shape);
  const auto in = add_inputs(data, elements, borders);
  const auto out = add_rooms<to>(data, wanted);
  const auto run = [=](const auto& policy, int rank, char* memory) {
    const auto r = static_cast<std::size_t>(rank);
    const auto first = access::read(in[r], memory);
    const auto result = access::write(out[r], memory);
    under_test{}(policy, first, first + in[r].count, result, result + out[r].count);
    return out[r].count;
  };
  return make_call_over_ranks<Kind>(std::move(data), ranks, run, [=](arena& after, const std::vector<offset>& sizes) {
    expect_on_ranks<access>(after, out, expected, sizes);
    return true;
  });
}

registration registered_kinds() {
  if constexpr (has_all_kinds) return registration(make<kind0>, make<kind1>, make<kind2>, make<kind3>);
  else if constexpr (has_even_kinds(true)) return registration(make<kind0>, make<kind2>);
  else return registration(make<kind1>, make<kind3>);
}
const registration registered = registered_kinds();

}  // namespace
}  // namespace test::harness::MGPU_HARNESS_FUNCTION
