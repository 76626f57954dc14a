#include "paths/ring.hpp"

#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <thread>

#include <gtest/gtest.h>

#include "memory/claim.hpp"

namespace kinjo::paths::detail {
namespace {

TEST(Ring, HoldsAsManyAsItHasRoomFor) {
  Ring<std::uint64_t, 4> ring;
  EXPECT_TRUE(ring.is_empty());
  EXPECT_EQ(ring.front(), nullptr);
  for (std::uint64_t i = 0; i < 4; ++i) {
    ASSERT_NE(ring.back(), nullptr);
    *ring.back() = i;
    ring.push();
  }
  EXPECT_EQ(ring.back(), nullptr);
  EXPECT_FALSE(ring.is_empty());
  for (std::uint64_t i = 0; i < 4; ++i) {
    ASSERT_NE(ring.front(), nullptr);
    EXPECT_EQ(*ring.front(), i);
    ring.pop();
    EXPECT_EQ(ring.is_empty(), i == 3);
    EXPECT_NE(ring.back(), nullptr);
  }
  EXPECT_EQ(ring.front(), nullptr);
}

TEST(Ring, BringsElementsToAnotherThreadWhichClaimsThem) {
  constexpr std::uint64_t kElements = 20'000;
  using Element = std::array<std::uint64_t, 20>;  // lines with parts of two elements
  Ring<Element, 8> ring;
  std::thread sender([&ring] {
    for (std::uint64_t i = 0; i < kElements; ++i) {
      while (ring.back() == nullptr) std::this_thread::yield();
      std::iota(ring.back()->begin(), ring.back()->end(), i);
      ring.push();
    }
    while (!ring.is_empty()) std::this_thread::yield();
  });
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < kElements; ++i) {
    while (ring.front() == nullptr) std::this_thread::yield();
    kinjo::detail::claim(std::span(*ring.front()));
    for (std::uint64_t k = 0; k < ring.front()->size(); ++k) {
      wrong += (*ring.front())[k] == i + k ? 0 : 1;
    }
    ring.pop();
  }
  sender.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Claim, LeavesElementsAsTheyAre) {
  std::array<std::uint32_t, 1000> elements{};
  std::iota(elements.begin(), elements.end(), 7U);
  const std::array<std::uint32_t, 1000> before = elements;
  kinjo::detail::claim(std::span(elements).subspan(3, 900));
  kinjo::detail::claim(std::span(elements).first(1));
  kinjo::detail::claim(std::span(elements).first(0));
  EXPECT_EQ(elements, before);
}

}  // namespace
}  // namespace kinjo::paths::detail
