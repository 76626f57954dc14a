#include "paths/groups.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "paths/family.hpp"
#include "paths/family_samples.hpp"
#include "simd/level.hpp"

namespace kinjo::paths {
namespace {

using namespace detail;
using test::corner_to_corner;
using test::kKinds;
using test::ProblemSource;

/// Calls `f` with the family's specification.
template <class F>
void with(const Family& family, F&& f) {
  std::visit([&](const auto& steps) { with_specification(steps, f); }, family.impl().steps);
}

/// A state after a group, and the number of the one that it came from.
template <class S>
using Traced = std::pair<typename S::State, std::size_t>;

/// What some states become over a group, decision by decision.
template <class S>
std::vector<Traced<S>> one_by_one(const S& specification, const Group& group,
                                  std::span<const typename S::State> block) {
  std::vector<Traced<S>> states;
  for (std::size_t i = 0; i < block.size(); ++i) states.push_back({block[i], i});
  for (std::size_t item = group.first; item <= group.last; ++item) {
    const auto at = specification.at(item);
    std::vector<Traced<S>> after;
    for (const auto& [state, from] : states) {
      typename S::State skipped = state, taken = state;
      const bool skips = at.skip(skipped) == Outcome::alive;
      const bool takes = at.take(taken) == Outcome::alive;
      if (skips) after.push_back({skipped, from});
      if (takes) after.push_back({taken, from});
      EXPECT_FALSE(skips && takes && is_forced(specification, item)) << item;
    }
    states = std::move(after);
  }
  std::ranges::sort(states);
  return states;
}

/// Expands a family group by group, each block in both ways.
template <class S>
void expect_the_same(const S& specification) {
  GroupExpansion<S> expansion(specification);
  std::vector<typename S::State> states = {specification.root()};
  for (const Group& group : groups_of(specification, classes_of(specification))) {
    expansion.begin(group);
    std::vector<typename S::State> after;
    for (std::size_t first = 0; first < states.size(); first += kBlock) {
      const auto block = std::span(states).subspan(first, std::min(kBlock, states.size() - first));
      expansion.expand(block, [](std::size_t) {});
      std::vector<Traced<S>> found;
      for (std::size_t i = 0; i < expansion.states().size(); ++i) {
        found.push_back({expansion.states()[i], expansion.from()[i]});
        after.push_back(expansion.states()[i]);
      }
      std::ranges::sort(found);
      const auto expected = one_by_one(specification, group, std::span(std::as_const(block)));
      ASSERT_EQ(found, expected) << group.first << " to " << group.last;
    }
    std::ranges::sort(after);
    after.erase(std::unique(after.begin(), after.end()), after.end());
    states = std::move(after);
  }
}

TEST(Bands, AreNoLongerThanTheirItemsHaveNumbers) {
  Network network{.vertices = 2};
  network.edges.assign(200000, Edge{0, 1});
  for (const Kind kind : {Kind::path, Kind::forest, Kind::matching}) {
    with(Family({.network = network, .kind = kind, .to = 1}), [](const auto& specification) {
      std::size_t next = 0;
      for (const BandItems& band : bands_of(specification)) {
        EXPECT_EQ(band.first, next);
        EXPECT_LE(band.last - band.first, 0xFFFFU);
        next = band.last + 1;
      }
      EXPECT_EQ(next, 200000U);
    });
  }
}

TEST(Groups, HaveEachItemOnceInOrder) {
  for (const Kind kind : kKinds) {
    ProblemSource source(kind);
    for (int i = 0; i < 50; ++i) {
      const Family family(source.next());
      with(family, [&](const auto& specification) {
        std::size_t next = 0;
        for (const Group& group : groups_of(specification, classes_of(specification))) {
          EXPECT_EQ(group.first, next);
          EXPECT_GE(group.last, group.first);
          next = group.last + 1;
        }
        EXPECT_EQ(next, specification.items());
      });
    }
  }
}

TEST(Groups, BehindSomeFollowThem) {
  for (const Kind kind : kKinds) {
    ProblemSource source(kind);
    for (int i = 0; i < 50; ++i) {
      with(Family(source.next()), [&](const auto& specification) {
        const std::vector<Group> before = groups_of(specification, {});
        const std::size_t kept = before.size() / 2;
        const std::vector<Group> groups =
            groups_of(specification, classes_of(specification),
                      {before.begin(), before.begin() + static_cast<std::ptrdiff_t>(kept)});
        std::size_t next = 0;
        for (std::size_t g = 0; g < groups.size(); ++g) {
          if (g < kept) {
            EXPECT_EQ(groups[g].last, before[g].last);
          }
          EXPECT_EQ(groups[g].first, next);
          EXPECT_GE(groups[g].last, groups[g].first);
          next = groups[g].last + 1;
        }
        EXPECT_EQ(next, specification.items());
      });
    }
  }
}

TEST(Groups, OfAGridHaveTheEdgesOfTwoVertices) {
  Problem problem = corner_to_corner(8);
  problem.order = EdgeOrder::given;
  with(Family(problem), [&](const auto& specification) {
    // After 8 edges to the right in each row but the last no vertex leaves, and all others are
    // forced: two of the former to a group, and two groups more for the last row.
    EXPECT_EQ(groups_of(specification, classes_of(specification)).size(), 34U);
  });
}

TEST(Groups, ExpandAsTheirItemsDoOneByOne) {
  for (const Kind kind : kKinds) {
    ProblemSource source(kind);
    for (int i = 0; i < 100; ++i) {
      with(Family(source.next()), [](const auto& s) { expect_the_same(s); });
      ASSERT_FALSE(HasFailure()) << to_string(kind) << ", the " << i << "th";
    }
  }
}

// Of one word and of two, whole vectors and parts of one.
TEST(Groups, ExpandTheSameAtEveryLevelOfVectors) {
  for (const char* const rule : {"grid:4x6", "king:3x5", "hypercube:4", "complete:16"}) {
    Problem problem{.network = network_by_rule(rule).network, .order = EdgeOrder::given};
    if (problem.network.vertices == 16) problem.network.edges.resize(30);
    problem.to = problem.network.vertices - 1;
    for (const Kind kind : {Kind::path, Kind::hamiltonian_cycle}) {
      problem.kind = kind;
      for (const SimdLevel level : simd_levels()) {
        const kinjo::detail::ForcedLevel forced(level);
        with(Family(problem), [](const auto& s) { expect_the_same(s); });
        ASSERT_FALSE(HasFailure()) << rule << ' ' << to_string(level);
      }
    }
  }
}

}  // namespace
}  // namespace kinjo::paths
