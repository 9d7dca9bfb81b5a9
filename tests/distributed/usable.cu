// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Ranks after a call that was refused memory, wherever that was. Either is_usable() is true on all of them and the next
// call gives the right result, or it is false on all of them and the next call throws on all of them.
#include "../joins/joined.h"
#include "outcome.h"
#include "ranks.h"

#include <mgpu/distributed_join.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <new>
#include <vector>

namespace {

/// How many allocations this thread is granted.
struct allocation_grant {
  int left = std::numeric_limits<int>::max();
  bool refuses_once = false, has_refused = false;

  void ask() {
    if (left-- > 0) return;
    left = refuses_once ? std::numeric_limits<int>::max() : 0;
    has_refused = true;
    throw std::bad_alloc();
  }
};
thread_local allocation_grant grant;

}  // namespace

#if !defined(MGPU_TEST_CUDA)  // CUDA's runtime and NCCL are not written for a heap that refuses
// Not inlined: g++ would take new and free for functions that do not belong together.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  grant.ask();
  if (void* const memory = std::malloc(bytes > 0 ? bytes : 1)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif

namespace {

using namespace test;
using number = std::uint32_t;
using row = std::int32_t;

struct asking_allocator {
  using value_type = char;
  char* allocate(std::ptrdiff_t bytes) {
    grant.ask();
    return static_cast<char*>(first_executor::allocate(static_cast<std::size_t>(bytes)));
  }
  void deallocate(char* memory, std::size_t) { first_executor::free(memory); }
};

#if defined(MGPU_TEST_CUDA)
const auto& local_policy = mgpu::par;
#else
/// A system that takes memory for each loop.
template <class Derived>
struct asking_system : any_system_policy<Derived> {};
template <class Derived, class Size, class F>
thrust::counting_iterator<offset> for_each_n(asking_system<Derived>& policy, thrust::counting_iterator<offset> first,
                                             Size count, F f) {
  grant.ask();
  return test::for_each_n(static_cast<any_system_policy<Derived>&>(policy), first, count, f);
}
template <class Derived>
struct on_asking_host : mgpu::detail::exec::host_policy<Derived, asking_system> {
  static constexpr int threads() { return 2; }
};
struct asking_policy : on_asking_host<asking_policy>,
                       mgpu::detail::exec::heap_memory<asking_policy>,
                       thrust::detail::allocator_aware_execution_policy<on_asking_host> {};
constexpr asking_policy local_policy{};
#endif

enum class call { stable_sort, merge, set_union, set_intersection_size, rebalance, inner_join, as_of_join };
constexpr call calls[] = {call::stable_sort, call::merge,      call::set_union, call::set_intersection_size,
                          call::rebalance,   call::inner_join, call::as_of_join};

/// What the ranks have together.
struct sequences {
  shares s{"", {}};
  std::vector<number> a, b, unsorted;

  explicit sequences(int ranks) {
    for (int r = 0; r < ranks; ++r) s.counts.push_back(r % 3 == 2 ? 0 : 300 + 100 * r);
    unsorted = keys_below_1000(1);
    a = keys_below_1000(2);
    b = keys_below_1000(3);
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
  }
  int ranks() const { return static_cast<int>(s.counts.size()); }
  offset count(int rank) const { return s.counts[static_cast<std::size_t>(rank)]; }

 private:
  std::vector<number> keys_below_1000(unsigned seed) const {
    auto result = keys<number>(s.total(), repeats::few, seed);
    for (number& x : result) x %= 1000;
    return result;
  }
};

/// The arrays of a rank.
struct rank_arrays {
  static constexpr offset most_pairs = 5000;
  std::vector<number> unsorted;
  input<first_executor, number> a, b;
  output<first_executor, number> keys;
  output<first_executor, std::uint64_t> moved;  // takes memory for what arrives
  output<first_executor, row> left_rows, right_rows;
  offset count = 0;  // of what a call has given this rank

  rank_arrays(const sequences& all, int r)
      : unsorted(part_of(all.unsorted, all.s, r)),
        a(part_of(all.a, all.s, r)),
        b(part_of(all.b, all.s, r)),
        keys(2 * all.count(r)),
        moved(all.count(all.ranks() - 1 - r)),
        left_rows(most_pairs),
        right_rows(most_pairs) {}

  void fill() const { first_executor::copy_in(keys.begin(), unsorted.data(), unsorted.size() * sizeof(number)); }
};

template <class Policy>
void make_call(call c, const Policy& p, rank_arrays& of) {
  const number *a = of.a.begin(), *a_end = of.a.end(), *b = of.b.begin(), *b_end = of.b.end();
  number* const keys = of.keys.begin();
  switch (c) {
    case call::stable_sort:
      of.count = static_cast<offset>(of.unsorted.size());
      return mgpu::stable_sort(p, keys, keys + of.count);
    case call::merge:
      of.count = mgpu::merge(p, a, a_end, b, b_end, keys) - keys;
      return;
    case call::set_union:
      of.count = mgpu::set_union(p, a, a_end, b, b_end, keys) - keys;
      return;
    case call::set_intersection_size:
      of.count = mgpu::set_intersection_size(p, a, a_end, b, b_end);
      return;
    case call::rebalance:
      of.count = of.moved.end() - of.moved.begin();
      return mgpu::rebalance(p, a, a_end, of.moved.begin(), of.moved.end());
    case call::inner_join:
      of.count = mgpu::inner_join_size(p, a, a_end, b, b_end);
      if (of.count > rank_arrays::most_pairs) throw std::logic_error("too many pairs");
      mgpu::inner_join(p, a, a_end, b, b_end, of.left_rows.begin(), of.right_rows.begin());
      return;
    case call::as_of_join:
      of.count = mgpu::as_of_join(p, a, a_end, b, b_end, of.right_rows.begin(), mgpu::backward) - of.right_rows.begin();
      return;
  }
}

template <class T>
void append(std::vector<offset>& all, const std::vector<T>& more, offset count) {
  all.insert(all.end(), more.begin(), more.begin() + count);
}
template <class T>
void append(std::vector<offset>& all, const std::vector<T>& more) {
  append(all, more, static_cast<offset>(more.size()));
}

/// What a call has left on a rank.
std::vector<offset> result_of(call c, const rank_arrays& of) {
  std::vector<offset> result;
  if (c == call::set_intersection_size) result.push_back(of.count);
  else if (c == call::rebalance) append(result, of.moved.read());
  else if (c == call::inner_join) append(result, of.left_rows.read(), of.count);
  else if (c != call::as_of_join) append(result, of.keys.read(), of.count);
  if (c == call::inner_join || c == call::as_of_join) append(result, of.right_rows.read(), of.count);
  return result;
}

/// What a call is to leave on rank r. Of a union the ranks' shares are the library's choice: these are parts of it.
std::vector<offset> expected(call c, const sequences& all, int r, offset& united_before, offset united_count) {
  std::vector<offset> result;
  std::vector<number> whole;
  const auto &a = all.a, &b = all.b;
  const cuda::std::less<> less;
  shares both = all.s, reversed = all.s;
  for (offset& count : both.counts) count *= 2;
  std::reverse(reversed.counts.begin(), reversed.counts.end());
  const offset begin = all.s.begin(r), end = begin + all.count(r);
  switch (c) {
    case call::stable_sort:
      whole = all.unsorted;
      std::sort(whole.begin(), whole.end());
      append(result, part_of(whole, all.s, r));
      break;
    case call::merge:
      std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(whole));
      append(result, part_of(whole, both, r));
      break;
    case call::set_union:
      std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(whole));
      whole.erase(whole.begin(), whole.begin() + std::min(united_before, static_cast<offset>(whole.size())));
      united_before += united_count;
      if (r + 1 < all.ranks()) whole.resize(std::min(whole.size(), static_cast<std::size_t>(united_count)));
      append(result, whole);
      break;
    case call::set_intersection_size:
      std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(whole));
      result.push_back(static_cast<offset>(whole.size()));
      break;
    case call::rebalance:
      append(result, part_of(a, reversed, r));
      break;
    case call::inner_join: {
      const auto pairs = join_by_definition<row>(a, b, less, kept_rows::inner);
      const auto first = std::lower_bound(pairs.left.begin(), pairs.left.end(), begin) - pairs.left.begin();
      const auto last = std::lower_bound(pairs.left.begin(), pairs.left.end(), end) - pairs.left.begin();
      result.assign(pairs.left.begin() + first, pairs.left.begin() + last);
      result.insert(result.end(), pairs.right.begin() + first, pairs.right.begin() + last);
      break;
    }
    case call::as_of_join:
      append(result, part_of(as_of_rows<row>(
                                 a, b, less, [](number, number) { return true; }, false),
                             all.s, r));
      break;
  }
  return result;
}

/// What a rank has seen of calls. In the first one a rank may be refused memory; the third one has a new policy.
struct seen {
  outcome first = outcome::other, second = outcome::other, third = outcome::other;
  bool has_refused = false, is_usable = false, is_policy_usable = false;
  offset count = 0;
  std::vector<offset> result;  // of the second
};

std::vector<seen> make_calls(const sequences& all, call c, int victim, int granted, bool refuses_once) {
  std::vector<seen> ranks(static_cast<std::size_t>(all.ranks()));
  run_ranks(all.ranks(), [&](const auto& communicator) {
    const int r = communicator.rank();
    seen& own = ranks[static_cast<std::size_t>(r)];
    rank_arrays arrays(all, r);
    const auto local = local_policy(asking_allocator{});
    const auto everywhere = mgpu::distributed(local, communicator);
    arrays.fill();
    grant = {};
    if (r == victim) grant = {granted, refuses_once, false};
    own.first = outcome_of([&] { make_call(c, everywhere, arrays); });
    own.has_refused = grant.has_refused;
    grant = {};
    own.is_usable = communicator.is_usable();
    own.is_policy_usable = everywhere.is_usable();
    arrays.fill();
    own.second = outcome_of([&] { make_call(c, everywhere, arrays); });
    own.count = arrays.count;
    if (own.second == outcome::returned) own.result = result_of(c, arrays);
    own.third = outcome_of([&] { make_call(c, mgpu::distributed(local, communicator), arrays); });
  });
  return ranks;
}

template <class Is>
bool are_all(const std::vector<seen>& ranks, const Is& is) {
  return std::all_of(ranks.begin(), ranks.end(), is);
}

/// Whether the ranks can go on after a failure, as all of them say; checks that this is true.
bool check_after(const sequences& all, call c, const std::vector<seen>& ranks) {
  const bool is_usable = ranks.front().is_usable;
  CHECK(are_all(ranks, [&](const seen& s) { return s.is_usable == is_usable && s.is_policy_usable == is_usable; }));
  if (!is_usable) {
    CHECK(are_all(ranks, [](const seen& s) { return s.second == outcome::rank_failed; }));
    CHECK(are_all(ranks, [](const seen& s) { return s.third == outcome::rank_failed; }));
    return false;
  }
  CHECK(are_all(ranks, [](const seen& s) { return s.second == outcome::returned; }));
  CHECK(are_all(ranks, [](const seen& s) { return s.third == outcome::returned; }));
  offset united_before = 0;
  for (int r = 0; r < all.ranks(); ++r) {
    const seen& s = ranks[static_cast<std::size_t>(r)];
    CHECK(s.result == expected(c, all, r, united_before, s.count));
  }
  return true;
}

TEST_CASE("ranks are usable after a call without memory, or none of them is") {
  int usable = 0, unusable = 0;
  for (const int count : takes_few_cases() ? std::vector<int>{3, 9} : std::vector<int>{2, 3, 4, 9}) {
    if (!has_ranks(count)) continue;
    const sequences all(count);
    for (const call c : calls) {
      for (const int victim : {0, count - 1}) {
        for (const bool refuses_once : {true, false}) {
          if (count == 9 && refuses_once != (victim == 0)) continue;
          for (int granted = 0;; ++granted) {
            INFO(count, " ranks, call ", static_cast<int>(c), ", rank ", victim, " has ", granted, " allocations");
            const auto ranks = make_calls(all, c, victim, granted, refuses_once);
            const seen& of_victim = ranks[static_cast<std::size_t>(victim)];
            const auto returned =
                std::count_if(ranks.begin(), ranks.end(), [](const seen& s) { return s.first == outcome::returned; });
            CHECK((returned == 0 || returned == count));
            if (returned == 0) {
              CHECK(of_victim.first == outcome::no_memory);
              CHECK(std::count_if(ranks.begin(), ranks.end(),
                                  [](const seen& s) { return s.first == outcome::rank_failed; }) == count - 1);
            }
            ++(check_after(all, c, ranks) ? usable : unusable);
            if (!of_victim.has_refused) break;
          }
        }
      }
    }
  }
  if (has_ranks(2)) CHECK(usable > 0);
#if !defined(MGPU_TEST_CUDA)
  CHECK(unusable > 0);
#endif
}

}  // namespace
