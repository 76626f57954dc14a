/// What happens where the kernel refuses: each case runs in a child process under a seccomp filter.
#include <sys/syscall.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <kinjo/kinjo.hpp>

#include "support/seccomp.hpp"

namespace kinjo {
namespace {

constexpr std::size_t kBytes = 64 << 20;
constexpr std::size_t kPages = kBytes / 4096;

/// Runs `f` in a child whose kernel refuses `call`, and expects it to print exactly `expected`.
#define EXPECT_WHEN_REFUSED(call, error, f, expected)               \
  EXPECT_EXIT(                                                      \
      {                                                             \
        if (!test::refuse_system_call(call, error)) std::exit(1);   \
        std::fputs(("<" + std::string(f()) + ">").c_str(), stderr); \
        std::exit(0);                                               \
      },                                                            \
      testing::ExitedWithCode(0), testing::HasSubstr("<" + std::string(expected) + ">"))

class Ladder : public testing::Test {
 protected:
  void SetUp() override {
    testing::GTEST_FLAG(death_test_style) = "threadsafe";
    if (page_bytes() != 4096) GTEST_SKIP() << "the messages count pages of 4096 bytes";
  }
};

std::string bound_report() {
  const int node = Topology::this_machine().allowed_nodes().first();
  const Buffer buffer = alloc_on(node, kBytes);
  return fmt::format("{}: {}", to_string(buffer.placement().rung), buffer.placement().message);
}

TEST_F(Ladder, TouchesPagesFromTheNodeWhereMbindIsRefused) {
  const int node = Topology::this_machine().allowed_nodes().first();
  EXPECT_WHEN_REFUSED(
      SYS_mbind, EPERM, bound_report,
      fmt::format("first_touch: cannot bind 64 MiB to node {0}: mbind returned EPERM "
                  "(a container's seccomp profile?); pages were placed by first "
                  "touch instead, {1} of {1} on node {0}",
                  node, kPages));
}

TEST_F(Ladder, TellsAKernelWithoutNumaFromOneThatRefuses) {
  const int node = Topology::this_machine().allowed_nodes().first();
  EXPECT_WHEN_REFUSED(SYS_mbind, ENOSYS, bound_report,
                      fmt::format("first_touch: cannot bind 64 MiB to node {0}: mbind returned "
                                  "ENOSYS (a kernel without NUMA support?); pages were placed by "
                                  "first touch instead, {1} of {1} on node {0}",
                                  node, kPages));
}

std::string report_without_affinity() {
  test::refuse_system_call(SYS_sched_setaffinity, EPERM);
  return bound_report();
}

TEST_F(Ladder, SaysThatPagesAreUnplacedWhereNothingWorks) {
  const int node = Topology::this_machine().allowed_nodes().first();
  EXPECT_WHEN_REFUSED(
      SYS_mbind, EPERM, report_without_affinity,
      fmt::format("unplaced: cannot bind 64 MiB to node {}: mbind returned EPERM (a container's "
                  "seccomp profile?); no thread could be pinned there to touch them either, so "
                  "pages are where the system puts them",
                  node));
}

std::string report_without_move_pages() {
  test::refuse_system_call(SYS_move_pages, EPERM);
  return bound_report();
}

TEST_F(Ladder, DoesNotClaimWhatItCouldNotCheck) {
  const int node = Topology::this_machine().allowed_nodes().first();
  EXPECT_WHEN_REFUSED(
      SYS_mbind, EPERM, report_without_move_pages,
      fmt::format("first_touch: cannot bind 64 MiB to node {}: mbind returned EPERM (a container's "
                  "seccomp profile?); pages were placed by first touch instead, where they are is "
                  "not known: move_pages returned EPERM",
                  node));
}

std::string report_of_more_than_there_is() {
  const int node = Topology::this_machine().allowed_nodes().first();
  const Buffer buffer = alloc_on(node, available_memory_bytes() * 2);
  return fmt::format("{}, {} pages are there: {}", to_string(buffer.placement().rung),
                     audit(buffer.data(), kBytes).on(node),
                     buffer.placement().message.substr(buffer.placement().message.find(", too ")));
}

TEST_F(Ladder, TouchesNoMoreThanTheSystemHas) {
  if (available_memory_bytes() == 0) GTEST_SKIP() << "the system does not say what it has";
  EXPECT_WHEN_REFUSED(SYS_mbind, EPERM, report_of_more_than_there_is,
                      "unplaced, 0 pages are there: , too little to touch them all, so pages are "
                      "where the system puts them");
}

std::string interleaved_report() {
  const Buffer buffer =
      alloc_interleaved({Topology::this_machine().allowed_nodes().first()}, kBytes);
  return fmt::format("{}: {}", to_string(buffer.placement().rung), buffer.placement().message);
}

TEST_F(Ladder, LeavesInterleavedPagesUnplacedAndSaysSo) {
  const int node = Topology::this_machine().allowed_nodes().first();
  EXPECT_WHEN_REFUSED(
      SYS_mbind, EPERM, interleaved_report,
      fmt::format("unplaced: cannot interleave 64 MiB over nodes {}: mbind returned "
                  "EPERM; pages are where the system puts them",
                  node));
}

std::string array_report() {
  const Topology machine = Topology::discover();
  Team team(Mapping(machine, Policy::scatter(), machine.allowed_cpus().count()));
  const PartitionedArray<double> array(team, 1 << 20);
  const ArrayAudit audit = array.audit();
  return fmt::format("{}, {} of {} pages as asked, bind_memory {}",
                     to_string(array.placement().rung), audit.as_asked(), audit.pages(),
                     machine.support().bind_memory);
}

TEST_F(Ladder, PlacesArraysByTheFirstTouchOfTheirOwners) {
  EXPECT_WHEN_REFUSED(SYS_mbind, EPERM, array_report,
                      "first_touch, 2048 of 2048 pages as asked, bind_memory false");
}

std::string team_report() {
  const Topology machine = Topology::discover();
  try {
    Team team(Mapping(machine, Policy::scatter(), 1));
  } catch (const Error& error) {
    return fmt::format("{}: {}", to_string(error.code()), error.what());
  }
  return "no error";
}

TEST_F(Ladder, DoesNotStartATeamThatCannotBePinned) {
  const int cpu = Topology::this_machine().allowed_cpus().first();
  EXPECT_WHEN_REFUSED(SYS_sched_setaffinity, EPERM, team_report,
                      fmt::format("not_permitted: cannot pin the thread to CPU {}: "
                                  "sched_setaffinity returned EPERM (a container's seccomp "
                                  "profile?)",
                                  cpu));
}

}  // namespace
}  // namespace kinjo
