"""kinjo sdp: what it solves, keeps, verifies and refuses."""

import csv
import json
import math
import os
import pathlib
import pty
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from kinjo_program import (KINJO, ROOT, FolderTest, clean_environment, kinjo,  # noqa: E402
                           wait_until_heard)

SDPLIB = os.environ.get("KINJO_TEST_SDPLIB")

# Example 1 of the manual of SDPA, whose optimum is -41.9.
EXAMPLE = (ROOT / "tests" / "sdp" / "example1.dat-s").read_text()
# Lovász' number of a pentagon, the square root of 5.
PENTAGON = "6\n1\n5\n{1, 0, 0, 0, 0, 0}\n" + "".join(
    f"0 1 {i} {j} 1\n" for i in range(1, 6) for j in range(i, 6)) + "".join(
    f"1 1 {i} {i} 1\n" for i in range(1, 6)) + "".join(
    f"{k + 2} 1 {min(k + 1, k % 5 + 2 if k < 4 else 1)} {max(k + 1, k % 5 + 2 if k < 4 else 1)} 1\n"
    for k in range(5))
# x ≥ 1 and -x ≥ 0; and minimise -x where x ≥ 0.
NO_X = "1\n1\n-2\n{1}\n0 1 1 1 1\n1 1 1 1 1\n1 1 2 2 -1\n"
NO_Y = "1\n1\n-1\n{-1}\n1 1 1 1 1\n"


class SdpTest(FolderTest):
    def problem(self, content=EXAMPLE, name="problem.dat-s"):
        (self.folder / name).write_text(content)
        return str(self.folder / name)

    def solved(self, *arguments, status=0):
        """The record of a run."""
        run = kinjo("sdp", *arguments, "--format", "json")
        self.assertEqual(run.returncode, status, run.stderr)
        return json.loads(run.stdout)


class Solves(SdpTest):
    def test_known_problems(self):
        for content, optimum in ((EXAMPLE, -41.9), (PENTAGON, math.sqrt(5))):
            found = self.solved(self.problem(content), "--verify")
            with self.subTest(optimum):
                self.assertTrue(found["verified"])
                result = found["result"]
                self.assertEqual(result["status"], "optimal")
                self.assertAlmostEqual(result["primal_objective"], optimum, delta=1e-5)
                self.assertAlmostEqual(result["dual_objective"], optimum, delta=1e-5)
                self.assertEqual(len(result["dimacs_errors"]), 6)
                self.assertLess(max(map(abs, result["dimacs_errors"])), 1e-6)

    def test_text_says_how_it_ended(self):
        lines = self.output("sdp", self.problem()).splitlines()
        self.assertEqual([line[:18].rstrip() for line in lines],
                         ["status", "primal objective", "dual objective", "relative gap", "DIMACS errors",
                          "iterations", "seconds"])
        self.assertEqual(lines[0].split()[-1], "optimal")
        self.assertRegex(lines[1], r" -4\.\d{10}e\+01$")
        self.assertEqual(len(lines[4].split()), 8)
        self.assertRegex(lines[6], r" \d+\.\d{3} \(elements [\d.]+, cholesky [\d.]+, direction [\d.]+, "
                                   r"step [\d.]+, others [\d.]+\)$")

    def test_infeasible_problems_are_results(self):
        for content, status in ((NO_X, "primal_infeasible"), (NO_Y, "dual_infeasible")):
            found = self.solved(self.problem(content), "--verify")
            with self.subTest(status):
                self.assertEqual((found["result"]["status"], found["verified"]), (status, True))

    def test_record_has_the_metrics_of_all_phases(self):
        found = self.solved("maxcut:5", "--repeat", "3", "--threads", "1")
        self.assertEqual(found["schema"], "kinjo-record/1")
        phases = [f"{phase}_seconds" for phase in ("elements", "cholesky", "direction", "step", "others")]
        self.assertEqual(list(found["metrics"]), ["seconds", *phases, "iterations"])
        self.assertEqual({len(metric["samples"]) for metric in found["metrics"].values()}, {3})
        self.assertEqual(found["metrics"]["iterations"]["value"], found["result"]["iterations"])

    def test_table_tells_of_each_iteration(self):
        found = self.solved("maxcut:4", "--table")["result"]
        self.assertEqual([line["iteration"] for line in found["table"]][-1], found["iterations"])
        text = self.output("sdp", "maxcut:4", "--table")
        head, final = text.split("\n\n")
        self.assertEqual(len(head.splitlines()) - 2, len(found["table"]))
        self.assertTrue(final.startswith("status"))
        rows = self.output("sdp", "maxcut:4", "--table", "--format", "csv").splitlines()
        self.assertEqual(len(rows) - 1, len(found["table"]))
        self.assertEqual(rows[0], "iteration,mu,primal_error,dual_error,primal_objective,dual_objective,"
                                  "primal_step,dual_step,beta")

    def test_csv_has_a_row(self):
        head, row = self.output("sdp", "maxcut:4", "--format", "csv").splitlines()
        self.assertTrue(row.startswith("optimal,"))
        self.assertEqual(len(head.split(",")), len(row.split(",")))
        self.assertTrue(head.endswith(",dimacs_error_5,dimacs_error_6"))

    def test_runs_of_as_many_threads_are_the_same_bit_by_bit(self):
        for threads in ("1", "2"):
            runs = [self.solved("control:4", "--threads", threads, "--oversubscribe")["result"]
                    for _ in range(2)]
            self.assertEqual(*runs)

    def test_a_terminal_shows_what_is_needed_and_the_iterations(self):
        terminal, device = pty.openpty()
        run = kinjo("sdp", "maxcut:4", stderr=device)
        os.close(device)
        shown = os.read(terminal, 65536).decode()
        os.close(terminal)
        self.assertEqual(run.returncode, 0)
        self.assertRegex(shown, r"\Akinjo: 1 block, the largest of order 16; a (dense|sparse) Schur complement")
        self.assertIn("\r\n   1   ", shown)


@unittest.skipUnless(SDPLIB, "KINJO_TEST_SDPLIB does not name the folder of SDPLIB's problems")
class Sdplib(SdpTest):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.unpacked = pathlib.Path(folder.name)
        subprocess.run(["tar", "xJf", pathlib.Path(SDPLIB) / "sdplib.tar.xz", "-C", folder.name], check=True)
        with open(pathlib.Path(SDPLIB) / "optima.csv", newline="") as file:
            cls.optima = {row["problem"]: row for row in csv.DictReader(file)}

    def test_small_problems_have_their_optima(self):
        for name in ("arch0", "control1", "gpp100", "mcp100", "qap5", "theta1", "truss1", "truss8"):
            problem, = self.unpacked.rglob(f"{name}.dat-s")
            found = self.solved(str(problem), "--verify")
            optimum = float(self.optima[name]["high_precision_primal"])
            with self.subTest(name):
                self.assertEqual((found["result"]["status"], found["verified"]), ("optimal", True))
                for which in ("primal_objective", "dual_objective"):
                    self.assertAlmostEqual(found["result"][which], optimum, delta=1e-6 * (1 + abs(optimum)))

    def test_infeasible_problems_are_recognised(self):
        for name, status in (("infd1", "dual_infeasible"), ("infp1", "primal_infeasible")):
            problem, = self.unpacked.rglob(f"{name}.dat-s")
            found = self.solved(str(problem), "--verify")
            with self.subTest(name):
                self.assertEqual((found["result"]["status"], found["verified"]), (status, True))


class EndsBadly(SdpTest):
    def test_where_iterations_run_out(self):
        found = self.solved("maxcut:5", "--max-iteration", "2", status=1)
        self.assertEqual((found["result"]["status"], found["result"]["iterations"]), ("limit", 2))
        run = kinjo("sdp", "maxcut:5", "--max-iteration", "2", "--verify")
        self.assertEqual(run.returncode, 1)
        self.assertEqual(run.stderr, "kinjo: verification failed: no solution: limit after 2 iterations\n")

    def test_refuses_bad_options(self):
        problem = self.problem()
        for options, message in (
                (["-o", "x.txt"], "'x.txt': expected a name that ends in .result (SDPA's layout), .npz or .json"),
                (["--save-on-interrupt"], "--save-on-interrupt writes to the file of -o: expected -o FILE beside it"),
                (["--tolerance", "nan"], "'nan' as tolerance: expected a number such as 1e-7"),
                (["--max-iteration", "x"], "'x' as max_iteration: expected a whole number"),
                (["--memory-limit", "much"], "'much' as a memory limit: expected bytes, such as 512M or 2G")):
            with self.subTest(options):
                self.assertEqual(self.refusal("sdp", problem, *options, cwd=self.folder), message)
        for options in (["--preset", "quick"], ["--tolerance", "-1"], ["--gamma-star", "2"],
                        ["--memory-limit", "1"]):
            with self.subTest(options):
                self.refusal("sdp", problem, *options)
        for besides in (("--format", "json"), ("-o", "x.npz"), ("--verify",)):
            self.assertRegex(self.refusal("sdp", "maxcut:4", "--plan", *besides, cwd=self.folder),
                             r"^--plan says in a line what a solution will need, and solves nothing: ")
        self.assertEqual(self.refusal("sdp", "maxcut:4", "-o", "x.result", "--save-problem", "x.result",
                                      cwd=self.folder),
                         "-o and --save-problem name the same file, 'x.result': expected two")
        self.assertEqual(self.refusal("sdp", problem, "--save-problem", problem),
                         f"PROBLEM and --save-problem name the same file, '{problem}': expected two")
        for option in (["-o", "x.npz"], ["--plan"], ["--table"], ["--repeat", "2"], ["--preset", "fast"],
                       ["--max-iteration", "3"], ["--memory-limit", "1G"], ["--verify"]):
            self.assertRegex(self.refusal("sdp", problem, "--check", "s.result", *option, cwd=self.folder),
                             r"^--[a-z-]+ is for a problem that is solved: expected no --check beside it$")
        for limit in ("0", "x"):
            self.assertEqual(self.refusal("sdp", "maxcut:4", "--memory-limit", limit),
                             f"'{limit}' as a memory limit: expected bytes, such as 512M or 2G")
        self.assertEqual(self.refusal("sdp"), "PROBLEM is required")
        self.assertIn("'nowhere.dat-s'", self.refusal("sdp", "nowhere.dat-s"))

    def test_refuses_malformed_files_with_their_line(self):
        lines = EXAMPLE.splitlines(keepends=True)
        for content, line in (("".join([*lines[:5], "0 1 3 3 1\n", *lines[5:]]), 6),
                              ("".join([*lines[:7], "1 1 1 1 nan\n", *lines[7:]]), 8),
                              (EXAMPLE.replace("3  =", "0  ="), 2),
                              (EXAMPLE.replace("3  =", "1000000000  ="), None),
                              ("\x00\x01\x02" * 100, 1)):
            with self.subTest(content[:40]):
                said = self.refusal("sdp", self.problem(content))
                self.assertRegex(said, rf"line {line}:" if line else r"line \d+:")


class Keeps(SdpTest):
    def test_what_is_kept_can_be_checked(self):
        problem = self.problem()
        for ending in ("result", "npz"):
            kept = str(self.folder / f"solution.{ending}")
            self.output("sdp", problem, "-o", kept)
            found = self.json("sdp", problem, "--check", kept)
            with self.subTest(ending):
                self.assertEqual(found["schema"], "kinjo-sdp-check/1")
                self.assertEqual((found["status"], found["holds"]), ("optimal", True))
                self.assertLess(max(map(abs, found["dimacs_errors"])), 1e-6)
                self.assertTrue(self.output("sdp", problem, "--check", kept).startswith("status "))

    def test_record_is_kept_as_json(self):
        kept = self.folder / "record.json"
        printed = self.json("sdp", self.problem(), "-o", str(kept))
        self.assertEqual(json.loads(kept.read_text()), printed)

    def test_a_solution_of_another_problem_does_not_hold(self):
        kept = str(self.folder / "solution.result")
        self.output("sdp", self.problem(), "-o", kept)
        other = self.problem(EXAMPLE.replace("48", "47"), "other.dat-s")
        run = kinjo("sdp", other, "--check", kept)
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stderr, r"\Akinjo: [^\n]+\n\Z")

    def test_a_rule_is_saved_as_a_problem_of_the_same_solution(self):
        saved = str(self.folder / "rule.dat-s")
        first = self.solved("control:3", "--seed", "5", "--threads", "1", "--save-problem", saved)
        second = self.solved(saved, "--threads", "1")
        self.assertEqual(first["result"], second["result"])
        self.assertEqual((first["parameters"]["seed"], second["parameters"].get("seed")), (5, None))

    def test_plan_says_what_is_needed(self):
        self.assertRegex(self.output("sdp", "maxcut:6", "--plan"),
                         r"\A1 block, the largest of order 36; a (dense|sparse) Schur complement of \d+ "
                         r"entries; [\d.]+ [KMG]iB\n\Z")


class Interrupted(SdpTest):
    def interrupt(self, *options):
        process = subprocess.Popen([KINJO, "sdp", "theta:150,4000", *options], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, env=clean_environment())
        wait_until_heard(process, signal.SIGINT)
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 130, err)
        return out, err

    def test_leaves_nothing(self):
        out, err = self.interrupt("-o", str(self.folder / "x.npz"))
        self.assertEqual((out, list(self.folder.iterdir())), ("", []))
        self.assertEqual(err, "kinjo: interrupted; nothing is written (--save-on-interrupt: the best iterate "
                              "so far)\n")

    def test_leaves_the_best_iterate_if_asked(self):
        kept = self.folder / "x.npz"
        out, err = self.interrupt("-o", str(kept), "--save-on-interrupt", "--format", "json")
        self.assertEqual(err, f"kinjo: interrupted; the best iterate so far is in {kept}\n")
        self.assertEqual(json.loads(out)["result"]["status"], "limit")
        self.assertTrue(kept.exists())


if __name__ == "__main__":
    unittest.main()
