"""`kinjo gemm A.npy B.npy -o C.npy` within its limit of memory, of the process and of a control group."""

import contextlib
import json
import os
import pathlib
import signal
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from gemm_files import MIB, GemmFilesTest, control_group  # noqa: E402
from with_numpy import np  # noqa: E402

needs_the_memory_of_kinjo_alone = unittest.skipIf("KINJO_SANITIZED" in os.environ,
                                                  "a sanitizer takes memory of its own")


class GemmFilesMemory(GemmFilesTest):
    def test_the_least_limit_that_is_stated_is_enough(self):
        for m, k, n in ((700, 600, 500), (123, 456, 789), (60, 3000, 1100), (1, 1, 1)):
            for extra in ((), ("--io", "cached"), ("--plan", f"R(m={max(m // 3, 1)})/S(n)")):
                with self.subTest(m=m, k=k, n=n, extra=extra):
                    self.save("A.npy", (m, k))
                    self.save("B.npy", (k, n))
                    one = ("--threads", "1", *extra)
                    message = self.refused("--memory-limit", "1M", *one)
                    least = message.split("expected at least ")[1]
                    result = self.multiply("--memory-limit", least, *one)
                    self.assertEqual(result.returncode, 0, (message, result.stderr))

    def test_every_limit_from_the_least_on_is_enough_for_long_matrices(self):
        self.sparse("A.npy", 1000000, 300)
        self.sparse("B.npy", 300, 64)
        options = ("--threads", "1", "--memory-limit")
        least = self.refused(*options, "1M").split("expected at least ")[1]
        for limit in (least, "22.5M", "24M"):
            with self.subTest(limit), self.start(*options, limit) as process:
                self.assertRegex(process.stderr.readline(), r"^kinjo: gemm: 1000000 × 64 × 300 of float64 by ")
                process.terminate()
                process.communicate(timeout=100)
                self.assertIn(process.returncode, (-signal.SIGTERM, 128 + signal.SIGTERM))
                for name in ("C.npy.kinjo-part", "C.npy.kinjo-journal"):
                    self.folder.joinpath(name).unlink(missing_ok=True)

    @needs_the_memory_of_kinjo_alone
    def test_any_number_of_steps_takes_no_memory_and_can_be_interrupted(self):
        self.save("A.npy", (300, 200))
        self.save("B.npy", (200, 150))
        limit = 64 * MIB
        for plan in ("R(m=1)/R(n=1)/R(k=1)/S(m=32)", "R(m=4)/R(n=1)/R(k=1)/S(m=32)"):
            with self.subTest(plan):
                options = ("--plan", plan, "--memory-limit", str(limit), "--threads", "1")
                for resume in ((), ("--resume",)):
                    with self.start(*options, *resume) as process:
                        journal = self.folder / "C.npy.kinjo-journal"
                        before = journal.stat().st_size if resume else 0
                        while process.poll() is None:
                            if journal.exists() and journal.stat().st_size > max(before, 400):
                                break
                            time.sleep(0.002)
                        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
                        process.terminate()
                        process.communicate(timeout=20)
                    self.assertEqual(process.returncode, 128 + signal.SIGTERM)
                    self.assertLessEqual(int(status.split("VmHWM:")[1].split()[0]) * 1024, limit)
                for name in ("C.npy.kinjo-part", "C.npy.kinjo-journal"):
                    os.unlink(self.path(name))

    def limited_group(self, limit):
        """What puts a process into a group of that memory limit, and the file of the group's peak."""
        made = control_group()
        if made is None:
            self.skipTest("no control group with a memory limit can be made here")
        group, limit_name, peak_name = made
        self.addCleanup(group.rmdir)
        (group / limit_name).write_text(str(limit))
        return lambda: (group / "cgroup.procs").write_text("0"), group / peak_name

    @needs_the_memory_of_kinjo_alone
    def test_memory_stays_below_the_limit_of_a_control_group(self):
        limit = 100 * MIB
        join, peak = self.limited_group(limit)
        a, b = self.save("A.npy", (2900, 2900)), self.save("B.npy", (2900, 2900))  # 4 × 48 MiB
        for extra in ((), ("--io", "cached")):
            with self.subTest(extra):
                result = self.multiply("--verify", "--format", "json", *extra, preexec_fn=join)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertLessEqual(json.loads(result.stdout)["memory_bytes"], limit)
                self.assertLessEqual(int(peak.read_text()), limit)
        np.testing.assert_allclose(np.load(self.path("C.npy")), a @ b, rtol=1e-9, atol=1e-9)

    def check_peak(self, join, peak, *options):
        """Runs in a group: all that it had there, page cache included, is no more than was planned."""
        with contextlib.suppress(OSError):
            (peak.parent / "memory.force_empty").write_text("0")  # version 1 has it
        try:
            peak.write_text("0")
        except OSError:
            self.skipTest("the peak of a control group cannot be set back here")
        result = self.multiply("--format", "json", *options, preexec_fn=join)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertLessEqual(int(peak.read_text()), json.loads(result.stdout)["memory_bytes"])

    @needs_the_memory_of_kinjo_alone
    def test_panels_that_are_cut_along_the_lines_of_c_stay_below_the_limit_with_their_page_cache(self):
        # All in a group whose limit nobody reaches: nothing but kinjo drops pages there.
        join, peak = self.limited_group(1 << 40)
        self.save("A.npy", (3001, 3))
        self.save("B.npy", (3, 4001))
        for options in (("--plan", "R(m=500)/R(n=500)/V(m)/V(n)"), ("--plan", "R(n=300)/R(m=1000)/V(m)/V(n)"),
                        ("--plan", "R(m=300)/R(n=1000)/N/S", "--order", "F"),
                        ("--plan", "R(m=500)/R(n=500)/V(m)/V(n)", "--io", "cached")):
            with self.subTest(options):
                options = ("--threads", "1", *options)
                least = self.refused("--memory-limit", "1M", *options).split("expected at least ")[1]
                self.check_peak(join, peak, "--memory-limit", least, *options)

    @needs_the_memory_of_kinjo_alone
    def test_the_limit_covers_every_thread(self):
        join, peak = self.limited_group(1 << 40)
        self.save("A.npy", (1024, 1024))
        self.save("B.npy", (1024, 1024))
        for threads in (200, 600):
            with self.subTest(threads=threads):
                options = ("--threads", str(threads), "--oversubscribe")
                least = self.refused("--memory-limit", "1M", *options).split("expected at least ")[1]
                self.check_peak(join, peak, "--memory-limit", least, *options)

    def peak_and_planned(self, *arguments):
        """The most memory that a run has, and what it says that it plans."""
        with self.start("--format", "json", *arguments) as process:
            peak = 0
            while process.poll() is None:
                time.sleep(0.005)
                status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
                if status.startswith("Name:\tkinjo\n") and "VmHWM" in status:
                    peak = int(status.split("VmHWM:")[1].split()[0]) * 1024
            stdout, stderr = process.communicate()
        self.assertEqual(process.returncode, 0, stderr)
        return peak, json.loads(stdout)["memory_bytes"]

    @needs_the_memory_of_kinjo_alone
    def test_a_limit_above_that_of_the_control_group_is_told(self):
        join, _ = self.limited_group(64 * MIB)
        self.save("A.npy", (2900, 2900))
        self.save("B.npy", (2900, 2900))
        result = self.multiply("--memory-limit", "2G", preexec_fn=join)
        self.assertIn(result.returncode, (0, -signal.SIGKILL))
        self.assertRegex(result.stderr, r"\nkinjo: gemm: only [\d.]+ MiB of memory are available \(a control "
                                        r"group's limit, or other programs\): the system may end this run "
                                        r"without a word; a --memory-limit below that avoids it\n")

    @needs_the_memory_of_kinjo_alone
    def test_resident_memory_stays_below_the_limit_that_is_given(self):
        self.save("A.npy", (3000, 3000))
        self.save("B.npy", (3000, 3000))
        peak, planned = self.peak_and_planned("--memory-limit", "100M")
        self.assertGreater(peak, planned // 2)
        self.assertLessEqual(peak, planned)
        self.assertLessEqual(planned, 100 * MIB)

    @needs_the_memory_of_kinjo_alone
    def test_finding_how_long_it_will_take_stays_below_the_least_limit(self):
        self.save("A.npy", (1000000, 4))
        self.save("B.npy", (4, 4))
        least = self.refused("--memory-limit", "1M").split("expected at least ")[1]
        peak, planned = self.peak_and_planned("--memory-limit", least)
        self.assertTrue(5 * MIB < peak <= planned, (peak, planned))

    @needs_the_memory_of_kinjo_alone
    def test_a_verification_of_long_matrices_stays_below_the_limit(self):
        length = 1000000
        for m, k, n in ((length, 4, 4), (4, length, 4), (4, 4, length)):
            with self.subTest(m=m, k=k, n=n):
                self.save("A.npy", (m, k))
                self.save("B.npy", (k, n))
                peak, _ = self.peak_and_planned("--memory-limit", "26M", "--verify")
                self.assertLessEqual(peak, 26 * MIB)


if __name__ == "__main__":
    unittest.main()
