#!/usr/bin/env python3
"""The cost model against S2: calibrated on its tables 3 and 4, compared with its tables 5 and 8.

  compare_s2.py            the tables of docs/cost_model.md
  compare_s2.py block      the counts (kinjo-lab/1) of S2's FFT under a placement, for lab_predict

S2's FFT of 2^24 complex numbers treats 256 MiB as 4096 rows of 4096.  Rows are dealt to the cells
(block, cyclic) or all lie in the first one (default).  It passes over them four times, 256 MiB
each, with equal shares for all threads:

  LOAD1, STORE1, STORE2   columns, so every thread uses all cells that hold rows alike
  LOAD2                   blocks of rows: the thread's own cell under block placement, else as above
"""

import json
import sys
from pathlib import Path

from lab import prediction, profile, report

MIB = 1 << 20
PASS_BYTES = 256 * MIB
PASSES = ("LOAD1", "STORE1", "LOAD2", "STORE2")
PLACEMENTS = ("default", "block", "cyclic")
PROFILES = Path(__file__).resolve().parent / "profiles"
EIGHT = (0, 0, 1, 1, 2, 2, 3, 3)  # cells of S2's eight threads

# MB/s by the cells of the threads: S2 tables 3 and 4.
BANDWIDTH = {
    (0,): 1082,
    (0, 1): 2166,
    (0, 1, 2): 2588,
    (0, 1, 2, 3): 2564,
    EIGHT: 2468,
    (0, 0): 792,
    (0, 0, 1, 1): 1577,
    (0, 0, 1, 1, 2, 2): 2361,
}
# ms of the passes, S2 table 5; its Comp. is not of the memory and not used.
PUBLISHED = {
    "default": (271, 147, 201, 435),
    "block": (130, 66, 90, 121),
    "cyclic": (126, 69, 106, 137),
}
TOTAL = {"default": 1372, "block": 671, "cyclic": 702}  # S2 table 5, with Comp.
COMPUTING = 212  # ms, S2 table 8: Comp. of 8 threads, from another run than table 5
# ms for the memory by the cells of the threads, block placement: S2 table 8.
MEMORY_TIME = {(0,): 2422, (0, 1): 1320, (0, 1, 2, 3): 709, EIGHT: 432}


def pass_over(name, placement, cells):
    """The bytes of one pass, as a phase of kinjo-lab/1."""
    holders = [0] if placement == "default" else sorted(set(cells))
    share = PASS_BYTES // len(cells)
    by_cpu = []
    for cpu, cell in enumerate(cells):
        used = [cell] if (name, placement) == ("LOAD2", "block") else holders
        amounts = [share // len(used) if node in used else 0 for node in range(4)]
        by_cpu.append({"cpu": cpu, "node": cell, "bytes": amounts})
    return {"phase": name, "by_cpu": by_cpu}


def counts(placement, cells=EIGHT):
    """The FFT's four passes."""
    return {
        "schema": report.SCHEMA,
        "shape": f"S2's FFT, {placement}, {len(cells)} threads",
        "nodes": [0, 1, 2, 3],
        "phases": [pass_over(name, placement, cells) for name in PASSES],
    }


def own_arrays(cells):
    """S2's bandwidth test: every thread reads 128 MiB of its own cell."""
    phase = pass_over("LOAD2", "block", cells)
    return {**counts("block", cells), "phases": [phase]}


def predicted_ms(machine, found):
    """Times of the phases."""
    return [1e3 * phase["seconds"] for phase in prediction.predict(found, machine)["phases"]]


def bandwidth(machine, cells):
    """What the model gives for the bandwidth test, MiB/s."""
    return 1e3 * PASS_BYTES / MIB / predicted_ms(machine, own_arrays(cells))[0]


def fft(machine):
    """Predicted times of the passes, by placement."""
    return {name: predicted_ms(machine, counts(name)) for name in PLACEMENTS}


def error(predicted, published):
    """How far off, as text: +2.0 %."""
    return f"{100 * (predicted / published - 1):+.1f} %"


def ratios(times):
    """default and cyclic over block."""
    return {name: times[name] / times["block"] for name in ("default", "cyclic")}


def calibration(machine):
    """Tables 3 and 4, which the profile was made from."""
    yield "| threads in cells | published MB/s | model | error |"
    yield "| --- | ---: | ---: | ---: |"
    for cells, published in BANDWIDTH.items():
        model = bandwidth(machine, cells)
        each = " + ".join(str(cells.count(cell)) for cell in sorted(set(cells)))
        yield f"| {each} | {published} | {model:.0f} | {error(model, published)} |"


def ratio_rows(machine):
    """Ratios of table 5: of the four passes, and of all with Comp. from table 8."""
    memory = {name: sum(times) for name, times in fft(machine).items()}
    published = {name: sum(times) for name, times in PUBLISHED.items()}
    total = {name: time + COMPUTING for name, time in memory.items()}
    for what, model, paper in (("memory", memory, published), ("total", total, TOTAL)):
        for name, ratio in ratios(model).items():
            asked = ratios(paper)[name]
            yield (
                f"| {machine.machine} | {what}, {name} : block | {asked:.3f} | {ratio:.3f} "
                f"| {error(ratio, asked)} |"
            )


def time_rows(machine):
    """Times of table 5."""
    for name, times in fft(machine).items():
        for step, model, published in zip(PASSES, times, PUBLISHED[name]):
            yield (
                f"| {machine.machine} | {name} {step} | {published} | {model:.0f} "
                f"| {error(model, published)} |"
            )
        published = sum(PUBLISHED[name])
        yield (
            f"| {machine.machine} | **{name}, all four** | {published} | {sum(times):.0f} "
            f"| {error(sum(times), published)} |"
        )


def thread_rows(machine):
    """Times of table 8."""
    for cells, published in MEMORY_TIME.items():
        model = sum(predicted_ms(machine, counts("block", cells)))
        yield f"| {len(cells)} | {published} | {model:.0f} | {error(model, published)} |"


def tables():
    """Everything, as it stands in docs/cost_model.md."""
    machines = [profile.read(PROFILES / f"{name}.json") for name in ("azusa", "azusa_bus")]
    head = ["| --- | --- | ---: | ---: | ---: |"]
    yield "\n".join(calibration(machines[0]))
    rows = [row for machine in machines for row in ratio_rows(machine)]
    yield "\n".join(["| profile | ratio | published | predicted | error |", *head, *rows])
    rows = [row for machine in machines for row in time_rows(machine)]
    yield "\n".join(["| profile | pass | published ms | predicted | error |", *head, *rows])
    head = ["| threads | published ms | predicted | error |", "| ---: | ---: | ---: | ---: |"]
    yield "\n".join([*head, *thread_rows(machines[0])])


def main(arguments):
    """Prints the tables, or the counts of a placement."""
    if arguments in ([name] for name in PLACEMENTS):
        print(json.dumps(counts(arguments[0]), indent=1))
        return 0
    if arguments:
        print(f"usage: compare_s2.py [{'|'.join(PLACEMENTS)}]", file=sys.stderr)
        return 2
    print("\n\n".join(tables()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
