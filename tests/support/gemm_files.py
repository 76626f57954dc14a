"""What the tests of `kinjo gemm A.npy B.npy -o C.npy` share."""

import contextlib
import os
import pathlib
import subprocess
import time

from kinjo_program import KINJO, FolderTest, clean_environment, kinjo
from with_numpy import np

MIB = 1 << 20
SMALL_STEPS = "R(m=64)/R(k=64)/N/C/P//S" if len(os.sched_getaffinity(0)) > 1 else "R(m=64)/R(k=64)/N/C/S"


def control_group():
    """A new group of the memory controller below our own: its directory and the name of its limit and
    of its peak; None where there can be none."""
    for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        for base, names in ((f"/sys/fs/cgroup/memory{path}", ("memory.limit_in_bytes",
                                                              "memory.max_usage_in_bytes")),
                            (f"/sys/fs/cgroup{path}", ("memory.max", "memory.peak"))):
            if ("memory" in controllers.split(",")) != base.startswith("/sys/fs/cgroup/memory/"):
                continue
            group = pathlib.Path(base) / f"kinjo-test-{os.getpid()}"
            with contextlib.suppress(OSError):
                group.mkdir()
                if all((group / name).exists() for name in names):
                    return group, *names
                group.rmdir()
    return None


class GemmFilesTest(FolderTest):
    PLACE = os.environ.get("KINJO_BUILD")  # a disk, where /tmp may be memory

    def setUp(self):
        super().setUp()
        self.random = np.random.default_rng(1)

    def save(self, name, shape, dtype="f8", order="C", version=None):
        matrix = np.asarray(self.random.standard_normal(shape), dtype=dtype, order=order)
        with open(self.path(name), "wb") as file:
            np.lib.format.write_array(file, matrix, version=version)
        return matrix

    def multiply(self, *arguments, **options):
        return kinjo("gemm", self.path("A.npy"), self.path("B.npy"), "-o", self.path("C.npy"),
                     *arguments, **options)

    def refused(self, *arguments, **options):
        """The last line of a run that is refused, with the directory left out."""
        result = self.multiply(*arguments, **options)
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        return result.stderr.splitlines()[-1].replace(str(self.folder) + "/", "")

    def names(self):
        return sorted(os.listdir(self.folder))

    def check_product(self, a, b, *arguments):
        result = self.multiply(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        c = np.load(self.path("C.npy"))
        wide_a, wide_b = a.astype("f8"), b.astype("f8")
        # Once for kinjo and once for NumPy.
        bound = (a.shape[1] + 2) * np.finfo(a.dtype).eps * (abs(wide_a) @ abs(wide_b))
        self.assertEqual((c.dtype, c.shape), (a.dtype, (a.shape[0], b.shape[1])))
        self.assertTrue((abs(c - wide_a @ wide_b) <= bound).all())
        self.assertEqual(self.names(), ["A.npy", "B.npy", "C.npy"])
        return c

    def sparse(self, name, rows, columns):
        """A matrix of zeros that takes no place on the disk."""
        with open(self.path(name), "wb") as file:
            np.lib.format.write_array_header_1_0(
                file, {"descr": "<f8", "fortran_order": False, "shape": (rows, columns)})
            file.truncate(file.tell() + 8 * rows * columns)

    def start(self, *arguments, stderr=subprocess.PIPE):
        return subprocess.Popen([KINJO, "gemm", self.path("A.npy"), self.path("B.npy"), "-o",
                                 self.path("C.npy"), *arguments], env=clean_environment(), text=True,
                                stdout=subprocess.PIPE, stderr=stderr)

    def wait_for_panel(self, process, line="panel 0"):
        """Until a run's journal has the line, or the run has ended."""
        journal = self.folder / "C.npy.kinjo-journal"
        while process.poll() is None and not (journal.exists() and line in journal.read_text()):
            time.sleep(0.002)

    def interrupt(self, number):
        """Ends a run by a signal when its first panel is recorded; its status and last line."""
        with self.start("--plan", SMALL_STEPS, "--no-touch") as process:
            self.wait_for_panel(process)
            process.send_signal(number)
            _, stderr = process.communicate(timeout=100)
        return process.returncode, stderr.splitlines()[-1]
