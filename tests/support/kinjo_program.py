"""Runs the program `kinjo`, as CTest names it in KINJO, without the variables that it reads."""

import contextlib
import csv
import functools
import io
import json
import os
import pathlib
import pty
import re
import signal
import subprocess
import tempfile
import time
import unittest

KINJO = os.environ["KINJO"]
CPUS = sorted(os.sched_getaffinity(0))
TWO_CPUS = unittest.skipIf(len(CPUS) < 2, "needs two CPUs")
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MACHINES = ROOT / "tests" / "machines"
SERVER = str(MACHINES / "two_socket_server.xml")
TWO_NODES = "synthetic:pack:2 numa:1 core:2 pu:2"
SMALL = ("stream", "--elements", "1000", "--repeat", "1")  # STREAM in no time
VARIABLES = ("KINJO_", "OMP_", "GOMP_", "KMP_", "LD_PRELOAD", "HWLOC_")


@functools.cache
def temporary():
    """Where runs leave journals and the like; goes with this process."""
    return tempfile.TemporaryDirectory(prefix="kinjo-test-")


def clean_environment(**variables):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(VARIABLES)}
    kept.setdefault("TMPDIR", temporary().name)
    return {**kept, "LC_ALL": "C.UTF-8", **variables}


def kinjo(*arguments, env=None, **options):
    """Runs `kinjo ARGUMENTS…` to its end; `env` holds variables to set."""
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.run([KINJO, *arguments], env=clean_environment(**(env or {})), text=True,
                          errors="surrogateescape", timeout=600, **options)


def wait_until_heard(process, number):
    """Until a process looks for the signal itself, however long its start takes on a loaded machine.

    While it starts threads every signal that ends it waits for a moment, SIGQUIT too, and ends it then.
    """
    status = pathlib.Path(f"/proc/{process.pid}/status")
    while process.poll() is None:
        blocked = int(re.search(r"^SigBlk:\s*([0-9a-f]+)$", status.read_text(), re.MULTILINE)[1], 16)
        if blocked >> (number - 1) & 1 and not blocked >> (signal.SIGQUIT - 1) & 1:
            return
        time.sleep(0.01)


def read_terminal(terminal):
    """All that programs have written to it, now that they have ended."""
    parts = []
    with contextlib.suppress(OSError), open(terminal, "rb", buffering=0) as file:
        while part := file.read(65536):
            parts.append(part)
    return b"".join(parts).decode()


class KinjoTest(unittest.TestCase):
    """Expectations about one run."""

    maxDiff = None

    def output(self, *arguments, **options):
        """Standard output of a run that succeeds and has nothing else to say."""
        result = kinjo(*arguments, **options)
        self.assertEqual((result.returncode, result.stderr), (0, ""), arguments)
        return result.stdout

    def json(self, *arguments, **options):
        return json.loads(self.output(*arguments, "--format", "json", **options))

    def refusal(self, *arguments, status=2, **options):
        """The one line with which a run is refused, without the program's name."""
        result = kinjo(*arguments, **options)
        self.assertEqual(result.returncode, status, (arguments, result.stderr))
        self.assertIn(result.stdout, ("", None), arguments)
        self.assertRegex(result.stderr, r"\Akinjo: [^\n]+\n\Z", arguments)
        return result.stderr[len("kinjo: "):-1]

    def drawn(self, *arguments, **options):
        """What a run that succeeds draws on a terminal, which it wipes at its end."""
        terminal, device = pty.openpty()
        result = kinjo(*arguments, stderr=device, **options)
        os.close(device)
        drawn = read_terminal(terminal)
        self.assertEqual(result.returncode, 0, drawn)
        self.assertTrue(drawn.endswith("\r\x1b[K"), drawn)
        return drawn


class FolderTest(KinjoTest):
    """Expectations about runs that read and write files of a folder of their own."""

    PLACE = None  # where that folder lies

    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=self.PLACE)
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def path(self, name):
        return str(self.folder / name)


class ComputationTest(FolderTest):
    """Expectations about a computation that is measured in memory."""

    COMMAND = None  # its name
    TAKES = None    # what it says first, as a regular expression
    SMALL = ()      # arguments that make it short

    def measured(self, *arguments, **options):
        """Standard output of a run that succeeds and says nothing but what it takes."""
        result = kinjo(self.COMMAND, *arguments, **options)
        self.assertEqual(result.returncode, 0, (arguments, result.stderr))
        self.assertRegex(result.stderr, rf"\Akinjo: {self.TAKES}\n\Z")
        return result.stdout

    def records(self, *arguments, **options):
        return json.loads(self.measured(*arguments, "--format", "json", **options))["records"]

    def rows(self, *arguments):
        return list(csv.DictReader(io.StringIO(self.measured(*arguments, "--format", "csv"))))

    def page(self, *arguments):
        """The report of a run."""
        path = self.path("report.html")
        result = kinjo(self.COMMAND, *arguments, "--report", path,
                       env={"XDG_CACHE_HOME": str(self.folder)})
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(result.stderr.endswith(f"kinjo: the report is {path}\n"), result.stderr)
        return pathlib.Path(path).read_text()

    def assert_output_goes_to_a_file(self):
        path = self.path("records.json")
        self.assertEqual(self.measured(*self.SMALL, "--format", "json", "-o", path), "")
        self.assertEqual(json.loads(pathlib.Path(path).read_text())["schema"], "kinjo-records/1")

    def shown_examples(self):
        """The three examples of its help, which the page of all commands must show too."""
        examples = [line.removeprefix("Example: ") for line in
                    self.output(self.COMMAND, "--help").splitlines() if line.startswith("Example: ")]
        self.assertEqual(len(examples), 3)
        page = (ROOT / "docs" / "cli.md").read_text()
        for example in examples:
            self.assertIn(f"$ {example}\n", page)
        return examples


class Configured:
    """Tests that a ComputationTest of a command inherits, which measures the configurations it is given."""

    def seen(self, *arguments, **options):
        """The configurations that a short run has measured, and how each calls the library."""
        return [(r["policy"], r["threads"], r["result"]["calls"])
                for r in self.records(*self.SMALL, *arguments, **options)]

    def test_one_thread_is_left_alone_unless_a_policy_is_asked_for(self):
        self.assertEqual(self.seen(), [("none", 1, "one thread")])
        self.assertEqual(self.seen("--threads", "1"), [("none", 1, "one thread")])
        self.assertEqual(self.seen("--policy", "compact", "--threads", "1"),
                         [("compact", 1, "team")])
        self.assertEqual(self.seen(env={"KINJO_POLICY": "compact", "KINJO_THREADS": "1"}),
                         [("compact", 1, "team")])

    def test_policies_take_every_cpu_unless_told_otherwise(self):
        self.assertEqual(self.seen("--policy", "scatter"), [("scatter", len(CPUS), "team")])

    @TWO_CPUS
    def test_several_threads_are_a_team_that_is_scattered(self):
        self.assertEqual(self.seen("--threads", "1,2"),
                         [("none", 1, "one thread"), ("scatter", 2, "team")])
        self.assertEqual(self.seen("--policy", "none", "--policy", "compact", "--threads", "2"),
                         [("none", 2, "team"), ("compact", 2, "team")])
