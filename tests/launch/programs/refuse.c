/// refuse CALL CMD ARGS…: runs a command in whose processes the kernel refuses a system call with
/// EPERM, as a container's seccomp profile does. CALL: affinity or mempolicy; or close_range, which
/// older kernels do not have (ENOSYS).
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  unsigned int number = SYS_set_mempolicy;
  unsigned int error = EPERM;
  if (strcmp(argv[1], "affinity") == 0) number = SYS_sched_setaffinity;
  if (strcmp(argv[1], "close_range") == 0) {
    number = SYS_close_range;
    error = ENOSYS;
  }
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return 77;
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) return 77;
  execvp(argv[2], argv + 2);
  perror(argv[2]);
  return 127;
}
