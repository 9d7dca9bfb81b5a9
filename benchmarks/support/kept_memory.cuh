// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <support/timing.cuh>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <map>
#include <utility>

namespace bench {

/// An allocator that keeps what is given back for the next request of the same size, as CUB's callers keep their
/// temporary storage. Work of one stream only may use it.
class kept_memory {
 public:
  using value_type = char;

  kept_memory() = default;
  kept_memory(const kept_memory&) = delete;
  kept_memory& operator=(const kept_memory&) = delete;
  ~kept_memory() {
    for (const auto& block : free_) cudaFree(block.second);
  }

  char* allocate(std::ptrdiff_t bytes) {
    const auto kept = free_.find(bytes);
    if (kept != free_.end()) {
      char* const memory = kept->second;
      free_.erase(kept);
      return memory;
    }
    void* memory = nullptr;
    check(cudaMalloc(&memory, static_cast<std::size_t>(bytes)));
    return static_cast<char*>(memory);
  }
  void deallocate(char* memory, std::size_t bytes) { free_.emplace(static_cast<std::ptrdiff_t>(bytes), memory); }

 private:
  std::multimap<std::ptrdiff_t, char*> free_;
};

}  // namespace bench
