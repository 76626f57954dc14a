"""`kinjo gemm A.npy B.npy -o C.npy`: products of matrices that NumPy wrote, within a limit of memory."""

import contextlib
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from kinjo_program import KINJO, FolderTest, clean_environment, kinjo  # noqa: E402
from with_numpy import np  # noqa: E402

MIB = 1 << 20
SMALL_STEPS = "R(m=64)/R(k=64)/N/C/P//S" if len(os.sched_getaffinity(0)) > 1 else "R(m=64)/R(k=64)/N/C/S"


def control_group():
    """A new group of the memory controller below our own: its directory and the name of its limit and
    of its peak; None where there can be none."""
    for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        for base, names in ((f"/sys/fs/cgroup/memory{path}", ("memory.limit_in_bytes",
                                                              "memory.max_usage_in_bytes")),
                            (f"/sys/fs/cgroup{path}", ("memory.max", "memory.peak"))):
            if ("memory" in controllers.split(",")) != base.startswith("/sys/fs/cgroup/memory/"):
                continue
            group = pathlib.Path(base) / f"kinjo-test-{os.getpid()}"
            with contextlib.suppress(OSError):
                group.mkdir()
                if all((group / name).exists() for name in names):
                    return group, *names
                group.rmdir()
    return None


def needs_the_memory_of_kinjo_alone(test):
    return unittest.skipIf("KINJO_SANITIZED" in os.environ,
                           "a sanitizer takes memory of its own")(test)


class GemmFiles(FolderTest):
    PLACE = os.environ.get("KINJO_BUILD")  # a disk, where /tmp may be memory

    def setUp(self):
        super().setUp()
        self.random = np.random.default_rng(1)

    def save(self, name, shape, dtype="f8", order="C", version=None):
        matrix = np.asarray(self.random.standard_normal(shape), dtype=dtype, order=order)
        with open(self.path(name), "wb") as file:
            np.lib.format.write_array(file, matrix, version=version)
        return matrix

    def multiply(self, *arguments, **options):
        return kinjo("gemm", self.path("A.npy"), self.path("B.npy"), "-o", self.path("C.npy"),
                     *arguments, **options)

    def refused(self, *arguments, **options):
        """The last line of a run that is refused, with the directory left out."""
        result = self.multiply(*arguments, **options)
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        return result.stderr.splitlines()[-1].replace(str(self.folder) + "/", "")

    def names(self):
        return sorted(os.listdir(self.folder))

    def check_product(self, a, b, *arguments):
        result = self.multiply(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        c = np.load(self.path("C.npy"))
        wide_a, wide_b = a.astype("f8"), b.astype("f8")
        # Once for kinjo and once for NumPy.
        bound = (a.shape[1] + 2) * np.finfo(a.dtype).eps * (abs(wide_a) @ abs(wide_b))
        self.assertEqual((c.dtype, c.shape), (a.dtype, (a.shape[0], b.shape[1])))
        self.assertTrue((abs(c - wide_a @ wide_b) <= bound).all())
        self.assertEqual(self.names(), ["A.npy", "B.npy", "C.npy"])
        return c

    def test_every_type_order_and_transposition_comes_out_within_its_bound(self):
        for dtype in ("f4", "f8"):
            for order_a, order_b, order in (("C", "C", "C"), ("C", "F", "F"), ("F", "C", "C"),
                                            ("F", "F", "F")):
                for transposed in ((), ("--transpose-a",), ("--transpose-b",)):
                    with self.subTest(dtype=dtype, orders=(order_a, order_b, order), t=transposed):
                        a = self.save("A.npy", (90, 201)[::-1 if "--transpose-a" in transposed else 1],
                                      dtype, order_a)
                        b = self.save("B.npy", (201, 77)[::-1 if "--transpose-b" in transposed else 1],
                                      dtype, order_b)
                        c = self.check_product(a.T if "--transpose-a" in transposed else a,
                                               b.T if "--transpose-b" in transposed else b,
                                               "--order", order, "--verify", *transposed)
                        self.assertTrue(c.flags["F_CONTIGUOUS" if order == "F" else "C_CONTIGUOUS"])

    def test_every_cut_gives_the_product(self):
        a, b = self.save("A.npy", (333, 400), version=(2, 0)), self.save("B.npy", (400, 555),
                                                                         version=(3, 0))
        for storage in ("R(m=100)", "R(n=100)", "R(k=100)", "R(m=100)/R(k=77)", "R(n=300)/R(k=128)",
                        "R(m=64)/R(n=64)/R(k=64)", "R(n=100)/R(m=200)/R(k=399)"):
            for extra in ((), ("--no-touch",), ("--io", "cached")):
                with self.subTest(storage=storage, extra=extra):
                    self.check_product(a, b, "--plan", f"{storage}/N/C/S", "--threads", "1", *extra)

    def test_empty_dimensions_are_products_too(self):
        for m, k, n in ((0, 3, 4), (3, 0, 4), (3, 4, 0)):
            with self.subTest(m=m, k=k, n=n):
                a, b = self.save("A.npy", (m, k)), self.save("B.npy", (k, n))
                self.check_product(a, b, "--verify")

    def test_sizes_that_no_file_can_have_are_refused(self):
        def save_header(name, shape):
            with open(self.path(name), "wb") as file:
                np.lib.format.write_array_header_1_0(
                    file, {"descr": "<f8", "fortran_order": False, "shape": shape})

        for n in (2**60, 2**62, 2**63 - 1):
            with self.subTest(n=n):
                save_header("A.npy", (0, 0))
                save_header("B.npy", (0, n))
                self.assertEqual(self.refused(),
                                 "kinjo: cannot read 'B.npy': its shape exceeds the size of a file")
        save_header("A.npy", (2**40, 0))
        save_header("B.npy", (0, 2**40))
        self.assertEqual(self.refused(),
                         "kinjo: 'C.npy': the product of A.npy and B.npy is 1099511627776 × 1099511627776: "
                         "expected at most the 9223372036854775807 bytes of a file")
        self.assertEqual(self.names(), ["A.npy", "B.npy"])
        for a, b in (((0, 0), (0, 2**59)), ((0, 2**50), (2**50, 0)), ((2**59, 0), (0, 0))):
            for plan in ((), ("--plan", "R(m=1)/R(n=1)/N/S")):
                with self.subTest(a=a, b=b, plan=plan):
                    save_header("A.npy", a)
                    save_header("B.npy", b)
                    result = self.multiply("--verify", *plan)
                    self.assertEqual(result.returncode, 0, result.stderr)
                    self.assertEqual(np.load(self.path("C.npy")).shape, (a[0], b[1]))

    def test_alpha_zero_counts_no_factor_also_when_it_is_verified(self):
        a, b = self.save("A.npy", (70, 80)), self.save("B.npy", (80, 90))
        a[0, 0] = np.nan
        b[3, 4] = -np.inf
        np.save(self.path("A.npy"), a)
        np.save(self.path("B.npy"), b)
        result = self.multiply("--alpha", "0", "--verify")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertFalse(np.load(self.path("C.npy")).any())

    def test_what_exceeds_the_type_is_infinite_and_verified(self):
        for dtype, large in (("f4", 1e30), ("f8", 1e200)):
            np.save(self.path("A.npy"), np.full((70, 80), large, dtype))
            np.save(self.path("B.npy"), np.full((80, 90), -large, dtype))
            result = self.multiply("--verify")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertTrue((np.load(self.path("C.npy")) == -np.inf).all())

    def test_words_that_are_no_numbers_are_refused_with_what_is_accepted(self):
        self.save("A.npy", (3, 4))
        self.save("B.npy", (4, 5))
        for alpha in ("", "abc", "1,5", "2x", "1e400"):
            with self.subTest(alpha=alpha):
                self.assertEqual(self.refused("--alpha", alpha),
                                 f"kinjo: --alpha: '{alpha}': expected a number, such as 2.5")
        self.assertEqual(self.refused("--memory-limit", ""),
                         "kinjo: --memory-limit: '': expected bytes, such as 512M or 2G")
        self.assertEqual(self.names(), ["A.npy", "B.npy"])
        self.assertEqual(self.multiply("--alpha", "+2").returncode, 0)

    def test_alpha_and_not_numbers(self):
        a, b = self.save("A.npy", (70, 80)), self.save("B.npy", (80, 90))
        self.assertEqual(self.multiply("--alpha", "-2.5").returncode, 0)
        np.testing.assert_allclose(np.load(self.path("C.npy")), -2.5 * (a @ b), rtol=1e-10)
        a[3, 5] = np.nan
        b[7, 2] = np.inf
        np.save(self.path("A.npy"), a)
        np.save(self.path("B.npy"), b)
        self.assertEqual(self.multiply("--verify").returncode, 0)
        np.testing.assert_array_equal(np.isnan(np.load(self.path("C.npy"))), np.isnan(a @ b))

    def test_it_says_first_what_it_needs_and_then_what_it_did(self):
        self.save("A.npy", (300, 200))
        self.save("B.npy", (200, 100))
        result = self.multiply("--threads", "1", "--memory-limit", "100M", "--verify")
        first, second = result.stderr.splitlines()
        self.assertRegex(first, r"^kinjo: gemm: 300 × 200 × 100 of float64 by .*V")
        self.assertRegex(second, r"^kinjo: gemm: up to [\d.]+ MiB of memory \(limit 100 MiB\), reads "
                                 r"625 KiB and writes 234 KiB in \d+ steps?: about \d+ s$")
        self.assertRegex(result.stdout, r"GFLOP/s by elapsed time, [\d.]+ by CPU time, 1 thread\n")
        self.assertRegex(result.stdout, r"verified: 300 of 300 rows, .* and 64 elements")
        shown = json.loads(self.multiply("--format", "json", "--verify").stdout)
        self.assertEqual(shown["schema"], "kinjo-gemm-files/1")
        self.assertEqual((shown["m"], shown["k"], shown["n"], shown["verified"]), (300, 200, 100, True))
        self.assertEqual((shown["read_bytes"], shown["written_bytes"]), (640000, 240000))

    def test_the_example_of_the_help_and_of_the_page_runs(self):
        a, b = self.save("A.npy", (40, 50)), self.save("B.npy", (50, 60))
        example = self.output("gemm", "--help").split("Example: kinjo ")[1].split()
        page = pathlib.Path(__file__).resolve().parents[2] / "docs" / "gemm_files.md"
        self.assertIn(f"$ kinjo {' '.join(example)}\n", page.read_text())
        self.assertEqual(kinjo(*example, cwd=self.folder).returncode, 0)
        np.testing.assert_allclose(np.load(self.path("C.npy")), a @ b, rtol=1e-9)

    def test_bad_input_is_refused_in_one_line_and_nothing_is_written(self):
        self.save("A.npy", (30, 20))
        self.save("B.npy", (21, 10))
        self.assertEqual(self.refused(), "kinjo: 'A.npy' is 30 × 20 and 'B.npy' is 21 × 10: expected as "
                                         "many columns as rows")
        self.save("B.npy", (20, 10), "f4")
        self.assertEqual(self.refused(), "kinjo: 'A.npy' is float64 and 'B.npy' is float32: expected the "
                                         "same type")
        for dtype in (">f8", "i8", "c16"):
            self.save("B.npy", (20, 10), dtype)
            self.assertEqual(self.refused(), f"kinjo: cannot read 'B.npy': its elements are "
                                             f"'{np.dtype(dtype).str}': expected float32 or float64, "
                                             f"little-endian ('<f4' or '<f8')")
        self.save("B.npy", (20, 10))
        os.truncate(self.path("B.npy"), 1000)
        self.assertEqual(self.refused(),
                         "kinjo: cannot read 'B.npy': it has 1000 bytes: its header says 1728")
        self.save("B.npy", (20,))
        self.assertEqual(self.refused(),
                         "kinjo: cannot read 'B.npy': it has shape (20): expected two dimensions")
        os.unlink(self.path("B.npy"))
        self.assertEqual(self.refused(), "kinjo: cannot read 'B.npy': No such file or directory")
        self.save("B.npy", (20, 10))
        self.assertRegex(self.refused("--memory-limit", "10M"),
                         r"^kinjo: a memory limit of 10 MiB is too small: expected at least [\d.]+ MiB$")
        self.assertEqual(self.refused("--memory-limit", "much"),
                         "kinjo: 'much' as a memory limit: expected bytes, such as 512M or 2G")
        self.assertRegex(self.refused("--plan", "R(k=5)/R(m=5)/N/S"),
                         r"R\(k=5\): expected no R inside of R\(k\): a panel of C is written once, when "
                         r"it is finished$")
        self.assertRegex(self.refused("--plan", "Q"), r"expected a loop: R, N, M, S, C, P or V$")
        self.assertEqual(self.names(), ["A.npy", "B.npy"])

    def test_the_least_limit_that_is_stated_is_enough(self):
        self.save("A.npy", (700, 600))
        self.save("B.npy", (600, 500))
        least = self.refused("--memory-limit", "1M").split()[-2]
        self.assertEqual(self.multiply("--memory-limit", f"{float(least) + 0.1}M").returncode, 0)

    def test_output_that_cannot_be_written_is_refused_before_the_work(self):
        self.save("A.npy", (300, 200))
        self.save("B.npy", (200, 300))
        np.save(self.path("C.npy"), np.ones(3))
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))  # noqa: E731
        self.assertEqual(self.refused(preexec_fn=limit),
                         "kinjo: cannot write 'C.npy': File too large; nothing is kept")
        self.assertEqual(np.load(self.path("C.npy")).tolist(), [1, 1, 1])
        self.assertEqual(self.names(), ["A.npy", "B.npy", "C.npy"])
        os.unlink(self.path("C.npy"))
        os.mkdir(self.path("C.npy"))
        self.assertEqual(self.refused(), "kinjo: cannot write 'C.npy': Is a directory")

    def test_a_full_disk_is_told_and_nothing_is_left_on_it(self):
        disk = self.folder / "disk"
        disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "none", disk],
                                 capture_output=True)
        if mounted.returncode != 0:
            self.skipTest("cannot mount a small file system: " + mounted.stderr.decode().strip())
        self.addCleanup(subprocess.run, ["umount", disk])
        self.save("A.npy", (300, 200))
        self.save("B.npy", (200, 300))
        result = kinjo("gemm", self.path("A.npy"), self.path("B.npy"), "-o", str(disk / "C.npy"))
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stderr.splitlines()[-1],
                         f"kinjo: cannot write '{disk}/C.npy': No space left on device; nothing is kept")
        self.assertEqual(os.listdir(disk), [])

    def start(self, *arguments):
        return subprocess.Popen([KINJO, "gemm", self.path("A.npy"), self.path("B.npy"), "-o",
                                 self.path("C.npy"), *arguments], env=clean_environment(), text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def interrupt(self, number):
        """Ends a run by a signal when its first panel is recorded; its status and last line."""
        with self.start("--plan", SMALL_STEPS, "--no-touch") as process:
            journal = self.folder / "C.npy.kinjo-journal"
            while process.poll() is None:
                if journal.exists() and "panel 0" in journal.read_text():
                    process.send_signal(number)
                    break
                time.sleep(0.002)
            _, stderr = process.communicate(timeout=100)
        return process.returncode, stderr.splitlines()[-1]

    def test_what_is_finished_when_a_signal_comes_is_kept_and_gone_on_with(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            with self.subTest(number):
                a, b = self.save("A.npy", (6000, 300)), self.save("B.npy", (300, 600))
                status, line = self.interrupt(number)
                if number == signal.SIGKILL:
                    self.assertEqual(status, -number)
                else:
                    self.assertEqual(status, 128 + number)
                    self.assertRegex(line, r"^kinjo: interrupted after \d+ of 94 panels of the product; "
                                           r"go on by --resume: '.*/C.npy.kinjo-part' and its journal "
                                           r"are kept$")
                self.assertEqual(self.names(), ["A.npy", "B.npy", "C.npy.kinjo-journal",
                                                "C.npy.kinjo-part"])
                self.assertRegex(self.refused(), r"an interrupted run left 'C.npy.kinjo-part': go on "
                                                 r"with it by --resume, or delete it and its journal")
                self.assertRegex(self.refused("--resume", "--alpha", "2"),
                                 r"^kinjo: cannot resume: alpha was: 1; it is: 2$")
                self.assertRegex(self.refused("--resume", "--plan", "R(m=128)/N/S"),
                                 r"^kinjo: cannot resume: plan was: R\(m=64\)/.*; it is: R\(m=128\)/")
                self.check_product(a, b, "--resume", "--verify")
                os.unlink(self.path("C.npy"))

    def test_inputs_that_changed_are_not_gone_on_with(self):
        self.save("A.npy", (6000, 300))
        self.save("B.npy", (300, 600))
        self.interrupt(signal.SIGINT)
        self.save("B.npy", (300, 600))
        self.assertRegex(self.refused("--resume"), r"^kinjo: cannot resume: B was: 1440128 bytes, modified "
                                                   r".*; it is: 1440128 bytes, modified ")
        os.unlink(self.path("C.npy.kinjo-part"))
        self.assertEqual(self.refused("--resume"),
                         "kinjo: nothing to resume: expected 'C.npy.kinjo-part' and "
                         "'C.npy.kinjo-journal' of an interrupted run")

    def test_input_cut_off_while_it_is_read_ends_cleanly(self):
        self.save("A.npy", (6000, 300))
        self.save("B.npy", (300, 600))
        with self.start("--plan", SMALL_STEPS, "--no-touch") as process:
            while process.poll() is None and not os.path.exists(self.path("C.npy.kinjo-part")):
                time.sleep(0.002)
            os.truncate(self.path("A.npy"), 1000000)
            _, stderr = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 2)
        self.assertRegex(stderr.splitlines()[-1],
                         r"^kinjo: cannot read '.*A.npy': it ended at byte 1000000 while it was read: "
                         r"expected 14400128 bytes; ")

    @needs_the_memory_of_kinjo_alone
    def test_memory_stays_below_the_limit_of_a_control_group(self):
        made = control_group()
        if made is None:
            self.skipTest("no control group with a memory limit can be made here")
        group, limit_name, peak_name = made
        self.addCleanup(group.rmdir)
        limit = 100 * MIB
        (group / limit_name).write_text(str(limit))
        a, b = self.save("A.npy", (2900, 2900)), self.save("B.npy", (2900, 2900))  # 4 × 48 MiB
        join = lambda: (group / "cgroup.procs").write_text("0")  # noqa: E731
        for extra in ((), ("--io", "cached")):
            with self.subTest(extra):
                result = self.multiply("--verify", "--format", "json", *extra, preexec_fn=join)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertLessEqual(json.loads(result.stdout)["memory_bytes"], limit)
                self.assertLessEqual(int((group / peak_name).read_text()), limit)
        np.testing.assert_allclose(np.load(self.path("C.npy")), a @ b, rtol=1e-9, atol=1e-9)

    @needs_the_memory_of_kinjo_alone
    def test_resident_memory_stays_below_the_limit_that_is_given(self):
        self.save("A.npy", (3000, 3000))
        self.save("B.npy", (3000, 3000))
        with self.start("--memory-limit", "100M", "--format", "json") as process:
            peak = 0
            while process.poll() is None:
                time.sleep(0.005)
                status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
                if status.startswith("Name:\tkinjo\n") and "VmHWM" in status:
                    peak = int(status.split("VmHWM:")[1].split()[0]) * 1024
            planned = json.loads(process.communicate()[0])["memory_bytes"]
        self.assertEqual(process.returncode, 0)
        self.assertGreater(peak, planned // 2)
        self.assertLessEqual(peak, planned)
        self.assertLessEqual(planned, 100 * MIB)


if __name__ == "__main__":
    unittest.main()
