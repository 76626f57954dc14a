"""Tests of `kinjo topo --check` on machines whose firmware tells the truth, and on one that lies."""

import json
import unittest

from guest_case import EVERYTHING, GuestCase
from lab import shapes

QUICK = ("opteron4", "sandybridge4")
# A virtual machine of the careless kind: all CPUs in one package.
LIE = """
sed 's/^physical id.*/physical id : 0/' /proc/cpuinfo > /tmp/cpuinfo
mount --bind /tmp/cpuinfo /proc/cpuinfo
kinjo topo --check; echo "status $?"
umount /proc/cpuinfo
"""


class CheckTest(GuestCase):
    """Three readers beside hwloc."""

    def test_an_honest_machine_is_agreed_on(self):
        for shape in [s.name for s in shapes.ALL] if EVERYTHING else QUICK:
            with self.subTest(shape):
                command = {"check": "kinjo topo --check --format json"}
                check = json.loads(self.session(shape, command)["check"])
                self.assertTrue(check["agrees"], check)
                found = {r["reader"]: {x["relation"] for x in r["relations"]}
                         for r in check["readers"]}
                self.assertEqual(found["cpuinfo"], {"cpus", "package", "core"})
                self.assertLessEqual({"cpus", "package", "core", "node", "L2"}, found["sysfs"])
                self.assertLessEqual({"package", "core", "L2"}, found["cpuid"])

    def test_a_lie_is_reported_with_the_cpus(self):
        said = self.session("opteron4", {"lie": LIE})["lie"].splitlines()
        self.assertEqual(said[-1], "status 1")
        self.assertIn("cpuinfo differs in package: 0-15; hwloc: 0-3 | 4-7 | 8-11 | 12-15", said)
        self.assertIn("cpuinfo differs in core: 0-12:4 | 1-13:4 | 2-14:4 | 3-15:4; "
                      "hwloc: 0 | 1 | 2 | 3 | … 12 more", said)


if __name__ == "__main__":
    unittest.main()
