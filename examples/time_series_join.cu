// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// merge_by_key as a time-series join: two streams of events, each sorted by time, become one; then every trade finds
// the last quote before it. Prints a few rows and checks all of them against a serial computation.

#include "support/machine.h"

#include <mgpu/merge.h>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/tuple.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

namespace {

using microseconds = std::int64_t;

/// Events of one kind: when, and at which price.
struct events {
  std::vector<microseconds> times;  // sorted; an instant can have several events
  std::vector<float> prices;
};

events random_events(std::size_t count, int mean_distance, unsigned seed) {
  std::mt19937 random(seed);
  events made;
  microseconds time = 0;
  float price = 100;
  for (std::size_t i = 0; i < count; ++i) {
    time += random() % (2 * mean_distance + 1);
    price += (static_cast<int>(random() % 21) - 10) * 0.001f;
    made.times.push_back(time);
    made.prices.push_back(price);
  }
  return made;
}

enum source : int { quote, trade };
constexpr int no_row = -1;

/// The row of a quote; no_row for a trade.
struct row_if_quote {
  MGPU_HOST_DEVICE int operator()(const thrust::tuple<int, int>& event) const {
    return thrust::get<0>(event) == quote ? thrust::get<1>(event) : no_row;
  }
};

struct is_trade {
  MGPU_HOST_DEVICE bool operator()(int s) const { return s == trade; }
};

/// One tape of times and prices of both.
std::vector<float> merge_prices(const events& quotes, const events& trades) {
  const thrust::device_vector<microseconds> quote_times = quotes.times, trade_times = trades.times;
  const thrust::device_vector<float> quote_prices = quotes.prices, trade_prices = trades.prices;
  const std::size_t count = quote_times.size() + trade_times.size();
  thrust::device_vector<microseconds> times(count);
  thrust::device_vector<float> prices(count);

  // [snippet: tape]
  mgpu::merge_by_key(machine::par, quote_times.begin(), quote_times.end(), trade_times.begin(), trade_times.end(),
                     quote_prices.begin(), trade_prices.begin(), times.begin(), prices.begin());
  // [end]

  std::vector<float> on_host(count);
  thrust::copy(prices.begin(), prices.end(), on_host.begin());
  return on_host;
}

/// For every trade the row of the last quote that is not after it. A quote of the same instant counts: the merge is
/// stable, and the quotes are its first input.
std::vector<int> last_quotes(const events& quotes, const events& trades) {
  const thrust::device_vector<microseconds> quote_times = quotes.times, trade_times = trades.times;
  const std::size_t count = quote_times.size() + trade_times.size();

  // [snippet: join]
  // The number of the stream and of the row is made while events are merged. The merged times are not needed.
  thrust::device_vector<int> sources(count), rows(count);
  const thrust::counting_iterator<int> row(0);
  mgpu::merge_by_key(machine::par, quote_times.begin(), quote_times.end(), trade_times.begin(), trade_times.end(),
                     thrust::make_zip_iterator(thrust::make_constant_iterator(int{quote}), row),
                     thrust::make_zip_iterator(thrust::make_constant_iterator(int{trade}), row),
                     thrust::make_discard_iterator(), thrust::make_zip_iterator(sources.begin(), rows.begin()));
  // [end]

  // The latest quote at every event: a running maximum of the quotes' rows. Then to the trades.
  const auto quote_rows =
      thrust::make_transform_iterator(thrust::make_zip_iterator(sources.begin(), rows.begin()), row_if_quote{});
  thrust::device_vector<int> latest(count), joined(trade_times.size());
  thrust::inclusive_scan(machine::par, quote_rows, quote_rows + static_cast<std::ptrdiff_t>(count), latest.begin(),
                         thrust::maximum<int>{});
  thrust::scatter_if(machine::par, latest.begin(), latest.end(), rows.begin(), sources.begin(), joined.begin(),
                     is_trade{});

  std::vector<int> on_host(joined.size());
  thrust::copy(joined.begin(), joined.end(), on_host.begin());
  return on_host;
}

std::vector<float> merge_prices_serially(const events& quotes, const events& trades) {
  std::vector<float> prices;
  for (std::size_t q = 0, t = 0; q < quotes.times.size() || t < trades.times.size();) {
    const bool takes_quote =
        t == trades.times.size() || (q < quotes.times.size() && quotes.times[q] <= trades.times[t]);
    prices.push_back(takes_quote ? quotes.prices[q++] : trades.prices[t++]);
  }
  return prices;
}

std::vector<int> last_quotes_serially(const events& quotes, const events& trades) {
  std::vector<int> rows;
  for (const microseconds time : trades.times) {
    rows.push_back(
        static_cast<int>(std::upper_bound(quotes.times.begin(), quotes.times.end(), time) - quotes.times.begin()) - 1);
  }
  return rows;
}

void print_trades(const events& quotes, const events& trades, const std::vector<int>& quote_rows) {
  std::printf("    trade at    price    quote at    price\n");
  for (std::size_t t = 0; t < std::min<std::size_t>(8, trades.times.size()); ++t) {
    std::printf("%9lld us %8.3f", static_cast<long long>(trades.times[t]), trades.prices[t]);
    const int q = quote_rows[t];
    if (q == no_row) std::printf("        none\n");
    else std::printf("%9lld us %8.3f\n", static_cast<long long>(quotes.times[q]), quotes.prices[q]);
  }
}

}  // namespace

int main() {
  const events quotes = random_events(1'000'000, 10, 1), trades = random_events(250'000, 40, 2);
  const std::vector<int> quote_rows = last_quotes(quotes, trades);
  print_trades(quotes, trades, quote_rows);

  const bool tape_is_right = merge_prices(quotes, trades) == merge_prices_serially(quotes, trades);
  const bool join_is_right = quote_rows == last_quotes_serially(quotes, trades);
  std::printf("%zu quotes and %zu trades on %s: tape %s, join %s\n", quotes.times.size(), trades.times.size(),
              machine::name().c_str(), tape_is_right ? "right" : "WRONG", join_is_right ? "right" : "WRONG");
  return tape_is_right && join_is_right ? 0 : 1;
}
