// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls of merge and of the set operations in all their forms. Included once for each function.

#include <mgpu/merge.h>
#include <mgpu/set_operations.h>

#include "draw_two_inputs.h"

namespace test::harness::MGPU_HARNESS_FUNCTION {
namespace {

constexpr bool is_into = under_test::has("into");

/// What the call returned, or wrote, of its size is right.
template <class Result, class KeysOut, class ValuesOut>
bool is_end(const Result& result, KeysOut keys, ValuesOut values, offset size) {
  if constexpr (has_values) return result.first - keys == size && result.second - values == size;
  else return result - keys == size;
}

template <class Kind>
std::unique_ptr<call> make(source& s) {
  using key = typename Kind::key;
  using value = typename Kind::value;
  using access = typename Kind::access;
  if (s.wanted.can_be_captured && under_test::has("returns_size")) return nullptr;
  const drawn_inputs<Kind> drawn(s);
  const int a_count = drawn.a_count, b_count = drawn.b_count;
  const auto compare = drawn.compare;
  const offset size = drawn.size(), most = room_for<definition>(drawn.in.a, drawn.in.b);

  arena data(s.shape);
  const auto a = data.add_input(drawn.in.a), b = data.add_input(drawn.in.b);
  const auto a_values = data.add_input(drawn.a_values());
  const auto b_values = data.add_input(drawn.b_values());
  const auto add_output = [&](const auto& x) {
    return data.add_output(most, access::stored(x), access::first_of(most, size));
  };
  const auto keys_out = is_size ? array<key>{} : add_output(drawn.keys_out());
  const auto values_out = !has_values ? array<value>{} : add_output(drawn.values_out());
  const auto size_out = data.add_output(is_into ? 1 : 0, is_into ? std::vector<offset>{size} : std::vector<offset>{});

  return make_call<Kind>(std::move(data), [=](const auto& policy, char* memory) {
    const auto first = access::read(a, memory), second = access::read(b, memory);
    const auto av = access::read(a_values, memory), bv = access::read(b_values, memory);
    const auto keys = access::write(keys_out, memory);
    const auto values = access::write(values_out, memory);
    const auto with_options = [&](const auto&... args) {
      if constexpr (is_unique<Kind>) {
        return under_test{}(policy, first, first + a_count, second, second + b_count, args..., compare,
                            mgpu::unique_keys);
      } else return under_test{}(policy, first, first + a_count, second, second + b_count, args..., compare);
    };
    [[maybe_unused]] offset* const size_place = size_out.in(memory);
    if constexpr (is_size) return with_options() == size;
    else if constexpr (is_into && has_values && takes_values_of_a_only)
      return has_called(with_options, av, keys, values, size_place);
    else if constexpr (is_into && has_values) return has_called(with_options, av, bv, keys, values, size_place);
    else if constexpr (is_into) return has_called(with_options, keys, size_place);
    else if constexpr (has_values && takes_values_of_a_only)
      return is_end(with_options(av, keys, values), keys, values, size);
    else if constexpr (has_values) return is_end(with_options(av, bv, keys, values), keys, values, size);
    else return is_end(with_options(keys), keys, values, size);
  });
}

registration registered_kinds() {
  if constexpr (has_all_kinds || on_gpu) return registration(make<kind0>, make<kind1>, make<kind2>, make<kind3>);
  else if constexpr (has_even_kinds(has_values == is_into)) return registration(make<kind0>, make<kind2>);
  else return registration(make<kind1>, make<kind3>);
}
const registration registered = registered_kinds();

}  // namespace
}  // namespace test::harness::MGPU_HARNESS_FUNCTION
