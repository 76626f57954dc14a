"""Makes each system call of some kinds fail in turn, by strace: shared by the tests and by the long
run."""

import collections
import random
import re
import shutil
import subprocess

import happy_paths

# What each may fail with in life: limits, containers, full and broken disks, old kernels, signals.
CALLS = {
    "openat": ("EPERM", "EMFILE", "ENOENT"),
    "read": ("EIO", "EINTR"),
    "write": ("EIO", "ENOSPC", "EINTR"),
    "pread64": ("EIO",),
    "pwrite64": ("EIO", "ENOSPC"),
    "mmap": ("ENOMEM", "EPERM"),
    "mprotect": ("ENOMEM",),
    "madvise": ("EINVAL", "ENOSYS"),
    "mbind": ("EPERM", "ENOSYS", "ENOMEM"),
    "set_mempolicy": ("EPERM", "ENOSYS"),
    "get_mempolicy": ("EPERM", "ENOSYS"),
    "move_pages": ("EPERM", "ENOSYS"),
    "sched_setaffinity": ("EPERM", "EINVAL"),
    "sched_getaffinity": ("EPERM", "ENOSYS"),
    "clone3": ("EAGAIN", "EPERM"),
    "vfork": ("EAGAIN",),
    "ftruncate": ("EIO", "ENOSPC"),
    "fallocate": ("ENOSPC", "EOPNOTSUPP", "EINTR"),
    "fsync": ("EIO", "ENOSPC"),
    "fdatasync": ("EIO",),
    "close": ("EIO",),
    "rename": ("EPERM", "ENOSPC"),
    "unlink": ("EPERM",),
    "memfd_create": ("ENOSYS", "EMFILE", "EPERM"),
    "pipe2": ("EMFILE",),
    "pidfd_open": ("ENOSYS", "EPERM"),
    "poll": ("EINTR",),
    "ppoll": ("EINTR",),
    "wait4": ("EINTR",),
    "waitid": ("EINTR",),
    "newfstatat": ("EACCES",),
    "getdents64": ("EIO",),
    "fcntl": ("EINVAL",),
    "prctl": ("EPERM",),
    "rt_sigtimedwait": ("EINTR",),
    "signalfd4": ("EMFILE",),
    "socket": ("EPERM",),
    "epoll_create1": ("EMFILE",),
    "eventfd2": ("EMFILE",),
    "timerfd_create": ("EMFILE",),
    "execve": ("ENOMEM",),
    "chdir": ("EACCES",),
    "getrandom": ("ENOSYS",),
}

WAITS_FOR_EVER_S = 30  # who waits for the end of a pipe that strace does not close; others take a second


def permitted():
    """Whether strace is here and may trace."""
    if not shutil.which("strace"):
        return False
    try:
        return subprocess.run(["strace", "-o", "/dev/null", "true"], timeout=60, check=False,
                              stderr=subprocess.DEVNULL).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def count(place, happy):
    """How often a run makes each call while it is loaded and in all, and how it ends without a fault."""
    place.clean()
    log = place.root / "trace"
    ended = place.run(happy, before=["strace", "-o", str(log), "-e", "trace=" + ",".join(CALLS)])
    names = []
    loaded = 0
    for line in log.read_text(errors="replace").splitlines():
        found = re.match(r"(\w+)\(", line)
        if not found:
            continue
        if not loaded and line.startswith("fcntl(0, F_GETFD"):  # the first thing that main does
            loaded = len(names)
        names.append(found[1])
    return collections.Counter(names[:loaded]), collections.Counter(names), ended


def faults_of(loading, whole):
    """Every (call, error, number) that a run can meet; calls of its threads count anew in each."""
    return [(call, error, number) for call, errors in CALLS.items() for error in errors
            for number in range(loading[call] + 1, max(whole[call], loading[call] + 2) + 1)]


def run_with(place, happy, call, error, number):
    """A run in which that call fails so; its threads' and children's too."""
    place.clean()
    inject = f"inject={call}:error={error}:when={number}"
    before = ["strace", "-f", "--seccomp-bpf", "-o", "/dev/null", "-e", f"trace={call}", "-e", inject]
    limit_s = WAITS_FOR_EVER_S if call == "close" else happy_paths.LIMIT_S
    return place.run(happy, before=before, limit_s=limit_s)


def chosen(loading, whole, wanted, seed):
    """So many of them by chance, and as many of each call as can be."""
    todo = faults_of(loading, whole)
    random.Random(seed).shuffle(todo)
    seen = collections.Counter()
    ranks = []
    for fault in todo:
        seen[fault[0]] += 1
        ranks.append(seen[fault[0]])
    return [fault for _, fault in sorted(zip(ranks, todo), key=lambda pair: pair[0])][:wanted]


def is_inevitable(call, error, ended):
    """What no program can help: a file that may not be removed stays, and a stream that cannot be
    written to gets no message. Where strace makes `close` fail it does not close either, as Linux does,
    and who waits for the end of a pipe waits for ever."""
    return (call == "close" and ended == "hangs") or (call == "unlink" and "leaves" in ended) or (
        call == "write" and error != "EINTR" and "line of kinjo's" in ended)


def is_of_another_program(happy, ended):
    """Whether the call failed in what `kinjo run` became, or in the loader on the way there."""
    return happy.name == "run" and ended.stderr.startswith("/bin/echo: ")


def try_each(place, happy, clean, todo):
    """What went wrong, {fault: numbers}; and the ends, counted by status."""
    faults = collections.defaultdict(list)
    ends = collections.Counter()
    for call, error, number in todo:
        ended = run_with(place, happy, call, error, number)
        ends[ended.status] += 1
        fault = happy_paths.fault_in(happy, ended, clean)
        if fault and not is_inevitable(call, error, fault) and not is_of_another_program(happy, ended):
            said = ended.stderr.strip().splitlines()[-1:]
            faults[f"{call} {error}: {fault} {said}"].append(number)
    return faults, ends
