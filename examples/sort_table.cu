// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// sort_table [ROWS]: sorts the rows of a random table by two columns, the first ascending and the second descending.
// The columns stay where they are: what is sorted are the numbers of the rows. The result is checked.

#include "support/best_time.h"
#include "support/machine.h"
#include "support/text_lines.h"

#include <mgpu/sort.h>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/gather.h>
#include <thrust/sequence.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

namespace {

using row = std::uint32_t;

// [snippet: sort_table]
/// The numbers of a table's rows, by ascending city and, where cities are equal, by descending price. The columns are
/// sorted from the last to the first: each sort leaves rows with equal keys in the order of the sort before.
thrust::device_vector<row> rows_in_order(const thrust::device_vector<int>& cities,
                                         const thrust::device_vector<float>& prices) {
  thrust::device_vector<row> rows(cities.size());
  thrust::sequence(machine::thrust_par, rows.begin(), rows.end());
  thrust::device_vector<float> sorted_prices = prices;
  mgpu::stable_sort_by_key(machine::par, sorted_prices.begin(), sorted_prices.end(), rows.begin(),
                           cuda::std::greater<>{});
  thrust::device_vector<int> sorted_cities(cities.size());
  thrust::gather(machine::thrust_par, rows.begin(), rows.end(), cities.begin(), sorted_cities.begin());
  mgpu::stable_sort_by_key(machine::par, sorted_cities.begin(), sorted_cities.end(), rows.begin());
  return rows;
}
// [end]

}  // namespace

int main(int argc, char** argv) {
  return text::exit_code(argv[0], [&] {
    const std::size_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : MGPU_CUDA_COMPILER ? 1 << 24 : 1 << 20;
    std::mt19937 random(1);
    std::vector<int> cities(count);
    std::vector<float> prices(count);
    for (int& city : cities) city = static_cast<int>(random() % 1000);
    for (float& price : prices) price = static_cast<float>(random() % 10'000) * 0.01f;
    std::vector<row> expected(count);
    std::iota(expected.begin(), expected.end(), row{0});
    std::stable_sort(expected.begin(), expected.end(), [&](row x, row y) {
      return cities[x] != cities[y] ? cities[x] < cities[y] : prices[x] > prices[y];
    });

    const thrust::device_vector<int> city_column = cities;
    const thrust::device_vector<float> price_column = prices;
    thrust::device_vector<row> found;
    const double seconds = best_seconds(3, [&] { found = rows_in_order(city_column, price_column); });
    std::printf("%zu rows in %.3f ms on %s\n", count, seconds * 1e3, machine::name().c_str());
    std::vector<row> rows(count);
    thrust::copy(found.begin(), found.end(), rows.begin());
    for (std::size_t i = 0; i < std::min<std::size_t>(count, 3); ++i)
      std::printf("row %u: city %d, price %.2f\n", rows[i], cities[rows[i]], prices[rows[i]]);
    if (rows != expected) throw std::runtime_error("the rows are not in order");
    std::printf("all rows: right\n");
  });
}
