"""kinjo.paths: what its sets say of themselves and of each other."""

import networkx as nx

from kinjo import paths as P


def test_conditions_that_are_not_for_trees_are_refused(refusal):
    edges = [(0, 1), (1, 2), (2, 0)]
    for conditions, words in (({"through": [0]}, "vertices to go through are for paths and cycles"),
                              ({"components": 2}, "count: components is 2: expected kind 'components'"),
                              ({"degrees": [1, 2]}, "count: degrees")):
        assert words in refusal(P.count, edges, kind="tree", **conditions)


def test_sets_of_a_multigraph_without_parallel_edges_are_comparable_from_either_side():
    edges = [(0, 1), (1, 2), (2, 0)]
    ways = P.paths(edges, 0, 2)
    rings = P.cycles(nx.MultiGraph(edges), order=ways)
    assert (rings | ways).count == (ways | rings).count == 3
    assert not rings == ways and not ways == rings


def test_sets_of_more_members_than_python_writes_are_shown():
    pairs = [(2 * i, 2 * i + 1) for i in range(14300)]
    assert repr(P.matchings(pairs)).startswith("<kinjo.paths.PathSet some 10^4304 matchings of 14300 edges")


def test_members_without_edges_have_no_weight_in_either_order():
    sets = P.matchings([(0, 1)])
    for reverse in (False, True):
        weights = [weight for _, weight in sets.by_weight({(0, 1): 1}, reverse=reverse)]
        assert sorted(map(str, weights)) == ["0.0", "1.0"]
