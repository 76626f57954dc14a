#include <kinjo/kinjo.h>
#include <omp.h>
#include <stdio.h>

int main(void) {
  // 0 threads: one for each allowed CPU
  if (kinjo_policy_set("scatter", 0, 0) < 0) return puts(kinjo_last_error()), 1;
#pragma omp parallel num_threads(kinjo_thread_count())
  {
    const int refused = kinjo_thread_bind(omp_get_thread_num()) < 0;
    const kinjo_place me = kinjo_here();
    double* x = refused ? NULL : kinjo_memory_alloc_on(me.node, 1 << 20, 0);  // on its node
#pragma omp critical
    printf("thread %d: CPU %d, node %d, %s\n", me.thread, me.cpu, me.node,
           x ? "with memory" : kinjo_last_error());
    kinjo_memory_free(x);
    kinjo_thread_unbind();
  }
}
