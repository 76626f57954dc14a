"""Tests of what kinjo does when the system refuses, or changes while a team lives.

docs/refusals.md tells the same to users.
"""

import re
import unittest

from guest_case import EVERYTHING, GuestCase

REFUSED = "mbind returned EPERM"
BY_SECCOMP = f"{REFUSED} (a container's seccomp profile?); "
ALL_RIGHT = "sum right, pages 2048 of 2048, threads in place "
# Makes a cpuset of all CPUs and runs a command inside.
IN_CPUSET = """cd /sys/fs/cgroup && echo +cpuset >cgroup.subtree_control; mkdir -p some
echo 0-15 >some/cpuset.cpus && sh -c 'echo $$ >/sys/fs/cgroup/some/cgroup.procs; exec {}'"""
CPUSET = "/sys/fs/cgroup/some/cpuset.cpus"


def parse(text):
    """{name: what came of it} from lines of the program `failures`."""
    return dict(line.split(": ", 1) for line in text.splitlines())


class FailureTest(GuestCase):
    """Every refusal has its documented result."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        commands = {
            "full": "failures full 1 320",
            "absent": "failures absent 9",
            "refused": "failures refused 1",
            "offline": "failures offline 5",
            "offline in a cpuset": IN_CPUSET.format("failures offline 5"),
            "cpuset": IN_CPUSET.format(f"failures cpuset {CPUSET} 2-5"),
        }
        options = ["--memory-mib", "288"]
        cls.seen = cls.session(cls(), "opteron4", commands, ["failures"], options)

    def result(self, name):
        """What came of one of the commands."""
        return parse(self.seen[name])

    def test_a_full_node_gives_pages_of_its_neighbours_and_the_audit_shows_it(self):
        found = self.result("full")
        rung, *pages = found["full"].split()
        by_node = {int(n): int(count) for n, count in (part.split(":") for part in pages)}
        self.assertEqual(rung, "bound")
        self.assertEqual(sum(by_node.values()), 320 * 256)
        # What the kernel and the machine's files, all of which may lie on this node, leave of 288 MiB.
        self.assertGreater(by_node[1], 80 * 256)
        self.assertEqual(set(by_node) - {0, 3}, {1})  # its near neighbours, not node 2
        counts = ", ".join(f"{count} on node {node}" for node, count in sorted(by_node.items()))
        self.assertEqual(found["audit"], f"{320 * 256} pages: {counts}")

    def test_an_absent_node_is_an_error(self):
        message = "not_found: cannot allocate on node 9: it does not exist; expected one of 0-3"
        self.assertEqual(self.result("absent"), {"alloc_on": message, "interleaved": message})

    def test_where_mbind_is_refused_pages_are_placed_by_first_touch(self):
        found = self.result("refused")
        self.assertEqual(
            found["alloc_on"],
            f"first_touch 1:1024 | cannot bind 4 MiB to node 1: {BY_SECCOMP}"
            "pages were placed by first touch instead, 1024 of 1024 on node 1",
        )
        self.assertEqual(
            found["array"],
            f"first_touch, wrong 0 | cannot bind 512 KiB to node 0: {BY_SECCOMP}"
            "pages are placed by the first touch of their owners instead, 2048 of 2048 where they "
            "were asked",
        )
        self.assertRegex(
            found["interleaved"],
            r"^unplaced \d:1024 \| cannot interleave 4 MiB over nodes 0-3: "
            f"{REFUSED}; pages are where the system puts them$",
        )

    def check_life(self, found, count, watched, after, anew):
        """A team before, after and beyond a change: nothing is lost; a new team is in place."""
        for name in ("before", "after", "undone"):
            self.assertTrue(found[name].startswith(ALL_RIGHT), found)
        self.assertEqual(found["before"], f"{ALL_RIGHT}16 of 16, CPU {watched}'s may use {watched}")
        self.assertTrue(found["after"].endswith(f", CPU {watched}'s may use {after}"), found)
        self.assertEqual(
            found["anew"], f"{ALL_RIGHT}{count} of {count}, CPU {watched}'s may use {anew}"
        )
        self.assertTrue(found["undone"].endswith(f"CPU {watched}'s may use 0-15"), found)
        self.assertRegex(
            found["a team by the old table"],
            re.escape("invalid_argument: cannot pin the thread to CPU ")
            + r"\d+: sched_setaffinity returned EINVAL "
            + re.escape("(no such CPU, offline, or outside the cpuset)"),
        )

    def test_a_thread_whose_cpu_goes_off_works_on_elsewhere(self):
        self.check_life(self.result("offline"), 15, 5, "0-15", "nothing")

    def test_a_cpu_that_goes_off_under_a_cpuset_frees_its_threads(self):
        self.check_life(self.result("offline in a cpuset"), 15, 5, "0-4,6-15", "nothing")

    def test_threads_whose_cpuset_shrinks_work_on_inside_it(self):
        self.check_life(self.result("cpuset"), 4, 15, "2-5", "nothing")


class OddMachineTest(GuestCase):
    """Nodes without memory, and memory without CPUs."""

    def test_a_node_without_memory_is_an_error_and_its_cpus_use_the_nearest(self):
        commands = {"absent": "failures absent 1", "refused": "failures refused 2"}
        seen = self.session("odd", commands, ["failures"])
        message = "not_found: cannot allocate on node 1: it has no memory; expected one of 0,2"
        self.assertEqual(parse(seen["absent"]), {"alloc_on": message, "interleaved": message})
        found = parse(seen["refused"])
        self.assertTrue(found["alloc_on"].startswith("first_touch 2:1024 | "), found)
        self.assertTrue(found["array"].startswith("first_touch, wrong 0 | "), found)

    @unittest.skipUnless(EVERYTHING, "KINJO_LAB=all only")
    def test_memory_without_cpus_cannot_be_touched_from_its_own(self):
        for shape in ("memory-only", "hmat"):
            seen = self.session(shape, {"refused": "failures refused 2"}, ["failures"])
            self.assertRegex(
                parse(seen["refused"])["alloc_on"],
                r"^unplaced \d:1024 \| cannot bind 4 MiB to node 2: "
                + re.escape(BY_SECCOMP)
                + "no thread could be pinned there to touch them either, so pages are where the "
                "system puts them$",
            )


if __name__ == "__main__":
    unittest.main()
