"""Tests of the share of matrix multiplication's bytes that are local, for 8 threads on four nodes.

A's region is read when A is copied, B's when B is copied, and the copies when tiles are computed, so
the regions' shares are those of the phases."""

import json
import unittest

from guest_case import GuestCase, kinjo_files
from lab import report

# 64 rows of 120 doubles for each thread are whole pages, so that each row has one owner.
SHAPE = ("512", "120")
ONE_PER_NODE = "N(n=64)/C(k=60)/P(m)////////S(m=32)"
ONE_FOR_ALL = ONE_PER_NODE.replace("N", "M", 1)
REGIONS = ("a", "b", "c", "copy of A", "copy of B")


class ShareTest(GuestCase):
    def count(self, *arguments):
        path = self.directory / "figures.json"
        files = [f"--file={host}:{guest}" for host, guest in kinjo_files(["gemm"])]
        options = [*files, "--count", "--phases-only", "--json", str(path)]
        # Symbols are looked up at the start, so that the loader's work falls into no phase.
        command = " ".join(["LD_BIND_NOW=1", "gemm", *arguments])
        run = self.boot("azusa", "sh", "-c", command, options=options)
        self.assertEqual(run.returncode, 0, run.stderr)
        found = json.loads(path.read_text())
        return {name: report.find(found, "multiply", name) for name in REGIONS}

    def check(self, policy):
        found = self.count(policy, *SHAPE)
        shares = {name: region["share_local"] for name, region in found.items()}
        for name in ("a", "c", "copy of A", "copy of B"):
            self.assertGreaterEqual(shares[name], 0.99, name)
        # Each node copies all of B, of which it has a quarter.
        self.assertAlmostEqual(shares["b"], 0.25, delta=0.02)

    def test_all_but_copying_b_is_local_under_scatter(self):
        self.check("scatter")

    def test_all_but_copying_b_is_local_under_compact(self):
        self.check("compact")

    def test_all_but_copying_b_is_local_under_compact_plus(self):
        self.check("compact-plus")

    def test_one_copy_of_b_on_each_node_moves_less_between_nodes_than_one_for_all(self):
        def remote(plan):
            found = self.count("scatter", *SHAPE, f"'{plan}'")
            return {
                name: region["loaded"]["remote"] + region["stored"]["remote"]
                for name, region in found.items()
            }

        each, one = remote(ONE_PER_NODE), remote(ONE_FOR_ALL)
        self.assertLess(each["copy of B"], one["copy of B"] / 50)
        self.assertLess(sum(each.values()), sum(one.values()) / 2)


if __name__ == "__main__":
    unittest.main()
