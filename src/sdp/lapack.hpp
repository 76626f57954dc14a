/// The few routines of LAPACK and BLAS that the solver calls, on matrices stored by columns. They
/// run on the calling thread: `OneThread` sees to it where the library has threads of its own.
#pragma once

#include <cstddef>
#include <span>

namespace kinjo::sdp::detail {

/// While it lives, OpenBLAS does what it is asked for on the thread that asks. Other libraries are
/// not touched.
class OneThread {
 public:
  OneThread();
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_;
};

/// Which triangle of a matrix is meant.
enum class Triangle : char { lower = 'L', upper = 'U' };
enum class Transposed : char { no = 'N', yes = 'T' };

/// A ← its Cholesky factor in place: A = LLᵀ or UᵀU. False if A is not positive definite.
bool factorise(Triangle triangle, std::size_t n, double* a, std::size_t ld);

/// B ← op(A)⁻¹ B, B of n × columns.
void solve_triangle(Triangle triangle, Transposed op, std::size_t n, std::size_t columns,
                    const double* a, std::size_t ld_a, double* b, std::size_t ld_b);

/// B ← B op(A)⁻¹, B of rows × n.
void solve_triangle_right(Triangle triangle, Transposed op, std::size_t rows, std::size_t n,
                          const double* a, std::size_t ld_a, double* b, std::size_t ld_b);

/// x ← op(A)⁻¹ x.
void solve_triangle(Triangle triangle, Transposed op, std::size_t n, const double* a,
                    std::size_t ld, double* x);

/// x ← L⁻ᵀ L⁻¹ x for an L of which L_ij lies at i (i + 1)/2 + j.
void solve_packed(std::size_t n, const double* packed, double* x);

/// y ← A x for a symmetric A, of which one triangle is read.
void multiply_symmetric(Triangle triangle, std::size_t n, const double* a, std::size_t ld,
                        const double* x, double* y);

/// y += factor · op(A) x for an A of rows × columns.
void add_product(Transposed op, std::size_t rows, std::size_t columns, double factor,
                 const double* a, std::size_t ld, const double* x, double* y);

/// Eigenvalues, ascending, of a symmetric matrix whose lower triangle is read and destroyed. False
/// if they do not converge.
bool eigenvalues(std::size_t n, double* a, std::size_t ld, double* values);

/// The least eigenvalue of a symmetric tridiagonal matrix, and the last component of its unit
/// eigenvector. `off` has n − 1 elements.
struct LeastPair {
  double value = 0, last = 0;
};
LeastPair least_tridiagonal(std::span<const double> diagonal, std::span<const double> off);

}  // namespace kinjo::sdp::detail
