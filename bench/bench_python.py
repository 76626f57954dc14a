#!/usr/bin/env python3
"""What a call costs from Python: kinjo's BLAS level 1 beside what NumPy has for the same, in turn.

Run it with build/venv/bin/python bench/bench_python.py [ELEMENTS...]; default 16 and 1000."""

import statistics
import sys
import timeit

import numpy as np

import kinjo

PAIRS = [
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
ROUNDS, CALLS = 200, 200


def time_pair(pair, names):
    """Nanoseconds a call of both, round by round, one after the other."""
    timers = [timeit.Timer(code, globals=names) for code in pair]
    rounds = [[timer.timeit(CALLS) / CALLS * 1e9 for timer in timers] for _ in range(ROUNDS)]
    return zip(*rounds, strict=True)


def main(sizes):
    print(f"{'elements':>8}  {'kinjo':26}{'ns':>7}  {'NumPy ' + np.__version__:28}{'ns':>7}"
          f"{'NumPy/kinjo':>13}  middle half")
    for n in sizes:
        random = np.random.default_rng(1)
        names = {"kinjo": kinjo, "np": np, "x": random.random(n), "y": random.random(n)}
        for pair in PAIRS:
            ours, theirs = time_pair(pair, names)
            ratios = [b / a for a, b in zip(ours, theirs, strict=True)]
            low, middle, high = statistics.quantiles(ratios, n=4)
            print(f"{n:8}  {pair[0]:26}{statistics.median(ours):7.0f}  {pair[1]:28}"
                  f"{statistics.median(theirs):7.0f}{middle:13.2f}  {low:.2f} to {high:.2f}")


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or [16, 1000])
