"""Tests of BLAS-1 under emulated CPUs, and of the share of its bytes that are local.

The access counter knows nothing of kinjo: it adds up the physical addresses of loads and stores.
"""

import json
import subprocess
import unittest

from guest_case import BUILD, GuestCase, kinjo_files
from lab import report

LEVELS = {"Nehalem": "sse2", "SandyBridge": "sse2", "Haswell": "avx2"}
ELEMENTS = 1 << 20  # so many that the caller's own bookkeeping weighs less than one in a thousand
# Each phase's arrays, and how often all their elements are loaded or stored at least.
PHASES = {
    "sums": {"x": 4},
    "norm": {"x": 4},
    "dot": {"x": 2, "y": 2},
    "axpy": {"x": 1, "y": 2},
    "copy": {"x": 1, "y": 1},
    "scale": {"y": 2},
    "max": {"x": 1},
}


class LevelTest(GuestCase):
    """Each CPU gets the level that is right for it, and the same reproducible bits."""

    def test_every_cpu_gets_its_level_and_the_same_bits(self):
        program = BUILD / "tests" / "guest" / "programs" / "blas1"
        run = subprocess.run([program, "bits"], capture_output=True, text=True, check=False)
        here = run.stdout.split()[1:]
        self.assertEqual(len(here), 3, run.stderr)
        for cpu, level in LEVELS.items():
            with self.subTest(cpu=cpu):
                lower = [known for known in ("scalar", "sse2") if known != level]
                commands = {
                    "chosen": f"blas1 {level}",
                    **{name: f"KINJO_SIMD={name} blas1 {name}" for name in lower},
                    "refused": "KINJO_SIMD=avx512 blas1 avx512 || true",
                    "shown": "kinjo topo | grep vector",
                }
                seen = self.session("one-cpu", commands, ["blas1"], [f"--cpu={cpu}"])
                for name in ("chosen", *lower):
                    expected = level if name == "chosen" else name
                    self.assertEqual(seen[name].split(), [expected, *here], name)
                has = "scalar, sse2, avx2" if level == "avx2" else "scalar, sse2"
                self.assertEqual(
                    seen["refused"], f"KINJO_SIMD: this CPU has no avx512: it has {has}\n"
                )
                self.assertEqual(seen["shown"], f"vector kernels: {level} (of {has})\n")


class ShareTest(GuestCase):
    """Which bytes were local, by phase, for 8 threads on four nodes."""

    def count(self, policy):
        path = self.directory / "figures.json"
        files = [f"--file={host}:{guest}" for host, guest in kinjo_files(["blas1"])]
        options = [*files, "--count", "--phases-only", "--json", str(path)]
        # Symbols are looked up at the start, so that the loader's work falls into no phase.
        command = f"LD_BIND_NOW=1 blas1 {policy} {ELEMENTS}"
        run = self.boot("azusa", "sh", "-c", command, options=options)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(path.read_text())

    def check(self, policy):
        found = self.count(policy)
        for phase, arrays in PHASES.items():
            self.assertGreaterEqual(report.find(found, phase)["share_local"], 0.999, phase)
            for array, passes in arrays.items():
                region = report.find(found, phase, array)
                # Not quite 1: the caller looks at an element of each part to find the largest.
                self.assertGreaterEqual(region["share_local"], 0.9999, (phase, array))
                self.assertGreaterEqual(
                    sum(map(sum, region["matrix"])), passes * ELEMENTS * 8, (phase, array)
                )

    def test_team_versions_are_local_under_scatter(self):
        self.check("scatter")

    def test_team_versions_are_local_under_compact(self):
        self.check("compact")

    def test_team_versions_are_local_under_compact_plus(self):
        self.check("compact-plus")


if __name__ == "__main__":
    unittest.main()
