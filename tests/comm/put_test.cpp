/// PUT: when a source may be changed, when a flag rises, and what no put ever touches (S4
/// sections 3.4 and 3.5).
#include <algorithm>
#include <cstring>
#include <vector>

#include "comm/cells.hpp"

namespace kinjo::comm::test {
namespace {

using Put = Cells;
KINJO_IN_EVERY_WORLD(Put);

constexpr std::size_t kSizes[] = {1,  2,  3,   7,    8,    9,    15,   31,   63,
                                  64, 65, 127, 1000, 4095, 4096, 4097, 65536};

TEST_P(Put, LeavesSourcesOfUpTo64BytesFreeAtOnce) {
  run(2, [](World& world) {
    constexpr std::uint64_t kRounds = 300;
    const auto target = world.allocate_array<std::uint8_t>(kReusableBytes * kRounds);
    const auto flag = world.allocate_array<std::uint64_t>(1);
    for (std::size_t bytes = 1; bytes <= kReusableBytes; ++bytes) {
      if (world.cell() == 0) {
        std::vector<std::uint8_t> source(bytes);
        for (std::uint64_t round = 0; round < kRounds; ++round) {
          fill(source, round);
          world.put_signal(1, target.at(round * kReusableBytes), source.data(), bytes,
                           {.flag = flag.offset, .value = 1, .op = SignalOp::add});
          std::fill(source.begin(), source.end(), std::uint8_t{0});
        }
      } else {
        world.wait_flag(flag.offset, Until::equal, kRounds * bytes);
        for (std::uint64_t round = 0; round < kRounds; ++round) {
          const auto range = world.local(target).subspan(round * kReusableBytes, bytes);
          expect_equal(first_wrong(range, round), bytes, "the first wrong byte");
        }
      }
      world.barrier();
    }
  });
}

TEST_P(Put, LeavesLongerSourcesFreeWhenTheirCompletionIsDone) {
  run(2, [](World& world) {
    constexpr std::size_t kBytes = 100'000;
    constexpr std::uint64_t kRounds = 16;
    const auto target = world.allocate_array<std::uint8_t>(kBytes * kRounds);
    const auto flag = world.allocate_array<std::uint64_t>(1);
    if (world.cell() == 0) {
      std::vector<std::uint8_t> source(kBytes);
      for (std::uint64_t round = 0; round < kRounds; ++round) {
        Completion sent;
        fill(source, round);
        world.put_signal(1, target.at(round * kBytes), source.data(), kBytes,
                         {.flag = flag.offset, .op = SignalOp::add}, &sent);
        world.wait(sent);
        std::fill(source.begin(), source.end(), std::uint8_t{0});
      }
    } else {
      world.wait_flag(flag.offset, Until::equal, kRounds);
      for (std::uint64_t round = 0; round < kRounds; ++round) {
        expect_equal(first_wrong(world.local(target).subspan(round * kBytes, kBytes), round),
                     kBytes, "the first wrong byte");
      }
    }
    world.barrier();
  });
}

TEST_P(Put, LeavesLongerSourcesFreeAfterQuiet) {
  run(2, [](World& world) {
    constexpr std::size_t kBytes = 50'000;
    const auto target = world.allocate_array<std::uint8_t>(kBytes);
    if (world.cell() == 0) {
      std::vector<std::uint8_t> source(kBytes);
      fill(source, 5);
      world.put(1, target.offset, source.data(), kBytes);
      world.quiet();
      std::fill(source.begin(), source.end(), std::uint8_t{0});
    }
    world.barrier();
    if (world.cell() == 1) {
      expect_equal(first_wrong(world.local(target), 5), kBytes, "the first wrong byte");
    }
  });
}

/// The receiver looks at the flag without making progress, so nothing but the put itself can have
/// brought the data.
void check_flags_rise_last(World& world, std::size_t bytes, std::size_t shift, int rounds,
                           const Symmetric<std::uint8_t>& target, Offset flag, Offset answer) {
  for (int r = 1; r <= rounds; ++r) {
    const auto round = static_cast<std::uint64_t>(r);
    if (world.cell() == 0) {
      std::vector<std::uint8_t> source(bytes + shift % 8);
      const std::span<std::uint8_t> from(source.data() + shift % 8, bytes);
      fill(from, round);
      world.put_signal(1, target.at(shift), from.data(), bytes, {.flag = flag, .value = round});
      world.wait_flag(answer, Until::equal, round);
    } else {
      await_raw(world, flag, round);
      const auto range = world.local(target).subspan(shift, bytes);
      expect_equal(first_wrong(range, round), bytes,
                   fmt::format("the first wrong byte of {} at {}", bytes, shift));
      world.signal(0, {.flag = answer, .value = round});
    }
  }
  world.barrier();
  for (const Offset at : {flag, answer}) std::memset(world.local(at), 0, sizeof(std::uint64_t));
  world.barrier();
}

TEST_P(Put, RaisesItsFlagOnlyAfterAllBytes) {
  run(2, [](World& world) {
    const auto target = world.allocate_array<std::uint8_t>((1 << 20) + 64);
    const auto flags = world.allocate_array<std::uint64_t>(16);
    for (const std::size_t bytes : kSizes) {
      for (std::size_t shift = 0; shift<64; shift += bytes> 1000 ? 13 : 1) {
        check_flags_rise_last(world, bytes, shift, 5, target, flags.at(0), flags.at(8));
      }
    }
    check_flags_rise_last(world, 1 << 20, 0, 10, target, flags.at(0), flags.at(8));
    check_flags_rise_last(world, (1 << 20) - 3, 5, 10, target, flags.at(0), flags.at(8));
  });
}

TEST_P(Put, OfUpToEightBytesTravelsWithItsFlagInOneLine) {
  run(2, [](World& world) {
    const auto line = world.allocate_array<std::uint64_t>(8);
    const auto answer = world.allocate_array<std::uint64_t>(1);
    std::uint64_t round = 0;
    for (int repeat = 0; repeat < 200; ++repeat) {
      for (std::size_t bytes = 1; bytes <= 8; ++bytes) {
        ++round;
        const std::uint64_t mask = bytes == 8 ? ~std::uint64_t{0} : (1ull << 8 * bytes) - 1;
        const std::uint64_t value = round * 0x9e3779b97f4a7c15u;
        if (world.cell() == 0) {
          world.put_short(1, line.at(0), value, bytes, {.flag = line.at(7), .value = round});
          world.wait_flag(answer.offset, Until::equal, round);
        } else {
          world.wait_flag(line.at(7), Until::equal, round);
          expect_equal(world.local(line)[0] & mask, value & mask, "the value");
          world.signal(0, {.flag = answer.offset, .value = round});
        }
      }
    }
    world.barrier();
  });
}

/// The way of 8 bytes and their flag is compiled into the caller and has checks of its own.
TEST_P(Put, OfEightBytesReachesAllThatIsAllocatedAndNoMore) {
  run(2, [](World& world) {
    const auto first = world.allocate_array<std::uint64_t>(8);
    const auto area = world.allocate_array<std::uint64_t>(8);
    const int other = 1 - world.cell();
    const std::uint64_t value = 7;
    const auto is_refused = [&](int cell, Offset to, Offset flag, int line = __builtin_LINE()) {
      for (const auto& put :
           {std::function<void()>([&] { world.put_short(cell, to, value, 8, {.flag = flag}); }),
            std::function<void()>(
                [&] { world.put_signal(cell, to, &value, 8, {.flag = flag}); })}) {
        expect(error_of(put).starts_with("invalid_argument: "), error_of(put), line);
      }
    };
    world.put_short(other, area.at(7), value, 8, {.flag = area.at(6), .value = 2});
    world.wait_flag(area.at(6), Until::equal, 2);
    world.barrier();  // the word is data until here, and a flag from here on
    world.put_signal(other, area.at(5), &value, 8, {.flag = area.at(7), .op = SignalOp::add});
    expect_equal(world.wait_flag(area.at(7), Until::equal, value + 1), value + 1, "the last word");
    expect_equal(world.local(area)[5], value, "the value");
    expect_equal(world.local(area)[6], 2u, "the flag");
    for (const Offset outside : {area.at(8), area.at(8) - 7, Offset{0}, ~Offset{0} - 3}) {
      is_refused(other, outside, area.at(0));
      is_refused(other, area.at(0), outside);
      expect(error_of([&] {
               world.wait_flag(outside, Until::equal, 0);
             }).starts_with("invalid_argument: "),
             "the wait");
    }
    for (const int nobody : {-1, 2}) is_refused(nobody, area.at(0), area.at(1));
    is_refused(other, area.at(0), area.at(1) + 4);
    world.barrier();
    for (const std::size_t i : {0, 1, 2, 3, 4}) expect_equal(world.local(area)[i], 0u, "a word");
    // Nor what was allocated once.
    world.release(area.offset);
    is_refused(other, area.at(0), first.at(0));
    is_refused(other, first.at(0), area.at(0));
    world.barrier();
  });
}

TEST_P(Put, HasNoOrderAmongOthersButThatOfAFence) {
  run(2, [](World& world) {
    constexpr std::size_t kBytes = 20'000;
    const auto target = world.allocate_array<std::uint8_t>(kBytes);
    const auto flags = world.allocate_array<std::uint64_t>(2);
    for (std::uint64_t round = 1; round <= 100; ++round) {
      if (world.cell() == 0) {
        std::vector<std::uint8_t> source(kBytes);
        fill(source, round);
        Completion sent;
        world.put(1, target.offset, source.data(), kBytes, &sent);
        world.fence();
        world.signal(1, {.flag = flags.at(0), .value = round});
        world.wait(sent);
        world.wait_flag(flags.at(1), Until::equal, round);
      } else {
        await_raw(world, flags.at(0), round);
        expect_equal(first_wrong(world.local(target), round), kBytes, "the first wrong byte");
        world.signal(0, {.flag = flags.at(1), .value = round});
      }
    }
    world.barrier();
  });
}

#if !defined(__SANITIZE_THREAD__)
/// To ThreadSanitizer a plain put of 8 bytes is no flag, rightly: a signal is.
TEST_P(Put, OfAFlagAsPlainDataComesAfterWhatWasPutBeforeTheFence) {
  run(2, [](World& world) {
    const auto data = world.allocate_array<std::uint64_t>(512);
    const auto flags = world.allocate_array<std::uint64_t>(2);
    for (std::uint64_t round = 1; round <= 300; ++round) {
      if (world.cell() == 0) {
        const std::vector<std::uint64_t> source(data.count, round);
        world.put(1, data.offset, source.data(), data.count * 8);
        world.fence();
        world.put(1, flags.at(0), &round, sizeof round);
        world.wait_flag(flags.at(1), Until::equal, round);
      } else {
        await_raw(world, flags.at(0), round);
        const auto got = world.local(data);
        expect(std::all_of(got.begin(), got.end(), [&](auto v) { return v == round; }),
               "all there");
        world.signal(0, {.flag = flags.at(1), .value = round});
      }
    }
    world.barrier();
  });
}
#endif

TEST_P(Put, CountsEachSenderInAFlagOfItsOwnAndAllOfThemInASharedSum) {
  run(4, [](World& world) {
    constexpr std::uint64_t kPuts = 500;
    const auto counts = world.allocate_array<std::uint64_t>(4);
    const auto sum = world.allocate_array<std::uint64_t>(1);
    const auto slots = world.allocate_array<std::uint64_t>(4);
    const auto me = static_cast<std::size_t>(world.cell());
    for (std::uint64_t i = 1; i <= kPuts; ++i) {
      for (int to = 0; to < world.cells(); ++to) {
        world.put_signal(to, slots.at(me), &i, 8, {.flag = counts.at(me), .value = i});
        world.signal(to, {.flag = sum.offset, .value = 1, .op = SignalOp::add});
      }
    }
    for (std::size_t from = 0; from < 4; ++from) {
      expect_equal(world.wait_flag(counts.at(from), Until::at_least, kPuts), kPuts, "a count");
      expect_equal(world.local(slots)[from], kPuts, "the last value");
    }
    expect_equal(world.wait_flag(sum.offset, Until::equal, 4 * kPuts), 4 * kPuts, "the sum");
    world.barrier();
  });
}

/// S4 section 3.5: what lies beside an unaligned range belongs to the target, which writes it while
/// the put is under way.
void check_neighbours(World& world, std::size_t shift, std::size_t bytes,
                      const Symmetric<std::uint8_t>& area, Offset done) {
  constexpr std::uint64_t kRounds = 200;
  constexpr std::size_t kGuard = 64;
  if (world.cell() == 0) {
    std::vector<std::uint8_t> source(bytes);
    for (std::uint64_t round = 1; round <= kRounds; ++round) {
      fill(source, round);
      Completion sent;
      world.put(1, area.at(kGuard + shift), source.data(), bytes, &sent);
      world.wait(sent);
      if (round % 8 == 0) std::this_thread::yield();
    }
    world.quiet();
    world.signal(1, {.flag = done});
  } else {
    const auto all = world.local(area);
    const auto before = all.subspan(shift, kGuard);
    const auto after = all.subspan(kGuard + shift + bytes, kGuard);
    for (std::uint64_t round = 1;; ++round) {
      const bool last = world.flag(done) == 1;
      fill(before, round);
      fill(after, round + 1);
      if (round % 8 == 0) std::this_thread::yield();
      expect_equal(first_wrong(before, round), kGuard, "the neighbours before");
      expect_equal(first_wrong(after, round + 1), kGuard, "the neighbours behind");
      if (last) break;
    }
    expect_equal(first_wrong(all.subspan(kGuard + shift, bytes), kRounds), bytes, "the data");
    std::memset(world.local(done), 0, sizeof(std::uint64_t));
  }
  world.barrier();
}

TEST_P(Put, TouchesNoByteBesideItsRangeWhileTheTargetWritesThere) {
  run(2, [](World& world) {
    const auto area = world.allocate_array<std::uint8_t>(70'000);
    const auto done = world.allocate_array<std::uint64_t>(1);
    for (const std::size_t bytes : {1, 3, 8, 17, 63, 64, 65, 200, 4099, 65537}) {
      for (std::size_t shift = 0; shift < 64; shift += bytes < 100 ? 3 : 17) {
        check_neighbours(world, shift, bytes, area, done.offset);
      }
    }
  });
}

TEST_P(Put, OfRowsWritesAColumnAndNothingBetween) {
  run(2, [](World& world) {
    constexpr std::size_t kRows = 33, kColumns = 29;
    const auto matrix = world.allocate_array<double>(kRows * kColumns);
    const auto flag = world.allocate_array<std::uint64_t>(1);
    const auto mine = world.local(matrix);
    std::fill(mine.begin(), mine.end(), -1.0);
    world.barrier();
    if (world.cell() == 0) {
      std::vector<double> halo(3 * kRows);
      for (std::size_t i = 0; i < halo.size(); ++i) halo[i] = static_cast<double>(i);
      const Signal raised{.flag = flag.offset};
      Completion sent;
      // Two of three numbers that lie together here go to columns 5 and 6 there.
      world.put_rows(1, matrix.at(5), {kRows, 2 * sizeof(double), kColumns * sizeof(double)},
                     halo.data(), 3 * sizeof(double), &raised, &sent);
      world.wait(sent);
    } else {
      world.wait_flag(flag.offset, Until::equal, 1);
      for (std::size_t i = 0; i < mine.size(); ++i) {
        const std::size_t row = i / kColumns, column = i % kColumns;
        const bool put = column == 5 || column == 6;
        expect_equal(mine[i], put ? static_cast<double>(3 * row + column - 5) : -1.0, "an element");
      }
    }
    world.barrier();
  });
}

TEST_P(Put, ToItselfAndOfNothingRaisesTheFlag) {
  run(2, [](World& world) {
    const auto data = world.allocate_array<std::uint64_t>(4);
    const auto flag = world.allocate_array<std::uint64_t>(1);
    const std::uint64_t value = 77;
    world.put_signal(world.cell(), data.at(3), &value, 8, {.flag = flag.offset});
    expect_equal(world.wait_flag(flag.offset, Until::not_equal, 0), 1u, "the flag");
    expect_equal(world.local(data)[3], 77u, "the value");
    world.barrier();
    world.put_signal(1 - world.cell(), data.at(4), nullptr, 0, {.flag = flag.offset, .value = 2});
    expect_equal(world.wait_flag(flag.offset, Until::at_least, 2), 2u, "the flag");
    world.barrier();
  });
}

}  // namespace
}  // namespace kinjo::comm::test
