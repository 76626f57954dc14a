"""Tests of the share of local bytes, by phase, while a semidefinite program is solved by 8 threads on four
nodes, under each policy."""

import json
import unittest

from guest_case import GuestCase, kinjo_files
from lab import report

MANY_CONSTRAINTS = "control:12"  # ELEMENTS is most of it
LARGE_SCHUR = "theta:60,500"     # CHOLESKY is, over four rows of tiles
PHASES = ("sdp elements", "sdp cholesky", "sdp direction", "sdp step", "sdp others")


class SdpTest(GuestCase):
    def count(self, policy, rule):
        """The figures of each phase, and what the program printed."""
        path = self.directory / "figures.json"
        files = [f"--file={host}:{guest}" for host, guest in kinjo_files(["sdp"])]
        options = [*files, "--count", "--json", str(path)]
        # Symbols are looked up at the start, so that the loader's work falls into no phase.
        command = f"LD_BIND_NOW=1 sdp {policy} {rule}"
        run = self.boot("azusa", "sh", "-c", command, options=options)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(path.read_text()), run.stdout

    def shares(self, policy, rule):
        """The share of local bytes of each phase, and what the program printed."""
        figures, said = self.count(policy, rule)
        self.assertRegex(said, r"^optimal ")
        return {phase: report.find(figures, phase)["share_local"] for phase in PHASES}, said

    def test_elements_reads_what_is_near_under_each_policy(self):
        printed = set()
        for policy in ("compact", "compact-plus", "scatter"):
            shares, said = self.shares(policy, MANY_CONSTRAINTS)
            printed.add(said)
            with self.subTest(policy=policy, **{name[4:]: round(of, 3) for name, of in shares.items()}):
                self.assertGreaterEqual(shares["sdp elements"], 0.96)  # 0.991
        self.assertEqual(len(printed), 1)

    def test_threads_factorise_rows_that_are_near(self):
        shares, _ = self.shares("scatter", LARGE_SCHUR)
        with self.subTest(**{name[4:]: round(of, 3) for name, of in shares.items()}):
            self.assertGreaterEqual(shares["sdp cholesky"], 0.7)   # 0.77 to 0.82
            self.assertGreaterEqual(shares["sdp elements"], 0.85)  # 0.94 to 0.98
            self.assertGreaterEqual(shares["sdp direction"], 0.85)  # 0.94 to 0.96, by the caller


if __name__ == "__main__":
    unittest.main()
