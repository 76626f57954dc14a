"""Tests of the share of local bytes while paths are counted and built, for 8 threads on four nodes.

Counting, a state belongs to the thread that its hash says, so most of what a thread finds it reads out of
the box of another. Building, thread j hands on to thread j + 1 alone: in the mapping of `compact` half of
these neighbours share a node, in that of `scatter` none do. A queue lies with who empties it, so what is
stored in it crosses nodes where its two threads are apart, and what is loaded never does. Tables are their
threads' own. Where levels go by parts, in memory or by way of a file, each thread sweeps its parts alone. Reducing, threads
read what others have dealt to them and told them, and write what is their own."""

import json
import unittest

from guest_case import EVERYTHING, GuestCase, kinjo_files
from lab import report

# Of grids OEIS A007764. Levels of a few hundred states are counted by one thread alone, and only those of
# more than a hundred thousand go by parts.
RULES = {"count": "grid:9", "parts": "king:4x9", "spill": "grid:9", "build": "grid:7", "reduce": "grid:9"}
PATHS = {"grid:7": "789360053252\n", "grid:9": "41044208702632496804\n",
         "king:4x9": "8913331166213\n"}


def remote(entry):
    return sum(entry[way]["remote"] for way in ("loaded", "stored"))


class PathsTest(GuestCase):
    def count(self, policy, way, shape="azusa"):
        path = self.directory / "figures.json"
        files = [f"--file={host}:{guest}" for host, guest in kinjo_files(["paths"])]
        options = [*files, "--count", "--json", str(path)]
        # Symbols are looked up at the start, so that the loader's work falls into no phase.
        rule = RULES[way]
        how = "build" if way == "reduce" else way
        command = f"LD_BIND_NOW=1 paths {policy} {how} {rule}"
        run = self.boot(shape, "sh", "-c", command, options=options)
        self.assertEqual((run.returncode, run.stdout), (0, PATHS[rule]), run.stderr)
        return json.loads(path.read_text())

    def test_counting_reads_the_boxes_of_others_and_writes_its_own(self):
        found = report.find(self.count("scatter", "count"), "count")
        with self.subTest(loaded=found["loaded"], stored=found["stored"]):
            # Of what is added where rows repeat three quarters lie with other nodes: 10.6 to 10.7 MB. The
            # share, 0.83, falls with what a thread has to read of its own.
            self.assertLessEqual(found["loaded"]["remote"], 11_500_000)
            self.assertGreaterEqual(found["share_local"], 0.81)
            stored = found["stored"]
            # 0.996 was counted.
            self.assertGreaterEqual(stored["local"] / (stored["local"] + stored["remote"]), 0.97)

    def test_parts_in_memory_are_swept_by_each_thread_alone(self):
        # 0.890 to 0.892 was counted, 0.938 without the program's constants and what waits; 0.873 and 0.909
        # where the same levels stay in tables.
        for policy in ("scatter", "compact") if EVERYTHING else ("scatter",):
            figures = self.count(policy, "parts")
            found, rest = report.find(figures, "count"), report.find(figures, "count", "(other)")
            with self.subTest(policy, loaded=found["loaded"], stored=found["stored"]):
                self.assertGreaterEqual(found["share_local"], 0.88)
                self.assertGreaterEqual(rest["share_local"], 0.925)

    def test_levels_in_a_file_are_swept_by_each_thread_alone(self):
        # 0.926 to 0.928 was counted, 0.954 to 0.956 without the program's constants.
        for policy in ("scatter", "compact"):
            figures = self.count(policy, "spill")
            found, rest = report.find(figures, "count"), report.find(figures, "count", "(other)")
            with self.subTest(policy, loaded=found["loaded"], stored=found["stored"]):
                self.assertGreaterEqual(found["share_local"], 0.9)
                self.assertGreaterEqual(rest["share_local"], 0.93)

    def check_shares(self, figures, queues):
        """That tables are local, and about so many bytes of queues."""
        found = {name: report.find(figures, "build", name) for name in ("tables", "queues")}
        with self.subTest(**{name: entry["share_local"] for name, entry in found.items()}):
            self.assertGreater(remote(found["queues"]), 0)
            self.assertAlmostEqual(found["queues"]["share_local"], queues, delta=0.02)
            # Every byte was counted, of some 3.5 MB and 4.5 MB.
            self.assertGreaterEqual(found["tables"]["share_local"], 0.999)
            self.assertGreater(sum(found["tables"]["loaded"].values()), 1_000_000)

    def test_neighbours_in_the_chain_are_near_each_other_under_compact(self):
        counted = {policy: self.count(policy, "build") for policy in ("compact", "scatter")}
        phases = {policy: report.find(figures, "build") for policy, figures in counted.items()}
        queues = {policy: report.find(figures, "build", "queues") for policy, figures in counted.items()}
        self.check_shares(counted["compact"], 0.826)
        self.check_shares(counted["scatter"], 0.667)
        figures = {policy: (phase["share_local"], remote(phase), remote(queues[policy]))
                   for policy, phase in phases.items()}
        with self.subTest(**{policy: str(of) for policy, of in figures.items()}):
            self.assertGreaterEqual(phases["compact"]["share_local"], 0.88)  # 0.91 was counted
            self.assertGreaterEqual(phases["scatter"]["share_local"], 0.86)  # 0.89 to 0.90
            self.assertLess(remote(queues["compact"]), 0.7 * remote(queues["scatter"]))
            self.assertLess(remote(phases["compact"]), remote(phases["scatter"]))

    def test_levels_are_reduced_by_each_thread_in_bins_of_its_own(self):
        found = report.find(self.count("scatter", "reduce"), "reduce")
        with self.subTest(loaded=found["loaded"], stored=found["stored"]):
            # 0.785 to 0.79 was counted: 22 MB are loaded from other nodes, and 4.5 to 4.9 MB stored there.
            self.assertGreaterEqual(found["share_local"], 0.77)
            self.assertLessEqual(remote(found), 29_000_000)

    @unittest.skipUnless(EVERYTHING, "KINJO_LAB=all only")
    def test_queues_cross_nodes_where_the_chain_does(self):
        # Of 64 neighbours 4 are on different nodes, 8 where siblings come last, or all.
        for policy, queues in (("compact", 0.978), ("compact-plus", 0.953), ("scatter", 0.667)):
            self.check_shares(self.count(policy, "build", "sandybridge4"), queues)


if __name__ == "__main__":
    unittest.main()
