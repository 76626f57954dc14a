"""What the tests of the laboratory share: skipping with a plain reason, booting, compiling."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

GUEST = Path(__file__).resolve().parent
ROOT = GUEST.parent.parent
sys.path.insert(0, str(GUEST))

from lab import image, paths  # noqa: E402  (the path above comes first)
from lab.failure import Failure  # noqa: E402

RUN = str(GUEST / "run_guest")
EVERYTHING = os.environ.get("KINJO_LAB") == "all"
LIMIT_S = 200


def why_not():
    """Why no guest can be booted here; None if one can."""
    try:
        paths.qemu()
        paths.kernel()
        image.base()
    except Failure as failure:
        return str(failure)
    return None


class GuestCase(unittest.TestCase):
    """A test that boots guests; skipped where QEMU or the kernel is missing."""

    @classmethod
    def setUpClass(cls):
        reason = why_not()
        if reason:
            raise unittest.SkipTest(reason)
        directory = tempfile.TemporaryDirectory(prefix="kinjo-lab-test-")
        cls.addClassCleanup(directory.cleanup)
        cls.directory = Path(directory.name)

    def boot(self, shape, *command, options=()):
        """Runs a command in a guest; returns the finished process, output as text."""
        arguments = [RUN, "--shape", shape, "--time-limit", str(LIMIT_S), *options, "--", *command]
        return subprocess.run(arguments, capture_output=True, text=True, check=False)

    def compile(self, name):
        """Builds tests/guest/programs/NAME.cpp and returns the program's path."""
        program = self.directory / name
        compiler = os.environ.get("CXX", "c++")
        command = [compiler, "-std=c++20", "-O2", "-pthread", "-I", str(ROOT / "include")]
        source = str(GUEST / "programs" / f"{name}.cpp")
        subprocess.run([*command, source, "-o", str(program)], check=True)
        return str(program)
