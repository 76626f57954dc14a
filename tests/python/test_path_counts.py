"""kinjo.paths: as many sets as Graphillion has found, which decides edges in other orders and by other code.

What stands here was counted once by Graphillion 2.1 (Inoue, Iwashita, Kawahara, Minato, STTT 18, 2016):
GraphSet.paths, cycles, both with is_hamilton, trees(is_spanning), graphs(no_loop), matchings,
perfect_matchings, and graphs(degree_constraints) with even degrees."""

import pytest

from kinjo import paths as P

# networkx.gnm_random_graph(12, 24, seed=7), which is not planar.
RANDOM = [(0, 1), (0, 3), (0, 6), (0, 8), (0, 9), (1, 3), (1, 6), (1, 8), (1, 9), (1, 11), (2, 5), (2, 8),
          (2, 10), (3, 5), (3, 9), (4, 6), (4, 8), (5, 7), (5, 9), (6, 8), (6, 10), (7, 9), (7, 10), (9, 10)]
# networkx.dodecahedral_graph(), planar and of degree 3.
DODECAHEDRON = [(0, 1), (0, 10), (0, 19), (1, 2), (1, 8), (2, 3), (2, 6), (3, 4), (3, 19), (4, 5), (4, 17),
                (5, 6), (5, 15), (6, 7), (7, 8), (7, 14), (8, 9), (9, 10), (9, 13), (10, 11), (11, 12),
                (11, 18), (12, 13), (12, 16), (13, 14), (14, 15), (15, 16), (16, 17), (17, 18), (18, 19)]

PATHS = {"kind": "path"}
HAMILTONIAN_PATHS = {"kind": "hamiltonian"}
WITHOUT_ENDS = [{"kind": kind} for kind in ("cycle", "hamiltonian", "tree", "forest", "matching")]
PERFECT_MATCHINGS = {"kind": "degrees", "degrees": [1]}
EVEN = {"kind": "degrees", "degrees": [0, 2, 4]}

# A graph, the ends of its paths, and the number of paths, Hamiltonian paths, cycles, Hamiltonian cycles,
# spanning trees, forests, matchings, perfect matchings, and sets where degrees are 0, 2 or 4.
COUNTS = [
    ("grid:5", 0, 35, [1262816, 0, 1222363, 1072, 32565539635200, 181075508242067552, 2989126727, 6728,
                       33554432]),
    ("king:4", 0, 15, [96371, 4942, 136597, 2830, 1064918960, 12870694138, 92801, 280, 54054176]),
    ("king:5", 0, 24, [447544629, 5853876, 545217435, 2462064, 3271331573452800, 101262508065118578,
                       128171936, 0, 39619731283296]),
    ("complete:8", 0, 7, [1957, 720, 8018, 2520, 262144, 561948, 764, 105, 969773]),
    ("hypercube:4", 0, 7, [6456, 756, 14704, 1344, 42467328, 619801985, 41025, 272, 131072]),
    (DODECAHEDRON, 0, 19, [561, 20, 1168, 30, 5184000, 693003572, 111376, 36, 2048]),
    (RANDOM, 0, 11, [259, 14, 825, 0, 109008, 1772480, 1821, 10, 7936]),
]


def wishes(s, t):
    with_ends = [{"s": s, "t": t, **wish} for wish in (PATHS, HAMILTONIAN_PATHS)]
    return [*with_ends, *WITHOUT_ENDS, PERFECT_MATCHINGS, EVEN]


@pytest.mark.parametrize(("graph", "s", "t", "counts"), COUNTS)
def test_there_are_as_many_sets_as_graphillion_counts(graph, s, t, counts):
    assert [P.count(graph, **wish) for wish in wishes(s, t)] == counts
    for wish, expected in zip(wishes(s, t), counts, strict=True):
        found = P.sets(graph, order="breadth", **wish)
        assert found.count == sum(found.by_length()) == expected
