// BLAS level 1 from C: CBLAS's names with kinjo_ in front, and sums whose bits never change.
#include <kinjo/kinjo.h>
#include <stdio.h>
#include <stdlib.h>

enum { kCount = 100003 };

int main(void) {
  double* x = malloc(kCount * sizeof *x);
  double* y = malloc(kCount * sizeof *y);
  if (!x || !y) return 1;
  for (int i = 0; i < kCount; ++i) {
    x[i] = 1.0 / (i + 1);
    y[i] = i % 7 - 3;
  }
  kinjo_daxpy(kCount, 0.5, x, 1, y, 1);  // y ← 0.5 x + y
  printf("dot %.6f\n", kinjo_ddot(kCount, x, 1, y, 1));
  printf("every second, backwards: %.6f\n", kinjo_ddot(kCount / 2, x, 2, y, -2));
  printf("largest at %zu\n", kinjo_idamax(kCount, x, 1));
  // The same bits on every machine and for every number of threads.
  printf("sum %a\n", kinjo_dsum_reproducible(kCount, x, 1));
  kinjo_daxpy(kCount - 1, 1.0, y, 1, y + 1, 1);  // CBLAS leaves this to chance
  printf("%s\n", kinjo_last_error());
  free(y);
  free(x);
  return 0;
}
