// Finds the frequency of a signal.
//
//   cc spectrum.c $(pkg-config --cflags --libs kinjo) -lm      ./a.out
#include <kinjo/kinjo.h>
#include <math.h>
#include <stdio.h>

enum { N = 1000 };

static double signal[N];
static double spectrum[N / 2 + 1][2];  // pairs of real and imaginary parts

int main(void) {
  const double turn = 6.283185307179586 / N;
  for (int j = 0; j < N; ++j) signal[j] = cos(7 * turn * j) + 0.25 * sin(40 * turn * j);

  const ptrdiff_t shape[] = {N};
  kinjo_fft* plan = kinjo_fft_create(NULL, 1, shape, 1, KINJO_FFT_REAL);
  if (!plan || kinjo_fft_forward(plan, signal, spectrum) != KINJO_OK) {
    fprintf(stderr, "fft: %s\n", kinjo_last_error());
    return 1;
  }
  kinjo_fft_free(plan);

  int strongest = 0;
  for (int k = 0; k <= N / 2; ++k) {
    if (hypot(spectrum[k][0], spectrum[k][1]) >
        hypot(spectrum[strongest][0], spectrum[strongest][1])) {
      strongest = k;
    }
  }
  printf("the strongest frequency is %d\n", strongest);
  return 0;
}
