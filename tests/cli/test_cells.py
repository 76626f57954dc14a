"""kinjo cells: what it measures, draws, launches and refuses."""

import contextlib
import csv
import io
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from kinjo_program import CPUS, KINJO, ROOT, TWO_CPUS, FolderTest, clean_environment, kinjo  # noqa: E402

TRANSPORTS = ("threads", "processes")
FORMS = ("put", "get", "send", "direct")
CELLS = ("--cells", "3", "--oversubscribe")
TAKES = r"\Akinjo: \d+ cells? takes? [\d.]+ [KMG]?i?B of memory\n\Z"


class CellsTest(FolderTest):
    def run_cells(self, *arguments, **options):
        """Standard output of a run that says nothing but what it takes."""
        result = kinjo("cells", *arguments, **options)
        self.assertEqual(result.returncode, 0, (arguments, result.stderr))
        self.assertRegex(result.stderr, TAKES)
        return result.stdout

    def records(self, *arguments, **options):
        return json.loads(self.run_cells(*arguments, "--format", "json", **options))["records"]


class Gemm(CellsTest):
    def test_is_right_in_every_form_and_transport(self):
        for transport in TRANSPORTS:
            records = self.records("gemm", "--size", "50", "--form", ",".join(FORMS), *CELLS,
                                   "--transport", transport, "--repeat", "2", "--verify")
            with self.subTest(transport):
                self.assertEqual([r["parameters"]["form"] for r in records], list(FORMS))
                for record in records:
                    self.assertTrue(record["verified"])
                    self.assertEqual((record["workload"], record["threads"]), ("cells", 3))
                    self.assertEqual(record["parameters"]["transport"], transport)
                    self.assertEqual(len(record["metrics"]["efficiency"]["samples"]), 2)
                    for part in ("multiply", "put", "wait", "barrier"):
                        self.assertEqual(len(record["result"][f"{part}_by_cell"]), 3)

    def test_text_has_a_row_for_each_form_and_each_cell(self):
        lines = self.run_cells("gemm", "--size", "40", "--form", "put,send", *CELLS, "--repeat", "1",
                               "--verify").splitlines()
        self.assertEqual(lines[0], "gemm of 40, 3 cells (threads, scatter); medians of 1 round, beside the "
                                   "same work without communication")
        self.assertEqual(lines[1].split(), ["form", "GFLOP/s", "efficiency", "waiting", "seconds", "alone",
                                            "verified"])
        self.assertEqual([line.split()[0] for line in lines[2:4]], ["put", "send"])
        self.assertTrue(lines[2].rstrip().endswith("yes"))
        self.assertEqual(lines[5], "What each cell did, the mean of the rounds:")
        self.assertEqual([line.split()[:2] for line in lines[7:]],
                         [[form, str(cell)] for form in ("put", "send") for cell in range(3)])


class Scg(CellsTest):
    def test_has_the_iterations_of_one_cell(self):
        one, = self.records("scg", "--size", "30", "--cells", "1", "--repeat", "1", "--verify")
        for transport in TRANSPORTS:
            for record in self.records("scg", "--size", "30", "--form", ",".join(FORMS), *CELLS,
                                       "--transport", transport, "--repeat", "1", "--verify"):
                with self.subTest(transport=transport, form=record["parameters"]["form"]):
                    self.assertTrue(record["verified"])
                    for name in ("iterations", "residual", "error"):
                        self.assertEqual(record["result"][name], one["result"][name])

    def test_text_tells_of_the_solution(self):
        lines = self.run_cells("scg", "--size", "20", *CELLS, "--repeat", "1").splitlines()
        self.assertEqual(lines[1].split()[-2:], ["iterations", "error"])


class Pingpong(CellsTest):
    def test_has_every_way_and_size(self):
        for transport in TRANSPORTS:
            records = self.records("pingpong", "--size", "8,5K", "--cells", "2", "--oversubscribe",
                                   "--transport", transport, "--repeat", "2")
            found = {(r["parameters"]["way"], r["parameters"]["size"]) for r in records}
            ways = ("put", "get", "am", "send", "copy")
            self.assertEqual(found, {(way, size) for way in ways for size in (8, 5120)} |
                             {("by_hand", 8), ("put_short", 8)})
            for record in records:
                way, metrics = record["parameters"]["way"], record["metrics"]
                with self.subTest(**record["parameters"]):
                    self.assertEqual("latency_ns" in metrics, way != "copy")
                    self.assertEqual("bandwidth" in metrics, way not in ("by_hand", "put_short"))
                    self.assertEqual("latency_to_hand" in metrics,
                                     way != "copy" and record["parameters"]["size"] == 8)
                    for end in ("send", "receive"):
                        self.assertEqual(f"{end}_overhead_ns" in metrics, way not in ("by_hand", "copy"))

    def test_csv_has_a_row_for_each(self):
        text = self.run_cells("pingpong", "--size", "16", "--cells", "2", "--oversubscribe", "--repeat",
                              "1", "--format", "csv")
        rows = list(csv.DictReader(io.StringIO(text)))
        self.assertEqual([row["way"] for row in rows], ["by_hand", "put", "get", "am", "send", "copy"])
        self.assertGreater(float(rows[1]["latency_ns_median"]), 0)


class Pictures(CellsTest):
    def test_timeline_has_a_lane_for_each_cell_of_each_form(self):
        path = self.path("waits.svg")
        self.run_cells("gemm", "--size", "60", "--form", "put,send", *CELLS, "--repeat", "1", "--timeline", path)
        text = pathlib.Path(path).read_text()
        xml.etree.ElementTree.fromstring(text)
        self.assertEqual(text.count('<g class="lane">'), 6)
        self.assertIn("Who waits when: gemm of 60, 3 cells", text)

    def test_report_shows_who_waits_when(self):
        path = self.path("report.html")
        result = kinjo("cells", "scg", "--size", "20", *CELLS, "--repeat", "1", "--report", path,
                       env={"XDG_CACHE_HOME": str(self.folder)})
        self.assertEqual(result.returncode, 0, result.stderr)
        page = pathlib.Path(path).read_text()
        self.assertIn("Who waits when</h2>", page)
        self.assertEqual(page.count('<g class="lane">'), 3)

    def test_output_goes_to_a_file(self):
        path = self.path("records.json")
        self.assertEqual(self.run_cells("gemm", "--size", "10", "--cells", "1", "--repeat", "1", "--format", "json",
                                        "-o", path), "")
        self.assertEqual(json.loads(pathlib.Path(path).read_text())["schema"], "kinjo-records/1")


class Launch(CellsTest):
    def test_cells_find_each_other_and_the_first_one_speaks(self):
        result = kinjo("cells", "launch", *CELLS, "--", KINJO, "cells", "gemm", "--size", "40", "--repeat", "1",
                       "--verify", "--format", "json")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        record, = json.loads(result.stdout)["records"]
        self.assertEqual((record["threads"], record["policy"], record["verified"]), (3, "launcher", True))
        self.assertEqual(record["parameters"]["transport"], "launched")

    def test_status_of_the_cell_that_failed_is_passed_on(self):
        result = kinjo("cells", "launch", *CELLS, "--", "sh", "-c",
                       'case $KINJO_CELLS in 1:*) exit 7;; *) exec sleep 30;; esac')
        self.assertEqual(result.returncode, 7)
        self.assertIn("kinjo: cell 1 has ended with status 7\n", result.stderr)

    def test_program_that_cannot_be_started_is_named(self):
        result = kinjo("cells", "launch", *CELLS, "--", "/nowhere/halo", "--size", "40")
        self.assertEqual((result.returncode, result.stderr),
                         (2, "kinjo: cannot start /nowhere/halo: not found\n"))

    @unittest.skipUnless(shutil.which("mpirun"), "mpirun is not installed")
    def test_mpirun_starts_cells(self):
        environment = clean_environment(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        run = subprocess.run(["mpirun", "--oversubscribe", "-n", "3", KINJO, "cells", "scg", "--size", "20",
                              "--repeat", "1", "--verify", "--format", "json"],
                             env=environment, capture_output=True, text=True, timeout=120)
        self.assertEqual(run.returncode, 0, run.stderr)
        record, = json.loads(run.stdout)["records"]
        self.assertEqual((record["threads"], record["verified"]), (3, True))

    def test_refuses_another_number_of_cells_than_are_started(self):
        result = kinjo("cells", "launch", *CELLS, "--", KINJO, "cells", "gemm", "--size", "8", "--cells", "2")
        self.assertEqual(result.returncode, 2)
        self.assertIn("kinjo: --cells 2 in a process that was started as one of 3: the launcher decides how "
                      "many there are\n", result.stderr)

    def test_a_launch_is_for_one_program(self):
        cells = f"{KINJO} cells gemm --size 40 --repeat 1 --verify"
        # The first cell that is refused ends all, who have told by then what they found.
        meet = "touch $0/$$; while [ $(ls $0 | wc -l) -lt 3 ]; do sleep 0.02; done"
        with tempfile.TemporaryDirectory() as folder:
            result = kinjo("cells", "launch", *CELLS, "--", "sh", "-c", f"{cells} && {meet}; exec {cells}", folder)
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, r"kinjo: cell \d of this launch has joined before: a launch is for one "
                                        r"program\n")
        self.assertEqual(result.stdout.count("gemm of 40"), 1)

    def test_memory_that_was_closed_on_the_way_is_named(self):
        script = "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:]).returncode)"
        result = kinjo("cells", "launch", "--cells", "1", "--", sys.executable, "-c", script, KINJO, "cells", "gemm",
                       "--size", "8")
        self.assertEqual(result.returncode, 2)
        self.assertIn("kinjo: the memory that `kinjo cells launch` passed on as file descriptor ", result.stderr)

    def test_cells_of_other_hosts_take_no_memory_of_this_one(self):
        arguments = ("cells", "gemm", "--size", "1000", "--memory-limit", "4M", "--repeat", "1")
        started = {"PMIX_NAMESPACE": "none", "PMIX_RANK": "0", "OMPI_COMM_WORLD_SIZE": "64"}
        self.assertIn("4 MiB may be taken", self.refusal(*arguments, env=started))
        here = {"OMPI_COMM_WORLD_LOCAL_SIZE": "1", "OMPI_COMM_WORLD_LOCAL_RANK": "0"}
        result = kinjo(*arguments, env={**started, **here})
        self.assertNotEqual(result.returncode, 0)  # nobody has started the others
        self.assertNotIn("may be taken", result.stderr)

    def test_ends_of_children_that_the_starter_ignores_are_told_all_the_same(self):
        for command, status in (("true", 0), ("exit 7", 7)):
            result = kinjo("cells", "launch", *CELLS, "--", "sh", "-c", command,
                           preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
            self.assertEqual(result.returncode, status, result.stderr)

    def test_the_variable_for_their_number_is_not_theirs(self):
        result = kinjo("cells", "launch", *CELLS, "--", KINJO, "cells", "gemm", "--size", "8", "--repeat", "1",
                       env={"KINJO_THREADS": "2"})
        self.assertEqual(result.returncode, 0, result.stderr)


class EndingALaunch(CellsTest):
    """Nothing is left of what the programs have started, however all end."""

    def start(self, script, **options):
        """Two cells whose processes have each said a number."""
        launch = subprocess.Popen([KINJO, "cells", "launch", "--cells", "2", "--oversubscribe", "--", "sh", "-c",
                                   script], env=clean_environment(), text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, **options)
        self.addCleanup(launch.stderr.close)
        self.addCleanup(launch.stdout.close)
        self.addCleanup(launch.kill)
        return launch, [int(launch.stdout.readline()) for _ in range(2)]

    def assert_gone(self, processes):
        for process in processes:
            with self.assertRaises(ProcessLookupError):
                os.kill(process, 0)

    def test_a_signal_goes_to_the_programs_and_ends_what_they_have_started(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            launch, sleeping = self.start("trap 'echo trapped; exit 3' TERM; sleep 60 > /dev/null 2>&1 & echo $!; "
                                          "wait")
            launch.send_signal(number)
            self.assertEqual(launch.wait(timeout=30), -number)
            self.assertEqual(launch.stdout.read(), "trapped\n" * 2)
            self.assert_gone(sleeping)

    def test_a_cell_that_fails_ends_what_all_have_started(self):
        launch, sleeping = self.start("sleep 60 > /dev/null 2>&1 & echo $!; case $KINJO_CELLS in 1:*) sleep 0.3; "
                                      "exit 7;; *) wait;; esac")
        self.assertEqual(launch.wait(timeout=30), 7)
        self.assert_gone(sleeping)

    def test_what_programs_leave_behind_is_left_where_all_end_well(self):
        launch, sleeping = self.start("sleep 60 > /dev/null 2>&1 & echo $!")
        self.assertEqual(launch.wait(timeout=30), 0)
        for process in sleeping:
            os.kill(process, signal.SIGKILL)

    def test_a_signal_that_the_starter_ignores_is_ignored(self):
        launch, _ = self.start("echo $$; sleep 0.5; kill -HUP $$; echo here",
                               preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        launch.send_signal(signal.SIGHUP)
        self.assertEqual(launch.wait(timeout=30), 0)
        self.assertEqual(launch.stdout.read(), "here\n" * 2)


class Binding(CellsTest):
    @TWO_CPUS
    def test_processes_are_held_as_tightly_as_threads(self):
        nodes = self.json("topo")["nodes"]
        for bind in ("cpu", "node"):
            program = subprocess.Popen([KINJO, "cells", "gemm", "--size", "1500", "--repeat", "1000", "--cells", "1",
                                        "--transport", "processes", "--bind", bind], env=clean_environment(),
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                held = self.mask_of_the_busy_child(program)
            finally:
                program.kill()
                program.wait()
            if bind == "cpu":
                self.assertEqual(len(held), 1)
            else:
                self.assertIn(held, [set(node["cpus"]) & set(CPUS) for node in nodes])

    def mask_of_the_busy_child(self, program):
        """Once it has computed for a while: it has been pinned by then."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
                with contextlib.suppress(OSError):
                    fields = stat.read_text().rpartition(")")[2].split()
                    if int(fields[1]) == program.pid and int(fields[11]) > 30:
                        return os.sched_getaffinity(int(stat.parent.name))
            time.sleep(0.05)
        self.fail("no cell computes")


class Refusals(CellsTest):
    def test_bad_options_are_refused_with_what_is_accepted(self):
        for arguments, message in (
                (("gemm", "--form", "shove"), "unknown form 'shove': expected one of put, get, send, direct"),
                (("gemm", "--size", "x"), "'x' as a size: expected a number from 1 to 2^62, such as 1000 or 64K"),
                (("gemm", "--size", "8,9"), "'8,9' as a size: expected one number"),
                (("gemm", "--size", "1K", "--memory-limit", "1M", "--cells", "1"),
                 "gemm of 1024 takes 40.3 MiB: 1 MiB may be taken"),
                (("gemm", "--memory-limit", "much"),
                 "'much' as a memory limit: expected bytes, such as 512M or 2G"),
                (("gemm", "--transport", "pigeon"),
                 "unknown transport 'pigeon': expected one of auto, threads, processes"),
                (("gemm", "--timeline", "x.svg", "--report", "x.svg"),
                 "--timeline and --report name the same file, 'x.svg': expected two"),
                (("gemm", "--no-wait-trace", "--timeline", "x.svg"),
                 "--timeline draws what --no-wait-trace does not note"),
                (("launch",), "no command: expected one after --, as in kinjo cells launch -- ./program"),
                (("gemm", "--form", "shove", "--cells", "0"),
                 "unknown form 'shove': expected one of put, get, send, direct")):
            with self.subTest(arguments):
                self.assertEqual(self.refusal("cells", *arguments, cwd=self.folder), message)

    def test_programs_refuse_what_they_cannot_do(self):
        for arguments, message in (
                (("scg", "--size", "2", *CELLS), "2 rows for 3 cells: expected a row for each at least"),
                (("pingpong", "--cells", "1"), "a ping-pong of 1 cell: expected at least 2")):
            for transport in TRANSPORTS:
                with self.subTest(arguments, transport=transport):
                    result = kinjo("cells", *arguments, "--transport", transport)
                    self.assertEqual((result.returncode, result.stdout), (2, ""))
                    self.assertEqual(result.stderr.splitlines()[-1], f"kinjo: {message}")

    def test_needs_a_program(self):
        self.assertEqual(self.refusal("cells"),
                         "cells: no program: expected one of pingpong, gemm, scg, launch, model")
        self.refusal("cells", "fft")

    def test_nothing_is_left_in_shared_memory(self):
        before = set(os.listdir("/dev/shm"))
        self.run_cells("gemm", "--size", "20", *CELLS, "--transport", "processes", "--repeat", "1")
        self.assertEqual(set(os.listdir("/dev/shm")) - before, set())


class Help(CellsTest):
    def test_every_field_of_a_record_is_described(self):
        text = (ROOT / "docs" / "json.md").read_text().split("### cells\n")[1].split("\n## ")[0]
        described = set(re.findall(r"`(?:\w+\.)?(\w+)`", text))
        for program in ("pingpong", "gemm", "scg"):
            for record in self.records(program, "--size", "8", "--cells", "2", "--oversubscribe", "--repeat", "1"):
                names = {name for part in ("parameters", "metrics", "result") for name in record[part]}
                self.assertEqual(names - described, set(), program)

    def test_examples_stand_on_the_page_too(self):
        page = (ROOT / "docs" / "cells.md").read_text()
        for program in ("pingpong", "gemm", "scg", "launch"):
            shown = [line.removeprefix("Example: ") for line in
                     self.output("cells", program, "--help").splitlines() if line.startswith("Example: ")]
            self.assertTrue(shown)
            for example in shown:
                self.assertIn(f"$ {example}\n", page)


if __name__ == "__main__":
    unittest.main()
