#!/usr/bin/env python3
"""Breadth-first search from Python: kinjo.graph.bfs beside scipy.sparse.csgraph.breadth_first_order, from
the same roots in turn, parents and all.

Run it with build/venv/bin/python bench/bench_bfs.py [--scale 16] [--roots 16]; the graph is Graph500's."""

import argparse
import statistics
import time

import numpy as np
from scipy.sparse import csgraph, csr_array

import kinjo
from kinjo.graph import Graph, bfs


def matrix_of(graph):
    """The same graph for SciPy, with indices of 32 bits."""
    rows = [graph.neighbours(v).astype(np.int32) for v in range(graph.vertices)]
    indptr = np.cumsum([0, *map(len, rows)], dtype=np.int32)
    indices = np.concatenate(rows)
    return csr_array((np.ones(len(indices), np.int8), indices, indptr),
                     shape=(graph.vertices, graph.vertices))


def ways_of(graph, matrix):
    """What is compared: a name, and a function of a root."""
    view = Graph.from_csr(matrix)
    return {
        "scipy breadth_first_order": lambda root: csgraph.breadth_first_order(matrix, root),
        "bfs(matrix)": lambda root: bfs(matrix, root),
        "bfs(matrix, directed=True)": lambda root: bfs(matrix, root, directed=True),
        "bfs(matrix, directed=False)": lambda root: bfs(matrix, root, directed=False),
        "bfs(Graph.from_csr(matrix))": lambda root: bfs(view, root),
        "bfs(graph)": lambda root: bfs(graph, root),
        "bfs(graph, workers=-1)": lambda root: bfs(graph, root, workers=-1),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=int, default=16)
    parser.add_argument("--roots", type=int, default=16)
    options = parser.parse_args()
    graph = kinjo.graph.kronecker(options.scale, workers=-1)
    matrix = matrix_of(graph)
    ways = ways_of(graph, matrix)
    random = np.random.default_rng(1)
    roots = random.choice(np.flatnonzero(np.diff(matrix.indptr)), options.roots)
    seconds = {name: [] for name in ways}
    for root in [roots[0], *roots]:                 # the first one does not count
        for name, search in ways.items():
            start = time.perf_counter()
            search(int(root))
            seconds[name].append(time.perf_counter() - start)
    first, *_ = seconds.values()
    print(f"scale {options.scale}, {graph.edges} edges, {options.roots} roots, simd {kinjo.simd_level()}")
    print(f"{'':45}{'ms':>9}{'SciPy/it':>10}  middle half")
    for name, taken in seconds.items():
        ratios = [a / b for a, b in zip(first[1:], taken[1:], strict=True)]
        low, middle, high = statistics.quantiles(ratios, n=4)
        print(f"{name:45}{statistics.median(taken[1:]) * 1e3:9.3f}{middle:10.2f}  {low:.2f} to {high:.2f}")


if __name__ == "__main__":
    main()
