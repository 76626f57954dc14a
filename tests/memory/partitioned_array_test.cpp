#include <kinjo/partitioned_array.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <kinjo/team.hpp>

namespace kinjo {
namespace {

Team all_cpus(const Policy& policy) {
  const Topology& machine = Topology::this_machine();
  return Team(Mapping(machine, policy, machine.allowed_cpus().count()));
}

struct Three {
  double x[3];
};
static_assert(sizeof(Three) == 24);

struct alignas(65536) Aligned {
  std::byte bytes[65536];
};

TEST(PartitionedArray, BeginsAtAMultipleOfItsElementsAlignment) {
  Team team(Mapping(Topology::this_machine(), Policy::none(), 1));
  std::vector<PartitionedArray<Aligned>> arrays;
  for (int i = 0; i < 8; ++i) arrays.emplace_back(team, 1);
  for (auto& array : arrays) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.data()) % alignof(Aligned), 0u);
  }
}

TEST(PartitionedArray, IsZeroAndWhollyOwned) {
  Team team = all_cpus(Policy::scatter());
  PartitionedArray<int> array(team, 100'000);
  EXPECT_TRUE(std::ranges::all_of(array.all(), [](int v) { return v == 0; }));
  team.run([&](const Place& me) {
    for (int& v : array.local(me)) v = me.thread + 1;
  });
  for (std::size_t i = 0; i < array.size(); ++i) {
    ASSERT_EQ(array[i], static_cast<int>(array.partition().owner(i)) + 1) << i;
  }
}

TEST(PartitionedArray, IsAuditedPageByPageWhereEveryPageHasAnotherOwner) {
  const std::size_t page = page_bytes();
  constexpr std::size_t kPages = 3001;  // no multiple of what one question to the kernel holds
  constexpr std::size_t kTouched = 2000;
  const Buffer buffer = alloc(kPages * page, {.pages = Pages::normal});
  std::ranges::fill(std::span(static_cast<char*>(buffer.data()), kTouched * page), 1);
  const Topology two_nodes = Topology::from("synthetic:numa:2 core:1 pu:1");
  const Mapping mapping(two_nodes, Policy::scatter(), 2);
  const Partition partition = Partition::cyclic(kPages * page, 2, page);
  const ArrayAudit found = detail::audit_partition(buffer, partition, mapping, 1);
  if (found.total().refusal != 0) GTEST_SKIP() << "this system refuses move_pages";
  EXPECT_EQ(found.pages(), kPages);
  EXPECT_EQ(found.total().not_present, kPages - kTouched);
  EXPECT_EQ(found.by_owner_node.at(0).pages, kPages / 2 + 1);
  EXPECT_EQ(found.by_owner_node.at(0).not_present, (kPages - kTouched) / 2 + 1);
  EXPECT_EQ(found.by_owner_node.at(1).pages, kPages / 2);
  EXPECT_EQ(found.by_owner_node.at(1).not_present, (kPages - kTouched) / 2);
}

class EveryLayout : public testing::TestWithParam<Layout> {};

TEST_P(EveryLayout, HasItsPagesWhereTheyWereAsked) {
  Team team = all_cpus(Policy::compact());
  const PartitionedArray<double> array(team, 3'000'001, {.layout = GetParam(), .chunk = 5000});
  const ArrayAudit audit = array.audit();
  if (audit.total().refusal != 0) GTEST_SKIP() << "this system refuses move_pages";
  EXPECT_EQ(audit.as_asked(), audit.pages());
  EXPECT_EQ(audit.pages(), (3'000'001 * 8 + page_bytes() - 1) / page_bytes());
}

TEST_P(EveryLayout, LetsNoPageHaveTwoOwners) {
  Team team = all_cpus(Policy::scatter());
  PartitionedArray<Three> array(team, 50'000, {.layout = GetParam(), .chunk = 100});
  const std::size_t page = page_bytes();
  for (std::size_t i = 1; i < array.size(); ++i) {
    const bool same_page = i * sizeof(Three) / page == (i * sizeof(Three) - 1) / page;
    if (!same_page) continue;
    ASSERT_EQ(array.partition().owner(i), array.partition().owner(i - 1)) << i;
  }
}

TEST_P(EveryLayout, GivesEachThreadThePiecesOfItsPart) {
  Team team = all_cpus(Policy::scatter());
  PartitionedArray<int> array(team, 70'000, {.layout = GetParam(), .chunk = 3000});
  team.run([&](const Place& me) {
    for (std::size_t k = 0; k < array.pieces(me); ++k) {
      for (int& v : array.piece(me, k)) ++v;
    }
  });
  EXPECT_TRUE(std::ranges::all_of(array.all(), [](int v) { return v == 1; }));
}

INSTANTIATE_TEST_SUITE_P(Layouts, EveryLayout,
                         testing::Values(Layout::block, Layout::cyclic, Layout::block_cyclic),
                         [](const auto& layout) { return to_string(layout.param); });

TEST(PartitionedArray, KeepsPartsEvenWhateverTheSizeOfElementsAndPages) {
  struct Odd {
    char bytes[1000];
  };
  const Topology& machine = Topology::this_machine();
  Team team(Mapping(machine, Policy::scatter(), 3, Oversubscribe::wrap));
  const PartitionedArray<Odd> array(team, 20'000, {.pages = Pages::transparent});
  for (std::size_t part = 0; part < 3; ++part) {
    EXPECT_NEAR(static_cast<double>(array.partition().count(part)), 20'000 / 3.0, 600);
  }
}

TEST(PartitionedArray, KeepsPartsEvenWhereThePoolHasNoHugePagesForIt) {
  Team team(Mapping(Topology::this_machine(), Policy::scatter(), 2, Oversubscribe::wrap));
  const std::size_t size = 300'000;
  const PartitionedArray<double> array(team, size, {.pages = Pages::huge});
  if (array.pages().pages == Pages::huge) {
    EXPECT_EQ(array.partition().granule() * sizeof(double) % huge_page_bytes(), 0u);
  } else {
    EXPECT_EQ(array.partition().granule() * sizeof(double), page_bytes());
    EXPECT_NEAR(static_cast<double>(array.partition().count(0)), size / 2.0, 512);
  }
}

TEST(PartitionedArray, IsAskedForInHugePagesRefusedWhereNeitherPoolNorSystemHasRoom) {
  const std::uint64_t available = available_memory_bytes();
  if (available == 0) GTEST_SKIP() << "the system does not say what it has";
  Team team(Mapping(Topology::this_machine(), Policy::none(), 1));
  EXPECT_THROW(
      PartitionedArray<double>(team, available / sizeof(double) * 2, {.pages = Pages::huge}),
      Error);
}

TEST(PartitionedArray, HasNoElementsOnceItIsMovedFrom) {
  for (Layout layout : {Layout::block, Layout::cyclic}) {
    Team team(Mapping(Topology::this_machine(), Policy::scatter(), 2, Oversubscribe::wrap));
    PartitionedArray<int> a(team, 10'000, {.layout = layout}), b(team, 50'000);
    const int* const data = a.data();
    b = std::move(a);
    EXPECT_EQ(b.data(), data);
    EXPECT_EQ(b.size(), 10'000u);
    EXPECT_EQ(b.partition().layout(), layout);
    const PartitionedArray<int> c(std::move(b));
    EXPECT_EQ(c.data(), data);
    for (const PartitionedArray<int>* from : {&a, &b}) {
      EXPECT_EQ(from->size(), 0u);
      EXPECT_EQ(from->data(), nullptr);
      EXPECT_TRUE(from->all().empty());
      EXPECT_EQ(from->audit().pages(), 0u);
    }
    EXPECT_TRUE(a.local(team.mapping()[1]).empty());
  }
}

TEST(PartitionedArray, RefusesALocalPartWhereThereIsNone) {
  Team team = all_cpus(Policy::scatter());
  PartitionedArray<int> array(team, 10'000, {.layout = Layout::cyclic});
  EXPECT_THROW(array.local(team.mapping()[0]), Error);
}

TEST(PartitionedArray, RefusesNothingAndTooMuch) {
  Team team = all_cpus(Policy::scatter());
  EXPECT_THROW(PartitionedArray<double>(team, 0), Error);
  EXPECT_THROW(PartitionedArray<double>(team, SIZE_MAX / 8), Error);
  // The address space would do, but the owners' first writes would end the process.
  if (const std::uint64_t available = available_memory_bytes()) {
    EXPECT_THROW(PartitionedArray<double>(team, available / sizeof(double) * 2), Error);
  }
}

TEST(PartitionedArray, IsOnlyTouchedUnderPolicyNone) {
  Team team = all_cpus(Policy::none());
  const PartitionedArray<double> array(team, 100'000);
  EXPECT_EQ(array.placement().rung, Rung::unplaced);
  EXPECT_EQ(array.placement().message, "");
  const ArrayAudit audit = array.audit();
  EXPECT_EQ(audit.by_owner_node.count(-1), 1u);
  EXPECT_EQ(audit.total().not_present, 0u);
}

TEST(PartitionedArray, HoldsMoreThreadsThanPages) {
  const Topology& machine = Topology::this_machine();
  Team team(Mapping(machine, Policy::scatter(), 16, Oversubscribe::wrap));
  PartitionedArray<double> array(team, 1000);
  team.run([&](const Place& me) { std::ranges::fill(array.local(me), 1.0); });
  EXPECT_TRUE(std::ranges::all_of(array.all(), [](double v) { return v == 1.0; }));
}

}  // namespace
}  // namespace kinjo
