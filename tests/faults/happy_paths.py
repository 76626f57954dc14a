"""One short run of every command, and how to tell that a run under adverse conditions ended well."""

import contextlib
import dataclasses
import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from kinjo_program import KINJO, TWO_NODES, clean_environment  # noqa: E402

LIMIT_S = 300          # a run that takes longer hangs
DYING_S = 0.5          # what has been killed may still be there for so long
MARK = "FAULTS_RUN"    # the variable by which what a run leaves running is found
ONE = ("--repeat", "1")


@dataclasses.dataclass(frozen=True)
class Happy:
    """A command line that succeeds. Its folder holds the inputs; `outputs` are the files it writes.

    `same`: the output is the same each time, else it is JSON whose records say that they are right.
    """

    name: str
    arguments: tuple
    outputs: tuple = ()
    same: bool = True
    failures: tuple = (2,)  # the statuses with which it refuses


def measured(name, *arguments, outputs=()):
    """A computation that prints records."""
    return Happy(name, (*arguments, "--format", "json"), outputs, same=False)


ALL = (
    measured("topo", "topo"),  # it tells what the system refuses
    measured("topo check", "topo", "--check"),
    Happy("topo svg", ("topo", "--input", TWO_NODES, "--format", "svg", "-o", "out"), ("out",)),
    Happy("map", ("map", "--format", "json")),
    Happy("map input", ("map", "--input", TWO_NODES, "--policy", "compact", "-o", "out"), ("out",)),
    Happy("run", ("run", "--policy", "compact", "--", "/bin/echo", "hello"), failures=(125, 126)),
    Happy("where", ("where", "--after", "0.1", "--format", "json", "--output", "out", "--", "sleep", "0.5"),
          ("out",), same=False, failures=(2, 126)),
    measured("measure", "measure", "clock", "--budget", "1", *ONE, "--output", "out", outputs=("out",)),
    Happy("tune command", ("tune", "--threads", "1", *ONE, "--pairs", "6", "--report", "out", "--format",
                           "json", "--", "true"), ("out",), same=False),
    measured("tune stream", "tune", "stream", "--threads", "1", *ONE, "--pairs", "6", "--set",
             "elements=1000"),
    measured("stream", "stream", "--elements", "1000", *ONE),
    measured("blas1", "blas1", "--size", "1K", *ONE, "--verify"),
    measured("gemm", "gemm", "--size", "64", *ONE, "--verify"),
    measured("gemm files", "gemm", "A.npy", "A.npy", "-o", "out.npy", "--verify",
             outputs=("out.npy",)),
    measured("fft", "fft", "--size", "1024", *ONE, "--verify"),
    measured("fft files", "fft", "A.npy", "-o", "out.npy", "--verify", outputs=("out.npy",)),
    measured("bfs", "bfs", "graph.el", "--root", "0", *ONE, "--parents", "parents.npy", "--depths",
             "depths.txt", "--save", "graph.kgraph", "--verify",
             outputs=("parents.npy", "depths.txt", "graph.kgraph")),
    measured("graph500", "graph500", "--scale", "6", "--roots", "2"),
    measured("paths", "paths", "grid:4x4", "--verify", "--save", "out.kzdd",
             outputs=("out.kzdd",)),
    measured("sdp", "sdp", "problem.dat-s", "-o", "out.result", "--verify", outputs=("out.result",)),
    measured("paths spilled", "paths", "complete:7", "--method", "sweep", "--memory-limit", "12000",
             "--threads", "1", "--spill", ".", "--verify"),
    measured("paths lengths", "paths", "grid:4x4", "--by-length", "--verify"),
    measured("cells pingpong", "cells", "pingpong", "--size", "8", *ONE, "--cells", "2",
             "--oversubscribe"),
    measured("cells gemm", "cells", "gemm", "--size", "24", *ONE, "--cells", "2", "--oversubscribe",
             "--transport", "processes", "--verify"),
    measured("cells scg", "cells", "scg", "--size", "10", *ONE, "--cells", "2", "--oversubscribe",
             "--verify"),
    Happy("cells launch", ("cells", "launch", "--cells", "2", "--oversubscribe", "--", "true")),
    measured("cells model", "cells", "model", "--cells", "4", "--size", "64", "--latency-us",
             "2", "--gap-ns-per-byte", "0.5"),
    Happy("man", ("man", "map")),
    Happy("man pages", ("man", "--directory", "pages"), ("pages",)),
    Happy("completion", ("completion", "bash", "-o", "out"), ("out",)),
)

PROBLEM = """3 = mDIM
1 = nBLOCK
2 = bLOCKsTRUCT
48 -8 20
0 1 1 1 -11
0 1 2 2 23
1 1 1 1 10
1 1 1 2 4
2 1 2 2 -8
3 1 1 2 -8
3 1 2 2 -2
"""


def find(name):
    return next(path for path in ALL if path.name == name)


def write_inputs(folder):
    """The files that the command lines name."""
    header = "{'descr': '<f8', 'fortran_order': False, 'shape': (16, 16), }"
    header = header.ljust(117) + "\n"
    numbers = struct.pack("<256d", *[(i * 7 % 11) - 5 for i in range(256)])
    (folder / "A.npy").write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + header.encode()
                                   + numbers)
    (folder / "graph.el").write_text("".join(f"{i} {(i * 3 + 1) % 40}\n{i} {(i + 1) % 40}\n"
                                             for i in range(40)))
    (folder / "problem.dat-s").write_text(PROBLEM)


def marked(mark):
    """The processes that have the mark in their environment."""
    found = []
    for entry in os.listdir("/proc"):
        with contextlib.suppress(OSError):
            if entry.isdigit() and mark in pathlib.Path("/proc", entry, "environ").read_bytes():
                found.append(int(entry))
    return found


def shared_memory():
    return set(os.listdir("/dev/shm")) if os.path.isdir("/dev/shm") else set()


def is_told(name, stderr):
    """Whether people were told of a file that is left; a journal is told of with its part."""
    return name.replace(".kinjo-journal", ".kinjo-part") in stderr


@dataclasses.dataclass
class Ended:
    """What a run came to."""

    status: int | None  # None: it hung
    stdout: str
    stderr: str
    files: dict         # name: bytes, of what was not there before; None for a folder
    left: str           # what it left behind without saying so


class Workplace:
    """A folder with the inputs, and one beside it for temporary files."""

    def __init__(self, place=None):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="faults-", dir=place))
        self.folder = self.root / "work"
        self.temporary = self.root / "tmp"
        self.make()

    def make(self):
        for directory in (self.folder, self.temporary, self.root / "home"):
            directory.mkdir()
        write_inputs(self.folder)
        self.inputs = set(os.listdir(self.folder))

    def close(self):
        shutil.rmtree(self.root, ignore_errors=True)

    def clean(self):
        for directory in (self.folder, self.temporary, self.root / "home"):
            shutil.rmtree(directory)
        self.make()

    def environment(self, mark, **variables):
        return clean_environment(TMPDIR=str(self.temporary), HOME=str(self.root / "home"),
                                 XDG_CACHE_HOME=str(self.root / "home"), **{MARK: mark}, **variables)

    def run(self, happy, before=(), env=None, limit_s=LIMIT_S, **options):
        """Runs it to its end, with `before` in front of the command line."""
        mark = uuid.uuid4().hex
        shm = shared_memory()
        process = subprocess.Popen([*before, KINJO, *happy.arguments], cwd=self.folder,
                                   env=self.environment(mark, **(env or {})), text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, errors="surrogateescape",
                                   start_new_session=True, **options)
        try:
            stdout, stderr = process.communicate(timeout=limit_s)
            status = process.returncode
        except subprocess.TimeoutExpired:
            status = None
            os.killpg(process.pid, signal.SIGKILL)
            stdout, stderr = process.communicate()
        files, left = self.look(happy, mark, shm)
        left = [name for name in left if not is_told(name, stderr)]
        return Ended(status, stdout, stderr, files, ", ".join(left))

    def look(self, happy, mark, shm):
        """What lies in the folder now, and all that should not be anywhere."""
        limit = time.monotonic() + DYING_S
        while marked(mark.encode()) and time.monotonic() < limit:
            time.sleep(0.01)
        left = [f"process {pid}" for pid in marked(mark.encode())]
        for pid in marked(mark.encode()):
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        left += [f"/dev/shm/{name}" for name in shared_memory() - shm if "kinjo" in name]
        left += [str(self.temporary / name) for name in os.listdir(self.temporary)]
        files = {}
        for name in set(os.listdir(self.folder)) - self.inputs:
            path = self.folder / name
            files[name] = None if path.is_dir() else path.read_bytes()
            if path.is_dir():
                files |= {f"{name}/{p.name}": p.read_bytes() for p in path.iterdir()}
            if name not in happy.outputs:
                left.append(name)
        left += [name for name in files if name.endswith(".tmp")]
        return files, left


def is_right(happy, text):
    """Whether records say that they are right."""
    if happy.outputs and not text:
        return True
    try:
        data = json.loads(text)
    except ValueError:
        return False
    records = data.get("records", []) if isinstance(data, dict) else []
    return all(record.get("verified", True) for record in records)


def fault_in(happy, ended, clean):
    """What is wrong with the way in which a run ended, or nothing; `clean` is one without faults."""
    if ended.status is None:
        return "hangs"
    if ended.left:
        return f"leaves {ended.left}"
    if ended.status == 0:
        if not (ended.stdout == clean.stdout if happy.same else is_right(happy, ended.stdout)):
            return "succeeds with wrong output"
        if set(ended.files) != set(clean.files):
            return f"succeeds with other files: {sorted(ended.files)}"
        if happy.same and ended.files != clean.files:
            return "succeeds with wrong files"
        return ""
    if ended.status not in happy.failures:
        return f"status {ended.status}"
    lines = ended.stderr.splitlines()
    if not lines or not all(line.startswith("kinjo: ") for line in lines):
        return "does not say in a line of kinjo's why it failed"
    if "std::" in lines[-1] or len(lines[-1]) < 15:
        return "has no clear last line"
    return half_written(ended, clean)


def half_written(ended, clean):
    """Which file is neither absent nor as long as it should be."""
    for name, data in ended.files.items():
        if data is not None and name in clean.files and not data:
            return f"half-written {name}"
    return ""
