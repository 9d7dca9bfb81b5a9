// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// as_of_join of quotes and trades of many symbols: every trade finds the last quote of its symbol that is not after it
// and not older than a tolerance, the last such quote that has a price, and the next quote after it. Prints a few rows
// and checks all of them against a plain loop.

#include "support/machine.h"

#include <mgpu/join.h>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <tuple>
#include <vector>

namespace {

constexpr int symbol_count = 500;

// [snippet: rows]
struct event {
  int symbol;
  std::int64_t microseconds;
};

/// By symbol, then by time.
struct is_before {
  MGPU_HOST_DEVICE bool operator()(const event& x, const event& y) const {
    return x.symbol < y.symbol || (x.symbol == y.symbol && x.microseconds < y.microseconds);
  }
};

/// Of one symbol, and not too far away.
struct is_near {
  std::int64_t tolerance;
  MGPU_HOST_DEVICE bool operator()(const event& trade, const event& quote) const {
    return trade.symbol == quote.symbol && trade.microseconds - quote.microseconds <= tolerance &&
           quote.microseconds - trade.microseconds <= tolerance;
  }
};
// [end]

constexpr float no_price = -1.0f;

/// Writes the price of a quote instead of its row.
struct price_of {
  const float* prices;
  MGPU_HOST_DEVICE float operator()(mgpu::offset row) const { return row == mgpu::no_row ? 0.0f : prices[row]; }
};

struct has_price {
  const float* prices;
  MGPU_HOST_DEVICE bool operator()(int row) const { return prices[row] != no_price; }
};

/// Writes row i of some rows instead of i.
struct row_of {
  const int* rows;
  MGPU_HOST_DEVICE int operator()(mgpu::offset i) const { return i == mgpu::no_row ? -1 : rows[i]; }
};

std::vector<event> random_events(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<event> events(count);
  for (event& e : events) {
    // A few symbols have most events. Instants repeat.
    const auto drawn = std::min(random() % symbol_count, random() % symbol_count);
    e = {static_cast<int>(drawn), static_cast<std::int64_t>(random() % 20'000'000)};
  }
  std::stable_sort(events.begin(), events.end(), is_before{});
  return events;
}

struct joined_rows {
  std::vector<int> last, next, last_priced;
  std::vector<float> last_prices;

  explicit joined_rows(std::size_t trades) : last(trades), next(trades), last_priced(trades), last_prices(trades) {}
};

/// For each trade the last quote that has a price.
thrust::device_vector<int> join_priced(const thrust::device_vector<event>& trades,
                                       const thrust::device_vector<event>& quotes,
                                       const thrust::device_vector<float>& prices, std::int64_t tolerance) {
  thrust::device_vector<int> priced(quotes.size()), last(trades.size());
  // [snippet: null]
  const thrust::counting_iterator<int> row(0);
  const auto priced_end = thrust::copy_if(machine::par, row, row + static_cast<int>(quotes.size()), priced.begin(),
                                          has_price{thrust::raw_pointer_cast(prices.data())});
  const auto priced_quotes = thrust::make_permutation_iterator(quotes.begin(), priced.begin());
  const row_of quote{thrust::raw_pointer_cast(priced.data())};
  mgpu::as_of_join(
      machine::par, trades.begin(), trades.end(), priced_quotes, priced_quotes + (priced_end - priced.begin()),
      thrust::make_transform_output_iterator(last.begin(), quote), mgpu::backward, is_before{}, is_near{tolerance});
  // [end]
  return last;
}

joined_rows join(const std::vector<event>& trades_on_host, const std::vector<event>& quotes_on_host,
                 const std::vector<float>& prices_on_host, std::int64_t tolerance) {
  const thrust::device_vector<event> trades = trades_on_host, quotes = quotes_on_host;
  const thrust::device_vector<float> prices = prices_on_host;
  thrust::device_vector<int> last(trades.size()), next(trades.size());
  thrust::device_vector<float> last_prices(trades.size());

  // [snippet: as of]
  mgpu::as_of_join(machine::par, trades.begin(), trades.end(), quotes.begin(), quotes.end(), last.begin(),
                   mgpu::backward, is_before{}, is_near{tolerance});
  mgpu::as_of_join(machine::par, trades.begin(), trades.end(), quotes.begin(), quotes.end(), next.begin(),
                   mgpu::forward, is_before{}, is_near{tolerance});
  // [end]

  // The output may be any iterator. This one reads the price while the join writes.
  const price_of price{thrust::raw_pointer_cast(prices.data())};
  mgpu::as_of_join(machine::par, trades.begin(), trades.end(), quotes.begin(), quotes.end(),
                   thrust::make_transform_output_iterator(last_prices.begin(), price), mgpu::backward, is_before{},
                   is_near{tolerance});

  const auto last_priced = join_priced(trades, quotes, prices, tolerance);
  joined_rows rows(trades.size());
  thrust::copy(last.begin(), last.end(), rows.last.begin());
  thrust::copy(next.begin(), next.end(), rows.next.begin());
  thrust::copy(last_prices.begin(), last_prices.end(), rows.last_prices.begin());
  thrust::copy(last_priced.begin(), last_priced.end(), rows.last_priced.begin());
  return rows;
}

/// The same by a plain loop over the events of each symbol.
joined_rows join_serially(const std::vector<event>& trades, const std::vector<event>& quotes,
                          const std::vector<float>& prices, std::int64_t tolerance) {
  joined_rows rows(0);
  std::size_t q = 0;  // quotes that are not after the trade
  for (const event& trade : trades) {
    const auto time_of = [](const event& e) { return std::tuple(e.symbol, e.microseconds); };
    while (q < quotes.size() && time_of(quotes[q]) <= time_of(trade)) ++q;
    std::size_t after = q;
    while (after > 0 && time_of(quotes[after - 1]) == time_of(trade)) --after;
    const is_near matches{tolerance};
    std::size_t priced = q;
    while (priced > 0 && prices[priced - 1] == no_price) --priced;
    const bool has_last = q > 0 && matches(trade, quotes[q - 1]);
    const bool has_priced = priced > 0 && matches(trade, quotes[priced - 1]);
    const bool has_next = after < quotes.size() && matches(trade, quotes[after]);
    rows.last.push_back(has_last ? static_cast<int>(q) - 1 : -1);
    rows.next.push_back(has_next ? static_cast<int>(after) : -1);
    rows.last_priced.push_back(has_priced ? static_cast<int>(priced) - 1 : -1);
    rows.last_prices.push_back(has_last ? prices[q - 1] : 0.0f);
  }
  return rows;
}

void print_trades(const std::vector<event>& trades, const std::vector<event>& quotes, const joined_rows& rows) {
  std::printf("symbol      trade at    last quote at       price    next quote at\n");
  for (std::size_t t = 0; t < std::min<std::size_t>(8, trades.size()); ++t) {
    const auto print_quote = [&](int row) {
      if (row == -1) std::printf("             none");
      else std::printf("%14lld us", static_cast<long long>(quotes[static_cast<std::size_t>(row)].microseconds));
    };
    std::printf("%6d %10lld us", trades[t].symbol, static_cast<long long>(trades[t].microseconds));
    print_quote(rows.last[t]);
    std::printf("%12.3f", rows.last_prices[t]);
    print_quote(rows.next[t]);
    std::printf("\n");
  }
}

}  // namespace

int main() {
  const auto quotes = random_events(1'000'000, 1), trades = random_events(250'000, 2);
  std::vector<float> prices(quotes.size());
  std::mt19937 random(3);
  for (float& price : prices)
    price = random() % 4 == 0 ? no_price : 100.0f + static_cast<float>(random() % 1000) * 0.01f;
  const std::int64_t tolerance = 10'000;
  const joined_rows rows = join(trades, quotes, prices, tolerance);
  print_trades(trades, quotes, rows);
  const joined_rows wanted = join_serially(trades, quotes, prices, tolerance);
  const bool is_right = rows.last == wanted.last && rows.next == wanted.next &&
                        rows.last_priced == wanted.last_priced && rows.last_prices == wanted.last_prices;
  const auto found = std::count_if(rows.last.begin(), rows.last.end(), [](int row) { return row != -1; });
  std::printf("%zu trades and %zu quotes of %d symbols on %s: %lld trades have a quote within %lld us, all of it %s\n",
              trades.size(), quotes.size(), symbol_count, machine::name().c_str(), static_cast<long long>(found),
              static_cast<long long>(tolerance), is_right ? "right" : "WRONG");
  return is_right ? 0 : 1;
}
