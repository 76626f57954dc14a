/// Freivalds' test of the whole product (`gemm::verify_gemm`), and samples that must be equal bit
/// by bit: every sum is exact, whatever its order (`matrix_number`).
#include "comm/apps/shift_verify.hpp"

#include <random>
#include <vector>

#include <fmt/format.h>

namespace kinjo::comm::detail {

namespace {

constexpr int kSamples = 2000;

/// C, column-major, columns back to back.
std::vector<double> fetch(World& world, const ShiftMatrices& m) {
  const std::size_t n = m.n();
  std::vector<double> c(n * n);
  Completion done;
  for (int cell = 0; cell < world.cells(); ++cell) {
    const Block columns = m.block(cell);
    if (columns.size() == 0) continue;
    world.get_rows(cell, c.data() + columns.begin * n, n * sizeof(double), m.c(),
                   {columns.size(), n * sizeof(double), m.ld() * sizeof(double)}, done);
  }
  world.wait(done);
  return c;
}

std::vector<double> matrix(std::size_t n, std::uint64_t which) {
  std::vector<double> values(n * n);
  for (std::size_t i = 0; i < n * n; ++i) values[i] = matrix_number(i, which);
  return values;
}

/// A sample that is not the sum in the other order; empty if all are.
std::string sample_fault(std::size_t n, const std::vector<double>& a, const std::vector<double>& b,
                         const std::vector<double>& c) {
  std::mt19937_64 random(1);
  for (int s = 0; s < kSamples; ++s) {
    const std::size_t i = random() % n, j = random() % n;
    double sum = 0;
    for (std::size_t k = n; k-- > 0;) sum += a[i * n + k] * b[k * n + j];
    if (sum != c[j * n + i]) {
      return fmt::format("C[{}, {}] is {}: expected {}", i, j, c[j * n + i], sum);
    }
  }
  return "";
}

std::string fault_of(std::size_t n, const std::vector<double>& c) {
  const std::vector<double> a = matrix(n, 0), b = matrix(n, 1);
  const std::string sample = sample_fault(n, a, b, c);
  if (!sample.empty()) return sample;
  const gemm::View<const double> av(a.data(), n, n), bv(b.data(), n, n);
  const gemm::View<const double> cv(c.data(), n, n, gemm::Order::column_major);
  return gemm::verify_gemm(1.0, av, bv, 0.0, {}, cv).fault;
}

}  // namespace

std::string shift_fault(World& world, const ShiftMatrices& matrices) {
  world.barrier();  // all of C is there
  std::string fault;
  if (world.cell() == 0) fault = fault_of(matrices.n(), fetch(world, matrices));
  world.barrier();  // C stays until it has been fetched
  return fault;
}

}  // namespace kinjo::comm::detail
