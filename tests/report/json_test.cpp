/// The JSON of DESIGN section 4, as docs/json.md describes it.
#include "report/json.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <kinjo/simd.hpp>

#include "support/expect.hpp"
#include "support/machine_samples.hpp"
#include "support/scratch.hpp"

namespace kinjo {
namespace {

using test::error_of;

Record full_record() {
  return {.workload = "stream",
          .parameters = {{"elements", std::int64_t{100}}, {"share", 0.5}, {"bind", "cpu"}},
          .policy = "scatter",
          .threads = 2,
          .metrics = {{.name = "triad", .unit = "GB/s", .samples = {3, 1, 2}}},
          .verified = true,
          .result = {{"pages", std::int64_t{7}}}};
}

TEST(TopologyJson, HoldsEachFieldOfASmallMachine) {
  EXPECT_EQ(topology_json(Topology::from(test::kTwoCpus)), Json::parse(R"({
    "schema": "kinjo-topo/1",
    "origin": "synthetic:pack:1 [numa(memory=1073741824)] l2:1(size=1048576) core:2 pu:1",
    "packages": [{"package": 0, "model": "", "cpus": [0, 1]}],
    "nodes": [{"node": 0, "cpus": [0, 1], "memory_bytes": 1073741824, "memory_kind": "ordinary",
               "allowed": true, "distances": {}}],
    "cpus": [{"cpu": 0, "logical": 0, "package": 0, "node": 0, "core": 0, "smt": 0, "kind": 0,
              "allowed": true},
             {"cpu": 1, "logical": 1, "package": 0, "node": 0, "core": 1, "smt": 0, "kind": 0,
              "allowed": true}],
    "caches": [{"level": 2, "type": "unified", "size_bytes": 1048576, "line_bytes": 64,
                "cpus": [0, 1]}],
    "core_kinds": [{"name": "", "efficiency": -1, "cpus": [0, 1]}],
    "allowed_cpus": [0, 1],
    "allowed_nodes": [0],
    "nodes_span_packages": false,
    "cpu_quota": null,
    "support": {"this_machine": false, "bind_threads": false, "bind_memory": false,
                "query_pages": false},
    "simd": null})"));
}

TEST(TopologyJson, NamesDistancesByNodeAsText) {
  const test::Scratch scratch;
  const std::string file = scratch.write("machine.xml", test::two_packages_xml("Model"));
  const Json nodes = topology_json(Topology::from(file))["nodes"];
  EXPECT_EQ(nodes[0]["distances"], Json::parse(R"({"0": 10, "5": 21})"));
  EXPECT_EQ(nodes[1]["distances"], Json::parse(R"({"0": 22, "5": 10})"));
}

TEST(TopologyJson, SaysNullWhereADescriptionHasNoMemorySizes) {
  const Json json = topology_json(Topology::from("synthetic:pack:2 [numa] pu:1"));
  for (const Json& node : json["nodes"]) EXPECT_TRUE(node["memory_bytes"].is_null());
}

TEST(TopologyJson, SaysWhatThisMachineSupports) {
  const Json json = topology_json(Topology::this_machine());
  EXPECT_EQ(json["origin"], "this machine");
  EXPECT_EQ(json["support"]["this_machine"], true);
  EXPECT_EQ(json["simd"]["level"], to_string(simd_level()));
  EXPECT_EQ(json["simd"]["levels"].front(), "scalar");
}

TEST(MappingJson, HoldsEachFieldOfEachThread) {
  const Mapping mapping(Topology::from(test::kTwoNodes), Policy::scatter(), 3);
  EXPECT_EQ(mapping_json(mapping), Json::parse(R"({
    "schema": "kinjo-map/1", "policy": "scatter", "rounds": 1, "threads": [
      {"thread": 0, "cpu": 0, "node": 0, "package": 0, "core": 0, "smt": 0, "rank_in_node": 0,
       "node_threads": 2},
      {"thread": 1, "cpu": 4, "node": 1, "package": 1, "core": 0, "smt": 0, "rank_in_node": 0,
       "node_threads": 1},
      {"thread": 2, "cpu": 2, "node": 0, "package": 0, "core": 1, "smt": 0, "rank_in_node": 1,
       "node_threads": 2}]})"));
}

TEST(MappingJson, SaysMinusOneForWhatPolicyNoneLeavesOpen) {
  const Mapping mapping(Topology::from(test::kTwoNodes), Policy::none(), 1);
  EXPECT_EQ(mapping_json(mapping)["threads"], Json::parse(R"([
      {"thread": 0, "cpu": -1, "node": -1, "package": -1, "core": -1, "smt": -1,
       "rank_in_node": 0, "node_threads": 1}])"));
}

TEST(RecordJson, HoldsEachField) {
  EXPECT_EQ(record_json(full_record(), Topology::from(test::kTwoCpus)), Json::parse(R"({
    "schema": "kinjo-record/1",
    "workload": "stream",
    "parameters": {"elements": 100, "share": 0.5, "bind": "cpu"},
    "policy": "scatter",
    "threads": 2,
    "metrics": {"triad": {"value": 2.0, "unit": "GB/s", "min": 1.0, "max": 3.0, "low": 1.0,
                          "high": 3.0, "samples": [3.0, 1.0, 2.0]}},
    "verified": true,
    "result": {"pages": 7},
    "machine": {"packages": 1, "nodes": 1, "cpus": 2, "allowed_cpus": "0-1",
                "last_level_cache_bytes": 1048576, "models": [""]}})"));
}

TEST(RecordJson, HoldsPagesByNodeWhereSomebodyLooked) {
  Record record = full_record();
  record.pages = {{.node = 0, .asked = 5, .there = 7, .as_asked = 5},
                  {.node = 3, .asked = 4, .there = 2, .as_asked = 2}};
  EXPECT_EQ(record_json(record, Topology::from(test::kTwoCpus))["result"], Json::parse(R"({
    "pages": 7, "pages_by_node": [{"node": 0, "asked": 5, "there": 7, "as_asked": 5},
                                  {"node": 3, "asked": 4, "there": 2, "as_asked": 2}]})"));
}

TEST(RecordJson, NamesTheMemoryPolicyUnlessItIsInherited) {
  Record record = full_record();
  EXPECT_FALSE(record_json(record, Topology::from(test::kTwoCpus)).contains("memory"));
  record.memory = "interleave";
  EXPECT_EQ(record_json(record, Topology::from(test::kTwoCpus))["memory"], "interleave");
}

TEST(RecordJson, LeavesOutAVerificationThatNobodyAskedFor) {
  Record record = full_record();
  record.verified.reset();
  EXPECT_FALSE(record_json(record, Topology::from(test::kTwoCpus)).contains("verified"));
}

TEST(RecordJson, RefusesAMetricWithoutSamples) {
  Record record = full_record();
  record.metrics[0].samples.clear();
  EXPECT_EQ(error_of([&] { record_json(record, Topology::from(test::kTwoCpus)); }),
            "invalid_argument: no samples to summarize");
}

TEST(RecordsJson, HoldsRecordsInTheirOrder) {
  std::vector<Record> records = {full_record(), full_record()};
  records[1].policy = "none";
  const Json json = records_json(records, Topology::from(test::kTwoCpus));
  EXPECT_EQ(json["schema"], "kinjo-records/1");
  ASSERT_EQ(json["records"].size(), 2u);
  EXPECT_EQ(json["records"][0]["policy"], "scatter");
  EXPECT_EQ(json["records"][1]["policy"], "none");
  EXPECT_EQ(records_json({}, Topology::from(test::kTwoCpus))["records"], Json::array());
}

TEST(JsonText, IsIndentedKeepsTheOrderOfMembersAndEndsTheLine) {
  EXPECT_EQ(json_text({{"z", 1}, {"a", "é \"quoted\" \\ \n"}}),
            "{\n  \"z\": 1,\n  \"a\": \"é \\\"quoted\\\" \\\\ \\n\"\n}\n");
}

TEST(JsonText, IsValidWhateverBytesANameHolds) {
  struct Case {
    std::string name;
    std::string read_back;
  };
  for (const Case& c : {Case{"bad \xff byte", "bad \uFFFD byte"},
                        {"cut off \xe8\xbf", "cut off \uFFFD"},
                        {"\xc0\x80 overlong", "\uFFFD\uFFFD overlong"},
                        {"control \x01\x1b[31m", "control \x01\x1b[31m"},
                        {std::string("NUL \0 inside", 12), std::string("NUL \0 inside", 12)},
                        {"quote \" and \\", "quote \" and \\"}}) {
    EXPECT_EQ(Json::parse(json_text({{"name", c.name}}))["name"], c.read_back);
  }
}

TEST(JsonText, IsValidForAMachineWithAnOddModelInAnOddPath) {
  const test::Scratch scratch;
  const std::string file =
      scratch.write("odd \xff\n name.xml", test::two_packages_xml("Model \xfe &quot;X&quot;"));
  const Topology machine = Topology::from(file);
  const Json json = Json::parse(json_text(topology_json(machine)));
  EXPECT_EQ(json["packages"][0]["model"], "Model \uFFFD \"X\"");
  EXPECT_TRUE(json["origin"].get<std::string>().ends_with("odd \uFFFD\n name.xml"));
  const Json record = Json::parse(json_text(record_json(full_record(), machine)));
  EXPECT_EQ(record["machine"]["models"], Json::array({"Model \uFFFD \"X\""}));
}

TEST(JsonText, SaysNullForNumbersThatJsonDoesNotHave) {
  EXPECT_EQ(json_text({std::numeric_limits<double>::infinity(), std::nan("")}),
            "[\n  null,\n  null\n]\n");
}

}  // namespace
}  // namespace kinjo
