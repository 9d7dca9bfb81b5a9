// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// in_process_group on the CPU: what arrives, and what happens to the others when a rank fails.
#include <doctest/doctest.h>

#include <mgpu/in_process.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using mgpu::offset;
constexpr mgpu::no_stream stream{};

TEST_CASE("a group says which ranks it has") {
  const mgpu::in_process_group group(3);
  CHECK(group.size() == 3);
  CHECK(group[2].rank() == 2);
  CHECK(group[2].size() == 3);
  CHECK_THROWS_AS(group[3], std::out_of_range);
  CHECK_THROWS_AS(group[-1], std::out_of_range);
  CHECK_THROWS_AS(mgpu::in_process_group(0), std::invalid_argument);
}

TEST_CASE("all_gather") {
  for (int ranks = 1; ranks <= 8; ++ranks) {
    std::atomic<int> wrong{0};
    mgpu::in_process_group(ranks).run([&](const auto& c) {
      for (int round = 0; round < 50; ++round) {
        const std::array<int, 2> own{c.rank(), round};
        std::vector<std::array<int, 2>> all(static_cast<std::size_t>(ranks));
        c.all_gather(&own, all.data(), sizeof(own), stream);
        for (int r = 0; r < ranks; ++r) wrong += all[static_cast<std::size_t>(r)] != std::array<int, 2>{r, round};
      }
      c.all_gather(nullptr, nullptr, 0, stream);
    });
    CHECK(wrong == 0);
  }
}

/// How many bytes rank q sends to rank r as its k-th message of a round; 0: there is none.
offset message_bytes(int q, int r, int k, int round) {
  std::minstd_rand random(static_cast<unsigned>(1 + q + 10 * r + 100 * k + 1000 * round));
  random.discard(5);
  return q == r || random() % 3 == 0 ? 0 : static_cast<offset>(random() % 5000);
}
char byte_of(int q, int r, int k, offset i) { return static_cast<char>(q + 3 * r + 5 * k + 7 * i); }

/// Whether the messages of a round arrive, several of each pair of ranks, listed in another order by the two sides.
bool messages_arrive(const mgpu::in_process_communicator& c, int round) {
  constexpr int most = 3;
  const int own = c.rank();
  std::vector<mgpu::outgoing> sends;
  std::vector<mgpu::incoming> receives;
  std::vector<std::vector<char>> sent, received;
  sent.reserve(100);
  received.reserve(100);
  for (int k = 0; k < most; ++k) {
    for (int r = 0; r < c.size(); ++r) {
      if (const offset bytes = message_bytes(own, r, k, round)) {
        sent.emplace_back(static_cast<std::size_t>(bytes));
        for (offset i = 0; i < bytes; ++i) sent.back()[static_cast<std::size_t>(i)] = byte_of(own, r, k, i);
        sends.push_back({r, sent.back().data(), bytes});
      }
    }
  }
  for (int q = c.size() - 1; q >= 0; --q) {
    for (int k = 0; k < most; ++k) {
      if (const offset bytes = message_bytes(q, own, k, round)) {
        received.emplace_back(static_cast<std::size_t>(bytes));
        receives.push_back({q, received.back().data(), bytes});
      }
    }
  }
  c.exchange(sends.data(), static_cast<offset>(sends.size()), receives.data(), static_cast<offset>(receives.size()),
             stream);
  for (auto& message : sent) message.assign(message.size(), 'x');  // may be overwritten now
  std::size_t next = 0;
  for (int q = c.size() - 1; q >= 0; --q) {
    for (int k = 0; k < most; ++k) {
      const offset bytes = message_bytes(q, own, k, round);
      if (bytes == 0) continue;
      for (offset i = 0; i < bytes; ++i)
        if (received[next][static_cast<std::size_t>(i)] != byte_of(q, own, k, i)) return false;
      ++next;
    }
  }
  return true;
}

TEST_CASE("exchange") {
  for (int ranks = 1; ranks <= 8; ++ranks) {
    std::atomic<int> wrong{0};
    mgpu::in_process_group(ranks).run([&](const auto& c) {
      for (int round = 0; round < 20; ++round) wrong += !messages_arrive(c, round);
    });
    CHECK(wrong == 0);
  }
}

TEST_CASE("a rank that throws leaves nobody waiting, and its exception is the group's") {
  for (int victim = 0; victim < 4; ++victim) {
    const mgpu::in_process_group group(4);
    std::atomic<int> gave_up{0};
    CHECK_THROWS_WITH_AS(group.run([&](const auto& c) {
      int own = 0;
      std::array<int, 4> all;
      c.all_gather(&own, all.data(), sizeof(own), stream);
      if (c.rank() == victim) throw std::domain_error("enough");
      try {
        c.all_gather(&own, all.data(), sizeof(own), stream);
      } catch (const mgpu::rank_error& e) {
        gave_up += e.rank() == victim;
        throw;
      }
    }),
                         "enough", std::domain_error);
    CHECK(gave_up == 3);
  }
}

TEST_CASE("ranks without run(): one leaves, later calls throw") {
  const mgpu::in_process_group group(2);
  int own = 5;
  std::array<int, 2> all;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    group.leave(1);
  });
  CHECK_THROWS_AS(group[0].all_gather(&own, all.data(), sizeof(own), stream), mgpu::rank_error);
  other.join();
  CHECK_THROWS_WITH_AS(group[0].all_gather(&own, all.data(), sizeof(own), stream), "mgpu: rank 1 has left its group",
                       mgpu::rank_error);
}

TEST_CASE("a group is usable until a rank leaves, as any thread may see at any time") {
  constexpr int ranks = 3;
  const mgpu::in_process_group group(ranks);
  CHECK(group.is_usable());
  std::atomic<int> looks{0}, wrong{0};
  std::thread watcher([&] {
    while (group.is_usable()) ++looks;
  });
  while (looks == 0) std::this_thread::yield();
  group.run([&](const auto& c) {
    for (int round = 0; round < 20; ++round) wrong += !messages_arrive(c, round);
  });
  CHECK(wrong == 0);
  CHECK(group.is_usable());
  group.leave(1);
  watcher.join();
  for (int r = 0; r < ranks; ++r) CHECK(!group[r].is_usable());
}

TEST_CASE("an exchange that fails on one rank leaves no rank a group that is usable") {
  constexpr int ranks = 4;
  for (int victim = 0; victim < ranks; ++victim) {
    const mgpu::in_process_group group(ranks);
    std::atomic<int> failed{0}, usable_after{0}, refused{0};
    group.run([&](const auto& c) {
      int own = c.rank();
      std::array<int, ranks> all;
      c.all_gather(&own, all.data(), sizeof(own), stream);
      const mgpu::incoming receive_none{(victim + 1) % ranks, &own, sizeof(own)};
      try {
        c.exchange(nullptr, 0, &receive_none, c.rank() == victim, stream);
      } catch (const std::exception&) {
        ++failed;
      }
      usable_after += c.is_usable();
      for (int call = 0; call < 2; ++call) {
        try {
          if (call == 0) c.all_gather(&own, all.data(), sizeof(own), stream);
          else c.exchange(nullptr, 0, nullptr, 0, stream);
        } catch (const mgpu::rank_error& e) {
          refused += e.rank() == victim;
        }
      }
    });
    CHECK(failed == ranks);
    CHECK(usable_after == 0);
    CHECK(refused == 2 * ranks);
    CHECK(!group.is_usable());
  }
}

TEST_CASE("messages that do not match are an error, no hang") {
  for (const offset sent_bytes : {0, 3}) {
    const mgpu::in_process_group group(2);
    CHECK_THROWS_AS(group.run([&](const auto& c) {
      int x = 0;
      const mgpu::outgoing send{1, &x, sent_bytes};
      const mgpu::incoming receive{0, &x, sizeof(x)};
      if (c.rank() == 0) c.exchange(&send, sent_bytes > 0, nullptr, 0, stream);
      else c.exchange(nullptr, 0, &receive, 1, stream);
    }),
                    std::logic_error);
  }
}

TEST_CASE("a message from no other rank is an error, no hang") {
  for (const int from : {-1, 1, 2}) {
    const mgpu::in_process_group group(2);
    CHECK_THROWS_AS(group.run([&](const auto& c) {
      int x = 0;
      const mgpu::incoming receive{from, &x, sizeof(x)};
      c.exchange(nullptr, 0, &receive, c.rank() == 1, stream);
    }),
                    std::logic_error);
  }
}

TEST_CASE("a message to no other rank is an error, no hang") {
  for (const int to : {-1, 1, 2}) {
    const mgpu::in_process_group group(2);
    CHECK_THROWS_AS(group.run([&](const auto& c) {
      int x = 0;
      const mgpu::outgoing send{to, &x, sizeof(x)};
      c.exchange(&send, c.rank() == 1, nullptr, 0, stream);
    }),
                    std::logic_error);
  }
}

TEST_CASE("what a rank that fails has sent stays as it is until it has arrived") {
  std::vector<char> sent(std::size_t{1} << 25), received(sent.size());
  const auto bytes = static_cast<offset>(sent.size());
  for (int round = 0; round < 5; ++round) {
    std::fill(sent.begin(), sent.end(), 'a');
    std::fill(received.begin(), received.end(), 'x');
    std::atomic<int> thrown{0};
    CHECK_THROWS_AS(mgpu::in_process_group(3).run([&](const auto& c) {
      const mgpu::outgoing send{1, sent.data(), bytes};
      char x;
      const mgpu::incoming receive_none{2, &x, 1}, receive{0, received.data(), bytes};
      try {
        if (c.rank() == 0) c.exchange(&send, 1, &receive_none, 1, stream);
        else c.exchange(nullptr, 0, &receive, c.rank() == 1, stream);
      } catch (...) {
        ++thrown;
        if (c.rank() == 0) std::fill(sent.rbegin(), sent.rend(), 'b');
        throw;
      }
    }),
                    std::logic_error);
    CHECK(thrown == 3);
    CHECK(std::count(received.begin(), received.end(), 'a') == bytes);
  }
}

}  // namespace
