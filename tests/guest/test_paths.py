"""Tests of the share of local bytes while paths are counted and built, for 8 threads on four nodes."""

import json
import unittest

from guest_case import GuestCase, kinjo_files
from lab import report

PATHS_OF_7 = "789360053252\n"


class PathsTest(GuestCase):
    def count(self, policy, way):
        path = self.directory / "figures.json"
        files = [f"--file={host}:{guest}" for host, guest in kinjo_files(["paths"])]
        options = [*files, "--count", "--json", str(path)]
        command = f"LD_BIND_NOW=1 paths {policy} {way} 7"
        run = self.boot("azusa", "sh", "-c", command, options=options)
        self.assertEqual((run.returncode, run.stdout), (0, PATHS_OF_7), run.stderr)
        return json.loads(path.read_text())

    def test_debug(self):
        for way in ("count", "build"):
            for policy in ("compact", "scatter", "none"):
                found = self.count(policy, way)
                print(policy, way, json.dumps(found, indent=1)[:6000])


if __name__ == "__main__":
    unittest.main()
