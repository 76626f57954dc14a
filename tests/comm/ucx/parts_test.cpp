// Packets and what is kept about them, without a network. What rings carry has other names than
// what packets do, since one program has both: their headers can be read together.
#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "comm/ring.hpp"
#include "comm/ucx/gets.hpp"
#include "comm/ucx/heartbeat.hpp"
#include "comm/ucx/landing.hpp"
#include "comm/ucx/mail.hpp"
#include "comm/ucx/packet.hpp"

namespace kinjo::comm::test {
namespace {

using namespace detail;

TEST(Region, LiesInMemoryOnlyWithAllItsRows) {
  struct Case {
    Region region;
    bool lies;
  };
  constexpr std::uint64_t kHuge = ~std::uint64_t{0};
  const Case cases[] = {
      {{0, 1, 100, 100}, true},  {{0, 1, 101, 101}, false},     {{100, 0, 0, 0}, true},
      {{101, 0, 0, 0}, false},   {{10, 3, 10, 40}, true},       {{11, 3, 10, 40}, false},
      {{0, kHuge, 2, 1}, false}, {{0, 2, 1, kHuge}, false},     {{0, 3, 1, kHuge / 2}, false},
      {{kHuge, 1, 1, 1}, false}, {{0, 1, kHuge, kHuge}, false}, {{0, kHuge, 8, 0}, false},
      {{0, 50, 2, 1}, false},    {{0, 1, 100, 0}, true},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(c.region.lies_in(100), c.lies)
        << c.region.at << " " << c.region.rows << " " << c.region.row_bytes;
  }
}

TEST(Strided, WritesAndReadsAnyStretchOfItsRows) {
  std::vector<std::byte> memory(1000, std::byte{0xee});
  const Strided rows{memory.data() + 3, 7, 11};
  std::vector<std::byte> data(70);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::byte>(i);
  rows.write(0, data.data(), 5);
  rows.write(33, data.data() + 33, 37);
  rows.write(5, data.data() + 5, 28);
  std::vector<std::byte> back(70);
  rows.read(0, back.data(), 13);
  rows.read(13, back.data() + 13, 57);
  EXPECT_EQ(back, data);
  const auto touched = std::count_if(memory.begin(), memory.end(),
                                     [](std::byte byte) { return byte != std::byte{0xee}; });
  EXPECT_EQ(touched, 70);
}

class LandingTest : public testing::Test {
 protected:
  static std::span<const std::byte> bytes_of(const std::string& text) {
    return std::as_bytes(std::span(text.data(), text.size()));
  }
  bool piece(std::uint64_t put, std::uint64_t position, const std::string& text,
             std::uint64_t total, std::uint64_t after = 0) {
    const PieceHead head{.head = {.from = 1, .then = Then::add},
                         .put = put,
                         .to = {100, 1, total, total},
                         .position = position,
                         .flag = {0, 1},
                         .after = after};
    return landing.piece(head, bytes_of(text).data(), text.size());
  }
  bool put(Offset to, const std::string& text, std::uint64_t after = 0) {
    const PutHead head{
        .head = {.from = 1, .then = Then::add}, .to = to, .flag = {8, 1}, .after = after};
    return landing.put(head, bytes_of(text).data(), text.size());
  }
  std::string text(Offset at, std::size_t bytes) const {
    return {reinterpret_cast<const char*>(memory.data()) + at, bytes};
  }

  std::vector<std::uint64_t> memory = std::vector<std::uint64_t>(128);
  Mail mail{2, 3};
  Landing landing{std::as_writable_bytes(std::span(memory)), 2, mail};
};

TEST_F(LandingTest, RaisesTheFlagAfterTheLastByteInWhateverOrder) {
  EXPECT_TRUE(piece(1, 8, "IJKL", 12));
  EXPECT_TRUE(piece(1, 0, "ABCD", 12));
  EXPECT_EQ(memory[0], 0U);
  EXPECT_EQ(landing.applied(1), 0U);
  EXPECT_TRUE(piece(1, 4, "EFGH", 12));
  EXPECT_EQ(memory[0], 1U);
  EXPECT_EQ(landing.applied(1), 1U);
  EXPECT_EQ(text(100, 12), "ABCDEFGHIJKL");
}

TEST_F(LandingTest, HoldsBackWhatAFenceHoldsBack) {
  EXPECT_TRUE(put(200, "late", 2));
  EXPECT_TRUE(piece(2, 0, "la", 4, 1));
  EXPECT_TRUE(put(200, "last", 3));
  EXPECT_EQ(landing.applied(1), 0U);
  EXPECT_TRUE(piece(2, 2, "st", 4, 1));
  EXPECT_TRUE(put(300, "first"));
  // Everything has become free, one after another.
  EXPECT_EQ(landing.applied(1), 4U);
  EXPECT_EQ(text(200, 4), "last");
  EXPECT_EQ(text(100, 4), "last");
}

TEST_F(LandingTest, FreesManyPutsOneByOne) {
  for (std::uint64_t after = 2'000; after > 0; --after) EXPECT_TRUE(put(200, "x", after));
  EXPECT_TRUE(put(200, "y"));
  EXPECT_EQ(landing.applied(1), 2'001U);
}

TEST_F(LandingTest, RefusesMoreBytesThanThePutHas) {
  EXPECT_TRUE(piece(1, 0, "ABCD", 8));
  EXPECT_FALSE(piece(1, 0, "ABCDEFG", 8));
  EXPECT_FALSE(piece(1, 0, "ABCD", 7));
}

TEST(MailTest, PutsPiecesInTheOrderOfTheirNumbers) {
  struct Box final : Inbox {
    void message(int, HandlerId, bool, const void*, std::size_t) override {}
    void piece(int, int tag, std::uint64_t, std::uint64_t, const void*, std::size_t) override {
      tags.push_back(tag);
    }
    std::vector<int> tags;
  } box;
  Mail mail(2, 0);
  std::vector<int> order(100);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(3));
  for (const int number : order) {
    const SentHead head{
        .head = {.from = 1}, .number = static_cast<std::uint64_t>(number), .tag = number};
    EXPECT_TRUE(mail.piece(head, nullptr, 0));
    EXPECT_FALSE(mail.piece(head, nullptr, 0)) << "twice";
  }
  Mail::Bag bag;
  mail.move_to(bag);
  bag.deliver(box);
  std::sort(order.begin(), order.end());
  EXPECT_EQ(box.tags, order);
}

TEST(MailTest, KeepsTheRestWhenAHandlerThrows) {
  struct Box final : Inbox {
    void message(int, HandlerId handler, bool, const void*, std::size_t) override {
      seen.push_back(handler);
      if (handler == 1) throw std::runtime_error("no");
    }
    void piece(int, int, std::uint64_t, std::uint64_t, const void*, std::size_t) override {}
    std::vector<int> seen;
  } box;
  Mail mail(1, 3);
  for (HandlerId handler = 0; handler < 3; ++handler) {
    EXPECT_TRUE(mail.message({.handler = handler}, nullptr, 0));
  }
  Mail::Bag bag;
  mail.move_to(bag);
  EXPECT_THROW(bag.deliver(box), std::runtime_error);
  bag.deliver(box);
  EXPECT_EQ(box.seen, (std::vector<int>{0, 1, 2}));
}

TEST(GetsTest, TakeOnlyWhatWasAskedFor) {
  Gets gets;
  std::vector<std::byte> to(8);
  Completion done;
  const std::uint64_t get = gets.open(1, {to.data(), 8, 8}, 8, done);
  const std::byte data[8]{};
  const auto head = [&](std::uint32_t from, std::uint64_t number, std::uint64_t position) {
    return GotHead{.head = {.from = from}, .get = number, .position = position};
  };
  EXPECT_FALSE(gets.got(head(0, get, 0), data, 4)) << "another cell";
  EXPECT_FALSE(gets.got(head(1, get + 1, 0), data, 4)) << "another get";
  EXPECT_FALSE(gets.got(head(1, get, 5), data, 4)) << "beyond its end";
  EXPECT_TRUE(gets.got(head(1, get, 4), data, 4));
  EXPECT_FALSE(done.done());
  EXPECT_TRUE(gets.got(head(1, get, 0), data, 4));
  EXPECT_TRUE(done.done());
  EXPECT_FALSE(gets.got(head(1, get, 0), data, 4)) << "after its end";
}

TEST(HeartbeatTest, BlamesNobodyForATimeInWhichItDidNotRunItself) {
  using namespace std::chrono_literals;
  const auto start = Heartbeat::Clock::now();
  Heartbeat heartbeat(2, 10s, start);
  EXPECT_TRUE(heartbeat.is_due(start));
  EXPECT_FALSE(heartbeat.is_due(start + 1s));
  EXPECT_TRUE(heartbeat.is_due(start + 2s));
  for (auto time = 0s; time <= 10s; ++time) {
    heartbeat.look(start + time);
    EXPECT_FALSE(heartbeat.is_silent(1, start + time));
  }
  heartbeat.look(start + 11s);
  EXPECT_TRUE(heartbeat.is_silent(1, start + 11s));
  heartbeat.hear(1, start + 11s);
  heartbeat.look(start + 60s);  // stopped meanwhile, for which 2 s count
  EXPECT_FALSE(heartbeat.is_silent(1, start + 60s));
  EXPECT_FALSE(heartbeat.is_silent(1, start + 68s));
  EXPECT_TRUE(heartbeat.is_silent(1, start + 69s));
}

TEST(HeartbeatTest, NoticesSilenceWhereItSeldomRunsItself) {
  using namespace std::chrono_literals;
  auto time = Heartbeat::Clock::now();
  Heartbeat heartbeat(2, 10s, time);
  int looks = 0;
  while (!heartbeat.is_silent(1, time) && looks < 100) {
    heartbeat.look(time += 7s);
    ++looks;
  }
  EXPECT_EQ(looks, 6);  // each counts for 2 s
}

}  // namespace
}  // namespace kinjo::comm::test
