"""The bytes that the cost model's comparison assumes are the bytes that a guest counts."""

import json
import unittest

import compare_s2
from guest_case import EVERYTHING, GUEST, GuestCase
from lab import profile, report

PROFILE = GUEST / "profiles" / "azusa.json"
SCALE = compare_s2.PASS_BYTES // (16 << 20)  # the program's matrix is smaller than S2's


class TrafficTest(GuestCase):
    """The passes of S2's FFT, on S2's machine, with its pages laid by the kernel."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.compile(cls, "six_step")

    def seconds(self, placement):
        """Compares every pass with what is assumed; returns the predicted time of all."""
        path = self.directory / "figures.json"
        options = ["--count", "--phases-only", "--json", str(path), "--profile", str(PROFILE)]
        run = self.boot("azusa", self.program, placement, options=options)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("PREDICTED for azusa", run.stderr)
        found = json.loads(path.read_text())
        for name in compare_s2.PASSES:
            region = report.find(found, name.lower(), "matrix")
            self.assertEqual(region["matrix"], self.assumed(name, placement), name)
            idle = "stored" if name.startswith("LOAD") else "loaded"
            self.assertEqual(sum(region[idle].values()), 0, name)
        return found["prediction"]["seconds"]

    def assumed(self, name, placement):
        """Node x node, of a matrix of the program's size."""
        matrix = [[0] * 4 for _ in range(4)]
        for row in compare_s2.pass_over(name, placement, compare_s2.EIGHT)["by_cpu"]:
            for node, amount in enumerate(row["bytes"]):
                matrix[row["node"]][node] += amount // SCALE
        return matrix

    def test_the_counted_bytes_are_the_assumed_ones_and_predict_the_same_ratio(self):
        times = {name: self.seconds(name) for name in ("default", "block")}
        machine = profile.read(PROFILE)
        paper = {name: sum(ms) for name, ms in compare_s2.fft(machine).items()}
        self.assertAlmostEqual(
            times["default"] / times["block"], paper["default"] / paper["block"], delta=0.02
        )  # what starting the threads adds

    @unittest.skipUnless(EVERYTHING, "KINJO_LAB=all only")
    def test_so_they_are_under_cyclic_placement(self):
        self.seconds("cyclic")


if __name__ == "__main__":
    unittest.main()
