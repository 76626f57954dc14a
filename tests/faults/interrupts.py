"""Ctrl-C at random moments of long commands: shared by the test and by the long run."""

import os
import random
import signal
import struct
import subprocess
import time
import uuid

from happy_paths import KINJO, LIMIT_S, Happy, Workplace, is_told

LONG = (
    Happy("stream", ("stream", "--elements", "2000000", "--repeat", "60")),
    Happy("gemm files", ("gemm", "L.npy", "L.npy", "-o", "out.npy", "--verify", "--memory-limit", "48M"),
          ("out.npy",)),
    Happy("fft files", ("fft", "L.npy", "-o", "out.npy", "--verify"), ("out.npy",)),
    Happy("paths", ("paths", "grid:8", "--method", "diagram", "--save", "out.kzdd"), ("out.kzdd",)),
    Happy("sdp", ("sdp", "theta:60,400", "-o", "out.result"), ("out.result",)),
    Happy("sdp kept", ("sdp", "theta:60,400", "-o", "out.result", "--save-on-interrupt"),
          ("out.result",)),
    Happy("bfs", ("bfs", "kronecker:17", "--root", "1", "--repeat", "20", "--parents", "parents.npy",
                  "--save", "graph.kgraph"), ("parents.npy", "graph.kgraph")),
    Happy("graph500", ("graph500", "--scale", "15", "--roots", "64", "--report", "out.html"),
          ("out.html",)),
    Happy("cells gemm", ("cells", "gemm", "--size", "256", "--repeat", "20", "--cells", "4",
                         "--oversubscribe", "--transport", "processes")),
    Happy("cells launch", ("cells", "launch", "--cells", "3", "--oversubscribe", "--", "sleep", "2")),
    Happy("measure", ("measure", "nodes", "--budget", "2", "--repeat", "1", "--buffer", "1M",
                      "--output", "out"), ("out",)),
    Happy("tune command", ("tune", "--repeat", "2", "--pairs", "6", "--report", "out.html", "--", "sh",
                           "-c", "sleep 0.05"), ("out.html",)),
    Happy("tune stream", ("tune", "stream", "--set", "elements=200000", "--report", "out.html"),
          ("out.html",)),
    Happy("run", ("run", "--", "sh", "-c", "sleep 1; true")),
    Happy("where", ("where", "--after", "1", "--output", "out", "--", "sleep", "2"), ("out",)),
)


def write_large_matrix(folder):
    """1000 x 1000 numbers: 8 MB."""
    header = "{'descr': '<f8', 'fortran_order': False, 'shape': (1000, 1000), }".ljust(117) + "\n"
    row = struct.pack("<1000d", *[i % 7 - 3 for i in range(1000)])
    (folder / "L.npy").write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + header.encode()
                                   + row * 1000)


class LongWorkplace(Workplace):
    def make(self):
        super().make()
        write_large_matrix(self.folder)
        self.inputs.add("L.npy")

    def duration(self, happy):
        """How many seconds it takes uninterrupted."""
        self.clean()
        began = time.monotonic()
        ended = self.run(happy)
        if ended.status not in (0, 1):
            raise AssertionError(f"{happy.name} ends with {ended.status}: {ended.stderr}")
        return time.monotonic() - began

    def interrupt(self, happy, after_s, old):
        """What is wrong with an end by Ctrl-C after so long, or nothing. Files that are there already
        hold `old`."""
        self.clean()
        for name in happy.outputs:
            (self.folder / name).write_bytes(old)
        mark = uuid.uuid4().hex
        process = subprocess.Popen([KINJO, *happy.arguments], cwd=self.folder,
                                   env=self.environment(mark), text=True, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   start_new_session=True)
        time.sleep(after_s)  # the moment itself: nothing is expected to have happened
        os.killpg(process.pid, signal.SIGINT)
        try:
            stdout, stderr = process.communicate(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return "hangs " + process.communicate()[1]
        return self.judge(happy, mark, process.returncode, stderr, old)

    def judge(self, happy, mark, status, stderr, old):
        files, left = self.look(happy, mark, set())
        left = [name for name in left if not is_told(name, stderr)]
        if left:
            return f"status {status}, leaves {', '.join(left)}: {stderr!r}"
        if status not in (0, 1, 130, -signal.SIGINT):
            return f"status {status}: {stderr!r}"
        if not all(line.startswith("kinjo: ") for line in stderr.splitlines()):
            return f"says {stderr!r}"
        for name in happy.outputs:
            if name not in files:
                return f"status {status}: the old {name} is gone"
            whole = files[name] == old or len(files[name]) > len(old)
            if not whole:
                return f"status {status}: half-written {name}"
        return ""


def moments(seed, durations, count):
    """(index of a command, when) so many times, all commands in turn."""
    generator = random.Random(seed)
    return [(i % len(durations), generator.uniform(0, durations[i % len(durations)]))
            for i in range(count)]
