/// Descriptions of real machines: the directory that `KINJO_TEST_ZOO` names.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace kinjo::test {

/// A line of the zoo's index.
struct ZooMachine {
  std::string name;
  std::size_t packages = 0;
  std::size_t cores = 0;
  std::size_t cpus = 0;
  std::string nodes;       ///< `0,1,2`, or `24nodes` where they are only counted
  std::string no_memory;   ///< nodes whose size is not described
  std::string distances;   ///< the values that occur, ascending; empty without a matrix
  std::string xml;         ///< path of the description; always there
  std::string disallowed;  ///< path of the one that keeps what may not be used, or empty
  std::string tree;        ///< path of the unpacked /sys and /proc tree, or empty
};

/// The machines of the index, or nothing where `KINJO_TEST_ZOO` is not set.
std::optional<std::vector<ZooMachine>> zoo();

/// What a test says when it is skipped.
inline constexpr const char* kNoZoo =
    "KINJO_TEST_ZOO is not set: it names a directory with index.txt, xml/ and sysfs/";

}  // namespace kinjo::test

/// Begins a test over all machines of the zoo: declares `machines`, or skips.
#define KINJO_REQUIRE_ZOO(machines)           \
  const auto machines = ::kinjo::test::zoo(); \
  if (!machines) GTEST_SKIP() << ::kinjo::test::kNoZoo
