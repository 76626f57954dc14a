#include "workload/paths_estimate.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <kinjo/topology.hpp>

namespace kinjo {
namespace {

using paths::Family;
using paths::Kind;
using paths::Problem;

Problem problem_of(const std::string& rule, Kind kind) {
  Problem problem{.network = paths::network_by_rule(rule).network,
                  .kind = kind,
                  .order = paths::EdgeOrder::given};
  const bool has_ends = kind == Kind::path || kind == Kind::hamiltonian_path;
  if (has_ends) problem.to = problem.network.vertices - 1;
  return problem;
}

Family family_of(const std::string& rule, Kind kind) { return Family(problem_of(rule, kind)); }

/// Items that were reached, with the states before them.
std::vector<std::pair<std::size_t, std::uint64_t>> reached(const Family& family) {
  Team team(Mapping(Topology::this_machine(), Policy::none(), 1));
  std::vector<std::pair<std::size_t, std::uint64_t>> levels;
  count(team, family, {.go_on = [&](const paths::Progress& p) {
          if (levels.empty() || levels.back().first != p.item) levels.push_back({p.item, p.states});
          return true;
        }});
  return levels;
}

/// Tells `look` at each item the share of all states that is done, and what was thought of it.
template <class Look>
void follow(const Family& family, const Look& look) {
  const auto levels = reached(family);
  std::vector<double> done{0};
  for (std::size_t i = 1; i < levels.size(); ++i) {
    const std::size_t items = levels[i].first - levels[i - 1].first;
    done.push_back(done.back() + static_cast<double>(levels[i - 1].second * items));
  }
  PathsEstimate estimate(expected_states(family));
  for (std::size_t i = 0; i < levels.size(); ++i) {
    estimate.reach(levels[i].first, levels[i].second);
    look(done[i] / done.back(), estimate.done());
  }
}

TEST(PathsEstimate, TellsWhatIsDoneOfPlanarGraphs) {
  for (const Kind kind : {Kind::path, Kind::cycle, Kind::spanning_tree, Kind::matching}) {
    SCOPED_TRACE(to_string(kind));
    follow(family_of("grid:8x8", kind), [](double done, double thought) {
      if (done < 0.1) return;
      EXPECT_GT(thought, done / 2);
      EXPECT_LT(thought, done * 1.5);
    });
  }
}

TEST(PathsEstimate, ExpectsMoreWhereMoreStatesCome) {
  follow(family_of("king:5x5", Kind::path), [](double done, double thought) {
    if (done < 0.1) return;
    EXPECT_GT(thought, done / 2.5);
    EXPECT_LT(thought, done * 2.5);
  });
}

TEST(PathsEstimate, IsExactWithWhatASurveyFound) {
  const Family family = family_of("complete:8", Kind::path);
  Team team(Mapping(Topology::this_machine(), Policy::none(), 1));
  const paths::CountResult surveyed = survey(team, family);
  PathsEstimate estimate({surveyed.states.begin(), surveyed.states.end()});
  const auto all = static_cast<double>(surveyed.all_states());
  double before = 0;
  for (std::size_t item = 0; item < family.edges().size(); ++item) {
    estimate.reach(item, surveyed.states[item]);
    EXPECT_NEAR(estimate.done(), before / all, 1e-9) << item;
    before += static_cast<double>(surveyed.states[item]);
  }
}

double sum_of(const std::vector<double>& states) {
  return std::accumulate(states.begin(), states.end(), 0.0);
}

double all_states(const Family& family) {
  Team team(Mapping(Topology::this_machine(), Policy::none(), 1));
  return static_cast<double>(survey(team, family).all_states());
}

TEST(MostStates, AreThoseOfWordsInAGrid) {
  for (const Kind kind : {Kind::path, Kind::hamiltonian_path, Kind::cycle, Kind::spanning_tree,
                          Kind::components, Kind::matching}) {
    for (const char* rule : {"grid:6", "grid:8"}) {
      SCOPED_TRACE(rule + std::string(" ") + to_string(kind));
      const Problem problem = problem_of(rule, kind);
      const Family family(problem);
      const double most = sum_of(most_states(problem, family, true));
      EXPECT_GT(most, all_states(family));
      EXPECT_LT(most, 6 * all_states(family));
    }
  }
}

TEST(MostStates, CountComponentsThatHaveBeenClosed) {
  Problem problem = problem_of("grid:6", Kind::components);
  for (const std::uint64_t components : {2, 5, 12}) {
    problem.components = components;
    const Family family(problem);
    EXPECT_GT(sum_of(most_states(problem, family, true)), all_states(family)) << components;
    EXPECT_GT(sum_of(most_states(problem, family, false)), all_states(family)) << components;
  }
}

TEST(MostStates, AreEnoughWherePairsAndPartsCross) {
  for (const char* rule : {"king:5", "king:6", "complete:8", "hypercube:4", "grid:6"}) {
    for (const Kind kind : {Kind::path, Kind::hamiltonian_path, Kind::cycle, Kind::forest}) {
      SCOPED_TRACE(rule + std::string(" ") + to_string(kind));
      Problem problem = problem_of(rule, kind);
      for (const auto order : {paths::EdgeOrder::given, paths::EdgeOrder::breadth}) {
        problem.order = order;
        const Family family(problem);
        EXPECT_GT(sum_of(most_states(problem, family, false)), all_states(family));
      }
    }
  }
}

TEST(MostStates, CountPairingsPartitionsAndDegrees) {
  const Family family = family_of("complete:5", Kind::path);
  ASSERT_EQ(std::ranges::max(family.frontier_sizes()), 4U);
  const auto largest = [&](const Problem& problem) {
    return std::ranges::max(most_states(problem, family, false));
  };
  EXPECT_EQ(largest({.kind = Kind::cycle}), 16 + 6 * 4 + 3);
  EXPECT_EQ(largest({.kind = Kind::path}), 43 + 2 * 4 * 14 + 4 * 3 * 5);
  EXPECT_EQ(largest({.kind = Kind::spanning_tree}), 15);
  EXPECT_EQ(largest({.kind = Kind::components, .components = 2}), 45);
  EXPECT_EQ(largest({.kind = Kind::matching}), 16);
  EXPECT_EQ(largest({.kind = Kind::degrees, .degrees = {0, 2}}), 81);
}

TEST(PathsEstimate, IsDoneAtTheEnd) {
  PathsEstimate estimate({1, 2, 3});
  EXPECT_EQ(estimate.done(), 0);
  estimate.reach(2, 5);
  EXPECT_EQ(estimate.done(), 1);
}

}  // namespace
}  // namespace kinjo
