"""Tests of the cost model: its arithmetic by hand, and its input."""

import copy
import json
import subprocess
import tempfile
import unittest
from pathlib import Path

from lab import model, prediction, profile, report, shapes
from lab.failure import USAGE, Failure

ROOT = Path(__file__).resolve().parent.parent.parent
PROFILES = ROOT / "tests" / "guest" / "profiles"
PREDICT = str(ROOT / "scripts" / "lab_predict")
RUN = str(ROOT / "tests" / "guest" / "run_guest")
MIB = 1 << 20

# Two nodes; a CPU alone: 100 MiB/s at home, 50 abroad.
TWO = {
    "schema": "kinjo-lab-profile/1",
    "machine": "two",
    "about": "two nodes",
    "nodes": [0, 1],
    "thread_mib_s": [[100, 50], [50, 100]],
    "limits": [],
    "assumptions": ["two: made up"],
}
COUNTS = {
    "schema": "kinjo-lab/1",
    "shape": "two",
    "nodes": [0, 1],
    "phases": [
        {"phase": "copy", "by_cpu": [{"cpu": 0, "node": 0, "bytes": [100 * MIB, 100 * MIB]}]}
    ],
}


class ModelCase(unittest.TestCase):
    """A test that reads profiles and counts from files."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="kinjo-model-test-")
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)

    def file(self, name, value):
        path = self.directory / name
        path.write_text(value if isinstance(value, str) else json.dumps(value))
        return str(path)

    def profile(self, *limits, **changes):
        return profile.read(self.file("profile.json", {**TWO, "limits": list(limits), **changes}))

    def slowest(self, machine, **by_cpu):
        """The most loaded resource; cpu0=(node, MiB in node 0, MiB in node 1)."""
        rows = {
            int(name[3:]): (node, {0: a * MIB, 1: b * MIB}) for name, (node, a, b) in by_cpu.items()
        }
        load = model.loads(machine, model.Traffic("phase", rows))[0]
        return load.name, load.cpus, load.seconds


class ArithmeticTest(ModelCase):
    """Cases computed by hand."""

    def test_the_accesses_of_one_cpu_follow_one_another(self):
        # 100 MiB at 100 MiB/s, then 100 MiB at 50 MiB/s
        self.assertEqual(self.slowest(self.profile(), cpu0=(0, 100, 100)), ("cpu 0", 1, 3.0))

    def test_cpus_work_at_once_and_the_slowest_one_counts(self):
        found = self.slowest(self.profile(), cpu0=(0, 100, 0), cpu1=(1, 100, 0))
        self.assertEqual(found, ("cpu 1", 1, 2.0))

    def test_all_cpus_share_the_memory_of_a_node(self):
        machine = self.profile({"limit": "memory", "mib_s": 40})
        found = self.slowest(machine, cpu0=(0, 100, 0), cpu1=(1, 100, 20))
        self.assertEqual(found, ("memory 0", 2, 5.0))

    def test_the_cpus_of_a_node_share_its_way_out(self):
        machine = self.profile({"limit": "initiator", "mib_s": 40, "nodes": [1]})
        found = self.slowest(machine, cpu0=(0, 300, 0), cpu2=(1, 0, 100), cpu3=(1, 100, 0))
        self.assertEqual(found, ("initiator 1", 2, 5.0))

    def test_a_link_carries_what_crosses_the_border_of_its_node(self):
        machine = self.profile({"limit": "link", "mib_s": 10})
        found = self.slowest(machine, cpu0=(0, 300, 20), cpu1=(1, 30, 300))
        self.assertEqual(found, ("link 0", 2, 5.0))

    def test_the_system_carries_everything(self):
        machine = self.profile({"limit": "system", "mib_s": 10})
        found = self.slowest(machine, cpu0=(0, 10, 20), cpu1=(1, 30, 40))
        self.assertEqual(found, ("system", 2, 10.0))

    def test_a_path_carries_the_pairs_that_it_lists(self):
        path = {"limit": "path", "name": "0 to 1", "pairs": [[0, 1]], "mib_s": 10}
        found = self.slowest(self.profile(path), cpu0=(0, 10, 50), cpu1=(1, 40, 40))
        self.assertEqual(found, ("path 0 to 1", 1, 5.0))

    def test_a_capacity_depends_on_how_many_cpus_use_it(self):
        machine = self.profile({"limit": "memory", "mib_s": {"2": 20, "3": 10}})
        self.assertEqual(self.slowest(machine, cpu0=(0, 60, 0)), ("cpu 0", 1, 0.6))
        two = {"cpu0": (0, 30, 0), "cpu1": (0, 30, 0)}
        self.assertEqual(self.slowest(machine, **two), ("memory 0", 2, 3.0))
        self.assertEqual(self.slowest(machine, **two, cpu2=(0, 40, 0)), ("memory 0", 3, 10.0))
        self.assertEqual(self.slowest(machine, **two, cpu2=(0, 0.1, 0))[1], 2)  # hardly a user

    def test_a_phase_without_bytes_uses_nothing(self):
        machine = self.profile({"limit": "system", "mib_s": 10})
        self.assertEqual(model.loads(machine, model.Traffic("idle", {0: (0, {0: 0})})), [])


class PredictionTest(ModelCase):
    """From counts to kinjo-prediction/1, and what is refused."""

    def predict(self, counts, machine=None):
        return prediction.predict(copy.deepcopy(counts), machine or self.profile())

    def test_a_prediction_says_what_it_is_and_what_it_assumes(self):
        found = self.predict(COUNTS)
        self.assertEqual((found["schema"], found["machine"]), ("kinjo-prediction/1", "two"))
        self.assertEqual(found["meaning"], prediction.MEANING)
        self.assertEqual(
            found["assumptions"],
            [prediction.OF_INSTRUCTIONS, *model.ASSUMPTIONS, "two: made up"],
        )
        self.assertEqual((found["seconds"], found["phases"][0]["bound_by"]), (3.0, "cpu 0"))
        lines = prediction.table(found).splitlines()
        self.assertEqual(lines[0], "PREDICTED for two (two nodes), not measured:")
        self.assertEqual(lines[2].split(), ["copy", str(200 * MIB), "3000.000", "cpu", "0"])
        self.assertEqual(lines[-1], "- two: made up")

    def test_modelled_caches_take_the_place_of_the_instructions(self):
        cached = {"phase": "copy", "by_cpu": [{"cpu": 0, "node": 0, "bytes": [10 * MIB, 0]}]}
        cache = {"bytes": 1024, "ways": 2, "line": 64}
        found = self.predict({**COUNTS, "modelled": {"cache": cache, "phases": [cached]}})
        self.assertAlmostEqual(found["seconds"], 0.1)
        self.assertIn("1024 bytes, 2 ways, lines of 64", found["assumptions"][0])

    def test_what_lies_outside_of_phases_is_not_in_the_sum(self):
        outside = {**COUNTS["phases"][0], "phase": "(outside)"}
        found = self.predict({**COUNTS, "phases": [outside, *COUNTS["phases"]]})
        self.assertEqual([phase["seconds"] for phase in found["phases"]], [3.0, 3.0])
        self.assertEqual(found["seconds"], 3.0)

    def test_the_counters_own_figures_can_be_predicted_from(self):
        raw = {
            "phases": ["(outside)", "copy"],
            "classes": ["(other)", "(stack)", "(barrier)", "x"],
            "rows": [
                [0, 1, 3, 0, 3258 * MIB, 0, 0, 0],
                [4, 1, 3, 0, 0, 2529 * MIB, 0, 0],
                [4, 1, 1, 3, 9999 * MIB, 0, 0, 0],  # stacks are not data
            ],
        }
        counts = report.figures(raw, shapes.find("opteron4"))
        self.assertEqual(
            counts["phases"][0]["by_cpu"],
            [
                {"cpu": 0, "node": 0, "bytes": [3258 * MIB, 0, 0, 0]},
                {"cpu": 4, "node": 1, "bytes": [2529 * MIB, 0, 0, 0]},
            ],
        )
        found = self.predict(counts, profile.read(PROFILES / "opteron4.json"))
        self.assertEqual(found["seconds"], 1.0)

    def test_bad_input_ends_with_one_line_that_names_file_and_field(self):
        def counts(**changes):
            return {**COUNTS, **changes}

        row = {"cpu": 0, "node": 0, "bytes": [1, -1]}
        cases = [
            ("{", TWO, "counts.json: not JSON: "),
            ([], TWO, "counts.json: file: expected an object, not []"),
            (counts(schema="x"), TWO, 'counts.json: schema: expected "kinjo-lab/1", not "x"'),
            (counts(nodes=[0, 7]), TWO, "profile two has the nodes 0, 1, the counts have 0, 7"),
            (counts(phases=[{"phase": "a"}]), TWO, "counts.json: phases[0].by_cpu: missing"),
            (
                counts(phases=[{"phase": "a", "by_cpu": [row]}]),
                TWO,
                "counts.json: phases[0].by_cpu[0].bytes[1]: expected a whole number >= 0, not -1",
            ),
            (COUNTS, {**TWO, "limits": 3}, "profile.json: limits: expected a list, not 3"),
            (COUNTS, {**TWO, "nodes": [1, 1]}, "profile.json: nodes: expected different node nu"),
            (
                COUNTS,
                {**TWO, "thread_mib_s": [[1, 2], [3]]},
                "profile.json: thread_mib_s[1]: expected a list of 2, not [3]",
            ),
            (
                COUNTS,
                {**TWO, "thread_mib_s": [[100, None], [50, 100]]},
                "profile two: thread_mib_s says nothing of a CPU of node 0 and the memory of node 1",
            ),
            (
                COUNTS,
                {**TWO, "limits": [{"limit": "disk", "mib_s": 1}]},
                "profile.json: limits[0].limit: expected one of memory, initiator, link, system, "
                'path, not "disk"',
            ),
            (
                COUNTS,
                {**TWO, "limits": [{"limit": "system", "mib_s": {"0": 1}}]},
                "profile.json: limits[0].mib_s: expected MiB/s by number of CPUs",
            ),
            (
                COUNTS,
                {**TWO, "limits": [{"limit": "system", "mib_s": 0}]},
                "profile.json: limits[0].mib_s: expected a number > 0, not 0",
            ),
        ]
        for bad_counts, bad_profile, expected in cases:
            with self.subTest(expected=expected):
                with self.assertRaises(Failure) as caught:
                    prediction.of_files(
                        self.file("counts.json", bad_counts),
                        self.file("profile.json", bad_profile),
                    )
                self.assertEqual(caught.exception.status, USAGE)
                text = str(caught.exception).replace(f"{self.directory}/", "")
                self.assertEqual(text[: len(expected)], expected)
                self.assertNotIn("\n", text)

    def test_the_programs_end_with_status_2(self):
        counts = self.file("counts.json", COUNTS)
        for command, expected in (
            ([PREDICT, counts, "absent.json"], "lab_predict: absent.json: No such file or dir"),
            ([RUN, "--shape", "azusa", "--profile", counts, "--", "true"], "run_guest: "),
            (
                [RUN, "--shape", "snc8", "--count", "--profile", PROFILES / "azusa.json", "true"],
                f"run_guest: {PROFILES / 'azusa.json'}: thread_mib_s: snc8 also needs a CPU of node 0 and the memory of node 4\n",
            ),
        ):
            run = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertEqual(run.stderr[: len(expected)], expected)

    def test_lab_predict_prints_the_table_or_json(self):
        arguments = [PREDICT, self.file("counts.json", COUNTS), self.file("profile.json", TWO)]
        text = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout
        data = subprocess.run([*arguments, "--json"], capture_output=True, text=True, check=True)
        found = json.loads(data.stdout)
        self.assertEqual(text, prediction.table(found) + "\n")
        self.assertEqual(found["phases"][0]["resources"][0]["mib_s"], 200 / 3)


if __name__ == "__main__":
    unittest.main()
