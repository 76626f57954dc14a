#include "gemm/files/touch_tasks.hpp"

#include <atomic>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace kinjo::gemm {
namespace {

TEST(TouchTasks, EveryPieceIsDoneOnceAndWhatFollowsThemLast) {
  for (const std::size_t threads : {1, 3}) {
    TouchTasks tasks(threads);
    std::vector<std::atomic<int>> done(100);
    std::atomic<int> before{-1};
    tasks.join(tasks.start({0,
                            done.size(),
                            [&](std::size_t i) { ++done[i]; },
                            [&] {
                              int sum = 0;
                              for (const auto& d : done) sum += d;
                              before = sum;
                            },
                            {}}));
    EXPECT_EQ(before, 100);
    for (const auto& d : done) EXPECT_EQ(d, 1);
  }
}

TEST(TouchTasks, ATransferWithoutPiecesIsDone) {
  TouchTasks tasks(1);
  tasks.join(tasks.start({0, 0, {}, {}, {}}));
}

TEST(TouchTasks, TheLowestDeadlineGoesFirst) {
  TouchTasks tasks(1);
  std::atomic<bool> may_go{false};
  std::vector<int> order;
  const auto gate = tasks.start({0, 1, [&](std::size_t) { may_go.wait(false); }, {}, {}});
  std::vector<TouchTasks::Ticket> tickets;
  for (const int deadline : {7, 3, 5}) {
    tickets.push_back(tasks.start({static_cast<std::size_t>(deadline),
                                   1,
                                   [&, deadline](std::size_t) { order.push_back(deadline); },
                                   {},
                                   {}}));
  }
  may_go = true;
  may_go.notify_all();
  for (const auto& ticket : tickets) tasks.join(ticket);
  tasks.join(gate);
  EXPECT_EQ(order, (std::vector<int>{3, 5, 7}));
}

TEST(TouchTasks, WhatIsBehindAnotherBeginsWhenThatIsDoneAndFailsWithIt) {
  for (const bool fails : {false, true}) {
    TouchTasks tasks(3);
    std::atomic<bool> may_go{false}, is_over{false};
    std::atomic<int> early{0}, done{0};
    const auto first = tasks.start({9,
                                    1,
                                    [&](std::size_t) { may_go.wait(false); },
                                    [&] {
                                      is_over = true;
                                      if (fails) throw std::runtime_error("first");
                                    },
                                    {}});
    const auto second = tasks.start({0,
                                     20,
                                     [&](std::size_t) {
                                       early += !is_over;
                                       ++done;
                                     },
                                     {},
                                     first});
    tasks.join(tasks.start({10, 5, [](std::size_t) {}, {}, {}}));  // others are not held up
    may_go = true;
    may_go.notify_all();
    if (fails) {
      EXPECT_THROW(tasks.join(second), std::runtime_error);
    } else {
      tasks.join(second);
    }
    EXPECT_EQ(early, 0);
    EXPECT_EQ(done, fails ? 0 : 20);
  }
}

TEST(TouchTasks, AFaultComesOutOfEveryJoinAndLeavesTheRestOut) {
  TouchTasks tasks(1);
  std::atomic<int> done{0};
  bool followed = false;
  const auto ticket = tasks.start({0,
                                   10,
                                   [&](std::size_t i) {
                                     ++done;
                                     if (i == 2) throw std::runtime_error("piece 2");
                                   },
                                   [&] { followed = true; },
                                   {}});
  EXPECT_THROW(tasks.join(ticket), std::runtime_error);
  EXPECT_THROW(tasks.join(ticket), std::runtime_error);
  EXPECT_EQ(done, 3);
  EXPECT_FALSE(followed);
  const auto late =
      tasks.start({0, 1, [](std::size_t) {}, [] { throw std::runtime_error("after"); }, {}});
  EXPECT_THROW(tasks.join(late), std::runtime_error);
}

}  // namespace
}  // namespace kinjo::gemm
