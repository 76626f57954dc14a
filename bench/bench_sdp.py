#!/usr/bin/env python3
"""Semidefinite programs: kinjo sdp beside SDPA, CSDP and DSDP, in turn, on the same files. Prints a Markdown
table: the median of seconds (least and most), the status that each reports, the largest of the
six DIMACS errors, memory, and kinjo's time over that of the faster of SDPA and CSDP.

Run it as bench/bench_sdp.py [--kinjo build/release/bin/kinjo] [--threads N] PROBLEMS...; a problem is a
file in SDPA's sparse format, or a folder of them. The peers are Debian's; they run with OpenBLAS' kernels of
--core-type, and their own defaults unless --tolerance is given. In what is timed nobody writes a solution;
one more run of each does, in all digits, and `kinjo sdp --check` measures them all alike.

Clarabel and SCS (from PyPI, --python) are timed inside Python, from the data in memory to the solution.

--keep FOLDER holds samples and solutions: what is there is not run again."""

import argparse
import json
import math
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import asdict, dataclass

PACKAGES = {"sdpa": "sdpa", "csdp": "coinor-csdp", "dsdp": "dsdp"}
PROGRAMS = {"sdpa": "sdpa", "csdp": "csdp", "dsdp": "dsdp5"}
FROM_PYPI = ("clarabel", "scs")
ENDINGS = {"kinjo": "npz", "sdpa": "result", "csdp": "sol", "dsdp": "sol", "clarabel": "npz", "scs": "npz"}
RIVALS = ("sdpa", "csdp")      # against whom the ratio is taken
CSDP_STATUS = {0: "optimal", 1: "primal_infeasible", 2: "dual_infeasible", 3: "partial success",
               4: "iterations ran out", 5: "stuck at edge of primal", 6: "stuck at edge of dual",
               7: "lack of progress", 8: "singular", 9: "not a number"}


@dataclass
class Sample:
    """One run."""
    seconds: float
    cpu_seconds: float
    bytes: int
    status: str


class Solver:
    """How a program is run, and what it says of its result."""

    def __init__(self, name, options):
        self.name, self.options = name, options

    def parameters(self, folder, digits):
        """SDPA's parameter file: its defaults, with what it prints."""
        tolerance = self.options.tolerance or 1e-7
        form = digits or "NOPRINT"
        values = {"maxIteration": 100, "epsilonStar": tolerance, "lambdaStar": 1e2, "omegaStar": 2.0,
                  "lowerBound": -1e5, "upperBound": 1e5, "betaStar": 0.1, "betaBar": 0.2, "gammaStar": 0.9,
                  "epsilonDash": tolerance, "xPrint": form, "XPrint": form, "YPrint": form,
                  "infPrint": "%+10.16e"}
        file = folder / "param.sdpa"
        file.write_text("".join(f"{value} {name}\n" for name, value in values.items()))
        return file

    def command(self, problem, threads, folder, solution):
        if self.name == "kinjo":
            extra = self.options.kinjo_options.split()
            if self.options.tolerance:
                extra += ["--tolerance", str(self.options.tolerance)]
            if solution:
                extra += ["-o", solution]
            return [self.options.kinjo, "sdp", problem, "--threads", str(threads), "--format", "json", *extra]
        if self.name == "sdpa":
            file = self.parameters(folder, solution and "%+.17e")
            return ["sdpa", "-ds", problem, "-o", solution or folder / "sdpa.result", "-p", file,
                    "-numThreads", str(threads)]
        if self.name == "csdp":
            if self.options.tolerance:
                (folder / "param.csdp").write_text("".join(
                    f"{key}={self.options.tolerance}\n" for key in ("axtol", "atytol", "objtol")))
            return ["csdp", problem, *([solution] if solution else [])]
        if self.name in FROM_PYPI:
            script = pathlib.Path(__file__).resolve().parent / "sdp_pypi.py"
            return [self.options.python, script, self.name, problem, self.options.tolerance or 1e-7, threads,
                    *([solution] if solution else [])]
        extra = ["-gaptol", str(self.options.tolerance or 1e-7)]
        return ["dsdp5", problem, *extra, *(["-save", solution] if solution else [])]

    def status(self, code, text, folder, solution):
        if self.name == "kinjo" or self.name in FROM_PYPI:
            found = re.search(r'"status": ?"([^"]+)"', text)
            return found[1] if found else f"exit {code}: {text.strip()[-80:]}"
        if self.name == "csdp":
            return CSDP_STATUS.get(code, f"exit {code}")
        if self.name == "sdpa":
            found = re.search(r"phase.value\s*=\s*(\w+)", text)
            return found[1] if found else f"exit {code}"
        found = re.search(r"DSDP (Converged|[^\n]*[Ii]nfeasible|[^\n]*Terminated[^\n]*)", text)
        return found[1] if found else f"exit {code}"


def environment(options, solver, threads):
    variables = dict(os.environ, OMP_NUM_THREADS=str(threads), OPENBLAS_NUM_THREADS=str(threads))
    if solver.name != "kinjo" and options.core_type:
        variables["OPENBLAS_CORETYPE"] = options.core_type
    return variables


def run(options, solver, problem, threads, solution=None):
    """One run of a solver; seconds and memory are those of the system. Memory is what time(1) says: what a
    process starts with counts as its own, which here would be all of Python's."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        command = [str(part) for part in solver.command(problem, threads, folder, solution)]
        with open(folder / "said", "w+") as said:
            start = time.perf_counter()
            process = subprocess.Popen(["time", "-q", "-f", "%M", "-o", folder / "memory", *command],
                                       cwd=folder, stdout=said, stderr=said,
                                       stdin=subprocess.DEVNULL, start_new_session=True,
                                       env=environment(options, solver, threads))
            timer = threading.Timer(options.limit, os.killpg, (process.pid, signal.SIGKILL))
            timer.start()
            _, code, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - start
            timer.cancel()
            process.returncode = code = os.waitstatus_to_exitcode(code)
            said.seek(0)
            text = said.read()
        status = solver.status(code, text, folder, solution)
        if code == -9 and seconds >= options.limit:
            status = f"> {options.limit:g} s"
        if solver.name in FROM_PYPI:        # the library alone, without Python's start
            found = re.search(r'"seconds": ([\d.e-]+)', text)
            seconds = float(found[1]) if found else seconds
        memory = (folder / "memory").read_text() if (folder / "memory").exists() else ""
        return Sample(seconds, usage.ru_utime + usage.ru_stime, int(memory or 0) * 1024, status)


def check(options, problem, solution):
    """The six errors of a solution by kinjo's verifier, or why there are none."""
    done = subprocess.run([options.verifier, "sdp", problem, "--check", solution, "--format", "json"],
                          capture_output=True, text=True, check=False)
    try:
        return [math.inf if error is None else error for error in json.loads(done.stdout)["dimacs_errors"]]
    except (ValueError, KeyError):
        return done.stderr.strip()


class Keeper:
    """Samples and solutions of earlier runs, if a folder is given for them."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder or tempfile.mkdtemp(prefix="bench_sdp."))
        self.passing = folder is None
        self.folder.mkdir(parents=True, exist_ok=True)
        self.file = self.folder / "samples.json"
        self.held = json.loads(self.file.read_text()) if self.file.exists() else {}

    def get(self, key):
        return self.held.get(key)

    def put(self, key, value):
        self.held[key] = value
        self.file.write_text(json.dumps(self.held, indent=1))

    def close(self):
        if self.passing:
            shutil.rmtree(self.folder)


def race(options, solvers, problem, keeper):
    """Samples of each solver, in turn: nobody always follows the same one. Rounds end when a problem has
    taken long enough; the first of those that end at the limit is the last."""
    samples = {}
    for solver in solvers:
        held = keeper.get(f"{problem.stem}/{solver.name}/{options.threads}")
        if held:
            samples[solver.name] = [Sample(**sample) for sample in held]
    waiting = [solver for solver in solvers if solver.name not in samples]
    start = time.perf_counter()
    for round_ in range(options.rounds):
        for k in range(len(waiting)):
            solver = waiting[(k + round_) % len(waiting)]
            mine = samples.setdefault(solver.name, [])
            if not mine or mine[-1].seconds < options.limit:
                mine.append(run(options, solver, problem, options.threads))
        if time.perf_counter() - start > options.enough:
            break
    for solver in waiting:
        keeper.put(f"{problem.stem}/{solver.name}/{options.threads}",
                   [asdict(sample) for sample in samples[solver.name]])
    return samples


def errors_of(options, solver, problem, samples, keeper):
    """The DIMACS errors of a solver's solution, from one more run."""
    if options.no_check:
        return None
    key = f"{problem.stem}/{solver.name}/errors"
    if isinstance(keeper.get(key), list):
        return keeper.get(key)
    solution = keeper.folder / f"{problem.stem}.{solver.name}.{ENDINGS[solver.name]}"
    if not solution.exists() and samples[-1].seconds < options.limit:
        run(options, solver, problem, options.threads, solution)
    if not solution.exists() or not options.verifier:
        return None
    errors = check(options, problem, solution)
    keeper.put(key, errors)
    if keeper.passing:
        solution.unlink()
    return errors


def seconds_text(samples):
    times = sorted(sample.seconds for sample in samples)
    middle = statistics.median(times)
    spread = f" ({times[0]:.2f}–{times[-1]:.2f})" if len(times) > 1 and middle >= 0.05 else ""
    return f"{middle:.2f}{spread}"


def worst(errors):
    return max(abs(error) for error in errors)


def row_of(problem, solvers, samples, errors):
    cells = [problem.stem]
    for solver in solvers:
        mine = samples[solver.name]
        found = errors[solver.name]
        cells += [seconds_text(mine), mine[-1].status,
                  f"{worst(found):.0e}" if isinstance(found, list) else "–",
                  f"{statistics.median(sample.bytes for sample in mine) / 2**20:.0f}"]
    ratio = ratio_of(samples)
    return [*cells, f"{ratio:.2f}" if ratio else "–"]


def faster(samples):
    """The median of the faster one of the rivals."""
    times = [statistics.median(sample.seconds for sample in samples[name])
             for name in RIVALS if name in samples]
    return min(times) if times else None


def ratio_of(samples):
    if "kinjo" not in samples or not faster(samples):
        return None
    return statistics.median(sample.seconds for sample in samples["kinjo"]) / faster(samples)


def summary(solvers, rows):
    """What all rows come to."""
    ratios = {problem: ratio_of(samples) for problem, samples, _ in rows
              if ratio_of(samples) and faster(samples) >= 0.1}
    if ratios:
        mean = math.exp(statistics.fmean(math.log(ratio) for ratio in ratios.values()))
        last = max(ratios, key=ratios.get)
        yield (f"kinjo over the faster of SDPA and CSDP, where that takes 0.1 s or more ({len(ratios)} problems): "
               f"geometric mean {mean:.3f}, worst {ratios[last]:.2f} ({last})")
    for solver in solvers:
        known = [errors[solver.name] for _, _, errors in rows if isinstance(errors[solver.name], list)]
        counts = [sum(worst(found) <= bound for found in known) for bound in (1e-6, 1e-7)]
        yield (f"{solver.name}: all six errors at most 1e-6 on {counts[0]} and 1e-7 on {counts[1]} of "
               f"{len(rows)}")


def problems_of(paths):
    for path in map(pathlib.Path, paths):
        if path.is_dir():
            yield from sorted(path.glob("*.dat-s"))
        else:
            yield path


def find_peers(options):
    """The peers that are asked for, which are all there."""
    names = [name for name in options.peers.split(",") if name]
    missing = [PACKAGES[name] for name in names
               if name in PACKAGES and not shutil.which(PROGRAMS[name])]
    if missing and options.install:
        subprocess.run(["apt-get", "install", "-y", *missing], check=True, stdout=sys.stderr)
    elif missing:
        sys.exit(f"bench_sdp.py: missing: apt-get install {' '.join(missing)} (or --install, or --peers)")
    return names


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("problems", nargs="+")
    parser.add_argument("--kinjo", default="build/release/bin/kinjo", help="the program; '' for the peers alone")
    parser.add_argument("--kinjo-options", default="", help="more options for it, in one word")
    parser.add_argument("--peers", default="sdpa,csdp", help="of sdpa, csdp, dsdp, clarabel, scs")
    parser.add_argument("--python", default=sys.executable,
                        help="one that has Clarabel and SCS (pip install clarabel scs), for these")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--enough", type=float, default=60, help="seconds after which no round begins")
    parser.add_argument("--limit", type=float, default=600, help="seconds that a run may take")
    parser.add_argument("--tolerance", type=float, help="for all; unset: each one's default")
    parser.add_argument("--core-type", default="SkylakeX", help="OPENBLAS_CORETYPE of the peers; '' for none")
    parser.add_argument("--keep", metavar="FOLDER")
    parser.add_argument("--verifier", help="the kinjo that verifies, if not that of --kinjo")
    parser.add_argument("--no-check", action="store_true", help="times alone")
    parser.add_argument("--install", action="store_true", help="install the peers that are missing")
    options = parser.parse_args()
    if options.kinjo:
        options.kinjo = str(pathlib.Path(options.kinjo).resolve())
    options.verifier = options.verifier or options.kinjo
    return options


def main():
    options = parse()
    names = find_peers(options)
    solvers = [Solver(name, options) for name in [*(["kinjo"] if options.kinjo else []), *names]]
    keeper = Keeper(options.keep)
    heads = [f"{solver.name} {what}" for solver in solvers for what in ("s", "status", "error", "MiB")]
    print(f"{options.threads} threads\n\n| problem |", " | ".join(heads), "| ratio |")
    print("| --- |", " | ".join(["---:", "---", "---:", "---:"] * len(solvers)), "| ---: |", flush=True)
    rows = []
    for problem in problems_of(options.problems):
        problem = problem.resolve()
        samples = race(options, solvers, problem, keeper)
        errors = {solver.name: errors_of(options, solver, problem, samples[solver.name], keeper)
                  for solver in solvers}
        rows.append((problem.stem, samples, errors))
        print("|", " | ".join(row_of(problem, solvers, samples, errors)), "|", flush=True)
    print()
    for line in summary(solvers, rows):
        print(line)
    keeper.close()


if __name__ == "__main__":
    main()
