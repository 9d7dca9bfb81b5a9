// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// merge and merge_by_key on the GPU beside CUB and Thrust. The size of a row is the number of its output elements; both
// inputs have half of them, uniformly distributed. Peers:
//   mgpu      mgpu::par_nosync                  to compare with cub
//   cub       cub::DeviceMerge, temporary storage allocated before
//   mgpu_par  mgpu::par                         to compare with thrust
//   thrust    thrust::cuda::par

#include <support/data.cuh>
#include <support/merge_peers.cuh>
#include <support/row.cuh>

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>

namespace bench {

template <class Key>
struct key_arrays {
  std::size_t half;
  thrust::device_vector<Key> a_keys, b_keys;

  explicit key_arrays(std::size_t count)
      : half(count / 2), a_keys(sorted_keys<Key>(half, 1)), b_keys(sorted_keys<Key>(half, 2)) {}
  const Key* a() const { return a_keys.data().get(); }
  const Key* b() const { return b_keys.data().get(); }
};

template <class Key>
struct keys : key_arrays<Key> {
  static constexpr const char* name = sizeof(Key) == 4 ? "keys_u32" : sizeof(Key) == 8 ? "keys_u64" : "keys_16_bytes";
  words out;

  explicit keys(std::size_t count) : key_arrays<Key>(count), out(count * sizeof(Key) / 4) {}
  auto call() { return call_merge(this->a(), this->half, this->b(), this->half, as<Key>(out)); }
  std::vector<output> outputs() { return {{&out, sizeof(Key) / 4}}; }
  double traffic_bytes(std::size_t count) const { return 2.0 * count * sizeof(Key); }
};

template <class Key, class Value>
struct pairs : key_arrays<Key> {
  static constexpr const char* name = sizeof(Key) == 8      ? "pairs_u64_u64"
                                      : sizeof(Value) == 16 ? "pairs_u32_16_bytes"
                                                            : "pairs_u32_u32";
  thrust::device_vector<Value> a_values, b_values;
  words keys_out, values_out;

  explicit pairs(std::size_t count)
      : key_arrays<Key>(count),
        a_values(generate<Value>(this->half, numbered<Value>{0})),
        b_values(generate<Value>(this->half, numbered<Value>{this->half})),
        keys_out(count * sizeof(Key) / 4),
        values_out(count * sizeof(Value) / 4) {}
  auto call() {
    const Value *a = a_values.data().get(), *b = b_values.data().get();
    return call_merge_by_key(this->a(), this->half, this->b(), this->half, as<Key>(keys_out), a, b,
                             as<Value>(values_out));
  }
  std::vector<output> outputs() { return {{&keys_out, sizeof(Key) / 4}, {&values_out, sizeof(Value) / 4}}; }
  double traffic_bytes(std::size_t count) const { return 2.0 * count * (sizeof(Key) + sizeof(Value)); }
};

struct half_of {
  __host__ __device__ u32 operator()(u32 x) const { return x / 2; }
};

/// Two transform iterators over arrays, merged into an array.
struct transformed_keys : key_arrays<u32> {
  static constexpr const char* name = "transform_iterators_u32";
  words out;

  explicit transformed_keys(std::size_t count) : key_arrays(count), out(count) {}
  auto call() {
    return call_merge(thrust::make_transform_iterator(a(), half_of{}), half,
                      thrust::make_transform_iterator(b(), half_of{}), half, as<u32>(out));
  }
  std::vector<output> outputs() { return {{&out, 1}}; }
  double traffic_bytes(std::size_t count) const { return 2.0 * count * sizeof(u32); }
};

/// The number of a row of one of two tables; the highest bit says of which.
struct tag_row {
  u32 tag;
  __host__ __device__ u32 operator()(u32 row) const { return row | tag; }
};

constexpr u32 tag_of_b = 0x80000000u;

struct compare_rows {
  const u32 *a, *b;
  __host__ __device__ u32 key(u32 tagged) const { return tagged & tag_of_b ? b[tagged & ~tag_of_b] : a[tagged]; }
  __host__ __device__ bool operator()(u32 x, u32 y) const { return key(x) < key(y); }
};

/// The row numbers of two sorted tables, counted and tagged, merged by a comparator that looks the rows up.
struct table_rows : key_arrays<u32> {
  static constexpr const char* name = "rows_of_tables";
  words out;

  explicit table_rows(std::size_t count) : key_arrays(count), out(count) {}
  auto call() {
    const thrust::counting_iterator<u32> rows(0);
    return call_merge(thrust::make_transform_iterator(rows, tag_row{0}), half,
                      thrust::make_transform_iterator(rows, tag_row{tag_of_b}), half, as<u32>(out),
                      compare_rows{a(), b()});
  }
  std::vector<output> outputs() { return {{&out, 1}}; }
  double traffic_bytes(std::size_t count) const { return 2.0 * count * sizeof(u32); }
};

/// Keys that are not kept; values zipped of a constant and a count, written to two arrays.
struct zipped_values : key_arrays<u32> {
  static constexpr const char* name = "zip_values_discarded_keys";
  words tables, rows;

  explicit zipped_values(std::size_t count) : key_arrays(count), tables(count), rows(count) {}
  auto call() {
    const thrust::counting_iterator<u32> row(0);
    return call_merge_by_key(a(), half, b(), half, thrust::make_discard_iterator(),
                             thrust::make_zip_iterator(thrust::make_constant_iterator(u32{0}), row),
                             thrust::make_zip_iterator(thrust::make_constant_iterator(u32{1}), row),
                             thrust::make_zip_iterator(as<u32>(tables), as<u32>(rows)));
  }
  std::vector<output> outputs() { return {{&tables, 1}, {&rows, 1}}; }
  double traffic_bytes(std::size_t count) const { return 1.0 * count * (sizeof(u32) + 2 * sizeof(u32)); }
};

template <class Case>
void add_case(int log2_count) {
  using checked = referenced<Case, thrust_peer>;
  add_row<checked, mgpu_peer>(Case::name, log2_count, "mgpu");
  add_row<checked, cub_peer>(Case::name, log2_count, "cub");
  add_row<checked, mgpu_par_peer>(Case::name, log2_count, "mgpu_par");
  add_row<checked, thrust_peer>(Case::name, log2_count, "thrust");
}

}  // namespace bench

int main(int argc, char** argv) {
  using namespace bench;
  add_case<keys<u32>>(28);
  add_case<keys<u64>>(27);
  add_case<keys<u64x2>>(26);
  add_case<pairs<u32, u32>>(28);
  add_case<pairs<u64, u64>>(27);
  add_case<pairs<u32, u64x2>>(26);
  add_case<transformed_keys>(28);
  add_case<table_rows>(28);
  add_case<zipped_values>(28);
  for (const int log2_count : log2_of_sizes) {
    if (log2_count == 28) continue;
    add_case<keys<u32>>(log2_count);
    add_case<pairs<u32, u32>>(log2_count);
  }
  return run_rows(argc, argv);
}
