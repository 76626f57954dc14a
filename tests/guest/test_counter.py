"""Tests of the access counter, on programs whose accesses are known to the byte."""

import json
import unittest
import xml.etree.ElementTree

from guest_case import BUILD, EVERYTHING, GuestCase
from lab import report, shapes

MIB = 1 << 20
KIB64 = 1 << 16


class CountedCase(GuestCase):
    """A test that counts a program's accesses."""

    def count(self, shape, *command, options=()):
        """The figures of a counted run."""
        path = self.directory / "figures.json"
        run = self.boot(shape, *command, options=["--count", "--json", str(path), *options])
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(path.read_text())


class PassesTest(CountedCase):
    """Threads on every CPU pass over arrays whose pages lie as asked."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.passes = cls.compile(cls, "passes")

    def arrays(self, shape, how):
        """Checks that every byte of the arrays was counted once; returns both regions."""
        found = self.count(shape, self.passes, how)
        machine = shapes.find(shape)
        total = MIB * sum(map(len, machine.linux_cpus().values()))
        fill, sums = report.find(found, "fill", "array"), report.find(found, "sum", "array")
        self.assertEqual((sum(fill["loaded"].values()), sum(fill["stored"].values())), (0, total))
        self.assertEqual((sum(sums["loaded"].values()), sum(sums["stored"].values())), (total, 0))
        self.assertEqual(fill["stored"]["unknown"] + sums["loaded"]["unknown"], 0)
        return found, fill, sums

    def test_arrays_on_their_own_nodes_are_local(self):
        found, fill, sums = self.arrays("azusa", "own")
        self.assertEqual((fill["share_local"], sums["share_local"]), (1, 1))
        for region in (fill, sums):
            self.assertEqual(
                region["matrix"], [[2 * MIB if a == b else 0 for b in range(4)] for a in range(4)]
            )
        self.assertGreaterEqual(report.find(found, "sum")["share_local"], 0.99)

    def test_interleaved_arrays_are_local_for_one_in_k(self):
        _, fill, sums = self.arrays("azusa", "interleave")
        for region in (fill, sums):
            self.assertEqual(region["share_local"], 1 / 4)
            self.assertEqual(region["matrix"], [[MIB // 2] * 4] * 4)

    @unittest.skipUnless(EVERYTHING, "KINJO_LAB=all only")
    def test_arrays_on_the_first_node_are_remote_for_all_others(self):
        _, fill, sums = self.arrays("azusa", "first")
        for region in (fill, sums):
            self.assertEqual(region["matrix"], [[2 * MIB, 0, 0, 0]] * 4)

    def test_empty_slots_and_gaps_do_not_confuse_the_nodes(self):
        found, fill, _ = self.arrays("sparse", "own")
        self.assertEqual(found["nodes"], [0, 2, 3])
        self.assertEqual(fill["share_local"], 1)
        self.assertEqual(fill["matrix"], [[2 * MIB, 0, 0], [0, 3 * MIB, 0], [0, 0, 2 * MIB]])

    def test_a_modelled_cache_moves_every_line_of_a_pass_once(self):
        options = ["--cache", "65536,8,64", "--phases-only"]
        found = self.count("azusa", self.passes, "own", options=options)
        self.assertIsNone(report.find(found, "(outside)"))
        modelled = found["modelled"]
        self.assertEqual(modelled["cache"], {"bytes": 65536, "ways": 8, "line": 64})
        fill, sums = (report.find(modelled, phase, "array") for phase in ("fill", "sum"))
        for loaded in (fill["loaded"], sums["loaded"]):
            self.assertEqual((loaded["remote"], loaded["unknown"]), (0, 0))
            self.assertLessEqual(loaded["local"], 8 * MIB)
            # The first threads touch a few lines before the last one begins the phase.
            self.assertGreaterEqual(loaded["local"], 8 * MIB - 4096)
        written = fill["stored"]["local"] + sums["stored"]["local"]
        self.assertLessEqual(written, 8 * MIB)
        self.assertGreaterEqual(written, 8 * (MIB - 65536))

    @unittest.skipUnless(EVERYTHING, "KINJO_LAB=all only")
    def test_memory_above_4_gib_is_known_too(self):
        for shape in ("snc8", "sandybridge4"):
            with self.subTest(shape=shape):
                _, fill, sums = self.arrays(shape, "own")
                self.assertEqual((fill["share_local"], sums["share_local"]), (1, 1))


class RulesTest(CountedCase):
    """Which bytes count, and for what."""

    def test_phases_regions_barriers_and_forms_of_access(self):
        found = self.count("azusa", self.compile("marks"))

        def bytes_of(phase, region):
            entry = report.find(found, phase, region)
            return entry and (sum(entry["loaded"].values()), sum(entry["stored"].values()))

        self.assertEqual(bytes_of("outer", "a"), (KIB64, 0))
        self.assertIsNone(bytes_of("outer", "b"))
        self.assertEqual(bytes_of("inner", "b"), (0, KIB64))  # innermost phase, youngest region
        self.assertEqual(bytes_of("waiting", "(barrier)"), (KIB64, 0))
        self.assertIsNone(report.find(found, "waiting")["share_local"])
        self.assertEqual(bytes_of("forms", "a"), (2 * KIB64 + 8, 8))
        self.assertEqual(bytes_of("forms", "c"), (0, KIB64))
        self.assertEqual(bytes_of("mine", "a"), (KIB64, 0))  # of one CPU, on which it was opened
        self.assertEqual(bytes_of("both", "a"), (2 * KIB64, 0))
        self.assertIsNone(bytes_of("kernel", "a"))  # the kernel's own accesses do not count
        self.assertIsNone(bytes_of("kernel", "c"))
        self.assertIsNone(bytes_of("unnamed", "a"))
        loaded, _ = bytes_of("unnamed", "(other)")
        self.assertLessEqual(KIB64, loaded)

    def test_an_array_that_grows_is_counted_wherever_it_is_moved(self):
        program = BUILD / "tests" / "guest" / "programs" / "growing"
        found = self.count("one-cpu", str(program))
        counted = {}
        for phase in ("grow", "read", "moved", "copied"):
            entry = report.find(found, phase, "growing")
            counted[phase] = (sum(entry["loaded"].values()), sum(entry["stored"].values()))
        self.assertEqual(counted, {"grow": (0, MIB), "read": (MIB, 0), "moved": (MIB, 0),
                                   "copied": (144 << 10, (144 + 64) << 10)})

    def test_messages_of_many_threads_do_not_mix(self):
        found = self.count("azusa", self.compile("crowd"))
        share = report.find(found, "crowd", "share")
        self.assertEqual(sum(share["loaded"].values()), 16 * 500 * 64)

    def test_a_program_without_marks_is_counted_as_a_whole(self):
        found = self.count("one-cpu", "true")
        self.assertEqual([phase["phase"] for phase in found["phases"]], ["(outside)"])
        self.assertEqual(found["phases"][0]["share_local"], 1)

    def test_the_status_of_a_counted_command_is_its_own(self):
        options = ["--count", "--user", "1000"]
        run = self.boot("one-cpu", "sh", "-c", "id -u; kill -KILL $$", options=options)
        self.assertEqual((run.returncode, run.stdout), (137, "1000\n"))
        self.assertIn("(outside)", run.stderr)


class ReportTest(unittest.TestCase):
    """From the counter's rows to figures, without a guest."""

    RAW = {
        "phases": ["(outside)", "copy & more"],
        "classes": ["(other)", "(stack)", "(barrier)", "x"],
        # CPU, phase, class, node, loaded, stored, fetched, written
        "rows": [
            [0, 1, 3, 0, 100, 0, 64, 0],
            [2, 1, 3, 0, 50, 10, 64, 64],
            [2, 1, 0, 2, 40, 0, 64, 0],
            [0, 1, 1, 2, 1000, 1000, 128, 0],
            [4, 1, 2, 0, 5000, 0, 64, 0],
            [4, 1, 3, -1, 8, 0, 0, 0],
        ],
    }

    def setUp(self):
        self.found = report.figures(self.RAW, shapes.find("odd"))

    def test_a_phase_is_summed_without_stacks_and_barriers(self):
        phase = report.find(self.found, "copy & more")
        # CPU 2 is on node 1, which has no memory: node 0 is its nearest.
        self.assertEqual(phase["loaded"], {"local": 150, "remote": 40, "unknown": 8})
        self.assertEqual(phase["stored"], {"local": 10, "remote": 0, "unknown": 0})
        self.assertEqual(phase["share_local"], 160 / 208)
        self.assertEqual(phase["matrix"], [[160, 40], [0, 0]])
        self.assertEqual(phase["by_node"]["2"], {"loaded": 40, "stored": 0})

    def test_stacks_and_barriers_stand_apart(self):
        self.assertEqual(
            report.find(self.found, "copy & more", "(stack)")["loaded"]["remote"], 1000
        )
        barrier = report.find(self.found, "copy & more", "(barrier)")
        self.assertEqual(barrier["share_local"], 0)

    def test_what_is_modelled_is_summed_and_labelled_as_such(self):
        found = report.figures(self.RAW, shapes.find("odd"), (1024, 2, 64))
        phase = report.find(found["modelled"], "copy & more")
        self.assertEqual(phase["loaded"], {"local": 128, "remote": 64, "unknown": 0})
        self.assertEqual(phase["stored"], {"local": 64, "remote": 0, "unknown": 0})
        self.assertIn("(MODELLED: ", report.table(found))
        self.assertIn(" 1024 bytes, 2 ways, lines of 64)", report.table(found))

    def test_the_table_has_a_line_for_each_phase_and_region(self):
        lines = report.table(self.found).splitlines()
        self.assertIn("76.923 %", lines[1])
        self.assertEqual(len(lines), 1 + 1 + 4 + 2)

    def test_the_heat_map_is_well_formed(self):
        tree = xml.etree.ElementTree.fromstring(report.svg(self.found))
        texts = [element.text for element in tree.iter() if element.tag.endswith("text")]
        self.assertIn("copy & more", texts)
        self.assertIn("80.0", texts)


if __name__ == "__main__":
    unittest.main()
