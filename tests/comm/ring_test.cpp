#include "comm/ring.hpp"

#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

namespace kinjo::comm::detail {
namespace {

struct Memory {
  alignas(kLine) std::array<std::byte, Ring::kBytes> bytes{};
};

TEST(Ring, CarriesMessagesOfEverySizeOverManyLaps) {
  const auto memory = std::make_unique<Memory>();
  RingWriter writer(memory->bytes.data());
  RingReader reader(memory->bytes.data());
  std::vector<std::byte> data(Ring::kMaxPayload);
  for (std::size_t round = 0; round < 20'000; ++round) {
    const std::size_t bytes = round * 37 % (Ring::kMaxPayload + 1);
    std::memset(data.data(), static_cast<int>(round), bytes);
    ASSERT_TRUE(writer.write(Kind::piece, static_cast<std::uint16_t>(round), nullptr, 0,
                             data.data(), bytes));
    RingReader::Entry entry;
    ASSERT_TRUE(reader.take(entry));
    EXPECT_EQ(entry.kind, Kind::piece);
    EXPECT_EQ(entry.handler, static_cast<std::uint16_t>(round));
    ASSERT_EQ(entry.bytes, bytes);
    ASSERT_EQ(std::memcmp(entry.data, data.data(), bytes), 0);
    reader.release();
    ASSERT_FALSE(reader.take(entry));
  }
}

TEST(Ring, HasNoRoomUntilTheReaderHasReleasedWhatItTook) {
  const auto memory = std::make_unique<Memory>();
  RingWriter writer(memory->bytes.data());
  RingReader reader(memory->bytes.data());
  const auto write = [&] { return writer.write(Kind::request, 0, nullptr, 0, nullptr, 0); };
  for (std::size_t i = 0; i < Ring::kLines; ++i) ASSERT_TRUE(write());
  EXPECT_FALSE(write());
  RingReader::Entry entry;
  ASSERT_TRUE(reader.take(entry));
  EXPECT_FALSE(write());
  reader.release();
  EXPECT_TRUE(write());
  EXPECT_FALSE(write());
}

/// A line in the middle of a message begins with the user's bytes, where a reader of the next lap
/// looks for a tag. They may be any, also those of the tag it looks for.
TEST(Ring, TakesNoPayloadOfTheLapBeforeForAMessage) {
  const auto memory = std::make_unique<Memory>();
  RingWriter writer(memory->bytes.data());
  RingReader reader(memory->bytes.data());
  std::uint64_t words[15] = {};
  // The line at position 1 begins with the eighth word; the reader comes back to it at 1 + kLines.
  words[7] = Ring::stamp(1 + Ring::kLines) | std::uint64_t{1} << 29 | std::uint64_t{8} << 16;
  ASSERT_TRUE(writer.write(Kind::request, 0, nullptr, 0, words, sizeof words));
  RingReader::Entry entry;
  ASSERT_TRUE(reader.take(entry));
  ASSERT_EQ(entry.bytes, sizeof words);
  reader.release();
  for (std::size_t position = 2; position <= Ring::kLines; ++position) {
    ASSERT_TRUE(writer.write(Kind::request, 0, nullptr, 0, nullptr, 0));
    ASSERT_TRUE(reader.take(entry)) << position;
    ASSERT_EQ(entry.bytes, 0u);
    reader.release();
  }
  EXPECT_FALSE(reader.take(entry));
}

}  // namespace
}  // namespace kinjo::comm::detail
