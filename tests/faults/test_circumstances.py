"""Every command where the system offers less than usual: it works, or says in a line why not."""

import os
import pathlib
import pty
import resource
import signal
import subprocess
import sys
import unittest

import happy_paths
from happy_paths import KINJO

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from kinjo_program import clean_environment, kinjo, read_terminal  # noqa: E402

SEES_PROC = ("where", "topo check")  # commands about /proc and /sys themselves


def may_mount():
    return os.getuid() == 0 and subprocess.run(["unshare", "-m", "true"], capture_output=True,
                                               check=False).returncode == 0


class Circumstances(unittest.TestCase):
    def setUp(self):
        self.place = happy_paths.Workplace()
        self.addCleanup(self.place.close)

    def check(self, paths=happy_paths.ALL, **options):
        for happy in paths:
            with self.subTest(happy.name):
                self.place.clean()
                clean = self.place.run(happy)
                self.place.clean()
                ended = self.place.run(happy, **options)
                self.assertEqual((happy_paths.fault_in(happy, ended, clean), ended.status), ("", 0),
                                 ended.stderr)

    @unittest.skipUnless(may_mount(), "needs root, and to be allowed to mount")
    def test_without_sys_and_proc(self):
        hidden = "mount -t tmpfs none /sys && mount -t tmpfs none /proc && exec \"$@\""
        self.check([happy for happy in happy_paths.ALL if happy.name not in SEES_PROC],
                   before=["unshare", "-m", "sh", "-c", hidden, "sh"])

    def test_without_home_and_terminal_in_another_locale(self):
        self.check(before=["env", "-u", "HOME", "-u", "TERM", "-u", "XDG_CACHE_HOME", "LC_ALL=tr_TR.UTF-8"])

    def test_on_one_cpu(self):
        cpu = min(os.sched_getaffinity(0))
        self.check([happy for happy in happy_paths.ALL if happy.name != "map"],  # of other CPUs
                   preexec_fn=lambda: os.sched_setaffinity(0, [cpu]))

    @unittest.skipIf("KINJO_SANITIZED" in os.environ, "a sanitizer takes terabytes of addresses")
    def test_too_few_addresses_are_refused(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (120 << 20, 120 << 20))
        result = kinjo("map", preexec_fn=limit)
        if result.returncode == 0:
            self.skipTest("the library of linear algebra has no threads here")
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, r"\Akinjo: ulimit -v 122880 is too small for the \d+ threads of "
                                        r"OpenBLAS: expected at least \d+, or OPENBLAS_NUM_THREADS=1\n\Z")
        few = kinjo("map", preexec_fn=limit, env={"OPENBLAS_NUM_THREADS": "1"})
        self.assertEqual((few.returncode, few.stderr), (0, ""))

    def test_ctrl_c_wipes_the_progress_bar(self):
        terminal, device = pty.openpty()
        process = subprocess.Popen([KINJO, "stream", "--elements", "3000000", "--repeat", "500"],
                                   env=clean_environment(), stdout=subprocess.DEVNULL, stderr=device)
        os.close(device)
        drawn = b""
        while b"]" not in drawn:  # until there is a bar
            drawn += os.read(terminal, 4096)
        process.send_signal(signal.SIGINT)
        rest = read_terminal(terminal)
        self.assertEqual(process.wait(timeout=60), -signal.SIGINT)
        self.assertTrue((drawn.decode() + rest).endswith("\r\x1b[K"), rest)


if __name__ == "__main__":
    unittest.main(verbosity=2)
