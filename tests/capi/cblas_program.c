/* A program that was written for <cblas.h> and is compiled with -Dcblas_dgemm=kinjo_dgemm and the
   like: it knows nothing of kinjo, unless KINJO_TEST_BOTH_HEADERS says so. Compiled several times,
   as each way to pass arguments leaves other bits beside an int. */
#if __has_include(<cblas.h>)
#include <cblas.h>
#else /* as the header has them */
#include <stddef.h>
enum CBLAS_ORDER { CblasRowMajor = 101, CblasColMajor = 102 };
enum CBLAS_TRANSPOSE { CblasNoTrans = 111, CblasTrans = 112, CblasConjTrans = 113 };
void cblas_dgemm(const enum CBLAS_ORDER order, const enum CBLAS_TRANSPOSE transpose_a,
                 const enum CBLAS_TRANSPOSE transpose_b, const int m, const int n, const int k,
                 const double alpha, const double* a, const int lda, const double* b, const int ldb,
                 const double beta, double* c, const int ldc);
void cblas_sgemm(const enum CBLAS_ORDER order, const enum CBLAS_TRANSPOSE transpose_a,
                 const enum CBLAS_TRANSPOSE transpose_b, const int m, const int n, const int k,
                 const float alpha, const float* a, const int lda, const float* b, const int ldb,
                 const float beta, float* c, const int ldc);
double cblas_ddot(const int n, const double* x, const int incx, const double* y, const int incy);
float cblas_sdot(const int n, const float* x, const int incx, const float* y, const int incy);
double cblas_dnrm2(const int n, const double* x, const int incx);
double cblas_dasum(const int n, const double* x, const int incx);
size_t cblas_idamax(const int n, const double* x, const int incx);
void cblas_daxpy(const int n, const double a, const double* x, const int incx, double* y,
                 const int incy);
void cblas_dscal(const int n, const double a, double* x, const int incx);
void cblas_dcopy(const int n, const double* x, const int incx, double* y, const int incy);
#endif
#ifdef KINJO_TEST_BOTH_HEADERS
#include <kinjo/kinjo.h>
#endif

int KINJO_TEST_PROGRAM(void);

/* Sets all bits where the next calls will have arguments on the stack. */
__attribute__((noinline)) static void fill_stack(void) {
  volatile char bytes[4096];
  for (int i = 0; i < 4096; ++i) bytes[i] = -1;
}

/* The number of the first step that failed, else 0. */
int KINJO_TEST_PROGRAM(void) {
  const double a[] = {1, 2, 3, 4}, b[] = {5, 6, 7, 8};
  double c[] = {9, 9, 9, 9}, x[] = {1, -4, 2}, y[] = {0, 0, 0};
  const float one[] = {3}, other[] = {4};
  float product = 1;
  fill_stack();
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 2, 2, 2, 1, a, 2, b, 2, 0, c, 2);
  if (c[0] != 19 || c[1] != 22 || c[2] != 43 || c[3] != 50) return 1;
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, 2, 2, 2, 1, a, 2, b, 2, 1, c, 2);
  if (c[0] != 36 || c[1] != 61 || c[2] != 66 || c[3] != 103) return 2;
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 1, 1, 1, 2, one, 1, other, 1, 1, &product,
              1);
  if (product != 25) return 3;
  if (cblas_ddot(3, x, 1, x, -1) != 20 || cblas_sdot(1, one, -1, other, 1) != 12) return 4;
  if (cblas_dnrm2(2, a, -3) * cblas_dnrm2(2, a, -3) < 16.99) return 5;
  if (cblas_dasum(3, x, 1) != 7 || cblas_idamax(3, x, 1) != 1) return 6;
  cblas_dcopy(3, x, -1, y, 1);
  if (y[0] != 2 || y[1] != -4 || y[2] != 1) return 7;
  cblas_daxpy(3, 2, x, -1, y, 1);
  cblas_dscal(2, 10, y, 2);
  if (y[0] != 60 || y[1] != -12 || y[2] != 30) return 8;
  return 0;
}
