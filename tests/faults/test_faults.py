"""Every command while allocations and system calls fail one by one, and Ctrl-C at any moment: it succeeds
with the right output or says in a line why not, and leaves nothing behind.

Here is a sample; KINJO_FAULTS=all tries all that docs/reliability.md tells of, and takes an hour.
"""

import os
import sys
import unittest

import failing_calls
import failing_memory
import happy_paths
import interrupts

EVERYTHING = os.environ.get("KINJO_FAULTS") == "all"
SEED = int(os.environ.get("KINJO_FAULTS_SEED", "1"))
UNSANITIZED = unittest.skipIf("KINJO_SANITIZED" in os.environ,
                              "a sanitizer has its own allocator, and ends where it has no memory")
FOREVER = 10 ** 9
MEASURES = ("measure", "where")  # they take seconds


def tell(*words):
    """The figures of the long run."""
    if EVERYTHING:
        print(*words, file=sys.stderr, flush=True)


class FaultsTest(unittest.TestCase):
    def setUp(self):
        self.place = happy_paths.Workplace()
        self.addCleanup(self.place.close)

    def assert_no_faults(self, name, faults, ends):
        tell(f"{name}: {sum(ends.values())} runs, by status {dict(ends)}")
        self.assertEqual(dict(faults), {}, name)


@UNSANITIZED
class FailingMemory(FaultsTest):
    def check(self, length):
        for happy in happy_paths.ALL:
            wanted = 600 if EVERYTHING else 1 if happy.name in MEASURES else 3
            with self.subTest(happy.name):
                before = failing_memory.count_before(self.place, happy)
                last, clean = failing_memory.count(self.place, happy)
                self.assertLess(before, last)
                numbers = failing_memory.chosen(before, last, wanted, SEED + length)
                faults, ends = failing_memory.try_each(self.place, happy, clean, numbers, length)
                self.assert_no_faults(f"{happy.name}, {len(numbers)} of {last - before}", faults, ends)

    def test_one_allocation_that_fails(self):
        self.check(1)

    def test_memory_that_is_gone_for_good(self):
        self.check(FOREVER)

    def test_memory_that_is_gone_before_the_command_line_is_understood(self):
        happy = happy_paths.find("completion")
        before = failing_memory.count_before(self.place, happy)
        _, clean = failing_memory.count(self.place, happy)
        numbers = failing_memory.chosen(1, before, 3000 if EVERYTHING else 9, SEED)
        for length in (1, FOREVER):
            faults, ends = failing_memory.try_each(self.place, happy, clean, numbers, length)
            self.assert_no_faults(f"{len(numbers)} of {before}", faults, ends)


@unittest.skipUnless(failing_calls.permitted(), "needs strace, and to be allowed to trace")
@UNSANITIZED
class FailingCalls(FaultsTest):
    def test_each_kind_of_call_that_fails(self):
        for happy in happy_paths.ALL:
            wanted = 300 if EVERYTHING else 1 if happy.name in MEASURES else 3
            with self.subTest(happy.name):
                loading, whole, clean = failing_calls.count(self.place, happy)
                todo = failing_calls.chosen(loading, whole, wanted, SEED)
                faults, ends = failing_calls.try_each(self.place, happy, clean, todo)
                self.assert_no_faults(f"{happy.name}, {len(todo)} calls", faults, ends)


class CtrlC(unittest.TestCase):
    def test_leaves_nothing_behind_at_any_moment(self):
        place = interrupts.LongWorkplace()
        self.addCleanup(place.close)
        durations = [1.0] * len(interrupts.LONG)
        if EVERYTHING:
            durations = [place.duration(happy) for happy in interrupts.LONG]
            tell("seconds uninterrupted:",
                 {happy.name: round(s, 2) for happy, s in zip(interrupts.LONG, durations)})
        moments = interrupts.moments(SEED, durations, 200 if EVERYTHING else len(interrupts.LONG))
        tell(f"{len(moments)} interrupts")
        for index, when_s in moments:
            happy = interrupts.LONG[index]
            with self.subTest(happy.name, after_s=when_s):
                self.assertEqual(place.interrupt(happy, when_s, b"old"), "")


if __name__ == "__main__":
    unittest.main(verbosity=2)
