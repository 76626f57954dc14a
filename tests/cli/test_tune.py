"""kinjo tune: sweeps over programs and workloads, their verdicts, and what becomes of those that
fail, are interrupted, or were asked for wrongly."""

import csv
import html
import io
import json
import os
import pathlib
import resource
import shlex
import signal
import subprocess
import sys
import time
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from kinjo_program import CPUS, KINJO, ROOT, TWO_CPUS, FolderTest, clean_environment, kinjo  # noqa: E402

SPIN = str(pathlib.Path(os.environ["KINJO_BUILD"]) / "tests/tune/programs/spin")
BRIEF = ("--repeat", "2", "--pairs", "6")  # as few runs as a verdict needs
# Prints a figure that depends on the placement alone: 1 where it is held to one CPU, else 2.
HELD = ("grep Cpus_allowed_list /proc/self/status | grep -q '[-,]' && echo score 2 || "
        "echo score 1")
EQUAL = "echo score 5"
SCORE = ("--metric", "score ([0-9]+)")
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
                    "BLIS_NUM_THREADS", "RAYON_NUM_THREADS", "NUMEXPR_NUM_THREADS",
                    "JULIA_NUM_THREADS", "GOMAXPROCS")


def is_gone(pid):
    for _ in range(100):
        try:
            if ") Z " in pathlib.Path(f"/proc/{pid}/stat").read_text():
                return True
        except OSError:
            return True
        time.sleep(0.02)
    return False


class TuneTest(FolderTest):
    def setUp(self):
        super().setUp()
        left = unittest.mock.patch.dict(os.environ, TMPDIR=str(self.folder))  # journals are
        left.start()
        self.addCleanup(left.stop)

    def tune(self, *arguments, status=0, **options):
        result = kinjo("tune", *arguments, **options)
        self.assertEqual(result.returncode, status, (arguments, result.stdout, result.stderr))
        return result

    def tune_script(self, script, *options, **more):
        return self.tune(*BRIEF, *options, "--", "/bin/sh", "-c", script, **more)

    def sweep(self, script, *options, **more):
        return json.loads(self.tune_script(script, "--format", "json", *options, **more).stdout)


class Verdict(TuneTest):
    @TWO_CPUS
    def test_names_the_placement_that_wins_with_the_lines_to_paste(self):
        result = self.tune_script(HELD, *SCORE, "--threads", "1")
        lines = result.stdout.splitlines()
        command = "/bin/sh -c '" + HELD.replace("'", "'\\''") + "'"
        self.assertEqual(lines[0], command)
        self.assertEqual(lines[1].split(), ["policy", "threads", "metric", "spread", "x", "default",
                                            "samples", "status"])
        self.assertEqual(lines[2].split()[:2], ["none", "its"])
        self.assertRegex(lines[4], r"^scatter = compact = compact-plus +1 +1 +1 to 1 +2.000 +8 +best$")
        self.assertEqual(
            lines[5],
            "Best: scatter with 1 thread (metric 1), 2.000 (95 %: 2.000 to 2.000) times as good as "
            "the default (metric 2) in 6 pairs of runs.")
        cpu = CPUS[0]
        told = " ".join(f"{name}=1" for name in THREAD_VARIABLES)
        self.assertEqual([line.replace(told, "TOLD").split(None, 2)
                          if line.startswith("  kinjo run") else
                          line.replace(told, "TOLD").split(None, 1) for line in lines[6:]],
                         [["kinjo", "run", f"TOLD kinjo run --policy scatter --threads 1 -- {command}"],
                          ["OMP_PLACES", f"TOLD OMP_PLACES='{{{cpu}}}' "
                                         f"OMP_PROC_BIND=close {command}"],
                          ["numactl", f"TOLD numactl --physcpubind={cpu} {command}"],
                          ["taskset", f"TOLD taskset --cpu-list {cpu} {command}"],
                          ["srun", f"TOLD srun --ntasks=1 --cpus-per-task=1 "
                                   f"--cpu-bind=mask_cpu:{hex(1 << cpu)} {command}"]])

    @TWO_CPUS
    def test_pasted_line_gives_the_same_placement(self):
        sweep = self.sweep(HELD, *SCORE, "--threads", "1")
        lines = sweep["verdicts"][0]["lines"]
        for name, program in (("kinjo run", KINJO), ("taskset", "taskset")):
            line = lines[name].replace("kinjo run", KINJO + " run", 1)
            with self.subTest(line):
                printed = subprocess.run(line, shell=True, env=clean_environment(), text=True,
                                         stdout=subprocess.PIPE, timeout=60).stdout
                self.assertEqual(printed, "score 1\n", program)

    def test_pasted_line_tells_the_number_of_threads_as_the_sweep_did(self):
        for variable in ("GOMAXPROCS", "MINE"):
            script = f'test "${variable}" = 1 && echo score 1 || echo score 2'
            sweep = self.sweep(script, *SCORE, "--threads", "1", "--policies", "none",
                               "--thread-variable", "MINE")
            for name, line in sweep["verdicts"][0]["lines"].items():
                with self.subTest(line):
                    printed = subprocess.run(line.replace("kinjo run", KINJO + " run", 1),
                                             shell=True, env=clean_environment(), text=True,
                                             stdout=subprocess.PIPE, timeout=60).stdout
                    self.assertEqual(printed, "score 1\n", name)

    def test_says_that_nothing_differs_where_nothing_does(self):
        result = self.tune_script(EQUAL, *SCORE)
        self.assertIn(
            "\nNo placement differs measurably from the default (metric 5): the best of the others, "
            "none with 1 thread (metric 5), is 1.000 (95 %: 1.000 to 1.000) times as good in 6 "
            "pairs of runs.\n", result.stdout)

    @TWO_CPUS
    def test_says_that_the_default_is_best_where_it_is(self):
        result = self.tune_script(HELD, *SCORE, "--better", "higher", "--threads", "1",
                                  "--policies", "scatter")
        sentence = result.stdout.splitlines()[-1]
        # None with one thread is not held to a CPU either.
        self.assertTrue(sentence.startswith("No placement differs measurably"), sentence)
        verdict, = self.sweep(HELD, *SCORE, "--better", "higher")["verdicts"]
        self.assertFalse(verdict["recommends"])
        self.assertEqual(verdict["lines"], {})

    @TWO_CPUS
    def test_threads_that_fight_over_a_cpu_are_given_one_each(self):
        # In real time, so it must come before whatever else runs here: where many programs wait
        # for every CPU, it is true that a second one makes no difference.
        try:
            os.setpriority(os.PRIO_PROCESS, os.getpid(), -20)
        except PermissionError:
            if os.getloadavg()[0] > 0.5:
                self.skipTest("needs an idle machine, or the right to come first on it")
        else:
            self.addCleanup(os.setpriority, os.PRIO_PROCESS, os.getpid(), 0)
        sweep = json.loads(self.tune("--policies", "scatter", "--threads", "2", "--repeat", "2",
                                     "--pairs", "9", "--format", "json", "--", SPIN, "40").stdout)
        verdict, = sweep["verdicts"]
        self.assertTrue(verdict["recommends"], verdict)
        best = sweep["records"][verdict["best"]]
        self.assertEqual((best["policy"], best["threads"]), ("scatter", 2))
        self.assertEqual(verdict["metric"], "seconds")

    def test_number_of_threads_reaches_arguments_and_variables(self):
        script = 'test "$0" = "$OMP_NUM_THREADS" -a "$0" = "$MINE" && echo same'
        result = kinjo("tune", *BRIEF, "--thread-variable", "MINE", "--threads", "1,2",
                       "--oversubscribe", "--format", "json", "--", "/bin/sh", "-c", script,
                       "{threads}")
        self.assertEqual(result.returncode, 1 if len(CPUS) not in (1, 2) else 0, result.stderr)
        records = json.loads(result.stdout)["records"]
        self.assertEqual({r["parameters"]["thread_count"] for r in records}, {"told"})
        for record in records:
            self.assertNotIn("fault", record["result"], record)


class Formats(TuneTest):
    def test_json_holds_a_record_for_each_configuration_and_the_verdict(self):
        sweep = self.sweep("echo score 5; sleep 0.01", *SCORE, "--policies", "none,scatter")
        self.assertEqual(sweep["schema"], "kinjo-records/1")
        verdict, = sweep["verdicts"]
        self.assertEqual(set(verdict), {"workload", "metric", "better", "baseline", "best", "pairs",
                                        "gain", "low", "high", "least_gain", "differs",
                                        "recommends", "sentence", "lines"})
        self.assertEqual((verdict["metric"], verdict["better"], verdict["pairs"]),
                         ("metric", "lower", 6))
        baseline = sweep["records"][verdict["baseline"]]
        self.assertEqual(baseline["parameters"]["thread_count"], "its own")
        self.assertEqual(list(baseline["metrics"]),
                         ["metric", "seconds", "cpu_seconds", "max_resident_bytes"])
        self.assertEqual(len(baseline["metrics"]["seconds"]["samples"]), 8)
        self.assertGreaterEqual(baseline["metrics"]["seconds"]["value"], 0.01)
        others = [r for i, r in enumerate(sweep["records"])
                  if i not in (verdict["baseline"], verdict["best"])]
        for record in others:
            self.assertEqual(len(record["metrics"]["seconds"]["samples"]), 2)

    def test_json_names_the_memory_policy_that_was_tried(self):
        records = self.sweep(EQUAL, "--threads", "1", "--policies", "none", "--memory", "inherited,local")["records"]
        self.assertEqual([record.get("memory") for record in records], [None, None, "local"])

    def test_csv_has_a_row_for_each_configuration_and_metric(self):
        text = self.tune_script(EQUAL, "--format", "csv", "--threads", "1").stdout
        rows = list(csv.DictReader(io.StringIO(text)))
        self.assertEqual({row["metric"] for row in rows},
                         {"seconds", "cpu_seconds", "max_resident_bytes"})
        self.assertEqual([row["status"] for row in rows if row["policy"] == "none"][:1],
                         ["default"])
        scatter = next(row for row in rows if row["policy"] == "scatter")
        self.assertEqual((scatter["same_as"], scatter["threads"], scatter["unit"]),
                         ("compact compact-plus", "1", "s"))

    def test_it_says_beforehand_what_it_will_do(self):
        stderr = self.tune_script(EQUAL, "--threads", "1").stderr
        self.assertRegex(stderr, r"\Akinjo: /bin/sh -c 'echo score 5': 2 rounds of 3 configurations, "
                                 r"then 6 pairs of runs: about \d+ s\n\Z")

    def test_report_is_one_page_with_verdict_and_records(self):
        page = self.folder / "report.html"
        result = self.tune_script(EQUAL, "--report", str(page), *SCORE)
        self.assertIn(f"kinjo: the report is {page}\n", result.stderr)
        text = page.read_text()
        self.assertIn("No placement differs measurably from the default", text)
        self.assertIn("kinjo-records/1", text)
        self.assertEqual(list(self.folder.iterdir()), [page])


class Workloads(TuneTest):
    SMALL = ("--set", "elements=1000", *BRIEF)

    def test_stream_is_swept_inside_this_process(self):
        sweep = json.loads(self.tune("stream", *self.SMALL, "--format", "json").stdout)
        verdict, = sweep["verdicts"]
        self.assertEqual((verdict["workload"], verdict["metric"], verdict["better"]),
                         ("stream", "triad", "higher"))
        for record in sweep["records"]:
            self.assertEqual(record["workload"], "stream")
            self.assertEqual(record["parameters"]["elements"], 1000)
            self.assertNotIn("fault", record["result"])

    def test_several_workloads_have_a_verdict_each(self):
        sweep = json.loads(self.tune("stream", "stream", *self.SMALL, "--threads", "1",
                                     "--format", "json").stdout)
        first, second = sweep["verdicts"]
        self.assertEqual(second["baseline"], len(sweep["records"]) // 2)
        self.assertEqual(first["baseline"], 0)

    def test_a_list_of_graphs_is_a_sweep_of_each_and_a_figure_over_their_sizes(self):
        page = self.folder / "report.html"
        command = ("paths", "--set", "graph=grid:3,grid:4", "--set", "method=diagram", *BRIEF, "--threads", "1",
                   "--policies", "scatter")
        result = self.tune(*command, "--report", str(page))
        for name in ("paths grid:3", "paths grid:4"):
            self.assertIn(f"kinjo: {name}: 2 rounds of ", result.stderr)
            self.assertIn(f"{name}\npolicy ", result.stdout)
        text = page.read_text()
        for part in ("<h1>Placement of paths</h1>", " Over sizes of the graph</h2>",
                     "<h3>seconds over N, grid:N, 1 thread</h3>", "kinjo paths grid:8 --method diagram"):
            self.assertIn(part, text)
        sweep = json.loads(self.tune(*command, "--format", "json").stdout)
        self.assertEqual([verdict["workload"] for verdict in sweep["verdicts"]], ["paths grid:3", "paths grid:4"])
        self.assertEqual({(record["workload"], record["parameters"]["graph"]) for record in sweep["records"]},
                         {("paths", "grid:3"), ("paths", "grid:4")})

    def test_lines_to_paste_are_taken_by_the_commands(self):
        for text in (ROOT / "tests/report/workload_lines.txt").read_text().splitlines():
            if text and not text.startswith("#"):
                with self.subTest(text):
                    result = kinjo(*shlex.split(text.split("|")[2])[1:], cwd=self.folder)
                    self.assertEqual(result.returncode, 0, result.stderr)

    def test_lists_of_graphs_are_of_rules(self):
        for graphs, refused in (("grid:3,grid:x", "grid:x"), ("grid:3,roads.gr", "grid:3,roads.gr")):
            self.assertEqual(self.refusal("tune", "paths", "--set", f"graph={graphs}"),
                             f"'{refused}' as a graph: expected grid:RxC or grid:N, such as grid:8x8")

    def test_a_command_of_that_name_is_asked_for_after_two_dashes(self):
        self.assertEqual(self.refusal("tune", "--", "stream"), "cannot start stream: not found")


class Failures(TuneTest):
    def test_default_that_fails_ends_the_sweep_at_once(self):
        count = self.folder / "count"
        result = self.tune_script(f"echo run >>{count}; echo broken >&2; exit 3", status=1)
        self.assertEqual(count.read_text(), "run\n")
        self.assertEqual(result.stderr, "kinjo: none, its own threads: exit status 3\n"
                                        "kinjo:   it wrote: broken\n")
        self.assertTrue(result.stdout.endswith(
            "\nNothing can be compared: the default fails (exit status 3).\n"))

    def test_configuration_that_fails_is_named_and_left_out(self):
        script = 'test "$OMP_NUM_THREADS" = 1 && exit 3; echo score 5'
        result = self.tune_script(script, *SCORE, "--threads", "1,2", "--oversubscribe",
                                  "--policies", "none")
        self.assertIn("kinjo: none, 1 thread: exit status 3\n", result.stderr)
        self.assertRegex(result.stdout, r"\nnone +1 +- +- +- +0 +out: exit status 3\n")
        self.assertIn("No placement differs measurably", result.stdout)

    def test_time_out_and_differing_output_are_left_out_too(self):
        script = 'test "$OMP_NUM_THREADS" = 1 && {}; echo score 5'
        for fault, what in (("sleep 100", "did not end within 1 s"),
                            ("echo WRONG", "its output differs from the default's (--ignore names what may)"),
                            ("{ echo good bye; exit; }",
                             "--metric 'score ([0-9]+)' matches nothing in its output")):
            with self.subTest(fault):
                result = self.tune_script(script.format(fault), *SCORE, "--threads", "1,2",
                                          "--oversubscribe", "--policies", "none", "--timeout", "1")
                self.assertIn(f"kinjo: none, 1 thread: {what}\n", result.stderr)
                self.assertIn("No placement differs measurably", result.stdout)

    def test_nothing_left_to_compare_is_a_bad_result(self):
        script = 'test -n "$OMP_NUM_THREADS" && exit 3; echo score 5'
        result = self.tune_script(script, "--threads", "1", status=1)
        self.assertTrue(result.stdout.endswith(
            "\nNothing can be compared: every configuration but the default failed.\n"))

    def test_output_that_varies_by_itself_is_not_compared(self):
        result = self.tune_script("date +%N | tr 0-9 a-j", "--threads", "1")
        self.assertIn("kinjo: the default's output varies from run to run, so outputs are not "
                      "compared; name what may vary with --ignore\n", result.stderr)
        result = self.tune_script("date +%N | tr 0-9 a-j", "--threads", "1", "--ignore", "[a-j]+")
        self.assertNotIn("varies", result.stderr)

    def test_one_round_does_not_hide_that_output_varies_by_itself(self):
        result = self.tune("--repeat", "1", "--pairs", "6", "--threads", "1", "--", "/bin/sh", "-c",
                           "date +%N | tr 0-9 a-j")
        self.assertIn("kinjo: the default's output varies from run to run", result.stderr)

    def test_metric_may_have_a_plus_sign(self):
        self.tune_script("echo score +5e0", "--metric", r"score (\S+)", "--threads", "1")

    def test_outputs_of_one_name_are_refused(self):
        one, other = (str(self.folder / name) for name in ("one", "other"))
        for first, second in (("--report", "--picture"), ("--report", "--journal"), ("--picture", "--journal")):
            message = self.refusal("tune", first, one, second, one, "--", "true")
            self.assertEqual(message, f"{first} and {second} name the same file, '{one}': expected two")
        self.tune_script(EQUAL, "--threads", "1", "--journal", one)
        self.assertIn("--report and --resume name the same file",
                      self.refusal("tune", "--resume", one, "--report", one))
        self.assertFalse(os.path.exists(other))

    def test_journal_stays_where_what_was_found_cannot_be_written(self):
        result = self.tune_script(EQUAL, "--threads", "1", "--report", "/dev/full", status=2,
                                  env={"TMPDIR": str(self.folder)})
        journal, = self.folder.iterdir()
        self.assertIn(f"kinjo: the runs so far are in {journal}\n", result.stderr)
        page = self.folder / "page.html"
        self.tune("--resume", str(journal), "--report", str(page))
        self.assertEqual(list(self.folder.iterdir()), [page])


class Interrupted(TuneTest):
    SLEEPS = "echo $$ >>{folder}/runs; sleep 0.1; echo score 5"

    def start(self, *options):
        script = self.SLEEPS.format(folder=self.folder)
        return subprocess.Popen([KINJO, "tune", *BRIEF, "--threads", "1", *options, "--",
                                 "/bin/sh", "-c", script], env=clean_environment(), text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def pids(self):
        try:
            return (self.folder / "runs").read_text().split()
        except OSError:
            return []

    def wait_for_runs(self, count):
        for _ in range(3000):
            if len(self.pids()) >= count:
                return
            time.sleep(0.01)
        self.fail("no runs")

    def test_sweep_goes_on_where_it_was_interrupted(self):
        journal = self.folder / "journal"
        for signal_number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal_number):
                for file in self.folder.iterdir():
                    file.unlink()
                process = self.start("--journal", str(journal))
                self.wait_for_runs(6)
                process.send_signal(signal_number)
                stdout, stderr = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 128 + signal_number)
                self.assertEqual(stdout, "")
                self.assertRegex(stderr.splitlines()[-1],
                                 rf"^kinjo: interrupted after \d+ of 21 runs, which {journal} keeps; "
                                 rf"go on by: kinjo tune --resume {journal}$")
                for pid in self.pids():
                    self.assertTrue(is_gone(pid), "no program is left behind")
                kept = len(journal.read_text().splitlines()) - 1
                with journal.open("a") as file:
                    file.write('{"phase":"scr')  # as a crash leaves it
                before = len(self.pids())
                sweep = json.loads(self.tune("--resume", str(journal), "--format", "json").stdout)
                self.assertEqual(len(self.pids()) - before, 21 - kept, "no run is done again")
                self.assertEqual(sweep["verdicts"][0]["pairs"], 6)
                lines = journal.read_text().splitlines()
                self.assertEqual(len(lines), 22)
                self.assertEqual([json.loads(line) for line in lines][0]["schema"],
                                 "kinjo-tune-journal/1")
                self.assertEqual(self.refusal("tune", "--resume", str(journal), "--bind", "core"),
                                 f"--bind core contradicts the journal {journal}, whose sweep has "
                                 "--bind cpu")
                again = json.loads(self.tune("--resume", str(journal), "--format", "json").stdout)
                self.assertEqual(again, sweep, "a whole journal is as good as the sweep")

    def test_journal_without_a_name_is_kept_only_while_it_is_needed(self):
        process = self.start()
        self.wait_for_runs(2)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
        journal = shlex.split(stderr)[-1]
        self.tune("--resume", journal)
        self.assertFalse(os.path.exists(journal))

    def test_quit_leaves_no_program_behind(self):
        process = self.start()
        self.wait_for_runs(1)
        process.send_signal(signal.SIGQUIT)
        _, stderr = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 128 + signal.SIGQUIT)
        self.assertIn("kinjo tune --resume", stderr)
        self.assertTrue(is_gone(self.pids()[-1]))

    def test_workload_finishes_its_run_unless_asked_twice(self):
        journal = self.folder / "journal"
        with subprocess.Popen([KINJO, "tune", "graph500", "--set", "scale=14", "--set", "roots=20000",
                               "--threads", "1", "--policies", "compact", "--journal", str(journal)], text=True,
                              env=clean_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            while not journal.exists():
                time.sleep(0.01)
            time.sleep(0.5)  # the run has begun
            for _ in range(2):  # as `timeout` sends it, to the process and to its group
                process.send_signal(signal.SIGINT)
            self.assertEqual(process.stderr.readline(),
                             f"kinjo: the run that has begun is finished first; once more ends it at once, and {journal} "
                             f"keeps those before it; go on by: kinjo tune --resume {journal}\n")
            time.sleep(0.5)
            self.assertIsNone(process.poll())
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.communicate(timeout=30), ("", ""))
            self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertEqual(len(journal.read_text().splitlines()), 1)

    def test_report_of_a_resumed_sweep_has_its_own_name(self):
        journal, page = self.folder / "journal", self.folder / "new report.html"
        for before in ((), ("--report", str(self.folder / "old.html")), (f"--report={self.folder}/old.html",)):
            journal.unlink(missing_ok=True)
            self.tune_script(EQUAL, "--threads", "1", "--journal", str(journal), *before)
            self.tune("--resume", str(journal), "--report", str(page))
            again = html.unescape(page.read_text()).split("This report again", 1)[1].split("</pre>")[0]
            self.assertIn(f"kinjo tune --repeat 2 --pairs 6 --threads 1 --journal {journal} --report "
                          f"'{page}' -- /bin/sh -c 'echo score 5'", again)

    def test_program_does_not_outlive_kinjo(self):
        process = self.start()
        self.wait_for_runs(1)
        process.kill()
        process.communicate(timeout=60)
        self.assertTrue(is_gone(self.pids()[0]))


class Refusals(TuneTest):
    def test_bad_usage_is_refused_with_what_is_accepted(self):
        command = ("--", "true")
        for arguments, message in [
                ((), "nothing to tune: expected a workload, e.g. kinjo tune stream, or a command, "
                     "e.g. kinjo tune -- ./program"),
                (("nothing",), "unknown workload 'nothing': expected blas1, cells, fft, gemm, graph500, "
                              "paths, sdp, stream, or a command after --"),
                (("--", "/absent/program"), "cannot start /absent/program: not found"),
                (("--", "/etc/passwd"), "cannot start /etc/passwd: not an executable file"),
                (("--metric", "(", *command),
                 "--metric '(' is no regular expression: missing ): ("),
                (("--metric", "[0-9]+", *command),
                 "--metric '[0-9]+' has 0 groups: expected one, around the number, e.g. 'Triad: "
                 "+([0-9.]+)'"),
                (("--ignore", "*", *command),
                 "--ignore '*' is no regular expression: no argument for repetition operator: *"),
                (("--least-gain", "nan", *command),
                 "--least-gain: 'nan' per cent: expected a number from 0 to 1000"),
                (("--better", "more", "--metric", "(.)", *command),
                 "unknown direction 'more' of --better: expected higher or lower"),
                (("--better", "lower", *command),
                 "--better is for a metric of the command's own: expected --metric too"),
                (("--set", "a=1", *command), "--set is for workloads, not commands"),
                (("stream", "--metric", "(.)"), "--metric is for commands: workloads have their own"),
                (("stream", "--ignore", "x"),
                 "--ignore is for commands: workloads check themselves"),
                (("stream", "--timeout", "1"), "--timeout is for commands, not workloads"),
                (("stream", "--memory", "local"),
                 "--memory is for commands: workloads place their memory by their threads"),
                (("stream", "--set", "elements"),
                 "--set 'elements': expected NAME=VALUE, e.g. elements=1000000"),
                (("stream", "--set", "size=1"),
                 "stream has no parameter 'size': expected elements, pages, stores"),
                (("paths", "--set", "size=1"),
                 "paths has no parameter 'size': expected graph, kind, from, to, components, "
                 "degrees, order, method"),
                (("stream", "--set", "elements=0"),
                 "'0' elements: expected a number from 1 to 2^62, such as 16M or 2^24"),
                (("stream", "--set", "pages=few"),
                 "unknown pages 'few': expected one of normal, transparent, huge"),
                (("--threads", "0", *command), "'0' threads: expected a number from 1 to 1048576"),
                (("--bind", "socket", *command),
                 "unknown binding 'socket': expected cpu, core or node"),
                (("--openmp", "maybe", *command),
                 "unknown answer 'maybe' to --openmp: expected auto, yes or no"),
                (("--memory", "far", *command),
                 "unknown memory policy 'far': expected local, interleave, interleave:NODES, "
                 "bind:NODES or preferred:NODES, e.g. bind:0-1"),
                (("--pairs", "3", *command),
                 "--pairs: '3' pairs: expected a number from 6, the fewest that allow a verdict, to "
                 "10000"),
                (("--thread-variable", "A=B", *command),
                 "--thread-variable: 'A=B' is no name of a variable: expected one such as "
                 "MY_THREADS"),
                (("--thread-variable", "", *command),
                 "--thread-variable: '' is no name of a variable: expected one such as MY_THREADS"),
                (("--resume", "/absent", "--repeat", "3"), "--resume excludes --repeat"),
                (("--resume", "/absent"),
                 "cannot read '/absent': No such file or directory"),
                (("--resume", "/tmp"), "cannot read '/tmp': Is a directory"),
                (("--resume", "/etc/passwd"),
                 "line 1 of the journal /etc/passwd: expected one object of JSON with the fields "
                 "of docs/json.md"),
                (("--journal", "/absent/journal", *command),
                 "cannot make the journal /absent/journal: No such file or directory")]:
            with self.subTest(arguments):
                self.assertEqual(self.refusal("tune", *arguments), message)

    def test_metric_that_matches_nothing_is_one_line(self):
        self.assertEqual(self.refusal("tune", "--metric", "rate ([0-9]+)", "--", "echo", "5"),
                         "--metric 'rate ([0-9]+)' matches nothing in its output")

    def test_unknown_policy_is_refused(self):
        self.assertIn("unknown policy 'scatter,bogus'",
                      self.refusal("tune", "--policies", "scatter,bogus", "--", "true"))

    def test_report_that_cannot_be_written_is_refused_before_the_first_run(self):
        count = self.folder / "count"
        message = self.refusal("tune", "--report", str(self.folder / "absent" / "report.html"),
                               "--", "/bin/sh", "-c", f"echo run >>{count}")
        self.assertIn("absent", message)
        self.assertFalse(count.exists())

    def test_report_onto_a_full_device_is_an_error(self):
        result = self.tune_script(EQUAL, "--threads", "1", "--report", "/dev/full", status=2)
        self.assertRegex(result.stderr.splitlines()[-1], r"/dev/full.*No space left on device")

    def test_journal_that_cannot_be_begun_leaves_no_file(self):
        limited = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # noqa: E731
        for arguments in ((), ("--journal", str(self.folder / "journal"))):
            result = subprocess.run(
                [KINJO, "tune", *BRIEF, *arguments, "--", "true"], text=True, capture_output=True,
                env={**clean_environment(), "TMPDIR": str(self.folder)}, timeout=60,
                preexec_fn=lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN), limited()))
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertRegex(result.stderr, r"\Akinjo: cannot write the journal .*: File too large\n\Z")
            self.assertEqual(list(self.folder.iterdir()), [])

    def test_times_that_are_none_are_refused_in_one_short_line(self):
        for option in ("--budget", "--timeout"):
            for value in ("abc", "0", "-1", "nan", "inf", "1e9"):
                self.assertEqual(self.refusal("tune", option, value, "--", "true"),
                                 f"{option}: '{value}' seconds: expected a number from 0.001 to "
                                 "1000000")

    def test_budget_that_is_too_short_is_refused(self):
        result = self.tune("--threads", "1", "--budget", "0.5", "--", "sleep", "0.1", status=2)
        self.assertRegex(result.stderr, r"\Akinjo: a budget of 0.5 s is too short: 1 round of 3 "
                                        r"configurations and 6 pairs take [\d.]+ s with the "
                                        r"warm-up; expected at least that, or fewer "
                                        r"configurations\n\Z")

    def test_budget_plans_rounds_and_pairs(self):
        result = self.tune("--threads", "1", "--budget", "6", "--format", "json", "--",
                           "sleep", "0.1")
        pairs = json.loads(result.stdout)["verdicts"][0]["pairs"]
        self.assertGreaterEqual(pairs, 6)
        self.assertLessEqual(pairs, 30)

    def test_journal_of_another_sweep_is_refused(self):
        journal = self.folder / "journal"
        self.tune("--threads", "1", *BRIEF, "--journal", str(journal), "--", "true")
        lines = journal.read_text().splitlines()
        header = json.loads(lines[0])
        header["tasks"][0]["configurations"][-1]["cpus"] = [4711]
        journal.write_text("\n".join([json.dumps(header), *lines[1:]]) + "\n")
        self.assertEqual(self.refusal("tune", "--resume", str(journal)),
                         f"the journal {journal} is of another machine, or this process may use "
                         "other CPUs than then: expected the same configurations")
        journal.write_text("\n".join([lines[0], lines[2], *lines[2:]]) + "\n")
        self.assertEqual(self.refusal("tune", "--resume", str(journal)),
                         f"line 2 of the journal {journal}: expected warm_up 0 of configuration 0 "
                         "with 3 values")

    def test_damaged_journal_is_refused_with_the_line(self):
        journal = self.folder / "journal"
        self.tune("--threads", "1", *BRIEF, "--journal", str(journal), "--", "true")
        whole = journal.read_text()
        for found, put, message in [
                ('"keep":true', '"keep":0', "line 1 of the journal {}: expected the settings of a sweep"),
                ('"tasks":', '"other":' + "[" * 100_000 + "]" * 100_000 + ',"tasks":',
                 "line 1 of the journal {}: expected at most 32 levels of JSON")]:
            self.assertIn(found, whole)
            journal.write_text(whole.replace(found, put, 1))
            self.assertEqual(self.refusal("tune", "--resume", str(journal)), message.format(journal))


if __name__ == "__main__":
    unittest.main(verbosity=2)
