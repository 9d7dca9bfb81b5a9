// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// interval_expand, interval_gather, interval_scatter and interval_move on the GPU beside Thrust and CUB. The size of a
// row is the number of its items, u32 where the row does not say otherwise. Rows are
// <function>[/<items>]/<counts>/<size>/<peer>; the counts of the intervals are
//   mean_N   uniform in [0, 2 N]
//   zipf     those of Zipf's law, half of them zero
// Places are those of the intervals in a random order, so that every element is read once and written once.
// Peers:
//   mgpu         mgpu::par_nosync
//   mgpu_par     mgpu::par
//   thrust       scan and gather with thrust::cuda::par_nosync, all memory allocated before
//   cub_copy     cub::DeviceCopy::Batched, temporary storage allocated before; expand copies from constant iterators
//   cub_memcpy   cub::DeviceMemcpy::Batched, temporary storage allocated before

#include <support/interval_data.cuh>
#include <support/interval_peers.cuh>
#include <support/row.cuh>

namespace bench {

template <class T>
struct expand_case : interval_arrays {
  thrust::device_vector<T> values;
  words out;

  template <class Counts>
  expand_case(std::size_t total, const Counts& counts)
      : interval_arrays(total, counts),
        values(generate<T>(view().count, random_element<T>{2})),
        out(total * sizeof(T) / sizeof(u32)) {}
  auto call() { return expand_call<T>{view(), values.data().get(), as<T>(out)}; }
  std::vector<output> outputs() { return {{&out, 1}}; }
  double traffic_bytes(std::size_t out_words) const {
    return static_cast<double>(view().count) * (sizeof(u32) + sizeof(T)) + static_cast<double>(out_words) * sizeof(u32);
  }
};

template <class Operation, class T>
struct move_case : interval_arrays {
  thrust::device_vector<u32> from, to;  // empty where the function has none
  thrust::device_vector<T> in;
  words out;

  template <class Counts>
  move_case(std::size_t total, const Counts& counts)
      : interval_arrays(total, counts),
        in(generate<T>(total, random_element<T>{2})),
        out(total * sizeof(T) / sizeof(u32)) {
    if (Operation::reads_anywhere) from = random_places(view(), 3);
    if (Operation::writes_anywhere) to = random_places(view(), 4);
  }
  auto call() { return move_call<Operation, T>{view(), places(from), places(to), in.data().get(), as<T>(out)}; }
  std::vector<output> outputs() { return {{&out, 1}}; }
  double traffic_bytes(std::size_t out_words) const {
    const double words_per_interval = 1 + Operation::reads_anywhere + Operation::writes_anywhere;
    return (words_per_interval * view().count + 2.0 * static_cast<double>(out_words)) * sizeof(u32);
  }

 private:
  const u32* places(const thrust::device_vector<u32>& own) const {
    return own.empty() ? offsets.data().get() : own.data().get();
  }
};

template <class Counts>
void add_expand(const Counts& counts, int log2_total = 28) {
  using checked = referenced<expand_case<u32>, thrust_peer>;
  const std::string name = "expand/" + counts.name();
  add_row<checked, mgpu_peer>(name, log2_total, "mgpu", counts);
  add_row<checked, mgpu_par_peer>(name, log2_total, "mgpu_par", counts);
  add_row<checked, thrust_peer>(name, log2_total, "thrust", counts);
  add_row<checked, cub_copy_peer>(name, log2_total, "cub_copy", counts);
}

template <class Operation, class Counts>
void add_move(const Counts& counts, int log2_total = 28) {
  using checked = referenced<move_case<Operation, u32>, thrust_peer>;
  const std::string name = std::string(Operation::name) + "/" + counts.name();
  add_row<checked, mgpu_peer>(name, log2_total, "mgpu", counts);
  add_row<checked, mgpu_par_peer>(name, log2_total, "mgpu_par", counts);
  add_row<checked, thrust_peer>(name, log2_total, "thrust", counts);
  add_row<checked, cub_copy_peer>(name, log2_total, "cub_copy", counts);
  add_row<checked, cub_memcpy_peer>(name, log2_total, "cub_memcpy", counts);
}

/// A gather of items that are no words.
template <class T>
void add_gather_of(const std::string& items, int log2_count) {
  using checked = referenced<move_case<gather, T>, thrust_peer>;
  const uniform_counts counts{100};
  const std::string name = "gather/" + items + "/" + counts.name();
  add_row<checked, mgpu_peer>(name, log2_count, "mgpu", counts);
  add_row<checked, cub_memcpy_peer>(name, log2_count, "cub_memcpy", counts);
}

}  // namespace bench

int main(int argc, char** argv) {
  using namespace bench;
  for (const u32 mean : {1, 10, 100, 1000}) add_expand(uniform_counts{mean});
  add_expand(zipf_counts{});
  for (const u32 mean : {1, 10, 100, 1000, 10'000}) add_move<gather>(uniform_counts{mean});
  for (const u32 mean : {10, 100, 1000, 10'000}) add_move<scatter>(uniform_counts{mean});
  for (const u32 mean : {1, 10, 100, 1000, 10'000}) add_move<move>(uniform_counts{mean});
  add_gather_of<std::uint8_t>("u8", 28);
  add_gather_of<u64>("u64", 27);
  add_gather_of<u64x2>("16_bytes", 26);
  for (const int log2_total : log2_of_sizes) {
    if (log2_total == 28) continue;
    add_expand(uniform_counts{100}, log2_total);
    add_move<gather>(uniform_counts{100}, log2_total);
    add_move<move>(uniform_counts{100}, log2_total);
  }
  return run_rows(argc, argv);
}
