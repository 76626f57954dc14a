#include <csignal>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capi/owned.hpp"

namespace kinjo::test {
namespace {

enum class Cells { threads, processes };

class CWorld : public testing::TestWithParam<Cells> {
 protected:
  /// The status of a run of so many cells wherever the system puts them.
  int run(int cells, kinjo_cell_function function, void* context = nullptr,
          std::vector<kinjo_handler> handlers = {}) {
    const CMapping mapping = map_here("none", cells, KINJO_OVERSUBSCRIBE);
    const kinjo_world_options options{1 << 20, handlers.data(), handlers.size(), 0};
    if (GetParam() == Cells::processes) {
      return kinjo_world_run_processes(mapping.get(), &options, function, context);
    }
    const CTeam team(kinjo_team_create(mapping.get(), 0));
    return kinjo_world_run_threads(team.get(), &options, function, context);
  }
};
INSTANTIATE_TEST_SUITE_P(Run, CWorld, testing::Values(Cells::threads, Cells::processes),
                         [](const auto& kind) {
                           return kind.param == Cells::threads ? "Threads" : "Processes";
                         });

/// The line of the first expectation that does not hold is what the cell's function returns.
#define KINJO_HOLDS(condition) \
  if (!(condition)) return __LINE__

TEST_P(CWorld, PutsGetsAndWaits) {
  const auto body = [](void*, kinjo_world* world) -> int {
    std::uint64_t data = 0, flags = 0, seen = 0;
    KINJO_HOLDS(kinjo_world_cells(world) == 2);
    KINJO_HOLDS(kinjo_world_allocate(world, 800, 8, -1, &data) == KINJO_OK);
    KINJO_HOLDS(kinjo_world_allocate(world, 64, 64, -1, &flags) == KINJO_OK);
    const int me = kinjo_world_cell(world), other = 1 - me;
    std::vector<std::uint64_t> block(50, static_cast<std::uint64_t>(me) + 7);
    kinjo_completion* sent = kinjo_completion_create();
    const kinjo_signal first{flags, 3, 0}, sum{flags + 8, 5, 1}, rows_there{flags + 16, 1, 0};
    KINJO_HOLDS(kinjo_world_put_signal(world, other, data, block.data(), 400, &first, sent, -1) ==
                0);
    KINJO_HOLDS(kinjo_world_signal(world, other, &sum, -1) == 0);
    KINJO_HOLDS(kinjo_world_wait(world, sent, -1) == 0 && kinjo_completion_done(sent) == 1);
    KINJO_HOLDS(kinjo_world_wait_flag(world, flags, KINJO_UNTIL_EQUAL, 3, -1, &seen) == 0);
    KINJO_HOLDS(seen == 3);
    KINJO_HOLDS(kinjo_world_wait_flag(world, flags + 8, KINJO_UNTIL_AT_LEAST, 5, -1, nullptr) == 0);
    const auto* mine = static_cast<const std::uint64_t*>(kinjo_world_local(world, data));
    KINJO_HOLDS(mine[49] == static_cast<std::uint64_t>(other) + 7 && mine[50] == 0);
    std::uint64_t got = 0;
    KINJO_HOLDS(kinjo_world_get(world, other, &got, data + 8, 8, sent, -1) == 0);
    KINJO_HOLDS(kinjo_world_wait(world, sent, -1) == 0 &&
                got == static_cast<std::uint64_t>(me) + 7);
    const kinjo_rows column{3, 8, 24};
    KINJO_HOLDS(kinjo_world_barrier(world, -1) == 0);
    KINJO_HOLDS(kinjo_world_put_rows(world, other, data + 400, &column, block.data(), 8,
                                     &rows_there, nullptr, -1) == 0);
    KINJO_HOLDS(kinjo_world_wait_flag(world, flags + 16, KINJO_UNTIL_NOT_EQUAL, 0, -1, nullptr) ==
                0);
    KINJO_HOLDS(mine[53] == static_cast<std::uint64_t>(other) + 7 && mine[51] == 0);
    std::uint64_t three[3] = {};
    KINJO_HOLDS(kinjo_world_get_rows(world, other, three, 8, data + 400, &column, sent, -1) == 0);
    KINJO_HOLDS(kinjo_world_wait(world, sent, -1) == 0 && three[2] == block[0]);
    const kinjo_target targets[] = {{me, data + 640, {flags + 24, 1, 1}},
                                    {other, data + 648, {flags + 24, 1, 1}}};
    KINJO_HOLDS(kinjo_world_put_signal_to_all(world, targets, 2, block.data(), 8, sent, -1) == 0);
    KINJO_HOLDS(kinjo_world_wait_flag(world, flags + 24, KINJO_UNTIL_EQUAL, 2, -1, nullptr) == 0);
    KINJO_HOLDS(mine[80] == block[0] && mine[81] == static_cast<std::uint64_t>(other) + 7);
    KINJO_HOLDS(kinjo_world_put_signal_to_all(world, nullptr, 1, block.data(), 8, sent, -1) ==
                KINJO_INVALID_ARGUMENT);
    const std::uint64_t plain = 9;
    KINJO_HOLDS(kinjo_world_put(world, other, data, &plain, 8, nullptr, -1) == 0);
    KINJO_HOLDS(kinjo_world_fence(world) == 0 && kinjo_world_quiet(world, -1) == 0);
    KINJO_HOLDS(kinjo_world_flag(world, flags, &seen) == 0 && seen == 3);
    KINJO_HOLDS(kinjo_world_ptr(world, other, data) != nullptr);
    kinjo_completion_free(sent);
    return kinjo_world_barrier(world, -1);
  };
  EXPECT_EQ(run(2, body), KINJO_OK) << kinjo_last_error();
}

thread_local int answers = 0;

TEST_P(CWorld, SendsMessagesWhoseHandlersReply) {
  const auto twice = [](void*, kinjo_message* message) -> int {
    int value = 0;
    if (kinjo_message_bytes(message) != sizeof value) return 1;
    std::memcpy(&value, kinjo_message_data(message), sizeof value);
    value *= 2;
    return kinjo_message_reply(message, 1, &value, sizeof value);
  };
  const auto note = [](void*, kinjo_message* message) -> int {
    int value = 0;
    std::memcpy(&value, kinjo_message_data(message), sizeof value);
    answers += value + 100 * kinjo_message_from(message);
    return kinjo_message_reply(message, 1, nullptr, 0) == KINJO_USAGE ? 0 : 2;
  };
  const auto body = [](void*, kinjo_world* world) -> int {
    answers = 0;
    const int value = 21;
    if (kinjo_world_cell(world) == 0) {
      KINJO_HOLDS(kinjo_world_request(world, 1, 0, &value, sizeof value, -1) == 0);
      const auto answered = [](void* count) { return *static_cast<int*>(count) != 0 ? 1 : 0; };
      KINJO_HOLDS(kinjo_world_wait_until(world, answered, &answers, -1) == 0);
      KINJO_HOLDS(answers == 142);
    }
    return kinjo_world_barrier(world, -1);
  };
  EXPECT_EQ(run(2, body, nullptr, {{"twice", twice, nullptr}, {"note", note, nullptr}}), KINJO_OK)
      << kinjo_last_error();
}

TEST_P(CWorld, ReducesBroadcastsSendsAndReceives) {
  const auto body = [](void*, kinjo_world* world) -> int {
    const int me = kinjo_world_cell(world);
    double values[2] = {1.0 * me, 2.0};
    KINJO_HOLDS(kinjo_world_all_reduce(world, values, 2, KINJO_SUM, -1) == 0);
    KINJO_HOLDS(values[0] == 3 && values[1] == 6);
    std::uint64_t at = 0;
    KINJO_HOLDS(kinjo_world_allocate(world, 8, 8, -1, &at) == 0);
    auto* mine = static_cast<std::uint64_t*>(kinjo_world_local(world, at));
    if (me == 2) *mine = 77;
    KINJO_HOLDS(kinjo_world_broadcast(world, 2, at, 8, -1) == 0 && *mine == 77);
    int got = 0;
    kinjo_received received{};
    KINJO_HOLDS(kinjo_world_send(world, (me + 1) % 3, 4, &me, sizeof me, -1) == 0);
    KINJO_HOLDS(kinjo_world_receive(world, KINJO_ANY, 4, &got, sizeof got, -1, &received) == 0);
    KINJO_HOLDS(got == (me + 2) % 3 && received.from == got && received.bytes == sizeof got);
    return kinjo_world_barrier(world, -1);
  };
  EXPECT_EQ(run(3, body), KINJO_OK) << kinjo_last_error();
}

TEST_P(CWorld, ReturnsWhatACellReturnsAndItsOwnMessage) {
  const auto odd = [](void*, kinjo_world* world) { return kinjo_world_cell(world) == 1 ? 55 : 0; };
  EXPECT_EQ(run(2, odd), 55);
  EXPECT_STREQ(kinjo_last_error(), "cell 1: its function returned 55");
  const auto wrong = [](void*, kinjo_world* world) {
    const std::uint64_t value = 1;
    return kinjo_world_cell(world) == 1 ? kinjo_world_put(world, 5, 0, &value, 8, nullptr, -1) : 0;
  };
  EXPECT_EQ(run(2, wrong), KINJO_INVALID_ARGUMENT);
  EXPECT_STREQ(kinjo_last_error(), "cell 1: there is no cell 5: expected 0 to 1");
}

TEST_P(CWorld, TellsWhenTheTimeIsOver) {
  const auto body = [](void*, kinjo_world* world) -> int {
    std::uint64_t flag = 0;
    KINJO_HOLDS(kinjo_world_allocate(world, 8, 8, -1, &flag) == 0);
    KINJO_HOLDS(kinjo_world_wait_flag(world, flag, KINJO_UNTIL_EQUAL, 1, 20'000'000, nullptr) ==
                KINJO_TIMED_OUT);
    double waited = 0;
    KINJO_HOLDS(kinjo_world_waited_seconds(world, &waited) == 0 && waited >= 0.01);
    const auto never = [](void*) { return 0; };
    KINJO_HOLDS(kinjo_world_wait_until(world, never, nullptr, 1'000'000) == KINJO_TIMED_OUT);
    KINJO_HOLDS(kinjo_world_barrier(world, -1) == 0);
    if (kinjo_world_cell(world) == 1) {
      return kinjo_world_wait_flag(world, flag, KINJO_UNTIL_EQUAL, 1, -1, nullptr);
    }
    double sum = 1;
    KINJO_HOLDS(kinjo_world_all_reduce(world, &sum, 1, KINJO_SUM, 1'000'000) == KINJO_TIMED_OUT);
    const kinjo_signal raise{flag, 1, 0};
    return kinjo_world_signal(world, 1, &raise, -1);
  };
  EXPECT_EQ(run(2, body), KINJO_OK) << kinjo_last_error();
}

TEST_P(CWorld, GivesMemoryBackAndSaysHowCellsAreReached) {
  const auto body = [](void*, kinjo_world* world) -> int {
    std::uint64_t first = 0, second = 0, again = 0;
    KINJO_HOLDS(kinjo_world_allocate(world, 8, 8, -1, &first) == 0);
    KINJO_HOLDS(kinjo_world_allocate(world, 64, 64, -1, &second) == 0);
    KINJO_HOLDS(kinjo_world_release(world, second, -1) == 0);
    const std::uint64_t value = 1;
    KINJO_HOLDS(kinjo_world_put(world, 0, second, &value, 8, nullptr, -1) ==
                KINJO_INVALID_ARGUMENT);
    KINJO_HOLDS(kinjo_world_allocate(world, 64, 64, -1, &again) == 0 && again == second);
    const int me = kinjo_world_cell(world);
    const int path = kinjo_world_path(world, 1 - me);
    KINJO_HOLDS(kinjo_world_path(world, me) == KINJO_PATH_SELF);
    KINJO_HOLDS(path == KINJO_PATH_THREADS || path == KINJO_PATH_SHARED);
    KINJO_HOLDS(kinjo_world_path(world, 2) == KINJO_INVALID_ARGUMENT);
    return kinjo_world_barrier(world, -1);
  };
  EXPECT_EQ(run(2, body), KINJO_OK) << kinjo_last_error();
}

TEST_P(CWorld, NotesWhatItHasWaitedFor) {
  const auto body = [](void*, kinjo_world* world) -> int {
    std::uint64_t flag = 0;
    std::size_t count = 99;
    KINJO_HOLDS(kinjo_world_allocate(world, 8, 8, -1, &flag) == 0);
    KINJO_HOLDS(kinjo_world_trace(world, nullptr, 0, &count) == 0 && count == 0);
    KINJO_HOLDS(kinjo_world_start_trace(world) == 0);
    KINJO_HOLDS(kinjo_world_wait_flag(world, flag, KINJO_UNTIL_EQUAL, 1, 2'000'000, nullptr) ==
                KINJO_TIMED_OUT);
    const auto never = [](void*) { return 0; };
    KINJO_HOLDS(kinjo_world_wait_until(world, never, nullptr, 2'000'000) == KINJO_TIMED_OUT);
    kinjo_wait waits[3] = {{0, 0, -1}, {0, 0, -1}, {0, 0, -1}};
    KINJO_HOLDS(kinjo_world_trace(world, waits, 1, &count) == 0 && count == 2);
    KINJO_HOLDS(waits[0].what == KINJO_WAIT_FLAG && waits[1].what == -1);
    KINJO_HOLDS(kinjo_world_trace(world, waits, 3, &count) == 0 && count == 2);
    KINJO_HOLDS(waits[1].what == KINJO_WAIT_MESSAGE && waits[2].what == -1);
    KINJO_HOLDS(waits[0].begin_ns >= 0 && waits[0].end_ns - waits[0].begin_ns >= 1'000'000);
    KINJO_HOLDS(waits[1].begin_ns >= waits[0].end_ns);
    KINJO_HOLDS(kinjo_world_trace(world, nullptr, 2, &count) == KINJO_INVALID_ARGUMENT);
    return kinjo_world_barrier(world, -1);
  };
  EXPECT_EQ(run(2, body), KINJO_OK) << kinjo_last_error();
}

TEST(CCells, AreLaunchedAsProgramsOfWhichOneMayFail) {
  EXPECT_EQ(kinjo_world_launcher(), KINJO_LAUNCHER_NONE);
  const CMapping mapping = map_here("none", 3, KINJO_OVERSUBSCRIBE);
  const char* const good[] = {"sh", "-c", "test -n \"$KINJO_CELLS\"", nullptr};
  EXPECT_EQ(kinjo_world_launch(mapping.get(), good, nullptr), 0) << kinjo_last_error();
  const char* const bad[] = {"sh", "-c",
                             "case $KINJO_CELLS in 1:*) exit 7;; *) exec sleep 60;; esac", nullptr};
  int statuses[3] = {-1, -1, -1};
  EXPECT_EQ(kinjo_world_launch(mapping.get(), bad, statuses), 7);
  EXPECT_EQ(statuses[1], 7);
  EXPECT_EQ(statuses[0], 128 + SIGTERM);
  EXPECT_EQ(statuses[2], 128 + SIGTERM);
  const char* const nothing[] = {nullptr};
  EXPECT_EQ(kinjo_world_launch(mapping.get(), nothing, nullptr), KINJO_INVALID_ARGUMENT);
  EXPECT_EQ(kinjo_world_launch(mapping.get(), nullptr, nullptr), KINJO_INVALID_ARGUMENT);
  const char* const missing[] = {"/no/such/program", nullptr};
  EXPECT_EQ(kinjo_world_launch(mapping.get(), missing, nullptr), KINJO_NOT_FOUND);
  EXPECT_STREQ(kinjo_last_error(), "cannot start /no/such/program: not found");
  const char* const forbidden[] = {"/etc/passwd", nullptr};
  EXPECT_EQ(kinjo_world_launch(mapping.get(), forbidden, nullptr), KINJO_NOT_PERMITTED);
}

TEST(CCells, ThatDieAreNamedToTheOthers) {
  const auto body = [](void*, kinjo_world* world) -> int {
    std::uint64_t flag = 0;
    KINJO_HOLDS(kinjo_world_allocate(world, 8, 8, -1, &flag) == 0);
    if (kinjo_world_cell(world) == 1) raise(SIGKILL);
    KINJO_HOLDS(kinjo_world_wait_flag(world, flag, KINJO_UNTIL_EQUAL, 1, -1, nullptr) ==
                KINJO_CELL_LOST);
    KINJO_HOLDS(kinjo_world_lost_cell() == 1);
    return 0;
  };
  const CMapping mapping = map_here("none", 3, KINJO_OVERSUBSCRIBE);
  EXPECT_EQ(kinjo_world_run_processes(mapping.get(), nullptr, body, nullptr), KINJO_CELL_LOST);
  EXPECT_STREQ(kinjo_last_error(), "cell 1 is lost: its process was ended by signal 9 (Killed)");
  EXPECT_EQ(kinjo_world_lost_cell(), 1);
}

TEST(CCells, ThatLeaveAreNamedToWhoStartedThem) {
  const auto body = [](void*, kinjo_world* world) -> int {
    return kinjo_world_cell(world) == 1 ? 0 : kinjo_world_barrier(world, -1);
  };
  const CMapping mapping = map_here("none", 3, KINJO_OVERSUBSCRIBE);
  EXPECT_EQ(kinjo_world_run_processes(mapping.get(), nullptr, body, nullptr), KINJO_CELL_LOST);
  EXPECT_EQ(kinjo_world_lost_cell(), 1);
}

TEST(CCells, RefuseNullAndNumbersThatMeanNothing) {
  EXPECT_EQ(kinjo_world_cell(nullptr), KINJO_INVALID_ARGUMENT);
  EXPECT_STREQ(kinjo_last_error(), "world is NULL");
  const CTeam team(kinjo_team_create(map_here("none", 1).get(), 0));
  EXPECT_EQ(kinjo_world_run_threads(team.get(), nullptr, nullptr, nullptr), KINJO_INVALID_ARGUMENT);
  EXPECT_STREQ(kinjo_last_error(), "function is NULL");
  const kinjo_handler nameless{nullptr, nullptr, nullptr};
  const kinjo_world_options options{0, &nameless, 1, 0};
  const auto nothing = [](void*, kinjo_world*) { return 0; };
  EXPECT_EQ(kinjo_world_run_threads(team.get(), &options, nothing, nullptr),
            KINJO_INVALID_ARGUMENT);
  EXPECT_STREQ(kinjo_last_error(), "a handler's function is NULL");
  const auto body = [](void*, kinjo_world* world) -> int {
    double value = 0;
    KINJO_HOLDS(kinjo_world_all_reduce(world, &value, 1, static_cast<kinjo_reduce_op>(3), -1) ==
                KINJO_INVALID_ARGUMENT);
    KINJO_HOLDS(kinjo_world_put(world, 0, 0, nullptr, 8, nullptr, -1) == KINJO_INVALID_ARGUMENT);
    KINJO_HOLDS(std::string(kinjo_last_error()) == "from is NULL");
    KINJO_HOLDS(kinjo_world_request(world, 0, 70000, nullptr, 0, -1) == KINJO_INVALID_ARGUMENT);
    return 0;
  };
  EXPECT_EQ(kinjo_world_run_threads(team.get(), nullptr, body, nullptr), KINJO_OK)
      << kinjo_last_error();
  kinjo_world_free(nullptr);
  kinjo_completion_free(nullptr);
}

}  // namespace
}  // namespace kinjo::test
