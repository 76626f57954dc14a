#include <kinjo/paths.hpp>

#include <fcntl.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/graph_team.hpp"
#include "paths/family_samples.hpp"
#include "paths/known_counts.hpp"
#include "paths/raw_level.hpp"
#include "paths/reference.hpp"
#include "support/expect.hpp"
#include "support/scratch.hpp"

namespace {

/// Calls of `posix_fallocate` that a signal ends.
std::atomic<int> interruptions = 0;

}  // namespace

/// Instead of the C library's.
extern "C" int posix_fallocate(int file, off_t at, off_t bytes) {
  if (interruptions > 0) {
    --interruptions;
    return EINTR;
  }
  return fallocate(file, 0, at, bytes) == 0 ? 0 : errno;
}

namespace kinjo::paths {
namespace {

using detail::members_by_definition;
using kinjo::test::error_of;
using kinjo::test::graph_mapping;
using kinjo::test::kCornerToCorner;
using test::corner_to_corner;
using test::kKinds;
using test::ProblemSource;
using testing::MatchesRegex;
using testing::StartsWith;

/// Members as bit masks of positions in the network, rising.
std::vector<std::uint32_t> masks_of(const Family& family, const Diagram& diagram) {
  std::vector<std::uint32_t> masks;
  for (const Set& set : diagram.members()) {
    std::uint32_t mask = 0;
    for (const Item item : set) mask |= std::uint32_t{1} << family.positions()[item];
    masks.push_back(mask);
  }
  std::ranges::sort(masks);
  return masks;
}

TEST(Build, HoldsTheMembersByDefinition) {
  Team one(graph_mapping(1)), two(graph_mapping(2)), seven(graph_mapping(7));
  for (const Kind kind : kKinds) {
    ProblemSource source(kind);
    for (int i = 0; i < 60; ++i) {
      const Problem problem = source.next();
      const Family family(problem);
      const Diagram diagram = *build(one, family);
      ASSERT_EQ(masks_of(family, diagram), members_by_definition(problem))
          << to_string(kind) << ", the " << i << "th";
      ASSERT_EQ(*build(two, family), diagram) << to_string(kind) << ", the " << i << "th";
      if (i < 10) {
        ASSERT_EQ(*build(seven, family), diagram);
      }
    }
  }
}

TEST(Build, MakesTheSameDiagramWithAnyChain) {
  const Family family(corner_to_corner(8));
  Team one(graph_mapping(1));
  const Diagram diagram = *build(one, family);
  EXPECT_EQ(diagram.count().to_string(), "3266598486981642");
  for (const std::size_t threads : {2, 3, 7, 64}) {
    Team many(graph_mapping(threads));
    EXPECT_EQ(*build(many, family), diagram) << threads;
  }
}

TEST(Build, LosesNothingWhereQueuesAreFull) {
  Problem problem = corner_to_corner(10);
  problem.order = EdgeOrder::given;
  Team two(graph_mapping(2));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(build(two, Family(problem))->nodes(), 1268340U);
}

TEST(Build, CountsAsTheSweepDoes) {
  Team team(graph_mapping(2));
  for (const char* rule : {"king:4x4", "complete:8", "hypercube:4", "grid:3x9"}) {
    for (const Kind kind : {Kind::path, Kind::cycle, Kind::forest, Kind::matching}) {
      Problem problem{.network = network_by_rule(rule).network, .kind = kind, .from = 0, .to = 5};
      const Family family(problem);
      const Diagram diagram = *build(team, family);
      EXPECT_EQ(diagram.count(), count(team, family).count) << rule << ' ' << to_string(kind);
      EXPECT_EQ(diagram.count_by_size(), count_by_size(team, family).by_size)
          << rule << ' ' << to_string(kind);
    }
  }
}

TEST(Build, StopsAtItsLimitOfMemoryInAnyChain) {
  for (const std::size_t threads : {1, 3}) {
    Team team(graph_mapping(threads));
    const std::string error =
        error_of([&] { build(team, Family(corner_to_corner(9)), {.memory_limit = 1000000}); });
    EXPECT_THAT(error,
                MatchesRegex("out_of_memory: the diagram takes more memory than the limit of "
                             "977 KiB: its nodes up to edge [0-9]+ of 180 take .*; expected "
                             "a larger limit, or a directory to spill to"));
  }
}

TEST(Build, TellsNoMoreOfItsMemoryThanWasForetold) {
  const Family family(corner_to_corner(10));
  for (const std::size_t threads : {1, 3}) {
    Team team(graph_mapping(threads));
    std::uint64_t most = 0;
    const auto diagram = build(team, family, {.go_on = [&](const Progress& p) {
                                 if (p.reduces) most = std::max(most, p.bytes);
                                 return true;
                               }});
    const CountResult surveyed = survey(team, family);
    const std::uint64_t foretold = reduction_bytes(family, surveyed, threads);
    EXPECT_LE(most, foretold) << threads;
    EXPECT_GE(most, diagram->bytes());
    EXPECT_LE(foretold, 5 * most / 4) << threads;
  }
}

TEST(Build, TakesWhatIsForetoldByTheSurvey) {
  for (const std::size_t threads : {1, 3}) {
    Team team(graph_mapping(threads));
    for (const Kind kind : {Kind::path, Kind::cycle, Kind::spanning_tree, Kind::matching}) {
      Problem problem = corner_to_corner(6);
      problem.kind = kind;
      const Family family(problem);
      const CountResult surveyed = survey(team, family);
      const std::uint64_t bytes = build_bytes(family, surveyed, threads);
      EXPECT_GE(bytes, 4 * surveyed.all_states()) << to_string(kind);
      std::uint64_t held = 0;
      build(team, family, {.go_on = [&](const Progress& progress) {
              if (progress.reduces && held == 0) held = progress.bytes;
              return true;
            }});
      if (threads == 1) {
        EXPECT_EQ(held, bytes) << to_string(kind);
      } else {
        EXPECT_LE(held, bytes) << to_string(kind);
        EXPECT_GE(held, build_bytes(family, surveyed, 1) / 2) << to_string(kind);
      }
    }
  }
}

TEST(Build, StopsWhenItIsTold) {
  for (const std::size_t threads : {1, 3}) {
    Team team(graph_mapping(threads));
    std::size_t asked = 0;
    EXPECT_FALSE(build(team, Family(corner_to_corner(7)), {.go_on = [&](const Progress& p) {
                         EXPECT_EQ(p.items, 112U);
                         return ++asked < 3;
                       }}));
    EXPECT_EQ(asked, 3U);
  }
}

// Of 10 × 10 squares levels have more nodes than one thread reduces alone.
TEST(Build, StopsWhileItReducesWhenItIsTold) {
  for (const std::size_t threads : {1, 2, 3}) {
    Team team(graph_mapping(threads));
    const Family family(corner_to_corner(10));
    const std::size_t items = family.edges().size();
    for (const std::size_t last : {std::size_t{1}, items / 2, items - 2}) {
      std::size_t reduced = 0;
      const auto found = build(team, family, {.go_on = [&](const Progress& p) {
                                 if (!p.reduces) return true;
                                 EXPECT_EQ(p.item, ++reduced);
                                 EXPECT_EQ(p.items, items);
                                 return p.item < last;
                               }});
      EXPECT_FALSE(found) << threads << ' ' << last;
      EXPECT_EQ(reduced, last);
    }
    EXPECT_EQ(build(team, family)->count().to_string(), kCornerToCorner[9]);
  }
}

// The reduced diagram has fewer nodes than are reckoned with, and at the end of levels nothing is
// left of what sorts them.
TEST(Build, TellsMoreForItsReductionThanForItsNodes) {
  Team team(graph_mapping(1));
  const Family family(corner_to_corner(8));
  const CountResult surveyed = survey(team, family);
  const std::uint64_t nodes = build_bytes(family, surveyed, 1);
  EXPECT_GT(reduction_bytes(family, surveyed, 1), nodes);
  EXPECT_GT(reduction_bytes(family, surveyed, 2), reduction_bytes(family, surveyed, 1));
  EXPECT_LT(reduction_bytes(family, surveyed, 1), 2 * nodes);
}

TEST(Build, TellsLessOfMemoryForItsReductionWhereNodesAreInAFile) {
  Team team(graph_mapping(1));
  const Family family(corner_to_corner(8));
  const CountResult surveyed = survey(team, family);
  const std::uint64_t on_disk = reduction_bytes(family, surveyed, 1, NodesIn::file);
  EXPECT_LT(on_disk, reduction_bytes(family, surveyed, 1));
  EXPECT_GT(on_disk, build(team, family)->bytes());
}

std::size_t files_in(const std::string& folder) {
  const std::filesystem::directory_iterator entries(folder);
  return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

TEST(Build, IsTheSameWithItsNodesInAFile) {
  kinjo::test::Scratch folder;
  const Family family(corner_to_corner(10));
  for (const std::size_t threads : {1, 3}) {
    Team team(graph_mapping(threads));
    std::size_t left_over = 0;
    const auto found = build(team, family,
                             {.go_on =
                                  [&](const Progress&) {
                                    left_over += files_in(folder.path());
                                    return true;
                                  },
                              .spill = folder.path()});
    EXPECT_EQ(*found, *build(team, family)) << threads;
    EXPECT_EQ(left_over + files_in(folder.path()), 0U);
  }
}

// A profiler's, say: on some file systems it ends what makes a file longer.
TEST(Build, GoesOnWithItsNodesInAFileAfterASignal) {
  kinjo::test::Scratch folder;
  const Family family(corner_to_corner(5));
  Team team(graph_mapping(1));
  interruptions = 3;
  EXPECT_EQ(*build(team, family, {.spill = folder.path()}), *build(team, family));
  EXPECT_EQ(interruptions, 0);
}

// Nodes in a file are not memory.
TEST(Build, TakesLittleMemoryWithItsNodesInAFile) {
  kinjo::test::Scratch folder;
  // Of which many nodes are reduced away.
  Problem problem = corner_to_corner(11);
  problem.kind = Kind::hamiltonian_cycle;
  const Family family(problem);
  for (const std::size_t threads : {1, 3}) {
    Team team(graph_mapping(threads));
    const Diagram diagram = *build(team, family);
    const std::uint64_t limit = diagram.bytes() + (3 << 20);
    ASSERT_LT(limit, build_bytes(family, survey(team, family), 1));
    EXPECT_THAT(error_of([&] { build(team, family, {.memory_limit = limit}); }),
                StartsWith("out_of_memory: the diagram takes more memory than "));
    EXPECT_EQ(*build(team, family, {.memory_limit = limit, .spill = folder.path()}), diagram);
  }
}

// The reduced diagram is memory nonetheless, and before it the tables of states are.
TEST(Build, StopsAtItsLimitOfMemoryWithItsNodesInAFile) {
  kinjo::test::Scratch folder;
  const Family family(corner_to_corner(10));
  for (const std::size_t threads : {1, 3}) {
    Team team(graph_mapping(threads));
    const auto refusal = [&](std::uint64_t limit) {
      return error_of(
          [&] { build(team, family, {.memory_limit = limit, .spill = folder.path()}); });
    };
    EXPECT_THAT(
        refusal(8 << 20),
        MatchesRegex("out_of_memory: the diagram takes more memory than the limit of 8 MiB: "
                     "it is reached at edge [0-9]+ of 220 where the nodes are reduced, from "
                     "the last edge up; expected a larger limit"));
    EXPECT_THAT(refusal(100'000),
                MatchesRegex("out_of_memory: the diagram takes more memory than the limit of 97.7 "
                             "KiB: its states up to edge [0-9]+ of 220 take .* KiB; expected a "
                             "larger limit, or fewer threads"));
    EXPECT_EQ(files_in(folder.path()), 0U);
    EXPECT_EQ(build(team, family)->count().to_string(), kCornerToCorner[9]);
  }
}

TEST(Build, RefusesADirectoryThatIsNone) {
  Team team(graph_mapping(1));
  EXPECT_EQ(
      error_of([&] { build(team, Family(corner_to_corner(3)), {.spill = "/absent"}); }),
      "not_found: cannot keep nodes in a file in '/absent': No such file or directory; expected a "
      "directory with room for them");
  EXPECT_GT(spill_room("/"), 0U);
}

TEST(Build, KnowsFamiliesWithoutEdges) {
  Team team(graph_mapping(1));
  const auto built = [&](Kind kind, Vertex vertices) {
    return *build(team,
                  Family({.network = {.vertices = vertices}, .kind = kind, .to = vertices - 1}));
  };
  EXPECT_EQ(built(Kind::path, 2), Diagram::none(0));
  EXPECT_EQ(built(Kind::cycle, 1), Diagram::none(0));
  EXPECT_EQ(built(Kind::spanning_tree, 1), Diagram::unit(0));
  EXPECT_EQ(built(Kind::spanning_tree, 2), Diagram::none(0));
  EXPECT_EQ(built(Kind::forest, 3), Diagram::unit(0));
}

}  // namespace
}  // namespace kinjo::paths
