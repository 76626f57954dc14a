"""The cost model and its profiles against the papers' figures; docs/cost_model.md tells the story."""

import json
import unittest
from pathlib import Path

import compare_s2
from lab import profile

ROOT = Path(__file__).resolve().parent.parent.parent
PROFILES = ROOT / "tests" / "guest" / "profiles"


class ProfilesTest(unittest.TestCase):
    """The profiles of the repository hold the papers' figures."""

    def test_every_profile_reads_and_has_its_assumptions(self):
        for path in sorted(PROFILES.glob("*.json")):
            with self.subTest(profile=path.name):
                machine = profile.read(path)
                self.assertEqual(machine.machine, path.stem)
                self.assertTrue(machine.assumptions)
                for limit in json.loads(path.read_text())["limits"]:
                    self.assertTrue(limit["source"])

    def test_opteron4_is_as_s0_measured_it_from_node_1(self):
        machine = profile.read(PROFILES / "opteron4.json")
        rates = [machine.thread_mib_s[node, 1] for node in range(4)]
        self.assertEqual(rates, [2508, 3258, 2056, 2550])

    def test_azusa_gives_back_the_bandwidths_it_was_made_from(self):
        machine = profile.read(PROFILES / "azusa.json")
        for cells, published in compare_s2.BANDWIDTH.items():
            error = compare_s2.bandwidth(machine, cells) / published - 1
            self.assertLess(abs(error), 0.005, cells)


class PaperTest(unittest.TestCase):
    """S2's FFT. The errors are what they are: these tests only keep them published."""

    def ratios(self, name):
        times = compare_s2.fft(profile.read(PROFILES / f"{name}.json"))
        return compare_s2.ratios({placement: sum(ms) for placement, ms in times.items()})

    def test_the_predicted_ratios_and_their_errors_are_the_published_ones(self):
        # By hand: block is 4 x 256 / 2468 s, default 4 x 256 / 789 s or 4 x 256 / 1082 s.
        published = compare_s2.ratios({k: sum(v) for k, v in compare_s2.PUBLISHED.items()})
        for name, ratio, error in (
            ("azusa", 2468 / 789, "+20.8 %"),
            ("azusa_bus", 2468 / 1082, "-11.9 %"),
        ):
            found = self.ratios(name)
            self.assertAlmostEqual(found["default"], ratio)
            self.assertEqual(compare_s2.error(found["default"], published["default"]), error)
            self.assertAlmostEqual(found["cyclic"], 1)
            self.assertEqual(compare_s2.error(found["cyclic"], published["cyclic"]), "-7.1 %")

    def test_the_counts_are_the_bytes_that_the_paper_states(self):
        for placement in compare_s2.PLACEMENTS:
            phases = compare_s2.counts(placement)["phases"]
            total = sum(sum(row["bytes"]) for phase in phases for row in phase["by_cpu"])
            self.assertEqual(total, 1 << 30)

    def test_the_published_passes_add_up_to_the_published_totals(self):
        computing = {"default": 318, "block": 264, "cyclic": 264}
        for name, passes in compare_s2.PUBLISHED.items():
            self.assertEqual(sum(passes) + computing[name], compare_s2.TOTAL[name])

    def test_the_documentation_shows_the_tables_of_today(self):
        text = (ROOT / "docs" / "cost_model.md").read_text()
        for table in compare_s2.tables():
            self.assertIn(table, text)


if __name__ == "__main__":
    unittest.main()
