// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A communicator of a user's own, which counts: no rank receives or sends more than its share and the samples of the
// splits, however the keys are.
#include "ranks.h"

#include <atomic>

namespace {

using namespace test;

/// What has gone through a rank.
struct traffic {
  offset sent = 0, received = 0, exchanges = 0;
};

class counting_communicator {
 public:
  counting_communicator(const mgpu::in_process_communicator& inner, traffic& t) : inner_(inner), traffic_(&t) {}
  int rank() const { return inner_.rank(); }
  int size() const { return inner_.size(); }
  void all_gather(const void* from, void* to, offset bytes, mgpu::no_stream s) const {
    inner_.all_gather(from, to, bytes, s);
  }
  void exchange(const mgpu::outgoing* sends, offset send_count, const mgpu::incoming* receives, offset receive_count,
                mgpu::no_stream s) const {
    for (offset i = 0; i < send_count; ++i) {
      CHECK(sends[i].bytes > 0);
      CHECK(sends[i].to != rank());
      traffic_->sent += sends[i].bytes;
    }
    for (offset i = 0; i < receive_count; ++i) traffic_->received += receives[i].bytes;
    ++traffic_->exchanges;
    inner_.exchange(sends, send_count, receives, receive_count, s);
  }

 private:
  mgpu::in_process_communicator inner_;
  traffic* traffic_;
};

/// The samples of a split with 4 ranks: of each window of three borders at most 2,730 from each of three ranks, in each
/// of 3 rounds; and a few counts.
constexpr offset split_bytes = 3 * 3 * 3 * 2730 * 4 + 1024;

TEST_CASE("no rank gets more than its share") {
  constexpr int ranks = 4;
  for (const repeats how : all_repeats) {
    for (const shares& s : ways_to_share(ranks, 400'000, 5)) {
      INFO(s.name, ", equal keys: ", name_of(how));
      const auto all = keys<std::uint32_t>(s.total(), how, 1);
      traffic sorts[ranks], merges[ranks], unions[ranks];
      mgpu::in_process_group(ranks).run([&](const auto& c) {
        const int r = c.rank();
        auto part = part_of(all, s, r);
        std::vector<std::uint32_t> out(2 * part.size());
        const auto over = [&](traffic& t) { return mgpu::distributed(mgpu::cpp::par, counting_communicator(c, t)); };
        mgpu::stable_sort(over(sorts[r]), part.begin(), part.end());
        const auto a = part;
        mgpu::merge(over(merges[r]), a.begin(), a.end(), a.begin(), a.end(), out.begin());
        const auto end = mgpu::set_union(over(unions[r]), a.begin(), a.end(), a.begin(), a.end(), out.begin());
        CHECK(end - out.begin() <= static_cast<offset>(out.size()));
      });
      for (int r = 0; r < ranks; ++r) {
        const offset share = 4 * s.counts[static_cast<std::size_t>(r)];
        CHECK(sorts[r].received <= share + split_bytes);
        CHECK(sorts[r].sent <= share + split_bytes);
        CHECK(merges[r].received <= 2 * share + split_bytes);
        CHECK(merges[r].sent <= 2 * share + split_bytes);
        CHECK(unions[r].received <= 2 * share + 4 + split_bytes);
        CHECK(unions[r].sent <= 2 * share + split_bytes);
        CHECK(sorts[r].exchanges <= 3);
        CHECK(merges[r].exchanges <= 4);
        CHECK(unions[r].exchanges <= 5);
      }
    }
  }
}

TEST_CASE("what is where it belongs is not sent") {
  constexpr int ranks = 3;
  const auto all = indices(300'000);
  const shares s{"", {100'000, 100'000, 100'000}};
  traffic sorts[ranks], merges[ranks];
  mgpu::in_process_group(ranks).run([&](const auto& c) {
    const int r = c.rank();
    auto part = part_of(all, s, r);
    std::vector<std::uint32_t> out(2 * part.size());
    mgpu::stable_sort(mgpu::distributed(mgpu::cpp::par, counting_communicator(c, sorts[r])), part.begin(), part.end());
    mgpu::merge(mgpu::distributed(mgpu::cpp::par, counting_communicator(c, merges[r])), part.begin(), part.end(),
                part.begin(), part.end(), out.begin());
  });
  for (int r = 0; r < ranks; ++r) {
    CHECK(sorts[r].received <= split_bytes);
    CHECK(merges[r].received <= split_bytes);
  }
}

}  // namespace
