#include <sys/wait.h>
#include <unistd.h>

#include <latch>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <kinjo/kinjo.h>

#include "capi/owned.hpp"

namespace {

using kinjo::test::CMapping;
using kinjo::test::CTeam;
using kinjo::test::CTopology;

/// A call of kinjo_dgemm_64 whose arguments a test changes.
struct Call {
  unsigned order = KINJO_ROW_MAJOR, transpose_a = KINJO_NO_TRANS, transpose_b = KINJO_NO_TRANS;
  int m = 2, n = 3, k = 2;
  double alpha = 1, beta = 0;
  int lda = 2, ldb = 3, ldc = 3;
  std::vector<double> a{1, 2, 3, 4}, b{1, 2, 3, 4, 5, 6}, c = std::vector<double>(6, 7);

  int run() {
    return kinjo_dgemm_64(order, transpose_a, transpose_b, m, n, k, alpha, a.data(), lda, b.data(),
                          ldb, beta, c.data(), ldc);
  }
};

TEST(CGemm, EnumerationsHaveTheValuesOfCblas) {
  EXPECT_EQ(KINJO_ROW_MAJOR, 101);
  EXPECT_EQ(KINJO_COL_MAJOR, 102);
  EXPECT_EQ(KINJO_NO_TRANS, 111);
  EXPECT_EQ(KINJO_TRANS, 112);
  EXPECT_EQ(KINJO_CONJ_TRANS, 113);
}

TEST(CGemm, MultipliesByRows) {
  Call call;
  EXPECT_EQ(call.run(), KINJO_OK);
  EXPECT_EQ(call.c, (std::vector<double>{9, 12, 15, 19, 26, 33}));
}

TEST(CGemm, MultipliesByColumns) {
  Call call;
  call.order = KINJO_COL_MAJOR;
  call.ldb = call.ldc = 2;
  EXPECT_EQ(call.run(), KINJO_OK);
  EXPECT_EQ(call.c, (std::vector<double>{7, 10, 15, 22, 23, 34}));
}

TEST(CGemm, TransposesBoth) {
  Call call;
  call.transpose_a = KINJO_TRANS;
  call.transpose_b = KINJO_CONJ_TRANS;
  call.ldb = 2;  // B is 3 × 2 in memory
  EXPECT_EQ(call.run(), KINJO_OK);
  EXPECT_EQ(call.c, (std::vector<double>{7, 15, 23, 10, 22, 34}));
}

TEST(CGemm, AddsToC) {
  Call call;
  call.alpha = 2;
  call.beta = -1;
  EXPECT_EQ(call.run(), KINJO_OK);
  EXPECT_EQ(call.c, (std::vector<double>{11, 17, 23, 31, 45, 59}));
}

TEST(CGemm, MultipliesFloats) {
  const float a[] = {1, 2}, b[] = {3, 4};
  float c = 5;
  EXPECT_EQ(kinjo_sgemm_64(KINJO_ROW_MAJOR, KINJO_NO_TRANS, KINJO_NO_TRANS, 1, 1, 2, 1, a, 2, b, 1,
                           1, &c, 1),
            KINJO_OK);
  EXPECT_EQ(c, 16);
}

TEST(CGemm, SaysWhatIsWrongAndLeavesC) {
  struct Refusal {
    void (*change)(Call&);
    const char* message;
  };
  const Refusal refusals[] = {
      {[](Call& c) { c.order = 7; },
       "gemm: order is 7: expected 101 (row-major) or 102 (column-major)"},
      {[](Call& c) { c.transpose_a = 110; },
       "gemm: transpose of A is 110: expected 111 (no), 112 or 113 (transposed)"},
      {[](Call& c) { c.transpose_b = 114; },
       "gemm: transpose of B is 114: expected 111 (no), 112 or 113 (transposed)"},
      {[](Call& c) { c.m = -1; }, "gemm: m is -1: expected 0 or more"},
      {[](Call& c) { c.n = -2; }, "gemm: n is -2: expected 0 or more"},
      {[](Call& c) { c.k = -3; }, "gemm: k is -3: expected 0 or more"},
      {[](Call& c) { c.lda = -1; }, "gemm: lda is -1: expected 0 or more"},
      {[](Call& c) { c.lda = 1; },
       "gemm: A's leading dimension is 1: expected at least 2, its columns"},
      {[](Call& c) { c.ldb = 0; },
       "gemm: B's leading dimension is 0: expected at least 3, its columns"},
      {[](Call& c) { c.ldc = 2; },
       "gemm: C's leading dimension is 2: expected at least 3, its columns"},
  };
  for (const Refusal& r : refusals) {
    Call call;
    r.change(call);
    EXPECT_EQ(call.run(), KINJO_INVALID_ARGUMENT);
    EXPECT_STREQ(kinjo_last_error(), r.message);
    EXPECT_EQ(call.c, std::vector<double>(6, 7));
  }
}

TEST(CGemm, InCblassFormTheLastErrorSaysWhatIsWrong) {
  const double a[] = {1, 2}, b[] = {3, 4};
  double c = 5;
  kinjo_dgemm(KINJO_ROW_MAJOR, KINJO_NO_TRANS, KINJO_NO_TRANS, 1, 1, 2, 1, a, 1, b, 1, 0, &c, 1);
  EXPECT_STREQ(kinjo_last_error(),
               "gemm: A's leading dimension is 1: expected at least 2, its columns");
  kinjo_dgemm(static_cast<unsigned>(-1), 0, 0, 1, 1, 2, 1, a, 2, b, 1, 0, &c, 1);
  EXPECT_STREQ(kinjo_last_error(),
               "gemm: order is -1: expected 101 (row-major) or 102 (column-major)");
  EXPECT_EQ(c, 5);
  kinjo_dgemm(KINJO_ROW_MAJOR, KINJO_NO_TRANS, KINJO_NO_TRANS, 1, 1, 2, 1, a, 2, b, 1, 0, &c, 1);
  EXPECT_EQ(c, 11);
}

TEST(CGemm, WithAlphaZeroTheFactorsMayBeNull) {
  double c[] = {1, 2};
  EXPECT_EQ(kinjo_dgemm_64(KINJO_ROW_MAJOR, KINJO_NO_TRANS, KINJO_NO_TRANS, 1, 2, 3, 0, nullptr, 3,
                           nullptr, 2, 2, c, 2),
            KINJO_OK)
      << kinjo_last_error();
  EXPECT_EQ(c[0], 2);
  EXPECT_EQ(c[1], 4);
}

TEST(CGemm, WhileTheTeamIsInARunOfAnotherThreadTheCallerIsAlone) {
  const CTopology machine(kinjo_topology_discover());
  const CMapping mapping(kinjo_mapping_create(machine.get(), "scatter", 2, KINJO_OVERSUBSCRIBE));
  const CTeam team(kinjo_team_create(mapping.get(), 0));
  ASSERT_NE(team, nullptr) << kinjo_last_error();
  ASSERT_EQ(kinjo_gemm_use_team(team.get()), KINJO_OK);
  struct Gate {
    std::latch inside{2}, done{1};
  } gate;
  const auto wait = [](void* context, const kinjo_place*) {
    Gate& g = *static_cast<Gate*>(context);
    g.inside.count_down();
    g.done.wait();
    return 0;
  };
  std::thread other([&] { EXPECT_EQ(kinjo_team_run(team.get(), wait, &gate), KINJO_OK); });
  gate.inside.wait();
  const int n = 200;  // enough for both threads
  const std::vector<double> a(n * n, 0.5), b(n * n, 2);
  std::vector<double> c(n * n, 7);
  EXPECT_EQ(kinjo_dgemm_64(KINJO_ROW_MAJOR, KINJO_NO_TRANS, KINJO_NO_TRANS, n, n, n, 1, a.data(), n,
                           b.data(), n, 0, c.data(), n),
            KINJO_OK)
      << kinjo_last_error();
  gate.done.count_down();
  other.join();
  EXPECT_EQ(c, std::vector<double>(n * n, n));
  EXPECT_EQ(kinjo_gemm_use_team(nullptr), KINJO_OK);
}

TEST(CGemm, InAChildToWhichTheTeamsThreadsDidNotComeTheCallerIsAlone) {
  const CTopology machine(kinjo_topology_discover());
  const CMapping mapping(kinjo_mapping_create(machine.get(), "scatter", 2, KINJO_OVERSUBSCRIBE));
  const CTeam team(kinjo_team_create(mapping.get(), 0));
  ASSERT_EQ(kinjo_gemm_use_team(team.get()), KINJO_OK) << kinjo_last_error();
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    const int n = 200;
    const std::vector<double> a(n * n, 0.5), b(n * n, 2);
    std::vector<double> c(n * n, 7);
    const int status = kinjo_dgemm_64(KINJO_ROW_MAJOR, KINJO_NO_TRANS, KINJO_NO_TRANS, n, n, n, 1,
                                      a.data(), n, b.data(), n, 0, c.data(), n);
    _exit(status == KINJO_OK && c == std::vector<double>(n * n, n) ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(kinjo_gemm_use_team(nullptr), KINJO_OK);
}

TEST(CGemm, ATeamComputesTheSame) {
  kinjo_topology* machine = kinjo_topology_discover();
  kinjo_mapping* mapping = kinjo_mapping_create(machine, "scatter", 3, KINJO_OVERSUBSCRIBE);
  kinjo_team* team = kinjo_team_create(mapping, 0);
  ASSERT_NE(team, nullptr) << kinjo_last_error();
  const int n = 200;
  const std::vector<double> a(n * n, 0.5), b(n * n, 2);
  std::vector<double> c(n * n);
  EXPECT_EQ(kinjo_gemm_use_team(team), KINJO_OK);
  EXPECT_EQ(kinjo_dgemm_64(KINJO_COL_MAJOR, KINJO_TRANS, KINJO_NO_TRANS, n, n, n, 1, a.data(), n,
                           b.data(), n, 0, c.data(), n),
            KINJO_OK);
  EXPECT_EQ(c, std::vector<double>(n * n, n));
  // Inside of its own run the caller computes alone.
  const auto inside = [](void* context, const kinjo_place* me) {
    auto& result = *static_cast<std::vector<double>*>(context);
    const double two = 2;
    return me->thread != 0 ? 0
                           : kinjo_dgemm_64(KINJO_ROW_MAJOR, KINJO_NO_TRANS, KINJO_NO_TRANS, 1, 1,
                                            1, 1, &two, 1, &two, 1, 0, result.data(), 1);
  };
  EXPECT_EQ(kinjo_team_run(team, inside, &c), KINJO_OK) << kinjo_last_error();
  EXPECT_EQ(c[0], 4);
  EXPECT_EQ(kinjo_gemm_use_team(nullptr), KINJO_OK);
  kinjo_team_free(team);
  kinjo_mapping_free(mapping);
  kinjo_topology_free(machine);
}

}  // namespace
