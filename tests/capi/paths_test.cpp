#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <kinjo/kinjo.h>

#include "capi/owned.hpp"
#include "support/failing_new.hpp"
#include "support/scratch.hpp"

namespace {

using kinjo::test::CCount, kinjo::test::CDiagram, kinjo::test::CFamily, kinjo::test::CMapping,
    kinjo::test::CMembers, kinjo::test::CNetwork, kinjo::test::CTeam;

using Members = std::vector<std::vector<std::uint32_t>>;

/// A square 0 - 1 - 2 - 3 with the diagonal 0 - 2, a loop and a repeated edge.
const std::vector<std::uint32_t> kEnds = {0, 1, 1, 2, 2, 3, 3, 0, 0, 2, 1, 1, 1, 0};

CNetwork square(unsigned flags = 0) {
  return CNetwork(kinjo_network_from_edges(4, kEnds.size() / 2, kEnds.data(), flags));
}

/// All paths of the square from 0 to 2, whose items are its edges as they stand.
CFamily paths_of_square() {
  const kinjo_problem problem{.kind = KINJO_PATHS, .to = 2, .order = KINJO_ORDER_GIVEN};
  return CFamily(kinjo_family_create(square().get(), &problem));
}

CFamily family_of_grid_9(const kinjo_problem& problem) {
  const CNetwork network(kinjo_network_open(nullptr, "grid:9", 0));
  return CFamily(kinjo_family_create(network.get(), &problem));
}

CDiagram diagram_of_square(kinjo_team* team = nullptr) {
  return CDiagram(kinjo_diagram_build(paths_of_square().get(), team, 0));
}

std::string text(char* made) {
  const CCount digits(made);
  return digits ? digits.get() : kinjo_last_error();
}

std::string count(const char* graph, const kinjo_problem& problem, kinjo_team* team = nullptr) {
  const CNetwork network(kinjo_network_open(team, graph, 0));
  const CFamily family(kinjo_family_create(network.get(), &problem));
  return family ? text(kinjo_family_count(family.get(), team, 0)) : kinjo_last_error();
}

/// The next ones, at most so many, of sets of five items.
Members take(const CMembers& members, std::size_t most = 100) {
  Members sets;
  std::uint32_t items[5];
  std::size_t size = 0;
  while (sets.size() < most && kinjo_members_next(members.get(), items, &size) == 1) {
    sets.emplace_back(items, items + size);
  }
  return sets;
}

std::string refusal(const void* made, int status = KINJO_INVALID_ARGUMENT) {
  EXPECT_EQ(made, nullptr);
  EXPECT_EQ(kinjo_last_status(), status);
  return kinjo_last_error();
}

std::string refusal(int returned, int status = KINJO_INVALID_ARGUMENT) {
  EXPECT_EQ(returned, status);
  return kinjo_last_error();
}

TEST(CPaths, AreCountedForEveryKindAndTeam) {
  const unsigned one[] = {1};
  const std::uint32_t middle[] = {4}, side[] = {1, 3};
  struct Case {
    const char* graph;
    kinjo_problem problem;
    const char* expected;
  } const kCases[] = {
      {"grid:8x8", {.kind = KINJO_PATHS, .to = 80}, "3266598486981642"},
      {"grid:10", {.kind = KINJO_PATHS, .to = 120}, "1568758030464750013214100"},
      {"grid:2", {.kind = KINJO_PATHS, .to = 8, .through = middle, .through_count = 1}, "10"},
      {"grid:2", {.kind = KINJO_PATHS, .to = 8, .avoid = middle, .avoid_count = 1}, "2"},
      {"grid:2", {.kind = KINJO_PATHS, .to = 8, .avoid = side, .avoid_count = 2}, "0"},
      {"complete:4", {.kind = KINJO_PATHS}, "7"},
      {"complete:4", {.kind = KINJO_CYCLES}, "7"},
      {"complete:5", {.kind = KINJO_HAMILTONIAN_PATHS, .to = 1}, "6"},
      {"complete:5", {.kind = KINJO_HAMILTONIAN_CYCLES}, "12"},
      {"complete:4", {.kind = KINJO_FORESTS}, "38"},
      {"complete:4", {.kind = KINJO_SPANNING_TREES}, "16"},
      {"complete:4", {.kind = KINJO_MATCHINGS}, "10"},
      {"complete:4", {.kind = KINJO_COMPONENTS, .components = 3}, "6"},
      {"complete:6", {.kind = KINJO_DEGREES, .degrees = one, .degree_count = 1}, "15"},
  };
  const CMapping mapping = kinjo::test::map_two_nodes("none", 3);
  const CTeam team(kinjo_team_create(mapping.get(), 0));
  for (const Case& each : kCases) {
    EXPECT_EQ(count(each.graph, each.problem), each.expected) << each.graph;
    EXPECT_EQ(count(each.graph, each.problem, team.get()), each.expected) << each.graph;
  }
}

TEST(CGridPaths, AreCountedByEveryTeam) {
  const CMapping mapping = kinjo::test::map_two_nodes("none", 3);
  const CTeam team(kinjo_team_create(mapping.get(), 0));
  for (kinjo_team* each : {static_cast<kinjo_team*>(nullptr), team.get()}) {
    EXPECT_EQ(text(kinjo_grid_paths_count(each, 1, 1, 0)), "2");
    EXPECT_EQ(text(kinjo_grid_paths_count(each, 2, 3, 0)), "38");
    EXPECT_EQ(text(kinjo_grid_paths_count(each, 12, 12, 0)), "64528039343270018963357185158482118");
  }
}

TEST(CSpanningTrees, AreCountedByEveryTeam) {
  const CMapping mapping = kinjo::test::map_two_nodes("none", 3);
  const CTeam team(kinjo_team_create(mapping.get(), 0));
  const CNetwork network(kinjo_network_open(nullptr, "complete:20", 0));
  for (kinjo_team* each : {static_cast<kinjo_team*>(nullptr), team.get()}) {
    EXPECT_EQ(text(kinjo_spanning_trees_count(network.get(), each, 0)), "262144000000000000000000");
  }
  EXPECT_EQ(refusal(kinjo_spanning_trees_count(nullptr, nullptr, 0)), "network is NULL");
  const std::string error =
      refusal(kinjo_spanning_trees_count(network.get(), nullptr, 100), KINJO_OUT_OF_MEMORY);
  EXPECT_TRUE(error.starts_with("counting spanning trees by a determinant takes ")) << error;
}

TEST(CGridPaths, RefuseSidesAndMemoryThatAreTooLittleOrTooMuch) {
  EXPECT_EQ(refusal(kinjo_grid_paths_count(nullptr, 0, 3, 0)),
            "a grid of 0 × 3 squares: expected at least one in each direction");
  EXPECT_EQ(refusal(kinjo_grid_paths_count(nullptr, 28, 28, 0)),
            "a grid of 28 × 28 squares: one of the sides may have 27 at most");
  const std::string error =
      refusal(kinjo_grid_paths_count(nullptr, 15, 15, 1 << 20), KINJO_OUT_OF_MEMORY);
  EXPECT_TRUE(error.starts_with("counting the paths of a grid of 15 × 15 squares takes ")) << error;
}

TEST(CPaths, LeaveOutLoopsAndRepeatedEdgesUnlessTheyAreToStay) {
  kinjo_network_size size;
  ASSERT_EQ(kinjo_network_get(square().get(), &size), KINJO_OK);
  EXPECT_EQ(size.vertices, 4u);
  EXPECT_EQ(size.edges, 5u);
  const CNetwork all = square(KINJO_NETWORK_PARALLEL);
  ASSERT_EQ(kinjo_network_get(all.get(), &size), KINJO_OK);
  EXPECT_EQ(size.edges, 6u);
  const kinjo_problem problem{.kind = KINJO_PATHS, .to = 2};
  const CFamily family(kinjo_family_create(all.get(), &problem));
  EXPECT_EQ(text(kinjo_family_count(family.get(), nullptr, 0)), "4");
}

TEST(CPaths, DecideTheEdgesThatTheyName) {
  const CFamily family = paths_of_square();
  ASSERT_EQ(kinjo_family_edges(family.get(), nullptr), 5);
  std::vector<std::uint32_t> ends(10);
  EXPECT_EQ(kinjo_family_edges(family.get(), ends.data()), 5);
  EXPECT_EQ(ends, std::vector<std::uint32_t>(kEnds.begin(), kEnds.begin() + 10));
}

TEST(CPaths, FindVerticesByTheirNames) {
  const kinjo::test::Scratch folder;
  const std::string path = folder.write("town.csv", "palace,bridge\nbridge,cave\npalace,cave\n");
  const CNetwork town(kinjo_network_open(nullptr, path.c_str(), 0));
  ASSERT_NE(town, nullptr) << kinjo_last_error();
  std::uint32_t cave = 99;
  EXPECT_EQ(kinjo_network_vertex(town.get(), "cave", &cave), KINJO_OK);
  EXPECT_EQ(cave, 2u);
  EXPECT_EQ(refusal(kinjo_network_vertex(town.get(), "tower", &cave), KINJO_NOT_FOUND),
            "there is no vertex 'tower' (the graph has 3 vertices, 'palace', 'bridge' and 'cave')");
}

TEST(CDiagrams, ListAllTheirSetsInOrder) {
  const CMapping mapping = kinjo::test::map_two_nodes("none", 2);
  const CTeam team(kinjo_team_create(mapping.get(), 0));
  for (kinjo_team* each : {static_cast<kinjo_team*>(nullptr), team.get()}) {
    const CDiagram diagram = diagram_of_square(each);
    ASSERT_NE(diagram, nullptr) << kinjo_last_error();
    EXPECT_EQ(text(kinjo_diagram_count(diagram.get())), "3");
    const CMembers members(kinjo_members_all(diagram.get()));
    EXPECT_EQ(take(members), (Members{{0, 1}, {2, 3}, {4}}));
    EXPECT_EQ(take(members), Members{});
  }
}

TEST(CDiagrams, OutlivedByTheirMembersStayWhole) {
  const CMembers members(kinjo_members_all(diagram_of_square().get()));
  EXPECT_EQ(take(members).size(), 3u);
}

TEST(CDiagrams, ListTheirSetsByWeight) {
  const double weights[] = {3, 4, 1, 2, 9};
  const CMembers members(kinjo_members_by_weight(diagram_of_square().get(), weights));
  EXPECT_EQ(take(members), (Members{{2, 3}, {0, 1}, {4}}));
}

TEST(CDiagrams, AreSampledByASeed) {
  const CDiagram diagram = diagram_of_square();
  const auto draw = [&](std::uint64_t seed) {
    return take(CMembers(kinjo_members_sample(diagram.get(), seed)), 60);
  };
  const Members drawn = draw(1);
  EXPECT_EQ(drawn.size(), 60u);
  EXPECT_EQ(drawn, draw(1));
  EXPECT_NE(drawn, draw(2));
  EXPECT_EQ(std::set(drawn.begin(), drawn.end()).size(), 3u);
}

TEST(CDiagrams, HoldTheEmptySet) {
  const kinjo_problem forests{.kind = KINJO_FORESTS};
  const CFamily family(
      kinjo_family_create(CNetwork(kinjo_network_from_edges(3, 0, nullptr, 0)).get(), &forests));
  const CDiagram diagram(kinjo_diagram_build(family.get(), nullptr, 0));
  for (kinjo_members* made :
       {kinjo_members_all(diagram.get()), kinjo_members_by_weight(diagram.get(), nullptr)}) {
    const CMembers members(made);
    std::size_t size = 9;
    EXPECT_EQ(kinjo_members_next(members.get(), nullptr, &size), 1) << kinjo_last_error();
    EXPECT_EQ(size, 0u);
    EXPECT_EQ(kinjo_members_next(members.get(), nullptr, &size), 0);
  }
}

TEST(CDiagrams, AreSavedAndOpened) {
  const kinjo::test::Scratch folder;
  const CDiagram diagram = diagram_of_square();
  kinjo_diagram_size made, again;
  ASSERT_EQ(kinjo_diagram_get(diagram.get(), &made), KINJO_OK);
  EXPECT_EQ(made.items, 5u);
  EXPECT_GT(made.nodes, 0u);
  EXPECT_EQ(made.bytes, 10 * made.nodes);
  for (const char* name : {"d.kzdd", "d.setset", "d.zbdd"}) {
    const std::string path = folder.path(name);
    ASSERT_EQ(kinjo_diagram_save(diagram.get(), path.c_str()), KINJO_OK) << kinjo_last_error();
    const CDiagram opened(kinjo_diagram_open(path.c_str()));
    ASSERT_EQ(kinjo_diagram_get(opened.get(), &again), KINJO_OK) << kinjo_last_error();
    EXPECT_EQ(again.nodes, made.nodes);
    EXPECT_EQ(take(CMembers(kinjo_members_all(opened.get()))), (Members{{0, 1}, {2, 3}, {4}}));
  }
}

TEST(CDiagrams, AreSurveyedAndKeptOnADiskUntilTheyAreReduced) {
  const kinjo::test::Scratch folder;
  // Of which many nodes are reduced away.
  const CFamily family =
      family_of_grid_9({.kind = KINJO_HAMILTONIAN_CYCLES, .order = KINJO_ORDER_GIVEN});
  kinjo_build_size size;
  ASSERT_EQ(kinjo_family_survey(family.get(), nullptr, 0, &size), KINJO_OK) << kinjo_last_error();
  EXPECT_GT(size.states, 0u);
  const std::uint64_t limit = size.node_bytes / 10 * 9;
  ASSERT_GT(limit, std::uint64_t{1} << 20);
  refusal(kinjo_diagram_build(family.get(), nullptr, limit), KINJO_OUT_OF_MEMORY);
  const CDiagram diagram(
      kinjo_diagram_build_spilled(family.get(), nullptr, limit, folder.path().c_str()));
  ASSERT_TRUE(diagram) << kinjo_last_error();
  EXPECT_EQ(text(kinjo_diagram_count(diagram.get())), "467260456608");
  kinjo_diagram_size made;
  ASSERT_EQ(kinjo_diagram_get(diagram.get(), &made), KINJO_OK);
  EXPECT_LE(made.bytes, size.reduction_bytes);
}

/// Of a call that keeps something in a directory.
template <class Call>
void expect_directories_refused(const std::string& kept, Call&& call) {
  EXPECT_EQ(refusal(call(nullptr)), "directory is NULL");
  EXPECT_EQ(refusal(call("")), "directory '': expected a name");
  EXPECT_EQ(refusal(call("/nowhere"), KINJO_NOT_FOUND),
            "cannot keep " + kept +
                " in a file in '/nowhere': No such file or directory; expected a directory with "
                "room for them");
}

TEST(CPaths, AreCountedByWayOfADisk) {
  const kinjo::test::Scratch folder;
  const CFamily family =
      family_of_grid_9({.kind = KINJO_PATHS, .to = 99, .order = KINJO_ORDER_GIVEN});
  const std::uint64_t limit = std::uint64_t{1} << 17;
  refusal(kinjo_family_count(family.get(), nullptr, limit), KINJO_OUT_OF_MEMORY);
  EXPECT_EQ(text(kinjo_family_count_spilled(family.get(), nullptr, limit, folder.path().c_str())),
            "41044208702632496804");
  expect_directories_refused("states", [&](const char* directory) {
    return kinjo_family_count_spilled(family.get(), nullptr, 0, directory);
  });
}

TEST(CDiagrams, RefuseDirectoriesThatAreNone) {
  const CFamily family = paths_of_square();
  expect_directories_refused("nodes", [&](const char* directory) {
    return kinjo_diagram_build_spilled(family.get(), nullptr, 0, directory);
  });
  kinjo_build_size size;
  EXPECT_EQ(refusal(kinjo_family_survey(family.get(), nullptr, 0, nullptr)), "out is NULL");
  EXPECT_EQ(refusal(kinjo_family_survey(nullptr, nullptr, 0, &size)), "family is NULL");
}

TEST(CPaths, RefuseWhatIsNoGraphAndNoFamily) {
  EXPECT_EQ(refusal(kinjo_network_from_edges(4, 1, nullptr, 0)), "ends is NULL");
  EXPECT_EQ(refusal(kinjo_network_from_edges(3, 5, kEnds.data(), 0)),
            "edge 2 ends at vertex 3: the graph has 3 vertices");
  EXPECT_EQ(refusal(kinjo_network_from_edges(4, 0, nullptr, 2)),
            "flag 0x2 has no meaning here: expected flags of 0x1");
  EXPECT_EQ(refusal(kinjo_network_open(nullptr, nullptr, 0)), "input is NULL");
  EXPECT_EQ(refusal(kinjo_network_open(nullptr, "/nowhere/g.el", 0), KINJO_NOT_FOUND),
            "cannot read '/nowhere/g.el': No such file or directory");
  EXPECT_EQ(refusal(kinjo_network_get(nullptr, nullptr)), "network is NULL");
  EXPECT_EQ(
      refusal(kinjo_network_open(nullptr, "torus:3", 0)),
      "'torus:3' as a graph: expected grid:RxC, king:RxC, complete:N, hypercube:N, cycle:N or "
      "path:N");
  const CNetwork network = square();
  const auto family = [&](const kinjo_problem& problem) {
    return refusal(CFamily(kinjo_family_create(network.get(), &problem)).get());
  };
  EXPECT_EQ(family({.kind = 9}), "kind 9: expected 0 to 8");
  EXPECT_EQ(family({.kind = -1}), "kind -1: expected 0 to 8");
  EXPECT_EQ(family({.order = 4}), "order 4: expected 0 to 3");
  EXPECT_EQ(family({.to = 4}), "vertex 4 as the end of paths: the graph has 4 vertices");
  EXPECT_EQ(family({.to = 2, .through_count = 1}), "through is NULL");
  EXPECT_EQ(family({.to = 2, .avoid_count = 1}), "avoid is NULL");
  EXPECT_EQ(family({.kind = KINJO_DEGREES, .degree_count = 1}), "degrees is NULL");
  EXPECT_EQ(refusal(kinjo_family_create(network.get(), nullptr)), "problem is NULL");
  EXPECT_EQ(refusal(kinjo_family_count(nullptr, nullptr, 0)), "family is NULL");
  EXPECT_EQ(refusal(kinjo_family_edges(nullptr, nullptr)), "family is NULL");
}

TEST(CPaths, RefuseMoreMemoryThanTheyMayTake) {
  const kinjo_problem problem{.kind = KINJO_PATHS, .to = 168};
  const CNetwork network(kinjo_network_open(nullptr, "grid:12", 0));
  const CFamily family(kinjo_family_create(network.get(), &problem));
  const std::string counting =
      refusal(kinjo_family_count(family.get(), nullptr, 1 << 20), KINJO_OUT_OF_MEMORY);
  EXPECT_NE(counting.find("the limit of 1 MiB"), std::string::npos) << counting;
  const std::string building =
      refusal(kinjo_diagram_build(family.get(), nullptr, 1 << 20), KINJO_OUT_OF_MEMORY);
  EXPECT_NE(building.find("the limit of 1 MiB"), std::string::npos) << building;
}

TEST(CDiagrams, RefuseWhatCannotBe) {
  const CDiagram diagram = diagram_of_square();
  const CMembers members(kinjo_members_all(diagram.get()));
  std::size_t size = 0;
  EXPECT_EQ(refusal(kinjo_diagram_open("/nowhere/d.kzdd"), KINJO_NOT_FOUND),
            "cannot read '/nowhere/d.kzdd': No such file or directory");
  EXPECT_EQ(refusal(kinjo_diagram_save(diagram.get(), nullptr)), "path is NULL");
  EXPECT_EQ(refusal(kinjo_diagram_get(diagram.get(), nullptr)), "out is NULL");
  EXPECT_EQ(refusal(kinjo_diagram_count(nullptr)), "diagram is NULL");
  EXPECT_EQ(refusal(kinjo_members_all(nullptr)), "diagram is NULL");
  EXPECT_EQ(refusal(kinjo_members_by_weight(diagram.get(), nullptr)), "weights is NULL");
  EXPECT_EQ(refusal(kinjo_members_next(nullptr, nullptr, &size)), "members is NULL");
  EXPECT_EQ(refusal(kinjo_members_next(members.get(), nullptr, &size)), "items is NULL");
  EXPECT_EQ(refusal(kinjo_members_next(members.get(), nullptr, nullptr)), "count is NULL");
  EXPECT_EQ(take(members), take(CMembers(kinjo_members_all(diagram.get()))));
  const kinjo_problem none{.kind = KINJO_COMPONENTS, .components = 9};
  const CFamily family(kinjo_family_create(square().get(), &none));
  const CDiagram empty(kinjo_diagram_build(family.get(), nullptr, 0));
  EXPECT_EQ(refusal(kinjo_members_sample(empty.get(), 1)),
            "cannot draw a set: the family has none");
  kinjo_network_free(nullptr);
  kinjo_family_free(nullptr);
  kinjo_diagram_free(nullptr);
  kinjo_members_free(nullptr);
  kinjo_count_free(nullptr);
}

TEST(CPaths, ReportWantOfMemoryAtAnyAllocation) {
  const auto expect_out_of_memory = [](int nth) {
    EXPECT_EQ(kinjo_last_status(), KINJO_OUT_OF_MEMORY) << "at allocation " << nth;
  };
  const CMapping mapping = kinjo::test::map_two_nodes("none", 1);
  const CTeam team(kinjo_team_create(mapping.get(), 0));
  const kinjo_problem problem{.kind = KINJO_PATHS, .to = 2, .order = KINJO_ORDER_GIVEN};
  const auto attempt = [&] {
    const CNetwork network = square();
    const CFamily family(network ? kinjo_family_create(network.get(), &problem) : nullptr);
    const CCount digits(family ? kinjo_family_count(family.get(), team.get(), 0) : nullptr);
    const CDiagram diagram(digits ? kinjo_diagram_build(family.get(), team.get(), 0) : nullptr);
    const CMembers members(diagram ? kinjo_members_all(diagram.get()) : nullptr);
    std::uint32_t items[5];
    std::size_t size = 0;
    return members && kinjo_members_next(members.get(), items, &size) == 1;
  };
  EXPECT_GT(kinjo::test::fail_each_allocation(attempt, expect_out_of_memory), 20);
}

}  // namespace
