// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/iterator.h>
#include <mgpu/exec/policy.h>

#include <cuda/std/functional>
#include <cuda/std/type_traits>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// By what Thrust compares keys of two types without a comparator: by less of the first one. Its merges for CUDA
/// compare the keys as they are.
template <class KeysA, class KeysB>
using order_of_first =
    ::cuda::std::conditional_t<::cuda::std::is_same_v<base::value_type<KeysA>, base::value_type<KeysB>>,
                               ::cuda::std::less<>, ::cuda::std::less<base::value_type<KeysA>>>;
template <class Policy, class KeysA, class KeysB>
using order_of_merge = ::cuda::std::conditional_t<executor_of<Policy>::has_shared_memory, ::cuda::std::less<>,
                                                  order_of_first<KeysA, KeysB>>;

}  // namespace detail::exec
MGPU_NAMESPACE_END
