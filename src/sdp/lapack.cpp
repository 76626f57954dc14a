#include "sdp/lapack.hpp"

#include <limits>
#include <vector>

#include "base/contract.hpp"

extern "C" {
// OpenBLAS' own; absent in other libraries.
[[gnu::weak]] int openblas_get_num_threads(void);
[[gnu::weak]] void openblas_set_num_threads(int threads);
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);
void dtrsm_(const char* side, const char* uplo, const char* op, const char* diag, const int* m,
            const int* n, const double* alpha, const double* a, const int* lda, double* b,
            const int* ldb);
void dtrsv_(const char* uplo, const char* op, const char* diag, const int* n, const double* a,
            const int* lda, double* x, const int* incx);
void dtpsv_(const char* uplo, const char* op, const char* diag, const int* n, const double* packed,
            double* x, const int* incx);
void dgemv_(const char* op, const int* m, const int* n, const double* alpha, const double* a,
            const int* lda, const double* x, const int* incx, const double* beta, double* y,
            const int* incy);
void dsymv_(const char* uplo, const int* n, const double* alpha, const double* a, const int* lda,
            const double* x, const int* incx, const double* beta, double* y, const int* incy);
void dsyev_(const char* jobz, const char* uplo, const int* n, double* a, const int* lda, double* w,
            double* work, const int* lwork, int* info);
void dstev_(const char* jobz, const int* n, double* d, double* e, double* z, const int* ldz,
            double* work, int* info);
}

namespace kinjo::sdp::detail {

namespace {

int as_int(std::size_t n) {
  KINJO_ASSERT(n <= static_cast<std::size_t>(std::numeric_limits<int>::max()));
  return static_cast<int>(n);
}

constexpr int kOne = 1;
constexpr double kUnit = 1, kZero = 0;

}  // namespace

OneThread::OneThread() : before_(0) {
  if (openblas_get_num_threads == nullptr || openblas_set_num_threads == nullptr) return;
  before_ = openblas_get_num_threads();
  if (before_ != 1) openblas_set_num_threads(1);
}
OneThread::~OneThread() {
  if (before_ > 1) openblas_set_num_threads(before_);
}

bool factorise(Triangle triangle, std::size_t n, double* a, std::size_t ld) {
  if (n == 0) return true;
  const char uplo = static_cast<char>(triangle);
  const int order = as_int(n), lead = as_int(ld);
  int info = 0;
  dpotrf_(&uplo, &order, a, &lead, &info);
  return info == 0;
}

void solve_triangle(Triangle triangle, Transposed op, std::size_t n, std::size_t columns,
                    const double* a, std::size_t ld_a, double* b, std::size_t ld_b) {
  if (n == 0 || columns == 0) return;
  const char side = 'L', uplo = static_cast<char>(triangle), trans = static_cast<char>(op),
             diag = 'N';
  const int rows = as_int(n), cols = as_int(columns), lda = as_int(ld_a), ldb = as_int(ld_b);
  dtrsm_(&side, &uplo, &trans, &diag, &rows, &cols, &kUnit, a, &lda, b, &ldb);
}

void solve_triangle_right(Triangle triangle, Transposed op, std::size_t rows, std::size_t n,
                          const double* a, std::size_t ld_a, double* b, std::size_t ld_b) {
  if (n == 0 || rows == 0) return;
  const char side = 'R', uplo = static_cast<char>(triangle), trans = static_cast<char>(op),
             diag = 'N';
  const int height = as_int(rows), cols = as_int(n), lda = as_int(ld_a), ldb = as_int(ld_b);
  dtrsm_(&side, &uplo, &trans, &diag, &height, &cols, &kUnit, a, &lda, b, &ldb);
}

void solve_triangle(Triangle triangle, Transposed op, std::size_t n, const double* a,
                    std::size_t ld, double* x) {
  if (n == 0) return;
  const char uplo = static_cast<char>(triangle), trans = static_cast<char>(op), diag = 'N';
  const int order = as_int(n), lead = as_int(ld);
  dtrsv_(&uplo, &trans, &diag, &order, a, &lead, x, &kOne);
}

void solve_packed(std::size_t n, const double* packed, double* x) {
  if (n == 0) return;
  const char uplo = 'U', transposed = 'T', plain = 'N', diag = 'N';
  const int order = as_int(n);
  dtpsv_(&uplo, &transposed, &diag, &order, packed, x, &kOne);
  dtpsv_(&uplo, &plain, &diag, &order, packed, x, &kOne);
}

void multiply_symmetric(Triangle triangle, std::size_t n, const double* a, std::size_t ld,
                        const double* x, double* y) {
  if (n == 0) return;
  const char uplo = static_cast<char>(triangle);
  const int order = as_int(n), lead = as_int(ld);
  dsymv_(&uplo, &order, &kUnit, a, &lead, x, &kOne, &kZero, y, &kOne);
}

void add_product(Transposed op, std::size_t rows, std::size_t columns, double factor,
                 const double* a, std::size_t ld, const double* x, double* y) {
  if (rows == 0 || columns == 0) return;
  const char trans = static_cast<char>(op);
  const int height = as_int(rows), width = as_int(columns), lead = as_int(ld);
  dgemv_(&trans, &height, &width, &factor, a, &lead, x, &kOne, &kUnit, y, &kOne);
}

bool eigenvalues(std::size_t n, double* a, std::size_t ld, double* values) {
  if (n == 0) return true;
  const char job = 'N', uplo = 'L';
  const int order = as_int(n), lead = as_int(ld);
  std::vector<double> work(34 * n);
  const int size = as_int(work.size());
  int info = 0;
  dsyev_(&job, &uplo, &order, a, &lead, values, work.data(), &size, &info);
  return info == 0;
}

LeastPair least_tridiagonal(std::span<const double> diagonal, std::span<const double> off) {
  const std::size_t n = diagonal.size();
  std::vector<double> d(diagonal.begin(), diagonal.end()), e(off.begin(), off.end());
  e.resize(n);
  std::vector<double> vectors(n * n), work(2 * n);
  const char job = 'V';
  const int order = as_int(n);
  int info = 0;
  dstev_(&job, &order, d.data(), e.data(), vectors.data(), &order, work.data(), &info);
  return {d[0], vectors[n - 1]};
}

}  // namespace kinjo::sdp::detail
