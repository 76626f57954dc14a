#include <kinjo/audit.hpp>

#include <cstdint>
#include <cstring>

#include <gtest/gtest.h>
#include <kinjo/error.hpp>
#include <kinjo/memory.hpp>

namespace kinjo {
namespace {

TEST(Audit, TellsTouchedPagesFromUntouchedOnes) {
  const std::size_t page = page_bytes();
  const Buffer buffer = alloc(3000 * page);
  auto* bytes = static_cast<char*>(buffer.data());
  for (std::size_t p = 0; p < 2000; ++p) bytes[p * page] = 1;
  const Audit found = audit(buffer.data(), buffer.size());
  if (found.refusal != 0) GTEST_SKIP() << "this system refuses move_pages";
  std::size_t present = 0;
  for (const auto& [node, pages] : found.by_node) present += pages;
  EXPECT_EQ(found.pages, 3000u);
  EXPECT_EQ(present, 2000u);
  EXPECT_EQ(found.not_present, 1000u);
  EXPECT_EQ(found.unknown, 0u);
}

TEST(Audit, CountsEveryPageThatARangeOverlaps) {
  const Buffer buffer = alloc(4 * page_bytes());
  auto* bytes = static_cast<char*>(buffer.data());
  EXPECT_EQ(audit(bytes + page_bytes() - 1, 2).pages, 2u);
  EXPECT_EQ(audit(bytes, page_bytes()).pages, 1u);
  EXPECT_EQ(audit(bytes, 0).pages, 0u);
  EXPECT_THROW(audit(bytes, SIZE_MAX), Error);
}

TEST(Audit, AddsUpAndReads) {
  Audit sum{.page_bytes = 4096, .pages = 3, .by_node = {{0, 2}}, .not_present = 1};
  sum += Audit{.page_bytes = 4096, .pages = 4, .by_node = {{0, 1}, {2, 3}}};
  EXPECT_EQ(sum.to_string(), "7 pages: 3 on node 0, 3 on node 2, 1 not present");
  sum += Audit{};
  EXPECT_EQ(sum.page_bytes, 4096u);
  EXPECT_EQ(sum.on(2), 3u);
  EXPECT_EQ(sum.on(1), 0u);
  const Audit refused{.page_bytes = 4096, .pages = 5, .unknown = 5, .refusal = 1};
  EXPECT_EQ(refused.to_string(), "5 pages: 5 unknown (move_pages returned EPERM)");
  EXPECT_EQ(Audit{}.to_string(), "0 pages");
}

}  // namespace
}  // namespace kinjo
