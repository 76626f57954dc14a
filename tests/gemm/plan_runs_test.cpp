/// Plans are followed: any order of loops, with any blocks, gives the reference's product.
#include <sys/resource.h>

#include <random>

#include <kinjo/error.hpp>

#include "gemm/matrices.hpp"

namespace kinjo::gemm {
namespace {

using test::bounds;
using test::is_near;
using test::kOrders;
using test::Matrix;

/// A plan of some loops in some order with some blocks, for `threads` threads at most.
Plan random_plan(std::mt19937& random, std::size_t threads) {
  const auto below = [&](std::size_t n) { return random() % n; };
  std::vector<Loop> loops;
  for (const Dimension d : {Dimension::m, Dimension::n}) {
    constexpr Level kCopies[] = {Level::node, Level::machine, Level::section};
    if (below(4) > 0) loops.push_back({kCopies[below(3)], d, 1 + below(60)});
    const std::size_t tasks = 1 + below(threads);
    threads /= tasks;
    if (tasks > 1) loops.push_back({Level::parallel, d, tasks});
  }
  if (below(4) > 0) loops.push_back({Level::cache, Dimension::k, 1 + below(50)});
  std::shuffle(loops.begin(), loops.end(), random);
  for (const Dimension d : {Dimension::k, Dimension::m, Dimension::n}) {
    if (below(4) == 0) loops.insert(loops.begin(), {Level::storage, d, 20 + below(60)});
  }
  const bool m_outside = below(2) == 0;
  loops.push_back({Level::registers, m_outside ? Dimension::m : Dimension::n, 0});
  loops.push_back({Level::registers, m_outside ? Dimension::n : Dimension::m, 0});
  Plan plan;
  for (const Loop& loop : loops) plan.add(loop);
  return plan;
}

template <class T>
void run_random_plans(std::size_t count, std::size_t threads) {
  std::mt19937 random(static_cast<unsigned>(threads));
  Team team = test::make_team(threads);
  std::size_t ran = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t m = 1 + random() % 90, n = 1 + random() % 90, k = 1 + random() % 90;
    const Matrix<T> a(m, k, kOrders[random() % 2], 1, 1), b(k, n, kOrders[random() % 2], 0, 2);
    Matrix<T> c(m, n, kOrders[random() % 2], 2, 3), expected = c;
    const Plan plan = random_plan(random, threads);
    const Problem problem = problem_of(team, a.view(), b.view(), c.view());
    if (plan.fault(problem)) {
      EXPECT_THROW(multiply(team, T(2), a.view(), b.view(), T(-1), c.view(), plan), Error);
      continue;
    }
    ++ran;
    EXPECT_EQ(Plan::parse(plan.to_string(), problem), plan);
    Matrix<T> bound = bounds(T(2), a, b, T(-1), c);
    multiply_reference(T(2), a.view(), b.view(), T(-1), expected.view());
    multiply(team, T(2), a.view(), b.view(), T(-1), c.view(), plan);
    ASSERT_TRUE(is_near(c, expected, bound))
        << plan.to_string() << ' ' << m << ' ' << n << ' ' << k;
  }
  EXPECT_GT(ran, count / 3);
}

TEST(PlanRuns, AnyOrderOfLoopsOnOneThreadIsTheReferencesProduct) {
  run_random_plans<double>(600, 1);
  run_random_plans<float>(200, 1);
}

TEST(PlanRuns, AnyOrderOfLoopsOnTeamsIsTheReferencesProduct) {
  run_random_plans<double>(150, 2);
  run_random_plans<float>(60, 3);
  run_random_plans<double>(60, 6);
}

TEST(PlanRuns, BlocksThatOtherTasksTakeOverHaveTheSameBits) {
  const Matrix<double> a(70, 120, Order::row_major, 0, 1), b(120, 400, Order::row_major, 0, 2);
  Team team = test::make_team(4);
  for (const char* text : {"N(m=40)/C(k=30)/P(n)////S(n=24)", "P(n)////S(n=24)/C(k=30)"}) {
    Matrix<double> first(70, 400, Order::row_major, 0, 3);
    const Plan plan = Plan::parse(text, problem_of(team, a.view(), b.view(), first.view()));
    multiply(team, 1.0, a.view(), b.view(), 0.0, first.view(), plan);
    for (int i = 0; i < 50; ++i) {
      Matrix<double> again(70, 400, Order::row_major, 0, 4);
      multiply(team, 1.0, a.view(), b.view(), 0.0, again.view(), plan);
      ASSERT_EQ(again.all(), first.all()) << text;
    }
  }
}

TEST(PlanRuns, S3sOrdersAreTheReferencesProduct) {
  Team team = test::make_team(3);
  const Matrix<double> a(200, 150, Order::column_major, 1, 1),
      b(150, 170, Order::column_major, 1, 2);
  for (const char* text : {"R/S/P///C", "R/P///S/C", "P///S/C", "R/S/C/P///", "P///"}) {
    Matrix<double> c(200, 170, Order::column_major, 1, 3), expected = c;
    Matrix<double> bound = bounds(1.0, a, b, 1.0, c);
    const Plan plan = Plan::parse(text, problem_of(team, a.view(), b.view(), c.view()));
    EXPECT_EQ(plan.short_form(), text);
    multiply_reference(1.0, a.view(), b.view(), 1.0, expected.view());
    multiply(team, 1.0, a.view(), b.view(), 1.0, c.view(), plan);
    EXPECT_TRUE(is_near(c, expected, bound)) << text;
  }
}

TEST(PlanRuns, StorageStepsOneByOneAreTheReferencesProduct) {
  Team team = test::make_team(2);
  const Matrix<double> a(100, 90, Order::row_major, 0, 1), b(90, 110, Order::row_major, 0, 2);
  Matrix<double> c(100, 110, Order::row_major, 0, 3), expected = c;
  Matrix<double> bound = bounds(1.5, a, b, 0.5, c);
  const Problem problem = problem_of(team, a.view(), b.view(), c.view());
  const Plan plan = Plan::parse("R(m=40)/R(n=50)/R(k=37)/C/P(m)//S", problem);
  std::vector<std::size_t> finished;
  for (const StorageStep& step : plan.storage_steps(problem)) {
    multiply(team, 1.5, a.view().block(step.m, step.k), b.view().block(step.k, step.n),
             step.first_of_k ? 0.5 : 1.0, c.view().block(step.m, step.n), plan.in_memory());
    if (step.last_of_k) finished.push_back(step.m.begin * 1000 + step.n.begin);
  }
  multiply_reference(1.5, a.view(), b.view(), 0.5, expected.view());
  EXPECT_TRUE(is_near(c, expected, bound));
  EXPECT_EQ(finished,
            (std::vector<std::size_t>{0, 50, 100, 40000, 40050, 40100, 80000, 80050, 80100}));
}

std::size_t peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

TEST(PlanRuns, AMillionStorageStepsTakeNoMemory) {
  constexpr std::size_t kSteps = 1000000;
  const std::vector<float> a(kSteps, 1), b(kSteps, 1);
  float c = 0;
  const View<const float> av(a.data(), 1, kSteps), bv(b.data(), kSteps, 1);
  const View<float> cv(&c, 1, 1);
  const Plan plan = Plan::parse("R(m=1)/R(n=1)/R(k=1)", problem_of(av, bv, cv));
  const std::size_t before = peak_bytes();
  multiply(1.0F, av, bv, 0.0F, cv, plan);
  EXPECT_EQ(c, kSteps);
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the address sanitizer keeps what was freed";
#endif
  EXPECT_LT(peak_bytes() - before, std::size_t{16} << 20);  // a list of steps has 56 MB
}

}  // namespace
}  // namespace kinjo::gemm
