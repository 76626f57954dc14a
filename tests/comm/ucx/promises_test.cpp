// What puts promise of sources, flags and neighbours, one by one, between cells that UCX joins.
#include <algorithm>
#include <thread>

#include <gtest/gtest.h>

#include "comm/ucx/sides.hpp"

namespace kinjo::comm::test {
namespace {

constexpr Offset kReady = 0, kArrived = 64;  // flags
constexpr Offset kArea = 4096;               // where data goes

void expect(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}

std::byte pattern(std::uint64_t put, std::size_t position) {
  return static_cast<std::byte>(put * 131 + position * 7 + (position >> 8) * 13 + 1);
}
void fill(std::span<std::byte> bytes, std::uint64_t put) {
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = pattern(put, i);
}
void expect_pattern(std::span<const std::byte> bytes, std::uint64_t put, const char* what) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != pattern(put, i)) {
      throw std::runtime_error(
          fmt::format("{}: byte {} of {} is not that of put {}", what, i, bytes.size(), put));
    }
  }
}

/// Over TCP as it is, and with long data announced, as devices that write to memory have it.
class Promises : public testing::TestWithParam<detail::Announce> {
 protected:
  static std::vector<std::string> run(const std::function<void(Side&)>& body) {
    return run_sides(2, body, GetParam());
  }
};
INSTANTIATE_TEST_SUITE_P(Over, Promises,
                         testing::Values(detail::Announce::where_faster, detail::Announce::always),
                         [](const auto& chosen) {
                           return chosen.param == detail::Announce::always ? "Announced" : "Tcp";
                         });

// So many that the way is full, and UCX keeps what the kernel does not take yet.
constexpr std::uint64_t kBurst = 20'000;
constexpr std::size_t kSlot = 192;

TEST_P(Promises, SourcesOfUpTo64BytesAreFreeOnReturn) {
  const auto thrown = run([](Side& side) {
    const auto bytes_of = [](std::uint64_t put) { return static_cast<std::size_t>(put % 64) + 1; };
    if (side.cell == 0) {
      std::byte source[64];
      for (std::uint64_t put = 0; put < kBurst; ++put) {
        fill(std::span(source).first(bytes_of(put)), put);
        side.remote->put(1, kArea + put * kSlot, source, bytes_of(put), nullptr, nullptr, kAnyTime);
        std::memset(source, 0xff, sizeof(source));
      }
    }
    side.barrier(2);
    for (std::uint64_t put = 0; side.cell == 1 && put < kBurst; ++put) {
      expect_pattern({side.at(kArea + put * kSlot), bytes_of(put)}, put, "a short put");
    }
  });
  EXPECT_EQ(thrown, nothing(2));
}

TEST_P(Promises, SourcesOfRowsOfUpTo64BytesInAllAreFreeOnReturn) {
  const auto thrown = run([](Side& side) {
    // 8 rows of 8 bytes: gathered, scattered, or both.
    const auto own_stride = [](std::uint64_t put) { return put % 3 == 1 ? 8u : 24u; };
    const auto there_stride = [](std::uint64_t put) { return put % 3 == 0 ? 8u : 24u; };
    if (side.cell == 0) {
      const std::vector<std::byte> ahead(3'000'000);  // keeps the way busy
      Completion local;
      std::byte source[192];
      for (std::uint64_t put = 0; put < kBurst; ++put) {
        if (put % 5'000 == 0) {
          side.remote->put(1, kArea + kBurst * kSlot, ahead.data(), ahead.size(), nullptr, &local,
                           kAnyTime);
        }
        fill(source, put);
        side.remote->put_rows(1, kArea + put * kSlot, {8, 8, there_stride(put)}, source,
                              own_stride(put), nullptr, nullptr, kAnyTime);
        std::memset(source, 0xff, sizeof(source));
      }
      side.wait([&] { return local.done(); });
    }
    side.barrier(2);
    for (std::uint64_t put = 0; side.cell == 1 && put < kBurst; ++put) {
      for (std::size_t i = 0; i < 64; ++i) {
        const std::size_t row = i / 8, column = i % 8;
        expect(*side.at(kArea + put * kSlot + row * there_stride(put) + column) ==
                   pattern(put, row * own_stride(put) + column),
               fmt::format("byte {} of row {} of put {}", column, row, put));
      }
    }
  });
  EXPECT_EQ(thrown, nothing(2));
}

TEST_P(Promises, LongerSourcesAreFreeWhenTheirCompletionIsDone) {
  const auto thrown = run([](Side& side) {
    for (const std::size_t bytes : {65, 4096, 4097, 61'440, 1'000'000, 3'000'000}) {
      if (side.cell == 0) {
        std::vector<std::byte> source(bytes);
        for (std::uint64_t round = 1; round <= 5; ++round) {
          fill(source, round);
          Completion local;
          const Signal arrived{.flag = kArrived, .value = round};
          side.remote->put(1, kArea, source.data(), bytes, &arrived, &local, kAnyTime);
          side.wait([&] { return local.done(); });
          std::fill(source.begin(), source.end(), std::byte{0xff});
          side.wait_flag(kReady, round);
        }
      } else {
        for (std::uint64_t round = 1; round <= 5; ++round) {
          side.wait([&] { return side.flag(kArrived) == round; });
          expect_pattern({side.at(kArea), bytes}, round, "a long put");
          const Signal ready{.flag = kReady, .value = round};
          side.remote->put(0, kArea, nullptr, 0, &ready, nullptr, kAnyTime);
        }
      }
      side.barrier(2);
      std::memset(side.at(0), 0, kArea);
      side.barrier(2);
    }
  });
  EXPECT_EQ(thrown, nothing(2));
}

TEST_P(Promises, PutsAreCompleteAtTheirTargetAfterQuiet) {
  const auto thrown = run([](Side& side) {
    std::vector<std::byte> source(1'000'000);
    for (std::uint64_t round = 1; round <= 10; ++round) {
      if (side.cell == 0) {
        fill(source, round);
        Completion local;
        side.remote->put(1, kArea, source.data(), source.size(), nullptr, &local, kAnyTime);
        side.quiet();
        expect(local.done(), "what is complete there is complete here");
        // Without data of its own: nothing but `quiet` has told that the data is there.
        const Signal arrived{.flag = kArrived, .value = round};
        side.remote->put(1, kArea, nullptr, 0, &arrived, nullptr, kAnyTime);
      } else {
        side.wait_flag(kArrived, round);
        expect_pattern({side.at(kArea), source.size()}, round, "a put before quiet");
      }
      side.barrier(2);
    }
  });
  EXPECT_EQ(thrown, nothing(2));
}

TEST_P(Promises, FlagsRiseAfterTheirDataForWhoOnlyLooks) {
  const auto thrown = run([](Side& side) {
    std::uint64_t put = 0;
    for (const std::size_t bytes : {1, 8, 64, 65, 1'000, 4'096, 4'097, 70'000, 1'000'000}) {
      for (int round = 0; round < 20; ++round) {
        ++put;
        if (side.cell == 0) {
          std::vector<std::byte> source(bytes);
          fill(source, put);
          const Signal arrived{.flag = kArrived, .value = put};
          Completion local;
          side.remote->put(1, kArea + put % 64, source.data(), bytes, &arrived, &local, kAnyTime);
          side.wait([&] { return local.done(); });
          side.wait_flag(kReady, put);
          continue;
        }
        // No call, so the library's own thread writes while this one looks.
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        while (side.flag(kArrived) != put) {
          expect(std::chrono::steady_clock::now() < end, "the flag has not risen");
          std::this_thread::yield();
        }
        expect_pattern({side.at(kArea + put % 64), bytes}, put, "data at its flag");
        const Signal ready{.flag = kReady, .value = put};
        side.remote->put(0, kArea, nullptr, 0, &ready, nullptr, kAnyTime);
      }
    }
  });
  EXPECT_EQ(thrown, nothing(2));
}

TEST_P(Promises, HoldFromTheFirstMomentOn) {
  // Cell 1 may still be looking for cell 0 when this arrives.
  for (int world = 0; world < 100; ++world) {
    const auto thrown = run([](Side& side) {
      if (side.cell == 1) return;
      const std::uint64_t value = 7;
      std::uint64_t back = 0;
      Completion done;
      side.remote->put(1, kArea, &value, sizeof(value), nullptr, nullptr, kAnyTime);
      side.remote->get(1, &back, kArrived, sizeof(back), done, kAnyTime);
      side.quiet();
      side.wait([&] { return done.done(); });
    });
    ASSERT_EQ(thrown, nothing(2));
  }
}

TEST_P(Promises, RowsOfNothingRaiseTheirFlagAlone) {
  const auto thrown = run([](Side& side) {
    if (side.cell == 1) return side.wait_flag(kArrived, 2);
    const std::byte source{1};
    for (const Rows rows : {Rows{0, 8, 8}, Rows{3, 0, 8}}) {
      const Signal arrived{.flag = kArrived, .value = 1, .op = SignalOp::add};
      side.remote->put_rows(1, kArea, rows, &source, 16, &arrived, nullptr, kAnyTime);
    }
  });
  EXPECT_EQ(thrown, nothing(2));
}

/// What lies beside a range belongs to the target, which writes it while puts arrive (S4 section
/// 3.5).
void write_neighbours(Side& side, Offset at, std::size_t bytes, std::uint64_t last) {
  constexpr std::size_t kGuard = 64;
  const std::span before(side.at(at - kGuard), kGuard), after(side.at(at + bytes), kGuard);
  for (std::uint64_t round = 1;; ++round) {
    const bool is_last = side.flag(kArrived) == last;
    fill(before, round);
    fill(after, round + 1);
    if (round % 8 == 0) std::this_thread::yield();
    expect_pattern(before, round, "the neighbours before");
    expect_pattern(after, round + 1, "the neighbours behind");
    if (is_last) return;
  }
}

TEST_P(Promises, NoByteBesideARangeIsTouchedWhileTheTargetWritesThere) {
  const auto thrown = run([](Side& side) {
    constexpr std::uint64_t kPuts = 40;
    std::uint64_t put = 0;
    for (const std::size_t bytes : {1, 3, 8, 17, 63, 64, 65, 200, 4'099, 65'537}) {
      for (std::size_t shift = 0; shift < 64; shift += 21) {
        const Offset at = kArea + 64 + shift;
        const std::uint64_t last = put + kPuts;
        if (side.cell == 1) write_neighbours(side, at, bytes, last);
        std::vector<std::byte> source(bytes);
        while (side.cell == 0 && put < last) {
          fill(source, ++put);
          const Signal arrived{.flag = kArrived, .value = put};
          Completion local;
          side.remote->fence();
          side.remote->put(1, at, source.data(), bytes, &arrived, &local, kAnyTime);
          side.wait([&] { return local.done(); });
        }
        put = last;
        if (side.cell == 1) expect_pattern({side.at(at), bytes}, put, "the last put");
        side.barrier(2);
      }
    }
  });
  EXPECT_EQ(thrown, nothing(2));
}

}  // namespace
}  // namespace kinjo::comm::test
