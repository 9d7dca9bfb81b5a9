// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What every public function is put through. A case is a function and a number, from which everything else is drawn;
// what fails is named by both. In the environment
//   MGPU_HARNESS_CASE=function:number  runs that case again, and nothing else
//   MGPU_HARNESS_SEED=number           moves the numbers
//   MGPU_HARNESS_PERCENT=number        of the usual cases are run, at least one of each function
//   MGPU_HARNESS_THREADS=number        of threads run them
//   MGPU_HARNESS_ONLY=family           has the functions of that family alone
//   MGPU_HARNESS_EXCEPT=family,...     leaves out the functions of these families
#include "call.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <mutex>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace test::harness {

std::vector<function>& all_functions() {
  static std::vector<function> functions;
  return functions;
}

namespace {

std::optional<std::string> setting(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::uint64_t first_number() { return std::stoull(setting("MGPU_HARNESS_SEED").value_or("0")) << 32; }

/// The functions in the order of their names, whatever order they were linked in.
const std::vector<function>& functions() {
  static const std::vector<function> sorted = [] {
    auto chosen = all_functions();
    std::sort(chosen.begin(), chosen.end(), [](const function& x, const function& y) { return x.name < y.name; });
    const auto leave_out = [&](const auto& is_left_out) {
      chosen.erase(std::remove_if(chosen.begin(), chosen.end(), is_left_out), chosen.end());
    };
    std::istringstream left_out(setting("MGPU_HARNESS_EXCEPT").value_or(""));
    for (std::string family; std::getline(left_out, family, ',');) {
      leave_out([&](const function& f) { return f.family == family; });
    }
    if (const auto only = setting("MGPU_HARNESS_ONLY")) {
      leave_out([&](const function& f) { return f.family != *only; });
      REQUIRE_MESSAGE(!chosen.empty(), "there is no such family");
    }
    return chosen;
  }();
  return sorted;
}

/// The cases of all functions together where each is to have `cases`, or the share of them that was asked for, at least
/// one.
int cases_of(int cases) {
  const auto percent = setting("MGPU_HARNESS_PERCENT");
  const double share = percent ? std::stod(*percent) / 100 : takes_few_cases() ? 0.005 : 1;
  return std::max(1, static_cast<int>(cases * share)) * static_cast<int>(functions().size());
}

/// What has failed, noted by all threads.
class failures {
 public:
  void add(const function& f, std::uint64_t number, const std::string& what) {
    const std::lock_guard lock(mutex_);
    list_.push_back(f.name + ":" + std::to_string(number) + ": " + what);
  }
  /// So many failures that more tell nothing new.
  bool is_enough() {
    const std::lock_guard lock(mutex_);
    return list_.size() >= 5;
  }
  void report() {
    for (const auto& failure : list_) FAIL_CHECK(failure);
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> list_;
};

/// One thread's place of work.
struct bench {
  requests log;
  worker at{log};
  arena_memory memory;

  /// Calls the function, and returns what is wrong afterwards by `check`, a member of arena.
  template <class Check>
  std::string run(call& c, way how, const Check& check) {
    char* const place = memory.put(c.data().before());
    const bool is_right = c.run(at, how, place);
    finish(at);
    const auto wrong = (c.data().*check)(memory.get(c.data().before().size()));
    if (!wrong.empty() || check != &arena::check_result) return wrong;
    return is_right ? "" : "what it returned";
  }
};

/// One case in `every` takes three tiles of any function on the CPU, too, where they have up to 2^16 elements.
void enlarge(demands& d, std::uint64_t number, int every) {
  if (number % static_cast<unsigned>(every) == 9) d.size = 140'000 + static_cast<int>(number % 1000);
}
way way_of(std::uint64_t number) {
  if (has_all_ways) return all_ways[(number + number / 16) % std::size(all_ways)];
  return few_ways[(number + number / 16) % std::size(few_ways)];
}

std::string check_sound(bench& b, const function& f, std::uint64_t number) {
  demands sound;
  enlarge(sound, number, 16);
  const auto c = f.make(number, number, sound);
  return b.run(*c, way_of(number), &arena::check_result);
}

std::string check_unsound(bench& b, const function& f, std::uint64_t number) {
  demands any;
  any.is_sound = false;
  any.largest = 5'000;
  enlarge(any, number, 160);
  // With few elements most ranks find splits, and get more or fewer than they have given.
  if (f.has("over_ranks") && number % 4 != 3) any.size = static_cast<int>(number % 31);
  const auto c = f.make(number, number, any);
  try {
    return b.run(*c, way_of(number), &arena::check_outside_of_outputs);
  } catch (const std::invalid_argument&) {  // where wrong positions were noticed, or ranks have found no splits
    const bool is_over_ranks = f.has("over_ranks");
    if (!f.has("takes_positions") && !is_over_ranks) throw;
    finish(b.at);
    const auto& found = b.memory.get(c->data().before().size());
    return is_over_ranks ? c->data().check_untouched(found) : c->data().check_outside_of_outputs(found);
  }
}

/// Runs check(bench, function, number) for `cases` cases, of all functions in turns, by `threads` threads.
template <class Check>
void run_cases(int cases, int threads, const Check& check) {
  if (const auto wanted = setting("MGPU_HARNESS_THREADS")) threads = std::stoi(*wanted);
  const auto begin = std::chrono::steady_clock::now();
  failures failed;
  std::atomic<int> next{0};
  const auto run_case = [&](bench& b, const function& f, std::uint64_t number) {
    try {
      const auto wrong = check(b, f, number);
      if (!wrong.empty()) failed.add(f, number, wrong);
    } catch (const std::exception& e) {
      failed.add(f, number, std::string("exception: ") + e.what());
    }
  };
  const auto work = [&] {
    bench b;
    for (int i = next++; i < cases && !failed.is_enough(); i = next++) {
      const auto count = static_cast<int>(functions().size());
      run_case(b, functions()[static_cast<std::size_t>(i % count)], first_number() + static_cast<unsigned>(i / count));
    }
  };
  if (const auto one = setting("MGPU_HARNESS_CASE")) {
    bench b;
    const auto colon = one->find(':');
    bool is_found = false;
    for (const auto& f : functions()) {
      if (f.name != one->substr(0, colon)) continue;
      is_found = true;
      run_case(b, f, std::stoull(one->substr(colon + 1)));
    }
    CHECK_MESSAGE(is_found, "there is no such function");
  } else {
    std::vector<std::thread> others;
    for (int i = 1; i < threads; ++i) others.emplace_back(work);
    work();
    for (auto& thread : others) thread.join();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    std::printf("%d cases of %d functions on %d threads in %.1f s\n", cases, static_cast<int>(functions().size()),
                threads, seconds.count());
    CHECK(next >= cases);
  }
  failed.report();
}

#if defined(MGPU_HARNESS_OVER_RANKS)
constexpr int fuzz_threads = 2;  // each with a thread for each rank
constexpr int fuzz_cases = is_full ? 200 : 40;
constexpr int unsound_cases = 2 * fuzz_cases;
constexpr int allocating_size = 60'000;
#elif defined(MGPU_TEST_CUDA)
constexpr int fuzz_threads = 8;                    // each with a stream of its own
constexpr int fuzz_cases = is_full ? 2'000 : 400;  // of each function
constexpr int unsound_cases = is_full ? 5'000 : 800;
constexpr int allocating_size = 6'000'000;  // scratch for most; merge and intervals take none on a large GPU
#else
constexpr int fuzz_threads = 8;
#ifdef MGPU_HARNESS_UNSOUND_CASES  // a sanitizer looks on
constexpr int fuzz_cases = 300;
constexpr int unsound_cases = MGPU_HARNESS_UNSOUND_CASES;
#else
constexpr int fuzz_cases = is_full ? 400 : 100;
constexpr int unsound_cases = is_full ? 2'500 : 500;  // one takes a core 300 us
#endif
constexpr int allocating_size = 300'000;
#endif

}  // namespace
}  // namespace test::harness

using namespace test::harness;

TEST_CASE("all functions are there") {
  std::set<std::string> names;
  for (const auto& f : all_functions()) names.insert(f.name);
  CHECK(names.size() == MGPU_HARNESS_FUNCTIONS);
}

TEST_CASE("random calls by several host threads at once do what their definition says") {
  run_cases(cases_of(fuzz_cases), fuzz_threads, check_sound);
}

TEST_CASE("inputs without order and orders that are none change nothing but outputs") {
  run_cases(cases_of(unsound_cases), fuzz_threads, check_unsound);
}

TEST_CASE("an allocation that fails, whichever it is, changes no input and loses no memory") {
  std::atomic<int> refusals{0};
  std::mutex mutex;
  std::set<std::string> refused;
  const int sizes[] = {700, 60'000, 700, 60'000, allocating_size, 60'000, 700, 60'000, 700, 60'000, 700, 60'000};
  const auto check = [&](bench& b, const function& f, std::uint64_t number) -> std::string {
    demands of_size;
    of_size.size = sizes[number % std::size(sizes)];
    const auto c = f.make(number, number, of_size);
    const way how = refusing_ways[number / 2 % std::size(refusing_ways)];
    auto& log = b.at.log;
    for (int allowed = 0;; ++allowed) {
      log.restart(allowed);
      bool is_refused = false;
      std::string wrong;
      try {
        wrong = b.run(*c, how, &arena::check_result);
      } catch (const std::bad_alloc&) {
        is_refused = true;
        finish(b.at);
        const auto& found = b.memory.get(c->data().before().size());
        // A sort over ranks may lack memory when it has received the elements.
        wrong = f.has("over_ranks") ? c->data().check_outside_of_outputs(found) : c->data().check_inputs(found);
      }
      if (wrong.empty() && log.allocations != log.deallocations) wrong = "memory is lost";
      if (!wrong.empty()) return wrong + " with " + std::to_string(allowed) + " allocations allowed";
      if (!is_refused) return {};
      ++refusals;
      const std::lock_guard lock(mutex);
      refused.insert(f.name);
    }
  };
  const int cases = cases_of(12);
  run_cases(cases, fuzz_threads, check);
  std::printf("%d allocations refused, to %d functions\n", refusals.load(), static_cast<int>(refused.size()));
  if (setting("MGPU_HARNESS_CASE")) return;
  const auto takes_scratch = [](const function& f) { return f.has("takes_scratch"); };
  // A part of the cases of one family may be too small for scratch memory.
  const bool has_all_cases = cases >= 12 * static_cast<int>(functions().size());
  const bool must_refuse = std::any_of(functions().begin(), functions().end(), takes_scratch);
  if (must_refuse && (has_all_cases || !setting("MGPU_HARNESS_ONLY"))) CHECK(refusals > 0);
  if (!has_all_cases) return;
  for (const auto& f : functions()) {  // the others may take none
    if (takes_scratch(f)) CHECK_MESSAGE(refused.count(f.name) == 1, f.name);
  }
}

#if defined(MGPU_TEST_CUDA) && !defined(MGPU_HARNESS_OVER_RANKS)
TEST_CASE("a call in a CUDA graph does the same for other data") {
  std::atomic<int> graphs{0};
  const auto check = [&](bench& b, const function& f, std::uint64_t number) -> std::string {
    demands captured;
    captured.can_be_captured = true;
    if (number % 10 == 9) captured.size = 300'000;
    const auto c = f.make(number, number, captured);
    if (!c) return {};  // the host waits for what the call finds
    ++graphs;
    char* const place = b.memory.put(c->data().before());
    const test::graph graph(b.at.stream(), [&] { c->run(b.at, way::in_stream, place); });
    for (const std::uint64_t data : {number, number + 1000, number + 2000}) {
      const auto other = f.make(number, data, captured);
      if (!other->data().has_layout_of(c->data())) return "other data have another layout";
      b.memory.put(other->data().before());
      graph.launch(b.at.stream());
      finish(b.at);
      const auto wrong = other->data().check_result(b.memory.get(other->data().before().size()));
      if (!wrong.empty()) return wrong + " with the data of " + std::to_string(data);
    }
    return {};
  };
  const int cases = cases_of(20);
  run_cases(cases, 1, check);
  const auto captured =
      std::count_if(functions().begin(), functions().end(), [](const function& f) { return !f.has("returns_size"); });
  const int count = static_cast<int>(functions().size());
  if (!setting("MGPU_HARNESS_CASE")) CHECK(graphs == cases / count * static_cast<int>(captured));
}
#endif
