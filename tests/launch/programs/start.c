/// start CALL PROGRAM ARGUMENT: becomes a program, or has it run, with one argument and an empty
/// environment where CALL takes one. It knows nothing of kinjo.
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int spawn(int (*call)(pid_t*, const char*, const posix_spawn_file_actions_t*,
                             const posix_spawnattr_t*, char* const[], char* const[]),
                 char** arguments, char** variables) {
  pid_t child;
  int status = -1;
  if (call(&child, arguments[0], NULL, NULL, arguments, variables) != 0) return 1;
  waitpid(child, &status, 0);
  return status;
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const char* const call = argv[1];
  char* none[] = {NULL};
  char** const arguments = argv + 2;
  const char* const program = argv[2];
  if (strcmp(call, "execv") == 0) execv(program, arguments);
  if (strcmp(call, "execvp") == 0) execvp(program, arguments);
  if (strcmp(call, "execve") == 0) execve(program, arguments, none);
  if (strcmp(call, "execvpe") == 0) execvpe(program, arguments, none);
  if (strcmp(call, "fexecve") == 0) fexecve(open(program, O_RDONLY | O_CLOEXEC), arguments, none);
  if (strcmp(call, "execl") == 0) execl(program, program, argv[3], (char*)NULL);
  if (strcmp(call, "execlp") == 0) execlp(program, program, argv[3], (char*)NULL);
  if (strcmp(call, "execle") == 0) execle(program, program, argv[3], (char*)NULL, none);
  if (strcmp(call, "posix_spawn") == 0) return spawn(posix_spawn, arguments, none);
  if (strcmp(call, "posix_spawnp") == 0) return spawn(posix_spawnp, arguments, none);
  if (strcmp(call, "vfork") == 0) {
    int status = -1;
    const pid_t child = vfork();
    if (child == 0) {
      execve(program, arguments, none);
      _exit(1);
    }
    waitpid(child, &status, 0);
    return status;
  }
  perror(program);
  return 1;
}
