#include "workload/paths_run.hpp"

#include <gtest/gtest.h>
#include <kinjo/grid_paths.hpp>

#include "graph/graph_team.hpp"
#include "paths/known_counts.hpp"
#include "support/expect.hpp"

namespace kinjo {
namespace {

using test::error_of;
using test::graph_mapping;
using test::kCornerToCorner;

Team& team() {
  static Team team(graph_mapping(1));
  return team;
}

PathsMethod method_of(const PathsSettings& settings) { return load_paths(team(), settings).method; }

TEST(PathsInput, TakesTheWayOfGridsBetweenOppositeCorners) {
  EXPECT_EQ(method_of({.graph = "grid:27x30"}), PathsMethod::grid);
  EXPECT_EQ(method_of({.graph = "grid:5", .from = "5", .to = "30"}), PathsMethod::grid);
  EXPECT_EQ(method_of({.graph = "grid:5", .to = "30"}), PathsMethod::sweep);
  EXPECT_EQ(method_of({.graph = "grid:5", .through = {"7"}}), PathsMethod::sweep);
  EXPECT_EQ(method_of({.graph = "grid:2x10000"}), PathsMethod::sweep);
}

TEST(PathsInput, RefusesAGridThatIsTooLargeForAnyWayUnlessOneIsNamed) {
  for (const char* graph : {"grid:28", "grid:28x40"}) {
    const std::string sides = graph == std::string("grid:28") ? "28 × 28" : "28 × 40";
    EXPECT_EQ(error_of([&] { method_of({.graph = graph}); }),
              "not_supported: a grid of " + sides +
                  " squares: paths from corner to corner are counted where one of the sides has 27 "
                  "at most; expected that, or method 'sweep' to try it all the same");
  }
  for (const PathsMethod method : {PathsMethod::sweep, PathsMethod::diagram, PathsMethod::grid}) {
    EXPECT_EQ(method_of({.graph = "grid:28", .method = method}), method);
  }
  // Other families of such grids may be small.
  EXPECT_EQ(method_of({.graph = "grid:28", .to = "1"}), PathsMethod::sweep);
}

PathsRun run_grid(std::uint64_t memory_limit) {
  const PathsInput input = load_paths(team(), {.graph = "grid:12"});
  return run_paths(team(), input, std::nullopt, {.memory_limit = memory_limit});
}

TEST(PathsRun, TellsTheStatesOfTheMethodThatAGridWasCountedBy) {
  const paths::GridNeed halves = paths::grid_paths_need(12, 12, 1),
                        residues = paths::grid_paths_need(12, 12, 1, paths::GridMethod::residues);
  ASSERT_LT(residues.bytes, halves.bytes);
  EXPECT_EQ(run_grid(halves.bytes).states, halves.states * halves.steps);
  const PathsRun tight = run_grid(residues.bytes);
  EXPECT_EQ(tight.count.to_string(), kCornerToCorner[11]);
  EXPECT_EQ(tight.states, residues.states * residues.steps);
}

TEST(PathsRun, CountsADiagramWithinTheLimit) {
  const PathsInput input = load_paths(team(), {.graph = "grid:8", .method = PathsMethod::diagram});
  const paths::Family family(input.problem);
  const PathsRun roomy = run_paths(team(), input, family, {});
  EXPECT_EQ(roomy.count.to_string(), kCornerToCorner[7]);
  EXPECT_GE(roomy.peak_bytes, roomy.diagram->bytes());
  EXPECT_EQ(error_of([&] {
              run_paths(team(), input, family, {.memory_limit = roomy.diagram->bytes()});
            }).rfind("out_of_memory: the diagram takes more memory than the limit of ", 0),
            0U);
}

}  // namespace
}  // namespace kinjo
