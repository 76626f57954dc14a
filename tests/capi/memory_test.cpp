#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "capi/owned.hpp"

namespace kinjo::test {
namespace {

constexpr std::size_t kBytes = 1 << 20;

/// The first node of this machine that may be used.
int some_node() {
  const CTopology machine(kinjo_topology_discover());
  for (int i = 0; i < kinjo_topology_node_count(machine.get()); ++i) {
    kinjo_node node;
    kinjo_topology_get_node(machine.get(), i, &node);
    if (node.allowed) return node.node;
  }
  return -1;
}

TEST(CMemory, LiesOnTheNodeAndSaysWhere) {
  const int node = some_node();
  const CMemory memory(kinjo_memory_alloc_on(node, kBytes, 0));
  ASSERT_TRUE(memory) << kinjo_last_error();
  std::memset(memory.get(), 1, kBytes);

  kinjo_audit audit;
  ASSERT_EQ(kinjo_memory_audit(memory.get(), kBytes, &audit), KINJO_OK);
  EXPECT_EQ(audit.pages * audit.page_bytes, kBytes);
  if (audit.refusal) GTEST_SKIP() << "the kernel does not say where pages are";
  ASSERT_EQ(audit.node_count, 1);
  EXPECT_EQ(audit.nodes[0].node, node);
  EXPECT_EQ(audit.nodes[0].pages, audit.pages);
  EXPECT_EQ(audit.elsewhere, 0U);

  const char* message = nullptr;
  const int rung = kinjo_memory_placement(memory.get(), &message);
  EXPECT_GE(rung, KINJO_BOUND);
  ASSERT_NE(message, nullptr);
  EXPECT_EQ(std::string(message).empty(), rung == KINJO_BOUND);
}

TEST(CMemory, IsInterleaved) {
  const int node = some_node();
  const CMemory memory(kinjo_memory_alloc_interleaved(&node, 1, kBytes, KINJO_HUGE_PAGES));
  ASSERT_TRUE(memory) << kinjo_last_error();
  static_cast<char*>(memory.get())[kBytes - 1] = 1;
}

TEST(CMemory, RefusesNodesThatAreNotThere) {
  const int nodes[] = {some_node(), 999999};
  EXPECT_EQ(kinjo_memory_alloc_on(999999, kBytes, 0), nullptr);
  EXPECT_EQ(kinjo_last_status(), KINJO_NOT_FOUND);
  EXPECT_EQ(kinjo_memory_alloc_on(-1, kBytes, 0), nullptr);
  EXPECT_EQ(kinjo_last_status(), KINJO_NOT_FOUND);
  EXPECT_EQ(kinjo_memory_alloc_interleaved(nodes, 2, kBytes, 0), nullptr);
  EXPECT_EQ(kinjo_last_status(), KINJO_NOT_FOUND);
  EXPECT_STREQ(kinjo_last_error(), "no node 999999 on this machine");
  EXPECT_EQ(kinjo_memory_alloc_interleaved(nodes, 0, kBytes, 0), nullptr);
  EXPECT_EQ(kinjo_memory_alloc_interleaved(nullptr, 1, kBytes, 0), nullptr);
  EXPECT_STREQ(kinjo_last_error(), "nodes is NULL");
}

TEST(CMemory, RefusesSizesThatCannotBe) {
  EXPECT_EQ(kinjo_memory_alloc_on(some_node(), 0, 0), nullptr);
  EXPECT_EQ(kinjo_last_status(), KINJO_INVALID_ARGUMENT);
  EXPECT_EQ(kinjo_memory_alloc_on(some_node(), std::numeric_limits<std::size_t>::max() / 2, 0),
            nullptr);
  EXPECT_EQ(kinjo_last_status(), KINJO_OUT_OF_MEMORY);
  EXPECT_EQ(kinjo_memory_alloc_on(some_node(), kBytes, 1024), nullptr);
  EXPECT_EQ(kinjo_last_status(), KINJO_INVALID_ARGUMENT);
}

TEST(CMemory, NoticesAddressesThatAreNotItsOwn) {
  int mine = 0;
  EXPECT_EQ(kinjo_memory_free(&mine), KINJO_INVALID_ARGUMENT);
  EXPECT_EQ(kinjo_memory_placement(&mine, nullptr), KINJO_INVALID_ARGUMENT);
  void* memory = kinjo_memory_alloc_on(some_node(), kBytes, 0);
  EXPECT_EQ(kinjo_memory_free(memory), KINJO_OK);
  EXPECT_EQ(kinjo_memory_free(memory), KINJO_INVALID_ARGUMENT);
  EXPECT_EQ(kinjo_memory_free(nullptr), KINJO_OK);
}

TEST(CMemory, AuditsAnyMemoryButNull) {
  const int mine = 0;
  kinjo_audit audit;
  EXPECT_EQ(kinjo_memory_audit(&mine, sizeof mine, &audit), KINJO_OK);
  EXPECT_EQ(audit.pages, 1U);
  EXPECT_EQ(kinjo_memory_audit(nullptr, 1, &audit), KINJO_INVALID_ARGUMENT);
  EXPECT_EQ(kinjo_memory_audit(&mine, sizeof mine, nullptr), KINJO_INVALID_ARGUMENT);
}

TEST(CMemory, AuditsNoRangeThatGoesOnWhereAddressesEnd) {
  const int mine = 0;
  kinjo_audit audit;
  EXPECT_EQ(kinjo_memory_audit(&mine, std::numeric_limits<std::size_t>::max(), &audit),
            KINJO_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(kinjo_last_error()).rfind("18446744073709551615 bytes at 0x", 0), 0U);
}

}  // namespace
}  // namespace kinjo::test
