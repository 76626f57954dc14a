/// Deadlines, and cells that die: everybody else is told which one, and nothing is left behind.
#include <dirent.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>
#include <set>
#include <thread>
#include <vector>

#include "comm/cells.hpp"
#include "support/failing_new.hpp"

namespace kinjo::comm::test {
namespace {

using Faults = Cells;
KINJO_IN_EVERY_WORLD(Faults);

std::int64_t now_ns() {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

/// Which cell is lost to `f`, and in which words; −1 if none is.
template <class F>
std::pair<int, std::string> lost_to(F&& f) {
  try {
    f();
  } catch (const CellLost& lost) {
    return {lost.cell(), lost.what()};
  }
  return {-1, ""};
}

TEST_P(Faults, EveryWaitKeepsToItsDeadline) {
  run(2, [](World& world) {
    const auto flag = world.allocate_array<std::uint64_t>(1);
    if (world.cell() == 0) {
      Completion never;
      never.begin();
      int got = 0;
      constexpr std::chrono::milliseconds kAllowed(30);
      const struct {
        std::function<void()> wait;
        std::string what;
      } waits[] = {
          {[&] { world.wait_flag(flag.offset, Until::not_equal, 0, kAllowed); },
           fmt::format("the flag at offset {} not to be 0 (it is 0)", flag.offset)},
          {[&] { world.wait(never, kAllowed); }, "puts or gets to complete"},
          {[&] { world.wait_until([] { return false; }, kAllowed); }, "what its program waits for"},
          {[&] { world.receive(1, 3, &got, sizeof got, kAllowed); }, "a message"},
      };
      for (const auto& w : waits) {
        const auto begin = std::chrono::steady_clock::now();
        expect_equal(
            error_of(w.wait),
            "timed_out: cell 0 has waited 0.03 s for " + w.what + ": the time allowed is over",
            "the error");
        const auto taken = std::chrono::steady_clock::now() - begin;
        expect(taken >= kAllowed, "not too early");
        expect(taken < std::chrono::seconds(2), "not much too late");
      }
      never.end();
    }
    world.barrier();
  });
}

TEST_P(Faults, ABarrierThatSomebodyIsMissingAtKeepsToItsDeadline) {
  run(2, [](World& world) {
    const auto flag = world.allocate_array<std::uint64_t>(1);
    if (world.cell() == 0) {
      expect_equal(error_of([&] { world.barrier(std::chrono::milliseconds(30)); }),
                   "timed_out: cell 0 has waited 0.03 s for the other cells at a barrier: the time "
                   "allowed is over",
                   "the error");
      world.signal(1, {.flag = flag.offset});
    } else {
      world.wait_flag(flag.offset, Until::equal, 1);
    }
  });
}

/// Nor is a cell that ends because it has lost another what the rest are told of.
TEST_P(Faults, EveryCollectiveFunctionThatSomebodyIsMissingAtKeepsToItsDeadline) {
  const struct {
    std::function<void(World&, Offset, Timeout)> call;
    std::string what;
  } collective[] = {
      {[](World& world, Offset at, Timeout t) { world.broadcast(0, at, 8, t); },
       "the other cells at a barrier"},
      {[](World& world, Offset, Timeout t) { world.all_reduce(1, ReduceOp::sum, t); },
       "a reduction"},
      {[](World& world, Offset, Timeout t) { world.allocate(8, 64, t); }, "a reduction"},
      {[](World& world, Offset at, Timeout t) { world.release(at, t); },
       "the other cells at a barrier"},
  };
  for (const auto& c : collective) {
    run(2, [&](World& world) {
      const auto flag = world.allocate_array<std::uint64_t>(1);
      if (world.cell() == 1) {
        world.wait_flag(flag.offset, Until::equal, 1);
        return;
      }
      const auto begin = std::chrono::steady_clock::now();
      expect_equal(
          error_of([&] { c.call(world, flag.offset, std::chrono::milliseconds(30)); }),
          "timed_out: cell 0 has waited 0.03 s for " + c.what + ": the time allowed is over",
          "the error");
      expect(std::chrono::steady_clock::now() - begin < std::chrono::seconds(2), "not too late");
      world.signal(1, {.flag = flag.offset});
    });
  }
}

TEST_P(Faults, SendingToACellThatTakesNothingKeepsToItsDeadline) {
  options.handlers = {{"nothing", [](Message&) {}}};
  run(2, [](World& world) {
    const auto flag = world.allocate_array<std::uint64_t>(1);
    const auto area = world.allocate_array<std::uint8_t>(4096);
    if (world.cell() == 1) {
      // No progress; and no longer than a test may take, should the other one fail.
      const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      while (world.flag(flag.offset) != 1 && std::chrono::steady_clock::now() < end) {
        std::this_thread::yield();
      }
      return;
    }
    constexpr std::chrono::milliseconds kAllowed(30);
    const std::vector<std::uint8_t> data(4096);
    const std::function<void()> calls[] = {
        [&] { world.request(1, 0, data.data(), data.size(), kAllowed); },
        [&] { world.request_long(1, 0, data.data(), data.size(), area.offset, nullptr, kAllowed); },
        [&] { world.send(1, 0, data.data(), data.size(), kAllowed); },
    };
    for (const auto& call : calls) {
      const std::string none = error_of([] {});
      std::string error = none;
      for (int sent = 0; error == none && sent < 1000; ++sent) error = error_of(call);
      expect_equal(error,
                   "timed_out: cell 0 has waited 0.03 s for room for a message to cell 1: the time "
                   "allowed is over",
                   "the error");
    }
    world.signal(1, {.flag = flag.offset});
  });
}

TEST_P(Faults, WhatACellThrowsIsToldAndTheOthersLoseThatCell) {
  for (int repeat = 0; repeat < 5; ++repeat) {
    const std::string failure = failure_of(GetParam(), 4, options, [](World& world) {
      const auto flag = world.allocate_array<std::uint64_t>(1);
      if (world.cell() == 2) throw std::runtime_error("out of luck");
      // The others notice one after another.
      if (world.cell() != 0) std::this_thread::sleep_for(std::chrono::milliseconds(30));
      try {
        world.wait_flag(flag.offset, Until::equal, 1);
      } catch (const CellLost& lost) {
        expect_equal(lost.cell(), 2, "the lost cell");
        throw;
      }
    });
    EXPECT_EQ(failure, "out of luck");
  }
}

TEST_P(Faults, ACellThatLeavesIsMissingOnlyToThoseThatNeedIt) {
  run(3, [](World& world) {
    const auto flag = world.allocate_array<std::uint64_t>(1);
    if (world.cell() == 2) return;
    // Two cells go on without the third, but not through a barrier.
    world.signal(1 - world.cell(), {.flag = flag.offset});
    world.wait_flag(flag.offset, Until::equal, 1);
    const auto [cell, words] = lost_to([&] { world.barrier(std::chrono::seconds(10)); });
    expect_equal(cell, 2, "the lost cell");
    expect_equal(words, "cell 2 has left the world", "the words");
  });
}

/// Names of shared memory that outlives its users.
std::set<std::string> shared_memory() {
  std::set<std::string> names;
  if (DIR* folder = opendir("/dev/shm")) {
    while (const dirent* entry = readdir(folder)) names.insert(entry->d_name);
    closedir(folder);
  }
  return names;
}

enum class WaitsIn { flag, barrier, receive, all_reduce };

/// What the cells say that survive cell 1: `milliseconds the words`.
std::vector<CellEnd> kill_one(const WorldOptions& options, WaitsIn waits) {
  return run_processes(cells_anywhere(3), options, [&](World& world, const Place&) -> std::string {
    const auto died = world.allocate_array<std::int64_t>(1);
    const auto flag = world.allocate_array<std::uint64_t>(1);
    world.barrier();
    if (world.cell() == 1) {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      const std::int64_t now = now_ns();
      for (const int to : {0, 2}) world.put(to, died.offset, &now, sizeof now);
      world.quiet();
      raise(SIGKILL);
    }
    const auto [cell, words] = lost_to([&] {
      int got = 0;
      if (waits == WaitsIn::flag) world.wait_flag(flag.offset, Until::equal, 1);
      if (waits == WaitsIn::barrier) world.barrier();
      if (waits == WaitsIn::receive) world.receive(0, 1, &got, sizeof got);
      if (waits == WaitsIn::all_reduce) world.all_reduce(1, ReduceOp::sum);
    });
    expect_equal(cell, 1, "the lost cell");
    return fmt::format("{} {}", (now_ns() - world.local(died)[0]) / 1'000'000, words);
  });
}

TEST_P(Faults, ACellThatLeavesIsMissingToThoseThatReceiveFromIt) {
  run(3, [](World& world) {
    constexpr std::chrono::seconds kLong(60);
    if (world.cell() == 1) {
      const int sent = 5;
      return world.send(0, 3, &sent, sizeof sent);
    }
    int got = 0;
    if (world.cell() == 0) world.receive(1, 3, &got, sizeof got, kLong);  // what it had sent before
    expect_equal(got, world.cell() == 0 ? 5 : 0, "the message");
    const auto [lost, words] = lost_to([&] { world.receive(1, 3, &got, sizeof got, kLong); });
    expect_equal(lost, 1, "the cell");
    expect_equal(words, "cell 1 has left the world", "the words");
  });
}

TEST_P(Faults, WhoLeavesBecauseOfAnotherIsNotBlamed) {
  EXPECT_EQ(failure_of(GetParam(), cells_anywhere(5), {},
                       [](World& world) {
                         if (world.cell() != 3) world.barrier();
                       }),
            "cell 3 has left the world");
  run(3, [](World& world) {
    if (world.cell() == 1) return;
    // The one is told and leaves in good order; the other comes later.
    if (world.cell() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    expect_equal(lost_to([&] { world.barrier(); }).first, 1, "the cell");
  });
}

TEST(DyingCells, AreNamedToEveryOtherCellWithin50Milliseconds) {
  const auto before = shared_memory();
  WorldOptions options;
  options.heap_bytes = 1 << 20;
  for (const WaitsIn waits :
       {WaitsIn::flag, WaitsIn::barrier, WaitsIn::receive, WaitsIn::all_reduce}) {
    // The best of some tries: the machine may be busy with something else.
    long slowest = 1'000'000;
    for (int tries = 0; tries < 5 && slowest > 50; ++tries) {
      const auto ends = kill_one(options, waits);
      ASSERT_EQ(ends.size(), 3u);
      EXPECT_EQ(ends[1].error, "cell 1 is lost: its process was ended by signal 9 (Killed)");
      slowest = 0;
      for (const std::size_t other : {0, 2}) {
        ASSERT_EQ(ends[other].error, "");
        const std::string& said = ends[other].output;
        EXPECT_EQ(said.substr(said.find(' ') + 1), "cell 1 is lost: its process has ended");
        slowest = std::max(slowest, std::stol(said));
      }
    }
    EXPECT_LE(slowest, 50) << static_cast<int>(waits);
  }
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a process is left";
  EXPECT_EQ(shared_memory(), before);
}

/// A process group of its own: whoever starts cells is killed, and no cell outlives it.
TEST(DyingCells, DieWithTheProcessThatStartedThem) {
  const auto before = shared_memory();
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t starter = fork();
  if (starter == 0) {
    run_processes(
        cells_anywhere(3), {},
        [](World& world, const Place&) {
          world.wait_until([] { return false; }, std::chrono::seconds(60));
          return std::string();
        },
        [&](const std::vector<int>& processes) {
          const auto bytes = processes.size() * sizeof(int);
          if (write(ends[1], processes.data(), bytes) != static_cast<ssize_t>(bytes)) _exit(1);
        });
    _exit(0);
  }
  int cells[3] = {};
  ASSERT_EQ(read(ends[0], cells, sizeof cells), static_cast<ssize_t>(sizeof cells));
  for (const int cell : cells) ASSERT_EQ(kill(cell, 0), 0);
  kill(starter, SIGKILL);
  waitpid(starter, nullptr, 0);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  const auto any_left = [&] {
    return std::any_of(std::begin(cells), std::end(cells), [](int c) {
      // Nobody may be there to reap them: a zombie is dead enough.
      char path[64], state = 'Z';
      std::snprintf(path, sizeof path, "/proc/%d/stat", c);
      if (FILE* file = std::fopen(path, "r")) {
        if (std::fscanf(file, "%*d %*s %c", &state) != 1) state = 'Z';
        std::fclose(file);
      }
      return state != 'Z';
    });
  };
  while (any_left() && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_FALSE(any_left());
  EXPECT_EQ(shared_memory(), before);
  close(ends[0]);
  close(ends[1]);
}

// Also before it has a world that could tell the others.
TEST(CellsInThreads, EndWhereverOneOfThemWantsMemory) {
  Team team(cells_anywhere(2));
  int failures = 0;
  for (bool succeeded = false; !succeeded; ++failures) {
    team.run([&](const Place& me) {
      if (me.thread == 1) kinjo::test::allocations_left = failures + 1;
    });
    try {
      run_threads(team, {}, [&](World& world, const Place&) {
        world.allocate_array<double>(100);
        world.barrier();
      });
      succeeded = true;
    } catch (const std::bad_alloc&) {
    }
    team.run([&](const Place&) { kinjo::test::allocations_left = -1; });
  }
  EXPECT_GT(failures, 10);
}

}  // namespace
}  // namespace kinjo::comm::test
