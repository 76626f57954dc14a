// STREAM's Triad with OpenMP, each node's share of the vectors in that node's memory (S1, figure
// 6).
//
//   a[i] = b[i] + scalar · c[i]
//
// Node k holds as large a share of the n elements as it has threads, and its threads divide that
// share among themselves by their rank on the node: no thread reads memory of another node.
//
//   ./stream_triad_omp [ELEMENTS]                     KINJO_POLICY=compact KINJO_THREADS=8 …
#include <kinjo/kinjo.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { kRepeats = 10 };
static const double kScalar = 3.0;

typedef struct {
  long first, size;   // which of the n elements lie here
  double *a, *b, *c;  // in this node's memory
} share;

typedef struct {
  int cpu;   // where the kernel saw the thread
  long bad;  // elements of its part with a wrong result, −1: not pinned, or not there
} outcome;

static long min(long x, long y) { return x < y ? x : y; }

// Where part `rank` of `size` elements in `parts` parts begins; part `parts` begins at the end.
static long begin_of(long size, long parts, long rank) {
  return size / parts * rank + min(size % parts, rank);
}

static void* need(void* memory) {
  if (!memory) {
    fprintf(stderr, "stream_triad_omp: %s\n", kinjo_last_error());
    exit(1);
  }
  return memory;
}

// One share for each node that has threads, sized by how many it has.
static share* allocate(long n) {
  share* shares = calloc((size_t)kinjo_node_count(), sizeof *shares);
  if (!shares) exit(1);
  const long threads = kinjo_thread_count();
  for (long k = 0, before = 0; k < kinjo_node_count(); ++k) {
    share* s = &shares[k];
    s->first = begin_of(n, threads, before);
    before += kinjo_node_threads((int)k);
    s->size = begin_of(n, threads, before) - s->first;
    s->a = need(kinjo_node_alloc((int)k, (size_t)s->size * sizeof(double)));
    s->b = need(kinjo_node_alloc((int)k, (size_t)s->size * sizeof(double)));
    s->c = need(kinjo_node_alloc((int)k, (size_t)s->size * sizeof(double)));
  }
  return shares;
}

static void release(share* shares) {
  for (int k = 0; k < kinjo_node_count(); ++k) {
    kinjo_memory_free(shares[k].a);
    kinjo_memory_free(shares[k].b);
    kinjo_memory_free(shares[k].c);
  }
  free(shares);
}

static void triad(share* s, long begin, long end) {
  double* restrict a = s->a;
  const double* restrict b = s->b;
  const double* restrict c = s->c;
  for (long j = begin; j < end; ++j) a[j] = b[j] + kScalar * c[j];
}

static long count_bad(const share* s, long begin, long end) {
  long bad = 0;
  for (long j = begin; j < end; ++j) bad += s->a[j] != (double)(s->first + j) + kScalar;
  return bad;
}

// What one thread does; `best_s` is shared and gets the shortest repetition. The barriers are met
// by every thread, also by one that could not be pinned.
static outcome run_thread(share* shares, double* best_s) {
  const int thread = omp_get_thread_num();
  const int status = kinjo_thread_bind(thread);
  share* mine = &shares[kinjo_thread_node_index(thread)];
  const long threads = kinjo_node_threads(kinjo_thread_node_index(thread));
  const long begin = begin_of(mine->size, threads, kinjo_thread_rank(thread));
  const long end = begin_of(mine->size, threads, kinjo_thread_rank(thread) + 1);
  for (long j = begin; j < end; ++j) {
    mine->a[j] = 0.0;
    mine->b[j] = (double)(mine->first + j);
    mine->c[j] = 1.0;
  }
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
#pragma omp barrier
    const double start = omp_get_wtime();
    triad(mine, begin, end);
#pragma omp barrier
    const double elapsed = omp_get_wtime() - start;
    if (thread == 0 && elapsed < *best_s) *best_s = elapsed;
  }
  const outcome result = {kinjo_current_cpu(), status < 0 ? -1 : count_bad(mine, begin, end)};
  kinjo_thread_unbind();
  return result;
}

static void print_pages(const share* shares) {
  for (int k = 0; k < kinjo_node_count(); ++k) {
    kinjo_audit audit;
    if (kinjo_memory_audit(shares[k].a, (size_t)shares[k].size * sizeof(double), &audit) < 0)
      return;
    printf("node %d: %d threads, %ld elements; pages of a:", kinjo_node_number(k),
           kinjo_node_threads(k), shares[k].size);
    for (int i = 0; i < audit.node_count; ++i) {
      printf(" %zu on node %d", audit.nodes[i].pages, audit.nodes[i].node);
    }
    printf(audit.refusal ? " (the kernel does not say)\n" : "\n");
  }
}

// Prints where each thread was; the number of elements that are wrong or that nobody computed.
static long print_threads(const outcome* outcomes, int threads) {
  long bad = 0;
  for (int t = 0; t < threads; ++t) {
    printf("thread %d: CPU %d (node %d, rank %d), ran on CPU %d\n", t, kinjo_thread_cpu(t),
           kinjo_thread_node(t), kinjo_thread_rank(t), outcomes[t].cpu);
    bad += outcomes[t].bad < 0 ? 1 : outcomes[t].bad;
  }
  return bad;
}

int main(int argc, char** argv) {
  const long n = argc > 1 ? atol(argv[1]) : 1L << 25;
  // "scatter", 16, … here would fix what is left to the environment this way.
  const int threads = kinjo_policy_set(NULL, 0, 0) < 0 ? -1 : kinjo_thread_count();
  if (threads < 0 || n < threads) {
    fprintf(stderr, "stream_triad_omp: %s\n",
            threads < 0 ? kinjo_last_error() : "expected at least one element for each thread");
    return 2;
  }
  share* shares = allocate(n);
  outcome* outcomes = calloc((size_t)threads, sizeof *outcomes);
  if (!outcomes) return 1;
  for (int t = 0; t < threads; ++t) outcomes[t] = (outcome){-1, -1};
  double best_s = 1e30;
  int came = 0;
#pragma omp parallel num_threads(threads) reduction(+ : came)
  {
    came = 1;
    outcomes[omp_get_thread_num()] = run_thread(shares, &best_s);
  }
  print_pages(shares);
  const long bad = print_threads(outcomes, threads);
  printf("triad of %ld elements: %.2f GB/s\n", n, 3.0 * sizeof(double) * (double)n / best_s * 1e-9);
  release(shares);
  free(outcomes);
  if (bad != 0 || came != threads) {
    printf("wrong: %ld elements, %d of %d threads came\n", bad, came, threads);
    return 1;
  }
  printf("all %ld elements are right\n", n);
  return 0;
}
