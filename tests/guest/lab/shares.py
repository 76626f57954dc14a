"""Local shares: which share of each computation's bytes lies on the node of the thread that moves them,
by policy and phase, as the access counter found it in a guest (kinjo-local-shares/1)."""

import datetime
import json
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from . import report, shapes
from .failure import Failure

SCHEMA = "kinjo-local-shares/1"
MEANING = "bytes loaded and stored by the program's own instructions, stacks and barriers left out"
RUN = Path(__file__).resolve().parent.parent / "run_guest"
SHAPE = "opteron4"
THREADS = 8
LIMIT_S = 900
# Without sibling threads compact-plus is compact, thread by thread.
POLICIES = ("none", "scatter", "compact")
SAME = {"compact-plus": "compact"}


@dataclass(frozen=True)
class Workload:
    """What is run, small enough for an emulated machine and large enough for whole pages everywhere."""

    name: str
    command: str  # what stands behind `kinjo`, without policy and threads
    apart: tuple = ()  # phases that are not what is judged, work within a cache, or waiting
    counted: str = "threads"


WORKLOADS = (
    Workload("stream", "stream --elements 262144 --pages normal --repeat 1", ("init", "verify")),
    Workload("blas1", "blas1 --kernel dot --size 262144 --pages normal --repeat 1 --verify"),
    Workload("gemm", "gemm --size 256 --pages normal --repeat 1"),
    Workload("fft", "fft --size 512x512 --pages normal --repeat 1", ("compute 1", "compute 2")),
    Workload("graph500", "graph500 --scale 16 --roots 2 --pages normal --skip-validation", ("construction", "translate")),
    Workload("paths", "paths grid:8 --method sweep"),
    Workload("paths-diagram", "paths grid:8 --method diagram"),
    Workload("sdp", "sdp control:12"),
    Workload(
        "cells",
        "cells gemm --size 192 --repeat 1",
        ("cells wait", "cells reduce", "cells barrier"),
        counted="cells",
    ),
)


def find(name):
    """The workload of that name."""
    return next(workload for workload in WORKLOADS if workload.name == name)


def command(workload, policy):
    """What is run in the guest."""
    return f"kinjo {workload.command} --policy {policy} --{workload.counted} {THREADS}"


def count(build, workload, policy):
    """The phases of one counted run: {phase: [local bytes, other bytes]}."""
    with tempfile.TemporaryDirectory(prefix="kinjo-shares-") as directory:
        path = Path(directory) / "figures.json"
        # Symbols are looked up at the start, so that the loader's work falls into no phase.
        line = f"LD_BIND_NOW=1 {command(workload, policy)}"
        preloaded = next(build.glob("lib*/**/libkinjo_preload.so"))
        files = {build / "bin" / "kinjo": "bin/kinjo", preloaded: preloaded.relative_to(build)}
        run = subprocess.run(
            [RUN, "--shape", SHAPE, "--time-limit", str(LIMIT_S), "--count", "--phases-only"]
            + ["--json", str(path)]
            + [f"--file={host}:/usr/local/{guest}" for host, guest in files.items()]
            + ["--", "sh", "-c", line],
            capture_output=True,
            text=True,
            check=False,
        )
        if run.returncode != 0:
            raise Failure(run.returncode, f"{command(workload, policy)}: {run.stderr.strip()}")
        return phases_of(json.loads(path.read_text()))


def phases_of(figures):
    """Local and other bytes of each phase of a counter's figures."""
    found = {}
    for phase in figures["phases"]:
        if phase["share_local"] is None or phase["phase"] == "(outside)":
            continue
        local = sum(phase[way]["local"] for way in ("loaded", "stored"))
        whole = sum(sum(phase[way].values()) for way in ("loaded", "stored"))
        found[phase["phase"]] = [local, whole - local]
    return found


def share(workload, phases):
    """The share of local bytes in all phases that are the computation."""
    sums = [phases[name] for name in phases if name not in workload.apart]
    return sum(local for local, _ in sums) / sum(map(sum, sums))


def document(counted, version):
    """What is stored, of {workload: {policy: phases}}."""
    shape = shapes.find(SHAPE)
    return {
        "schema": SCHEMA,
        "meaning": MEANING,
        "kinjo": version,
        "counted": datetime.date.today().isoformat(),
        "machine": SHAPE,
        "about": shape.about,
        "nodes": len(shape.cpus),
        "cpus": sum(map(len, shape.cpus)),
        "threads": THREADS,
        "same": SAME,
        "workloads": [
            {
                "workload": workload.name,
                "command": command(workload, "POLICY"),
                "apart": list(workload.apart),
                "policies": counted[workload.name],
            }
            for workload in WORKLOADS
        ],
    }


def text(data):
    """JSON with a line for each phase, to be read and compared line by line."""
    lines = json.dumps(data, indent=1, ensure_ascii=False)
    return re.sub(r"\[([^][{}]*)\]", lambda of: f"[{' '.join(of[1].split())}]", lines) + "\n"


def main(arguments, build, version, stored):
    """Counts the workloads that are named, or all, and writes them into the stored file."""
    names = arguments or [workload.name for workload in WORKLOADS]
    known = {w["workload"]: w["policies"] for w in json.loads(stored.read_text())["workloads"]} if (
        stored.exists()) else {}
    for name in names:
        known[name] = {}
        for policy in POLICIES:
            phases = count(build, find(name), policy)
            known[name][policy] = phases
            print(f"{name:9} {policy:8} {100 * share(find(name), phases):7.3f} % local", flush=True)
    for workload in WORKLOADS:
        known.setdefault(workload.name, {})
    stored.write_text(text(document(known, version)), encoding="utf-8")
    return 0
