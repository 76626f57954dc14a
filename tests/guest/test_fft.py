"""Tests of the share of a Fourier transform's bytes that are local, for 8 threads on four nodes, and of
the times that the cost model predicts for S2's machine, in S2's order.

What the algorithm says: a thread's columns of the input lie on all nodes, so that a quarter of them is
local, and the same holds for its columns of the output; natural order costs one exchange more, which
stores to the work array make. Rows of the work array are local where lines are dealt as it is."""

import json
import unittest
from pathlib import Path

from guest_case import GuestCase, kinjo_files
from lab import prediction, profile, report

AZUSA = Path(__file__).resolve().parent / "profiles" / "azusa.json"
SIZES = ("128", "128")  # 16 columns for each thread, 8 at a time
CACHE = "65536,16,64"   # holds a thread's lines, and not its part of the arrays
STEPS = {"load 1": "in", "store 1": "work", "load 2": "work", "store 2": "out"}


class FftTest(GuestCase):
    def count(self, placement, deal):
        path = self.directory / "figures.json"
        files = [f"--file={host}:{guest}" for host, guest in kinjo_files(["fft"])]
        options = [*files, "--count", "--cache", CACHE, "--phases-only", "--json", str(path)]
        # Symbols are looked up at the start, so that the loader's work falls into no phase.
        command = " ".join(["LD_BIND_NOW=1", "fft", placement, deal, "scatter", *SIZES])
        run = self.boot("azusa", "sh", "-c", command, options=options)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(path.read_text())

    def shares(self, found):
        """Local bytes of each step, where it loads from or stores to an array."""
        shares = {}
        for step, region in STEPS.items():
            entry = report.find(found, step, region)
            moved = entry["loaded" if step.startswith("load") else "stored"]
            shares[step] = moved["local"] / (moved["local"] + moved["remote"])
        return shares

    def assert_shares(self, shares, expected):
        for step, share in expected.items():
            self.assertAlmostEqual(shares[step], share, delta=0.01, msg=step)

    def test_shares_and_predicted_times_are_those_of_the_algorithm(self):
        block = self.count("block", "block")
        cyclic = self.count("cyclic", "cyclic")
        none = self.count("none", "block")
        quarter = {"load 1": 0.25, "store 1": 0.25, "store 2": 0.25}
        self.assert_shares(self.shares(block), {**quarter, "load 2": 1})
        self.assert_shares(self.shares(none), {**quarter, "load 2": 1})
        self.assert_shares(self.shares(cyclic), {**quarter, "load 2": 0.25})
        machine = profile.read(AZUSA)
        block_s, cyclic_s, none_s = (
            prediction.predict(found, machine)["seconds"] for found in (block, cyclic, none)
        )
        # The two are 1 % apart, and runs differ by as much.
        self.assertLess(block_s, 1.02 * cyclic_s)
        self.assertLess(1.3 * cyclic_s, none_s)
        # Two reads and two writes of the array, and tables.
        moved = sum(
            report.find(block, step, region)["loaded" if step.startswith("load") else "stored"][side]
            for step, region in STEPS.items()
            for side in ("local", "remote")
        )
        self.assertLessEqual(moved / (16 * 128 * 128), 5)


if __name__ == "__main__":
    unittest.main()
