/// Tables 3 and 4 of S1, as `ulibc_4way_sandybridge.json` in the directory `KINJO_TEST_PAPER` has
/// them.
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <kinjo/mapping.hpp>
#include <nlohmann/json.hpp>

namespace kinjo::test {
namespace {

/// S1's table 2: four packages of eight cores, CPU = package·8 + core + 32·smt.
Topology four_way_sandy_bridge() {
  std::string indexes;
  for (int package = 0; package < 4; ++package) {
    for (int core = 0; core < 8; ++core) {
      for (int smt = 0; smt < 2; ++smt) {
        indexes += (indexes.empty() ? "" : ",") + std::to_string(package * 8 + core + 32 * smt);
      }
    }
  }
  return Topology::from("synthetic:pack:4 numa:1 core:8 pu:2(indexes=" + indexes + ")");
}

class PublishedTables : public testing::Test {
 protected:
  void SetUp() override {
    const char* directory = std::getenv("KINJO_TEST_PAPER");
    if (!directory || !*directory) {
      GTEST_SKIP() << "KINJO_TEST_PAPER is not set: it names a directory with "
                      "ulibc_4way_sandybridge.json";
    }
    std::ifstream file(std::string(directory) + "/ulibc_4way_sandybridge.json");
    ASSERT_TRUE(file) << "no ulibc_4way_sandybridge.json in " << directory;
    tables_ = nlohmann::json::parse(file);
  }

  nlohmann::json tables_;
  const Topology machine_ = four_way_sandy_bridge();
};

TEST_F(PublishedTables, OfCpusByThreadComeOutExactly) {
  ASSERT_EQ(tables_["mapping"].size(), 3u);
  for (const auto& [policy, cpus] : tables_["mapping"].items()) {
    ASSERT_EQ(cpus.size(), 64u);
    const Mapping mapping(machine_, Policy::parse(policy), 64);
    for (std::size_t t = 0; t < 64; ++t) {
      EXPECT_EQ(mapping[t].cpu, cpus[t].get<int>()) << policy << ", thread " << t;
    }
  }
}

TEST_F(PublishedTables, OfNodesCoresAndSiblingsInUseComeOutExactly) {
  ASSERT_EQ(tables_["table4"].size(), 3u);
  for (const auto& [policy, table] : tables_["table4"].items()) {
    for (std::size_t column = 0; column < table["threads"].size(); ++column) {
      const auto threads = table["threads"][column].get<std::size_t>();
      SCOPED_TRACE(policy + " with " + std::to_string(threads) + " threads");
      std::map<int, std::set<int>> cores;
      std::map<std::pair<int, int>, std::size_t> siblings;
      const Mapping mapping(machine_, Policy::parse(policy), threads);
      for (const Place& place : mapping) {
        cores[place.node].insert(place.core);
        ++siblings[{place.node, place.core}];
      }
      EXPECT_EQ(mapping.nodes().size(), table["numa_nodes"][column].get<std::size_t>());
      for (const auto& [node, used] : cores) {
        EXPECT_EQ(used.size(), table["cores_per_node"][column].get<std::size_t>());
      }
      for (const auto& [core, used] : siblings) {
        EXPECT_EQ(used, table["threads_per_core"][column].get<std::size_t>());
      }
    }
  }
}

}  // namespace
}  // namespace kinjo::test
