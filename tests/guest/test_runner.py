"""Tests of the guest runner: the machine is as the shape says, and every end is told apart."""

import os
import signal
import subprocess
import time
import unittest

from guest_case import EVERYTHING, RUN, GuestCase
from lab import shapes

QUICK = ("sparse",)  # test_placement looks at others through kinjo
LOOK = """
cd /sys/devices/system
for n in node/node*; do
  echo "node ${n##*node} $(cat $n/cpulist) : $(cat $n/distance) : $(grep -o 'MemTotal.*' $n/meminfo)"
done
echo "online $(cat cpu/online)"
for c in cpu/cpu[0-9]*; do
  [ -d $c/topology ] && echo "cpu ${c##*cpu} $(cat $c/topology/physical_package_id) \
$(cat $c/topology/thread_siblings_list)"
done
true
"""


def numbers(cpu_list):
    """[0, 2, 3] from "0,2-3"."""
    found = []
    for part in filter(None, cpu_list.split(",")):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def look(text):
    """What LOOK printed: {node: (cpus, distances, KiB)} and {cpu: (package, siblings)}."""
    nodes, cpus = {}, {}
    for line in text.splitlines():
        words = line.split(" ")
        if words[0] == "node":
            head, distances, memory = line.split(" : ")
            cpu_list = head.split(" ")[2]
            size = int(memory.split()[1])
            nodes[int(words[1])] = (numbers(cpu_list), list(map(int, distances.split())), size)
        elif words[0] == "cpu":
            cpus[int(words[1])] = (int(words[2]), numbers(words[3]))
    return nodes, cpus


class ShapeTest(GuestCase):
    """Linux sees each machine as its shape describes it."""

    def test_linux_sees_the_machines_as_given(self):
        for shape in shapes.ALL:
            if EVERYTHING or shape.name in QUICK:
                with self.subTest(shape=shape.name):
                    run = self.boot(shape.name, "sh", "-c", LOOK)
                    self.assertEqual((run.returncode, run.stderr), (0, ""))
                    self.compare(shape, *look(run.stdout))

    def compare(self, shape, nodes, cpus):
        expected = shape.linux_cpus()
        self.assertEqual({node: seen[0] for node, seen in nodes.items()}, expected)
        for node, (_, distances, size) in nodes.items():
            self.assertEqual(distances, [shape.distances[node][other] for other in expected])
            given = shape.memory_mib(node) * 1024
            self.assertLessEqual(size, given)
            self.assertGreaterEqual(size, given * 0.8)
        for cpu, (package, siblings) in cpus.items():
            first = cpu - cpu % shape.threads
            self.assertEqual(siblings, list(range(first, first + shape.threads)))
            if not shape.absent:
                self.assertEqual(package, cpu // (shape.cores * shape.threads))

    def test_the_firmware_of_hmat_tells_latency_and_bandwidth(self):
        show = "cd /sys/devices/system/node; cat node*/access0/initiators/read_*"
        run = self.boot("hmat", "sh", "-c", show)
        self.assertEqual(run.stdout.split(), ["64000", "90", "64000", "90", "24000", "250"])

    @unittest.skipUnless(EVERYTHING, "KINJO_LAB=all only")
    def test_three_levels_of_vector_instructions_can_be_chosen(self):
        for cpu, has, lacks in (
            ("Haswell", "avx2", "avx512f"),
            ("SandyBridge", "avx", "avx2"),
            ("Nehalem", "sse4_2", "avx"),
        ):
            run = self.boot("one-cpu", "cat", "/proc/cpuinfo", options=["--cpu", cpu])
            flags = run.stdout.split("flags\t")[1].splitlines()[0].split()
            self.assertIn(has, flags)
            self.assertNotIn(lacks, flags)


class CommandTest(GuestCase):
    """The command's arguments go in, its output and status come out."""

    def test_output_is_unchanged_and_apart_from_errors_and_from_the_kernel(self):
        # No terminal, lest programs show progress; what is left running does not hold the guest up.
        script = "[ -t 1 ] || [ -t 2 ] && echo terminal; sleep 1000 & "
        script += r'printf "a\r\n\0\377\n"; echo oops >&2; echo noise >/dev/kmsg; exit 7'
        command = [RUN, "--shape", "one-cpu", "--", "sh", "-c", script]
        run = subprocess.run(command, capture_output=True, check=False)
        self.assertEqual((run.returncode, run.stderr), (7, b"oops\n"))
        self.assertEqual(run.stdout, b"a\r\n\0\xff\n")

    def test_a_program_of_the_host_runs_with_files_variables_and_another_user(self):
        source = self.directory / "in"
        source.mkdir()
        (source / "data file").write_text("content\n")
        script = 'cat "$NAME"; id -u; stat -f -c %T /sys/fs/cgroup; echo $0 "$@"'
        options = ["--file", f"{source}:/data", "--env", "NAME=/data/data file", "--user", "1000"]
        run = self.boot("one-cpu", "sh", "-c", script, "zero", "a b", "", "'", options=options)
        self.assertEqual(run.stderr, "")
        lines = run.stdout.splitlines()
        self.assertEqual(lines[:2], ["content", "1000"])
        self.assertEqual(lines[3], "zero a b  '")

    def test_a_signal_that_ends_the_command_is_128_and_its_number(self):
        run = self.boot("one-cpu", "sh", "-c", "kill -SEGV $$")
        self.assertEqual(run.returncode, 128 + signal.SIGSEGV)


class FailureTest(GuestCase):
    """Every end that is not the command's own has one status and one clear line."""

    def check(self, status, message, *arguments, env=None):
        environment = {**os.environ, **(env or {})}
        command = [RUN, *arguments]
        run = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        self.assertEqual(run.returncode, status, run.stderr)
        self.assertTrue(run.stderr.startswith(f"run_guest: {message}"), run.stderr)
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)

    def test_bad_input_is_refused_before_anything_starts(self):
        self.check(
            2, "unknown shape 'round' (known: sandybridge4, ", "--shape", "round", "--", "ls"
        )
        self.check(2, "no machine named", "--", "ls")
        self.check(2, "no command", "--shape", "one-cpu")
        one = ("--shape", "one-cpu")
        self.check(2, "--file: /none is neither", *one, "--file", "/none:/x", "--", "ls")
        self.check(
            2,
            "--json, --svg, --cache, --profile and --phases-only need --count",
            *one,
            "--json",
            "x",
            "--",
            "ls",
        )
        for option in ("--json", "--svg"):
            self.check(
                2, "cannot write /no/x: No such", *one, "--count", option, "/no/x", "--", "ls"
            )
        self.check(2, "cannot write /no/x: No such", *one, "--serial-log", "/no/x", "--", "ls")
        self.check(2, "--env: '1A' is not", *one, "--env", "1A=2", "--", "ls")

    def test_a_command_that_is_nowhere_is_127(self):
        self.check(127, "/no/such: no such program", "--shape", "one-cpu", "--", "/no/such")
        self.check(127, "nosuch: no such program", "--shape", "one-cpu", "--", "nosuch")

    def test_what_is_not_installed_is_77(self):
        run = ("--shape", "one-cpu", "--", "ls")
        self.check(77, "nosuch is not installed", *run, env={"KINJO_LAB_QEMU": "nosuch"})
        nowhere = {"KINJO_LAB_CACHE": str(self.directory / "none")}
        self.check(77, "no kernel under", *run, env=nowhere)

    def test_the_time_limit_is_124(self):
        one = ("--shape", "one-cpu", "--time-limit")
        self.check(124, "time limit of 0.5 s: the guest still booted", *one, "0.5", "--", "ls")
        self.check(124, "time limit of 5 s: the ", *one, "5", "--", "sleep", "100")

    def test_a_panic_of_the_guest_is_121_and_its_log_is_kept(self):
        log = self.directory / "serial.log"
        panic = ("sh", "-c", "echo c >/proc/sysrq-trigger")
        options = ("--shape", "one-cpu", "--serial-log", str(log))
        self.check(121, "the guest's kernel panicked: ", *options, "--", *panic)
        self.assertIn("sysrq triggered crash", log.read_text())

    def test_a_guest_that_goes_off_by_itself_is_120(self):
        off = ("--shape", "one-cpu", "--", "sh", "-c", "poweroff -f >/dev/null 2>&1")
        self.check(120, "the guest went off without saying", *off)

    def test_a_qemu_that_does_not_start_is_122(self):
        options = ("--shape", "one-cpu", "--cpu", "nosuch")
        self.check(122, "QEMU ended with status 1: ", *options, "--", "ls")


class NothingLeftTest(GuestCase):
    """However the runner ends, its QEMU ends too."""

    def start(self):
        """A runner whose guest sleeps, and the process number of its QEMU."""
        command = [RUN, "--shape", "one-cpu", "--", "sleep", "100"]
        runner = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        self.addCleanup(runner.stderr.close)
        children = f"/proc/{runner.pid}/task/{runner.pid}/children"
        for _ in range(200):
            with open(children, encoding="ascii") as file:
                for child in file.read().split():
                    with open(f"/proc/{child}/comm", encoding="ascii") as name:
                        if name.read().startswith("qemu-system"):
                            return runner, int(child)
            time.sleep(0.05)
        runner.kill()
        return self.fail("QEMU did not start")

    def assert_gone(self, pid):
        for _ in range(100):
            if not os.path.exists(f"/proc/{pid}"):
                return
            time.sleep(0.05)
        self.fail(f"QEMU {pid} still runs")

    def test_qemu_ends_with_the_runner(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            with self.subTest(signal=number.name):
                runner, qemu = self.start()
                runner.send_signal(number)
                status = runner.wait()
                expected = -number if number == signal.SIGKILL else 128 + number
                self.assertEqual(status, expected)
                self.assertEqual(runner.stderr.read(), "")
                self.assert_gone(qemu)

    def test_a_killed_qemu_is_122(self):
        runner, qemu = self.start()
        os.kill(qemu, signal.SIGKILL)
        self.assertEqual(runner.wait(), 122)
        self.assertIn("run_guest: QEMU ended with SIGKILL", runner.stderr.read())


if __name__ == "__main__":
    unittest.main()
