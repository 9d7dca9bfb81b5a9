// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mgpu/base/config.h>

MGPU_NAMESPACE_BEGIN
namespace detail::exec {

/// Values by the numbers of devices. A list, since a program has few devices and a std::map takes long to compile.
/// Values are never destroyed.
template <class T>
class device_table {
 public:
  /// Null if the device has no value.
  T* find(int device) const {
    for (node* n = first_; n != nullptr; n = n->next)
      if (n->device == device) return &n->value;
    return nullptr;
  }
  /// Requires: the device has no value.
  T* add(int device, const T& value) {
    first_ = new node{device, value, first_};
    return &first_->value;
  }

 private:
  struct node {
    int device;
    T value;
    node* next;
  };

  node* first_ = nullptr;
};

}  // namespace detail::exec
MGPU_NAMESPACE_END
