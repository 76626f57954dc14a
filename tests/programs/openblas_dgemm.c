/// A program that calls OpenBLAS, which has threads of its own: multiplies matrices of ones, whose
/// product is known, in rounds (rounds.h).
#include <cblas.h>

#include "rounds.h"

enum { kSize = 512 };
static double a[kSize * kSize], b[kSize * kSize], c[kSize * kSize];

static double multiply(void) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, kSize, kSize, kSize, 1, a, kSize, b, kSize,
              0, c, kSize);
  double sum = 0;
  for (int i = 0; i < kSize * kSize; ++i) sum += c[i];
  return sum;
}

int main(void) {
  for (int i = 0; i < kSize * kSize; ++i) a[i] = b[i] = 1;
  return do_rounds(openblas_get_num_threads(), multiply);
}
