// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "skip.h"

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>

#ifdef MGPU_TEST_CUDA
#include <cuda_runtime_api.h>

static bool has_device() {
  int devices = 0;
  return cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
}
/// Who waits for the GPU leaves its core to other tests and to the compiler.
static bool can_block() { return cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync) == cudaSuccess; }
#else
static bool has_device() { return true; }
static bool can_block() { return true; }
#endif

/// Tells how many cases the options of the program have chosen.
struct case_counter : doctest::IReporter {
  static inline unsigned chosen = 1;  // until the cases have run

  explicit case_counter(const doctest::ContextOptions&) {}
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats& run) override { chosen = run.numTestCasesPassingFilters; }
  void test_case_start(const doctest::TestCaseData&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};
DOCTEST_REGISTER_LISTENER("case_counter", 1, case_counter);

int main(int argc, char** argv) {
  constexpr int skipped = 77;  // as CMakeLists.txt tells ctest
  doctest::Context context(argc, argv);
  if (!has_device()) {
    std::puts("skipped: no CUDA device");
    return skipped;
  }
  if (!can_block()) {
    std::puts("the CUDA device takes no flags");
    return 1;
  }
  const int result = context.run();
  if (result == 0 && case_counter::chosen == 0) {
    std::puts("skipped: no case of this file is chosen; --large may choose some");
    return skipped;
  }
  return result == 0 && test::has_skipped_a_test ? skipped : result;
}
