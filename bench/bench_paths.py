#!/usr/bin/env python3
"""All paths between two vertices from Python: kinjo.paths beside Graphillion's GraphSet.paths, in turn, on the
same edges in the same order, by one thread each. Prints a Markdown table: milliseconds, median (least to
most), and Graphillion's time over kinjo's, the median over rounds. All must have the same number of paths.

Three of kinjo's are timed: `count`, which keeps no diagram; `paths`, which makes the diagram as Graphillion
does, both of the edges as they stand; and `count by rule`, for whom the graph is a rule, so that kinjo chooses
the order, and a grid is counted in a way of its own.

Run it with a Python that has kinjo, and Graphillion to compare with: bench/bench_paths.py [--rounds N]
[--order bfs|as-is] [GRAPHS...]; a graph is a rule of kinjo, or random:N:M:SEED. Where Graphillion is not
installed kinjo's times stand alone. It may be another Python's: PYTHONPATH is enough, if the versions agree."""

import argparse
import importlib
import itertools
import random
import statistics

from in_turn import race, seconds

import kinjo.paths

GRAPHS = ["grid:6", "grid:7", "grid:8", "grid:9", "king:4", "king:5", "complete:9", "random:16:32:1"]
LEAST_SECONDS = 5e-3            # of a sample, for which short calls are repeated


def random_edges(vertices, edges, seed):
    """A path through all vertices, so that the ends are joined, and other pairs by chance."""
    line = list(itertools.pairwise(range(vertices)))
    others = [pair for pair in itertools.combinations(range(vertices), 2) if pair not in set(line)]
    return line + random.Random(seed).sample(others, edges - len(line))


def edges_of(graph):
    """Edges as they stand, where the rule has them; vertices are 0 to the last."""
    name, _, rest = graph.partition(":")
    if name == "random":
        return random_edges(*map(int, rest.split(":")))
    return list(kinjo.paths.forests(graph, order="given").edges)


def installed(name):
    try:
        return importlib.import_module(name)
    except ImportError as error:
        print(f"{name} is left out: {error}\n")
        return None


def ordered(graphillion, edges, order):
    """The edges in the order in which all decide them."""
    if graphillion is None or order == "as-is":
        return edges
    graphillion.GraphSet.set_universe(edges, traversal=order)
    return list(graphillion.GraphSet.universe())


def calls(graphillion, graph, edges):
    """A function for each that gives the number of paths from the first vertex to the last."""
    s, t = 0, max(map(max, edges))
    found = {"count": lambda: kinjo.paths.count(edges, s, t, order="given"),
             "paths": lambda: kinjo.paths.paths(edges, s, t, order="given").count}
    if not graph.startswith("random"):
        found["count by rule"] = lambda: kinjo.paths.count(graph)
    if graphillion:
        graphillion.GraphSet.set_universe(edges, traversal="as-is")
        found["Graphillion"] = lambda: graphillion.GraphSet.paths(s, t).len()
    return found


def samples_of(found, rounds):
    """How many paths there are, and samples of each."""
    counts = {name: call() for name, call in found.items()}
    if len(set(counts.values())) != 1:
        raise SystemExit(f"there are as many paths for all, but it is said: {counts}")
    repeats = {name: max(1, int(LEAST_SECONDS / seconds(call, 1))) for name, call in found.items()}
    return counts["count"], race(found, repeats, rounds)


def cells(samples, names):
    peer = samples.get("Graphillion")
    for name in names:
        if name not in samples:
            yield ""
            continue
        times = [1e3 * t for t in samples[name]]
        cell = f"{statistics.median(times):.3g} ({min(times):.3g}–{max(times):.3g})"
        if peer and name != "Graphillion":
            ratio = statistics.median(p / t for p, t in zip(peer, samples[name], strict=True))
            cell += f" {ratio:.3g}×"
        yield cell


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("graphs", nargs="*", default=GRAPHS)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--order", choices=("bfs", "as-is"), default="bfs",
                        help="of the edges: Graphillion's breadth-first one, or that of the rule")
    options = parser.parse_args()
    graphillion = installed("graphillion")
    names = ["count", "paths", "count by rule", *(["Graphillion"] if graphillion else [])]
    print("| graph | edges | paths |", " | ".join(names), "|")
    print("| --- | ---: | ---: |", " | ".join(["---:"] * len(names)), "|")
    for graph in options.graphs:
        edges = ordered(graphillion, edges_of(graph), options.order)
        count, samples = samples_of(calls(graphillion, graph, edges), options.rounds)
        print(f"| {graph} | {len(edges)} | {count} |", " | ".join(cells(samples, names)), "|", flush=True)


if __name__ == "__main__":
    main()
