#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "comm/ucx/sides.hpp"

namespace kinjo::comm::test {
namespace {

constexpr Offset kFlags = 0;    // a line for each cell
constexpr Offset kArea = 4096;  // where data goes
constexpr std::size_t kAreaBytes = std::size_t{4} << 20;

Offset flag_of(int cell) { return kFlags + 64 * static_cast<Offset>(cell); }

/// `what` and its arguments become a text only when it is needed.
template <class... T>
void expect(bool holds, fmt::format_string<T...> what, T&&... arguments) {
  if (!holds) throw std::runtime_error(fmt::format(what, std::forward<T>(arguments)...));
}

/// Bytes that tell where they belong.
std::byte pattern(std::uint64_t put, std::uint64_t position) {
  return static_cast<std::byte>(put * 131 + position * 7 + (position >> 8));
}
std::vector<std::byte> patterned(std::uint64_t put, std::size_t bytes) {
  std::vector<std::byte> data(bytes);
  for (std::size_t i = 0; i < bytes; ++i) data[i] = pattern(put, i);
  return data;
}

/// Mostly short, sometimes around the borders of copies and chunks, up to many chunks.
std::size_t random_size(std::mt19937_64& random) {
  constexpr std::size_t kBorders[] = {64, 4096, 60 << 10, 120 << 10, 480 << 10, 1 << 20};
  switch (random() % 8) {
    case 0:
      return kBorders[random() % std::size(kBorders)] + random() % 3 - 1;
    case 1:
      return random() % 100'000;
    default:
      return random() % 300;
  }
}

/// Over TCP as it is, and with long data announced, as devices that write to memory have it.
class RemoteCells : public testing::TestWithParam<detail::Announce> {
 protected:
  static std::vector<std::string> run(int cells, const std::function<void(Side&)>& body) {
    return run_sides(cells, body, GetParam());
  }
};

INSTANTIATE_TEST_SUITE_P(Over, RemoteCells,
                         testing::Values(detail::Announce::where_faster, detail::Announce::always),
                         [](const auto& chosen) {
                           return chosen.param == detail::Announce::always ? "Announced" : "Tcp";
                         });

TEST_P(RemoteCells, PutLandsExactlyWhereItShouldBeforeItsFlagRises) {
  constexpr std::uint64_t kPuts = 5'000;
  const auto thrown = run(2, [](Side& side) {
    std::mt19937_64 random(7);  // the same series on both sides
    constexpr std::byte kGuard{0xee};
    for (std::uint64_t put = 1; put <= kPuts; ++put) {
      const std::size_t bytes = random_size(random);
      const Offset to = kArea + 64 + random() % 64;
      const int sender = static_cast<int>(random() % 2);
      if (side.cell == sender) {
        const auto data = patterned(put, bytes);
        const Signal signal{.flag = flag_of(sender), .value = put};
        Completion local;
        // The other cell says when it is ready.
        side.wait_flag(flag_of(3), put);
        side.remote->put(1 - sender, to, data.data(), bytes, &signal, &local, kAnyTime);
        side.wait([&] { return local.done(); });
      } else {
        std::fill(side.at(kArea), side.at(to + bytes + 64), kGuard);
        const Signal ready{.flag = flag_of(3), .value = put};
        side.remote->put(sender, 0, nullptr, 0, &ready, nullptr, kAnyTime);
        side.wait_flag(flag_of(sender), put);
        for (std::size_t i = 0; i < bytes; ++i) {
          expect(*side.at(to + i) == pattern(put, i), "byte {} of put {}", i, put);
        }
        for (std::size_t i = 0; i < 64; ++i) {
          expect(*side.at(to - 1 - i) == kGuard && *side.at(to + bytes + i) == kGuard,
                 "a byte beside put {} was touched", put);
        }
      }
    }
  });
  EXPECT_EQ(thrown, nothing(2));
}

TEST_P(RemoteCells, PutOfRowsTouchesNothingBetweenThem) {
  const auto thrown = run(2, [](Side& side) {
    std::mt19937_64 random(11);
    for (std::uint64_t put = 1; put <= 300; ++put) {
      const Rows shape{.rows = random() % 200,
                       .row_bytes = 1 + random() % (put % 10 == 0 ? 9000 : 40),
                       .stride = 0};
      const std::size_t stride = shape.row_bytes + random() % 30;
      const std::size_t from_stride = shape.row_bytes + random() % 30;
      const Offset to = kArea + random() % 64;
      Rows there = shape;
      there.stride = stride;
      const Signal signal{.flag = flag_of(0), .value = put};
      if (side.cell == 0) {
        const auto data = patterned(put, shape.rows * from_stride + 1);
        side.wait_flag(flag_of(3), put);
        Completion local;
        side.remote->put_rows(1, to, there, data.data(), from_stride, &signal, &local, kAnyTime);
        side.wait([&] { return local.done(); });
        continue;
      }
      std::fill(side.at(kArea), side.at(to + shape.rows * stride + 64), std::byte{0xee});
      const Signal ready{.flag = flag_of(3), .value = put};
      side.remote->put(0, 0, nullptr, 0, &ready, nullptr, kAnyTime);
      side.wait_flag(flag_of(0), put);
      for (std::size_t i = 0; i < shape.rows * stride + 64; ++i) {
        const std::size_t row = i / stride, column = i % stride;
        const bool is_data = row < shape.rows && column < shape.row_bytes;
        const std::byte expected =
            is_data ? pattern(put, row * from_stride + column) : std::byte{0xee};
        expect(*side.at(to + i) == expected, "byte {} of put {} ({} rows of {}, {} apart)", i, put,
               shape.rows, shape.row_bytes, stride);
      }
    }
  });
  EXPECT_EQ(thrown, nothing(2));
}

TEST_P(RemoteCells, GetBringsWhatLiesThere) {
  const auto thrown = run(2, [](Side& side) {
    for (std::size_t i = 0; i < kAreaBytes; ++i) {
      *side.at(kArea + i) = pattern(static_cast<std::uint64_t>(side.cell), i);
    }
    side.barrier(2);
    std::mt19937_64 random(13 + static_cast<unsigned>(side.cell));
    const auto other = static_cast<std::uint64_t>(1 - side.cell);
    for (int round = 0; round < 1'000; ++round) {
      const std::size_t bytes = random_size(random), from = random() % 1000;
      std::vector<std::byte> data(bytes + 2, std::byte{0xee});
      Completion done;
      side.remote->get(1 - side.cell, data.data() + 1, kArea + from, bytes, done, kAnyTime);
      side.wait([&] { return done.done(); });
      for (std::size_t i = 0; i < bytes; ++i) {
        expect(data[i + 1] == pattern(other, from + i), "byte {} of {}", i, bytes);
      }
      expect(data.front() == std::byte{0xee} && data.back() == std::byte{0xee}, "guard");
    }
    for (int round = 0; round < 200; ++round) {
      const Rows shape{.rows = 1 + random() % 100, .row_bytes = 1 + random() % 300, .stride = 400};
      std::vector<std::byte> data(shape.rows * 310, std::byte{0xee});
      Completion done;
      side.remote->get_rows(1 - side.cell, data.data(), 310, kArea + 5, shape, done, kAnyTime);
      side.wait([&] { return done.done(); });
      for (std::size_t i = 0; i < data.size(); ++i) {
        const std::size_t row = i / 310, column = i % 310;
        expect(data[i] == (column < shape.row_bytes ? pattern(other, 5 + row * 400 + column)
                                                    : std::byte{0xee}),
               "byte {} of {} rows", i, shape.rows);
      }
    }
  });
  EXPECT_EQ(thrown, nothing(2));
}

TEST_P(RemoteCells, MessagesReachTheirHandlersAndAreAnswered) {
  constexpr int kRequests = 2'000;
  const auto thrown = run(3, [](Side& side) {
    int answers = 0;
    side.on_message = [&](const Side::Arrived& message) {
      if (message.is_reply) {
        ++answers;
        expect(message.text.substr(0, 3) == "re:", "a reply");
        return;
      }
      const std::string text = "re:" + message.text.substr(0, 100);
      side.remote->request(
          message.from, {.handler = 1, .is_reply = true, .data = text.data(), .bytes = text.size()},
          nullptr, kAnyTime);
    };
    std::mt19937_64 random(17);
    for (int i = 0; i < kRequests; ++i) {
      const std::string text(random() % (kMediumBytes + 1), static_cast<char>('a' + i % 26));
      side.remote->request((side.cell + 1 + i % 2) % 3, {.data = text.data(), .bytes = text.size()},
                           nullptr, kAnyTime);
    }
    side.wait([&] { return answers == kRequests; });
    const auto requests = std::count_if(side.messages.begin(), side.messages.end(),
                                        [](const auto& message) { return !message.is_reply; });
    side.barrier(3);
    expect(requests <= kRequests, "{} requests", requests);
  });
  EXPECT_EQ(thrown, nothing(3));
}

TEST_P(RemoteCells, MessagesThatAreLongLieInTheMemoryWhenTheirHandlerRuns) {
  const auto thrown = run(2, [](Side& side) {
    for (const std::size_t bytes : {0, 1, 4096, 4097, 61'440, 1'000'000}) {
      const auto data = patterned(bytes, bytes);
      for (const bool is_tracked : {false, true}) {
        auto source = data;
        Completion local;
        side.remote->request(1 - side.cell,
                             {.handler = 2,
                              .payload = detail::Payload::longer,
                              .to = kArea + 3,
                              .data = source.data(),
                              .bytes = bytes},
                             is_tracked ? &local : nullptr, kAnyTime);
        side.wait([&] { return local.done(); });
        std::fill(source.begin(), source.end(), std::byte{0});
        side.wait([&] { return !side.messages.empty(); });
        expect(side.messages.front().data == side.at(kArea + 3), "where it lies");
        expect(side.messages.front().text.size() == bytes, "how long it is");
        expect(std::equal(data.begin(), data.end(), side.at(kArea + 3)), "what it is");
        side.messages.clear();
        side.barrier(2);
      }
    }
  });
  EXPECT_EQ(thrown, nothing(2));
}

TEST_P(RemoteCells, SendsArriveInOrderWhateverTheirLengths) {
  const auto thrown = run(2, [](Side& side) {
    std::mt19937_64 random(19);
    std::vector<std::size_t> lengths(500);
    for (auto& length : lengths) length = random_size(random);
    if (side.cell == 0) {
      for (std::size_t i = 0; i < lengths.size(); ++i) {
        auto data = patterned(i, lengths[i]);
        side.remote->send(1, static_cast<int>(i), data.data(), data.size(), kAnyTime);
        std::fill(data.begin(), data.end(), std::byte{0});  // it has been copied
      }
      return;
    }
    std::size_t taken = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      for (std::size_t position = 0;;) {
        side.wait([&] { return taken < side.pieces.size(); });
        const Side::Piece& piece = side.pieces[taken++];
        expect(piece.tag == static_cast<int>(i) && piece.total == lengths[i] &&
                   piece.position == position,
               "piece {} has tag {} and position {}", taken, piece.tag, piece.position);
        for (std::size_t k = 0; k < piece.text.size(); ++k) {
          expect(static_cast<std::byte>(piece.text[k]) == pattern(i, position + k), "its bytes");
        }
        position += piece.text.size();
        if (position == lengths[i]) break;
      }
    }
  });
  EXPECT_EQ(thrown, nothing(2));
}

TEST_P(RemoteCells, FenceKeepsLaterPutsBehindEarlierOnes) {
  const auto thrown = run(2, [](Side& side) {
    const std::vector<std::byte> long_one = patterned(1, 1'000'000);
    for (std::uint64_t round = 1; round <= 30; ++round) {
      if (side.cell == 0) {
        const Signal signal{.flag = flag_of(0), .value = round};
        const std::byte last{static_cast<unsigned char>(round)};
        Completion local;
        side.remote->put(1, kArea, long_one.data(), long_one.size(), nullptr, &local, kAnyTime);
        side.remote->fence();
        side.remote->put(1, kArea + 500'000, &last, 1, &signal, nullptr, kAnyTime);
        side.wait([&] { return local.done(); });
      } else {
        side.wait_flag(flag_of(0), round);
        expect(*side.at(kArea + 999'999) == long_one.back(), "the long one is there");
        expect(*side.at(kArea + 500'000) == std::byte{static_cast<unsigned char>(round)},
               "the later one has come later");
        std::fill(side.at(kArea), side.at(kArea + 1'000'000), std::byte{0});
      }
      side.barrier(2);
    }
  });
  EXPECT_EQ(thrown, nothing(2));
}

TEST_P(RemoteCells, QuietReturnsWhenAllPutsAreComplete) {
  const auto thrown = run(3, [](Side& side) {
    const auto data = patterned(1, 300'000);
    for (std::uint64_t round = 1; round <= 20; ++round) {
      for (int other = 0; other < 3; ++other) {
        if (other == side.cell) continue;
        const Signal signal{.flag = flag_of(8), .value = 1, .op = SignalOp::add};
        side.remote->put(other, kArea + 400'000 * static_cast<Offset>(side.cell), data.data(),
                         data.size(), &signal, nullptr, kAnyTime);
      }
      side.quiet();
      // The others' flags tell that their memory has it; nothing but `get` reads it from here.
      std::uint64_t there = 0;
      Completion done;
      side.remote->get((side.cell + 1) % 3, &there, flag_of(8), sizeof(there), done, kAnyTime);
      side.wait([&] { return done.done(); });
      expect(there >= round, "flag {} in round {}", there, round);
    }
  });
  EXPECT_EQ(thrown, nothing(3));
}

TEST_P(RemoteCells, LeavingWaitsUntilTheOthersHaveWhatWasSent) {
  const auto data = patterned(1, 7'000'000);
  for (int round = 0; round < 20; ++round) {
    Board board;
    std::jthread leaving([&] {
      Completion local;  // which nobody waits for
      Side side(board, 1, 2, std::chrono::seconds(10), std::size_t{8} << 20, GetParam());
      const Signal signal{.flag = flag_of(1)};
      side.remote->put(0, kArea, data.data(), data.size(), &signal, &local, kAnyTime);
    });
    Side side(board, 0, 2, std::chrono::seconds(10), std::size_t{8} << 20, GetParam());
    ASSERT_NO_THROW(side.wait_flag(flag_of(1), 1)) << round;
    ASSERT_TRUE(std::equal(data.begin(), data.end(), side.at(kArea))) << round;
  }
}

TEST_P(RemoteCells, ProgressIsMadeForACellThatComputes) {
  const auto thrown = run(2, [](Side& side) {
    if (side.cell == 1) {
      // No call at all until everything is there.
      const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
      while (side.flag(flag_of(0)) == 0 && std::chrono::steady_clock::now() < end) {
      }
      return;
    }
    const auto data = patterned(1, 3'000'000);
    const Signal signal{.flag = flag_of(0)};
    Completion local;
    side.remote->put(1, kArea, data.data(), data.size(), &signal, &local, kAnyTime);
    side.wait([&] { return local.done(); });
    side.quiet();
    std::vector<std::byte> back(data.size());
    Completion done;
    side.remote->get(1, back.data(), kArea, back.size(), done, kAnyTime);
    while (!done.done()) {
    }
    expect(back == data, "what came back");
  });
  EXPECT_EQ(thrown, nothing(2));
}

}  // namespace
}  // namespace kinjo::comm::test
