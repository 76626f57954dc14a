#!/usr/bin/env python3
"""Solves a problem in SDPA's sparse format by Clarabel or SCS, for bench_sdp.py: sdp_pypi.py NAME PROBLEM
TOLERANCE THREADS [SOLUTION]. Prints the status and the seconds of the library alone, as JSON; the solution is
written as kinjo's .npz. Needs a Python that has the library, NumPy and SciPy.

Both take minimise cᵀx where Ax + s = b and s lies in a cone: s is X with one triangle, entries off the diagonal
times √2, so A has -F_i in its columns and b is -F_0; the multiplier of s is Y."""

import json
import sys
import time

import numpy as np
from scipy import sparse

# Clarabel keeps a dense matrix over the entries of a block.
MOST_ENTRIES = {"clarabel": 5200, "scs": 10**7}


def read(path):
    """Orders of blocks, c, and matrix, block, row, column and value of each entry, all from 0."""
    with open(path) as file:
        lines = [line for line in file if line[0] not in '"*']
    numbers = [line.translate(str.maketrans("{}(),", "     ")).split() for line in lines]
    m, blocks = int(numbers[0][0]), int(numbers[1][0])
    orders = [int(word.lstrip("+")) for word in numbers[2][:blocks]]
    costs, at = [], 3
    while len(costs) < m:
        costs += [float(word) for word in numbers[at]]
        at += 1
    flat = np.array([float(word) for words in numbers[at:] for word in words]).reshape(-1, 5)
    places = flat[:, :4].astype(np.int64) - [0, 1, 1, 1]
    return orders, np.array(costs[:m]), *places.T, flat[:, 4]


def cone_rows(orders, block, row, column, lower):
    """The row of each entry, diagonal blocks first, and where each block begins."""
    sizes = np.array([-n if n < 0 else n * (n + 1) // 2 for n in orders])
    order = sorted(range(len(orders)), key=lambda b: orders[b] > 0)
    begins = np.zeros(len(orders), np.int64)
    begins[order] = np.concatenate([[0], np.cumsum(sizes[order])[:-1]])
    low, high, n = np.minimum(row, column), np.maximum(row, column), np.array(orders)[block]
    inside = low * n - low * (low - 1) // 2 + high - low if lower else high * (high + 1) // 2 + low
    return begins[block] + np.where(n < 0, low, inside), begins, order, int(sizes.sum())


def matrices(orders, begins, values, lower):
    """Blocks of the triangle that a solver returned."""
    found = []
    for n, begin in zip(orders, begins, strict=True):
        if n < 0:
            found.append(values[begin:begin - n])
            continue
        part = values[begin:begin + n * (n + 1) // 2]
        matrix = np.zeros((n, n))
        rows, columns = np.triu_indices(n) if lower else reversed(np.tril_indices(n))
        matrix[rows, columns] = part / np.where(rows == columns, 1, np.sqrt(2))
        found.append(np.triu(matrix) + np.triu(matrix, 1).T)
    return found


def by_clarabel(A, b, c, orders, order, tolerance, threads):
    import clarabel
    linear = -sum(n for n in orders if n < 0)
    cones = [clarabel.NonnegativeConeT(linear)] if linear else []
    cones += [clarabel.PSDTriangleConeT(orders[k]) for k in order if orders[k] > 0]
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = tolerance
    settings.max_threads = threads
    start = time.perf_counter()
    found = clarabel.DefaultSolver(sparse.csc_matrix((len(c), len(c))), c, A, b, cones, settings).solve()
    return str(found.status), time.perf_counter() - start, np.array(found.x), np.array(found.z), np.array(found.s)


def by_scs(A, b, c, orders, order, tolerance, threads):
    import scs
    cone = {"l": -sum(n for n in orders if n < 0), "s": [orders[k] for k in order if orders[k] > 0]}
    start = time.perf_counter()
    found = scs.solve({"A": A, "b": b, "c": c}, cone, verbose=False, eps_abs=tolerance, eps_rel=tolerance,
                      max_iters=10**6, time_limit_secs=600)
    return found["info"]["status"], time.perf_counter() - start, found["x"], found["y"], found["s"]


def main():
    name, path, tolerance, threads, *solution = sys.argv[1:]
    orders, c, matrix, block, row, column, value = read(path)
    lower = name == "scs"
    rows, begins, order, size = cone_rows(orders, block, row, column, lower)
    if max([n * (n + 1) // 2 for n in orders if n > 0], default=0) > MOST_ENTRIES[name]:
        print(json.dumps({"status": "does not fit", "seconds": 0}))
        return
    n = np.array(orders)[block]
    scaled = -value * np.where((row == column) | (n < 0), 1, np.sqrt(2))
    every = sparse.csc_matrix((scaled, (rows, matrix)), shape=(size, len(c) + 1))
    b = np.asarray(every[:, [0]].todense()).ravel()
    solve = {"clarabel": by_clarabel, "scs": by_scs}[name]
    status, seconds, x, y, s = solve(every[:, 1:].tocsc(), b, c, orders, order, float(tolerance), int(threads))
    if solution:
        blocks = {f"Y_{k}": part for k, part in enumerate(matrices(orders, begins, y, lower))}
        blocks |= {f"X_{k}": part for k, part in enumerate(matrices(orders, begins, s, lower))}
        np.savez(solution[0], x=x, **blocks)
    print(json.dumps({"status": status, "seconds": seconds}))


if __name__ == "__main__":
    main()
