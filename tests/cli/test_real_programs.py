"""Programs that know nothing of kinjo, through kinjo run, where and tune: each uses several threads
in the way of its language or library, and the kernel is asked where they may run.

CTest runs one class at a time. The programs are in tests/programs; rounds.h says how they behave.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import time
import typing
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from kinjo_program import CPUS, KINJO, TWO_CPUS, KinjoTest, clean_environment, kinjo  # noqa: E402

SOURCES = pathlib.Path(__file__).resolve().parent.parent / "programs"
BUILT = pathlib.Path(os.environ["KINJO_BUILD"]) / "tests/programs"
COUNTS = ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "GOMAXPROCS", "JDK_JAVA_OPTIONS",
          "JAVA_TOOL_OPTIONS")  # variables of the tester's own, which would decide instead
TWO_THREADS = ("--policy", "scatter", "--threads", "2")
PATIENCE = 120  # seconds; a busy machine may keep a program waiting


class Thread(typing.NamedTuple):
    """What the kernel says about a thread."""

    name: str
    mask: typing.Tuple[int, ...]
    ticks: int  # of CPU time since it started


def cpu_list(text):
    """The CPUs of a list such as 0-2,5."""
    cpus = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        cpus += range(int(first), int(last or first) + 1)
    return tuple(cpus)


def threads_of(pid):
    """The threads of a process by number."""
    found = {}
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        try:
            status = dict(line.split(":", 1) for line in
                          (task / "status").read_text().splitlines())
            stat = (task / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        found[int(task.name)] = Thread(status["Name"].strip(),
                                       cpu_list(status["Cpus_allowed_list"].strip()),
                                       int(stat[11]) + int(stat[12]))
    return found


def places(policy_options):
    """The CPUs of the mapping's places, in order."""
    table = json.loads(kinjo("map", *policy_options, "--format", "json").stdout)
    return [place["cpu"] for place in table["threads"]]


class RealProgram(KinjoTest):
    """What holds for all of them. A subclass names its program, or why it is not there."""

    note = ""  # of kinjo run, on standard error

    def command(self):
        raise NotImplementedError

    def is_worker(self, thread):
        """Whether it is one of those among which the program divides its work."""
        return thread.ticks >= 5

    def start(self, *options):
        """The program under `kinjo run`, once two threads of it have worked."""
        process = subprocess.Popen(
            [KINJO, "run", *options, "--", *self.command()], env=self.environment(),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.put_away, process)
        self.assertEqual(process.stdout.readline(), "threads 2\n")
        self.assertRegex(process.stdout.readline(), r"^result \d+\n$")
        end = time.monotonic() + PATIENCE
        while len(self.workers(process.pid)) < 2 and time.monotonic() < end:
            time.sleep(0.05)
        return process

    @staticmethod
    def environment():
        return {k: v for k, v in clean_environment().items() if k not in COUNTS}

    @staticmethod
    def put_away(process):
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()

    def workers(self, pid):
        return {tid: thread for tid, thread in threads_of(pid).items() if self.is_worker(thread)}

    def finish(self, process):
        """The input ends, and so does the program; `kinjo run` has told its note and no more."""
        _, stderr = process.communicate(timeout=PATIENCE)
        self.assertEqual((process.returncode, stderr), (0, self.note))

    def expect_masks(self, pid):
        """The two workers have a CPU each, and the mapping's CPUs are those."""
        masks = [thread.mask for thread in self.workers(pid).values()]
        self.assertEqual(sorted(masks), sorted((cpu,) for cpu in places(TWO_THREADS)),
                         threads_of(pid))

    def expect_where_to_agree(self, pid):
        """kinjo where reports the threads, names and masks that the kernel has."""
        for _ in range(20):
            before = threads_of(pid)
            report = self.json("where", str(pid), "--largest", "0")
            if before.keys() == threads_of(pid).keys():
                break  # none came or went meanwhile
        look, = report["looks"]
        self.assertEqual({t["tid"]: (t["name"], tuple(t["allowed_cpus"]))
                          for t in look["threads"]},
                         {tid: (thread.name, thread.mask) for tid, thread in before.items()})
        for thread in look["threads"]:
            self.assertIn(thread["cpu"], thread["allowed_cpus"])
        self.assertGreater(look["memory"]["bytes"], 1 << 20)

    def run_pins_and_where_agrees(self):
        process = self.start(*TWO_THREADS)
        self.expect_masks(process.pid)
        self.expect_where_to_agree(process.pid)
        self.finish(process)

    def tune(self, *options):
        """The sweep's records by policy and told number of threads, and its one verdict. The figure
        of merit is the number of threads that the program has."""
        result = kinjo("tune", "--policies", "scatter", "--repeat", "1", "--pairs", "6", "--metric",
                       "threads ([0-9]+)", "--better", "higher", "--format", "json", *options, "--",
                       *self.command(), env={name: "" for name in COUNTS if name in os.environ})
        self.assertEqual(result.returncode, 0, result.stderr)
        sweep = json.loads(result.stdout)
        self.assertEqual(sweep["schema"], "kinjo-records/1")
        verdict, = sweep["verdicts"]
        records = {}
        for index, record in enumerate(sweep["records"]):
            self.assertNotIn("fault", record["result"], record)
            told = record["parameters"]["thread_count"] == "told"
            default = index == verdict["baseline"]
            key = "default" if default else (record["policy"], record["threads"] if told else None)
            records[key] = record
        return records, verdict

    def expect_numbers_of_threads(self, *counts):
        """The program has as many threads as each configuration tells it, and in the end no placement
        has more of them than the default: one for each CPU."""
        records, verdict = self.tune("--threads", ",".join(map(str, counts)))
        for key, record in records.items():
            expected = len(CPUS) if key == "default" else key[1]
            self.assertEqual(set(record["metrics"]["metric"]["samples"]), {expected}, key)
        told = {("none", n) for n in counts} | {("scatter", n) for n in counts}
        self.assertEqual(records.keys() - {"default"}, told)
        self.assertFalse(verdict["recommends"], verdict)
        self.assertRegex(verdict["sentence"], "^No placement (differs measurably from|is better than) "
                                              "the default ")
        return records


@TWO_CPUS
class OpenMp(RealProgram):
    def command(self):
        return [str(BUILT / "openmp_sum")]

    def test_its_runtime_pins_each_thread(self):
        self.run_pins_and_where_agrees()

    def test_it_is_tuned(self):
        self.expect_numbers_of_threads(1, 2)


@TWO_CPUS
class OpenBlas(RealProgram):
    def command(self):
        program = BUILT / "openblas_dgemm"
        if not program.exists():
            self.skipTest("no OpenBLAS with threads of its own to build against")
        return [str(program)]

    def test_each_thread_is_pinned(self):
        self.run_pins_and_where_agrees()

    def test_it_is_tuned(self):
        self.expect_numbers_of_threads(1, 2)


@TWO_CPUS
class NumPy(RealProgram):
    def command(self):
        for python in (sys.executable, "/usr/bin/python3"):
            show = [python, "-c", "import numpy; print('libopenblas' in open('/proc/self/maps').read())"]
            found = subprocess.run(show, capture_output=True, text=True, check=False)
            if found.stdout == "True\n":
                return [python, str(SOURCES / "numpy_matmul.py")]
        return self.skipTest("no Python with a NumPy that uses OpenBLAS")

    def test_each_thread_of_its_library_is_pinned(self):
        # OpenBLAS is loaded when the main thread is pinned already, and counts CPUs then.
        self.run_pins_and_where_agrees()

    def test_it_is_tuned(self):
        self.expect_numbers_of_threads(1, 2)


@TWO_CPUS
class Java(RealProgram):
    # The virtual machine starts threads for itself before the program's and may do so in between.
    STEADY = ("-XX:+UseSerialGC", "-XX:-UseDynamicNumberOfCompilerThreads")
    options = ()

    def command(self):
        if shutil.which("java") is None:
            self.skipTest("no java")
        return ["java", *self.STEADY, *self.options, str(SOURCES / "Sums.java")]

    def is_worker(self, thread):
        return thread.name.startswith("sum-") and thread.ticks >= 5

    def test_threads_that_the_program_starts_in_a_row_are_pinned(self):
        self.run_pins_and_where_agrees()

    def test_its_virtual_machine_is_pinned_too(self):
        process = self.start(*TWO_THREADS)
        of_places = [(cpu,) for cpu in places(TWO_THREADS)]
        for thread in threads_of(process.pid).values():
            self.assertIn(thread.mask, of_places, thread)
        self.finish(process)

    def test_it_counts_places_as_its_processors(self):
        # Asked of a thread that is pinned to one CPU of the two.
        for threads in ("1", "2"):
            result = subprocess.run([KINJO, "run", "--threads", threads, "--", *self.command()],
                                    env=self.environment(), stdin=subprocess.DEVNULL, text=True,
                                    capture_output=True, timeout=PATIENCE, check=False)
            self.assertEqual((result.stdout.split()[:2], result.stderr, result.returncode),
                             (["threads", threads], "", 0))

    def test_it_is_tuned(self):
        self.options = ("-XX:ActiveProcessorCount={threads}",)
        self.expect_numbers_of_threads(1)


@TWO_CPUS
class Go(RealProgram):
    """Its runtime starts threads by clone itself, in an executable without the C library: they are
    held to the CPUs of all places together."""

    MESSAGE = "{} {}; its threads are not pinned one by one, all of them may use CPUs {}"
    OBSTACLE = "is statically linked"
    CGO = "0"
    program = str(BUILT / "sums_go")
    source = SOURCES / "sums.go"

    @classmethod
    def setUpClass(cls):
        go = shutil.which("go")
        if go is None:
            raise unittest.SkipTest("no go")
        BUILT.mkdir(parents=True, exist_ok=True)
        # Nothing is fetched: it needs the standard library alone.
        environment = {**os.environ, "GOCACHE": str(BUILT / "go_cache"), "GO111MODULE": "off",
                       "GOTOOLCHAIN": "local", "GOFLAGS": "", "CGO_ENABLED": cls.CGO}
        built = subprocess.run([go, "build", "-o", cls.program, str(cls.source)],
                               env=environment, capture_output=True, text=True, check=False)
        if built.returncode != 0:
            raise unittest.SkipTest(f"this go builds no programs: {built.stderr.strip()[-200:]}")

    def command(self):
        return [self.program]

    def message(self, cpus):
        low, high = min(cpus), max(cpus)
        joint = "-" if high == low + 1 else ","
        return self.MESSAGE.format(self.program, self.OBSTACLE,
                                   low if low == high else f"{low}{joint}{high}")

    def expect_masks(self, pid):
        both = tuple(sorted(places(TWO_THREADS)))
        self.assertEqual({thread.mask for thread in threads_of(pid).values()}, {both})
        self.assertGreaterEqual(len(self.workers(pid)), 2)

    def test_its_threads_are_held_to_all_places_together(self):
        self.note = f"kinjo: {self.message(places(TWO_THREADS))}\n"
        self.run_pins_and_where_agrees()

    def test_it_is_tuned_and_the_records_say_that_it_is_not_pinned(self):
        records = self.expect_numbers_of_threads(1, 2)
        for threads in (1, 2):
            told = records["scatter", threads]["result"]["placement_message"]
            self.assertEqual(told, self.message(
                places(("--policy", "scatter", "--threads", str(threads)))))
            self.assertNotIn("placement_message", records["none", threads]["result"])


@TWO_CPUS
class GoWithC(Go):
    """The same program linked with the C library, which then starts the threads."""

    OBSTACLE = "is a Go program, whose goroutines wander from thread to thread"
    CGO = "1"
    program = str(BUILT / "sums_cgo")
    source = BUILT / "sums_cgo.go"

    @classmethod
    def setUpClass(cls):
        if shutil.which("gcc") is None:
            raise unittest.SkipTest("no gcc, which cgo calls")
        BUILT.mkdir(parents=True, exist_ok=True)
        text = (SOURCES / "sums.go").read_text()
        cls.source.write_text(text.replace("package main\n", 'package main\n\nimport "C"\n', 1))
        super().setUpClass()


if __name__ == "__main__":
    unittest.main(verbosity=2)
