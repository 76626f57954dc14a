#include <kinjo/kinjo.h>
#include <omp.h>
#include <stdio.h>

int main(void) {
  kinjo_policy_set("scatter", 0, 0);  // 0 threads: one for each allowed CPU
#pragma omp parallel num_threads(kinjo_thread_count())
  {
    kinjo_thread_bind(omp_get_thread_num());
    const kinjo_place me = kinjo_here();
    double* x = kinjo_memory_alloc_on(me.node, 1 << 20, 0);  // on this thread's node
#pragma omp critical
    printf("thread %d: CPU %d, node %d, %s\n", me.thread, me.cpu, me.node,
           x ? "with memory" : kinjo_last_error());
    kinjo_memory_free(x);
    kinjo_thread_unbind();
  }
}
