"""kinjo gemm --size: products in memory, what is measured, printed and refused; and which of its two
ways is meant."""

import csv
import io
import json
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from kinjo_program import TWO_CPUS, ComputationTest, Configured, kinjo  # noqa: E402

SMALL = ("--size", "64", "--repeat", "1")
METRICS = ["gflops", "cpu_gflops", "cpu_share", "limit", "share", "seconds"]


class GemmTest(ComputationTest):
    COMMAND = "gemm"
    TAKES = r"the matrices take [^\n]+ of memory"
    SMALL = SMALL


class Products(GemmTest):
    def test_are_verified_in_both_precisions_alone_and_over_a_team(self):
        for precision in ("double", "float"):
            for team in ((), ("--policy", "compact", "--threads", "1")):
                records = self.records("--size", "1,130,3x500x70", "--repeat", "1", "--verify",
                                       "--precision", precision, *team)
                self.assertEqual([r["verified"] for r in records], [True] * 3)

    def test_are_not_said_to_be_right_unless_that_was_asked(self):
        self.assertNotIn("verified", self.records(*SMALL)[0])

    def test_are_reported_as_s3_reports_them(self):
        record, = self.records("--size", "200x100x50", "--repeat", "3")
        metrics, result = record["metrics"], record["result"]
        self.assertEqual(list(metrics), METRICS)
        self.assertEqual([metrics[m]["unit"] for m in METRICS],
                         ["GFLOP/s", "GFLOP/s", "%", "GFLOP/s", "%", "s"])
        for samples in zip(*(metrics[m]["samples"] for m in METRICS)):
            gflops, cpu_gflops, cpu_share, limit, share, seconds = samples
            self.assertAlmostEqual(gflops, 2e6 / seconds / 1e9, places=6)
            self.assertAlmostEqual(cpu_share, 100 * gflops / cpu_gflops, places=6)
            self.assertAlmostEqual(share, 100 * gflops / limit, places=6)
        self.assertEqual(record["parameters"]["size"], "200x100x50")
        for name in ("memory_bytes", "l3_bytes", "l2_bytes"):
            self.assertGreaterEqual(result[name], 8 * (200 * 50 + 50 * 100 + 2 * 200 * 100))

    def test_sizes_are_lists_with_units_in_their_order(self):
        sizes = [r["parameters"]["size"] for r in
                 self.records("--size", "2^7,64", "--size", "1Kx2x3", "--repeat", "1")]
        self.assertEqual(sizes, ["128", "64", "1024x2x3"])


class Plans(GemmTest):
    def test_stand_beside_each_other(self):
        records = self.records(*SMALL, "--plan", "chosen,S/C", "--plan", "N(n=32)/C/S(m=16)",
                               "--verify")
        self.assertEqual([r["parameters"]["plan"] for r in records],
                         ["chosen", "S/C", "N(n=32)/C/S(m=16)"])
        self.assertEqual([r["result"]["short_plan"] for r in records][1:],
                         ["S/C", "N/C/S"])
        for record in records:
            self.assertTrue(record["verified"])
            self.assertRegex(record["result"]["plan"], r"V\([mn]\)/V\([mn]\)$")

    @TWO_CPUS
    def test_of_s3_with_parallel_and_storage_loops_are_right(self):
        records = self.records("--size", "300", "--repeat", "1", "--threads", "2", "--verify",
                               "--plan", "P//S/C,R/P//S/C,R/S/P//C,N/C/P(m)//S,M/C/P(m)//S")
        self.assertEqual([(r["verified"], r["result"]["tasks"]) for r in records], [(True, 2)] * 5)

    def test_of_the_documentation_are_right(self):
        page = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "gemm.md").read_text()
        table = page.split("### An example of each order\n")[1].split("\n### ")[0]
        plans = re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)
        self.assertGreater(len(plans), 10)
        records = self.records("--size", "300", "--repeat", "1", "--threads", "4", "--oversubscribe",
                               "--verify", "--plan", ",".join(plans))
        tasks = [r["result"]["tasks"] for r in records]
        self.assertEqual(tasks, [max(1, 2 ** plan.count("//") if "///" not in plan else 3) for plan in plans])
        self.assertTrue(all(r["verified"] for r in records))
        self.assertEqual([r["result"]["short_plan"] for r in records],
                         [re.sub(r"\(.*?\)", "", plan).split("/V")[0].replace("V", "") or "V"
                          for plan in plans])

    def test_are_printed_whole_with_what_they_move(self):
        lines = self.measured(*SMALL, "--verify", "--plan", "S/C,N/C/S").splitlines()
        self.assertRegex(lines[0], r"^Products of matrices of doubles, \w+; medians of 1 round$")
        self.assertEqual(lines[1].split(), "size plan policy threads GFLOP/s by CPU time busy limit "
                                           "of limit seconds verified".split())
        for line, plan in zip(lines[2:4], ("S/C", "N/C/S")):
            self.assertRegex(line, rf"^ +64 +{plan} +none +1 +[0-9.]+ +[0-9.]+ +[0-9.]+ % +[0-9.]+ +"
                                   r"\d+ % +[0-9.]+ +yes$")
        self.assertEqual(lines[4:6], ["", "What the plans move, as they predict it:"])
        self.assertEqual(lines[6].split(), "size memory to L2 to L1 copied plan".split())
        self.assertRegex(lines[7], r"S\(m=\d+\)/C\(k=\d+\)/V\(m\)/V\(n\)$")
        self.assertEqual(len(lines), 9)

    def test_csv_holds_numbers_alone(self):
        text = self.measured(*SMALL, "--verify", "--format", "csv")
        row, = csv.DictReader(io.StringIO(text))
        self.assertEqual((row["size"], row["threads"], row["calls"], row["verified"]),
                         ("64", "1", "one thread", "true"))
        for metric in METRICS:
            self.assertGreater(float(row[f"{metric}_median"]), 0)


class Configurations(Configured, GemmTest):
    def test_level_of_vectors_is_the_one_that_is_forced(self):
        record, = self.records(*SMALL, "--verify", env={"KINJO_SIMD": "scalar"})
        self.assertEqual((record["result"]["simd"], record["verified"]), ("scalar", True))


class Files(GemmTest):
    def test_output_goes_to_a_file(self):
        self.assert_output_goes_to_a_file()

    def test_report_shows_products_beside_their_limit(self):
        page = self.page("--size", "32,64", "--plan", "chosen,S/C", "--repeat", "1")
        for text in ("Kernels beside their limit</h2>", ">gemm by size</h3>", "rows and columns"):
            self.assertIn(text, page)

    def test_bar_is_drawn_on_a_terminal_and_wiped(self):
        self.assertIn("0/1  64 by S/C, none, 1 thread", self.drawn("gemm", *SMALL, "--plan", "S/C"))


class Help(GemmTest):
    def test_shows_examples_of_both_ways_that_the_pages_show_too(self):
        for example in self.shown_examples()[1:]:
            self.measured(*example.replace("1024", "64").replace("2048", "128").split()[2:], "--repeat",
                      "1")


class Tune(GemmTest):
    def test_sweeps_it_inside_this_process(self):
        result = kinjo("tune", "gemm", "--set", "size=96", "--set", "plan=S/C", "--repeat", "2",
                       "--pairs", "6", "--threads", "1", "--format", "json")
        self.assertEqual(result.returncode, 0, result.stderr)
        shown = json.loads(result.stdout)
        self.assertEqual(shown["verdicts"][0]["metric"], "gflops")
        for record in shown["records"]:
            self.assertEqual((record["workload"], record["parameters"]["size"],
                              record["parameters"]["plan"]), ("gemm", "96", "S/C"))

    def test_refuses_parameters_with_what_is_accepted(self):
        for setting, message in [
                ("kernel=dot", "gemm has no parameter 'kernel': expected size, plan, precision, pages"),
                ("size=0", "'0' as the size of a product: expected N or MxNxK, each from 1 to 2^62, such as 2048, 2K or "
                           "100000x64x64"),
                ("precision=half", "unknown precision 'half': expected one of double, float")]:
            with self.subTest(setting):
                self.assertEqual(self.refusal("tune", "gemm", "--set", setting), message)


class Refusals(GemmTest):
    def test_bad_usage_is_refused_with_what_is_accepted(self):
        sizes = "as the size of a product: expected N or MxNxK, each from 1 to 2^62, such as 2048, 2K or 100000x64x64"
        for arguments, message in [
                ((), "nothing to multiply: expected matrices in files, as in kinjo gemm A.npy B.npy -o "
                     "C.npy, or --size N for products in memory"),
                (("--size", "0"), f"'0' {sizes}"),
                (("--size", "12Q"), f"'12Q' {sizes}"),
                (("--size", "64,,65"), f"'' {sizes}"),
                (("--size", "2x3"), f"'2x3' {sizes}"),
                (("--size", "64", "--plan", "N/X"),
                 "plan 'N/X', character 3: expected a loop: R, N, M, S, C, P or V"),
                (("--size", "64", "--plan", "N//C"),
                 "plan 'N//C', character 3: expected one stroke behind a loop that is not P"),
                (("--size", "64", "--threads", "1", "--plan", "P//C"),
                 "plan 'P//C': P(n=2): 2 tasks exceed the 1 thread"),
                (("--size", "64", "--precision", "half"), "--precision: half not in {double,float}"),
                (("--size", "64", "--repeat", "0"), "--repeat: Value 0 not in range 1 to 10000"),
                (("--size", "64", "--bind", "socket"),
                 "unknown binding 'socket': expected cpu, core or node"),
                (("--size", "64", "A.npy", "B.npy"),
                 "--size is for products in memory: expected no file, and not 'A.npy'"),
                (("--size", "64", "--memory-limit", "2G"),
                 "--memory-limit is for matrices in files: expected no --size, but A.npy B.npy"),
                (("A.npy", "B.npy", "-o", "C.npy", "--repeat", "2"),
                 "--repeat is for products in memory: expected --size, and no files"),
                (("A.npy", "-o", "C.npy"), "one matrix: expected two, kinjo gemm A.npy B.npy -o C.npy"),
                (("A.npy", "B.npy"), "no file for the product: expected -o C.npy"),
                (("A.npy", "B.npy", "-o", "C.npy", "--plan", "R/N/S,S/C"),
                 "several plans: expected one for matrices in files"),
                (("A.npy", "B.npy", "-o", "C.npy", "--policy", "none", "--policy", "compact"),
                 "several policies: expected one for matrices in files"),
                (("A.npy", "B.npy", "D.npy", "-o", "C.npy"),
                 "unexpected argument 'D.npy': kinjo gemm --help lists what is accepted")]:
            with self.subTest(arguments):
                self.assertEqual(self.refusal("gemm", *arguments), message)

    def test_matrices_larger_than_memory_are_refused(self):
        self.assertRegex(self.refusal("gemm", "--size", "1M"),
                         r"^the matrices of 1048576 doubles take 24 TiB: expected at most [\d.]+ [GM]iB, "
                         r"60 % of the [\d.]+ [GM]iB that are available; kinjo gemm multiplies larger "
                         r"ones in files$")

    def test_plan_with_a_block_beyond_its_cache_is_refused(self):
        self.assertRegex(self.refusal("gemm", "--size", "20000", "--plan", "N(n=20000)/S"),
                         r"^plan 'N\(n=20000\)/S': N\(n=20000\): 20000 × 20000 elements of 8 bytes exceed "
                         r"L3's \d+ bytes: expected at most \d+$")

    def test_files_that_cannot_be_written_are_refused_first(self):
        for option in ("--output", "--report"):
            self.assertIn("/absent/file", self.refusal("gemm", "--size", "64", option, "/absent/file"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
