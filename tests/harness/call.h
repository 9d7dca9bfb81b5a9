// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A call of a public function with all its data, behind an interface that knows neither types nor iterators; and the
// list of the functions, which their translation units fill.

#include "arena.h"
#include "worker.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace test::harness {

/// What is asked of a call's data.
struct demands {
  int size = -1;  // elements in all; by default drawn, up to `largest`
  int largest = 300'000;
  bool is_sound = true;          // sorted inputs, an order, ascending offsets; otherwise anything
  bool can_be_captured = false;  // nothing for which the host has to know what the device has found
};

/// Where data is drawn from. Calls drawn from the same shape have the same arrays at the same places, whatever their
/// data.
struct source {
  std::mt19937 shape, data;
  demands wanted;

  source(std::uint64_t shape_number, std::uint64_t data_number, const demands& d)
      : shape(seeded(shape_number, 1)), data(seeded(data_number, 2)), wanted(d) {}

  int below(int end) { return static_cast<int>(shape() % static_cast<unsigned>(end)); }
  template <class T, std::size_t Count>
  const T& one_of(const T (&x)[Count]) {
    return x[shape() % Count];
  }
  /// The same for what the layout does not depend on.
  template <class T, std::size_t Count>
  const T& any_of(const T (&x)[Count]) {
    return x[data() % Count];
  }
  /// Most calls are small, and some take many tiles of a GPU's.
  int size() {
    if (wanted.size >= 0) return wanted.size;
    const int kind = below(1000);
    const int end = kind < 60 ? 4 : kind < 650 ? 400 : kind < 900 ? 6'000 : kind < 990 ? 40'000 : wanted.largest;
    return below(std::min(end, wanted.largest));
  }

 private:
  static std::mt19937 seeded(std::uint64_t number, unsigned purpose) {
    return std::mt19937(static_cast<unsigned>((2 * number + purpose) * 0x9E3779B97F4A7C15 >> 32));
  }
};

class call {
 public:
  explicit call(arena data) : data_(std::move(data)) {}
  virtual ~call() = default;

  const arena& data() const { return data_; }
  /// Calls the function on the arrays of an arena that lies at `memory`. Whether it returned what it should.
  virtual bool run(const worker& w, way how, char* memory) = 0;

 protected:
  arena& mutable_data() { return data_; }

 private:
  arena data_;
};

template <class Kind, class F>
class call_of final : public call {
 public:
  call_of(arena data, const F& f) : call(std::move(data)), f_(f) {}
  bool run(const worker& w, way how, char* memory) override {
    return w.with_policy<Kind>(how, [&](const auto& policy) { return f_(policy, memory); });
  }

 private:
  F f_;  // f(policy, memory)
};

/// A call of the types of a kind: see kinds.h.
template <class Kind, class F>
std::unique_ptr<call> make_call(arena data, const F& f) {
  return std::make_unique<call_of<Kind, F>>(std::move(data), f);
}

/// Whether `word` is one of the words of a text, which spaces separate.
constexpr bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t end = 0; end < text.size();) {
    const std::size_t begin = text.find_first_not_of(' ', end);
    if (begin == text.npos) return false;
    end = text.find(' ', begin);
    if (end == text.npos) end = text.size();
    if (text.substr(begin, end - begin) == word) return true;
  }
  return false;
}

/// A public function. Its makers, each for other types and iterators, return null where they cannot do what is wanted.
struct function {
  using maker = std::unique_ptr<call> (*)(source&);

  std::string name, family, traits;  // as cmake/families.json has them
  std::vector<maker> makers;

  bool has(std::string_view trait) const { return has_word(traits, trait); }
  /// The first maker that can, from a drawn one on; null if there is none.
  std::unique_ptr<call> make(std::uint64_t shape_number, std::uint64_t data_number, const demands& d) const {
    const std::uint64_t salt = std::hash<std::string>{}(name);  // each function has cases of its own
    for (std::size_t i = 0; i < makers.size(); ++i) {
      source s(shape_number + salt, data_number + salt, d);
      if (auto made = makers[(s.shape() + i) % makers.size()](s)) return made;
    }
    return nullptr;
  }
};

/// All functions, in the order of their names.
std::vector<function>& all_functions();

}  // namespace test::harness
