// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Communicators of a caller's own: what a policy over them says and does when they have failed.
#include <doctest/doctest.h>

#include <mgpu/cpp.h>
#include <mgpu/distributed.h>
#include <mgpu/in_process.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using mgpu::offset;

struct broken_link : std::runtime_error {
  broken_link() : std::runtime_error("the link is broken") {}
};

/// Has what a communicator must have, and fails on each rank at its `failing`-th exchange.
class plain_communicator {
 public:
  struct counts {
    int gathers = 0, exchanges = 0, failing = -1, left = 0;
    bool is_broken = false;
  };
  plain_communicator(const mgpu::in_process_communicator& inner, counts& made) : inner_(inner), made_(&made) {}

  int rank() const { return inner_.rank(); }
  int size() const { return inner_.size(); }
  void all_gather(const void* from, void* to, offset bytes, mgpu::no_stream stream) const {
    ++made_->gathers;
    if (made_->is_broken) throw broken_link();
    inner_.all_gather(from, to, bytes, stream);
  }
  void exchange(const mgpu::outgoing* sends, offset send_count, const mgpu::incoming* receives, offset receive_count,
                mgpu::no_stream stream) const {
    made_->is_broken |= made_->exchanges++ == made_->failing;
    if (made_->is_broken) throw broken_link();
    inner_.exchange(sends, send_count, receives, receive_count, stream);
  }

 protected:
  mgpu::in_process_communicator inner_;
  counts* made_;
};

/// Knows whether it can be used, and hears of a rank that cannot go on.
struct knowing_communicator : plain_communicator {
  using plain_communicator::plain_communicator;
  bool is_usable() const { return !made_->is_broken; }
  void leave() const { ++made_->left; }
};

constexpr int ranks = 3;
using numbers = std::vector<int>;

numbers descending(int rank) { return {9 * ranks - rank, 6 * ranks - rank, 3 * ranks - rank}; }

/// Sorts over the ranks until a call fails; then f(policy, communicator, its counts).
template <class Communicator, class F>
void after_failure(int failing, const F& f) {
  mgpu::in_process_group(ranks).run([&](const auto& inner) {
    typename Communicator::counts made;
    const Communicator c(inner, made);
    const auto everywhere = mgpu::distributed(mgpu::cpp::par, c);
    numbers part = descending(inner.rank());
    mgpu::stable_sort(everywhere, part.begin(), part.end());
    if (!everywhere.is_usable()) throw std::logic_error("not usable without a failure");
    made.failing = made.exchanges + failing;
    try {
      mgpu::stable_sort(everywhere, part.begin(), part.end());
      throw std::logic_error("the exchange has not failed");
    } catch (const broken_link&) {
    }
    f(everywhere, c, made);
  });
}

/// How a call over ranks ends.
template <class Policy>
std::string error_of_call(const Policy& p) {
  numbers part = descending(p.rank());
  try {
    mgpu::stable_sort(p, part.begin(), part.end());
  } catch (const std::exception& e) {
    return part == descending(p.rank()) ? e.what() : "the array has changed";
  }
  return "none";
}

TEST_CASE("a communicator that cannot say whether it is usable") {
  for (int failing = 0; failing < 2; ++failing) {
    std::array<std::string, ranks> errors, errors_of_copies;
    std::array<int, ranks> gathers{};
    std::array<bool, ranks> usable{}, copies_usable{};
    after_failure<plain_communicator>(failing, [&](const auto& everywhere, const auto& c, auto& made) {
      const auto r = static_cast<std::size_t>(c.rank());
      usable[r] = everywhere.is_usable();
      const auto copy = everywhere;
      copies_usable[r] = copy.is_usable();
      made.is_broken = false;  // as nobody knows
      made.gathers = 0;
      errors[r] = error_of_call(everywhere);
      errors_of_copies[r] = error_of_call(copy);
      gathers[r] = made.gathers;
    });
    for (std::size_t r = 0; r < ranks; ++r) {
      CHECK(!usable[r]);
      CHECK(!copies_usable[r]);
      const std::string expected = "mgpu: rank " + std::to_string(r) +
                                   " has lost the other ranks in an earlier call, and needs a new communicator";
      CHECK(errors[r] == expected);
      CHECK(errors_of_copies[r] == expected);
      CHECK(gathers[r] == 0);  // nobody is asked, so nobody waits
    }
  }
}

TEST_CASE("a communicator that says whether it is usable also says why it is not") {
  std::array<std::string, ranks> errors, errors_of_new_policies;
  std::array<bool, ranks> usable{}, new_usable{};
  after_failure<knowing_communicator>(0, [&](const auto& everywhere, const auto& c, auto& made) {
    const auto r = static_cast<std::size_t>(c.rank());
    made.gathers = 0;
    if (made.left != 1) throw std::logic_error("the rank has not left");
    usable[r] = everywhere.is_usable();
    errors[r] = error_of_call(everywhere);
    const auto other = mgpu::distributed(mgpu::cpp::par, c);
    new_usable[r] = other.is_usable();
    errors_of_new_policies[r] = error_of_call(other);
    if (made.gathers != 2) errors[r] = "more was sent than one gathering for each call";
  });
  for (std::size_t r = 0; r < ranks; ++r) {
    CHECK(!usable[r]);
    CHECK(!new_usable[r]);
    CHECK(errors[r] == "the link is broken");
    CHECK(errors_of_new_policies[r] == "the link is broken");
  }
}

TEST_CASE("a call over ranks of which one has left says which") {
  std::array<std::string, ranks> errors;
  const mgpu::in_process_group group(ranks);
  CHECK_THROWS_WITH_AS(group.run([&](const auto& c) {
    const auto everywhere = mgpu::distributed(mgpu::cpp::par, c);
    if (c.rank() == 1) throw std::domain_error("enough");
    errors[static_cast<std::size_t>(c.rank())] = error_of_call(everywhere);
    if (everywhere.is_usable()) errors[static_cast<std::size_t>(c.rank())] = "the policy is usable";
  }),
                       "enough", std::domain_error);
  CHECK(!group.is_usable());
  for (const std::size_t r : {0, 2}) CHECK(errors[r] == "mgpu: rank 1 has left its group");
  group.run([&](const auto& c) {
    errors[static_cast<std::size_t>(c.rank())] = error_of_call(mgpu::distributed(mgpu::cpp::par, c));
  });
  for (const std::string& error : errors) CHECK(error == "mgpu: rank 1 has left its group");
}

}  // namespace
