// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls of the sorts over ranks. Included once for each function.

#include <mgpu/distributed.h>

#include "draw_sort.h"
#include "over_ranks.h"

namespace test::harness::MGPU_HARNESS_FUNCTION {
namespace {

template <class Kind>
std::unique_ptr<call> make(source& s) {
  using access = typename Kind::access;
  const int count = s.size(), ranks = draw_ranks(s);
  const auto borders = draw_borders(s, ranks, count);
  const auto compare = draw_compare<typename Kind::compare>(s);
  const drawn_sort<Kind> drawn(s, one_segment(count), compare);

  arena data(s.shape);
  const auto keys = add_inouts<access>(data, drawn.keys, drawn.sorted_keys, borders);
  const auto values = add_inouts<access>(data, drawn.values, drawn.sorted_values, borders);
  const auto run = [=](const auto& policy, int rank, char* memory) {
    const auto r = static_cast<std::size_t>(rank);
    const auto first = access::write(keys[r], memory), last = first + keys[r].count;
    if constexpr (has_values) under_test{}(policy, first, last, access::write(values[r], memory), compare);
    else under_test{}(policy, first, last, compare);
    return offset{0};
  };
  return make_call_over_ranks<Kind>(std::move(data), ranks, run, [](arena&, const auto&) { return true; });
}

registration registered_kinds() {
  if constexpr (has_all_kinds) return registration(make<kind0>, make<kind1>, make<kind2>, make<kind3>);
  else if constexpr (has_even_kinds(true)) return registration(make<std::conditional_t<has_values, kind0, kind2>>);
  else return registration(make<std::conditional_t<has_values, kind3, kind1>>);
}
const registration registered = registered_kinds();

}  // namespace
}  // namespace test::harness::MGPU_HARNESS_FUNCTION
