#!/usr/bin/env python3
"""Fourier transforms from Python: kinjo.fft beside ducc0, scipy.fft (pocketfft) and numpy.fft, in turn, as
far as they are installed. Prints a Markdown table: MFLOP/s by 5 n log2 n, median (best), and the peer's time
over kinjo's.

Run it with a Python that has them: bench/bench_fft.py [--threads N] [--rounds N] [--in-place] [SIZES...]; a
size is N, 2^K or AxB."""

import argparse
import importlib
import math
import statistics

import numpy as np
from in_turn import race, seconds

import kinjo

SIZES = ["2^10", "2^14", "2^18", "2^20", "2^22", "2^24", "1000000", "1594323", "9765625", "823543",
         "1000003", "510510", "4096x4096"]


def shape_of(text):
    """2^10, or 512x512."""
    return tuple(2 ** int(part[2:]) if part.startswith("2^") else int(part)
                 for part in text.split("x"))


def installed(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def calls(x, y, threads):
    """A function for each library, that transforms x to y or makes a new array."""
    found = {"kinjo": lambda: kinjo.fft.fftn(x, out=y, workers=threads)}
    if ducc0 := installed("ducc0.fft"):
        found["ducc0"] = lambda: ducc0.c2c(x, out=y, nthreads=threads)
    if scipy := installed("scipy.fft"):
        found["SciPy"] = lambda: scipy.fftn(x, overwrite_x=y is x, workers=threads)
    found["NumPy"] = lambda: np.fft.fftn(x)
    return found


def samples_of(found, rounds):
    for call in found.values():
        call()
    repeat = max(1, int(5e-3 / seconds(found["kinjo"], 1)))
    return race(found, dict.fromkeys(found, repeat), rounds)


def cells(samples, flops):
    for name, times in samples.items():
        rate = f"{flops / statistics.median(times) / 1e6:.0f} ({flops / min(times) / 1e6:.0f})"
        ratio = statistics.median(t / k for t, k in zip(times, samples["kinjo"]))
        yield rate if name == "kinjo" else f"{rate} {ratio:.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", default=SIZES)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--in-place", action="store_true")
    options = parser.parse_args()
    for number, text in enumerate(options.sizes):
        shape = shape_of(text)
        random = np.random.default_rng(1)
        x = random.uniform(-1, 1, shape) + 1j * random.uniform(-1, 1, shape)
        if options.in_place:
            x[...] = 0        # stays as it is from call to call
        y = x if options.in_place else np.empty_like(x)
        samples = samples_of(calls(x, y, options.threads), options.rounds)
        if number == 0:
            print("| size | threads |", " | ".join(samples), "|")
            print("| --- | ---: |", " | ".join(["---:"] * len(samples)), "|")
        flops = 5 * x.size * math.log2(x.size)
        print(f"| {text} | {options.threads} |", " | ".join(cells(samples, flops)), "|", flush=True)


if __name__ == "__main__":
    main()
