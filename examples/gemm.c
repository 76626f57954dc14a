// A program written for CBLAS that multiplies with kinjo: only the name of the call is another.
//
//   cc gemm.c $(pkg-config --cflags --libs kinjo)      ./a.out
#include <kinjo/kinjo.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 300 };

static int fail(const char* what) {
  fprintf(stderr, "gemm: %s: %s\n", what, kinjo_last_error());
  return 1;
}

// A team over all CPUs of this machine, NULL if there can be none.
static kinjo_team* make_team(void) {
  kinjo_topology* machine = kinjo_topology_discover();
  if (!machine) return NULL;
  kinjo_mapping* mapping =
      kinjo_mapping_create(machine, "scatter", kinjo_topology_allowed_cpu_count(machine), 0);
  kinjo_topology_free(machine);
  if (!mapping) return NULL;
  kinjo_team* team = kinjo_team_create(mapping, 0);
  kinjo_mapping_free(mapping);
  return team;
}

int main(void) {
  double* a = malloc(N * N * sizeof *a);
  double* b = malloc(N * N * sizeof *b);
  double* c = malloc(N * N * sizeof *c);
  if (!a || !b || !c) return 1;
  for (int i = 0; i < N * N; ++i) {
    a[i] = i / N == i % N ? 2 : 0;  // twice the identity
    b[i] = i;
  }

  kinjo_team* team = make_team();
  if (!team) return fail("no team");
  kinjo_gemm_use_team(team);
  kinjo_dgemm(KINJO_ROW_MAJOR, KINJO_NO_TRANS, KINJO_TRANS, N, N, N, 1.0, a, N, b, N, 0.0, c, N);
  kinjo_gemm_use_team(NULL);
  kinjo_team_free(team);

  int right = 0;
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) right += c[i * N + j] == 2 * b[j * N + i];
  }
  printf("%d of %d elements are right\n", right, N * N);
  free(a);
  free(b);
  free(c);
  return right == N * N ? 0 : 1;
}
