#include "report/where_json.hpp"

#include <gtest/gtest.h>

namespace kinjo {
namespace {

WhereReport report() {
  ProcessView view{.pid = 70, .name = "so,lve"};
  view.threads.push_back({.tid = 70,
                          .name = "so,lve",
                          .state = 'R',
                          .running = true,
                          .cpu = 4,
                          .node = 1,
                          .allowed_cpus = {4, 5},
                          .allowed_nodes = {0, 1},
                          .migrations = 3,
                          .cpu_time_ns = 9});
  view.memory = MemoryView{.bytes = {{0, 4096}, {1, 12288}}};
  view.memory->mappings = {{.begin = 0x1000, .page_bytes = 4096, .bytes = {{0, 4096}}},
                           {.begin = 0xa000,
                            .name = "[heap]",
                            .policy = "default",
                            .page_bytes = 4096,
                            .bytes = {{1, 12288}}}};
  WhereReport report{.numa_balancing = true};
  report.looks.push_back({view, std::nullopt});
  ProcessView later = view;
  later.when += std::chrono::milliseconds(1500);
  later.threads[0].cpu = 5;
  later.memory.reset();
  later.missing = {"pages"};
  report.looks.push_back({later, drift(view, later)});
  const Expectation expectation = parse_expectation("node 0: 50%");
  report.expectations.push_back({expectation, check(expectation, view), 0});
  report.expectations.push_back({expectation, check(expectation, later), 1});
  return report;
}

TEST(WhereJson, HoldsAllThatWasFound) {
  const Json json = where_json(report(), {.largest = std::nullopt});
  EXPECT_EQ(json["schema"], "kinjo-where/1");
  EXPECT_EQ(json["pid"], 70);
  EXPECT_EQ(json["numa_balancing"], true);
  EXPECT_EQ(json["looks"][0]["threads"][0], Json::parse(R"json({
    "tid": 70, "name": "so,lve", "state": "R", "running": true, "cpu": 4, "node": 1,
    "allowed_cpus": [4, 5], "allowed_nodes": [0, 1], "migrations": 3, "cpu_changes": 0,
    "numa_pages_migrated": null, "cpu_time_ns": 9})json"));
  EXPECT_EQ(json["looks"][0]["memory"], Json::parse(R"json({
    "source": "numa_maps", "bytes": 16384, "unknown_bytes": 0,
    "nodes": [{"node": 0, "bytes": 4096, "share": 0.25}, {"node": 1, "bytes": 12288, "share": 0.75}],
    "mapping_count": 2,
    "mappings": [
      {"address": "a000", "name": "[heap]", "policy": "default", "page_bytes": 4096, "bytes": 12288,
       "nodes": {"1": 12288}},
      {"address": "1000", "name": "", "policy": "", "page_bytes": 4096, "bytes": 4096,
       "nodes": {"0": 4096}}]})json"));
  EXPECT_EQ(json["looks"][0]["locality"], Json::parse(R"json({
    "none_running": false, "near": 0.75, "if_shared": 0.75, "if_divided": 0.75})json"));
  EXPECT_EQ(json["looks"][0]["drift"], nullptr);
}

TEST(WhereJson, HoldsDriftAndWhatIsMissing) {
  const Json look = where_json(report(), {})["looks"][1];
  EXPECT_EQ(look["seconds"], 1.5);
  EXPECT_EQ(look["memory"], nullptr);
  EXPECT_EQ(look["locality"], nullptr);
  EXPECT_EQ(look["missing"], Json::parse(R"json(["pages"])json"));
  EXPECT_EQ(look["drift"], Json::parse(R"json({
    "seconds": 1.5,
    "threads": [{"tid": 70, "name": "so,lve", "cpu": [4, 5], "node": [1, 1],
                 "allowed_cpus": [[4, 5], [4, 5]]}],
    "started": 0, "ended": 0, "migrations": 0, "memory": {}, "moved_bytes": 0,
    "numa_pages_migrated": null})json"));
}

TEST(WhereJson, HoldsExpectations) {
  EXPECT_EQ(where_json(report(), {})["expectations"], Json::parse(R"json([
    {"expectation": "node 0: >= 50 %", "satisfied": false, "percent": 25.0,
     "found": "25.0 % (4 KiB of 16 KiB)", "look": 0},
    {"expectation": "node 0: >= 50 %", "satisfied": null, "percent": null, "found": "unknown",
     "look": 1}])json"));
}

TEST(WhereTable, HasARowForEachThreadNodeAndMapping) {
  EXPECT_EQ(where_table(report(), {.largest = 1}).to_csv(),
            "look,seconds,kind,id,name,state,running,cpu,node,allowed_cpus,migrations,bytes,share\n"
            "0,0.000,thread,70,\"so,lve\",R,true,4,1,4-5,3,,\n"
            "0,0.000,node,0,,,,,0,,,4096,0.250000\n"
            "0,0.000,node,1,,,,,1,,,12288,0.750000\n"
            "0,0.000,mapping,a000,[heap],,,,1,,,12288,1.000000\n"
            "1,1.500,thread,70,\"so,lve\",R,true,5,1,4-5,3,,\n");
}

}  // namespace
}  // namespace kinjo
