"""kinjo blas1: what it measures, prints and refuses."""

import json
import pathlib
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from kinjo_program import (KINJO, ComputationTest, Configured, clean_environment,  # noqa: E402
                           kinjo)

DEFAULT = ["sum", "sum_of_squares", "norm2", "dot", "axpy"]
ALL = DEFAULT + ["asum", "scale", "copy", "max_abs_index"]
SMALL = ("--size", "1K", "--repeat", "1")
BOUNDS = {"loads", "stores", "arithmetic", "memory"}


class Blas1Test(ComputationTest):
    COMMAND = "blas1"
    TAKES = r"the vectors take [^\n]+ of memory"
    SMALL = SMALL


class Kernels(Blas1Test):
    def test_are_s0s_four_and_the_norm_unless_asked_otherwise(self):
        def names(*arguments):
            return [r["parameters"]["kernel"] for r in self.records(*SMALL, *arguments)]

        self.assertEqual(names(), DEFAULT)
        self.assertEqual(names("--kernel", "all"), ALL)
        self.assertEqual(names("--kernel", "copy,dot", "--kernel", "sum"), ["copy", "dot", "sum"])

    def test_are_verified_in_both_precisions_modes_alone_and_over_a_team(self):
        for precision in ("double", "float"):
            for mode in ("fast", "reproducible"):
                for team in ((), ("--policy", "compact", "--threads", "1")):
                    records = self.records("--kernel", "all", "--size", "1,1000,5000", "--repeat",
                                           "1", "--verify", "--precision", precision, "--mode",
                                           mode, *team)
                    self.assertEqual([r["verified"] for r in records], [True] * 27)

    def test_are_not_said_to_be_right_unless_that_was_asked(self):
        self.assertNotIn("verified", self.records(*SMALL)[0])
        self.assertEqual(self.rows(*SMALL)[0]["verified"], "")


class Sizes(Blas1Test):
    def test_are_lists_with_units_and_powers_ascending(self):
        sizes = [r["parameters"]["size"]
                 for r in self.records("--kernel", "sum", "--repeat", "1", "--size", "2^11,1K",
                                       "--size", "1000")]
        self.assertEqual(sizes, [1000, 1024, 2048])

    def test_lie_in_every_cache_and_in_memory_by_default(self):
        levels = [r["result"]["level"] for r in self.records("--kernel", "sum", "--repeat", "1")]
        self.assertEqual(levels[-1], "memory")
        self.assertEqual(levels, sorted(set(levels)))  # L1, L2, …, memory: each once


class Limits(Blas1Test):
    def test_stand_beside_every_kernel(self):
        for record in self.records("--kernel", "all", "--size", "512,4K", "--repeat", "2"):
            metrics, result = record["metrics"], record["result"]
            computes = record["parameters"]["kernel"] not in ("copy", "max_abs_index")
            self.assertEqual(list(metrics), ["gflops"] * computes + ["bandwidth", "limit", "share"])
            self.assertEqual(metrics["limit"]["unit"], "GFLOP/s" if computes else "GB/s")
            self.assertEqual(metrics["share"]["unit"], "%")
            self.assertIn(result["bound_by"], BOUNDS)
            self.assertGreater(result["moves_ns"], 0)
            self.assertEqual("arithmetic_ns" in result, computes)
            for metric in metrics.values():
                self.assertEqual(len(metric["samples"]), 2)
                self.assertGreater(metric["min"], 0)

    def test_table_has_a_row_for_each(self):
        lines = self.measured("--size", "1K,2K", "--repeat", "2", "--verify").splitlines()
        self.assertRegex(lines[0], r"^BLAS-1 on doubles, mode fast, \w+; medians of 2 rounds, each "
                                   r"the best of 4 bursts$")
        self.assertEqual(lines[1].split(), "kernel size in policy threads GFLOP/s GB/s limit of "
                                           "limit bound by verified".split())
        self.assertEqual(len(lines), 12)
        for line, kernel in zip(lines[2:], [k for k in DEFAULT for _ in range(2)]):
            self.assertRegex(line, rf"^{kernel} +[12]K +\w+ +none +1 +[0-9.]+ +[0-9.]+ +[0-9.]+ "
                                   r"GFLOP/s +\d+ % +(loads|stores|arithmetic|memory) +yes$")

    def test_csv_holds_numbers_alone(self):
        for row in self.rows("--kernel", "dot,copy", *SMALL):
            self.assertEqual((row["size"], row["threads"], row["calls"]), ("1024", "1", "one thread"))
            self.assertEqual(row["gflops_median"] == "", row["kernel"] == "copy")
            low, median, best = (float(row[f"bandwidth_{w}"]) for w in ("low", "median", "best"))
            self.assertLessEqual(low, median)
            self.assertLessEqual(median, best)
            self.assertIn(row["bound_by"], BOUNDS)


class Configurations(Configured, Blas1Test):
    SMALL = ("--kernel", "sum", *SMALL)

    def test_level_of_vectors_is_the_one_that_is_forced(self):
        for level in ("scalar", "sse2"):
            record, = self.records("--kernel", "dot", *SMALL, env={"KINJO_SIMD": level})
            self.assertEqual(record["result"]["simd"], level)


class Ladder(Blas1Test):
    def test_climbs_from_the_plain_loop_to_the_library(self):
        records = self.records("--ladder", *SMALL, env={"KINJO_SIMD": "sse2"})
        rungs = {}
        for record in records:
            self.assertEqual(record["workload"], "blas1-ladder")
            self.assertEqual(list(record["metrics"]), ["gflops", "share"])
            rungs.setdefault(record["parameters"]["kernel"], []).append(record["parameters"]["rung"])
        sums = ["plain"] + [f"{n} vector{'s' * (n > 1)}" for n in (1, 2, 3, 4, 5, 6, 8)] + ["library"]
        self.assertEqual(rungs, {"sum": sums, "sum_of_squares": sums, "dot": sums,
                                 "axpy": ["plain", "1 at a time", "4 at a time", "library"]})

    def test_says_what_latency_and_ports_predict(self):
        for record in self.records("--ladder", *SMALL):
            result = record["result"]
            sums = record["parameters"]["kernel"] != "axpy" and \
                record["parameters"]["rung"] != "library"
            self.assertEqual("predicted_gflops" in result, sums)
            if sums:
                self.assertLessEqual(result["predicted_gflops"], result["limit_gflops"] * 1.001)
                self.assertGreater(result["latency_cycles"], 0)

    def test_text_begins_each_kernel_with_what_keeps_the_core_busy(self):
        text = self.measured("--ladder", *SMALL, env={"KINJO_SIMD": "sse2"})
        blocks = text.split("\n\n")
        self.assertEqual([b.split()[0] for b in blocks], ["sum", "sum_of_squares", "dot", "axpy"])
        for block in blocks[:3]:
            lines = block.splitlines()
            self.assertRegex(lines[0], r"^\w+ of 1K doubles, \w+: peak [0-9.]+ GFLOP/s, limit "
                                       r"[0-9.]+ GFLOP/s$")
            self.assertRegex(lines[1], r"^an addition of vectors takes [0-9.]+ cycles, [0-9.]+ start "
                                       r"in a cycle: [0-9.]+ vectors of sums keep the core busy$")
            self.assertEqual(lines[2].split(), ["rung", "GFLOP/s", "of", "peak", "predicted"])

    def test_csv_has_a_row_for_each_rung(self):
        rows = self.rows("--ladder", *SMALL)
        self.assertEqual({r["kernel"] for r in rows}, {"sum", "sum_of_squares", "dot", "axpy"})
        self.assertTrue(all(float(r["gflops_median"]) > 0 for r in rows))


class Files(Blas1Test):
    def test_output_goes_to_a_file(self):
        self.assert_output_goes_to_a_file()

    def test_report_shows_each_kernel_beside_its_limit(self):
        page = self.page("--size", "1K,2K", "--repeat", "1")
        for kernel in DEFAULT:
            self.assertIn(f">{kernel} by size</h3>", page)
        self.assertIn("Kernels beside their limit</h2>", page)
        self.assertNotIn("Over threads</h2>", page)

    def test_report_of_the_ladder_shows_what_running_sums_gain(self):
        path = self.folder / "ladder.html"
        kinjo("blas1", "--ladder", *SMALL, "--report", str(path),
              env={"XDG_CACHE_HOME": str(self.folder), "KINJO_SIMD": "sse2"})
        for kernel in ("sum", "sum_of_squares", "dot"):
            self.assertIn(f">{kernel} by running sums, 1K elements</h3>", path.read_text())

    def test_interruption_leaves_nothing_half_written(self):
        path = self.folder / "records.json"
        process = subprocess.Popen([KINJO, "blas1", "--repeat", "10000", "--format", "json",
                                    "--size", "1K", "--output", str(path)],
                                   stderr=subprocess.PIPE, env=clean_environment())
        process.stderr.readline()  # what the vectors take
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertEqual(list(self.folder.iterdir()), [])


class Progress(Blas1Test):
    def test_bar_is_drawn_on_a_terminal_and_wiped(self):
        drawn = self.drawn("blas1", "--kernel", "sum,dot", *SMALL)
        self.assertIn("0/2  sum of 1K, none, 1 thread", drawn)
        self.assertIn("1/2", drawn)


class Tune(Blas1Test):
    def test_sweeps_it_inside_this_process(self):
        result = kinjo("tune", "blas1", "--set", "kernel=axpy", "--set", "size=10K", "--repeat",
                       "2", "--pairs", "6", "--threads", "1", "--format", "json")
        self.assertEqual(result.returncode, 0, result.stderr)
        for record in json.loads(result.stdout)["records"]:
            self.assertEqual((record["workload"], record["parameters"]["kernel"],
                              record["parameters"]["size"]), ("blas1", "axpy", 10240))

    def test_refuses_parameters_with_what_is_accepted(self):
        for setting, message in [
                ("elements=1", "blas1 has no parameter 'elements': expected kernel, size, "
                               "precision, mode, pages"),
                ("kernel=nrm2", f"unknown kernel 'nrm2': expected one of {', '.join(ALL)}"),
                ("size=0", "'0' elements: expected a number from 1 to 2^62, such as 1000, 48K or 2^20"),
                ("mode=slow", "unknown mode 'slow': expected one of fast, reproducible"),
                ("precision=half", "unknown precision 'half': expected one of double, float")]:
            with self.subTest(setting):
                self.assertEqual(self.refusal("tune", "blas1", "--set", setting), message)


class Refusals(Blas1Test):
    def test_bad_usage_is_refused_with_what_is_accepted(self):
        sizes = "expected a number from 1 to 2^62, such as 1000, 48K or 2^20"
        for arguments, message in [
                (("--kernel", "ddot"), f"unknown kernel 'ddot': expected one of {', '.join(ALL)}"),
                (("--kernel", "sum,"), f"unknown kernel '': expected one of {', '.join(ALL)}"),
                (("--size", "0"), f"'0' elements: {sizes}"),
                (("--size", "1k"), f"'1k' elements: {sizes}"),
                (("--size", "2^99"), f"'2^99' elements: {sizes}"),
                (("--size", "1K,,2K"), f"'' elements: {sizes}"),
                (("--precision", "half"), "--precision: half not in {double,float}"),
                (("--mode", "slow"), "--mode: slow not in {fast,reproducible}"),
                (("--threads", "0"), "'0' threads: expected a number from 1 to 1048576"),
                (("--bind", "socket"), "unknown binding 'socket': expected cpu, core or node"),
                (("--repeat", "0"), "--repeat: Value 0 not in range 1 to 10000"),
                (("--ladder", "--kernel", "sum"),
                 "--ladder has its own kernels: --kernel is not for it"),
                (("--ladder", "--precision", "float"),
                 "--ladder has doubles only: --precision is not for it"),
                (("--ladder", "--mode", "reproducible"),
                 "--ladder has its own ways of adding up: --mode is not for it"),
                (("--ladder", "--verify"),
                 "--ladder has rungs that only tests verify: --verify is not for it"),
                (("--ladder", "--threads", "2"),
                 "--ladder has one thread that nobody places: --threads is not for it"),
                (("--ladder", "--policy", "compact"), "--ladder has one thread that nobody places: "
                                                      "--policy (or KINJO_POLICY) is not for it"),
                (("--input", "x"),
                 "unexpected argument '--input': kinjo blas1 --help lists what is accepted")]:
            with self.subTest(arguments):
                self.assertEqual(self.refusal("blas1", *arguments), message)

    def test_more_elements_than_memory_are_refused(self):
        self.assertRegex(self.refusal("blas1", "--size", "1000000000000"),
                         r"^two vectors of 1000000000000 doubles do not fit: expected at most \d+ "
                         r"elements, 60 % of the .+ that are available$")

    def test_files_that_cannot_be_written_are_refused_first(self):
        for option in ("--output", "--report"):
            self.assertIn("/absent/file", self.refusal("blas1", option, "/absent/file"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
