/// How the programs of this folder behave, in any language. They know nothing of kinjo.
///
/// Each does a round of work with all its threads, prints `threads N` (as many as it uses) and
/// `result R`, a number that its rounds must agree on, and goes on working in rounds until its
/// standard input ends. So a test looks at threads that are at work for as long as it likes, and
/// under `kinjo tune`, where standard input is empty, there is one round. Status 1 if a round's
/// result is wrong.
#pragma once

#include <poll.h>
#include <stdio.h>
#include <unistd.h>

/// Whether standard input has ended; waits for nothing.
static inline int input_has_ended(void) {
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  char byte;
  if (poll(&input, 1, 0) <= 0) return 0;
  return read(STDIN_FILENO, &byte, 1) <= 0;
}

/// Rounds of `work`, which returns its result, until standard input ends; main's status.
static inline int do_rounds(int threads, double (*work)(void)) {
  const double result = work();
  printf("threads %d\nresult %.0f\n", threads, result);
  fflush(stdout);
  while (!input_has_ended()) {
    if (work() != result) return 1;
  }
  return 0;
}
