#include "memory/memory_choice.hpp"

#include <gtest/gtest.h>
#include <kinjo/error.hpp>

namespace kinjo::detail {
namespace {

const Topology& machine() {
  static const Topology four_nodes = Topology::from("synthetic:pack:4 numa:1 core:1 pu:1");
  return four_nodes;
}

TEST(MemoryChoice, ReadsWhatIsAccepted) {
  struct Row {
    const char* text;
    MemoryPolicy policy;
    NodeSet nodes;
  };
  for (const Row& row : {Row{"local", MemoryPolicy::local, {}},
                         Row{"interleave", MemoryPolicy::interleave, {0, 1, 2, 3}},
                         Row{"interleave:1-2", MemoryPolicy::interleave, {1, 2}},
                         Row{"bind:0,3", MemoryPolicy::bind, {0, 3}},
                         Row{"preferred:2", MemoryPolicy::preferred, {2}},
                         Row{"preferred:1,2", MemoryPolicy::preferred_many, {1, 2}}}) {
    const MemoryChoice choice = parse_memory(row.text, machine());
    EXPECT_EQ(choice.policy, row.policy) << row.text;
    EXPECT_EQ(choice.nodes, row.nodes) << row.text;
    EXPECT_EQ(choice.text, row.text);
  }
}

std::string refusal_of(const char* text) {
  try {
    parse_memory(text, machine());
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(MemoryChoice, SaysWhatIsAcceptedOtherwise) {
  for (const char* text : {"", "far", "local:0", "bind", "preferred", "bind:", "interleave:"}) {
    EXPECT_EQ(refusal_of(text), std::string("unknown memory policy '") + text +
                                    "': expected local, interleave, interleave:NODES, bind:NODES "
                                    "or preferred:NODES, e.g. bind:0-1");
  }
}

TEST(MemoryChoice, RefusesNodesThatDoNotExist) {
  EXPECT_EQ(refusal_of("bind:2,7"),
            "node 7 of memory policy bind:2,7 does not exist: expected nodes of 0-3");
}

TEST(MemoryChoice, RefusesAMalformedList) {
  EXPECT_NE(refusal_of("bind:0-x").find("malformed list of nodes"), std::string::npos);
}

}  // namespace
}  // namespace kinjo::detail
