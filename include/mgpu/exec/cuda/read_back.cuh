// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/exec/cuda/capture.cuh>
#include <mgpu/exec/cuda/error.cuh>
#include <mgpu/exec/cuda/per_device.cuh>

#include MGPU_STD_MUTEX_HEADER

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// The library's places in pinned memory of a device. They are never given back: to pin memory costs more than most
/// calls, and a static object of the program may call the library from its destructor.
template <class T>
class pinned_places {
 public:
  T* take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (free_ == nullptr) grow();
    node* const taken = pop(free_);
    push(unused_, taken);
    return taken->place;
  }
  void give_back(T* place) {
    const std::lock_guard<std::mutex> lock(mutex_);
    node* const given = pop(unused_);  // as many nodes are unused as places are taken
    given->place = place;
    push(free_, given);
  }

 private:
  struct node {
    T* place;
    node* next;
  };
  static void push(node*& list, node* x) {
    x->next = list;
    list = x;
  }
  static node* pop(node*& list) {
    node* const first = list;
    list = first->next;
    return first;
  }

  void grow() {
    constexpr int more = 64;
    node* const nodes = new node[more];
    void* memory;
    allow_setup_during_capture allowed;
    const cudaError_t result = cudaHostAlloc(&memory, more * sizeof(T), cudaHostAllocPortable);
    if (result != cudaSuccess) delete[] nodes;
    exec::check_cuda(result, "cudaHostAlloc");
    for (int i = 0; i < more; ++i) {
      nodes[i].place = static_cast<T*>(memory) + i;
      push(free_, nodes + i);
    }
  }

  // Lists, since a std::vector takes longer to compile.
  std::mutex mutex_;
  node *free_ = nullptr, *unused_ = nullptr;
};

/// One value that kernels of a stream write. The host reads it, without a copy, after it has synchronized the stream.
template <class T>
class read_back {
 public:
  /// If is_wanted is false, it has no place.
  explicit read_back(cudaStream_t stream, bool is_wanted = true)
      : stream_(stream),
        places_(is_wanted ? current_places() : nullptr),
        place_(is_wanted ? places_->take() : nullptr) {}

  /// A call that ends by an exception may leave a kernel behind that still writes. So the place is given to nobody else
  /// before that kernel has ended, and never if the stream cannot be waited for.
  ~read_back() {
    if (!is_wanted()) return;
    if (may_be_written_ && exec::wait_for_stream(stream_) != cudaSuccess) {
      cudaGetLastError();
      return;
    }
    places_->give_back(place_);
  }
  read_back(const read_back&) = delete;
  read_back& operator=(const read_back&) = delete;

  bool is_wanted() const { return place_ != nullptr; }
  /// The address for kernels: the same on the host and on every device.
  T* device() {
    may_be_written_ = is_wanted();
    return place_;
  }
  void set(const T& value) {
    if (is_wanted()) *place_ = value;
  }
  /// Requires: the stream was synchronized after device() had been passed to a kernel.
  T get() {
    may_be_written_ = false;
    return *place_;
  }

 private:
  /// The places of a device that was reset are gone; nothing refers to them any more.
  static pinned_places<T>* current_places() {
    static auto& all = *new per_device<pinned_places<T>*>;
    return all.get([](int) { return new pinned_places<T>; }, [](const pinned_places<T>*) { return true; });
  }

  cudaStream_t stream_;
  pinned_places<T>* places_;
  T* place_;
  bool may_be_written_ = false;
};

}  // namespace detail::exec
MGPU_NAMESPACE_END
