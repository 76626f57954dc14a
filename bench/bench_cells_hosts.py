#!/usr/bin/env python3
"""Cells on two hosts beside ucx_perftest, in turn, over the same link: two network namespaces joined by
veth pairs and a bridge (tests/comm/hosts.py). Prints Markdown tables.

    bench/bench_cells_hosts.py [--build build/release] [--rounds N] [--rate 800mbit] [--first]
                               [latency] [bandwidth] [overlap]

Needs root, and the packages openmpi-bin, iproute2 and ucx-utils. On both sides the first process is pinned
to the first CPU, the other one to the second. --first puts the programs before those of other sessions (the
kernel's autogroups), for machines that others use at the same time.

latency     8 bytes one way, half of a round trip: a put with a flag against ucp_am_lat
bandwidth   puts of one size and `quiet` against ucp_am_bw
overlap     a put or get beside as much computing, over a link limited to --rate (tc tbf), as the share of
            the shorter one that is hidden; CPU seconds of both cells, with the library's threads"""

import argparse
import pathlib
import re
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "comm"))
import hosts  # noqa: E402

FIRST = ["setsid", "--wait", "sh", "-c", 'echo -20 > /proc/self/autogroup; exec "$@"', "sh"]
SIZES = ((65536, 8000), (1 << 20, 1000), (1 << 24, 60))


class Bench:
    def __init__(self, options, together):
        self.options = options
        self.hosts = together
        self.program = pathlib.Path(options.build, "bin", "cells_hosts").resolve()
        self.before = FIRST if options.first else []

    def cells(self, *words):
        """What two cells print."""
        command = self.hosts.mpirun({0: 1, 1: 1}, [*self.before, str(self.program), *map(str, words)])
        result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                timeout=300)
        if result.returncode:
            sys.exit(f"{' '.join(command)}:\n{result.stdout}{result.stderr}")
        return result.stdout

    def peer(self, test, size, count):
        """The numbers of ucx_perftest's last line: messages, median, average and overall time in µs,
        average and overall MB/s, messages a second."""
        words = ["ucx_perftest", "-t", test, "-s", str(size), "-n", str(count), "-f"]

        def pinned(cpu, *more):
            return ["env", "UCX_TLS=tcp,self", *self.before, "taskset", "-c", str(cpu), *words[:1], *more,
                    *words[1:]]
        server = self.hosts.start(0, pinned(0), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            time.sleep(0.5)
            result = subprocess.run(self.hosts.hosts[1].enter(pinned(1, self.hosts.address(0))),
                                    capture_output=True, text=True, timeout=300)
        finally:
            server.kill()
            server.wait()
        return [float(word) for word in result.stdout.strip().splitlines()[-1].split()]

    def latency(self):
        print("| 8 bytes one way | kinjo, median µs | mean | ucp_am_lat, median µs | mean "
              "| medians' ratio | means' ratio |\n|---|---|---|---|---|---|---|")
        ratios = []
        for number in range(self.options.rounds):
            median, mean = map(float, re.findall(r"[\d.]+", self.cells("latency", 20000)))
            _, their_median, their_mean, *_ = self.peer("ucp_am_lat", 8, 20000)
            ratios.append((median / their_median, mean / their_mean))
            print(f"| run {number + 1} | {median:.2f} | {mean:.2f} | {their_median:.2f} | "
                  f"{their_mean:.2f} | {ratios[-1][0]:.3f} | {ratios[-1][1]:.3f} |", flush=True)
        print(f"| median | | | | | {statistics.median(r for r, _ in ratios):.3f} | "
              f"{statistics.median(r for _, r in ratios):.3f} |\n")

    def bandwidth(self):
        print("| bytes | kinjo put, MB/s (least, most) | ucp_am_bw, MB/s | ratio |\n|---|---|---|---|")
        for size, count in SIZES:
            own, theirs = [], []
            for _ in range(self.options.rounds):
                own.append(float(self.cells("bandwidth", size, count).split()[-1]))
                # It counts in 2²⁰ bytes.
                theirs.append(self.peer("ucp_am_bw", size, count)[5] * 1.048576)
            print(f"| {size} | {statistics.median(own):.0f} ({min(own):.0f}, {max(own):.0f}) | "
                  f"{statistics.median(theirs):.0f} ({min(theirs):.0f}, {max(theirs):.0f}) | "
                  f"{statistics.median(own) / statistics.median(theirs):.2f} |", flush=True)
        print()

    def overlap(self):
        self.hosts.shape(self.options.rate)
        print(f"20 MB over {self.options.rate}:\n")
        for line in self.cells("overlap", 20_000_000, self.options.rounds).splitlines():
            if not line.startswith("#") or self.options.verbose:
                print(line)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", metavar="latency|bandwidth|overlap")
    parser.add_argument("--build", default=ROOT / "build" / "release")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rate", default="800mbit")
    parser.add_argument("--first", action="store_true")
    parser.add_argument("--verbose", action="store_true", help="each run of overlap")
    options = parser.parse_args()
    reason = hosts.why_no_mpirun()
    if reason:
        sys.exit(f"bench_cells_hosts.py: {reason}")
    with hosts.Hosts(2) as together:
        bench = Bench(options, together)
        for what in options.what or ["latency", "bandwidth", "overlap"]:
            getattr(bench, what)()


if __name__ == "__main__":
    main()
