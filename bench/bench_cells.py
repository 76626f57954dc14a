#!/usr/bin/env python3
"""Cells beside what is written by hand and beside Open MPI, in alternation: the ping-pong of `kinjo cells`
and of cells_mpi (which is built where MPI is found), then the multiplication in its forms, and the barrier of
16 cells. Prints Markdown tables: medians over the rounds, and ratios of what was measured in the same round.

    bench/bench_cells.py [--build build/release] [--rounds N] [--size N] [BYTES...]"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent


def kinjo(build, *arguments):
    """The records of a run."""
    run = subprocess.run([build / "bin" / "kinjo", "cells", *arguments, "--format", "json"],
                         capture_output=True, text=True, check=True)
    return json.loads(run.stdout)["records"]


def pingpong(build, transport, sizes):
    """(way, bytes) → metrics."""
    listed = ",".join(map(str, sizes))
    records = kinjo(build, "pingpong", "--cells", "2", "--transport", transport, "--size", listed)
    return {(r["parameters"]["way"], r["parameters"]["size"]):
            {name: metric["value"] for name, metric in r["metrics"].items()} for r in records}


def mpi(build, ranks, *sizes):
    """(name, bytes) → value; None where there is no MPI."""
    program = build / "bin" / "cells_mpi"
    if not program.exists() or not shutil.which("mpirun"):
        return None
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    run = subprocess.run(["mpirun", "--oversubscribe", "-n", str(ranks), program, *map(str, sizes)],
                         capture_output=True, text=True, check=True, env=environment)
    rows = (line.split() for line in run.stdout.splitlines())
    return {(name, int(size)): float(value) for name, size, value in rows}


def spread(values):
    return f"{statistics.median(values):.4g} ({min(values):.4g} to {max(values):.4g})"


def ratio(first, second):
    return f"{statistics.median(a / b for a, b in zip(first, second)):.3f}"


def latencies(rounds, sizes, transports):
    print("| bytes | way | one way, ns | × by hand | Open MPI, ns | Open MPI over kinjo |")
    print("| ---: | --- | --- | ---: | --- | ---: |")
    for transport in transports:
        for size in sizes:
            for way, peer in (("put", "put"), ("put_short", "put"), ("am", None), ("send", "send")):
                ours = [r[transport].get((way, size), {}).get("latency_ns") for r in rounds]
                if None in ours:
                    continue
                hand = [r[transport][("by_hand", 8)]["latency_ns"] for r in rounds]
                row = [str(size), f"{way}, {transport}", spread(ours), ratio(ours, hand) if size <= 8 else ""]
                theirs = [r["mpi"][(peer, size)] for r in rounds] if peer and rounds[0]["mpi"] else None
                row += [spread(theirs), ratio(theirs, ours)] if theirs else ["", ""]
                print("| " + " | ".join(row) + " |")


def rates(rounds, sizes, transports):
    print("\n| bytes | way | GB/s | × memcpy | Open MPI, GB/s | kinjo over Open MPI |")
    print("| ---: | --- | --- | ---: | --- | ---: |")
    for transport in transports:
        for size in sizes:
            for way in ("put", "get", "send"):
                found = [r[transport][(way, size)] for r in rounds]
                ours = [f["bandwidth"] for f in found]
                row = [str(size), f"{way}, {transport}", spread(ours),
                       f"{statistics.median(f['bandwidth_to_copy'] for f in found):.3f}"]
                theirs = ([r["mpi"][("put_rate", size)] / 1e9 for r in rounds]
                          if way == "put" and rounds[0]["mpi"] else None)
                row += [spread(theirs), ratio(ours, theirs)] if theirs else ["", ""]
                print("| " + " | ".join(row) + " |")


def products(build, size, rounds):
    print("\n| cells | form | GFLOP/s | % of no communication | waiting, % |")
    print("| ---: | --- | ---: | --- | ---: |")
    for cells in (2, 4, 16):
        records = kinjo(build, "gemm", "--size", str(size), "--cells", str(cells), "--oversubscribe",
                        "--transport", "processes", "--form", "put,get,send,direct", "--repeat", str(rounds),
                        "--no-wait-trace", "--verify")
        for record in records:
            metrics = record["metrics"]
            print(f"| {cells} | {record['parameters']['form']} | {metrics['gflops']['value']:.1f} | "
                  f"{spread(metrics['efficiency']['samples'])} | {metrics['waiting']['value']:.1f} |")


def barriers(build, rounds):
    print("\n| barrier of | µs |\n| --- | --- |")
    times = {}
    for _ in range(rounds):
        for kind in ("threads", "processes"):
            run = subprocess.run([build / "bin" / "cells_barrier", kind, "16"], capture_output=True, text=True,
                                 check=True)
            times.setdefault(f"16 cells, {kind}", []).append(float(run.stdout))
        found = mpi(build, 16)
        if found:
            times.setdefault("16 ranks of Open MPI", []).append(found[("barrier", 0)] / 1e3)
    for name, values in times.items():
        print(f"| {name} | {spread(values)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bytes", nargs="*", type=int, default=[8, 64, 4096, 65536, 1048576])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--size", type=int, default=2048)
    options = parser.parse_args()
    transports = ("threads", "processes")
    rounds = []
    for _ in range(options.rounds):
        found = {t: pingpong(options.build, t, options.bytes) for t in transports}
        found["mpi"] = mpi(options.build, 2, *options.bytes)
        rounds.append(found)
    latencies(rounds, options.bytes, transports)
    rates(rounds, options.bytes, transports)
    products(options.build, options.size, options.rounds)
    barriers(options.build, options.rounds)


if __name__ == "__main__":
    main()
