/// GET, and what all cells do together.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "comm/cells.hpp"

namespace kinjo::comm::test {
namespace {

using Get = Cells;
KINJO_IN_EVERY_WORLD(Get);
using Together = Cells;
KINJO_IN_EVERY_WORLD(Together);

TEST_P(Get, BringsWhatTheOtherHadWrittenBeforeTheBarrier) {
  run(3, [](World& world) {
    constexpr std::size_t kMost = 100'000;
    const auto source = world.allocate_array<std::uint8_t>(kMost + 64);
    fill(world.local(source), static_cast<std::uint64_t>(world.cell()));
    world.barrier();
    const int from = (world.cell() + 1) % world.cells();
    for (const std::size_t bytes :
         {std::size_t{1}, std::size_t{8}, std::size_t{63}, std::size_t{4097}, kMost}) {
      for (std::size_t shift = 0; shift < 64; shift += 7) {
        std::vector<std::uint8_t> got(bytes + 2, 9);
        Completion done;
        world.get(from, got.data() + 1, source.at(shift), bytes, done);
        world.wait(done);
        for (std::size_t i = 0; i < bytes; ++i) {
          expect_equal(got[i + 1], pattern(static_cast<std::uint64_t>(from), i + shift), "a byte");
        }
        expect(got.front() == 9 && got.back() == 9, "the bytes beside are as before");
      }
    }
    world.barrier();
  });
}

TEST_P(Get, CountsManyInOneCompletion) {
  run(2, [](World& world) {
    const auto source = world.allocate_array<std::uint64_t>(1000);
    const auto mine = world.local(source);
    std::iota(mine.begin(), mine.end(), static_cast<std::uint64_t>(1000 * world.cell()));
    world.barrier();
    std::vector<std::uint64_t> got(1000);
    Completion done;
    for (std::size_t i = 0; i < got.size(); ++i) {
      world.get(1 - world.cell(), &got[i], source.at(i), 8, done);
    }
    world.wait(done);
    expect(done.done(), "done");
    for (std::size_t i = 0; i < got.size(); ++i) {
      expect_equal(got[i], 1000 * static_cast<std::uint64_t>(1 - world.cell()) + i, "a value");
    }
    world.barrier();
  });
}

TEST_P(Get, OfRowsGathersAColumn) {
  run(2, [](World& world) {
    constexpr std::size_t kRows = 40, kColumns = 17;
    const auto matrix = world.allocate_array<std::uint64_t>(kRows * kColumns);
    const auto mine = world.local(matrix);
    std::iota(mine.begin(), mine.end(), std::uint64_t{0});
    world.barrier();
    std::vector<std::uint64_t> column(2 * kRows, 7);
    Completion done;
    world.get_rows(1 - world.cell(), column.data(), 16, matrix.at(3), {kRows, 8, 8 * kColumns},
                   done);
    world.wait(done);
    for (std::size_t row = 0; row < kRows; ++row) {
      expect_equal(column[2 * row], row * kColumns + 3, "an element");
      expect_equal(column[2 * row + 1], 7u, "what lies between");
    }
    world.barrier();
  });
}

TEST_P(Together, MemoryIsZeroedAlignedAndAtTheSameOffset) {
  run(3, [](World& world) {
    for (const std::size_t alignment : {8, 64, 4096}) {
      const Offset at = world.allocate(1000, alignment);
      expect_equal(at % alignment, 0u, "the offset's remainder");
      const auto* bytes = static_cast<const std::uint8_t*>(world.local(at));
      expect(std::all_of(bytes, bytes + 1000, [](auto b) { return b == 0; }), "zeroed");
      const auto offset = static_cast<double>(at);
      expect_equal(world.all_reduce(offset, ReduceOp::min), offset, "the smallest");
      expect_equal(world.all_reduce(offset, ReduceOp::max), offset, "the largest");
    }
  });
}

TEST_P(Together, TheMemoryOfCellsOnOneHostIsReachedByLoads) {
  run(3, [](World& world) {
    const auto values = world.allocate_array<int>(8);
    world.local(values)[5] = 10 + world.cell();
    world.barrier();
    for (int other = 0; other < world.cells(); ++other) {
      const auto* there = static_cast<const int*>(world.ptr(other, values.offset));
      expect(there != nullptr, "a pointer");
      expect_equal(there[5], 10 + other, "a value");
    }
    world.barrier();
  });
}

TEST_P(Together, NobodyLeavesABarrierBeforeAllHaveCome) { run(4, meet_often); }

TEST_P(Together, ABroadcastReachesAllFromEveryRoot) {
  run(4, [](World& world) {
    const auto data = world.allocate_array<std::uint8_t>(50'000);
    for (int root = 0; root < world.cells(); ++root) {
      for (const std::size_t bytes : {0, 1, 8, 777, 50'000}) {
        const auto round = static_cast<std::uint64_t>(root) + bytes;
        const auto mine = world.local(data).first(bytes);
        if (world.cell() == root) fill(mine, round);
        world.broadcast(root, data.offset, bytes);
        expect_equal(first_wrong(mine, round), bytes, "the first wrong byte");
        world.barrier();
      }
    }
  });
}

TEST_P(Together, AWorldOfOneCellNeedsNoOther) {
  run(1, [](World& world) {
    const auto data = world.allocate_array<std::uint64_t>(2);
    world.barrier();
    world.broadcast(0, data.offset, 16);
    expect_equal(world.all_reduce(2.5, ReduceOp::sum), 2.5, "the sum");
    expect(world.path(0) == Path::self, "its path");
    const int value = 5;
    world.send(0, 1, &value, sizeof value);
    int got = 0;
    world.receive(0, 1, &got, sizeof got);
    expect_equal(got, 5, "what came");
  });
}

TEST_P(Together, PathsSayHowCellsReachEachOther) {
  const Path expected = GetParam() == Kind::threads ? Path::threads : Path::shared;
  run(2, [expected](World& world) {
    expect(world.path(world.cell()) == Path::self, "its own");
    expect(world.path(1 - world.cell()) == expected, "the other's");
  });
}

TEST_P(Together, WaitingIsCountedAndTraced) {
  run(2, [](World& world) {
    const auto flag = world.allocate_array<std::uint64_t>(1);
    world.start_trace();
    const double before = world.waited_seconds();
    if (world.cell() == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      world.signal(1, {.flag = flag.offset});
    } else {
      world.wait_flag(flag.offset, Until::equal, 1);
      expect(world.waited_seconds() - before > 0.01, "the time lost");
      const auto waits = world.trace();
      expect(!waits.empty(), "a wait");
      expect(waits.front().what == Wait::For::flag, "for a flag");
      expect(waits.front().end_ns - waits.front().begin_ns > 10'000'000, "its length");
      expect(waits.front().begin_ns >= 0, "its begin");
    }
    world.barrier();
  });
}

}  // namespace
}  // namespace kinjo::comm::test
