// Pins the pthreads of a program to the process's mapping and lets each say where it is.
//
//   cc pthread.c $(pkg-config --cflags --libs kinjo) -pthread      KINJO_POLICY=compact ./a.out
#include <kinjo/kinjo.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int thread;         // in: row of the mapping
  int status;         // out: what binding returned
  kinjo_place place;  // out: where the thread says that it is
  int seen_on_cpu;    // out: where the kernel says that it is
} worker;

static void* work(void* argument) {
  worker* me = argument;
  me->status = kinjo_thread_bind(me->thread);
  me->place = kinjo_here();
  me->seen_on_cpu = kinjo_current_cpu();
  return NULL;  // the end of a thread undoes its binding
}

int main(void) {
  const int threads = kinjo_thread_count();
  if (threads < 0) {
    fprintf(stderr, "pthread: %s\n", kinjo_last_error());
    return 1;
  }
  worker* workers = calloc((size_t)threads, sizeof *workers);
  pthread_t* handles = calloc((size_t)threads, sizeof *handles);
  if (!workers || !handles) return 1;

  int started = 0;
  for (; started < threads; ++started) {
    workers[started].thread = started;
    if (pthread_create(&handles[started], NULL, work, &workers[started]) != 0) break;
  }
  int right = 0;
  for (int t = 0; t < started; ++t) {
    const worker* w = &workers[t];
    pthread_join(handles[t], NULL);
    printf("thread %d: asked for CPU %d on node %d, ran on CPU %d\n", t, w->place.cpu,
           w->place.node, w->seen_on_cpu);
    right += w->status == KINJO_OK && (w->place.cpu < 0 || w->place.cpu == w->seen_on_cpu);
  }
  if (right == threads) {
    printf("all %d threads are where they should be\n", threads);
  } else {
    printf("only %d of %d threads are where they should be\n", right, threads);
  }
  free(handles);
  free(workers);
  return right == threads ? 0 : 1;
}
