/// Descriptions that are broken: an `Error` that names the file and the fault, or a machine; never
/// a crash. `try_machine` aborts where a machine or a message breaks a promise.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <kinjo/topology.hpp>

#include "support/expect.hpp"
#include "support/machine_check.hpp"
#include "support/machine_input.hpp"
#include "support/mutate.hpp"
#include "support/sys_tree.hpp"
#include "support/zoo.hpp"

namespace kinjo::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::vector<std::string>& own_files() {
  static const std::vector<std::string> files = {KINJO_TEST_MACHINES "/disallowed.xml",
                                                 KINJO_TEST_MACHINES "/high_bandwidth.xml",
                                                 KINJO_TEST_MACHINES "/hybrid.xml"};
  return files;
}

/// `text` with the first `from` replaced, which must be there.
std::string with(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return at == text.npos ? text : text.replace(at, from.size(), to);
}

TEST(DamagedXml, ThatIsCutOffNamesTheElementThatIsNotClosed) {
  for (const std::string& file : own_files()) {
    const std::string whole = read_file(file);
    const std::size_t end = whole.rfind("</topology>");
    for (std::size_t part = 0; part < 50; ++part) {
      const MemoryFile cut(std::string_view(whole).substr(0, end * part / 50));
      EXPECT_THAT(try_machine(cut.path()),
                  StartsWith("cannot read the machine '" + cut.path() + "': line "))
          << file << " cut at " << part << "/50";
    }
  }
}

TEST(DamagedXml, IsRefusedWithTheLineAndWhatWasExpected) {
  const std::string whole = read_file(own_files()[0]);
  const std::string pu = "<object type=\"PU\" os_index=\"0\" cpuset=\"0x00000001\"";
  const struct {
    std::string from, to, message;
  } cases[] = {
      {whole, "", "line 1: no element in it: expected <topology>"},
      {whole, "not XML", "line 1: expected an XML file with <topology>"},
      {whole, "<topology version=\"2.0\">\n\n  <object",
       "line 3: expected '>' at the end of <object>"},
      {whole, "<svg/>", "line 1: <svg> at the top: expected one <topology>"},
      {"<topology version=\"2.0\">", "<topology version=\"1.0\">",
       "line 3: <topology> is not of version 2: expected a file that hwloc 2 wrote"},
      {"</topology>", "",
       "line 45: the file ends inside <topology> of line 3: expected </topology>"},
      {"</topology>", "</topology> more", "line 44: text behind </topology>"},
      {"</topology>", "</object>", "line 44: </object>: expected </topology> for line 3"},
      {"type=\"PU\"", "type=\"CPU\"",
       "line 14: type=\"CPU\": expected a type of hwloc 2 such as Package or PU"},
      {"type=\"PU\"", "", "line 14: <object> has no type: expected type=\"…\""},
      {pu, "<object type=\"PU\" cpuset=\"0x00000001\"",
       "line 14: PU has no os_index: expected its number"},
      {pu, "<object type=\"PU\" os_index=\"-1\" cpuset=\"0x00000001\"",
       "line 14: os_index=\"-1\": expected a number up to 1048575"},
      {pu, "<object type=\"PU\" os_index=\"1048576\" cpuset=\"0x00000001\"",
       "line 14: os_index=\"1048576\": expected a number up to 1048575"},
      {pu, "<object type=\"PU\" os_index=\"1\" cpuset=\"0x00000001\"",
       "line 14: PU 1 has the set 0: expected its own number alone"},
      {pu, "<object type=\"PU\" os_index=\"0\" cpuset=\"0xf...f\"",
       "line 14: cpuset=\"0xf...f\": expected a set such as 0x0000000f"},
      {pu, "<object type=\"PU\" os_index=\"0\" cpuset=\"0x00000002\"",
       "line 14: a set reaches out of its complete_ set: expected members of both"},
      {pu, "<object type=\"PU\" os_index=\"0\"",
       "line 14: <object> has no cpuset: expected cpuset=\"0x…\""},
      {pu, pu + " cpuset=\"0x1\"", "line 14: cpuset is there twice: expected once"},
      {pu, "<object type=\"PU os_index=\"0\"", "line 14: expected '>' at the end of <object>"},
      {"gp_index=\"1\">", "gp_index=\"1\"", "line 5: expected '>' at the end of <object>"},
      {"gp_index=\"1\"", "gp_index='1'",
       "line 4: expected =\"value\" behind the attribute gp_index"},
      {"gp_index=\"1\"", "gp_index=\"&1\"",
       "line 4: the value of gp_index has a stray '&': expected &amp; or another entity"},
      {"gp_index=\"1\"", "gp_index=\"1>\"", "line 4: the value of gp_index has no closing quote"},
      {"gp_index=\"1\"", std::string("gp_index=\"1\0\"", 13), "line 4: a NUL byte: expected text"},
      {"nbobjs=\"2\"", "nbobjs=\"65537\"",
       "line 36: nbobjs=\"65537\": expected a number up to 4096"},
      {"version=\"2.0\"", "version=\"2.0 \"",
       "line 3: <topology> is not of version 2: expected a file that hwloc 2 wrote"},
  };
  for (const auto& c : cases) {
    const MemoryFile file(c.from == whole ? c.to : with(whole, c.from, c.to));
    EXPECT_EQ(try_machine(file.path()),
              "cannot read the machine '" + file.path() + "': " + c.message);
  }
}

TEST(DamagedXml, ThatIsWellFormedButNoMachineIsRefused) {
  const MemoryFile file("<topology version=\"2.0\"></topology>");
  EXPECT_EQ(try_machine(file.path()),
            "cannot read the machine '" + file.path() +
                "': well-formed XML, but not a machine that hwloc accepts: expected the output of "
                "lstopo FILE.xml");
}

TEST(DamagedXml, WithoutAnAllowedCpuIsRefused) {
  const MemoryFile file(
      with(read_file(own_files()[0]), "allowed_cpuset=\"0x000000f6\"", "allowed_cpuset=\"0x0\""));
  EXPECT_EQ(try_machine(file.path()),
            "the machine '" + file.path() + "' has no CPU that may be used: expected at least one");
}

TEST(DamagedXml, OfTheZooNeverCrashes) {
  KINJO_REQUIRE_ZOO(machines);
  Mutator mutator(1);
  std::size_t refused = 0;
  for (const ZooMachine& machine : *machines) {
    const std::string whole = read_file(machine.xml);
    for (int round = 0; round < 100; ++round) {
      const MemoryFile file(mutator.damage(whole));
      refused += !try_machine(file.path()).empty();
    }
  }
  EXPECT_GT(refused, 100u);
  EXPECT_LT(refused, 100 * machines->size());
}

TEST(DamagedTree, IsRefusedWithTheFileAndWhatWasExpected) {
  const struct {
    const char* file;
    const char* text;
    const char* message;
  } cases[] = {
      {"cpu/online", "0-x\n",
       "sys/devices/system/cpu/online: malformed list '0-x' at '0-x': expected numbers and ranges "
       "up to 1048575, e.g. 0-3,8 or 0-14:2"},
      {"node/online", "\n",
       "sys/devices/system/node/online is empty: expected a list such as 0-3,8"},
      {"cpu/possible", "0-1048576\n",
       "sys/devices/system/cpu/possible: malformed list '0-1048576' at '0-1048576': expected "
       "numbers and ranges up to 1048575, e.g. 0-3,8 or 0-14:2"},
  };
  for (const auto& c : cases) {
    const Scratch tree;
    write_sys_tree(tree, {.cpus = {{0, 0, 0}}, .nodes = {{0, {0}, 1024, "10"}}});
    tree.write(std::string("sys/devices/system/") + c.file, c.text);
    EXPECT_EQ(try_machine(tree.path()),
              "cannot read the machine '" + tree.path() + "': " + c.message);
  }
}

TEST(DamagedTree, WithAnAbsurdNodeNumberIsRefused) {
  const Scratch tree;
  write_sys_tree(tree, {.cpus = {{0, 0, 0}}, .nodes = {{3000000, {0}, 1024, "10"}}});
  std::filesystem::remove(tree.path("sys/devices/system/node/online"));
  EXPECT_EQ(try_machine(tree.path()),
            "the machine '" + tree.path() +
                "' has a node numbered 3000000: expected numbers up to 1048575");
}

TEST(DamagedTree, WithAPackageInsideAnotherStillHasAPackageForEveryCpu) {
  const Scratch tree;
  write_sys_tree(tree, {.cpus = {{0, 0, 0}, {1, 0, 1}, {2, 1, 0}, {3, 1, 1}}, .nodes = {}});
  tree.write("sys/devices/system/cpu/cpu0/topology/core_siblings", "0000000f\n");
  const auto machine = Topology::from(tree.path());
  EXPECT_EQ(fault_of(machine), "");
  EXPECT_EQ(machine.find_cpu(3)->package, 1);
  EXPECT_EQ(machine.packages().size(), 2u);
}

TEST(DamagedTree, NeverCrashes) {
  const Scratch tree;
  write_sys_tree(tree, {.cpus = {{0, 0, 0}, {1, 0, 0}, {2, 1, 0}, {3, 1, 0}},
                        .nodes = {{0, {0, 1}, 1024, "10 21"}, {1, {2, 3}, 1024, "21 10"}}});
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(tree.path())) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  ASSERT_EQ(try_machine(tree.path()), "");
  Mutator mutator(2);
  for (int round = 0; round < 500; ++round) {
    const auto name = std::filesystem::relative(files[mutator.below(files.size())], tree.path());
    const std::string before = read_file(tree.path(name.string()));
    if (mutator.below(4) == 0) {
      std::filesystem::remove(tree.path(name.string()));
    } else {
      tree.write(name.string(), mutator.damage(before));
    }
    try_machine(tree.path());
    tree.write(name.string(), before);
  }
}

TEST(NoMachine, IsRefusedWithWhatIsAccepted) {
  const Scratch scratch;
  const std::string missing = scratch.path("missing.xml");
  EXPECT_EQ(error_of([&] { Topology::from(missing); }),
            "not_found: cannot read the machine '" + missing +
                "': No such file or directory; expected an hwloc XML file, a directory with sys "
                "and proc, or synthetic:…");
  EXPECT_EQ(error_of([&] { Topology::from(scratch.path()); }),
            "bad_input: cannot read the machine '" + scratch.path() +
                "': expected a directory that holds sys/devices/system/cpu or proc/cpuinfo");
}

TEST(NoMachine, IsInAFileThatOpensButCannotBeRead) {
  EXPECT_EQ(error_of([] { Topology::from("/proc/self/mem"); }),
            "bad_input: cannot read the machine '/proc/self/mem': Input/output error");
}

TEST(NoMachine, IsInAFileThatMayNotBeRead) {
  const Scratch scratch;
  const std::string file = scratch.write("secret.xml", "<topology/>");
  ASSERT_EQ(chmod(file.c_str(), 0), 0);
  if (access(file.c_str(), R_OK) == 0) GTEST_SKIP() << "root reads every file";
  EXPECT_EQ(error_of([&] { Topology::from(file); }),
            "bad_input: cannot read the machine '" + file + "': Permission denied");
}

TEST(BadSynthetic, IsRefusedWithWhatIsAccepted) {
  const std::string hwlocs =
      "not a description that hwloc accepts: expected levels with counts, e.g. "
      "synthetic:pack:2 numa:1 core:4 pu:2";
  const struct {
    const char* text;
    std::string message;
  } cases[] = {
      {"", hwlocs},
      {"frob:2 pu:1", hwlocs},
      {"pu:2 core:2", hwlocs},
      {"pack:0 pu:1", "'pack:0': expected a level with its count, e.g. core:8"},
      {"pack:-1 pu:1", "'pack:-1': expected a level with its count, e.g. core:8"},
      {"pack pu:1", "'pack': expected a level with its count, e.g. core:8"},
      {"pu:100000000", "'pu:100000000' makes more than 8192 objects: expected a smaller machine"},
      {"pack:100 core:100 pu:2",
       "'core:100' makes more than 8192 objects: expected a smaller machine"},
      {"pack:2 pu:2(indexes=0,1,2", "'(indexes=0,1,2' is not closed"},
      {"pack:2 pu:2(indexes=0,1)", "2 indexes for 4 objects: expected one for each"},
      {"pu:2(indexes=0,0)", "the index '0': expected numbers up to 65535, each once"},
      {"pu:2(indexes=0,65536)", "the index '65536': expected numbers up to 65535, each once"},
      {"pack:2 core:2(indexes=pu) pu:2",
       "the loop 'pu' of indexes: expected a level above, as it is written there"},
      {"pu:4(indexes=2*99999:1*99999)",
       "the loop '2*99999' of indexes: expected STEP*COUNT within 4 objects"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(try_machine("synthetic:" + std::string(c.text)),
              "cannot read the machine 'synthetic:" + std::string(c.text) + "': " + c.message);
  }
}

TEST(BadSynthetic, IsNotConfusedWithLoopsThatHwlocKnows) {
  const auto machine = Topology::from("synthetic:pack:2 core:2 pu:2(indexes=pack:core)");
  EXPECT_EQ(machine.find_cpu(1)->package, 1);
  EXPECT_EQ(machine.find_cpu(2)->core, 1);
}

}  // namespace
}  // namespace kinjo::test
