"""Tests of STREAM on four nodes: its results, its pages, and the share of its bytes that are local.

The access counter knows nothing of kinjo: it adds up the physical addresses of loads and stores.
"""

import json
import unittest

from guest_case import EVERYTHING, GuestCase, kinjo_files
from lab import report

ELEMENTS = 1 << 18
PASSES = 5  # of each operation, the one that is not counted in kinjo's figures included
PHASES = {"copy": "ac", "scale": "cb", "add": "abc", "triad": "bca"}  # and their arrays
PLACED = ("scatter", "compact", "compact-plus")
COMMAND = f"kinjo stream --repeat 1 --elements {ELEMENTS} --pages normal --format json"


class ResultTest(GuestCase):
    """Every policy computes the right numbers on the right pages."""

    def test_results_and_pages_are_right_under_every_policy(self):
        pages = ("normal", "transparent", "huge")
        commands = {
            kind: f"kinjo stream --policy all --threads 3,16 --repeat 1 --elements 2000000 "
            f"--pages {kind} --format json"
            for kind in (pages if EVERYTHING else pages[:1])
        }
        seen = self.session("opteron4", commands, options=["--append", "hugepages=160"])
        for text in seen.values():
            records = json.loads(text)["records"]
            self.assertEqual(len(records), 2 * (len(PLACED) + 1))
            for record in records:
                self.assertIs(record["verified"], True)
                if record["policy"] != "none":
                    result = record["result"]
                    self.assertEqual(result["placement"], "bound")
                    self.assertEqual(result["pages_as_asked"], result["pages"])
                    for node in result["pages_by_node"]:
                        self.assertEqual((node["there"], node["as_asked"]),
                                         (node["asked"], node["asked"]), node)


class ShareTest(GuestCase):
    """Which bytes were local, by phase, for 8 threads on four nodes."""

    def count(self, *command):
        """The figures of a counted run on four nodes of two CPUs."""
        path = self.directory / "figures.json"
        files = [f"--file={host}:{guest}" for host, guest in kinjo_files(["stream_by_hand"])]
        options = [*files, "--count", "--phases-only", "--json", str(path)]
        run = self.boot("azusa", "sh", "-c", " ".join(command), options=options)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(path.read_text())

    def check_bytes(self, found, passes):
        """Every operation loaded and stored each element of its arrays, and nothing else of them."""
        for phase, arrays in PHASES.items():
            for array in arrays:
                region = report.find(found, phase, array)
                self.assertEqual(
                    sum(map(sum, region["matrix"])), passes * ELEMENTS * 8, (phase, array)
                )

    def check_placed(self, policy):
        found = self.count(COMMAND, "--policy", policy)
        self.check_bytes(found, PASSES)
        for phase, arrays in PHASES.items():
            self.assertGreaterEqual(report.find(found, phase)["share_local"], 0.999, phase)
            # The team's own memory, on which threads wait, stands apart.
            self.assertIsNotNone(report.find(found, phase, "(barrier)"))
            for array in arrays:
                region = report.find(found, phase, array)
                self.assertEqual(region["share_local"], 1, (phase, array))
                quarter = PASSES * ELEMENTS * 8 // 4
                self.assertEqual([row[n] for n, row in enumerate(region["matrix"])], [quarter] * 4)

    def test_partitioned_arrays_are_local(self):
        for policy in PLACED:
            with self.subTest(policy=policy):
                self.check_placed(policy)

    def by_hand(self, how):
        found = self.count(f"stream_by_hand {how} {ELEMENTS}")
        self.check_bytes(found, 1)
        for phase, arrays in PHASES.items():
            for array in arrays:
                yield report.find(found, phase, array)

    def test_arrays_that_one_thread_touches_lie_on_the_first_node(self):
        for region in self.by_hand("first"):
            quarter = ELEMENTS * 8 // 4
            self.assertEqual(region["matrix"], [[quarter, 0, 0, 0]] * 4)

    def test_interleaved_arrays_are_local_for_one_in_four(self):
        for region in self.by_hand("interleaved"):
            self.assertAlmostEqual(region["share_local"], 1 / 4, delta=0.001)

    @unittest.skipUnless(EVERYTHING, "KINJO_LAB=all only")
    def test_without_a_policy_nothing_is_lost_though_threads_move(self):
        self.check_bytes(self.count(COMMAND, "--policy", "none"), PASSES)


if __name__ == "__main__":
    unittest.main()
