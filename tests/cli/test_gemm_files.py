"""`kinjo gemm A.npy B.npy -o C.npy`: products of matrices that NumPy wrote, within a limit of memory."""

import contextlib
import csv
import io
import json
import os
import pathlib
import pty
import re
import resource
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from gemm_files import SMALL_STEPS, GemmFilesTest  # noqa: E402
from kinjo_program import kinjo, read_terminal  # noqa: E402
from with_numpy import np  # noqa: E402


class GemmFiles(GemmFilesTest):
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

    def test_products_that_underflow_are_verified(self):
        for dtype, scale, alphas in (("f8", 1e-160, ("1e-320",)), ("f4", 1e-21, ("1e-60", "1e-44"))):
            a, b = self.save("A.npy", (70, 80), dtype), self.save("B.npy", (80, 90), dtype)
            for alpha in alphas:
                with self.subTest(dtype=dtype, alpha=alpha):
                    result = self.multiply("--alpha", alpha, "--verify")
                    self.assertEqual(result.returncode, 0, result.stderr)
            np.save(self.path("A.npy"), a * np.dtype(dtype).type(scale))
            np.save(self.path("B.npy"), b * np.dtype(dtype).type(scale))
            with self.subTest(dtype=dtype, scale=scale):
                result = self.multiply("--verify")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn("verified: 70 of 70 rows, ", result.stdout)
                self.assertTrue(np.load(self.path("C.npy")).any())

    def spoil_part(self, row, column):
        """Ends a run when its first panels are recorded, and writes 5 to an element of one."""
        self.interrupt(signal.SIGINT)
        part = np.lib.format.open_memmap(self.path("C.npy.kinjo-part"), mode="r+")
        part[row, column] = 5
        part.flush()

    def test_numbers_that_are_not_finite_hide_nothing_else(self):
        for special in (np.nan, np.inf):
            with self.subTest(special):
                self.save("A.npy", (6000, 300))
                b = self.save("B.npy", (300, 600))
                b[3, 4] = special
                np.save(self.path("B.npy"), b)
                self.spoil_part(11, 13)
                result = self.multiply("--resume", "--verify")
                self.assertEqual(result.returncode, 1)
                self.assertRegex(result.stderr.splitlines()[-1],
                                 r"^kinjo: verification failed: row 11 of the product times a random vector "
                                 r"differs by .*; '.*/C.npy' is left as it was, and the product in "
                                 r"'.*/C.npy.kinjo-part'$")
                self.assertEqual(self.names(), ["A.npy", "B.npy", "C.npy.kinjo-journal",
                                                "C.npy.kinjo-part"])
                os.unlink(self.path("C.npy.kinjo-journal"))
                os.unlink(self.path("C.npy.kinjo-part"))

    def test_it_says_how_much_of_a_product_could_be_tested(self):
        a, b = self.save("A.npy", (70, 80)), self.save("B.npy", (80, 90))
        result = self.multiply("--alpha", "inf", "--verify")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("\n  not verified: 0 of 70 rows and 90 of 90 columns could be tested, as the rest is "
                      "not finite\n", result.stdout)
        a[1, 2] = b[3, 4] = -np.inf
        np.save(self.path("A.npy"), a)
        np.save(self.path("B.npy"), b)
        self.assertIn("\n  verified: 69 of 70 rows but for 1 of 90 columns, off by ",
                      self.multiply("--verify").stdout)
        shown = json.loads(self.multiply("--verify", "--format", "json").stdout)
        self.assertEqual((shown["verified"], shown["rows_tested"], shown["columns_tested"]),
                         (True, 69, 89))
        shown = json.loads(self.multiply("--alpha=-inf", "--verify", "--format", "json").stdout)
        self.assertEqual((shown["verified"], shown["rows_tested"]), (False, 0))

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
        self.assertRegex(first, r"^kinjo: gemm: 300 × 100 × 200 of float64 by .*V")
        self.assertRegex(second, r"^kinjo: gemm: up to [\d.]+ MiB of memory \(limit 100 MiB\), reads "
                                 r"625 KiB and writes 234 KiB in \d+ steps?: about \d+ s$")
        self.assertRegex(result.stdout, r"GFLOP/s by elapsed time, [\d.]+ by CPU time, 1 thread\n")
        self.assertRegex(result.stdout, r"verified: 300 of 300 rows, .* and 456 elements")
        shown = json.loads(self.multiply("--format", "json", "--verify").stdout)
        self.assertEqual(shown["schema"], "kinjo-gemm-files/1")
        self.assertEqual((shown["m"], shown["k"], shown["n"], shown["verified"]), (300, 200, 100, True))
        for name, elements in (("read_bytes", 640000), ("written_bytes", 240000)):
            self.assertEqual(shown[name] % 4096, 0, "blocks are what moves")
            self.assertTrue(elements <= shown[name] <= 1.2 * elements, shown[name])
        row, = csv.DictReader(io.StringIO(self.multiply("--format", "csv").stdout))
        self.assertEqual([row[name] for name in ("m", "type", "read_bytes", "plan")],
                         ["300", "float64", str(shown["read_bytes"]), shown["plan"]])
        # Whole numbers, as those of what was done are.
        self.assertEqual((shown["planned_read_bytes"], type(shown["planned_read_bytes"])), (640000, int))
        self.assertEqual(type(shown["planned_runs"]), int)

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

    def test_an_output_that_cannot_be_is_refused_before_anything_is_measured(self):
        self.save("A.npy", (30, 20))
        self.save("B.npy", (20, 30))
        for output, fault in (("absent/C.npy", "No such file or directory"),
                              ("A.npy/x", "Not a directory")):
            with self.subTest(output):
                result = kinjo("gemm", self.path("A.npy"), self.path("B.npy"), "-o", self.path(output))
                self.assertEqual(result.returncode, 2)
                self.assertEqual(result.stderr, f"kinjo: cannot write '{self.path(output)}': {fault}\n")
        (self.folder / "C.npy.kinjo-part").touch()
        result = self.multiply()
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stderr.replace(str(self.folder) + "/", ""),
                         "kinjo: cannot write 'C.npy': an interrupted run left 'C.npy.kinjo-part': there is "
                         "nothing to go on with: delete it\n")

    def test_the_product_is_as_open_to_others_as_the_file_that_it_replaces(self):
        self.save("A.npy", (30, 20))
        self.save("B.npy", (20, 30))
        for mode in (0o600, 0o640, 0o664):
            with self.subTest(oct(mode)):
                np.save(self.path("C.npy"), np.ones(3))
                os.chmod(self.path("C.npy"), mode)
                self.assertEqual(self.multiply().returncode, 0)
                self.assertEqual(os.stat(self.path("C.npy")).st_mode & 0o7777, mode)

    def test_one_number_of_threads_is_for_files_or_all(self):
        self.save("A.npy", (30, 20))
        self.save("B.npy", (20, 30))
        result = self.multiply("--threads", "all", "--format", "json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(json.loads(result.stdout)["threads"], len(os.sched_getaffinity(0)))
        self.assertEqual(self.refused("--threads", "1,2"),
                         "kinjo: several numbers of threads, '1,2': expected one, or all, for matrices in files")

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

    def test_what_is_finished_when_a_signal_comes_is_kept_and_gone_on_with(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
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
                                 r"^kinjo: cannot resume 'C.npy': alpha was: 1; it is: 2; to begin anew delete "
                                 r"'C.npy.kinjo-part' and its journal$")
                self.assertRegex(self.refused("--resume", "--order", "F"),
                                 r"^kinjo: cannot resume 'C.npy': C was: 6000 × 600 in C order; it is: 6000 × 600 in "
                                 r"Fortran order; to begin anew ")
                self.assertRegex(self.refused("--resume", "--plan", "R(m=128)/N/S"),
                                 r"^kinjo: cannot resume 'C.npy': plan was: R\(m=64\)/.*; it is: R\(m=128\)/")
                self.check_product(a, b, "--resume", "--verify")
                os.unlink(self.path("C.npy"))

    def test_a_signal_ends_a_verification_and_the_product_is_kept(self):
        a, b = self.save("A.npy", (4000, 64)), self.save("B.npy", (64, 4000))
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number), self.start("--plan", SMALL_STEPS, "--verify") as process:
                self.wait_for_panel(process, "panel 62")  # the last one
                process.send_signal(number)
                _, stderr = process.communicate(timeout=100)
                self.assertEqual(process.returncode, 128 + number, stderr)
                self.assertRegex(stderr.splitlines()[-1],
                                 r"^kinjo: interrupted while the product was verified; go on by --resume: "
                                 r"'.*/C.npy.kinjo-part' and its journal are kept$")
                self.check_product(a, b, "--resume", "--verify")
                os.unlink(self.path("C.npy"))

    def test_the_rest_of_an_interrupted_run_is_timed_by_itself(self):
        self.save("A.npy", (6000, 300))
        self.save("B.npy", (300, 600))
        self.interrupt(signal.SIGINT)
        done = (self.folder / "C.npy.kinjo-journal").read_text().count("panel")
        terminal, device = pty.openpty()
        with self.start("--resume", stderr=device) as process:
            os.close(device)
            drawn = read_terminal(terminal)
        self.assertEqual(process.returncode, 0)
        steps = 94 * 5
        # What was done before says nothing about the time that is left.
        self.assertIn(f"\r\x1b[K[{'.' * 30}] {5 * done}/{steps}  steps\r", drawn)
        self.assertIn(f"\r\x1b[K[{'#' * 30}] {steps}/{steps}, 0 s left  steps\r", drawn)

    def test_a_run_that_goes_on_is_not_taken_for_an_interrupted_one(self):
        self.save("A.npy", (6000, 300))
        self.save("B.npy", (300, 600))
        with self.start("--plan", SMALL_STEPS, "--no-touch") as process:
            self.wait_for_panel(process)
            process.send_signal(signal.SIGSTOP)
            for extra in ((), ("--resume",)):
                with self.subTest(extra):
                    self.assertEqual(self.refused(*extra),
                                     "kinjo: cannot write 'C.npy': another kinjo is writing it")
            process.send_signal(signal.SIGCONT)
            process.communicate(timeout=100)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(self.names(), ["A.npy", "B.npy", "C.npy"])

    def test_other_vector_instructions_do_not_go_on(self):
        self.save("A.npy", (6000, 300))
        self.save("B.npy", (300, 600))
        self.interrupt(signal.SIGINT)
        level = re.search(r"^simd: (\w+)$", (self.folder / "C.npy.kinjo-journal").read_text(), re.M)[1]
        if level == "scalar":
            self.skipTest("there are no vector instructions here")
        self.assertEqual(self.refused("--resume", env={"KINJO_SIMD": "scalar"}),
                         f"kinjo: cannot resume: the interrupted run computed with {level} and this one would "
                         f"with scalar, which gives other bits: expected KINJO_SIMD={level}")
        self.assertEqual(self.multiply("--resume").returncode, 0)

    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "one CPU")
    def test_a_run_of_more_threads_says_how_many_it_needs_to_go_on(self):
        self.save("A.npy", (6000, 300))
        self.save("B.npy", (300, 600))
        self.interrupt(signal.SIGINT)
        self.assertEqual(self.refused("--resume", "--threads", "1"),
                         "kinjo: cannot resume: the plan of the interrupted run has 2 tasks: expected --threads 2")

    def stopped(self, change):
        """The last line of a run under which somebody changes something when a panel is recorded."""
        self.save("A.npy", (6000, 300))
        self.save("B.npy", (300, 600))
        with self.start("--plan", SMALL_STEPS, "--no-touch") as process:
            self.wait_for_panel(process)
            change()
            _, stderr = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 2)
        return stderr.splitlines()[-1].replace(str(self.folder) + "/", "")

    def test_what_is_kept_is_told_as_it_is(self):
        part = self.path("C.npy.kinjo-part")
        self.assertEqual(self.stopped(lambda: os.unlink(part)),
                         "kinjo: cannot write 'C.npy': 'C.npy.kinjo-part' is not the file that this run wrote; "
                         "nothing is kept, since somebody removed, replaced or cut off 'C.npy.kinjo-part'")
        self.assertEqual(self.names(), ["A.npy", "B.npy"])
        # What is written behind its end makes it as long as before, with zeros in between.
        self.assertRegex(self.stopped(lambda: os.truncate(part, 1000)),
                         "^kinjo: cannot write 'C.npy': 'C.npy.kinjo-part' has [0-9]+ bytes: expected [0-9]+; nothing "
                         "is kept, since somebody removed, replaced or cut off 'C.npy.kinjo-part'$")
        self.assertEqual(self.names(), ["A.npy", "B.npy"])
        self.save("D.npy", (2, 2))
        self.assertRegex(self.stopped(lambda: os.replace(self.path("D.npy"), part)),
                         "^kinjo: cannot write 'C.npy': 'C.npy.kinjo-part' is not the file that this run wrote; ")
        self.assertEqual(self.names(), ["A.npy", "B.npy", "C.npy.kinjo-part"])
        os.unlink(part)
        self.assertEqual(self.stopped(lambda: os.utime(self.path("A.npy"))),
                         "kinjo: cannot read 'A.npy': it was changed while it was read; the inputs changed, so "
                         "that nothing can go on: delete 'C.npy.kinjo-part' and its journal")
        self.assertEqual(self.refused(),
                         "kinjo: cannot write 'C.npy': an interrupted run left 'C.npy.kinjo-part': go on with "
                         "it by --resume, or delete it and its journal")

    def test_a_product_of_nothing_moves_nothing(self):
        for (m, k, n), written in (((0, 3, 4), "0 B"), ((3, 0, 4), "96 B"), ((3, 4, 0), "0 B")):
            self.save("A.npy", (m, k))
            self.save("B.npy", (k, n))
            self.assertRegex(self.multiply().stderr.splitlines()[1],
                             rf", reads 0 B and writes {written} in 1 step: about 0 s$")

    def test_a_plan_of_nothing_is_refused(self):
        self.save("A.npy", (3, 4))
        self.save("B.npy", (4, 5))
        self.assertEqual(self.refused("--plan", ""),
                         "kinjo: plan '', character 1: expected a loop: R, N, M, S, C, P or V")

    def test_inputs_that_changed_are_not_gone_on_with(self):
        self.save("A.npy", (6000, 300))
        self.save("B.npy", (300, 600))
        self.interrupt(signal.SIGINT)
        self.save("B.npy", (300, 600))
        self.assertRegex(self.refused("--resume"),
                         r"^kinjo: cannot resume 'C.npy': 'B.npy' was: 1440128 bytes, modified "
                         r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z, .*; it is: 1440128 bytes, modified ")
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

if __name__ == "__main__":
    unittest.main()
