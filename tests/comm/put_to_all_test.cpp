/// Puts of the same data to several cells: the rules of a put hold for each of them, also where the
/// data is streamed to all of them together.
#include <algorithm>
#include <array>
#include <cstring>
#include <thread>
#include <vector>

#include "comm/cells.hpp"

namespace kinjo::comm::test {
namespace {

using PutToAll = Cells;
KINJO_IN_EVERY_WORLD(PutToAll);

constexpr std::size_t kLine = 64;
/// The shortest block that is streamed, where cells share CPUs.
constexpr std::size_t kStreamed = std::size_t{1} << 20;
/// Beyond any symmetric memory.
constexpr Offset kOutside = Offset{1} << 40;

/// More cells than CPUs, where there are not too many.
int crowd() { return std::clamp(static_cast<int>(std::thread::hardware_concurrency()) + 1, 3, 9); }

/// Memory for `bytes` from `shift` bytes into a line, as the symmetric memory's areas begin.
class Source {
 public:
  Source(std::size_t bytes, std::size_t shift) : memory_(bytes + 2 * kLine) {
    const std::size_t into = reinterpret_cast<std::uintptr_t>(memory_.data()) % kLine;
    bytes_ = {memory_.data() + (kLine - into) % kLine + shift, bytes};
  }
  std::span<std::uint8_t> bytes() const { return bytes_; }

 private:
  std::vector<std::uint8_t> memory_;
  std::span<std::uint8_t> bytes_;
};

/// The same range and flag of every cell but this one.
std::vector<Target> all_others(const World& world, Offset to, const Signal& signal) {
  std::vector<Target> targets;
  for (int cell = 0; cell < world.cells(); ++cell) {
    if (cell != world.cell()) targets.push_back({cell, to, signal});
  }
  return targets;
}

/// Where cell `cell`'s target begins in what it has for one sender; cell 0's lies otherwise in its
/// lines than the source.
std::size_t start_at(int cell, std::uint64_t round) { return 64 + round + (cell == 0 ? 5 : 0); }

void check_put_to_all(World& world, const Symmetric<std::uint8_t>& area, std::size_t room,
                      const Symmetric<std::uint64_t>& flags, std::size_t bytes,
                      std::uint64_t round) {
  constexpr std::uint8_t kGuard = 0xa7;
  const auto me = static_cast<std::size_t>(world.cell());
  const Source source(bytes, round);
  fill(source.bytes(), round * 3 + me);
  std::ranges::fill(world.local(area), kGuard);
  world.barrier();
  std::vector<Target> targets;
  for (int cell = 0; cell < world.cells(); ++cell) {
    targets.push_back(
        {cell, area.at(me * room + start_at(cell, round)), {.flag = flags.at(me), .value = round}});
  }
  Completion sent;
  world.put_signal_to_all(targets, source.bytes().data(), bytes, &sent);
  for (std::size_t from = 0; from < static_cast<std::size_t>(world.cells()); ++from) {
    world.wait_flag(flags.at(from), Until::equal, round);
    const auto got = world.local(area).subspan(from * room, room);
    const std::size_t begin = start_at(world.cell(), round);
    expect_equal(first_wrong(got.subspan(begin, bytes), round * 3 + from), bytes, "right bytes");
    const auto touched = [](std::uint8_t byte) { return byte != kGuard; };
    const auto data = got.begin() + static_cast<std::ptrdiff_t>(begin);
    expect(std::none_of(got.begin(), data, touched), "nothing before it");
    expect(std::none_of(data + static_cast<std::ptrdiff_t>(bytes), got.end(), touched),
           "nothing behind it");
  }
  world.wait(sent);
  world.barrier();
}

/// Each cell puts to the two others and to itself; some blocks are copied together, others one by
/// one.
TEST_P(PutToAll, ArrivesAtEachAsAPutOfItsOwnWould) {
  constexpr std::size_t kRoom = kStreamed + 192;
  options.heap_bytes = 4 * kRoom;
  run(3, [](World& world) {
    const auto area = world.allocate_array<std::uint8_t>(3 * kRoom);
    const auto flags = world.allocate_array<std::uint64_t>(3);
    std::uint64_t round = 0;
    for (const std::size_t bytes :
         {std::size_t{0}, std::size_t{8}, std::size_t{5000}, kStreamed, kStreamed + 67}) {
      check_put_to_all(world, area, kRoom, flags, bytes, ++round);
    }
  });
}

/// The receivers look at their flags without making progress, and at the last byte first.
TEST_P(PutToAll, RaisesFlagsOnlyAfterAllBytes) {
  options.heap_bytes = 2 * kStreamed;
  run(crowd(), [](World& world) {
    const auto target = world.allocate_array<std::uint8_t>(kStreamed + kLine);
    const auto flags = world.allocate_array<std::uint64_t>(2);
    const auto others = static_cast<std::uint64_t>(world.cells()) - 1;
    for (std::uint64_t round = 1; round <= 20; ++round) {
      const std::size_t shift = round % 5;
      const std::size_t bytes = kStreamed + round;
      if (world.cell() == 0) {
        const Source source(bytes, shift);
        fill(source.bytes(), round);
        world.put_signal_to_all(
            all_others(world, target.at(shift), {.flag = flags.at(0), .value = round}),
            source.bytes().data(), bytes);
        world.wait_flag(flags.at(1), Until::equal, round * others);
      } else {
        await_raw(world, flags.at(0), round);
        const auto got = world.local(target).subspan(shift, bytes);
        expect_equal(got.back(), pattern(round, bytes - 1), "the last byte");
        expect_equal(first_wrong(got, round), bytes, "the first wrong byte");
        world.signal(0, {.flag = flags.at(1), .value = 1, .op = SignalOp::add});
      }
    }
    world.barrier();
  });
}

TEST_P(PutToAll, LeavesSourcesFreeAsAPutDoes) {
  options.heap_bytes = 2 * kStreamed;
  run(crowd(), [](World& world) {
    const auto target = world.allocate_array<std::uint8_t>(kStreamed);
    const auto flag = world.allocate_array<std::uint64_t>(1);
    std::uint64_t round = 0;
    for (const std::size_t bytes : {std::size_t{1}, kReusableBytes, std::size_t{5000}, kStreamed}) {
      ++round;
      if (world.cell() == 0) {
        std::vector<std::uint8_t> source(bytes);
        fill(source, round);
        Completion sent;
        world.put_signal_to_all(
            all_others(world, target.offset, {.flag = flag.offset, .value = round}), source.data(),
            bytes, &sent);
        if (bytes > kReusableBytes) world.wait(sent);
        std::ranges::fill(source, std::uint8_t{0});
      } else {
        world.wait_flag(flag.offset, Until::equal, round);
        expect_equal(first_wrong(world.local(target).first(bytes), round), bytes, "right bytes");
      }
      world.barrier();
    }
  });
}

/// A cell that is named twice has two ranges, with a flag for each or one that counts both.
TEST_P(PutToAll, TakesACellTwiceAndNone) {
  options.heap_bytes = 3 * kStreamed;
  run(crowd(), [](World& world) {
    const auto halves = world.allocate_array<std::uint8_t>(2 * kStreamed);
    const auto flags = world.allocate_array<std::uint64_t>(3);
    std::uint64_t round = 0;
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{8}, std::size_t{700}, kStreamed}) {
      ++round;
      if (world.cell() == 0) {
        const Source source(bytes, 0);
        fill(source.bytes(), round);
        const Offset second = halves.at(kStreamed);
        const Signal count{.flag = flags.at(2), .value = 1, .op = SignalOp::add};
        const Target targets[] = {{1, halves.at(0), {.flag = flags.at(0), .value = round}},
                                  {1, second, {.flag = flags.at(1), .value = round}},
                                  {2, halves.at(0), count},
                                  {2, second, count}};
        world.put_signal_to_all(targets, source.bytes().data(), bytes);
        world.put_signal_to_all({}, source.bytes().data(), bytes);
        world.quiet();
      } else if (world.cell() <= 2) {
        const auto all = world.local(halves);
        for (const std::size_t half : {0, 1}) {
          if (world.cell() == 1) {
            world.wait_flag(flags.at(half), Until::equal, round);
          } else {
            world.wait_flag(flags.at(2), Until::equal, 2 * round);
          }
          expect_equal(first_wrong(all.subspan(half * kStreamed, bytes), round), bytes, "a half");
        }
      }
      world.barrier();
    }
  });
}

/// S4 section 3.5, for blocks that are streamed: what lies beside them belongs to the targets,
/// which write it meanwhile.
void check_neighbours(World& world, std::size_t shift, std::size_t bytes,
                      const Symmetric<std::uint8_t>& area, Offset done) {
  constexpr std::uint64_t kRounds = 10;
  if (world.cell() == 0) {
    const Source source(bytes, shift);
    for (std::uint64_t round = 1; round <= kRounds; ++round) {
      fill(source.bytes(), round);
      world.put_signal_to_all(
          all_others(world, area.at(kLine + shift), {.flag = done, .value = round}),
          source.bytes().data(), bytes);
    }
  } else {
    const auto all = world.local(area);
    const auto before = all.subspan(shift, kLine);
    const auto after = all.subspan(kLine + shift + bytes, kLine);
    for (std::uint64_t look = 1;; ++look) {
      const bool last = world.flag(done) == kRounds;
      fill(before, look);
      fill(after, look + 1);
      if (look % 8 == 0) std::this_thread::yield();
      expect_equal(first_wrong(before, look), kLine, "the neighbours before");
      expect_equal(first_wrong(after, look + 1), kLine, "the neighbours behind");
      if (last) break;
    }
    expect_equal(first_wrong(all.subspan(kLine + shift, bytes), kRounds), bytes, "the data");
    std::memset(world.local(done), 0, sizeof(std::uint64_t));
  }
  world.barrier();
}

TEST_P(PutToAll, TouchesNoByteBesideItsRangesWhileTheTargetsWriteThere) {
  options.heap_bytes = 2 * kStreamed;
  run(crowd(), [](World& world) {
    const auto area = world.allocate_array<std::uint8_t>(kStreamed + 5 * kLine);
    const auto done = world.allocate_array<std::uint64_t>(1);
    for (const std::size_t shift : {0, 1, 8, 63}) {
      for (const std::size_t bytes : {kStreamed, kStreamed + 1, kStreamed + 63}) {
        check_neighbours(world, shift, bytes, area, done.offset);
      }
    }
  });
}

TEST_P(PutToAll, PutsNothingToAnyWhereOneTargetIsWrong) {
  options.heap_bytes = 2 * kStreamed;
  run(3, [](World& world) {
    const auto target = world.allocate_array<std::uint8_t>(kStreamed);
    const auto flag = world.allocate_array<std::uint64_t>(1);
    if (world.cell() == 0) {
      const std::vector<std::uint8_t> source(kStreamed, 1);
      const Signal good{.flag = flag.offset};
      const Target right{1, target.offset, good};
      const Target wrong[] = {{3, target.offset, good},
                              {-1, target.offset, good},
                              {2, kOutside, good},
                              {2, target.offset, {.flag = flag.offset + 1}},
                              {2, target.offset, {.flag = kOutside}}};
      for (const Target& last : wrong) {
        const std::array targets = {right, last};
        const std::string error =
            error_of([&] { world.put_signal_to_all(targets, source.data(), kStreamed); });
        expect(error.starts_with("invalid_argument: "), "refused: " + error);
      }
      world.quiet();
    }
    world.barrier();
    const auto none = [](auto value) { return value == 0; };
    expect(std::ranges::all_of(world.local(target), none), "no data has been put");
    expect_equal(world.flag(flag.offset), 0u, "the flag");
    world.barrier();
  });
}

}  // namespace
}  // namespace kinjo::comm::test
