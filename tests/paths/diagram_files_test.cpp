#include <kinjo/diagram_files.hpp>

#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/files/kgraph.hpp"
#include "paths/diagram/data.hpp"
#include "paths/diagram_samples.hpp"
#include "support/expect.hpp"
#include "support/scratch.hpp"

namespace kinjo::paths {
namespace {

using kinjo::test::error_of;
using test::Sample;

/// {0, 1}, {0, 2}, {1, 2, 3} and {}: what the samples of other programs hold.
Diagram sample_diagram() { return test::diagram_of(4, {0b0011, 0b0101, 0b1110, 0b0000}); }

/// As Graphillion 2.1 dumps it; the node 12 is {{2, 3, 4}, {}} over elements from 2 on.
constexpr const char* kGraphillionSample =
    "6 4 B T\n4 3 B T\n18 3 B 6\n12 2 4 T\n21 2 T 18\n23 1 21 12\n.\n";

/// As SAPPORO's Export writes it: the root is node 22 with the empty set.
constexpr const char* kSapporoSample =
    "_i 4\n_o 1\n_n 6\n6 1 F T\n8 2 F 6\n10 3 F 8\n2 2 F T\n18 3 2 T\n22 4 10 18\n23\n";

class DiagramFiles : public testing::Test {
 protected:
  Diagram read(std::string_view text, const ReadDiagramOptions& options = {}) {
    return read_diagram(scratch_.write("diagram", text), options);
  }

  /// What is wrong with a text, without the file's name.
  std::string fault(std::string_view text, const ReadDiagramOptions& options = {}) {
    const std::string error = error_of([&] { read(text, options); });
    const std::string head = "bad_input: cannot read '" + scratch_.path("diagram") + "': ";
    return error.starts_with(head) ? error.substr(head.size()) : error;
  }

  std::string written(const Diagram& diagram, const std::string& name) {
    write_diagram(diagram, scratch_.path(name));
    return kinjo::test::read_file(scratch_.path(name));
  }

  kinjo::test::Scratch scratch_;
};

TEST_F(DiagramFiles, KeepAnyFamilyInEveryForm) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 30; ++i) {
    const Sample sample = test::random_sample(random, 9);
    const Diagram diagram = sample.diagram();
    for (const char* name : {"d.kzdd", "d.setset", "d.zbdd"}) {
      write_diagram(diagram, scratch_.path(name));
      EXPECT_EQ(read_diagram(scratch_.path(name), {.items = sample.items}), diagram) << name;
    }
    EXPECT_EQ(read_diagram(scratch_.path("d.zbdd")), diagram);
    ASSERT_FALSE(HasFailure()) << "family " << i;
  }
}

TEST_F(DiagramFiles, KeepFamiliesWithoutNodes) {
  for (const Diagram& diagram : {Diagram(), Diagram::unit(0), Diagram::none(7), Diagram::unit(7)}) {
    for (const char* name : {"d.kzdd", "d.setset", "d.zbdd"}) {
      write_diagram(diagram, scratch_.path(name));
      EXPECT_EQ(read_diagram(scratch_.path(name), {.items = diagram.items()}), diagram) << name;
    }
  }
  EXPECT_EQ(read("B\n.\n"), Diagram());
  EXPECT_EQ(read("T\n.\n", {.items = 3}), Diagram::unit(3));
}

TEST_F(DiagramFiles, OfGraphillionAreReadAndWritten) {
  EXPECT_EQ(read(kGraphillionSample), sample_diagram());
  EXPECT_EQ(read(kGraphillionSample, {.items = 4}), sample_diagram());
  EXPECT_EQ(read(kGraphillionSample, {.items = 6}).items(), 6U);
  EXPECT_EQ(written(sample_diagram(), "d.setset"),
            "2 4 B T\n3 3 B T\n4 3 B 2\n5 2 T 4\n6 2 3 T\n7 1 5 6\n.\n");
  EXPECT_EQ(written(Diagram::unit(3), "d.setset"), "T\n.\n");
}

// Text is made in pieces of 64 KiB.
TEST_F(DiagramFiles, OfManyNodesAreWrittenInPieces) {
  const std::size_t items = 20'000;
  const Diagram diagram = Diagram::power_set(items);
  std::string graphillion = "2 20000 T T\n", sapporo = "_i 20000\n_o 1\n_n 20000\n4 1 T T\n";
  for (std::size_t ref = 3; ref < items + 2; ++ref) {
    graphillion += fmt::format("{} {} {} {}\n", ref, items + 2 - ref, ref - 1, ref - 1);
    sapporo += fmt::format("{} {} {} {}\n", 2 * ref, ref - 1, 2 * ref - 2, 2 * ref - 2);
  }
  EXPECT_TRUE(written(diagram, "d.setset") == graphillion + ".\n");
  EXPECT_TRUE(written(diagram, "d.zbdd") == sapporo + "40002\n");
}

TEST_F(DiagramFiles, OfSapporoAreReadAndWritten) {
  EXPECT_EQ(read(kSapporoSample), sample_diagram());
  EXPECT_EQ(read(kSapporoSample, {.items = 6}).items(), 6U);
  EXPECT_EQ(written(sample_diagram(), "d.zbdd"),
            "_i 4\n_o 1\n_n 6\n4 1 F T\n6 2 F T\n8 2 F 4\n10 3 T 8\n12 3 6 T\n14 4 10 12\n14\n");
  EXPECT_EQ(written(Diagram::none(3), "d.zbdd"), "_i 3\n_o 1\n_n 0\nF\n");
}

TEST_F(DiagramFiles, OfSapporoMayAddTheEmptySetInAnyBranch) {
  // Node 4 is {{1, 2}}, over two nodes; with the empty set it stands below item 0, and alone.
  const std::string nodes = "_i 3\n_o 1\n_n 3\n2 1 F T\n4 2 F 2\n6 3 4 5\n";
  EXPECT_EQ(read(nodes + "6\n"), test::diagram_of(3, {0b110, 0b111, 0b001}));
  EXPECT_EQ(read(nodes + "7\n"), test::diagram_of(3, {0b110, 0b111, 0b001, 0b000}));
  EXPECT_EQ(read(nodes + "5\n"), test::diagram_of(3, {0b110, 0b000}));
}

TEST_F(DiagramFiles, WithMoreNodesThanNeededAreReduced) {
  EXPECT_EQ(read("1 3 B T\n2 3 B T\n3 2 1 1\n4 2 2 2\n5 2 T B\n6 1 3 4\n.\n"),
            read("2 3 B T\n3 2 2 2\n4 1 3 3\n.\n"));
}

TEST_F(DiagramFiles, OfGraphillionWithFaultsAreRefusedWithTheLine) {
  const std::pair<const char*, const char*> kFaults[] = {
      {"", "line 1: the text is cut off: expected a line with a dot at its end"},
      {".\n", "line 1: expected a node, B or T"},
      {"2 1 B T\n", "line 1: the text is cut off: expected a line with a dot at its end"},
      {"B\n2 1 B T\n.\n", "line 2: expected a line with a dot"},
      {"2 0 B T\n.\n", "line 1: '0' as an element: expected 1 to 4194304"},
      {"\n2 1 B\n.\n", "line 2: expected a branch, B, T or a node's number"},
      {"2 1 B T T\n.\n", "line 1: 'T': expected the end of the line"},
      {"2 1 B 3\n.\n", "line 1: node 3: expected one of a line above"},
      {"2 2 B T\n2 1 B T\n.\n", "line 2: node 2 is there already"},
      {"2 2 B T\n3 2 2 T\n.\n", "line 2: node 2 has element 2: expected a branch to one above 2"},
      {"two 1 B T\n.\n", "line 1: 'two' as a node's number: expected 0 to 18446744073709551615"},
  };
  for (const auto& [text, expected] : kFaults) EXPECT_EQ(fault(text), expected) << text;
  EXPECT_EQ(fault("2 5 B T\n.\n", {.items = 4}), "line 1: '5' as an element: expected 1 to 4");
}

TEST_F(DiagramFiles, OfSapporoWithFaultsAreRefusedWithTheLine) {
  const std::pair<const char*, const char*> kFaults[] = {
      {"_i 1\n", "line 1: the text is cut off: expected a number of families"},
      {"_x 1\n", "line 1: '_x': expected _i and a number of levels"},
      {"_i 1\n_o 2\n", "line 2: '2' as a number of families: expected 1"},
      {"_i 1\n_o 1\n_n 1\n", "line 3: the text is cut off: expected a node"},
      {"_i 1\n_o 1\n_n 1\n3 1 F T\n", "line 4: node 3: expected an even number"},
      {"_i 1\n_o 1\n_n 1\n2 2 F T\n", "line 4: '2' as a level: expected 1"},
      {"_i 0\n_o 1\n_n 1\n2 1 F T\n", "line 3: '1' as a number of nodes: expected 0"},
      {"_i 2\n_o 1\n_n 2\n2 1 F T\n4 1 F 2\n",
       "line 5: node 2 has level 1: expected a branch to one below 1"},
      {"_i 1\n_o 1\n_n 0\n", "line 3: the text is cut off: expected a root"},
      {"_i 1\n_o 1\n_n 0\n2\n", "line 4: node 2: expected one of a line above"},
      {"_i 1\n_o 1\n_n 0\nB\n",
       "line 4: 'B' as a branch, F, T or a node's number: expected 0 to 18446744073709551614"},
  };
  for (const auto& [text, expected] : kFaults) EXPECT_EQ(fault(text), expected) << text;
}

TEST_F(DiagramFiles, OfOurOwnKeepNamesAndAreMapped) {
  const Diagram named = sample_diagram().with_names({"a b", "", "c d", "ü"});
  write_diagram(named, scratch_.path("d.kzdd"));
  for (const Trust trust : {Trust::nothing, Trust::content}) {
    const Diagram diagram = read_diagram(scratch_.path("d.kzdd"), {.trust = trust});
    EXPECT_EQ(diagram, named);
    EXPECT_EQ(diagram.names(), named.names());
  }
  const Diagram diagram = read_diagram(scratch_.path("d.kzdd"));
  std::filesystem::remove(scratch_.path("d.kzdd"));
  EXPECT_EQ(diagram.count(), Count(4));  // the mapping stays
}

/// A file of 6 nodes over 4 items, whose parts can be changed and signed again.
class OwnFile {
 public:
  explicit OwnFile(std::string bytes) : bytes_(std::move(bytes)) {}

  OwnFile& number(std::size_t at, std::uint64_t value) {
    std::memcpy(bytes_.data() + at, &value, sizeof value);
    return *this;
  }
  OwnFile& node(NodeRef ref, NodeRef lo, NodeRef hi) {
    const detail::PackedNode node = detail::pack(lo, hi);
    std::memcpy(bytes_.data() + kNodes + (ref - kFirstNode) * sizeof node, &node, sizeof node);
    return *this;
  }
  std::string sign() {
    number(48, graph::detail::check_sum(std::string_view(bytes_).substr(kNodes)));
    number(kCheck, graph::detail::check_sum(std::string_view(bytes_).substr(0, kCheck)));
    return bytes_;
  }

 private:
  static constexpr std::size_t kCheck = 56 + 5 * 8, kNodes = 128;
  std::string bytes_;
};

TEST_F(DiagramFiles, OfOurOwnThatAreDamagedAreRefused) {
  const std::string good = written(sample_diagram(), "d.kzdd");
  ASSERT_EQ(good.size(), 128U + 60U);
  const auto damaged = [&](std::size_t at) {
    std::string bytes = good;
    bytes[at] ^= 4;
    return fault(bytes);
  };
  EXPECT_EQ(read(OwnFile(good).sign()), sample_diagram());
  EXPECT_EQ(fault(good.substr(0, 40)), "its head is cut off");
  EXPECT_EQ(fault(good.substr(0, 100)), "its head is cut off");
  EXPECT_EQ(fault(good.substr(0, 187)), "it has 187 bytes: expected 188, with 6 nodes");
  EXPECT_EQ(fault(good + "x"), "it has 189 bytes: expected 188, with 6 nodes");
  EXPECT_EQ(damaged(8), "it has version 5: expected 1");
  EXPECT_EQ(damaged(60), "its head is damaged: the check sum differs");
  EXPECT_EQ(damaged(130), "its nodes are damaged: the check sum differs");
}

TEST_F(DiagramFiles, OfOurOwnThatAreWrongAreRefusedEvenWithRightCheckSums) {
  const std::string good = written(sample_diagram(), "d.kzdd");
  const auto file = [&] { return OwnFile(good); };
  EXPECT_EQ(fault(file().number(16, kMostItems + 1).sign()),
            "byte 16: 4194305 items: expected at most 4194304");
  EXPECT_EQ(fault(file().number(24, kMostNodes + 1).sign()),
            "byte 24: 1099511627775 nodes: expected at most 1099511627774");
  EXPECT_EQ(fault(file().number(32, 6).sign()), "byte 32: its root is 6: expected 7");
  EXPECT_EQ(fault(file().number(64, 9).sign()),
            "byte 64: 9 as an item's first node: expected at most 7");
  EXPECT_EQ(fault(file().number(88, 1).sign()),
            "byte 80: the last item's nodes begin at 2, and 1 is after them: expected 2 twice");
  EXPECT_EQ(fault(file().number(80, 3).sign()),
            "byte 80: the last item's nodes begin at 3, and 2 is after them: expected 2 twice");
  EXPECT_EQ(fault(file().node(7, 5, 0).sign()), "byte 178: node 7: its hi branch leads to no set");
  EXPECT_EQ(fault(file().node(7, 7, 6).sign()),
            "byte 178: node 7: a branch leads to node 7: expected one below 7, of a later item");
  EXPECT_EQ(fault(file().node(6, 5, 1).sign()),
            "byte 168: node 6: a branch leads to node 5: expected one below 5, of a later item");
  EXPECT_EQ(fault(file().node(7, 6, 6).sign()), "byte 158: node 5: no branch leads to it");
  EXPECT_EQ(fault(file().node(5, 3, 1).node(6, 1, 4).sign()),
            "byte 168: node 6: it is not greater than the node before it");
}

TEST_F(DiagramFiles, ArePicturesForGraphviz) {
  const Diagram diagram = test::diagram_of(2, {1, 2}).with_names({"a \"b\"", "c"});
  EXPECT_EQ(written(diagram, "d.dot"),
            "digraph diagram {\n"
            "  node [shape=circle];\n"
            "  n1 [label=\"⊤\", shape=box];\n"
            "  { rank=same; n3 [label=\"a \\\"b\\\"\"]; }\n"
            "  n3 -> n2 [style=dashed];\n"
            "  n3 -> n1;\n"
            "  { rank=same; n2 [label=\"c\"]; }\n"
            "  n2 -> n1;\n"
            "}\n");
  EXPECT_EQ(error_of([&] {
              write_diagram(Diagram::power_set(12), scratch_.path("d.gv"), {.most_dot_nodes = 11});
            }),
            "invalid_argument: cannot write '" + scratch_.path("d.gv") +
                "': 12 nodes as a picture: expected at most 11");
  EXPECT_FALSE(std::filesystem::exists(scratch_.path("d.gv")));
  EXPECT_EQ(
      error_of([&] { read_diagram(scratch_.path("d.dot")); }),
      "invalid_argument: cannot read '" + scratch_.path("d.dot") + "': pictures are only written");
}

TEST_F(DiagramFiles, AreRefusedUnderNamesThatSayNothing) {
  EXPECT_EQ(error_of([] { write_diagram(Diagram(), "diagram.json"); }),
            "invalid_argument: cannot write 'diagram.json': its name does not end as a diagram's: "
            "expected one of .kzdd .setset .zbdd .dot .gv");
  EXPECT_EQ(error_of([] { read_diagram("/nonexistent/x.kzdd"); }),
            "not_found: cannot read '/nonexistent/x.kzdd': No such file or directory");
  EXPECT_EQ(
      error_of([&] { read_diagram(scratch_.write("x", "y"), {.format = DiagramFormat::dot}); }),
      "invalid_argument: cannot read '" + scratch_.path("x") + "': pictures are only written");
  EXPECT_EQ(fault("x", {.format = DiagramFormat::kinjo}), "it is no diagram of kinjo's");
  const std::pair<const char*, std::string> damaged[] = {{"", "it is empty"},
                                                         {"B\nT\n", "it is no diagram of kinjo's"},
                                                         {"kinjO", "it is no diagram of kinjo's"}};
  for (const auto& [content, error] : damaged) {
    const std::string path = scratch_.write("damaged.kzdd", content);
    EXPECT_EQ(error_of([&] { read_diagram(path); }),
              "bad_input: cannot read '" + path + "': " + error);
  }
}

TEST_F(DiagramFiles, LeaveNothingBehindWhereTheyCannotBeWritten) {
  EXPECT_EQ(
      error_of([&] { write_diagram(Diagram(), scratch_.path("no/d.kzdd")); }),
      "not_found: cannot write '" + scratch_.path("no/d.kzdd") + "': No such file or directory");
  EXPECT_TRUE(std::filesystem::is_empty(scratch_.path()));
}

}  // namespace
}  // namespace kinjo::paths
