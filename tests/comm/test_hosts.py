"""Cells on several hosts, started by mpirun: hosts are namespaces (hosts.py). What cells do lies in
programs/host_cells.cpp.

CTest sets KINJO_BUILD (the build tree)."""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(__file__))
import hosts

PROGRAM = os.path.join(os.environ["KINJO_BUILD"], "tests", "comm", "programs", "host_cells")
STRESS = os.path.join(os.environ["KINJO_BUILD"], "tests", "comm", "comm_stress")
# For cells with sanitizers: PMIx 4.2 loses a few bytes for each value that it hands over, and its
# threads make the search for lost memory crash.
VARIABLES = {"ASAN_OPTIONS": "detect_leaks=0"}
PATIENCE = 5.0     # seconds without a sign of life after which a cell counts as lost
LONG = 60.0        # the same where it must be something else by which a loss is noticed
SLACK = 20.0       # seconds by which a loaded machine is late
# Without it mpirun ends everybody when one ends.
STAY = ("--mca", "orte_enable_recovery", "1")
LOSS = re.compile(r"cell (\d+): (\d+\.\d+): (cell (\d+) is lost: .*)")


def wait_until(ready, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if ready():
            return True
        time.sleep(0.02)
    return False


class Job:
    """Cells that run until something happens to one of them."""

    def __init__(self, together, cells, mode, patience=PATIENCE):
        self.hosts = together
        self.count = sum(cells.values())
        self.words = tempfile.TemporaryFile("w+")
        command = together.mpirun(cells, [PROGRAM, mode, str(int(patience * 1000))], *STAY,
                                  env=VARIABLES)
        self.mpirun = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.words,
                                       stderr=subprocess.STDOUT)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.mpirun.kill()
        self.mpirun.wait()
        self.words.close()

    def text(self):
        self.words.seek(0)
        return self.words.read()

    def cells_on(self, host):
        """Numbers of the processes of cells there."""
        return sorted(number for number, command in self.hosts.processes(host).items()
                      if command.startswith(PROGRAM))

    def losses(self):
        """By cell: when, and in which words, it has said that another is lost."""
        return {int(cell): (float(when), words)
                for cell, when, words, _ in LOSS.findall(self.text())}

    def check_ready(self, test):
        ready = wait_until(lambda: self.text().count(": ready on host") == self.count, 60)
        where = {host: self.cells_on(host) for host in range(self.hosts.count)}
        test.assertTrue(ready, f"{self.text()}processes of cells by host: {where}")

    def check_losses(self, test, expected, begin, seconds):
        """Every cell of `expected` says so, in words that match, within so many seconds."""
        wait_until(lambda: self.losses().keys() >= expected.keys(), seconds + SLACK)
        losses = self.losses()
        test.assertEqual(losses.keys(), expected.keys(), self.text())
        for cell, words in expected.items():
            test.assertRegex(losses[cell][1], f"^{words}$")
            test.assertLess(losses[cell][0] - begin, seconds + SLACK, self.text())

    def check_nobody_stays(self, test, *exceptions):
        """Cells end that have been told of a loss."""
        for host in range(self.hosts.count):
            if host in exceptions:
                continue
            test.assertTrue(wait_until(lambda: not self.cells_on(host), SLACK), self.cells_on(host))
            test.assertEqual(self.hosts.shared_memory(host), [])


@unittest.skipIf(hosts.why_no_mpirun(), hosts.why_no_mpirun())
class Started(unittest.TestCase):
    """What goes well; one set of hosts for all."""

    @classmethod
    def setUpClass(cls):
        cls.hosts = cls.enterClassContext(hosts.Hosts(3))

    def run_cells(self, cells, *words, program=PROGRAM, **how):
        return subprocess.run(self.hosts.mpirun(cells, [program, *words], env=VARIABLES, **how),
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)

    def test_cells_reach_each_other_in_every_way(self):
        for cells in ({0: 1, 1: 1}, {0: 2, 1: 1, 2: 1}, {0: 2, 1: 2, 2: 2}):
            with self.subTest(cells=cells):
                result = self.run_cells(cells, "ring")
                count = sum(cells.values())
                self.assertEqual(sorted(result.stdout.splitlines()),
                                 [f"cell {cell} of {count}: good" for cell in range(count)],
                                 result.stderr)
                self.assertEqual(result.returncode, 0, result.stderr)

    def test_every_byte_of_puts_at_random_arrives(self):
        for cells in ({0: 1, 1: 1}, {0: 2, 1: 1, 2: 1}):
            with self.subTest(cells=cells):
                result = self.run_cells(cells, "join", "20000", program=STRESS)
                self.assertRegex(result.stdout, r"20000 puts of \d cells, \d+ bytes, all right")
                self.assertEqual(result.returncode, 0, result.stderr)

    def test_many_cells_on_few_cpus_start_and_leave_in_time(self):
        for sessions in ("one", "many"):
            with self.subTest(sessions=sessions):
                begin = time.monotonic()
                result = self.run_cells({0: 16, 1: 16, 2: 16}, "meet", sessions=sessions)
                self.assertEqual(sorted(result.stdout.splitlines()),
                                 sorted(f"cell {cell} of 48: good" for cell in range(48)),
                                 result.stderr)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertLess(time.monotonic() - begin, 30)

    def test_a_cell_that_comes_late_is_waited_for(self):
        # The others have given up the collective exchange of addresses by then, and ask for each.
        result = self.run_cells({0: 2, 1: 1, 2: 1}, "late", "8000")
        self.assertEqual(sorted(result.stdout.splitlines()),
                         [f"cell {cell} of 4: good" for cell in range(4)], result.stderr)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_nothing_stays_behind(self):
        self.run_cells({0: 2, 1: 2}, "ring")
        for host in range(self.hosts.count):
            # Its daemon takes a moment.
            self.assertTrue(wait_until(lambda: not self.hosts.processes(host), SLACK),
                            self.hosts.processes(host))
            self.assertEqual(self.hosts.shared_memory(host), [])

    def test_wrong_arguments_are_refused_at_the_caller(self):
        result = self.run_cells({0: 1, 1: 1}, "refuse")
        self.assertNotIn("not refused", result.stdout)
        for words in ("8 bytes at offset 1099511627776 of cell 1 are outside its symmetric memory",
                      "8 bytes at offset 18446744073709551615 of cell 1 are outside",
                      "there is no cell 2: expected 0 to 1",
                      "there is no handler 3: 0 are registered"):
            self.assertIn(f"cell 0: {words}", result.stdout)
        self.assertEqual(len(result.stdout.splitlines()), 10, result.stdout)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_transports_are_the_users_choice_and_need_not_be_named(self):
        command = self.hosts.mpirun({0: 1, 1: 1}, ["env", "-u", "UCX_TLS", PROGRAM, "ring"],
                                    env=VARIABLES)
        result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                timeout=120)
        self.assertEqual(result.stdout.count("good"), 2, result.stderr)


@unittest.skipIf(hosts.why_no_mpirun(), hosts.why_no_mpirun())
class Faults(unittest.TestCase):
    """What goes wrong; new hosts for each."""

    def setUp(self):
        self.hosts = self.enterContext(hosts.Hosts(3))

    def start(self, cells, mode, patience=PATIENCE):
        job = self.enterContext(Job(self.hosts, cells, mode, patience))
        job.check_ready(self)
        time.sleep(0.3)
        return job

    def check_killed_cell(self, mode):
        job = self.start({0: 2, 1: 2, 2: 1}, mode, LONG)
        begin = time.time()
        os.kill(job.cells_on(1)[-1], signal.SIGKILL)
        self.assertTrue(wait_until(lambda: len(job.losses()) == 4, SLACK), job.text())
        names = {words.split(" is lost")[0] for _, words in job.losses().values()}
        # Which of the two cells there it was, all agree.
        self.assertIn(names, ({"cell 2"}, {"cell 3"}), job.text())
        for when, _ in job.losses().values():
            self.assertLess(when - begin, SLACK, job.text())
        job.check_nobody_stays(self)

    def test_a_killed_cell_is_named_at_once(self):
        self.check_killed_cell("wait")

    def test_a_killed_cell_is_named_at_once_while_all_put(self):
        self.check_killed_cell("put")

    def test_a_killed_cell_is_named_at_once_also_where_the_others_end_by_it(self):
        self.check_killed_cell("unwind")

    def test_a_cell_that_has_left_is_named_and_not_who_misses_it(self):
        with Job(self.hosts, {0: 2, 1: 2}, "desert", LONG) as job:
            said = re.compile(r"cell ([013]): \d+\.\d+: (cell \d) (?:is lost: it )?has left the world$", re.M)
            self.assertTrue(wait_until(lambda: len(said.findall(job.text())) == 3, SLACK), job.text())
            self.assertEqual({named for _, named in said.findall(job.text())}, {"cell 2"}, job.text())
            job.check_nobody_stays(self)

    def check_cut_cable(self, mode):
        job = self.start({0: 1, 1: 1, 2: 1}, mode)
        begin = time.time()
        self.hosts.link(1, "down")
        lost = "cell 1 is lost: no sign of life for 5 s"
        job.check_losses(self, {0: lost, 2: lost}, begin, PATIENCE)
        # The cell behind the cut has lost the others; only its host knows.
        job.check_nobody_stays(self)

    def test_a_cut_cable_is_noticed_within_the_patience(self):
        self.check_cut_cable("wait")

    def test_a_cut_cable_is_noticed_within_the_patience_while_all_put(self):
        self.check_cut_cable("put")

    def test_a_host_that_stops_is_noticed_within_the_patience(self):
        job = self.start({0: 1, 1: 1, 2: 1}, "wait")
        begin = time.time()
        stopped, = job.cells_on(1)
        os.kill(stopped, signal.SIGSTOP)
        lost = "cell 1 is lost: no sign of life for 5 s"
        job.check_losses(self, {0: lost, 2: lost}, begin, PATIENCE)
        job.check_nobody_stays(self, 1)
        os.kill(stopped, signal.SIGCONT)
        job.check_nobody_stays(self)

    def test_a_short_break_of_the_cable_is_no_loss(self):
        job = self.start({0: 1, 1: 1, 2: 1}, "put", 10)
        self.hosts.link(1, "down")
        time.sleep(1)
        self.hosts.link(1, "up")
        time.sleep(3)
        self.assertEqual(job.losses(), {})
        self.assertEqual([len(job.cells_on(host)) for host in range(3)], [1, 1, 1], job.text())

    def test_a_cell_that_never_comes_is_named_within_the_patience(self):
        begin = time.time()
        with Job(self.hosts, {0: 1, 1: 1, 2: 1}, "absent") as job:
            lost = "cell 1 is lost: it has not come in time"
            job.check_losses(self, {0: lost, 2: lost}, begin, PATIENCE + 2)
            job.check_nobody_stays(self, 1)

    def test_a_cell_that_has_left_is_missed_by_who_asks_it(self):
        with Job(self.hosts, {0: 1, 1: 1, 2: 1}, "leave") as job:
            lost = "cell 1 is lost: it has left the world"
            job.check_losses(self, {0: lost, 2: lost}, time.time(), PATIENCE)
            job.check_nobody_stays(self)


@unittest.skipIf(hosts.why_not(), hosts.why_not())
class Made(unittest.TestCase):
    """The hosts themselves."""

    def test_hosts_have_names_addresses_and_memory_of_their_own(self):
        with hosts.Hosts(2) as two:
            self.assertEqual(two.run(1, ["hostname"]).stdout, "host1\n")
            self.assertEqual(two.run(0, ["getent", "hosts", "host1"]).stdout.split(),
                             [two.address(1), "host1"])
            two.run(0, ["touch", "/dev/shm/mine"])
            self.assertEqual((two.shared_memory(0), two.shared_memory(1)), (["mine"], []))

    def test_nothing_is_left_of_them_even_after_sigkill(self):
        script = (f"import sys, time; sys.path.insert(0, {os.path.dirname(__file__)!r}); import hosts\n"
                  "with hosts.Hosts(2) as h:\n"
                  "    print(*(x.init for x in (*h.hosts, h.front, h.switch)), flush=True)\n"
                  "    time.sleep(600)\n")
        for end in (signal.SIGINT, signal.SIGKILL):
            with self.subTest(end=end), subprocess.Popen(
                    [sys.executable, "-c", script], stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL, text=True) as program:
                first = program.stdout.readline().split()
                self.assertEqual(len(first), 4)
                program.send_signal(end)
                gone = wait_until(
                    lambda: not any(pathlib.Path("/proc", number).exists() for number in first), SLACK)
                self.assertTrue(gone)


if __name__ == "__main__":
    unittest.main()
