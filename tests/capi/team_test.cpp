#include <atomic>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "capi/owned.hpp"

namespace kinjo::test {
namespace {

/// Four threads wherever the system puts them, so that the tests pass on one CPU too.
CTeam four_threads() { return CTeam(kinjo_team_create(map_two_nodes("none", 4).get(), 0)); }

struct Shared {
  kinjo_team* team = nullptr;
  std::atomic<int> arrived{0};
  std::atomic<int> early{0};
  std::atomic<int> refused{0};
};

TEST(CTeam, RunsOnceInEveryThread) {
  const CTeam team = four_threads();
  ASSERT_TRUE(team) << kinjo_last_error();
  EXPECT_EQ(kinjo_team_size(team.get()), 4);
  int seen[4] = {};
  const auto count = [](void* context, const kinjo_place* me) {
    static_cast<int*>(context)[me->thread] += kinjo_here().thread == me->thread;
    return 0;
  };
  for (int i = 0; i < 3; ++i) EXPECT_EQ(kinjo_team_run(team.get(), count, seen), KINJO_OK);
  for (int times : seen) EXPECT_EQ(times, 3);
}

TEST(CTeam, MeetsInBarriers) {
  const CTeam team = four_threads();
  Shared shared{.team = team.get()};
  const auto meet = [](void* context, const kinjo_place*) {
    auto& s = *static_cast<Shared*>(context);
    ++s.arrived;
    if (kinjo_team_barrier(s.team) < 0) return kinjo_last_status();
    if (s.arrived != 4) ++s.early;
    return kinjo_team_node_barrier(s.team);
  };
  EXPECT_EQ(kinjo_team_run(team.get(), meet, &shared), KINJO_OK) << kinjo_last_error();
  EXPECT_EQ(shared.early, 0);
}

TEST(CTeam, ReturnsAFailureAndStaysUsable) {
  const CTeam team = four_threads();
  Shared shared{.team = team.get()};
  const auto fail = [](void* context, const kinjo_place* me) {
    if (me->thread == 2) return 77;
    auto& s = *static_cast<Shared*>(context);
    const int status = kinjo_team_barrier(s.team);
    if (status == KINJO_USAGE) ++s.refused;
    return status;
  };
  EXPECT_EQ(kinjo_team_run(team.get(), fail, &shared), 77);
  EXPECT_STREQ(kinjo_last_error(), "thread 2: its function returned 77");
  EXPECT_EQ(shared.refused, 3);
  const auto pass = [](void*, const kinjo_place*) { return 0; };
  EXPECT_EQ(kinjo_team_run(team.get(), pass, nullptr), KINJO_OK);
}

TEST(CTeam, TellsTheCallerAThreadsOwnMessage) {
  const CTeam team = four_threads();
  const auto fail = [](void*, const kinjo_place* me) {
    return me->thread == 3 ? kinjo_mapping_size(nullptr) : 0;
  };
  EXPECT_EQ(kinjo_team_run(team.get(), fail, nullptr), KINJO_INVALID_ARGUMENT);
  EXPECT_STREQ(kinjo_last_error(), "thread 3: mapping is NULL");
}

TEST(CTeam, TellsNoMessageOfAnEarlierRun) {
  const CTeam team = four_threads();
  const auto fail = [](void*, const kinjo_place*) { return kinjo_mapping_size(nullptr); };
  EXPECT_EQ(kinjo_team_run(team.get(), fail, nullptr), KINJO_INVALID_ARGUMENT);
  const auto own = [](void*, const kinjo_place* me) {
    return me->thread == 1 ? int{KINJO_INVALID_ARGUMENT} : 0;
  };
  EXPECT_EQ(kinjo_team_run(team.get(), own, nullptr), KINJO_INVALID_ARGUMENT);
  EXPECT_EQ(kinjo_last_error(),
            "thread 1: its function returned " + std::to_string(int{KINJO_INVALID_ARGUMENT}));
}

TEST(CTeam, LetsNoExceptionOfItsFunctionEscape) {
  const CTeam team = four_threads();
  const auto raise = [](void*, const kinjo_place*) -> int { throw std::runtime_error("thrown"); };
  EXPECT_EQ(kinjo_team_run(team.get(), raise, nullptr), KINJO_SYSTEM);
  EXPECT_STREQ(kinjo_last_error(), "thrown");
}

TEST(CTeam, RefusesCallsOutOfPlace) {
  const CTeam team = four_threads();
  EXPECT_EQ(kinjo_team_create(nullptr, 0), nullptr);
  EXPECT_EQ(kinjo_team_create(map_here("none", 1).get(), KINJO_HUGE_PAGES), nullptr);
  EXPECT_EQ(kinjo_team_size(nullptr), KINJO_INVALID_ARGUMENT);
  EXPECT_EQ(kinjo_team_run(team.get(), nullptr, nullptr), KINJO_INVALID_ARGUMENT);
  EXPECT_STREQ(kinjo_last_error(), "function is NULL");
  EXPECT_EQ(kinjo_team_barrier(team.get()), KINJO_USAGE);
  EXPECT_STREQ(kinjo_last_error(), "a barrier is only for threads that run a function of its team");
  EXPECT_EQ(kinjo_team_barrier(nullptr), KINJO_INVALID_ARGUMENT);
  const auto nested = [](void* context, const kinjo_place*) {
    auto* self = static_cast<kinjo_team*>(context);
    return kinjo_team_run(
        self, [](void*, const kinjo_place*) { return 0; }, nullptr);
  };
  EXPECT_EQ(kinjo_team_run(team.get(), nested, team.get()), KINJO_USAGE);
  const auto rebind = [](void*, const kinjo_place*) { return kinjo_thread_bind(0); };
  EXPECT_EQ(kinjo_team_run(team.get(), rebind, nullptr), KINJO_USAGE);
  kinjo_team_free(nullptr);
}

TEST(CTeam, UndoesBindingsThatItsFunctionLeft) {
  const CTeam team = four_threads();
  const CMapping mapping = map_two_nodes("none", 9);
  const auto leave = [](void* context, const kinjo_place*) {
    return kinjo_binding_create(static_cast<kinjo_mapping*>(context), 8, 0) ? 0 : -1;
  };
  EXPECT_EQ(kinjo_team_run(team.get(), leave, mapping.get()), KINJO_OK) << kinjo_last_error();
  const auto check = [](void*, const kinjo_place* me) { return kinjo_here().thread - me->thread; };
  EXPECT_EQ(kinjo_team_run(team.get(), check, nullptr), 0);
}

}  // namespace
}  // namespace kinjo::test
