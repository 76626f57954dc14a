#include <kinjo/team.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <kinjo/barrier.hpp>
#include <kinjo/error.hpp>
#include <kinjo/lab.hpp>

#include "base/forks.hpp"

namespace kinjo {
namespace {

const Topology& machine() { return Topology::this_machine(); }
std::size_t cpus() { return machine().allowed_cpus().count(); }

struct Case {
  std::string name;
  std::size_t threads;
  Caller caller;
  std::string policy;
};

std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

std::vector<Case> cases() {
  std::vector<Case> all;
  for (Caller caller : {Caller::waits, Caller::joins}) {
    for (std::size_t threads : {std::size_t{1}, cpus(), 3 * cpus() + 1}) {
      for (const char* policy : {"scatter", "none"}) {
        all.push_back({std::string(caller == Caller::waits ? "waits" : "joins") +
                           std::to_string(threads) + policy,
                       threads, caller, policy});
      }
    }
  }
  return all;
}

class EveryTeam : public testing::TestWithParam<Case> {
 protected:
  Team team_{
      Mapping(machine(), Policy::parse(GetParam().policy), GetParam().threads, Oversubscribe::wrap),
      {.caller = GetParam().caller}};
};

TEST_P(EveryTeam, BeginsAtOnceWhereItsThreadsNeedNotMakeRoom) {
  const bool is_crowded = team_.size() > cpus();
  const bool takes_all = GetParam().caller == Caller::waits && team_.size() == cpus();
  EXPECT_EQ(team_.begins_at_once(), !is_crowded && !takes_all);
}

TEST_P(EveryTeam, RunsItsFunctionOnceInEveryThread) {
  std::vector<std::atomic<int>> runs(team_.size());
  for (int round = 1; round <= 50; ++round) {
    team_.run([&](const Place& me) { ++runs[static_cast<std::size_t>(me.thread)]; });
    for (const auto& r : runs) ASSERT_EQ(r.load(), round);
  }
}

TEST_P(EveryTeam, RunsEachThreadWhereTheTableSays) {
  std::mutex mutex;
  std::vector<std::string> wrong;
  const bool binds = team_.mapping().binds();
  team_.run([&](const Place& me) {
    const CpuSet mask = thread_affinity();
    const std::lock_guard lock(mutex);
    if (here() != me) wrong.push_back("here() is another place");
    if (binds && mask != CpuSet{me.cpu}) wrong.push_back("mask " + mask.to_string());
    if (binds && current_cpu() != me.cpu) wrong.push_back("runs elsewhere");
    if (!binds && me.cpu != -1) wrong.push_back("a CPU under policy none");
  });
  EXPECT_EQ(wrong, std::vector<std::string>{});
}

TEST_P(EveryTeam, KeepsThreadsTogetherAtItsBarriers) {
  std::vector<int> written(team_.size(), 0);
  std::atomic<int> wrong{0};
  team_.run([&](const Place& me) {
    for (int round = 1; round <= 50; ++round) {
      written[static_cast<std::size_t>(me.thread)] = round;
      team_.barrier(me);
      for (int value : written) wrong += value != round;
      team_.barrier(me);
      team_.node_barrier(me);
    }
  });
  EXPECT_EQ(wrong.load(), 0);
}

TEST_P(EveryTeam, RethrowsAnExceptionAndStaysUsable) {
  for (std::size_t thrower : {std::size_t{0}, team_.size() - 1}) {
    std::string message;
    try {
      team_.run([&](const Place& me) {
        if (me.thread == static_cast<int>(thrower)) throw std::runtime_error("from a worker");
        team_.barrier(me);  // would wait for ever if the thrower did not break it
      });
    } catch (const std::runtime_error& error) {
      message = error.what();
    }
    // A team of one has nobody at the barrier.
    EXPECT_EQ(message, "from a worker");
    std::atomic<int> runs{0};
    team_.run([&](const Place& me) {
      team_.barrier(me);
      ++runs;
    });
    EXPECT_EQ(runs.load(), static_cast<int>(team_.size()));
  }
}

TEST_P(EveryTeam, DealsEveryIndexOfALoopOnce) {
  std::vector<std::atomic<int>> hits(1000);
  const Partition partition = Partition::block_cyclic(hits.size(), 5, 7);
  std::atomic<int> wrong{0};
  team_.parallel_for(partition, [&](const Range& range, const Place& me) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      ++hits[i];
      wrong += partition.owner(i) % team_.size() != static_cast<std::size_t>(me.thread);
    }
  });
  for (const auto& hit : hits) ASSERT_EQ(hit.load(), 1);
  EXPECT_EQ(wrong.load(), 0);
}

TEST_P(EveryTeam, RefusesToRunInsideItself) {
  std::atomic<int> refused{0};
  team_.run([&](const Place&) {
    try {
      team_.run([](const Place&) {});
    } catch (const Error& error) {
      refused += error.code() == Errc::usage;
    }
  });
  EXPECT_EQ(refused.load(), static_cast<int>(team_.size()));
}

INSTANTIATE_TEST_SUITE_P(Teams, EveryTeam, testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

TEST(Team, PassesOnABrokenBarrierThatIsNotItsOwn) {
  Team team(Mapping(machine(), Policy::scatter(), cpus()));
  const auto leave_by_another_barrier = [&](const Place& me) {
    if (me.thread == 0) throw BarrierBroken{};
    team.barrier(me);
  };
  EXPECT_THROW(team.run(leave_by_another_barrier), BarrierBroken);
  EXPECT_NO_THROW(team.run([&](const Place& me) { team.barrier(me); }));
}

TEST(Team, RefusesABarrierOfAThreadThatRunsNoFunction) {
  Team team(Mapping(machine(), Policy::none(), 2, Oversubscribe::wrap));
  const Place place = team.mapping()[0];
  EXPECT_THROW(team.barrier(place), Error);
  EXPECT_THROW(team.node_barrier(place), Error);
  EXPECT_NO_THROW(team.run([&](const Place& me) { team.barrier(me); }));
}

TEST(Team, RefusesABarrierOfAPlaceThatIsNotItsOwn) {
  Team alone(Mapping(machine(), Policy::none(), 1));
  EXPECT_THROW(alone.barrier(Place{}), Error);
  EXPECT_THROW(alone.node_barrier(Place{}), Error);
  EXPECT_THROW(alone.run([&](const Place&) { alone.barrier({.thread = 1}); }), Error);
  EXPECT_NO_THROW(alone.barrier(alone.mapping()[0]));
}

std::atomic<int> calls_of_a_function{0};
void count_a_call(const Place&) { ++calls_of_a_function; }

TEST(Team, RunsAFunctionAsItRunsAnObject) {
  Team team(Mapping(machine(), Policy::none(), 2, Oversubscribe::wrap));
  team.run(count_a_call);
  team.run(&count_a_call);
  EXPECT_EQ(calls_of_a_function, 4);
}

TEST(Team, UndoesItsCallersPinInWhateverOrderTeamsEnd) {
  const CpuSet before = thread_affinity();
  const Mapping mapping(machine(), Policy::compact(), 1);
  auto first = std::make_unique<Team>(mapping, TeamOptions{.caller = Caller::joins});
  auto second = std::make_unique<Team>(mapping, TeamOptions{.caller = Caller::joins});
  first.reset();
  EXPECT_EQ(here(), mapping[0]);
  second.reset();
  EXPECT_EQ(here(), Place{});
  EXPECT_EQ(thread_affinity(), before);
}

TEST(Team, LeavesTheCallersMaskAsItWas) {
  const CpuSet before = thread_affinity();
  {
    Team team(Mapping(machine(), Policy::compact(), 1), {.caller = Caller::joins});
    team.run([](const Place&) {});
    EXPECT_EQ(thread_affinity(), CpuSet{team.mapping()[0].cpu});
  }
  EXPECT_EQ(thread_affinity(), before);
  EXPECT_EQ(here(), Place{});
}

TEST(Team, RefusesTwoCallersAtOnce) {
  Team team(Mapping(machine(), Policy::none(), 1));
  std::atomic<bool> inside{false};
  std::atomic<bool> release{false};
  std::jthread first([&] {
    team.run([&](const Place&) {
      inside = true;
      inside.notify_one();
      release.wait(false);
    });
  });
  inside.wait(false);
  EXPECT_THROW(team.run([](const Place&) {}), Error);
  release = true;
  release.notify_one();
}

/// What comes of `action` in a forked child: its code, 0 if nothing was thrown.
int code_in_child(const std::function<void()>& action) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);  // ends it if it waits for threads that are not there
    int code = 0;
    try {
      action();
    } catch (const Error& error) {
      code = static_cast<int>(error.code());
    }
    _exit(code);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Team, StaysWithTheProcessThatMadeIt) {
  constexpr int kUsage = static_cast<int>(Errc::usage);
  std::optional<Team> team(std::in_place, Mapping(machine(), Policy::none(), 2));
  team->run([](const Place&) {});
  EXPECT_EQ(code_in_child([&] { team->run([](const Place&) {}); }), kUsage);
  EXPECT_EQ(code_in_child([&] { team.reset(); }), 0);
  std::atomic<int> code{-1};
  team->run([&](const Place& me) {
    if (me.thread == 0) code = code_in_child([&] { team->barrier(me); });
  });
  EXPECT_EQ(code, kUsage);
  std::atomic<int> runs{0};
  team->run([&](const Place&) { ++runs; });
  EXPECT_EQ(runs, 2);
  // One that has no thread but its caller works there as here.
  Team alone(Mapping(machine(), Policy::none(), 1), {.caller = Caller::joins});
  EXPECT_EQ(code_in_child([&] { alone.run([](const Place&) {}); }), 0);
}

#ifdef KINJO_LAB_CAN_SPEAK
TEST(Team, IsMadeAnewInAChildWhereverOtherThreadsWereAtTheFork) {
  detail::LabMessage spoken(KINJO_LAB_FORGET, 8);  // as another thread's that a mark begins or ends
  EXPECT_EQ(code_in_child([] {
              Team team(Mapping(machine(), Policy::none(), 2));
              team.run([](const Place&) {});
            }),
            0);
  spoken.number(0, 8);
}
#endif

TEST(Fork, WaitsForLocksThatAChildMustFindFree) {
  using detail::ForkLock;
  for (const ForkLock lock :
       {ForkLock::process_table, ForkLock::buffers, ForkLock::this_machine, ForkLock::hwloc}) {
    std::atomic<bool> is_held{false}, is_left{false}, is_over{false};
    std::thread holder([&] {
      {
        const std::lock_guard held(detail::mutex_of(lock));
        is_held = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        is_left = true;
      }
      is_over.wait(false);  // the thread sanitizer takes one that has ended for lost in the child
    });
    while (!is_held) std::this_thread::yield();
    EXPECT_EQ(code_in_child([&] {
                const std::lock_guard mine(detail::mutex_of(lock));
                if (!is_left) throw Error(Errc::usage, "in the middle of what it guards");
              }),
              0);
    is_over = true;
    is_over.notify_one();
    holder.join();
  }
}

TEST(Fork, FindsTheMachineInAChildWhileAnotherThreadDiscoversIt) {
  std::atomic<bool> is_over{false};
  std::thread discoverer([&] {
    while (!is_over) Topology::discover();
  });
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(code_in_child([] { Topology::from("synthetic:pu:2"); }), 0);
  }
  is_over = true;
  discoverer.join();
}

TEST(Team, HoldsThreadsToTheirNodeWhenAsked) {
  Team team(Mapping(machine(), Policy::scatter(), cpus()), {.bind = BindLevel::node});
  std::atomic<int> wrong{0};
  team.run([&](const Place& me) {
    wrong += thread_affinity() != team.mapping().node_cpus(static_cast<std::size_t>(me.thread));
  });
  EXPECT_EQ(wrong.load(), 0);
}

TEST(Team, CompilesAndRunsAsTheDesignsFirstProgram) {
  auto mapping = Mapping(machine(), Policy::scatter(), machine().allowed_cpus().count());
  Team team(mapping);
  EXPECT_EQ(team.size(), mapping.size());
}

}  // namespace
}  // namespace kinjo
