"""Tests of the share of a search's bytes that are local, for 8 threads on four nodes.

A part's threads ask for the parents of its own vertices, look into their own copy of the frontier and
write their own parents. What they fetch from elsewhere is the frontier, a bit a vertex, in the phase
`exchange` before each step. Without parts of its own a node's thread finds a quarter of everything near,
whatever the policy."""

import json
import unittest

from guest_case import GuestCase, kinjo_files
from lab import report

SCALE = "17"  # of whose bitmaps each part has a page


class BfsTest(GuestCase):
    def count(self, policy, parts):
        path = self.directory / "figures.json"
        files = [f"--file={host}:{guest}" for host, guest in kinjo_files(["bfs"])]
        options = [*files, "--count", "--phases-only", "--json", str(path)]
        # Symbols are looked up at the start, so that the loader's work falls into no phase.
        command = f"LD_BIND_NOW=1 bfs {policy} {parts} {SCALE}"
        run = self.boot("azusa", "sh", "-c", command, options=options)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout, json.loads(path.read_text())

    def shares(self, found):
        return {name: report.find(found, name)["share_local"] for name in
                ("construction", "top-down", "bottom-up", "unreached")}

    def with_exchange(self, found):
        """The share of bottom-up steps together with what was exchanged for them."""
        local = remote = 0
        for name in ("bottom-up", "exchange"):
            entry = report.find(found, name)
            local += sum(entry[way]["local"] for way in ("loaded", "stored"))
            remote += sum(entry[way]["remote"] for way in ("loaded", "stored"))
        return local / (local + remote)

    def test_bottom_up_steps_stay_on_their_node_where_the_graph_is_cut(self):
        for policy in ("scatter", "compact"):
            said, found = self.count(policy, 0)
            self.assertIn("4 parts, ", said)
            shares = self.shares(found)
            with self.subTest(policy, **shares):
                self.assertGreaterEqual(shares["bottom-up"], 0.93)  # 0.955 was counted
                self.assertGreaterEqual(shares["unreached"], 0.75)
                self.assertGreaterEqual(shares["top-down"], 0.6)
                self.assertGreaterEqual(shares["construction"], 0.4)
                self.assertGreaterEqual(self.with_exchange(found), 0.90)  # 0.92 was counted

    def test_graph_in_one_piece_is_far_away_for_most(self):
        for policy, parts in (("scatter", 1), ("none", 0)):
            said, found = self.count(policy, parts)
            self.assertIn("1 parts, ", said)
            shares = self.shares(found)
            with self.subTest(policy, **shares):
                self.assertLess(shares["bottom-up"], 0.6)


if __name__ == "__main__":
    unittest.main()
