"""Tests of `kinjo graph500`: Graph500's output, records, graphs in files, and what is refused."""

import csv
import io
import os
import pathlib
import pty
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from kinjo_program import CPUS, KINJO, TWO_CPUS, KinjoTest, clean_environment, kinjo, read_terminal  # noqa: E402

SMALL = ("--scale", "8", "--roots", "4")
STATISTICS = ["min", "firstquartile", "median", "thirdquartile", "max", "mean", "stddev"]


class Graph500Test(KinjoTest):
    def graph500(self, *arguments):
        """Standard output of a run that succeeds and says nothing but what it takes."""
        result = kinjo("graph500", *arguments)
        self.assertEqual(result.returncode, 0, (arguments, result.stderr))
        self.assertRegex(result.stderr, r"\A(kinjo: (scale \d+, \d+ edges a vertex|[a-z]+:[\w,]+): up to [\d.]+ "
                                        r"[KMG]iB of memory, about [\d.]+ s\n)?\Z")
        return result.stdout

    def keys(self, text):
        lines = [line.split(":", 1) for line in text.splitlines()]
        return {key: value.replace("!", "").strip() for key, value in lines}

    def test_prints_the_keys_of_the_specification_in_order(self):
        shown = self.keys(self.graph500(*SMALL, "--threads", "1"))
        self.assertEqual(
            list(shown),
            ["policy", "num_threads", "SCALE", "edgefactor", "NBFS", "graph_generation", "num_mpi_processes",
             "construction_time", *(f"bfs  {s}_time" for s in STATISTICS),
             *(f"{s}_nedge" for s in STATISTICS),
             *(f"bfs  {s}_TEPS" for s in STATISTICS if s not in ("mean", "stddev")),
             "bfs  harmonic_mean_TEPS", "bfs  harmonic_stddev_TEPS",
             *(f"bfs  {s}_validate" for s in STATISTICS)])
        self.assertEqual((shown["SCALE"], shown["edgefactor"], shown["NBFS"]), ("8", "16", "4"))
        self.assertLessEqual(float(shown["max_nedge"]), 16 * 256)
        self.assertGreater(float(shown["bfs  min_time"]), 0)

    def test_skips_the_validation(self):
        shown = self.keys(self.graph500(*SMALL, "--skip-validation"))
        self.assertFalse([key for key in shown if "validate" in key])

    def test_records_hold_every_search(self):
        for extra in ((), ("--bits", "64"), ("--order", "degree"), ("--policy", "none", "--threads", "1")):
            record, = self.records(*SMALL, *extra)
            self.assertIs(record["verified"], True)
            metrics, result = record["metrics"], record["result"]
            self.assertEqual(list(metrics), ["gteps", "search", "construction", "generation", "validation"])
            self.assertEqual({len(metrics[m]["samples"]) for m in ("gteps", "search", "validation")}, {4})
            rates = metrics["gteps"]["samples"]
            self.assertAlmostEqual(result["teps_harmonic_mean"], 4e9 / sum(1 / r for r in rates), delta=1)
            self.assertEqual((result["vertices"], result["edges"]), (256, 4096))

    def records(self, *arguments):
        import json
        return json.loads(self.graph500(*arguments, "--format", "json"))["records"]

    def test_same_seed_makes_the_same_edges_for_every_team(self):
        counts = {tuple(record["result"][k] for k in ("entries", "nedge_min", "nedge_max", "nedge_mean"))
                  for threads in range(1, len(CPUS) + 1)
                  for record in self.records(*SMALL, "--threads", str(threads))}
        self.assertEqual(len(counts), 1)

    @TWO_CPUS
    def test_sweeps_policies_and_threads(self):
        rows = list(csv.DictReader(io.StringIO(
            self.graph500(*SMALL, "--policy", "all", "--threads", "1,2", "--format", "csv"))))
        self.assertEqual({(row["policy"], row["threads"]) for row in rows},
                         {(p, t) for p in ("none", "scatter", "compact", "compact-plus") for t in "12"})
        self.assertEqual({row["verified"] for row in rows}, {"true"})

    def test_searches_a_graph_that_was_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            file = str(pathlib.Path(folder) / "k8.kgraph")
            first = self.keys(self.graph500(*SMALL, "--save", file))
            again = self.keys(self.graph500("--graph", file, "--roots", "4"))
        for key in ("SCALE", "edgefactor", "NBFS", "mean_nedge"):
            self.assertEqual(first[key], again[key], key)
        self.assertIn("bfs  mean_validate", again)

    def test_searches_a_graph_by_rule(self):
        for rule, scale, factor in (("kronecker:8", "8", "16"), ("uniform:7,4", "7", "4"),
                                    ("grid:8x16", "7", "1.812"), ("road:16x16,scrambled", "8", None)):
            with self.subTest(rule):
                shown = self.keys(self.graph500("--graph", rule, "--roots", "4"))
                self.assertEqual((shown["SCALE"], shown["NBFS"]), (scale, "4"))
                if factor:
                    self.assertEqual(shown["edgefactor"], factor)
                self.assertGreater(float(shown["graph_generation"]), 0)
                self.assertIn("bfs  mean_validate", shown)
        record, = self.records("--graph", "uniform:7,4", "--roots", "2")
        self.assertIs(record["verified"], True)
        self.assertEqual(record["parameters"]["graph"], "uniform:7,4")
        self.assertNotIn("scale", record["parameters"])

    def test_rule_makes_the_graph_that_the_scale_makes(self):
        by_scale, by_rule = (self.keys(self.graph500(*arguments, "--roots", "4"))
                             for arguments in (("--scale", "8"), ("--graph", "kronecker:8")))
        for key in ("SCALE", "edgefactor", "min_nedge", "mean_nedge"):
            self.assertEqual(by_scale[key], by_rule[key], key)

    def test_says_on_a_terminal_what_it_constructs(self):
        terminal, device = pty.openpty()
        result = kinjo("graph500", *SMALL, stderr=device)
        os.close(device)
        text = read_terminal(terminal)
        self.assertEqual(result.returncode, 0)
        for stage in ("generation", "construction: dealing edges", "construction: assembling rows", "search from"):
            self.assertIn(stage, text)

    def test_time_left_is_that_of_searches_and_not_of_the_construction(self):
        terminal, device = pty.openpty()
        begin = time.monotonic()
        result = kinjo("graph500", "--scale", "18", "--roots", "64", "--skip-validation", stderr=device)
        taken = time.monotonic() - begin
        os.close(device)
        left = [int(seconds) for seconds in re.findall(r" (\d+) s left", read_terminal(terminal))]
        self.assertEqual(result.returncode, 0)
        self.assertLess(left[0], 2 * taken + 1)

    def test_interrupted_in_construction_it_leaves_what_was_there(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "graph.kgraph"
            file.write_text("before")
            terminal, device = pty.openpty()
            run = subprocess.Popen([KINJO, "graph500", "--scale", "19", "--save", str(file)], stderr=device,
                                   stdout=subprocess.PIPE, env=clean_environment())
            os.close(device)
            shown = b""
            while b"construction" not in shown:
                shown += os.read(terminal, 4096)
            run.send_signal(signal.SIGINT)
            out, _ = run.communicate(timeout=60)
            os.close(terminal)
            self.assertEqual((run.returncode, out), (-signal.SIGINT, b""))
            self.assertEqual([name.name for name in pathlib.Path(folder).iterdir()], ["graph.kgraph"])
            self.assertEqual(file.read_text(), "before")

    def test_tune_sweeps_it(self):
        result = kinjo("tune", "graph500", "--set", "scale=8", "--set", "roots=2", "--repeat", "2", "--pairs",
                       "6", "--threads", "1", "--format", "csv")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("gteps", result.stdout)

    def test_refuses_with_what_is_accepted(self):
        for arguments, message in [
                (("--scale", "-1"), "scale '-1': expected a whole number from 1 to 48"),
                (("--scale", "x"), "scale 'x': expected a whole number from 1 to 48"),
                (("--scale", "49"), "scale '49': expected a whole number from 1 to 48"),
                (("--scale", "32"), "4294967296 vertices: expected at most 4294967295 with 32 bits, or 64 bits"),
                (("--listed",), "parents that are ids have 64 bits: expected bits 64"),
                (("--edgefactor", "0"), "edgefactor '0': expected a whole number from 1 to 65536"),
                (("--roots", "x"), "roots 'x': expected a whole number from 1 to 1000000"),
                (("--bits", "48"), "unknown bits '48': expected one of 32, 64"),
                (("--order", "random"),
                 "unknown order 'random': expected one of automatic, caller, degree, locality"),
                (("--graph", "x.kgraph", "--scale", "9"),
                 "--scale is for a graph that is made by scale: expected no --graph"),
                (("--graph", "uniform:x"),
                 "'uniform:x' as a graph: expected uniform:SCALE or uniform:SCALE,EDGEFACTOR with a scale of 0 to "
                 "48, such as uniform:20,16"),
                (("--graph", "roads.dat"),
                 "'roads.dat' does not end as a graph's file: expected one of .el .wel .txt .tsv .csv .edges .b32 "
                 ".b64 .mtx .graph .metis .sg .kgraph"),
                (("--scale", "5", "--save", "x.sg"),
                 "'x.sg' for the graph: expected a name that ends in .kgraph"),
                (("--scale", "5", "--save", "x.kgraph", "--report", "./x.kgraph"),
                 "--save and --report name the same file, 'x.kgraph': expected two"),
                (("--graph", "absent.kgraph"), "cannot read 'absent.kgraph': No such file or directory")]:
            with self.subTest(arguments):
                self.assertEqual(self.refusal("graph500", *arguments), message)

    def test_refuses_graphs_without_a_root(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "a.el"
            for content in ("", "# nothing\n", "3 3\n"):
                file.write_text(content)
                self.assertEqual(kinjo("graph500", "--graph", str(file)).stderr.splitlines()[-1],
                                 f"kinjo: '{file}': expected edges between different vertices, there is none")

    def test_refuses_what_does_not_fit_in_memory(self):
        self.assertRegex(self.refusal("graph500", "--scale", "31"),
                         r"^a graph of scale 31 takes [\d.]+ [GT]iB: expected at most [\d.]+ [GM]iB, 60 % of the "
                         r"[\d.]+ [GM]iB that are available$")

    def test_refuses_scale_32_for_its_memory_alone(self):
        for scale in ("32", "33"):
            self.assertRegex(self.refusal("graph500", "--scale", scale, "--bits", "64"),
                             rf"^a graph of scale {scale} takes [\d.]+ TiB: expected at most [\d.]+ [GM]iB, 60 % of "
                             r"the [\d.]+ [GM]iB that are available$")

    def test_searches_what_is_called_by_ids(self):
        wide = ("--bits", "64", "--listed")
        narrow, = self.records(*SMALL)
        for extra in ((), ("--order", "degree"), ("--threads", "1")):
            record, = self.records(*SMALL, *wide, *extra)
            self.assertIs(record["verified"], True)
            self.assertEqual(record["parameters"]["listed"], "yes")
            for key in ("vertices", "edges", "entries"):
                self.assertEqual(record["result"][key], narrow["result"][key])
        with tempfile.TemporaryDirectory() as folder:
            file = str(pathlib.Path(folder) / "k8.kgraph")
            self.graph500(*SMALL, *wide, "--save", file)
            self.assertIs(self.records("--graph", file, "--bits", "64", "--roots", "4")[0]["verified"], True)
            self.assertEqual(self.refusal("graph500", "--graph", file),
                             f"'{file}' was built with ids: expected 64 bits, or a graph without ids")
            plain = str(pathlib.Path(folder) / "plain.kgraph")
            self.graph500(*SMALL, "--save", plain)
            self.assertEqual(self.refusal("graph500", "--graph", plain, *wide),
                             f"'{plain}' was built without ids, which were asked for: expected a list of edges, or a "
                             "graph with ids")
            ids = pathlib.Path(folder) / "ids.el"
            ids.write_text("".join(f"{v * 2**40} {(v + 1) * 2**40}\n" for v in range(9)))
            self.assertIs(self.records("--graph", str(ids), "--bits", "64", "--roots", "4")[0]["verified"], True)

    def test_help_shows_examples_that_run(self):
        examples = [line.removeprefix("Example: kinjo graph500 ") for line in
                    self.output("graph500", "--help").splitlines() if line.startswith("Example: ")]
        self.assertEqual(len(examples), 2)
        page = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "cli.md").read_text()
        with tempfile.TemporaryDirectory() as folder:
            for example in examples:
                self.assertIn(f"$ kinjo graph500 {example}\n", page)
                arguments = example.replace("bfs.html", f"{folder}/bfs.html").split()
                arguments[arguments.index("--scale") + 1] = "8"
                self.assertEqual(kinjo("graph500", *arguments).returncode, 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
