/// Overwriting data that is still in use (S4 section 5). Two buffers that change places and a
/// barrier in every step, as in S4's List 1, are safe; without either the reader sees the next
/// step's data, and these tests would tell if they could not see it.
#include <string>
#include <vector>

#include "comm/cells.hpp"

namespace kinjo::comm::test {
namespace {

enum class Buffers { one, two };
enum class Steps { end_with_a_barrier, run_on };

constexpr std::uint64_t kSteps = 60;

/// Cell 0 puts a block in each step. Cell 1 reads its first element when its flag has risen, and
/// its last one after the next block has come, as late as the rules allow it or later. Returns how
/// many blocks it saw mixed.
std::uint64_t mixed_blocks(World& world, Buffers buffers, Steps steps) {
  constexpr std::size_t kBlock = 3000;
  const auto blocks = world.allocate_array<std::uint64_t>(2 * kBlock);
  const auto flags = world.allocate_array<std::uint64_t>(2);
  const auto place = [&](std::uint64_t step) {
    return buffers == Buffers::two ? step % 2 * kBlock : 0;
  };
  const auto put = [&](std::uint64_t step) {
    const std::vector<std::uint64_t> source(kBlock, step);
    Completion sent;
    world.put_signal(1, blocks.at(place(step)), source.data(), kBlock * 8,
                     {.flag = flags.at(0), .value = step}, &sent);
    world.wait(sent);
  };
  std::uint64_t mixed = 0;
  if (world.cell() == 0) put(1);
  for (std::uint64_t step = 1; step < kSteps; ++step) {
    if (world.cell() == 0) {
      put(step + 1);
      if (steps == Steps::run_on && step + 2 <= kSteps) put(step + 2);
    } else {
      const auto all = world.local(blocks);
      world.wait_flag(flags.at(0), Until::at_least, step);
      const std::uint64_t first = all[place(step)];
      const std::uint64_t ahead = steps == Steps::run_on ? 2 : 1;
      world.wait_flag(flags.at(0), Until::at_least, std::min(step + ahead, kSteps));
      const std::uint64_t last = all[place(step) + kBlock - 1];
      mixed += first != step || last != step;
    }
    world.barrier();
  }
  return mixed;
}

class Hazard : public Cells {
 protected:
  /// Runs it and expects no block, or nearly all of them, to be mixed.
  void expect_mixed(Buffers buffers, Steps steps, bool mixed) {
    run(2, [=](World& world) {
      const std::uint64_t seen = mixed_blocks(world, buffers, steps);
      if (world.cell() == 0) return;
      if (mixed) {
        expect(seen >= kSteps / 2, fmt::format("only {} of {} blocks are mixed", seen, kSteps));
      } else {
        expect_equal(seen, 0u, "mixed blocks");
      }
    });
  }
};
KINJO_IN_EVERY_WORLD(Hazard);

TEST_P(Hazard, TwoBuffersAndABarrierProtectWhatIsInUse) {
  expect_mixed(Buffers::two, Steps::end_with_a_barrier, false);
}

// A breach of the rules is a data race, so ThreadSanitizer is right to refuse these two.
#if !defined(__SANITIZE_THREAD__)
TEST_P(Hazard, OneBufferIsOverwrittenWhileItIsRead) {
  expect_mixed(Buffers::one, Steps::end_with_a_barrier, true);
}

TEST_P(Hazard, TwoBuffersAreOverwrittenWithoutTheBarrier) {
  expect_mixed(Buffers::two, Steps::run_on, true);
}
#endif

/// Two senders that set one flag overwrite each other's count, so whoever waits for both would
/// hang; each with a flag of its own, or adding, is told of.
TEST_P(Hazard, AFlagThatTwoSendersSetLosesCounts) {
  run(3, [](World& world) {
    const auto flags = world.allocate_array<std::uint64_t>(3);
    constexpr std::uint64_t kEach = 100;
    if (world.cell() != 0) {
      for (std::uint64_t i = 1; i <= kEach; ++i) {
        world.signal(0, {.flag = flags.at(0), .value = i});
        world.signal(0, {.flag = flags.at(1), .value = 1, .op = SignalOp::add});
      }
    } else {
      world.wait_flag(flags.at(1), Until::equal, 2 * kEach);
      expect_equal(world.flag(flags.at(0)), kEach, "the flag that both have set");
      expect_equal(
          error_of([&] {
            world.wait_flag(flags.at(0), Until::at_least, 2 * kEach, std::chrono::milliseconds(20));
          }),
          fmt::format("timed_out: cell 0 has waited 0.02 s for the flag at offset {} to be "
                      "at least {} (it is {}): the time allowed is over",
                      flags.at(0), 2 * kEach, kEach),
          "the wait");
    }
    world.barrier();
  });
}

}  // namespace
}  // namespace kinjo::comm::test
