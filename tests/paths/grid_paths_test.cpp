#include <kinjo/grid_paths.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/graph_team.hpp"
#include "paths/grid_reference.hpp"
#include "paths/known_counts.hpp"
#include "simd/level.hpp"
#include "support/expect.hpp"

namespace kinjo::paths {
namespace {

using test::error_of;
using test::graph_mapping;
using test::kCornerToCorner;

constexpr GridMethod kMethods[] = {GridMethod::halves, GridMethod::residues};

Team& team() {
  static Team team(graph_mapping(1));
  return team;
}

std::string counted(Team& team, unsigned rows, unsigned columns,
                    GridMethod method = GridMethod::automatic) {
  return count_grid_paths(team, rows, columns, {.method = method}).count.to_string();
}

TEST(GridPaths, AreAsManyAsIsKnownInSquares) {
  for (unsigned squares = 1; squares <= std::size(kCornerToCorner); ++squares) {
    EXPECT_EQ(counted(team(), squares, squares), kCornerToCorner[squares - 1]) << squares;
  }
}

// Residues of the larger ones take many times as long.
TEST(GridPaths, AreAsManyAsIsKnownInSquaresByEachMethod) {
  constexpr unsigned kMostByAll = 13;
  for (unsigned squares = 1; squares <= kMostByAll; ++squares) {
    for (const GridMethod method : kMethods) {
      EXPECT_EQ(counted(team(), squares, squares, method), kCornerToCorner[squares - 1])
          << squares << ' ' << to_string(method);
    }
  }
}

TEST(GridPaths, AgreeWithOnePrimeMoreThanIsNeeded) {
  for (const unsigned squares : {4U, 9U, 12U}) {
    const std::size_t primes = grid_paths_need(squares, squares, 1, GridMethod::residues).primes;
    std::size_t rows = 0;
    const CountResult found = count_grid_paths(
        team(), squares, squares,
        {.method = GridMethod::residues, .spare_prime = true, .go_on = [&](const Progress& p) {
           rows = p.items;
           return true;
         }});
    EXPECT_EQ(found.count.to_string(), kCornerToCorner[squares - 1]);
    EXPECT_EQ(rows, (squares + 1) * (primes + 1));
  }
}

TEST(GridPaths, AreAsManyAsThePlainestWayFindsInRectangles) {
  for (unsigned rows = 1; rows <= 7; ++rows) {
    for (unsigned columns = rows; columns <= (rows < 5 ? 10 : 8); ++columns) {
      const std::string expected = detail::grid_paths_reference(rows, columns).to_string();
      for (const GridMethod method : kMethods) {
        EXPECT_EQ(counted(team(), rows, columns, method), expected) << rows << " × " << columns;
      }
    }
  }
}

TEST(GridPaths, PlainestWayFindsThoseThatCanBeWalked) {
  for (unsigned rows = 1; rows <= 5; ++rows) {
    for (unsigned columns = 1; rows * columns <= 12; ++columns) {
      EXPECT_EQ(detail::grid_paths_reference(rows, columns),
                detail::grid_paths_walked(rows, columns))
          << rows << " × " << columns;
    }
  }
}

TEST(GridPaths, AreAsManyInAGridThatIsTurned) {
  for (unsigned rows = 1; rows <= 10; ++rows) {
    EXPECT_EQ(counted(team(), rows, 11), counted(team(), 11, rows)) << rows;
  }
}

TEST(GridPaths, OfOneRowAreOfTwoChoicesForEachSquare) {
  for (const unsigned columns : {1U, 2U, 63U, 64U, 130U, 500U}) {
    Count power = 1;
    for (unsigned i = 0; i < columns; ++i) power += power;
    EXPECT_EQ(counted(team(), 1, columns), power.to_string()) << columns;
  }
}

TEST(GridPaths, OfTwoMethodsAreTheSameWhereNumbersAreLong) {
  // 3 and 4 limbs.
  for (const unsigned rows : {35U, 50U}) {
    EXPECT_GE(grid_paths_need(rows, 9, 1, GridMethod::halves).limbs, 3U);
    EXPECT_EQ(counted(team(), rows, 9, GridMethod::halves),
              counted(team(), rows, 9, GridMethod::residues));
  }
}

TEST(GridPaths, AreTheSameForEveryTeam) {
  for (const std::size_t threads : {2, 3, 7, 16}) {
    Team several(graph_mapping(threads));
    for (const GridMethod method : kMethods) {
      EXPECT_EQ(counted(several, 11, 11, method), kCornerToCorner[10]) << threads;
      EXPECT_EQ(counted(several, 2, 2, method), kCornerToCorner[1]) << threads;
    }
  }
}

TEST(GridPaths, AreTheSameAtEveryLevelOfVectorInstructions) {
  Team pair(graph_mapping(2));
  for (const SimdLevel level : simd_levels()) {
    SCOPED_TRACE(to_string(level));
    const kinjo::detail::ForcedLevel forced(level);
    EXPECT_EQ(counted(pair, 11, 11), kCornerToCorner[10]);
    EXPECT_EQ(counted(pair, 11, 11, GridMethod::residues), kCornerToCorner[10]);
    EXPECT_EQ(counted(pair, 50, 7, GridMethod::halves), counted(pair, 50, 7, GridMethod::residues));
  }
}

TEST(GridPaths, TellHowFarTheyAreAndStopWhenTold) {
  for (const GridMethod method : {GridMethod::halves, GridMethod::residues}) {
    std::vector<std::size_t> seen;
    const auto until = [&](std::size_t last) {
      seen.clear();
      return count_grid_paths(team(), 7, 7, {.method = method, .go_on = [&](const Progress& p) {
                                               EXPECT_EQ(p.items, 8U);
                                               EXPECT_EQ(p.states, 512U + 196U);
                                               EXPECT_GT(p.bytes, 0U);
                                               seen.push_back(p.item);
                                               return p.item != last;
                                             }});
    };
    const CountResult whole = until(0);
    EXPECT_FALSE(whole.interrupted);
    EXPECT_EQ(whole.count.to_string(), kCornerToCorner[6]);
    EXPECT_EQ(seen, (std::vector<std::size_t>{1, 2, 3, 4, 5, 6, 7, 8}));
    const CountResult part = until(5);
    EXPECT_TRUE(part.interrupted);
    EXPECT_EQ(seen.size(), 5U);
  }
}

TEST(GridPaths, StopWithinLongRows) {
  for (const std::size_t threads : {1, 2, 7}) {
    Team several(Mapping(Topology::this_machine(), Policy::none(), threads, Oversubscribe::wrap));
    std::size_t calls = 0;
    const CountResult part = count_grid_paths(several, 15, 15, {.go_on = [&](const Progress& p) {
                                                EXPECT_EQ(p.item, 0U);
                                                return ++calls < 10;
                                              }});
    EXPECT_TRUE(part.interrupted);
    EXPECT_EQ(calls, 10U);
  }
}

TEST(GridPaths, TakeNoMoreMemoryThanWasSaid) {
  for (const std::size_t threads : {1, 2}) {
    Team some(graph_mapping(threads));
    for (unsigned squares = 1; squares <= 13; ++squares) {
      for (const GridMethod method : kMethods) {
        const GridNeed need = grid_paths_need(squares, squares, threads, method);
        const CountResult result = count_grid_paths(some, squares, squares, {.method = method});
        EXPECT_GT(result.peak_bytes, 0U);
        EXPECT_LE(result.peak_bytes, need.bytes) << squares << ' ' << to_string(method);
      }
    }
  }
}

TEST(GridPaths, NeedWhatTheTablesOfWordsTake) {
  const GridNeed need = grid_paths_need(16, 16, 1);
  EXPECT_EQ(need.method, GridMethod::halves);
  EXPECT_EQ(need.states, 4179603U + 1503312U);
  EXPECT_EQ(need.steps, 17U * 16U);
  EXPECT_EQ(need.limbs, 2U);
  EXPECT_LT(need.bytes, 200'000'000U);
  const GridNeed least = grid_paths_need(16, 16, 1, GridMethod::residues);
  EXPECT_EQ(least.primes, 5U);
  EXPECT_EQ(least.steps, 5U * 17 * 16);
  EXPECT_LT(least.bytes, need.bytes / 2);
}

TEST(GridPaths, AreCountedByResiduesWhereHalvesDoNotFit) {
  const std::uint64_t least = grid_paths_need(12, 12, 1, GridMethod::residues).bytes;
  ASSERT_LT(least, grid_paths_need(12, 12, 1).bytes);
  EXPECT_EQ(grid_paths_least_bytes(12, 12, 1), least);
  const GridCountResult result = count_grid_paths(team(), 12, 12, {.memory_limit = least});
  EXPECT_EQ(result.count.to_string(), kCornerToCorner[11]);
  EXPECT_LE(result.peak_bytes, least);
}

TEST(GridPaths, TellByWhichMethodTheyWereCounted) {
  const GridNeed halves = grid_paths_need(12, 12, 1),
                 residues = grid_paths_need(12, 12, 1, GridMethod::residues);
  const GridNeed roomy = count_grid_paths(team(), 12, 12, {.memory_limit = halves.bytes}).took;
  EXPECT_EQ(roomy.method, GridMethod::halves);
  EXPECT_EQ(roomy.steps, 13U * 12);
  const GridNeed tight = count_grid_paths(team(), 12, 12, {.memory_limit = halves.bytes - 1}).took;
  EXPECT_EQ(tight.method, GridMethod::residues);
  EXPECT_EQ(tight.primes, residues.primes);
  EXPECT_EQ(tight.steps, residues.primes * 13 * 12);
}

TEST(GridPaths, NeedTheLeastOfTheMethodsAtLeast) {
  for (const std::size_t threads : {1, 2, 16}) {
    for (unsigned squares = 1; squares <= 20; ++squares) {
      const std::uint64_t least = grid_paths_least_bytes(squares, squares, threads);
      for (const GridMethod method : kMethods) {
        EXPECT_LE(least, grid_paths_need(squares, squares, threads, method).bytes) << squares;
      }
    }
  }
  // Halves would need more limbs than there are.
  EXPECT_EQ(grid_paths_least_bytes(2, 9999, 1), grid_paths_need(2, 9999, 1).bytes);
}

TEST(GridPaths, AreRefusedBeforeTheyTakeTooMuchMemory) {
  EXPECT_EQ(error_of([] { count_grid_paths(team(), 12, 12, {.memory_limit = 1 << 20}); }),
            "out_of_memory: counting the paths of a grid of 12 × 12 squares takes 1.4 MiB: 1 MiB "
            "may be used");
  EXPECT_EQ(error_of([] {
              count_grid_paths(team(), 12, 12,
                               {.method = GridMethod::halves, .memory_limit = 2 << 20});
            }),
            "out_of_memory: counting the paths of a grid of 12 × 12 squares takes 3 MiB: 2 MiB "
            "may be used");
  EXPECT_EQ(
      error_of([] { count_grid_paths(team(), 27, 27, {.memory_limit = 1ULL << 30}); }),
      "out_of_memory: counting the paths of a grid of 27 × 27 squares takes 4.7 TiB: 1 GiB may be "
      "used");
}

TEST(GridPaths, OfSizesThatAreNoneAreRefused) {
  const auto refusal = [](unsigned rows, unsigned columns,
                          GridMethod method = GridMethod::automatic) {
    return error_of([&] { grid_paths_need(rows, columns, 1, method); });
  };
  EXPECT_EQ(refusal(0, 5),
            "invalid_argument: a grid of 0 × 5 squares: expected at least one in each direction");
  EXPECT_EQ(refusal(28, 30),
            "invalid_argument: a grid of 28 × 30 squares: one of the sides may have 27 at most");
  EXPECT_EQ(refusal(2, 10000),
            "invalid_argument: a grid of 2 × 10000 squares: a side may have 9999 at most");
  EXPECT_EQ(refusal(2, 9999, GridMethod::halves),
            "not_supported: the numbers of this grid may have more than 256 bits: count by "
            "residues");
  EXPECT_EQ(refusal(2, 9999), "no error");
}

}  // namespace
}  // namespace kinjo::paths
