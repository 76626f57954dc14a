"""Every command where the system offers less than usual: it works, or says in a line why not."""

import contextlib
import fcntl
import os
import pathlib
import pty
import resource
import signal
import subprocess
import sys
import unittest

import failing_calls
import happy_paths
from happy_paths import KINJO

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from kinjo_program import clean_environment, kinjo, read_terminal  # noqa: E402

SEES_PROC = ("where", "topo check")  # commands about /proc and /sys themselves
PAGE = 4096

# Every kind of file that is written.
BRIEF = ("--threads", "1", "--repeat", "1", "--pairs", "6")
SIZED = ("--size", "64", "--repeat", "1")
CELLS = (*SIZED[:2], "--cells", "2", "--oversubscribe")
WRITES = {
    "machine": ("topo", "--format", "svg", "-o", "out"),
    "mapping": ("map", "-o", "out"),
    "records": ("stream", "--elements", "1K", "--repeat", "1", "--format", "csv", "-o", "out"),
    "page": ("gemm", *SIZED, "--report", "out"),
    "product": ("gemm", "A.npy", "A.npy", "-o", "out.npy"),
    "transform": ("fft", "A.npy", "-o", "out.npy"),
    "wisdom": ("fft", *SIZED, "--measure", "--wisdom", "out"),
    "parents": ("bfs", "graph.el", "--root", "0", "--parents", "out.npy"),
    "depths": ("bfs", "graph.el", "--root", "0", "--depths", "out.txt"),
    "kgraph": ("bfs", "graph.el", "--root", "0", "--save", "out.kgraph"),
    "sg": ("bfs", "graph.el", "--root", "0", "--save", "out.sg"),
    "kzdd": ("paths", "grid:4x4", "--save", "out.kzdd"),
    "setset": ("paths", "grid:4x4", "--save", "out.setset"),
    "zbdd": ("paths", "grid:4x4", "--save", "out.zbdd"),
    "dot": ("paths", "grid:4x4", "--save", "out.dot"),
    "result": ("sdp", "problem.dat-s", "-o", "out.result"),
    "npz": ("sdp", "problem.dat-s", "-o", "out.npz"),
    "solution's record": ("sdp", "problem.dat-s", "-o", "out.json"),
    "problem": ("sdp", "maxcut:3x3", "--save-problem", "out.dat-s"),
    "look": ("where", "--after", "0.1", "--format", "json", "--output", "out", "--", "sleep", "0.3"),
    "profile": ("measure", "clock", "--budget", "1", "--repeat", "1", "--output", "out"),
    "journal": ("tune", *BRIEF, "--journal", "out", "--", "true"),
    "verdict": ("tune", *BRIEF, "--report", "out", "--", "true"),
    "timeline": ("cells", "gemm", *CELLS, "--timeline", "out.svg"),
    "manual": ("man", "--directory", "."),
    "manual's page": ("man", "map", "-o", "out"),
    "completion": ("completion", "zsh", "-o", "out"),
}


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

    def mount_disk(self, pages):
        """A disk of that size on the folder, without the inputs."""
        mount = ["mount", "-t", "tmpfs", "-o", f"size={pages * PAGE}", "tmpfs", str(self.place.folder)]
        if subprocess.run(mount, capture_output=True, check=False).returncode:
            self.skipTest("the system refuses to mount a file system")
        self.addCleanup(subprocess.run, ["umount", str(self.place.folder)], check=True)

    def fill_disk(self):
        """Leaves no byte free; the last page of the filling can be given back."""
        with contextlib.suppress(OSError), open(self.place.folder / "filling", "ab", buffering=0) as file:
            while True:
                file.write(bytes(PAGE))

    @unittest.skipUnless(may_mount(), "needs root, and to be allowed to mount")
    def test_every_output_on_a_full_disk(self):
        self.mount_disk(64)
        happy_paths.write_inputs(self.place.folder)
        self.fill_disk()
        before = set(os.listdir(self.place.folder))
        self.place.inputs = before
        for name, arguments in WRITES.items():
            with self.subTest(name):
                ended = self.place.run(happy_paths.Happy(name, arguments))
                self.assertEqual(ended.status, 2, ended.stderr)
                last = ended.stderr.splitlines()[-1]
                self.assertRegex(last, r"^kinjo: .*\bout|^kinjo: .*'\./", name)
                self.assertIn("No space left on device", last)
                self.assertEqual(set(os.listdir(self.place.folder)), before)

    @unittest.skipUnless(may_mount(), "needs root, and to be allowed to mount")
    def test_every_output_on_a_disk_that_gets_full(self):
        """It keeps the file that was there, or writes all of it."""
        self.mount_disk(64)
        happy_paths.write_inputs(self.place.folder)
        kept = [name for name in WRITES if name not in ("journal", "wisdom", "manual")]
        for name in kept:
            with self.subTest(name):
                path = self.place.folder / next(a for a in WRITES[name] if a.startswith("out"))
                path.write_text("old")
                self.fill_disk()
                with open(self.place.folder / "filling", "rb+") as file:
                    file.truncate(os.path.getsize(self.place.folder / "filling") - PAGE)
                self.place.inputs = set(os.listdir(self.place.folder))
                ended = self.place.run(happy_paths.Happy(name, WRITES[name]))
                self.assertIn(ended.status, (0, 2), ended.stderr)
                self.assertEqual(ended.left, "")
                self.assertEqual(path.read_bytes() == b"old", ended.status == 2, ended.stderr)
                path.unlink()
                for told in os.listdir(self.place.temporary):       # tune's journal, where the page is not written
                    os.remove(self.place.temporary / told)

    def test_on_one_cpu(self):
        cpu = min(os.sched_getaffinity(0))
        self.check([happy for happy in happy_paths.ALL if happy.name != "map"],  # of other CPUs
                   preexec_fn=lambda: os.sched_setaffinity(0, [cpu]))

    @unittest.skipIf("KINJO_SANITIZED" in os.environ, "a sanitizer takes terabytes of addresses")
    def test_few_addresses_do(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (40 << 20, 40 << 20))
        few = kinjo("map", preexec_fn=limit)
        self.assertEqual((few.returncode, few.stderr), (0, ""))

    @unittest.skipUnless(failing_calls.permitted(), "needs strace, and to be allowed to trace")
    def test_products_do_without_locks_and_where_space_is_asked_for_again(self):
        for fault in ("flock:error=ENOLCK", "fallocate:error=EINTR:when=1"):
            with self.subTest(fault):
                self.place.clean()
                call = fault.split(":")[0]
                ended = self.place.run(
                    happy_paths.Happy("product", WRITES["product"], ("out.npy",)),
                    before=["strace", "-f", "-o", "/dev/null", "-e", f"trace={call}",
                            "-e", f"inject={fault}"])
                self.assertEqual(ended.status, 0, ended.stderr)

    @unittest.skipUnless(failing_calls.permitted(), "needs strace, and to be allowed to trace")
    def test_a_product_that_is_refused_as_it_begins_leaves_nothing(self):
        # Who looks whether somebody writes the part holds it for a moment, too.
        begun = subprocess.Popen(["strace", "-f", "-o", "/dev/null", "-e", "trace=flock",
                                  "-e", "inject=flock:delay_enter=1000000",
                                  KINJO, *WRITES["product"]], cwd=self.place.folder,
                                 env=clean_environment(), stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, text=True)
        part = self.place.folder / "out.npy.kinjo-part"
        while not part.exists():
            self.assertIsNone(begun.poll())
        with open(part, "rb") as held:
            fcntl.flock(held, fcntl.LOCK_SH)
            told = begun.communicate(timeout=60)[1]
        self.assertEqual(begun.returncode, 2, told)
        self.assertIn("another kinjo is writing it", told)
        self.assertFalse(part.exists())

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
