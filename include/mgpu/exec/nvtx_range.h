// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/config.h>

#include <nvtx3/nvtx3.hpp>

#include <type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

struct nvtx_domain {
  static constexpr const char* name = "mgpu";
};

/// The name of a core, or the verb's if it has none.
template <class Core, class = void>
struct range_name {
  static const char* of(const char* verb) { return verb; }
};
template <class Core>
struct range_name<Core, std::void_t<decltype(Core::name)>> {
  static const char* of(const char*) { return Core::name; }
};

/// The NVTX range of a verb, from its call to its return.
template <class Core>
struct verb_range {
  explicit verb_range(const char* verb) : range(range_name<Core>::of(verb)) {}
  nvtx3::scoped_range_in<nvtx_domain> range;
};

}  // namespace detail::exec
MGPU_NAMESPACE_END
