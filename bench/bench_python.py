#!/usr/bin/env python3
"""What a call costs from Python: kinjo's BLAS level 1 and products of square matrices beside what
NumPy has for the same, in turn, on one thread each where OPENBLAS_NUM_THREADS=1 is set.

Run it with build/venv/bin/python bench/bench_python.py [--matmul] [SIZES...]; default elements 16
and 1000, and matrices of 4, 16, 64 and 256 rows."""

import argparse
import statistics
import timeit

import numpy as np

import kinjo

VECTORS = [
    ("kinjo.sum(x)", "np.sum(x)"),
    ("kinjo.sum_of_squares(x)", "np.dot(x, x)"),
    ("kinjo.norm2(x)", "np.linalg.norm(x)"),
    ("kinjo.asum(x)", "np.sum(np.abs(x))"),
    ("kinjo.dot(x, y)", "np.dot(x, y)"),
    ("kinjo.axpy(0.5, x, y)", "np.add(y, 0.5 * x, out=y)"),
    ("kinjo.scale(1.0, x)", "np.multiply(x, 1.0, out=x)"),
    ("kinjo.copy(x, y)", "np.copyto(y, x)"),
    ("kinjo.max_abs_index(x)", "np.argmax(np.abs(x))"),
]
MATRICES = [
    ("kinjo.matmul(a, b)", "np.matmul(a, b)"),
    ("kinjo.matmul(a, b, out=c)", "np.matmul(a, b, out=c)"),
    ("kinjo.matmul(a, b.T, out=c)", "np.matmul(a, b.T, out=c)"),
]
ROUNDS, MOST_CALLS = 200, 200


def time_pair(pair, names, calls):
    """Nanoseconds a call of both, round by round, one after the other."""
    timers = [timeit.Timer(code, globals=names) for code in pair]
    rounds = [[timer.timeit(calls) / calls * 1e9 for timer in timers] for _ in range(ROUNDS)]
    return zip(*rounds, strict=True)


def print_pairs(size, pairs, names, calls):
    for pair in pairs:
        ours, theirs = time_pair(pair, names, calls)
        ratios = [b / a for a, b in zip(ours, theirs, strict=True)]
        low, middle, high = statistics.quantiles(ratios, n=4)
        print(f"{size:8}  {pair[0]:28}{statistics.median(ours):9.0f}  {pair[1]:28}"
              f"{statistics.median(theirs):9.0f}{middle:13.2f}  {low:.2f} to {high:.2f}")


def print_head(what):
    print(f"{what:>8}  {'kinjo':28}{'ns':>9}  {'NumPy ' + np.__version__:28}{'ns':>9}"
          f"{'NumPy/kinjo':>13}  middle half")


def compare_vectors(sizes):
    print_head("elements")
    for n in sizes:
        random = np.random.default_rng(1)
        names = {"kinjo": kinjo, "np": np, "x": random.random(n), "y": random.random(n)}
        print_pairs(n, VECTORS, names, MOST_CALLS)


def compare_matrices(sizes):
    print_head("rows")
    for n in sizes:
        random = np.random.default_rng(1)
        names = {"kinjo": kinjo, "np": np} | {name: random.random((n, n)) for name in "abc"}
        print_pairs(n, MATRICES, names, max(1, min(MOST_CALLS, 10_000_000 // n**3)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matmul", action="store_true", help="products of matrices alone")
    parser.add_argument("sizes", nargs="*", type=int)
    wanted = parser.parse_args()
    if not wanted.matmul:
        compare_vectors(wanted.sizes or [16, 1000])
    if wanted.matmul or not wanted.sizes:
        compare_matrices(wanted.sizes or [4, 16, 64, 256])
