"""kinjo where, from outside: real processes, and what the kernel says about them."""

import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from kinjo_program import CPUS, KINJO, TWO_CPUS, KinjoTest, clean_environment, kinjo  # noqa: E402

ROOT = unittest.skipUnless(os.getuid() == 0, "needs root to become another user")
GRAMMAR = ("expected e.g. 'node 0: 95%', 'nodes 0-1: >= 95%', 'threads on node 0: 100%', 'running "
           "threads on nodes 0,2: <= 50%' or 'local: 90%'")
SPIN = """import threading, sys
for _ in range({}):
    threading.Thread(target=lambda: [0 for _ in iter(int, 1)], daemon=True).start()
print('ready', flush=True)
sys.stdin.read()"""


def node_of(cpu):
    """By the kernel."""
    link = next(pathlib.Path(f"/sys/devices/system/cpu/cpu{cpu}").glob("node*"), None)
    return int(link.name[4:]) if link else 0


def state_of(pid):
    return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]


def pages_by_node(pid):
    """Bytes by node in the kernel's numa_maps."""
    bytes_of = {}
    for line in pathlib.Path(f"/proc/{pid}/numa_maps").read_text().splitlines():
        unit = re.search(r" kernelpagesize_kB=(\d+)", line)
        for node, count in re.findall(r" N(\d+)=(\d+)", line):
            bytes_of[int(node)] = bytes_of.get(int(node), 0) + int(count) * int(unit[1]) * 1024
    return bytes_of


class WhereTest(KinjoTest):
    def start(self, *command, **options):
        """A process that has said `ready` and lives until the test ends."""
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   env=clean_environment(), **options)
        def stop():
            process.stdin.close()
            process.kill()
            process.wait()
            process.stdout.close()
        self.addCleanup(stop)
        self.assertEqual(process.stdout.readline(), b"ready\n")
        return process

    def hold(self, *before, **options):
        """One that sleeps; no Python, whose files other users may not see."""
        process = self.start(*before, "sh", "-c", "echo ready; read line", **options)
        self.within_a_minute(lambda: state_of(process.pid) == "S")
        return process

    def within_a_minute(self, holds):
        """Asks again until it holds: how soon depends on the machine's load."""
        end = time.monotonic() + 60
        while not holds():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)

    def look(self, pid, *arguments):
        return self.json("where", str(pid), *arguments)["looks"][0]


class Processes(WhereTest):
    def test_a_pinned_process_is_on_its_cpu(self):
        process = self.hold("taskset", "-c", str(CPUS[-1]))
        look = self.look(process.pid)
        thread, = look["threads"]
        self.assertEqual((thread["tid"], thread["cpu"], thread["allowed_cpus"], thread["node"]),
                         (process.pid, CPUS[-1], [CPUS[-1]], node_of(CPUS[-1])))
        self.assertEqual((thread["state"], thread["running"]), ("S", False))
        self.assertTrue(look["locality"]["none_running"])

    def test_pages_are_those_of_numa_maps(self):
        process = self.hold()
        try:
            expected = pages_by_node(process.pid)
        except OSError as error:
            self.skipTest(f"no numa_maps here: {error}")
        memory = self.look(process.pid)["memory"]
        # A kernel short of memory takes pages away from who sleeps.
        while (now := pages_by_node(process.pid)) != expected:
            expected = now
            memory = self.look(process.pid)["memory"]
        self.assertEqual({n["node"]: n["bytes"] for n in memory["nodes"]}, expected)
        self.assertEqual(memory["bytes"], sum(expected.values()))
        self.assertEqual(memory["mapping_count"], len(memory["mappings"]))
        self.assertAlmostEqual(sum(n["share"] for n in memory["nodes"]), 1)

    def test_move_pages_agrees_with_numa_maps(self):
        process = self.hold()
        pages = None
        while pages != (pages := pages_by_node(process.pid)):
            both = [self.look(process.pid, "--source", source)["memory"]
                    for source in ("numa_maps", "move_pages")]
        self.assertEqual([memory["source"] for memory in both], ["numa_maps", "move_pages"])
        # Each counts a few pages that the other does not (of zeros, of the kernel's own).
        self.assertAlmostEqual(both[0]["bytes"], both[1]["bytes"], delta=64 * 4096)

    def test_threads_that_spin_are_running(self):
        process = self.start(sys.executable, "-c", SPIN.format(1))
        looks = []
        def one_runs():
            """It may take a while until the other one reads and sleeps."""
            looks[:] = self.json("where", str(process.pid), "--every", "0.3", "--looks", "2")["looks"]
            states = {t["tid"]: t["running"] for t in looks[1]["threads"]}
            return not states.pop(process.pid) and list(states.values()) == [True]
        self.within_a_minute(one_runs)
        self.assertFalse(looks[1]["locality"]["none_running"])
        self.assertIsNone(looks[0]["drift"])
        self.assertGreater(looks[1]["drift"]["seconds"], 0.2)

    def test_many_threads_are_folded_by_node(self):
        script = SPIN.format(40).replace("lambda: [0 for _ in iter(int, 1)]", "threading.Event().wait")
        process = self.start(sys.executable, "-c", script)
        text = self.output("where", str(process.pid))
        self.assertRegex(text, r"^process \d+ \(python3[^)]*\): 41 threads, \d+ running, ")
        self.assertRegex(text, r"\nnode +threads +running +on CPUs +may use +migrations +names\n")
        self.assertLess(len(text.splitlines()), 25)
        every = self.output("where", str(process.pid), "-v")
        self.assertEqual(len(re.findall(r"\n *\d+  python3", every)), 41)

    @TWO_CPUS
    def test_drift_shows_a_thread_that_was_pinned_elsewhere(self):
        process = self.hold("taskset", "-c", str(CPUS[0]))
        watch = subprocess.Popen([KINJO, "where", str(process.pid), "--every", "0.5"],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertIn("1 thread, 0 running", watch.stdout.readline())
        os.sched_setaffinity(process.pid, {CPUS[1]})
        process.stdin.write(b"x")  # a sleeper changes its CPU when it wakes
        process.stdin.flush()
        line = next(line for line in watch.stdout if " → " in line)
        watch.send_signal(signal.SIGINT)
        _, notes = watch.communicate(timeout=60)
        self.assertEqual((watch.returncode, notes), (0, ""))
        self.assertRegex(line, rf"thread {process.pid} \(sh\): .*may use {CPUS[0]} → {CPUS[1]}\n$")

    def test_largest_mappings_are_listed(self):
        process = self.hold()
        for arguments, count in ((["--largest", "2"], 2), (["--largest", "0"], 0)):
            mappings = self.look(process.pid, *arguments)["memory"]["mappings"]
            self.assertEqual(len(mappings), count)
        mappings = self.look(process.pid)["memory"]["mappings"]
        self.assertGreater(len(mappings), 10)
        sizes = [mapping["bytes"] for mapping in mappings]
        self.assertEqual(sizes, sorted(sizes, reverse=True))

    def test_csv_has_rows_of_each_kind(self):
        process = self.hold()
        text = self.output("where", str(process.pid), "--format", "csv", "--every", "0.1", "--looks", "2")
        rows = [line.split(",") for line in text.splitlines()]
        self.assertEqual(rows[0], ["look", "seconds", "kind", "id", "name", "state", "running", "cpu",
                                   "node", "allowed_cpus", "migrations", "bytes", "share"])
        self.assertEqual({(row[0], row[2]) for row in rows[1:]},
                         {(look, kind) for look in "01" for kind in ("thread", "node", "mapping")})

    def test_output_goes_to_a_file(self):
        process = self.hold()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "report.json")
            self.assertEqual(self.output("where", str(process.pid), "--format", "json", "--output",
                                         path, "--expect", "node 0: 0%"), "")
            report = json.loads(pathlib.Path(path).read_text())
            self.assertEqual(os.listdir(folder), ["report.json"])
        self.assertEqual((report["schema"], report["pid"]), ("kinjo-where/1", process.pid))
        self.assertEqual(report["expectations"][0]["expectation"], "node 0: >= 0 %")
        self.assertTrue(report["expectations"][0]["satisfied"])


class Refusals(WhereTest):
    BAD_USAGE = [
        ([], "no process: expected a PID, or -- and a command"),
        (["--"], "no process: expected a PID, or -- and a command"),
        (["0"], "'0' is no process: expected a PID from 1 on, or -- and a command"),
        (["-7"], "'-7' is no process: expected a PID from 1 on, or -- and a command"),
        (["12x"], "'12x' is no process: expected a PID from 1 on, or -- and a command"),
        (["99999999999"],
         "'99999999999' is no process: expected a PID from 1 on, or -- and a command"),
        (["999999999"], "there is no process 999999999"),
        (["1", "2"], "expected one PID, or -- and a command: got '1 2'"),
        (["1", "--every", "0"],
         "'0' seconds for --every: expected a number from 0.001 to 1000000"),
        (["1", "--every", "x"],
         "'x' seconds for --every: expected a number from 0.001 to 1000000"),
        (["1", "--after", "-1"], "'-1' seconds for --after: expected a number from 0 to 1000000"),
        (["1", "--looks", "0"], "'0' for --looks: expected a number from 1 to 1000000000"),
        (["1", "--largest", "-1"], "'-1' for --largest: expected a number from 0 to 1000000000"),
        (["1", "--source", "smaps"], "unknown source 'smaps': expected auto, numa_maps or move_pages"),
        (["1", "--format", "xml"], "unknown format 'xml': expected text, json, csv"),
        (["1", "--expect", "node 0"], f"malformed expectation 'node 0': {GRAMMAR}"),
        (["1", "--expect", "node 0: 95"], f"malformed expectation 'node 0: 95': {GRAMMAR}"),
        (["1", "--output", "/absent/file"],
         "cannot write '/absent/file': No such file or directory"),
    ]

    def test_bad_usage_is_refused_with_what_is_accepted(self):
        for arguments, message in self.BAD_USAGE:
            with self.subTest(arguments):
                self.assertEqual(self.refusal("where", *arguments), message)

    def test_a_node_that_does_not_exist_is_refused(self):
        self.assertRegex(self.refusal("where", "1", "--expect", "node 900: 5%"),
                         r"^node 900 of the expectation 'node 900: 5%' does not exist: expected nodes "
                         r"of [0-9,-]+$")

    def test_a_kernel_thread_is_refused(self):
        try:
            name = pathlib.Path("/proc/2/comm").read_text().strip()
        except OSError:
            name = ""
        if name != "kthreadd":
            self.skipTest("the kernel's threads cannot be seen here")
        self.assertEqual(self.refusal("where", "2"),
                         "process 2 (kthreadd) is a thread of the kernel: it has no memory of its own")

    def test_a_zombie_is_refused(self):
        process = subprocess.Popen(["sh", "-c", "exit 0"])
        self.addCleanup(process.wait)
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        self.assertEqual(self.refusal("where", str(process.pid)),
                         f"process {process.pid} (sh) has ended, and its parent has not asked for its "
                         "status (a zombie): it has neither threads nor memory")

    def test_a_threads_number_is_refused(self):
        process = self.start(sys.executable, "-c", SPIN.format(1))
        tid = next(tid for tid in map(int, os.listdir(f"/proc/{process.pid}/task"))
                   if tid != process.pid)
        self.assertEqual(self.refusal("where", str(tid)),
                         f"{tid} is a thread of process {process.pid}: expected the number of the "
                         "process")

    def test_a_process_that_ends_meanwhile_ends_the_watch(self):
        process = self.hold()
        watch = subprocess.Popen([KINJO, "where", str(process.pid), "--every", "0.2"],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertIn("1 thread", watch.stdout.readline())
        process.kill()
        process.wait()
        _, notes = watch.communicate(timeout=60)
        self.assertEqual(watch.returncode, 0)
        self.assertRegex(notes, rf"^kinjo: process {process.pid} ended after look \d+\n$")

    def test_a_process_that_ends_before_the_first_look_is_refused(self):
        process = subprocess.Popen(["sleep", "0.3"])
        watch = subprocess.Popen([KINJO, "where", str(process.pid), "--after", "30"],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        process.wait()
        text, notes = watch.communicate(timeout=60)
        self.assertEqual((watch.returncode, text), (2, ""))
        # It is a zombie until it is waited for here, and may end in the middle of a glance at it.
        self.assertRegex(notes, rf"^kinjo: (there is no process {process.pid}|process {process.pid} "
                                r"\(sleep\) (has ended, [^\n]*|ended while it was looked at))\n$")

    def test_processes_that_come_and_go_never_break_a_look(self):
        for _ in range(40):
            process = subprocess.Popen(["true"])
            result = kinjo("where", str(process.pid))
            process.wait()
            self.assertIn(result.returncode, (0, 2))
            if result.returncode == 2:
                self.assertEqual(result.stdout, "")
                self.assertRegex(result.stderr, rf"^kinjo: (there is no process|process) {process.pid}"
                                                r"[^\n]*\n$")

    @ROOT
    def test_another_users_pages_are_missing_and_threads_are_not(self):
        process = self.hold()
        nobody = {"user": 65534, "group": 65534, "extra_groups": []}
        try:
            result = kinjo("where", str(process.pid), "--expect", "threads on node 0: 0%", **nobody)
        except PermissionError:
            self.skipTest("the build tree is closed to other users")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("1 thread, 0 running, pages unknown\n", result.stdout)
        self.assertEqual(result.stderr,
                         f"kinjo: cannot see the pages of process {process.pid} (sh): "
                         f"/proc/{process.pid}/task/{process.pid}/numa_maps returned EACCES; it belongs "
                         "to user 0: run kinjo as that user, as root or with CAP_SYS_PTRACE\n")
        result = kinjo("where", str(process.pid), "--expect", "node 0: 0%", **nobody)
        self.assertEqual(result.returncode, 2)
        self.assertTrue(result.stderr.endswith(
            "\nkinjo: expected node 0: >= 0 %: cannot be checked, since the pages are unknown\n"))

    @ROOT
    def test_own_processes_need_no_root(self):
        nobody = {"user": 65534, "group": 65534, "extra_groups": []}
        process = self.hold(**nobody)
        try:
            result = kinjo("where", str(process.pid), "--format", "json", **nobody)
        except PermissionError:
            self.skipTest("the build tree is closed to other users")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertGreater(json.loads(result.stdout)["looks"][0]["memory"]["bytes"], 1 << 20)


class Expectations(WhereTest):
    def test_those_that_hold_are_said_to_hold(self):
        process = self.hold("taskset", "-c", str(CPUS[0]))
        text = self.output("where", str(process.pid), "--expect", "threads on nodes "
                           f"{node_of(CPUS[0])}: 100%", "--expect", "local: >= 0%")
        self.assertIn(f"as expected: threads on node {node_of(CPUS[0])}: >= 100 %, found 100.0 % "
                      "(1 of 1)\nas expected: local: >= 0 %, found ", text)

    def test_those_that_do_not_hold_end_with_status_1(self):
        process = self.hold("taskset", "-c", str(CPUS[0]))
        node = node_of(CPUS[0])
        result = kinjo("where", str(process.pid), "--expect", f"threads on node {node}: <= 50%",
                       "--expect", f"node {node}: 0%", "--expect", f"running threads on node {node}: 1%")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr,
                         f"kinjo: expected threads on node {node}: <= 50 %: found 100.0 % (1 of 1)\n"
                         f"kinjo: expected running threads on node {node}: >= 1 %: found no running "
                         "thread\n")
        self.assertIn(f"as expected: node {node}: >= 0 %, found ", result.stdout)

    def test_they_hold_in_every_look(self):
        process = self.hold()
        result = kinjo("where", str(process.pid), "--every", "0.1", "--looks", "3", "--expect",
                       "threads on node 0: <= 0%", "--format", "json")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"in look 1\n$")
        expectation, = json.loads(result.stdout)["expectations"]
        self.assertEqual((expectation["satisfied"], expectation["percent"], expectation["look"]),
                         (False, 100, 0))


class Commands(WhereTest):
    def command(self, *arguments, **options):
        result = kinjo("where", *arguments, **options)
        return result.returncode, result.stdout, result.stderr

    def command_seen(self, *arguments, script="", **options):
        """The same for a script of the shell that sleeps at its end long enough to be looked at; how
        long that is depends on the machine's load."""
        for seconds in (3, 12, 48):
            result = self.command("--after", "0.2", *arguments, "--", "sh", "-c",
                                  script.replace("SECONDS", str(seconds)), **options)
            if "before the look" not in result[2]:
                break
        return result

    def test_streams_and_status_are_the_commands_own(self):
        status, out, notes = self.command_seen(
            script="read line; echo $line; sleep SECONDS; exit 7", input="hello\n")
        self.assertEqual((status, out), (7, "hello\n"))
        self.assertRegex(notes, r"^process \d+ \(sh\): 1 thread, ")

    def test_a_signal_that_ends_the_command_gives_a_shells_status(self):
        self.assertEqual(self.command("--after", "0", "--", "sh", "-c", "sleep 2; kill -TERM $$")[0],
                         128 + signal.SIGTERM)

    def test_signals_reach_the_command(self):
        process = subprocess.Popen([KINJO, "where", "--", "sh", "-c",
                                    "trap 'exit 42' TERM; echo ready; while :; do sleep 0.01; done"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(process.stdout.readline(), b"ready\n")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 42)

    def test_a_process_that_is_being_ended_is_not_looked_at(self):
        """Its memory goes before its threads do: such a look would show a thread without a page."""
        hold = "kept=$(head -c 30000000 /dev/zero | tr '\\0' a)"
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder, "report")
            for _ in range(8):
                kinjo("where", "--after", "0", "--every", "0.001", "--format", "json", "--output",
                      str(report), "--", "sh", "-c", hold)
                looks = json.loads(report.read_text())["looks"]
                self.assertGreater(min(look["memory"]["bytes"] for look in looks), 0)

    def test_an_expectation_that_fails_beats_its_status(self):
        status, _, notes = self.command_seen("--expect", "threads on node 0: <= 0%",
                                             script="exec sleep SECONDS")
        self.assertEqual(status, 1)
        self.assertTrue(notes.endswith(
            "\nkinjo: expected threads on node 0: <= 0 %: found 100.0 % (1 of 1)\n"), notes)

    def test_a_command_that_is_faster_than_the_look_is_told(self):
        told = "kinjo: true ended before the look after 30 s: expected an earlier one (--after)\n"
        self.assertEqual(self.command("--after", "30", "--", "true"), (0, "", told))
        self.assertEqual(self.command("--after", "30", "--", "sh", "-c", "exit 9"),
                         (9, "", told.replace("true", "sh")))
        self.assertEqual(self.command("--after", "30", "--expect", "node 0: 0%", "--", "true"),
                         (2, "", told))

    def test_a_command_that_a_signal_ended_before_the_look_is_told_so(self):
        self.assertEqual(self.command("--after", "30", "--", "sh", "-c", "kill -INT $$"),
                         (130, "", "kinjo: sh was ended by signal 2 before the look after 30 s\n"))

    def test_a_status_above_128_is_no_signal(self):
        self.assertEqual(self.command("--after", "30", "--", "sh", "-c", "exit 200"),
                         (200, "", "kinjo: sh ended before the look after 30 s: expected an earlier one "
                                   "(--after)\n"))

    def test_a_command_that_cannot_be_started_is_told(self):
        self.assertEqual(self.command("--", "no-such-command"),
                         (127, "", "kinjo: cannot start no-such-command: not found\n"))
        with tempfile.NamedTemporaryFile() as file:
            self.assertEqual(self.command("--", file.name),
                             (126, "", f"kinjo: cannot start {file.name}: not an executable file\n"))

    def test_a_pipe_that_cannot_be_made_is_told_and_exec_is_not_blamed(self):
        few = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (5, 5))  # noqa: E731
        self.assertEqual(self.command("--", "sleep", "0", preexec_fn=few),
                         (126, "", "kinjo: cannot start sleep: pipe2 returned EMFILE\n"))

    @TWO_CPUS
    def test_kinjo_run_is_seen_to_pin(self):
        for after in (1.5, 6, 24):  # how soon a program has begun depends on the machine's load
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "report.json")
                status, out, notes = self.command(
                    "--after", str(after), "--format", "json", "--output", path, "--",
                    KINJO, "run", "--policy", f"cpus:{CPUS[1]},{CPUS[0]}", "--", sys.executable, "-c",
                    "import threading, time\n"
                    f"t = threading.Thread(target=time.sleep, args=({after + 3},))\nt.start()\nt.join()")
                self.assertEqual((status, out, notes), (0, "", ""))
                report = json.loads(pathlib.Path(path).read_text())
            threads = report["looks"][0]["threads"]
            if len(threads) == 2:
                break
        self.assertEqual([t["allowed_cpus"] for t in threads], [[CPUS[1]], [CPUS[0]]])
        self.assertEqual(report["command"][:2], [KINJO, "run"])

    def test_an_output_that_is_full_is_an_error(self):
        status, _, notes = self.command_seen("--output", "/dev/full", script="exec sleep SECONDS")
        self.assertEqual((status, notes),
                         (2, "kinjo: cannot write '/dev/full': No space left on device\n"))

    def test_a_report_that_standard_error_does_not_take_is_an_error(self):
        with open("/dev/full", "w") as full:
            for seconds in (2, 12, 48):  # until a look is in time
                status = kinjo("where", "--after", "0.2", "--", "sleep", str(seconds),
                               stderr=full).returncode
                if status == 2:
                    break
        self.assertEqual(status, 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
