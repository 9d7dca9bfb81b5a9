// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The set operations of keys on the GPU beside Thrust. The size of a row is the number of its input elements; each of
// the two inputs has half of them. Rows are <operation>/<key>/<distribution>/<size>/<peer>; the distributions are those
// of set_data.cuh.
// Peers, none with anything allocated beforehand, all with the size of the result when they return:
//   mgpu               mgpu::par
//   mgpu_unique_keys   mgpu::par with mgpu::unique_keys
//   thrust             thrust::cuda::par
// The rows set_*_size ask for the size only, Thrust with a discard_iterator; no result is written, and none counted as
// traffic.

#include <support/row.cuh>
#include <support/set_data.cuh>
#include <support/set_peers.cuh>

namespace bench {

template <class Operation, class Key>
struct set_of_keys : set_inputs<Operation, Key> {
  words out;

  set_of_keys(std::size_t count, distribution d)
      : set_inputs<Operation, Key>(count, d), out(this->max_out_count() * sizeof(Key) / 4) {}
  auto call() { return set_call<Key>{this->a(), this->a_end(), this->b(), this->b_end(), as<Key>(out)}; }
  std::vector<output> outputs() { return {{&out, sizeof(Key) / 4}}; }
  double traffic_bytes(std::size_t out_count) const { return (2.0 * this->half + out_count) * sizeof(Key); }
};

template <class Operation, class Key>
struct set_size : set_inputs<Operation, Key> {
  using set_inputs<Operation, Key>::set_inputs;
  auto call() { return set_call<Key>{this->a(), this->a_end(), this->b(), this->b_end(), nullptr}; }
  std::vector<output> outputs() { return {}; }
  double traffic_bytes(std::size_t) const { return 2.0 * this->half * sizeof(Key); }
};

template <class Operation, class Key>
using checked_set = referenced<set_of_keys<Operation, Key>, thrust_set_peer<Operation>>;

template <class Operation, class Key>
void add_keys(int log2_count, distribution d) {
  using checked = checked_set<Operation, Key>;
  const std::string name = std::string(Operation::name) + (sizeof(Key) == 4 ? "/u32/" : "/u64/") + name_of(d);
  add_row<checked, mgpu_set_peer<Operation>>(name, log2_count, "mgpu", d);
  add_row<checked, thrust_set_peer<Operation>>(name, log2_count, "thrust", d);
}

template <class Operation>
void add_operation() {
  for (const distribution d : distributions) {
    for (const int log2_count : sizes_of_u32(d)) add_keys<Operation, u32>(log2_count, d);
    for (const int log2_count : {27, 24, 20}) add_keys<Operation, u64>(log2_count, d);
  }
}

template <class Operation>
void add_unique_keys() {
  constexpr distribution unique = distribution::unique;
  add_row<checked_set<Operation, u32>, mgpu_unique_keys_peer<Operation>>(std::string(Operation::name) + "/u32/unique",
                                                                         28, "mgpu_unique_keys", unique);
  add_keys<Operation, u32>(28, unique);
}

template <class Operation>
void add_size() {
  using checked = referenced<set_size<Operation, u32>, thrust_size_peer<Operation>>;
  const std::string name = std::string(Operation::name) + "_size/u32/rand";
  add_row<checked, mgpu_size_peer<Operation>>(name, 28, "mgpu", distribution::random);
  add_row<checked, thrust_size_peer<Operation>>(name, 28, "thrust", distribution::random);
}

template <class... Operations>
void add_operations() {
  (add_operation<Operations>(), ...);
  (add_unique_keys<Operations>(), ...);
  (add_size<Operations>(), ...);
}

}  // namespace bench

int main(int argc, char** argv) {
  using namespace bench;
  add_operations<set_union, set_intersection, set_difference, set_symmetric_difference>();
  return run_rows(argc, argv);
}
