/// What becomes of a problem's rows, and that the parts together are the problem.
#include "sdp/model.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "sdp/solver_samples.hpp"

namespace kinjo::sdp::detail {
namespace {

using test::Draw;

/// (matrix, block, row, column) → value
using Everything = std::map<std::tuple<std::size_t, Index, Index, Index>, double>;

Everything everything(const Problem& problem) {
  Everything all;
  for (std::size_t i = 0; i <= problem.constraints(); ++i) {
    for (const Entry& e : problem.matrix(i)) all[{i, e.block, e.row, e.column}] = e.value;
  }
  return all;
}

void add(Everything& all, std::size_t matrix, const Cone& cone, const Term& t) {
  ASSERT_LE(t.row, t.column);
  ASSERT_LT(t.column, cone.order());
  const auto [at, is_new] =
      all.insert({{matrix, cone.origin, cone.rows[t.row], cone.rows[t.column]}, t.value});
  EXPECT_TRUE(is_new);
}

Everything everything(const Model& model) {
  Everything all;
  for (const Cone& cone : model.cones) {
    for (const Term& t : cone.constant) add(all, 0, cone, t);
    for (std::size_t k = 0; k < cone.constraints.size(); ++k) {
      for (std::size_t e = cone.begins[k]; e < cone.begins[k + 1]; ++e) {
        add(all, cone.constraints[k] + 1, cone, cone.term(e));
      }
    }
  }
  const Linear& linear = model.linear;
  for (Index r = 0; r < linear.order(); ++r) {
    const auto [block, row] = linear.origins[r];
    if (linear.constant[r] != 0) all[{0, block, row, row}] = linear.constant[r];
  }
  for (std::size_t i = 0; i < model.constraints; ++i) {
    for (std::size_t e = linear.begins[i]; e < linear.begins[i + 1]; ++e) {
      const auto [block, row] = linear.origins[linear.items[e].row];
      all[{i + 1, block, row, row}] = linear.items[e].value;
    }
  }
  return all;
}

/// Whether entries lead from its first row to all others.
bool is_connected(const Cone& cone) {
  std::vector<Term> terms;
  for (std::size_t e = 0; e < cone.values.size(); ++e) terms.push_back(cone.term(e));
  terms.insert(terms.end(), cone.constant.begin(), cone.constant.end());
  std::set<Index> reached = {0};
  for (std::size_t before = 0; before != reached.size();) {
    before = reached.size();
    for (const Term& t : terms) {
      if (reached.contains(t.row)) reached.insert(t.column);
      if (reached.contains(t.column)) reached.insert(t.row);
    }
  }
  return reached.size() == cone.order();
}

/// The densest first, by halves of the length of the number of terms; each position once.
void expect_order(const Cone& cone) {
  const auto density = [&](std::size_t k) {
    return static_cast<int>(std::bit_width(cone.begins[k + 1] - cone.begins[k])) / 2;
  };
  for (std::size_t k = 1; k < cone.constraints.size(); ++k) {
    EXPECT_GE(density(k - 1), density(k));
    EXPECT_EQ(std::ranges::count(cone.constraints, cone.constraints[k]), 1);
  }
  std::set<std::pair<Index, Index>> positions;
  for (const Position& p : cone.positions) EXPECT_TRUE(positions.insert({p.row, p.column}).second);
  // What is read last lies last: of two positions the later one is read by as thin a constraint.
  std::vector<int> thinnest(cone.positions.size(), 64);
  for (std::size_t k = 0; k < cone.constraints.size(); ++k) {
    for (std::size_t e = cone.begins[k]; e < cone.begins[k + 1]; ++e) {
      int& least = thinnest[cone.places[e]];
      least = std::min(least, density(k));
    }
  }
  EXPECT_TRUE(std::ranges::is_sorted(thinnest, std::greater()));
}

/// Entry by entry, in their order.
void expect_equal(const Problem& a, const Problem& b) {
  EXPECT_TRUE(std::ranges::equal(a.blocks(), b.blocks()));
  EXPECT_TRUE(std::ranges::equal(a.costs(), b.costs()));
  ASSERT_EQ(a.constraints(), b.constraints());
  const auto same = [](const Entry& e, const Entry& f) {
    return std::tie(e.block, e.row, e.column, e.value) ==
           std::tie(f.block, f.row, f.column, f.value);
  };
  for (std::size_t i = 0; i <= a.constraints(); ++i) {
    EXPECT_TRUE(std::ranges::equal(a.matrix(i), b.matrix(i), same)) << "matrix " << i;
  }
}

void expect_sound(const Problem& problem, const Model& model) {
  EXPECT_EQ(everything(model), everything(problem));
  expect_equal(problem_of(model), problem);
  EXPECT_EQ(model.constraints, problem.constraints());
  EXPECT_TRUE(std::ranges::equal(model.costs, problem.costs()));
  EXPECT_TRUE(std::ranges::equal(model.blocks, problem.blocks()));
  EXPECT_EQ(model.linear.begins.size(), problem.constraints() + 1);
  std::set<std::pair<Index, Index>> rows;
  for (const Cone& cone : model.cones) {
    EXPECT_GE(cone.order(), 2u);
    EXPECT_TRUE(is_connected(cone));
    EXPECT_TRUE(std::ranges::is_sorted(cone.rows));
    ASSERT_EQ(cone.begins.size(), cone.constraints.size() + 1);
    expect_order(cone);
    for (const Index row : cone.rows) EXPECT_TRUE(rows.insert({cone.origin, row}).second);
  }
  for (const auto [block, row] : model.linear.origins) {
    EXPECT_TRUE(rows.insert({block, row}).second);
  }
  EXPECT_EQ(model.order(), rows.size());
}

TEST(SdpModel, SplitsABlockIntoTheComponentsOfItsRows) {
  ProblemBuilder builder({{7, BlockKind::symmetric}}, {1, 1});
  builder.add(1, 0, 0, 5, 1);
  builder.add(2, 0, 5, 3, 2);  // 0, 3 and 5 are one component by two matrices
  builder.add(0, 0, 1, 6, 3);  // 1 and 6 by F_0 alone
  builder.add(2, 0, 4, 4, 4);  // 4 is a single row; 2 has nothing
  const Problem problem = builder.finish();
  const Model model = make_model(problem);
  expect_sound(problem, model);
  ASSERT_EQ(model.cones.size(), 2u);
  EXPECT_EQ(model.cones[0].rows, (std::vector<Index>{0, 3, 5}));
  EXPECT_EQ(model.cones[0].constraints, (std::vector<Index>{0, 1}));
  EXPECT_EQ(model.cones[1].rows, (std::vector<Index>{1, 6}));
  EXPECT_TRUE(model.cones[1].constraints.empty());
  ASSERT_EQ(model.linear.order(), 1u);
  EXPECT_EQ(model.linear.origins[0].row, 4u);
  EXPECT_EQ(model.order(), 6u);
}

TEST(SdpModel, TakesDiagonalBlocksAndSingleRowsForLinearInequalities) {
  ProblemBuilder builder(
      {{2, BlockKind::diagonal}, {1, BlockKind::symmetric}, {2, BlockKind::symmetric}}, {1});
  builder.add(1, 0, 0, 0, 1);
  builder.add(0, 0, 1, 1, 5);  // F_0 alone has an entry there
  builder.add(1, 1, 0, 0, 2);
  for (std::size_t i = 0; i < 2; ++i) builder.add(1, 2, i, i, 3);
  const Problem problem = builder.finish();
  const Model model = make_model(problem);
  expect_sound(problem, model);
  EXPECT_TRUE(model.cones.empty());
  EXPECT_EQ(model.linear.order(), 5u);
  EXPECT_EQ(model.linear.constant, (std::vector<double>{0, 5, 0, 0, 0}));
}

TEST(SdpModel, LeavesOutRowsThatNoMatrixTouches) {
  ProblemBuilder builder(
      {{3, BlockKind::symmetric}, {0, BlockKind::symmetric}, {2, BlockKind::diagonal}}, {1});
  builder.add(1, 0, 0, 2, 1);
  builder.add(1, 2, 1, 1, 1);
  const Problem problem = builder.finish();
  const Model model = make_model(problem);
  expect_sound(problem, model);
  EXPECT_EQ(model.order(), 3u);
}

TEST(SdpModel, FindsTouchedRowsAmongVeryManyOthers) {
  ProblemBuilder builder({{1u << 30, BlockKind::symmetric},
                          {1u << 30, BlockKind::diagonal},
                          {70, BlockKind::symmetric}},
                         {1});
  for (const std::size_t row : {0u, 63u, 64u, 4095u, 4096u, (1u << 30) - 1}) {
    builder.add(1, 1, row, row, 1);
  }
  builder.add(0, 0, 5, 1u << 29, 2);
  builder.add(1, 0, 1u << 29, (1u << 29) + 1, 3);
  for (std::size_t row = 0; row < 70; ++row) builder.add(1, 2, row, row, 1);
  const Problem problem = builder.finish();
  const Model model = make_model(problem);
  EXPECT_EQ(everything(model), everything(problem));
  ASSERT_EQ(model.cones.size(), 1u);
  EXPECT_EQ(model.cones[0].rows, (std::vector<Index>{5, 1u << 29, (1u << 29) + 1}));
  EXPECT_EQ(model.linear.order(), 76u);
}

TEST(SdpModel, KeepsBlocksApartThatHaveTheSameRows) {
  ProblemBuilder builder({{2, BlockKind::symmetric}, {2, BlockKind::symmetric}}, {1});
  for (std::size_t b = 0; b < 2; ++b) builder.add(1, b, 0, 1, 1);
  const Problem problem = builder.finish();
  const Model model = make_model(problem);
  expect_sound(problem, model);
  ASSERT_EQ(model.cones.size(), 2u);
  EXPECT_EQ(model.cones[0].origin, 0u);
  EXPECT_EQ(model.cones[1].origin, 1u);
}

TEST(SdpModel, IsEmptyForAProblemWithoutEntries) {
  const Problem problem = ProblemBuilder({{4, BlockKind::symmetric}}, {1, 2}).finish();
  const Model model = make_model(problem);
  expect_sound(problem, model);
  EXPECT_EQ(model.order(), 0u);
  EXPECT_EQ(model.constraints, 2u);
}

TEST(SdpModel, IsTheProblemForRandomOnes) {
  Draw draw(1);
  for (int round = 0; round < 100; ++round) {
    std::vector<Block> blocks(1 + draw.below(5));
    for (Block& block : blocks) {
      block.order = static_cast<std::uint32_t>(draw.below(12));
      block.kind = draw.below(3) == 0 ? BlockKind::diagonal : BlockKind::symmetric;
    }
    blocks.push_back({3, BlockKind::symmetric});
    const std::size_t dense = draw.below(20) == 0 ? 1 : 0;
    const Problem problem = random_problem(draw, blocks, 1 + draw.below(9),
                                           {.dense = dense, .entries = 1 + draw.below(4)});
    expect_sound(problem, make_model(problem));
  }
}

}  // namespace
}  // namespace kinjo::sdp::detail
