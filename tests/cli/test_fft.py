"""kinjo fft: transforms in memory and of arrays that NumPy wrote; what is measured, printed and refused."""

import csv
import io
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from kinjo_program import (CPUS, KINJO, TWO_CPUS, ComputationTest, clean_environment, kinjo,  # noqa: E402
                           wait_until_heard)
from with_numpy import np  # noqa: E402

SMALL = ("--size", "1000", "--repeat", "1")
REAL_IN_PLACE = ("numbers 'real' (--real) and place 'in' (--in-place): expected one of them, as the arrays differ "
                 "in size")


class FftTest(ComputationTest):
    COMMAND = "fft"
    TAKES = r"[^\n]+ of memory[^\n]*"
    SMALL = SMALL


class Measured(FftTest):
    def test_transforms_are_verified_in_every_way(self):
        for ways in ((), ("--in-place",), ("--real",), ("--type", "float"), ("--in-cache", "stockham"),
                     ("--overlap", "off", "--deal", "cyclic"), ("--data", "none", "--threads", "1"),
                     ("--policy", "compact", "--data", "cyclic")):
            records = self.records("--size", "1,2^10,30x7", "--repeat", "1", "--verify", *ways)
            self.assertEqual([r["verified"] for r in records], [True] * 3, ways)
            for record in records:
                self.assertLess(record["result"]["error"], 4 * record["result"]["error_bound"])

    def test_rates_are_by_5_n_log_n(self):
        record, = self.records("--size", "2^12", "--repeat", "2")
        metrics = record["metrics"]
        self.assertEqual(list(metrics), ["mflops", "limit", "share", "seconds", "memory_ms", "compute_ms"])
        for mflops, share, seconds in zip(*(metrics[m]["samples"] for m in ("mflops", "share", "seconds"))):
            self.assertAlmostEqual(mflops * seconds * 1e6, 5 * 4096 * 12, places=3)
            self.assertGreater(share, 0)
        for step in ("load_1", "compute_1", "store_1"):
            self.assertGreaterEqual(record["result"][f"{step}_ms"], 0)
            self.assertGreaterEqual(record["result"][f"{step}_bytes"], 0)

    def test_both_sweeps_of_one_thread_have_their_steps(self):
        record, = self.records("--size", "2^20", "--repeat", "1")
        for step in ("load_1", "compute_1", "store_1", "load_2", "compute_2", "store_2"):
            self.assertGreater(record["result"][f"{step}_ms"], 0, step)
        self.assertNotIn("load_3_ms", record["result"])
        self.assertTrue(2 <= record["result"]["moved_arrays"] <= 5, record["result"]["moved_arrays"])

    def test_primes_load_and_store_their_factors_too(self):
        record, = self.records("--size", "100003", "--repeat", "1")
        for number in (1, 5):
            self.assertGreater(record["result"][f"load_{number}_ms"], 0)

    def test_tables_have_the_steps_of_a_transform(self):
        lines = self.measured(*SMALL, "--verify").splitlines()
        self.assertRegex(lines[0], r"^Fourier transforms of doubles, \w+; medians of 1 round$")
        self.assertEqual(lines[1].split(), "size numbers policy threads data MFLOP/s of limit seconds "
                                           "memory ms compute ms verified".split())
        self.assertRegex(lines[2], r"^1000 +complex, out of place +none +1 +block .* yes$")
        self.assertEqual(lines[4], "Steps of a transform, the threads' mean in ms:")
        self.assertRegex(lines[5], r"^size +policy +threads +data +load 1 +compute 1 +store 1 .*moved$")
        self.assertIn("1000:", lines)

    def test_csv_holds_numbers_alone(self):
        row, = self.rows(*SMALL, "--verify")
        self.assertEqual((row["size"], row["threads"], row["verified"]), ("1000", "1", "true"))
        self.assertGreater(float(row["mflops_median"]), 0)

    def test_plans_that_were_found_by_trying_are_kept_and_used(self):
        wisdom = self.path("wisdom")
        self.measured("--size", "2^10,1000", "--repeat", "1", "--measure", "--wisdom", wisdom)
        first, *lines = pathlib.Path(wisdom).read_text().splitlines()
        self.assertEqual(first, "kinjo-fft-wisdom 3")
        self.assertEqual(len(lines), 2)
        for line in lines:
            self.assertRegex(line, r"^[^:]+, \w+, L1 [^:]+iB, L2 [^:]+iB, L3 [^:]+iB, 1 thread, none: \d+ double = ")
        # What is remembered is used, and for what it was found only.
        text = pathlib.Path(wisdom).read_text()
        pathlib.Path(wisdom).write_text(re.sub(r": 1000 double = .*", ": 1000 double = 10x100", text))
        plan = self.records(*SMALL, "--wisdom", wisdom)[0]["result"]["plan"]
        self.assertRegex(plan, r"(?s)100 lines of 10, .*10 lines of 100, ")
        for others in (("--in-place",), ("--in-cache", "stockham"), ("--overlap", "off"), ("--deal", "cyclic")):
            other = self.records(*SMALL, "--wisdom", wisdom, *others)[0]["result"]["plan"]
            self.assertNotIn("100 lines of 10, ", other)
        other = self.records(*SMALL, "--wisdom", wisdom, env={"KINJO_SIMD": "scalar"})[0]["result"]["plan"]
        self.assertNotIn("100 lines of 10, ", other)
        self.measured("--size", "30x16x8", "--repeat", "1", "--measure", "--wisdom", wisdom, "--real")
        self.assertRegex(pathlib.Path(wisdom).read_text(), r"\n[^\n]+: 30x16x8 double real = \S[^\n]* / "
                                                           r"[^\n]+ / [^\n]+\n")
        self.assertTrue(all(self.records("--size", "2^10", "--repeat", "1", "--verify", "--wisdom",
                                         wisdom)[0]["verified"] for _ in range(1)))
        pathlib.Path(wisdom).write_text("nonsense\n")
        self.assertEqual(self.refusal("fft", *SMALL, "--wisdom", wisdom),
                         f"cannot read '{wisdom}': fft wisdom, line 1: expected 'kinjo-fft-wisdom 3'")
        pathlib.Path(wisdom).write_text("kinjo-fft-wisdom 2\nAMD EPYC, 1 thread, none: 1000 double = 20x50\n")
        self.assertEqual(self.refusal("fft", *SMALL, "--measure", "--wisdom", wisdom),
                         f"cannot read '{wisdom}': fft wisdom, line 1: 'kinjo-fft-wisdom 2' does not say for which "
                         "caches and vector instructions its cuts are: expected 'kinjo-fft-wisdom 3', measured anew")
        pathlib.Path(wisdom).write_text("kinjo-fft-wisdom 3\nm: 4096 double = 64x64x1\n")
        self.assertEqual(self.refusal("fft", *SMALL, "--wisdom", wisdom),
                         f"cannot read '{wisdom}': fft wisdom, line 2: fft: cut '64x64x1': expected factors from 2")
        self.assertEqual(self.refusal("fft", *SMALL, "--wisdom", self.path("absent")),
                         f"cannot read '{self.path('absent')}': No such file or directory")

    def cuts_found(self, *arguments):
        """What is kept of each size, in the order of their names."""
        wisdom = pathlib.Path(self.path("found"))
        wisdom.unlink(missing_ok=True)
        self.measured(*arguments, "--repeat", "1", "--measure", "--wisdom", str(wisdom))
        return [line.split(" = ")[1] for line in wisdom.read_text().splitlines()[1:]]

    def test_plans_that_are_tried_are_such_as_were_asked_for(self):
        for ways, others in ((("--in-cache", "stockham"), "direct|in_place"),
                             (("--in-cache", "in-place"), "direct|stockham"),
                             (("--overlap", "off"), "overlap"), (("--overlap", "on"), "apart")):
            for cut in self.cuts_found("--size", "2^12,1000,2^16", *ways):
                self.assertNotRegex(cut, others, ways)
        for cut in self.cuts_found("--size", "2^12,2^13", "--in-cache", "direct"):
            self.assertRegex(cut, "automatic|direct")

    def test_a_plan_file_that_cannot_be_written_at_last_costs_no_figures(self):
        gone = self.folder / "folder"
        gone.mkdir()
        with subprocess.Popen([KINJO, "fft", "--size", "2^16", "--repeat", "3", "--format", "json", "--measure",
                               "--wisdom", str(gone / "w")], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, env=clean_environment()) as process:
            process.stderr.readline()  # the files were looked at before
            gone.rmdir()
            out, err = process.communicate(timeout=100)
        self.assertEqual((process.returncode, err),
                         (2, f"kinjo: cannot write '{gone / 'w'}': No such file or directory\n"))
        self.assertEqual(len(json.loads(out)["records"]), 1)

    def test_plans_that_another_program_found_meanwhile_are_kept(self):
        wisdom = pathlib.Path(self.path("wisdom"))
        with subprocess.Popen([KINJO, "fft", "--size", "2^16", "--repeat", "3", "--measure", "--wisdom", str(wisdom)],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env=clean_environment()) as process:
            process.stderr.readline()
            wisdom.write_text("kinjo-fft-wisdom 3\nm: 16 double = 4x4\n")
            process.communicate(timeout=100)
        self.assertEqual(process.returncode, 0)
        self.assertRegex(wisdom.read_text(), r"\n[^:\n]+: 65536 double = ")
        self.assertIn("\nm: 16 double = 4x4\n", wisdom.read_text())

    def test_a_file_is_written_for_one_purpose(self):
        link = self.path("link")
        os.symlink("same", link)
        for first, second in (("--output", "--report"), ("--output", "--wisdom"), ("--report", "--wisdom")):
            self.assertEqual(self.refusal("fft", *SMALL, "--measure", first, self.path("same"), second, link),
                             f"{first} and {second} name the same file, '{self.path('same')}': expected two")
        self.assertEqual(os.listdir(self.folder), ["link"])
        twice = kinjo("fft", *SMALL, "-o", "/dev/null", "--report", "/dev/null")
        self.assertEqual(twice.returncode, 0, twice.stderr)

    def test_figures_of_small_sizes_have_their_digits(self):
        lines = self.measured("--size", "4,2^10", "--repeat", "1").splitlines()
        header = re.split("  +", lines[1].strip())
        for line in lines[2:4]:
            row = dict(zip(header, re.split("  +", line.strip())))
            for name in ("seconds", "memory ms", "compute ms"):
                self.assertRegex(row[name], r"[1-9]\d*\.?\d*$", name)
                self.assertGreaterEqual(len(row[name].replace(".", "").lstrip("0")), 3, name)

    @TWO_CPUS
    def test_several_threads_are_a_team(self):
        records = self.records("--size", "2^14", "--repeat", "1", "--threads", "1,2", "--verify")
        self.assertEqual([(r["policy"], r["threads"], r["result"]["calls"]) for r in records],
                         [("none", 1, "one thread"), ("scatter", 2, "team")])

    def test_bar_is_drawn_on_a_terminal_and_wiped(self):
        self.assertIn("0/1  1000, none, 1 thread", self.drawn("fft", *SMALL))

    def test_placements_of_the_data_are_compared_in_turn(self):
        records = self.records("--size", "2^10", "--repeat", "1", "--data", "block,cyclic,none")
        self.assertEqual([r["parameters"]["data"] for r in records], ["block", "cyclic", "none"])

    def test_report_shows_the_steps_by_placement_and_threads(self):
        page = self.page("--size", "2^12", "--repeat", "1", "--data", "block,none", "--policy", "compact",
                         "--threads", "1", "--verify")
        for text in ("Transforms step by step</h2>", ">load 1<", ">store 1<", " arrays<", ">none<", "Over threads</h2>"):
            self.assertIn(text, page)

    def test_tune_sweeps_it(self):
        result = kinjo("tune", "fft", "--set", "size=2^10", "--repeat", "2", "--pairs", "6", "--threads",
                       "1", "--format", "json")
        self.assertEqual(result.returncode, 0, result.stderr)
        shown = json.loads(result.stdout)
        self.assertEqual(shown["verdicts"][0]["metric"], "mflops")
        self.assertEqual(self.refusal("tune", "fft", "--set", "numbers=real", "--set", "place=in"), REAL_IN_PLACE)


class Files(FftTest):
    def save(self, name, values):
        np.save(self.path(name), values)
        return self.path(name)

    def transform(self, values, *arguments):
        """What kinjo makes of the values, verified."""
        source, out = self.save("in.npy", values), self.path("out.npy")
        text = self.measured(source, "-o", out, "--verify", *arguments)
        self.assertIn("verified: relative error", text)
        self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "out.npy"])
        return np.load(out)

    def numbers(self, shape, dtype):
        random = np.random.default_rng(3)
        values = random.uniform(-1, 1, shape)
        if np.dtype(dtype).kind == "c":
            values = values + 1j * random.uniform(-1, 1, shape)
        return values.astype(dtype)

    def assert_alike(self, found, expected, dtype):
        self.assertEqual((found.shape, found.dtype), (expected.shape, np.dtype(dtype)))
        epsilon = np.finfo(dtype).eps
        self.assertLess(np.linalg.norm((found - expected).ravel()),
                        10 * epsilon * np.linalg.norm(expected.ravel()))

    def test_are_transformed_as_numpy_transforms_them(self):
        for shape in ((1000,), (30, 40), (4, 5, 6)):
            for dtype, wide in (("f4", "c8"), ("f8", "c16"), ("c8", "c8"), ("c16", "c16")):
                a = self.numbers(shape, dtype)
                self.assert_alike(self.transform(a), np.fft.fftn(a), wide)
                self.assert_alike(self.transform(a, "--inverse"), np.fft.ifftn(a), wide)
                self.assert_alike(self.transform(a, "--axes", "-1", "--norm", "ortho"),
                                  np.fft.fft(a, norm="ortho"), wide)

    def test_real_ones_keep_half_of_their_spectrum_and_come_back(self):
        for shape, length in (((100,), ()), ((6, 9), ("--length", "9"))):
            a = self.numbers(shape, "f8")
            half = self.transform(a, "--real")
            self.assert_alike(half, np.fft.rfftn(a), "c16")
            self.assert_alike(self.transform(half, "--real", "--inverse", *length), a, "f8")

    def test_in_fortran_order_stay_in_it(self):
        for shape, axes in (((6, 9, 4), ()), ((6, 9, 4), (0, 1)), ((5, 8), (1,)), ((5, 8), (0,))):
            chosen = ("--axes", ",".join(map(str, axes))) if axes else ()
            for dtype in ("f8", "c16", "c8"):
                a = np.asfortranarray(self.numbers(shape, dtype))
                wide = "c8" if dtype == "c8" else "c16"
                found = self.transform(a, *chosen)
                self.assertTrue(found.flags.f_contiguous)
                self.assert_alike(found, np.fft.fftn(a, axes=axes or None), wide)
            a = np.asfortranarray(self.numbers(shape, "f8"))
            half = self.transform(a, "--real", *chosen)
            self.assert_alike(half, np.fft.rfftn(a, axes=axes or None), "c16")
            length = a.shape[axes[-1] if axes else -1]
            back = self.transform(np.asfortranarray(half), "--real", "--inverse", "--length", str(length), *chosen)
            self.assert_alike(back, a, "f8")

    def test_of_integers_are_those_of_doubles(self):
        for kind in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"):
            a = np.arange(60).reshape(5, 12).astype(kind)
            self.assert_alike(self.transform(a), np.fft.fftn(a), "c16")
            self.assert_alike(self.transform(a, "--real"), np.fft.rfftn(a), "c16")

    def test_larger_than_the_caches_is_no_matter(self):
        a = self.numbers(3 * 2**20, "c16")
        self.assert_alike(self.transform(a), np.fft.fft(a), "c16")

    def test_that_are_large_or_not_finite_are_verified(self):
        large = np.arange(20.0).reshape(4, 5) * 1e200
        self.assert_alike(self.transform(large) / 1e200, np.fft.fftn(large / 1e200), "c16")
        for odd in (np.nan, np.inf, -np.inf):
            for shape in ((64,), (101,), (5, 6), (5000,)):
                for dtype, ways in (("f8", ()), ("c16", ("--inverse",)), ("f8", ("--real",)),
                                    ("c8", ("--real", "--inverse"))):
                    a = self.numbers(shape, dtype)
                    a.flat[3] = odd
                    with self.subTest(odd=odd, shape=shape, ways=ways):
                        found = self.transform(a, *ways)
                        self.assertFalse(np.isfinite(found).all())

    def test_that_are_short_or_of_one_number_are_verified_for_all_that(self):
        for shape, ways in (((61,), ("--real",)), ((97,), ("--inverse",)), ((243,), ()), ((12, 5), ("--axes=0",))):
            for dtype in ("f4", "f8"):
                self.transform(np.full(shape, 0.1, dtype), *ways)
                self.transform(0.3 * (-1) ** np.arange(np.prod(shape)).reshape(shape).astype(dtype), *ways)
        random = np.random.default_rng(7)
        for length, ways in ((6, ("--real",)), (3, ("--inverse",)), (4, ("--real", "--inverse", "--length", "6"))):
            for _ in range(10):
                self.transform(random.uniform(-1, 1, (100, length)) + (0 if ways == ("--real",) else 0j),
                               "--axes=-1", *ways)

    def test_of_no_spectrum_of_real_numbers_is_what_numpy_makes_of_it(self):
        for shape, length in (((5,), 8), ((5,), 9), ((6, 5), 8), ((4, 3, 5), 9)):
            half = self.numbers(shape, "c16")
            found = self.transform(half, "--real", "--inverse", "--length", str(length))
            self.assert_alike(found, np.fft.irfftn(half, shape[:-1] + (length,)), "f8")

    def test_the_axis_that_is_named_last_is_halved(self):
        a = self.numbers((6, 9, 4), "f8")
        for axes in ((-1, -2), (2, 0), (1, 2, 0)):
            listed = "--axes=" + ",".join(map(str, axes))
            half = self.transform(a, "--real", listed)
            self.assert_alike(half, np.fft.rfftn(a, axes=axes), "c16")
            back = self.transform(half, "--real", "--inverse", listed, "--length", str(a.shape[axes[-1]]))
            self.assert_alike(back, a, "f8")

    def test_json_says_what_was_done(self):
        source = self.save("in.npy", self.numbers((8, 6), "f4"))
        shown = json.loads(self.measured(source, "-o", self.path("out.npy"), "--real", "--format", "json"))
        self.assertEqual((shown["schema"], shown["in_shape"], shown["out_shape"], shown["out_type"]),
                         ("kinjo-fft-file/1", [8, 6], [8, 4], "complex64"))
        self.assertEqual(shown["threads"], len(CPUS))
        self.assertNotIn("verify_seconds", shown)
        row, = csv.DictReader(io.StringIO(self.measured(source, "-o", self.path("out.npy"), "--format", "csv")))
        self.assertEqual((row["in_shape"], row["in_type"], row["threads"]), ("8 6", "float32", str(len(CPUS))))
        shown = json.loads(self.measured(source, "-o", self.path("out.npy"), "--verify", "--format", "json"))
        self.assertGreater(shown["verify_seconds"], 0)

    def test_plans_that_were_found_by_measuring_are_used(self):
        wisdom = pathlib.Path(self.path("w"))
        self.measured("--size", "2^10", "--repeat", "1", "--policy", "scatter", "--threads", "1", "--in-place",
                      "--measure", "--wisdom", str(wisdom))
        text = wisdom.read_text()
        found = np.fft.fft(self.numbers(1024, "c16"))
        for cut in (text.split(" = ")[1].strip(), "32x32", "1024"):
            wisdom.write_text(text.split(" = ")[0] + f" = {cut}\n")
            source = self.save("in.npy", self.numbers(1024, "c16"))
            self.measured(source, "-o", self.path("out.npy"), "--threads", "1", "--verify", "--wisdom", str(wisdom))
            self.assert_alike(np.load(self.path("out.npy")), found, "c16")
        self.assertEqual(self.refusal("fft", source, "-o", str(wisdom), "--wisdom", str(wisdom)),
                         f"--output and --wisdom name the same file, '{wisdom}': expected two")
        self.assertEqual(self.refusal("fft", source, "-o", self.path("out.npy"), "--wisdom", self.path("absent")),
                         f"cannot read '{self.path('absent')}': No such file or directory")

    def test_a_plan_that_wisdom_does_not_have_is_told(self):
        wisdom = pathlib.Path(self.path("w"))
        wisdom.write_text("kinjo-fft-wisdom 3\nm: 1024 double = 32x32\n")
        source = self.save("in.npy", self.numbers((8, 128), "c16"))
        for options, told in (((), f"fft: '{wisdom}' has no plan of this transform on this machine, with these threads "
                                   "and this policy: the plan is chosen without"),
                              (("--axes", "1"), "fft: wisdom has no plans of some axes alone, nor of real numbers along "
                                                "several: the plan is chosen without")):
            result = kinjo("fft", source, "-o", self.path("out.npy"), "--wisdom", str(wisdom), *options)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(f"kinjo: {told}\n", result.stderr)

    def test_output_is_as_private_as_what_it_replaces(self):
        private = self.save("c.npy", self.numbers(100, "c16"))
        os.chmod(private, 0o600)
        self.measured(private, "-o", private)
        self.assertEqual(os.stat(private).st_mode & 0o777, 0o600)

    def started(self, *arguments, **options):
        """A transform that takes a while, once it has threads."""
        source = self.save("in.npy", np.ones(1 << 22, complex))
        process = subprocess.Popen([KINJO, "fft", source, "-o", self.path("out.npy"), *arguments],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=clean_environment(), **options)
        wait_until_heard(process, signal.SIGTERM)
        return process

    def test_that_are_transformed_by_nohup_are_done_whatever_hangs_up(self):
        with self.started(preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)) as process:
            process.send_signal(signal.SIGHUP)
            _, err = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 0, err)
        self.assertTrue(os.path.exists(self.path("out.npy")))

    def test_an_interruption_ends_a_transform_at_once(self):
        with self.started("--verify", "--threads", "1") as process:
            status = pathlib.Path(f"/proc/{process.pid}/status")
            while process.poll() is None:  # until signals come again where they may end it
                blocked = int(re.search(r"^SigBlk:\s*([0-9a-f]+)$", status.read_text(), re.MULTILINE)[1], 16)
                if not blocked >> (signal.SIGINT - 1) & 1:
                    break
                time.sleep(0.001)
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=100)
        self.assertEqual((process.returncode, out), (-signal.SIGINT, ""))
        self.assertEqual(os.listdir(self.folder), ["in.npy"])

    def test_that_cannot_be_read_are_refused_and_the_output_is_left_as_it_was(self):
        out = self.save("out.npy", np.ones(3))
        before = pathlib.Path(out).read_bytes()
        half = self.save("h.npy", np.ones(5, "f2"))
        cut = self.save("cut.npy", np.ones(100))
        os.truncate(cut, 500)
        half_axis = self.save("half.npy", np.ones((4, 10), "c16"))
        double, one = self.save("d.npy", np.ones(8)), self.save("one.npy", np.ones((3, 1), "c16"))
        for arguments, message in [
                ((half,), f"cannot read '{half}': its elements are '<f2': expected float32, float64, complex64, "
                          "complex128, bool or integers, little-endian ('<f4', '<f8', '<c8', '<c16', '<i8' …)"),
                ((cut,), f"cannot read '{cut}': it has 500 bytes: its header says 928"),
                ((self.path("no.npy"),), f"cannot read '{self.path('no.npy')}': No such file or directory"),
                ((double, "--real", "--inverse"),
                 f"cannot read '{double}': its elements are float64: expected complex numbers for a "
                 "backward real transform"),
                ((double, "--axes", "1"), "there is no axis 1: expected -1 to 0"),
                ((double, "--length", "8"), "--length is for --inverse --real: expected both"),
                ((one, "--real", "--inverse"),
                 f"cannot read '{one}': axis 1 has 1 number, which is half of none or of one: expected "
                 "--length 1 for one"),
                ((half_axis, "--real", "--inverse", "--length", "17"),
                 f"cannot read '{half_axis}': axis 1 has 10 numbers, which are no half of 17: expected "
                 "--length 18 or 19"),
                ((double, "--bind", "bad"), "unknown binding 'bad': expected cpu, core or node")]:
            with self.subTest(arguments):
                self.assertEqual(self.refusal("fft", *arguments, "-o", out), message)
        self.assertEqual(pathlib.Path(out).read_bytes(), before)

    def test_full_disk_leaves_nothing(self):
        source = self.save("in.npy", np.ones(10000))

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (50000, 50000))

        result = kinjo("fft", source, "-o", self.path("out.npy"), preexec_fn=limit)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertEqual(result.stderr.splitlines()[-1],
                         f"kinjo: cannot write '{self.path('out.npy')}': File too large")
        self.assertEqual(os.listdir(self.folder), ["in.npy"])


class Usage(FftTest):
    def test_words_that_are_no_numbers_are_refused_with_what_is_accepted(self):
        for axes in ("", "0,", ",0", "a", "1.5", "0,,1", "99999999999999999999"):
            with self.subTest(axes=axes):
                self.assertEqual(self.refusal("fft", "in.npy", "-o", "out.npy", "--axes", axes),
                                 f"--axes: '{axes}': expected whole numbers, such as 0,2 or -1")
        for length in ("", "0", "-4", "abc", "7.5", "99999999999999999999999"):
            bound = "most 18446744073709551615" if length.startswith("99") else "least 1"
            with self.subTest(length=length):
                self.assertEqual(self.refusal("fft", "in.npy", "-o", "out.npy", "--real", "--inverse",
                                              "--length", length),
                                 f"--length: '{length}': expected a whole number of at {bound}")

    def test_is_refused_with_what_is_accepted(self):
        sizes = ("as the size of a transform: expected N, AxB or AxBxC, each from 1 to 2^62, such as 2^24, 1000003 or 512x512")
        for arguments, message in [
                ((), "nothing to transform: expected an array in a file, as in kinjo fft IN.npy -o OUT.npy, "
                     "or --size N for transforms in memory"),
                (("--size", "0"), f"'0' {sizes}"),
                (("--size", "-8"), f"'-8' {sizes}"),
                (("--size", "8,,9"), f"'' {sizes}"),
                (("--size", "8", "in.npy"),
                 "--size is for transforms in memory: expected no file, and not 'in.npy'"),
                (("--size", "8", "--inverse"),
                 "--inverse is for an array in a file: expected no --size, but IN.npy"),
                (("in.npy", "-o", "out.npy", "--in-place"),
                 "--in-place is for transforms in memory: expected --size, and no file"),
                (("in.npy",), "no file for the transform: expected -o OUT.npy"),
                (("--size", "8", "--real", "--in-place"), REAL_IN_PLACE),
                (("--size", "8", "--format", "xml"), "unknown format 'xml': expected text, json, csv"),
                (("in.npy", "-o", "out.npy", "--format", "xml"),
                 "unknown format 'xml': expected text, json, csv"),
                (("--size", "8", "--overlap", "yes"), "--overlap: yes not in {on,off,automatic}"),
                (("--size", "8", "--data", "block,here"),
                 "unknown placement of the data 'here': expected one of block, cyclic, none")]:
            with self.subTest(arguments):
                self.assertEqual(self.refusal("fft", *arguments), message)

    def test_refuses_what_does_not_fit_in_memory(self):
        self.assertRegex(self.refusal("fft", "--size", "2^40"),
                         r"^a transform of 1099511627776 takes 50 TiB: expected at most [\d.]+ [GM]iB, 60 % of "
                         r"the [\d.]+ [GM]iB that are available$")

    def peak_and_said(self, *arguments):
        """Bytes that a run held at most, and those that it said it would take up to."""
        with open(self.path("said"), "w+") as said, open(os.devnull, "w") as nowhere:
            process = subprocess.Popen([KINJO, "fft", *arguments], stdout=nowhere, stderr=said)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            said.seek(0)
            text = said.read()
        self.assertEqual(status, 0, text)
        number, unit = re.search(r"up to ([\d.]+) ([KMG])iB of memory", text).groups()
        return usage.ru_maxrss << 10, float(number) * (1 << {"K": 10, "M": 20, "G": 30}[unit])

    @unittest.skipIf("KINJO_SANITIZED" in os.environ, "a sanitizer takes memory of its own")
    def test_takes_no_more_memory_than_it_says(self):
        np.save(self.path("prime.npy"), np.ones(1000003, complex))
        np.save(self.path("real.npy"), np.ones(1 << 22))
        output = ("-o", self.path("out.npy"), "--verify")
        # What a process held before it became kinjo counts too.
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
        program = 24 << 20
        for arguments in (("--size", "1000003", "--repeat", "1"), ("--size", "1000003", "--repeat", "1", "--real"),
                          (self.path("prime.npy"), *output), (self.path("real.npy"), *output),
                          (self.path("real.npy"), "--real", *output)):
            peak, said = self.peak_and_said(*arguments)
            self.assertLess(peak, max(said, own) + program, arguments)
            self.assertLess(said, 2 * peak, arguments)

    def test_help_shows_examples_that_the_page_shows_too(self):
        for example in self.shown_examples()[1:]:
            self.measured(*example.replace("2^20,1000003", "2^10,1009").replace("2^20", "2^10").split()[2:],
                     "--repeat", "1")


if __name__ == "__main__":
    unittest.main(verbosity=2)
