"""A Python program with NumPy, whose products are computed by the threads of OpenBLAS: multiplies
matrices of ones, whose product is known, in rounds (rounds.h)."""

import select
import sys

import numpy

SIZE = 512
A = numpy.ones((SIZE, SIZE))


def blas_threads():
    """What the library that NumPy has loaded says, since NumPy itself does not."""
    import ctypes
    with open("/proc/self/maps", encoding="utf-8") as maps:
        library = next(line.split()[-1] for line in maps if "libopenblas" in line)
    return ctypes.CDLL(library).openblas_get_num_threads()


def input_has_ended():
    return bool(select.select([sys.stdin], [], [], 0)[0]) and not sys.stdin.buffer.read1(1)


result = (A @ A).sum()
print(f"threads {blas_threads()}\nresult {result:.0f}", flush=True)
while not input_has_ended():
    if (A @ A).sum() != result:
        sys.exit(1)
