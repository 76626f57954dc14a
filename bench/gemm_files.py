#!/usr/bin/env python3
"""`kinjo gemm` on files beside NumPy on mapped files, in one control group with one limit of memory.

    bench/gemm_files.py --kinjo build/release/bin/kinjo --size 8192 --directory DIR [--limit BYTES]

Makes two matrices of doubles in DIR (8·n² bytes each, and as many for each product), measures the
disk, and then runs, in turn and each in the group: kinjo with and without touch tasks, through the
page cache, and NumPy's matmul of mapped files (`--peer-seconds` at most; 0: not at all). Needs
permission to make a control group. Prints a table; removes what it made."""

import argparse
import contextlib
import json
import mmap
import os
import pathlib
import subprocess
import sys
import threading
import time

import numpy as np

PEER = """
import sys, time
import numpy as np
a, b = np.load('A.npy', mmap_mode='r'), np.load('B.npy', mmap_mode='r')
c = np.lib.format.open_memmap('D.npy', 'w+', a.dtype, (a.shape[0], b.shape[1]))
start = time.monotonic()
np.matmul(a, b, out=c)
c.flush()
print(time.monotonic() - start)
"""


class Group:
    """A control group of the memory controller, version 1 or 2, below our own."""

    def __init__(self, limit):
        for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            if "memory" in controllers.split(","):
                self.directory = pathlib.Path(f"/sys/fs/cgroup/memory{path}/kinjo-bench-{os.getpid()}")
                self.limit, self.peak = "memory.limit_in_bytes", "memory.max_usage_in_bytes"
                break
        else:
            self.directory = pathlib.Path(f"/sys/fs/cgroup{path}/kinjo-bench-{os.getpid()}")
            self.limit, self.peak = "memory.max", "memory.peak"
        self.bytes = limit

    def __enter__(self):
        self.directory.mkdir()
        (self.directory / self.limit).write_text(str(self.bytes))
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError):
            self.directory.rmdir()

    def run(self, command, seconds=None, **options):
        """Standard output, or None when it took longer; and the peak of memory and page cache."""
        with contextlib.suppress(OSError):
            (self.directory / self.peak).write_text("0")
        join = lambda: (self.directory / "cgroup.procs").write_text("0")  # noqa: E731
        try:
            done = subprocess.run(command, preexec_fn=join, stdout=subprocess.PIPE, text=True, check=True,
                                  timeout=seconds, **options)
            output = done.stdout
        except subprocess.TimeoutExpired:
            output = None
        return output, int((self.directory / self.peak).read_text())


def make(directory, n):
    for name, seed in (("A", 1), ("B", 2)):
        matrix = np.lib.format.open_memmap(directory / f"{name}.npy", "w+", "f8", (n, n))
        random = np.random.default_rng(seed)
        for i in range(0, n, 512):
            matrix[i:i + 512] = random.random((min(512, n - i), n)) - 0.5
        matrix.flush()
        os.sync()


def disk_bandwidth(file, threads=4, run=2 << 20):
    """Bytes a second of direct reads of a file, at most 1 GiB of it."""
    size = min(os.path.getsize(file), 1 << 30) // run * run

    def read(first):
        handle = os.open(file, os.O_RDONLY | os.O_DIRECT)
        buffer = mmap.mmap(-1, run)
        for offset in range(first * run, size, threads * run):
            os.preadv(handle, [buffer], offset)
        os.close(handle)

    workers = [threading.Thread(target=read, args=(i,)) for i in range(threads)]
    start = time.monotonic()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return size / (time.monotonic() - start)


def run_kinjo(group, options, extra):
    text, peak = group.run([options.kinjo, "gemm", "A.npy", "B.npy", "-o", "C.npy", "--format", "json",
                            "--memory-limit", str(group.bytes), *extra], cwd=options.directory,
                           stderr=subprocess.DEVNULL)
    return json.loads(text), peak


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kinjo", required=True, type=lambda p: str(pathlib.Path(p).resolve()))
    parser.add_argument("--directory", required=True, type=pathlib.Path)
    parser.add_argument("--size", type=int, default=8192)
    parser.add_argument("--limit", type=int, help="bytes; default: a quarter of A, B and C")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--peer-seconds", type=float, default=600)
    options = parser.parse_args()
    n = options.size
    limit = options.limit or 3 * n * n * 8 // 4
    make(options.directory, n)
    print(f"n = {n}: {3 * n * n * 8 / 2**20:.0f} MiB of matrices, limit {limit / 2**20:.0f} MiB")
    print(f"disk: {disk_bandwidth(options.directory / 'A.npy') / 1e9:.2f} GB/s of direct reads")
    flops = 2 * n**3
    try:
        with Group(limit) as group:
            for _ in range(options.rounds):
                for name, extra in (("touch", ()), ("no touch", ("--no-touch",)),
                                    ("cached", ("--io", "cached"))):
                    run, peak = run_kinjo(group, options, extra)
                    print(f"kinjo, {name:9}{run['seconds']:8.2f} s {run['gflops']:7.1f} GFLOP/s elapsed "
                          f"{run['cpu_gflops']:7.1f} by CPU time, waited {run['waited_seconds']:.2f} s, "
                          f"{run['read_bytes'] / 2**20:.0f} MiB read, "
                          f"{run['page_microseconds']:.2f} µs/page, peak {peak / 2**20:.0f} MiB",
                          flush=True)
            if options.peer_seconds > 0:
                text, peak = group.run([sys.executable, "-c", PEER], options.peer_seconds,
                                       cwd=options.directory)
                seconds = float(text) if text else options.peer_seconds
                print(f"NumPy, mapped   {'' if text else 'more than '}{seconds:8.2f} s "
                      f"{'' if text else 'less than '}{flops / seconds / 1e9:7.1f} GFLOP/s elapsed")
    finally:
        for name in "ABCD":
            with contextlib.suppress(FileNotFoundError):
                (options.directory / f"{name}.npy").unlink()


if __name__ == "__main__":
    main()
