// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The function that the macros MGPU_HARNESS_... name, which tests/CMakeLists.txt defines. Included once for each
// function, and each has a namespace of its name: a translation unit can have several.

#include "kinds.h"

namespace test::harness::MGPU_HARNESS_FUNCTION {
namespace {

/// The function, with its traits of cmake/families.json.
struct under_test {
  static constexpr bool has(std::string_view trait) { return has_word(MGPU_HARNESS_TRAITS, trait); }

  template <class... Args>
  auto operator()(const Args&... args) const {
    return mgpu::MGPU_HARNESS_FUNCTION(args...);
  }
};

using kind3 = kind_of_numbers<number_types::at<number_of_name(MGPU_HARNESS_NAME, number_types::count)>>;

/// Names the function's makers in the list of all.
struct registration {
  template <class... Makers>
  explicit registration(Makers... makers) {
    all_functions().push_back({MGPU_HARNESS_NAME, MGPU_HARNESS_FAMILY, MGPU_HARNESS_TRAITS, {makers...}});
  }
};

}  // namespace
}  // namespace test::harness::MGPU_HARNESS_FUNCTION
