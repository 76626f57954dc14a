#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <vector>

#include <kinjo/error.hpp>

#include "gemm/matrices.hpp"
#include "support/expect.hpp"

namespace kinjo::gemm {
namespace {

using M = View<const double>;

double memory[1000];

std::string message(M a, M b, View<double> c) {
  try {
    multiply(1.0, a, b, 0.0, c);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::invalid_argument);
    return error.what();
  }
  return "no error";
}

struct Refusal {
  M a, b;
  View<double> c;
  const char* message;
};

TEST(Arguments, AreRefusedByName) {
  double* const x = memory;
  constexpr std::size_t kHuge = std::size_t{1} << 62;
  const Refusal refusals[] = {
      {M(x, 3, 4), M(x, 5, 2), View<double>(x + 500, 3, 2),
       "gemm: A is 3 × 4 and B is 5 × 2: expected as many rows of B as columns of A"},
      {M(x, 3, 4), M(x, 4, 2), View<double>(x + 500, 2, 3),
       "gemm: C is 2 × 3: expected 3 × 2, the rows of A by the columns of B"},
      {M(x, 3, 4, Order::row_major, 3), M(x, 4, 2), View<double>(x + 500, 3, 2),
       "gemm: A's leading dimension is 3: expected at least 4, its columns"},
      {M(x, 3, 4), M(x, 4, 2, Order::column_major, 2), View<double>(x + 500, 3, 2),
       "gemm: B's leading dimension is 2: expected at least 4, its rows"},
      {M(x, 3, 4), M(x, 4, 2), View<double>(x + 500, 3, 2, Order::row_major, 1),
       "gemm: C's leading dimension is 1: expected at least 2, its columns"},
      {M(nullptr, 3, 4), M(x, 4, 2), View<double>(x + 500, 3, 2),
       "gemm: A of 3 × 4 elements has no memory"},
      {M(x, 3, 4), M(nullptr, 4, 2), View<double>(x + 500, 3, 2),
       "gemm: B of 4 × 2 elements has no memory"},
      {M(x, 3, 4), M(x, 4, 2), View<double>(nullptr, 3, 2),
       "gemm: C of 3 × 2 elements has no memory"},
      {M(x, 3, 4, Order::row_major, kHuge), M(x, 4, 2), View<double>(x + 500, 3, 2),
       "gemm: A of 3 × 4 elements with leading dimension 4611686018427387904 exceeds the address "
       "space"},
      {M(x, 3, 4), M(x + 100, 4, 2), View<double>(x + 11, 3, 2),
       "gemm: C shares memory with A: expected a C of its own"},
      {M(x, 3, 4), M(x + 100, 4, 2), View<double>(x + 95, 3, 2),
       "gemm: C shares memory with B: expected a C of its own"},
  };
  for (const Refusal& r : refusals) EXPECT_EQ(message(r.a, r.b, r.c), r.message);
}

TEST(Arguments, PartsOfOneMatrixThatShareNothingAreAccepted) {
  // A is the left part of a matrix of 20 columns, C the right one.
  double* const x = memory;
  const M a(x, 4, 4, Order::row_major, 20), b(x + 500, 4, 6);
  EXPECT_EQ(message(a, b, View<double>(x + 4, 4, 6, Order::row_major, 20)), "no error");
  EXPECT_EQ(message(a, b, View<double>(x + 14, 4, 6, Order::row_major, 20)), "no error");
  EXPECT_EQ(message(a, b, View<double>(x + 15, 4, 6, Order::row_major, 20)),
            "gemm: C shares memory with A: expected a C of its own");
  EXPECT_EQ(message(a, b, View<double>(x + 3, 4, 6, Order::row_major, 20)),
            "gemm: C shares memory with A: expected a C of its own");
}

TEST(Arguments, WithAlphaZeroNeitherMemoryNorPlaceOfTheFactorsMatters) {
  std::vector<double> c(6);
  const View<double> v(c.data(), 2, 3);
  const auto scaled = [&](M a, M b) {
    std::ranges::copy(std::array{1, 2, 3, 4, 5, 6}, c.begin());
    multiply(0.0, a, b, 2.0, v);
    return c == std::vector<double>{2, 4, 6, 8, 10, 12};
  };
  EXPECT_TRUE(scaled(M(nullptr, 2, 4), M(nullptr, 4, 3)));
  EXPECT_TRUE(scaled(M(c.data(), 2, 2), M(c.data(), 2, 3)));
  EXPECT_EQ(
      test::error_of([&] { multiply(0.0, M(nullptr, 2, 4), M(nullptr, 5, 3), 2.0, v); }),
      "invalid_argument: gemm: A is 2 × 4 and B is 5 × 3: expected as many rows of B as columns "
      "of A");
  EXPECT_EQ(verify_gemm<double>(0, M(nullptr, 2, 4), M(nullptr, 4, 3), 1, M(v), M(v)).fault, "");
}

TEST(Arguments, MatricesBetweenEachOthersLinesAreAccepted) {
  std::vector<double> whole(64, 1);  // 8 × 8: C in the left columns, A and B in the right ones
  const View<double> c(whole.data(), 4, 4, Order::row_major, 8);
  const M a(whole.data() + 4, 4, 1, Order::row_major, 8);
  const M b(whole.data() + 12, 1, 4, Order::row_major, 4);
  EXPECT_EQ(message(a, b, c), "no error");
  EXPECT_EQ(message(a, M(whole.data() + 9, 1, 4, Order::row_major, 4), c),
            "gemm: C shares memory with B: expected a C of its own");
}

TEST(Arguments, MatricesShareMemoryWhereTheirElementsDo) {
  std::mt19937 random(1);
  const auto below = [&](std::size_t n) { return random() % n; };
  for (int round = 0; round < 20000; ++round) {
    M views[2];
    std::set<const double*> elements[2];
    for (int v = 0; v < 2; ++v) {
      const std::size_t rows = 1 + below(4), columns = 1 + below(4);
      const Order order = test::kOrders[below(2)];
      const std::size_t length = order == Order::row_major ? columns : rows;
      views[v] = M(memory + below(30), rows, columns, order, length + below(6));
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) elements[v].insert(views[v].at(i, j));
      }
    }
    const bool meet =
        std::ranges::any_of(elements[0], [&](const double* e) { return elements[1].contains(e); });
    EXPECT_EQ(share_memory(views[0], views[1]), meet);
  }
}

TEST(Arguments, MatricesShareMemoryIfTheyHaveAnElementInCommon) {
  const M whole(memory, 8, 8);
  EXPECT_TRUE(share_memory(whole, whole.transposed()));
  EXPECT_TRUE(share_memory(whole.block({0, 4}, {0, 4}), whole.block({3, 7}, {3, 7})));
  EXPECT_FALSE(share_memory(whole.block({0, 8}, {0, 4}), whole.block({0, 8}, {4, 8})));
  EXPECT_FALSE(share_memory(whole, whole.block({0, 0}, {0, 8})));  // of no elements
}

TEST(Arguments, APlanOfMoreTasksThanThreadsIsRefused) {
  Plan plan;
  plan.add({Level::parallel, Dimension::m, 2});
  plan.add({Level::registers, Dimension::m, 0}).add({Level::registers, Dimension::n, 0});
  double* const x = memory;
  try {
    multiply(1.0, M(x, 2, 2), M(x + 10, 2, 2), 0.0, View<double>(x + 20, 2, 2), plan);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "gemm: plan 'P(m)//V(m)/V(n)': P(m=2): 2 tasks exceed the 1 thread");
  }
}

}  // namespace
}  // namespace kinjo::gemm
