#include <kinjo/binding.hpp>

#include <thread>

#include <gtest/gtest.h>

#include "capi/owned.hpp"

namespace kinjo::test {
namespace {

TEST(CBinding, PinsTellsAndUndoes) {
  const CMapping mapping = map_here("compact", 1);
  ASSERT_TRUE(mapping) << kinjo_last_error();
  const CpuSet before = thread_affinity();
  kinjo_binding* binding = kinjo_binding_create(mapping.get(), 0, 0);
  ASSERT_TRUE(binding) << kinjo_last_error();
  const kinjo_place here = kinjo_here();
  EXPECT_EQ(here.thread, 0);
  EXPECT_EQ(here.node_threads, 1);
  EXPECT_EQ(kinjo_current_cpu(), here.cpu);
  EXPECT_EQ(thread_affinity(), CpuSet{here.cpu});
  EXPECT_EQ(kinjo_binding_undo(binding), KINJO_OK);
  EXPECT_EQ(kinjo_here().thread, -1);
  EXPECT_EQ(thread_affinity(), before);
}

TEST(CBinding, HoldsToTheNodeWhenAsked) {
  const CMapping mapping = map_here("compact", 1);
  kinjo_binding* binding = kinjo_binding_create(mapping.get(), 0, KINJO_BIND_NODE);
  ASSERT_TRUE(binding) << kinjo_last_error();
  EXPECT_TRUE(thread_affinity().contains(kinjo_here().cpu));
  kinjo_binding_undo(binding);
  EXPECT_EQ(kinjo_binding_create(mapping.get(), 0, KINJO_BIND_NODE | KINJO_BIND_CORE), nullptr);
  EXPECT_STREQ(kinjo_last_error(),
               "KINJO_BIND_CORE and KINJO_BIND_NODE exclude each other: expected one or neither");
}

TEST(CBinding, IsUndoneLastOneFirst) {
  const CMapping mapping = map_here("none", 2);
  kinjo_binding* outer = kinjo_binding_create(mapping.get(), 0, 0);
  kinjo_binding* inner = kinjo_binding_create(mapping.get(), 1, 0);
  ASSERT_TRUE(outer && inner) << kinjo_last_error();
  EXPECT_EQ(kinjo_binding_undo(outer), KINJO_USAGE);
  EXPECT_STREQ(kinjo_last_error(),
               "the binding is not the calling thread's latest: bindings are undone by the thread "
               "that made them, last one first");
  EXPECT_EQ(kinjo_here().thread, 1);
  EXPECT_EQ(kinjo_binding_undo(inner), KINJO_OK);
  EXPECT_EQ(kinjo_here().thread, 0);
  std::thread([&] { EXPECT_EQ(kinjo_binding_undo(outer), KINJO_USAGE); }).join();
  EXPECT_EQ(kinjo_binding_undo(outer), KINJO_OK);
  EXPECT_EQ(kinjo_binding_undo(outer), KINJO_USAGE);  // twice
  EXPECT_EQ(kinjo_binding_undo(nullptr), KINJO_OK);
}

TEST(CBinding, RefusesARowThatIsNotThereAndAMachineThatIsNotThisOne) {
  const CMapping mapping = map_here("none", 2);
  EXPECT_EQ(kinjo_binding_create(nullptr, 0, 0), nullptr);
  EXPECT_STREQ(kinjo_last_error(), "mapping is NULL");
  EXPECT_EQ(kinjo_binding_create(mapping.get(), 2, 0), nullptr);
  EXPECT_EQ(kinjo_last_status(), KINJO_NOT_FOUND);
  EXPECT_EQ(kinjo_binding_create(mapping.get(), -1, 0), nullptr);

  const CTopology other(kinjo_topology_from("synthetic:core:2000 pu:1"));
  const CMapping far(kinjo_mapping_create(other.get(), "cpus:1999", 1, 0));
  ASSERT_TRUE(far) << kinjo_last_error();
  EXPECT_EQ(kinjo_binding_create(far.get(), 0, 0), nullptr);
  EXPECT_EQ(kinjo_last_status(), KINJO_INVALID_ARGUMENT);
  EXPECT_EQ(kinjo_here().thread, -1);
}

}  // namespace
}  // namespace kinjo::test
