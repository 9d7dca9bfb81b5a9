// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The set operations by key on the GPU beside Thrust: as set_operations.cu, with a value per key that tells which
// element it came with. Rows are <operation>_by_key/<key>_<value>/<distribution>/<size>/<peer>. The values of an input
// that the operation can emit count as read once.

#include <support/row.cuh>
#include <support/set_data.cuh>
#include <support/set_peers.cuh>

namespace bench {

template <class Operation, class Key, class Value>
struct set_of_pairs : set_inputs<Operation, Key> {
  thrust::device_vector<Value> a_values, b_values;
  words keys_out, values_out;

  set_of_pairs(std::size_t count, distribution d)
      : set_inputs<Operation, Key>(count, d),
        a_values(generate<Value>(this->half, numbered<Value>{0})),
        b_values(generate<Value>(this->half, numbered<Value>{this->half})),
        keys_out(this->max_out_count() * sizeof(Key) / 4),
        values_out(this->max_out_count() * sizeof(Value) / 4) {}
  auto call() {
    return set_by_key_call<Key, Value>{this->a(),         this->a_end(),         this->b(),
                                       this->b_end(),     a_values.data().get(), b_values.data().get(),
                                       as<Key>(keys_out), as<Value>(values_out)};
  }
  std::vector<output> outputs() { return {{&keys_out, sizeof(Key) / 4}, {&values_out, sizeof(Value) / 4}}; }
  double traffic_bytes(std::size_t out_count) const {
    const double values_in = Operation::emits_b ? 2.0 * this->half : 1.0 * this->half;
    return (2.0 * this->half + out_count) * sizeof(Key) + (values_in + out_count) * sizeof(Value);
  }
};

template <class Operation, class Key, class Value>
void add_pairs(const std::string& types, int log2_count, distribution d) {
  using checked = referenced<set_of_pairs<Operation, Key, Value>, thrust_set_peer<Operation>>;
  const std::string name = std::string(Operation::name) + "_by_key/" + types + "/" + name_of(d);
  add_row<checked, mgpu_set_peer<Operation>>(name, log2_count, "mgpu", d);
  add_row<checked, thrust_set_peer<Operation>>(name, log2_count, "thrust", d);
}

template <class Operation>
void add_operation() {
  for (const distribution d : distributions) {
    for (const int log2_count : sizes_of_u32(d)) add_pairs<Operation, u32, u32>("u32_u32", log2_count, d);
    for (const int log2_count : {27, 24, 20}) add_pairs<Operation, u64, u64>("u64_u64", log2_count, d);
  }
}

template <class... Operations>
void add_operations() {
  (add_operation<Operations>(), ...);
}

}  // namespace bench

int main(int argc, char** argv) {
  using namespace bench;
  add_operations<set_union, set_intersection, set_difference, set_symmetric_difference>();
  return run_rows(argc, argv);
}
