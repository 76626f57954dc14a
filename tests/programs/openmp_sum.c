/// An OpenMP program: sums 1 to 20 million in a parallel loop, in rounds (rounds.h).
#include <omp.h>

#include "rounds.h"

static double sum(void) {
  long total = 0;
#pragma omp parallel for reduction(+ : total)
  for (long i = 1; i <= 20000000; ++i) {
    __asm__ volatile("" : "+r"(total));  // or the compiler knows the formula
    total += i;
  }
  return (double)total;
}

int main(void) { return do_rounds(omp_get_max_threads(), sum); }
