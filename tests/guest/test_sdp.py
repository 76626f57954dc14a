"""Tests of the share of local bytes, by phase, while a semidefinite program is solved by 8 threads on four
nodes, under each policy."""

import json
import unittest

from guest_case import GuestCase, kinjo_files
from lab import report

RULE = "control:12"
PHASES = ("sdp elements", "sdp cholesky", "sdp direction", "sdp step", "sdp others")


class SdpTest(GuestCase):
    def count(self, policy):
        """The figures of each phase, and what the program printed."""
        path = self.directory / "figures.json"
        files = [f"--file={host}:{guest}" for host, guest in kinjo_files(["sdp"])]
        options = [*files, "--count", "--json", str(path)]
        # Symbols are looked up at the start, so that the loader's work falls into no phase.
        command = f"LD_BIND_NOW=1 OPENBLAS_NUM_THREADS=1 sdp {policy} {RULE}"
        run = self.boot("azusa", "sh", "-c", command, options=options)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(path.read_text()), run.stdout

    def test_phases_have_their_share_of_local_bytes_under_each_policy(self):
        printed = set()
        for policy in ("compact", "compact-plus", "scatter"):
            figures, said = self.count(policy)
            self.assertRegex(said, r"^optimal ")
            printed.add(said)
            shares = {phase: report.find(figures, phase)["share_local"] for phase in PHASES}
            rounded = {phase.removeprefix("sdp "): round(share, 3) for phase, share in shares.items()}
            with self.subTest(policy=policy, **rounded):
                self.assertGreaterEqual(shares["sdp elements"], 0.2)   # 0.24 to 0.27
                self.assertGreaterEqual(shares["sdp direction"], 0.25)  # 0.32 to 0.42
        self.assertEqual(len(printed), 1)


if __name__ == "__main__":
    unittest.main()
