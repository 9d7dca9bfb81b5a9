// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/config.h>

#include <stdexcept>
#include <string>

MGPU_NAMESPACE_BEGIN

/// Another rank has failed, so this rank has given up its call, too. That rank's call throws what has happened there.
class rank_error : public std::runtime_error {
 public:
  /// The failure of a rank; `what` continues a sentence that begins with it.
  rank_error(int rank, const std::string& what)
      : std::runtime_error("mgpu: rank " + std::to_string(rank) + " " + what), rank_(rank) {}
  /// The rank that has failed.
  int rank() const noexcept { return rank_; }

 private:
  int rank_;
};

MGPU_NAMESPACE_END
