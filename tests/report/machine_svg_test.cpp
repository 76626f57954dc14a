#include "report/machine_svg.hpp"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kinjo {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kTiny = "synthetic:pack:1 [numa(memory=1073741824)] core:1 pu:2";

// clang-format off
constexpr const char* kTinyPicture = R"svg(<g class="machine">
<rect x="10" y="10" width="380" height="150" fill="#ffffff" stroke="#666666" stroke-width="1"><title>synthetic:pack:1 [numa(memory=1073741824)] core:1 pu:2: 1 package, 1 node, 1 core, 2 CPUs, 1 GiB</title></rect>
<text x="15" y="25.5" font-size="11" fill="#111111" font-weight="bold">synthetic:pack:1 [numa(memory=1073741824)] core:1 p…</text>
<text x="15" y="39.5" font-size="11" fill="#111111">1 package, 1 node, 1 core, 2 CPUs, 1 GiB</text>
<g class="package">
<rect x="15" y="48" width="370" height="107" fill="#ededed" stroke="#666666" stroke-width="1"><title>package 0</title></rect>
<text x="20" y="63.5" font-size="11" fill="#111111" font-weight="bold">package 0</text>
<g class="memory">
<rect x="20" y="72" width="360" height="24" fill="#cfe3f2" stroke="#666666" stroke-width="1"><title>node 0: 1 GiB, local to CPUs 0-1</title></rect>
<text x="25" y="87.5" font-size="11" fill="#111111" font-weight="bold">node 0: 1 GiB</text>
</g>
<g class="core">
<rect x="20" y="101" width="360" height="49" fill="#d5d5d5" stroke="#666666" stroke-width="0.75"><title>core 0 of package 0: CPUs 0-1</title></rect>
<text x="25" y="116.5" font-size="11" fill="#111111" font-weight="bold">core 0</text>
<g class="cpu">
<rect x="25" y="125" width="172.5" height="20" fill="#ffffff" stroke="#666666" stroke-width="0.75"><title>CPU 0: package 0, node 0, core 0, smt 0</title></rect>
<text x="111.25" y="139" font-size="11" fill="#000000" text-anchor="middle">0</text>
</g>
<g class="cpu">
<rect x="202.5" y="125" width="172.5" height="20" fill="#ffffff" stroke="#666666" stroke-width="0.75"><title>CPU 1: package 0, node 0, core 0, smt 1</title></rect>
<text x="288.75" y="139" font-size="11" fill="#000000" text-anchor="middle">1</text>
</g>
</g>
</g>
</g>
</svg>
)svg";
// clang-format on

TEST(MachineSvg, DrawsATinyMachine) {
  const std::string text = machine_svg(Topology::from(kTiny)).inline_text();
  EXPECT_EQ(text.substr(text.find("<g class")), kTinyPicture);
}

TEST(MachineSvg, TurnsToTheCompactFormOnLargeMachines) {
  const char* of_a_core = "<title>L1d 32 KiB, ";
  const auto drawn = [](const char* machine, std::optional<MachineDetail> detail) {
    return machine_svg(Topology::from(machine), detail).inline_text();
  };
  const char* small = "synthetic:l1d:32(size=32768) core:1 pu:1";
  const char* large = "synthetic:l1d:33(size=32768) core:1 pu:1";
  EXPECT_THAT(drawn(small, {}), HasSubstr(of_a_core));
  EXPECT_THAT(drawn(large, {}), Not(HasSubstr(of_a_core)));
  EXPECT_THAT(drawn(large, {}), HasSubstr("each core: L1d 32 KiB"));
  EXPECT_THAT(drawn(large, MachineDetail::full), HasSubstr(of_a_core));
}

TEST(MappingsSvg, ColoursThreadsByOrderOrByNode) {
  const Topology machine = Topology::from("synthetic:pack:2 [numa] core:1 pu:1");
  const std::array mappings = {Mapping(machine, Policy::compact(), 2)};
  const std::string order = mappings_svg(machine, mappings).inline_text();
  EXPECT_THAT(order, HasSubstr("fill=\"#00224e\" stroke=\"#666666\" stroke-width=\"0.75\">"
                               "<title>CPU 0: package 0, node 0, core 0, smt 0; thread 0</title>"));
  EXPECT_THAT(order, HasSubstr("fill=\"#fee838\" stroke=\"#666666\" stroke-width=\"0.75\">"
                               "<title>CPU 1: package 1, node 1, core 0, smt 0; thread 1</title>"));
  EXPECT_THAT(order, HasSubstr("first thread"));
  const std::string node = mappings_svg(machine, mappings, ThreadColour::node).inline_text();
  EXPECT_THAT(node, HasSubstr(">node 1</text>"));
  EXPECT_THAT(node, Not(HasSubstr("first thread")));
}

TEST(MappingsTable, HasARowForEachThreadOfTheLongest) {
  const Topology machine = Topology::from("synthetic:pack:2 [numa] core:2 pu:1");
  const std::array mappings = {Mapping(machine, Policy::scatter(), 3),
                               Mapping(machine, Policy::compact(), 2)};
  EXPECT_EQ(mappings_table(mappings).to_csv(),
            "thread,CPU (scatter),node (scatter),CPU (compact),node (compact)\n"
            "0,0,0,0,0\n"
            "1,2,1,1,0\n"
            "2,1,0,,\n");
}

}  // namespace
}  // namespace kinjo
