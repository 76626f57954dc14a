"""What the tests of the laboratory share: skipping with a plain reason, booting, compiling."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

GUEST = Path(__file__).resolve().parent
ROOT = GUEST.parent.parent
sys.path.insert(0, str(GUEST))

from lab import image, paths  # noqa: E402  (the path above comes first)
from lab.failure import NO_STATUS, TIME_LIMIT, Failure  # noqa: E402

RUN = str(GUEST / "run_guest")
EVERYTHING = os.environ.get("KINJO_LAB") == "all"
LIMIT_S = 200
LOST = "No irq handler for vector"
BUILD = Path(os.environ.get("KINJO_BUILD", ROOT / "build" / "release"))


def why_not():
    """Why no guest can be booted here; None if one can."""
    try:
        paths.qemu()
        paths.kernel()
        image.base()
    except Failure as failure:
        return str(failure)
    return None


def kinjo_files(programs):
    """Where kinjo, what it preloads, and test programs lie here and in the guest."""
    preloaded = next(BUILD.glob("lib*/**/libkinjo_preload.so"))
    names = {BUILD / "bin" / "kinjo": "bin/kinjo", preloaded: preloaded.relative_to(BUILD)}
    for name in programs:
        names[BUILD / "tests" / "guest" / "programs" / name] = f"bin/{name}"
    return [(host, f"/usr/local/{guest}") for host, guest in names.items()]


def lost_interrupts(said):
    """Whether the log of a guest that went off without a status, or stood still, tells of lost
    interrupts."""
    log = re.search(r"serial log: ([^)]+)\)", said)
    return log is not None and LOST in Path(log[1]).read_text(errors="replace")


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
        """Runs a command in a guest; returns the finished process, output as text.

        On a busy host the emulated machine now and then loses interrupts: of the channel that the
        command's end is told by, or of what it waits for while it boots. Its kernel says so, and the
        command is run once more."""
        arguments = [RUN, "--shape", shape, "--time-limit", str(LIMIT_S), *options, "--", *command]
        run = subprocess.run(arguments, capture_output=True, text=True, check=False)
        if run.returncode in (NO_STATUS, TIME_LIMIT) and lost_interrupts(run.stderr):
            run = subprocess.run(arguments, capture_output=True, text=True, check=False)
        return run

    def session(self, shape, commands, programs=(), options=()):
        """Runs named shell commands in one guest, in which kinjo and the programs that were built
        from tests/guest/programs are in the path; returns their output, errors included.

        A command that fails fails the test, unless its line ends by saying otherwise.
        """
        script = "".join(
            f"echo '@@ {name}'\n( {command}\n) 2>&1 || echo \"@@! {name}: status $?\"\n"
            for name, command in commands.items()
        )
        files = [f"--file={host}:{guest}" for host, guest in kinjo_files(programs)]
        run = self.boot(shape, "sh", "-c", script, options=[*files, *options])
        self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)
        self.assertNotIn("\n@@! ", run.stdout)
        sections = run.stdout.split("@@ ")[1:]
        return dict(section.split("\n", 1) for section in sections)

    def compile(self, name):
        """Builds tests/guest/programs/NAME.cpp and returns the program's path."""
        program = self.directory / name
        compiler = os.environ.get("CXX", "c++")
        command = [compiler, "-std=c++20", "-O2", "-pthread", "-I", str(ROOT / "include")]
        source = str(GUEST / "programs" / f"{name}.cpp")
        subprocess.run([*command, source, "-o", str(program)], check=True)
        return str(program)
