// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Two sorted inputs of every type and distribution that the CPU's merges and set operations are measured on. No library
// is measured by random u32 keys alone: others make a CPU's caches and branch predictor behave otherwise. A row is
// <operation>/<type>/<distribution>/<count>/<peer>; the distributions:
//   rand      uniform in [0, 4N), N keys in both inputs
//   wide      uniform over 32 bits
//   regular   a b a b ...
//   a_first   all keys of a before those of b
//   blocks    1,000 keys of a, 1,000 of b, ...
//   few       16 different keys
//   equal     the inputs are equal
//   short_b   b has a thousandth of a's keys

#include <support/host_row.h>

#include <array>
#include <type_traits>
#include <utility>

namespace bench {

/// 16 bytes of which a half is compared.
struct key16 {
  std::uint64_t key, rest;
  friend bool operator<(const key16& x, const key16& y) { return x.key < y.key; }
  friend bool operator==(const key16& x, const key16& y) { return x.key == y.key && x.rest == y.rest; }
};

template <class Key>
Key make_key(std::uint64_t x) {
  if constexpr (std::is_same_v<Key, key16>) return {x, 0};
  else return static_cast<Key>(x);
}

template <class Key>
const char* type_name() {
  return std::is_same_v<Key, std::uint32_t>   ? "u32"
         : std::is_same_v<Key, std::uint64_t> ? "u64"
         : std::is_same_v<Key, double>        ? "f64"
                                              : "key16";
}

enum class distribution { rand, wide, regular, a_first, blocks, few, equal, short_b };
inline constexpr std::array<std::pair<distribution, const char*>, 8> distributions{{
    {distribution::rand, "rand"},
    {distribution::wide, "wide"},
    {distribution::regular, "regular"},
    {distribution::a_first, "a_first"},
    {distribution::blocks, "blocks"},
    {distribution::few, "few"},
    {distribution::equal, "equal"},
    {distribution::short_b, "short_b"},
}};

/// One case of the grid.
struct input_case {
  distribution kind;
  std::size_t count;  // of a, and of b except where that is short

  std::string name() const {
    return std::string(distributions[static_cast<std::size_t>(kind)].second) + "/" + std::to_string(count);
  }
  friend bool operator==(const input_case& x, const input_case& y) { return x.kind == y.kind && x.count == y.count; }
};

template <class Key>
struct inputs {
  std::vector<Key> a, b;
  array a_values, b_values;

  inputs() = default;
  explicit inputs(const input_case& c) {
    const std::size_t n = c.count;
    std::mt19937_64 random(n);
    const auto random_keys = [&](std::size_t count, std::uint64_t end) {
      std::vector<Key> keys(count);
      for (Key& key : keys) key = make_key<Key>(random() % end);
      std::sort(keys.begin(), keys.end());
      return keys;
    };
    const auto keys_by_place = [n](const auto& key_at) {
      std::vector<Key> keys(n);
      for (std::size_t i = 0; i < n; ++i) keys[i] = make_key<Key>(key_at(i));
      return keys;
    };
    switch (c.kind) {
      case distribution::rand:
      case distribution::short_b:
        a = random_keys(n, 4 * n);
        b = random_keys(c.kind == distribution::rand ? n : n / 1000, 4 * n);
        break;
      case distribution::wide:
      case distribution::equal:
        a = random_keys(n, std::uint64_t{1} << 32);
        b = c.kind == distribution::wide ? random_keys(n, std::uint64_t{1} << 32) : a;
        break;
      case distribution::few:
        a = random_keys(n, 16);
        b = random_keys(n, 16);
        break;
      case distribution::regular:
        a = keys_by_place([](std::size_t i) { return 2 * i; });
        b = keys_by_place([](std::size_t i) { return 2 * i + 1; });
        break;
      case distribution::a_first:
        a = keys_by_place([](std::size_t i) { return i; });
        b = keys_by_place([n](std::size_t i) { return n + i; });
        break;
      case distribution::blocks:
        a = keys_by_place([](std::size_t i) { return i + i / 1000 * 1000; });
        b = keys_by_place([](std::size_t i) { return i + i / 1000 * 1000 + 1000; });
        break;
    }
    a_values = numbers(a.size(), 0);
    b_values = numbers(b.size(), static_cast<std::uint32_t>(a.size()));
  }
};

/// The inputs of a case; those of the last one are kept. Not const: GNU's parallel mode does not compile with const
/// elements.
template <class Key>
inputs<Key>& inputs_of(const input_case& c) {
  static input_case last{distribution::rand, 0};
  static inputs<Key> kept;
  if (!(last == c)) {
    kept = {};
    kept = inputs<Key>(c);
    last = c;
  }
  return kept;
}

/// Keys and values of a result.
template <class Key>
struct pairs {
  std::vector<Key> keys;
  array values;

  pairs() = default;
  explicit pairs(std::size_t count) : keys(count), values(count) {}
  void clear() {
    std::fill(keys.begin(), keys.end(), make_key<Key>(77));
    bench::clear(values);
  }
  void push_back(const Key& key, std::uint32_t value) {
    keys.push_back(key);
    values.push_back(value);
  }
};

/// What the peers of one case, which run one after another, write to and have to find.
template <class Key>
struct results {
  std::string name;
  pairs<Key> out, expected;

  bool has_keys(std::size_t size) const {
    return size == expected.keys.size() && std::equal(expected.keys.begin(), expected.keys.end(), out.keys.begin());
  }
  bool has_values(std::size_t size) const {
    return size == expected.values.size() &&
           std::equal(expected.values.begin(), expected.values.end(), out.values.begin());
  }
};

/// The results of a case, whose expected ones are made when its first row runs.
template <class Key, class MakeExpected>
results<Key>& results_of(const std::string& name, const input_case& c, const MakeExpected& make_expected) {
  static results<Key> live;
  if (live.name != name) {
    const inputs<Key>& in = inputs_of<Key>(c);
    live = {};
    live.expected = make_expected(in);
    live.out = pairs<Key>(in.a.size() + in.b.size());
    live.name = name;
  }
  return live;
}

/// The row of a peer that writes keys: call(a, a_end, b, b_end, out) returns the end of out.
template <class Key, class MakeExpected, class Call>
void add_keys(const std::string& operation, const input_case& c, const std::string& peer,
              const MakeExpected& make_expected, const Call& call) {
  const std::string name = operation + "/" + type_name<Key>() + "/" + c.name();
  const auto run = [=] {
    inputs<Key>& in = inputs_of<Key>(c);
    const auto out = results_of<Key>(name, c, make_expected).out.keys.begin();
    return static_cast<std::size_t>(call(in.a.begin(), in.a.end(), in.b.begin(), in.b.end(), out) - out);
  };
  const auto is_right = [=] {
    results<Key>& r = results_of<Key>(name, c, make_expected);
    r.out.clear();
    return r.has_keys(run());
  };
  add_row(name + "/" + peer, is_right, run);
}

/// The row of a peer that writes keys and values: call(a, a_end, b, b_end, a_values, b_values, keys_out, values_out)
/// returns both ends.
template <class Key, class MakeExpected, class Call>
void add_pairs(const std::string& operation, const input_case& c, const std::string& peer,
               const MakeExpected& make_expected, const Call& call) {
  const std::string name = operation + "_by_key/" + type_name<Key>() + "/" + c.name();
  const auto run = [=] {
    inputs<Key>& in = inputs_of<Key>(c);
    pairs<Key>& out = results_of<Key>(name, c, make_expected).out;
    const auto ends = call(in.a.begin(), in.a.end(), in.b.begin(), in.b.end(), in.a_values.begin(), in.b_values.begin(),
                           out.keys.begin(), out.values.begin());
    return static_cast<std::size_t>(ends.first - out.keys.begin());
  };
  const auto is_right = [=] {
    results<Key>& r = results_of<Key>(name, c, make_expected);
    r.out.clear();
    const std::size_t size = run();
    return r.has_keys(size) && r.has_values(size);
  };
  add_row(name + "/" + peer, is_right, run);
}

/// Calls f(Key{}, case) for the whole grid; for u32, of which most is published, with longer random inputs, too.
template <class Function>
void for_each_case(const Function& f) {
  for (const auto kind : {distribution::rand, distribution::wide})
    f(std::uint32_t{}, input_case{kind, std::size_t{1} << 24});
  for (const std::size_t count : {std::size_t{1} << 22, (std::size_t{1} << 22) - 12'345}) {
    for (const auto& kind : distributions) {
      const input_case c{kind.first, count};
      f(std::uint32_t{}, c);
      f(std::uint64_t{}, c);
      f(double{}, c);
      f(key16{}, c);
    }
  }
}

}  // namespace bench
