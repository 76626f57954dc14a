"""kinjo.paths: sets are those of brute force, whatever the graph is given as; refusals are sentences."""

import collections
import itertools
import math
import random
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kinjo
from kinjo import paths as P

nx = pytest.importorskip("networkx")

SQUARE = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]
KINDS = ("path", "cycle", "hamiltonian", "forest", "tree", "matching", "components", "degrees")


def components_of(vertices, edges):
    """How many there are, by joining labels."""
    label = {v: v for v in vertices}
    for u, v, *_ in edges:
        old, new = label[u], label[v]
        label = {w: new if at == old else at for w, at in label.items()}
    return len(set(label.values()))


def is_cycle(edges):
    degrees = collections.Counter(v for edge in edges for v in edge[:2])
    return len(edges) > 0 and set(degrees.values()) == {2} and components_of(degrees, edges) == 1


def belongs(kind, vertices, edges, s, t, components, degrees):
    """Whether a set of edges is of that kind: the definitions, and nothing of what kinjo does."""
    degree = collections.Counter(v for edge in edges for v in edge[:2])
    rank = len(vertices) - components_of(vertices, edges)
    if kind == "path" or (kind == "hamiltonian" and s is not None):
        closing = (s, t, "closing")
        full = kind == "path" or len(degree) == len(vertices)
        return full and is_cycle([*edges, closing])
    if kind in ("cycle", "hamiltonian"):
        return is_cycle(edges) and (kind == "cycle" or len(degree) == len(vertices))
    return {"forest": rank == len(edges),
            "tree": rank == len(edges) == len(vertices) - 1,
            "matching": max(degree.values(), default=0) <= 1,
            "components": len(vertices) - rank == components,
            "degrees": all(degree[v] in degrees for v in vertices)}[kind]


def brute_force(graph, kind, s=None, t=None, through=(), avoid=(), components=1, degrees=()):
    """All members, as frozen sets of edges."""
    graph = graph.copy()
    graph.remove_nodes_from(avoid)
    edges = list(graph.edges(keys=True) if graph.is_multigraph() else graph.edges)
    subsets = itertools.chain.from_iterable(
        itertools.combinations(edges, size) for size in range(len(edges) + 1))
    return {frozenset(subset) for subset in subsets
            if belongs(kind, list(graph), subset, s, t, components, degrees)
            and set(through) <= {v for edge in subset for v in edge[:2]}}


def as_frozen(graph, members):
    """Edges as the graph lists them."""
    edges = set(graph.edges(keys=True) if graph.is_multigraph() else graph.edges)
    return [frozenset(e if e in edges else (e[1], e[0], *e[2:]) for e in member)
            for member in members]


@st.composite
def networks(draw, most_edges=8, multi=False):
    """A graph of letters, some of which may stand alone."""
    names = "abcdef"[:draw(st.integers(2, 6))]
    pairs = list(itertools.combinations(names, 2))
    edges = draw(st.lists(st.sampled_from(pairs), max_size=most_edges, unique=not multi))
    graph = nx.MultiGraph() if multi else nx.Graph()
    graph.add_nodes_from(names)
    graph.add_edges_from(edges)
    return graph


def wish(draw, graph, kind):
    """Arguments that go with a kind."""
    named = {}
    names = st.sampled_from(sorted(graph))
    if kind == "path" or (kind == "hamiltonian" and draw(st.booleans())):
        named["s"], named["t"] = draw(st.lists(names, min_size=2, max_size=2, unique=True))
    if kind == "components":
        named["components"] = draw(st.integers(1, 4))
    if kind == "degrees":
        named["degrees"] = draw(st.sets(st.integers(0, 3), min_size=1))
    if kind in ("path", "cycle"):
        named["through"] = draw(st.sets(names, max_size=1))
    kept = {*named.get("through", ()), named.get("s"), named.get("t")}
    left = sorted(set(graph) - kept)
    if len(left) > 1 and draw(st.booleans()):
        named["avoid"] = [draw(st.sampled_from(left))]
    return named


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("multi", [False, True])
@settings(max_examples=40)
@given(data=st.data())
def test_sets_of_every_kind_are_those_of_brute_force(kind, multi, data):
    graph = data.draw(networks(multi=multi))
    named = wish(data.draw, graph, kind)
    order = data.draw(st.sampled_from(("automatic", "breadth", "frontier", "given")))
    expected = brute_force(graph, kind, **named)
    found = P.sets(graph, kind=kind, order=order, **named)
    members = as_frozen(graph, found)
    assert len(members) == len(found) == found.count == len(expected)
    assert set(members) == expected
    assert P.count(graph, kind=kind, **named) == len(expected)
    lengths = collections.Counter(map(len, expected))
    expected_lengths = [lengths[i] for i in range(max(lengths, default=-1) + 1)]
    assert found.by_length() == expected_lengths
    assert P.count(graph, kind=kind, by_length=True, **named) == expected_lengths


@settings(max_examples=40)
@given(networks(most_edges=7), st.data())
def test_sets_are_combined_as_pythons_are(graph, data):
    first = P.forests(graph)
    second = P.sets(graph, kind="degrees", degrees=[0, 1, 3], order=first)
    third = P.matchings(graph, order=first)
    a, b, c = (set(as_frozen(graph, each)) for each in (first, second, third))
    for ours, theirs in ((first | second, a | b), (first & second, a & b), (first - third, a - c),
                         (second ^ first, b ^ a), (second - first, b - a)):
        assert set(as_frozen(graph, ours)) == theirs
        assert ours.count == len(theirs)
        assert bool(ours) == bool(theirs)
    assert first & third == third and first != first - third
    assert not first == "forests"
    for edge in graph.edges:
        assert set(as_frozen(graph, first.including([edge]))) == {m for m in a if edge in m}
        assert set(as_frozen(graph, first.excluding([edge[::-1]]))) == {m for m in a if edge not in m}
    for member in data.draw(st.permutations(sorted(a | b, key=sorted)))[:20]:
        shuffled = [edge[::-1] for edge in data.draw(st.permutations(sorted(member)))]
        assert (shuffled in first, shuffled in second) == (member in a, member in b)


@given(networks(multi=True), st.data())
def test_weights_are_added_and_multiplied(graph, data):
    edges = list(graph.edges(keys=True))
    numbers = data.draw(st.lists(st.integers(-9, 9), min_size=len(edges), max_size=len(edges)))
    weights = dict(zip(edges, numbers, strict=True))
    nx.set_edge_attributes(graph, weights, "cost")
    members = brute_force(graph, "forest")
    sums = sorted(sum(weights[edge] for edge in member) for member in members)
    found = P.forests(graph)
    for way in (weights, "cost", lambda edge: graph.edges[edge]["cost"]):
        lightest, heaviest = found.min(way), found.max(way)
        assert (lightest[1], heaviest[1]) == (sums[0], sums[-1])
        for member, weight in (lightest, heaviest):
            assert sum(graph.edges[edge]["cost"] for edge in member) == weight
        assert [weight for _, weight in found.by_weight(way)] == sums
        assert [weight for _, weight in found.by_weight(way, reverse=True)] == sums[::-1]
        products = sum(math.prod(weights[edge] for edge in member) for member in members)
        assert found.weighted_sum(way) == products
        assert P.count(graph, kind="forest", weights=way) == products


def test_an_empty_set_has_no_lightest_member_and_no_sample(refusal):
    none = P.paths(SQUARE, "a", "c", through=["b", "d"])
    assert (none.count, list(none), bool(none), none.min(lambda edge: 1)) == (0, [], False, None)
    assert (list(none.by_weight(lambda edge: 1)), none.by_length(), none.sample(0)) == ([], [], [])
    assert refusal(none.sample, 1) == "InvalidArgumentError: cannot draw a set: the family has none"


@pytest.mark.parametrize(("edges", "kind", "lengths"), [
    ([(0, 1)], "cycle", []), ([(0, 1), (2, 3)], "tree", []), ([], "hamiltonian", []),
    ([], "forest", [1]), ([(0, 1)], "matching", [1, 1]),
])
def test_lengths_of_no_member_are_none_wherever_they_are_counted(edges, kind, lengths):
    assert P.count(edges, kind=kind, by_length=True) == lengths
    assert P.sets(edges, kind=kind).by_length() == lengths


def test_samples_are_a_function_of_the_seed_and_even():
    found = P.paths("grid:3")
    drawn = found.sample(18400, seed=7)
    assert drawn == found.sample(18400, seed=7) != found.sample(18400, seed=8)
    assert all(member in found for member in drawn[:100])
    times = collections.Counter(drawn)
    assert len(times) == 184
    # A χ² of 183 degrees of freedom lies within 6 of its deviations.
    assert abs(sum((n - 100) ** 2 / 100 for n in times.values()) - 183) < 6 * math.sqrt(2 * 183)
    assert found.sample(5) != found.sample(5)


def test_paths_and_cycles_are_walked_from_vertex_to_vertex():
    graph = nx.petersen_graph()
    walks = {tuple(walk) for walk in P.paths(graph, 3, 7).vertex_paths()}
    assert walks == {tuple(walk) for walk in nx.all_simple_paths(graph, 3, 7)}
    rounds = {frozenset(walk) for walk in nx.simple_cycles(graph)}
    cycles = P.cycles(graph)
    found = list(cycles.vertex_paths())
    assert len(found) == cycles.count == 57 and {frozenset(walk) for walk in found} == rounds
    for walk in found:
        assert len(set(walk)) == len(walk)
        assert all(graph.has_edge(u, v) for u, v in itertools.pairwise([*walk, walk[0]]))
    twice = nx.MultiGraph([("a", "b"), ("a", "b")])
    assert list(P.cycles(twice).vertex_paths()) == [["a", "b"]]


def test_paths_from_a_vertex_to_itself_are_the_cycles_of_its_component():
    graph = nx.disjoint_union(nx.complete_graph(4), nx.complete_graph(3))
    assert (P.count(graph, 0, 0), P.count(graph, 5, 5), P.count(graph, kind="cycle")) == (7, 1, 8)
    assert sorted(map(len, P.paths(graph, 0, 0).vertex_paths())) == [3, 3, 3, 3, 4, 4, 4]


def test_paths_from_a_vertex_to_itself_have_the_edges_of_its_component(tmp_path, refusal):
    graph = nx.Graph([(0, 1), (1, 2), (2, 0), (3, 4), (3, 5), (4, 5)])
    graph.add_node(6)
    rings, cycles = P.paths(graph, 0, 0), P.cycles(graph)
    assert sorted(rings.edges) == [(0, 1), (0, 2), (1, 2)]
    reason = ("paths where s is t have those of the component of s alone; cycles(graph) has those of all "
              "components")
    for one, other in ((P.paths(graph, 0, 0, order=cycles), cycles), (cycles, rings),
                       (rings, P.paths(graph, 3, 3))):
        assert refusal(one.__or__, other) == (
            f"InvalidArgumentError: PathSet: the two have other edges: {reason}")
    assert refusal(P.cycles, graph, order=rings) == (
        f"InvalidArgumentError: sets: order is sets of other edges than those of the graph: {reason}")
    turned = P.cycles(rings.edges[::-1], order="given")
    assert "or in another order" in refusal(turned.__or__, rings)
    for vertex, edges in ((0, 3), (6, 0)):
        saved = P.paths(graph, vertex, vertex)
        saved.save(tmp_path / "rings.kzdd")
        loaded = P.load(tmp_path / "rings.kzdd", graph)
        assert loaded == saved and len(loaded.edges) == edges


def test_ends_that_are_not_told_are_the_first_and_the_last_of_a_rules_graph(refusal):
    for named, ends in (({"s": 0}, (0, 8)), ({"t": 3}, (0, 3)), ({"s": 3}, (3, 8)), ({"t": 0}, (0, 0))):
        assert P.count("grid:2", **named) == P.count("grid:2", *ends)
        assert P.paths("grid:2", **named) == P.paths("grid:2", *ends)
    assert P.count("grid:2", s=2, kind="hamiltonian") == P.count("grid:2", 2, 8, kind="hamiltonian") == 2
    assert P.count("grid:2", t=2, kind="hamiltonian") == 2
    assert P.count("grid:1", kind="hamiltonian") == 1       # a cycle, without any end


@pytest.mark.parametrize(("rule", "named", "expected"), [
    ("grid:8x8", {}, 3266598486981642),                             # OEIS A007764
    ("grid:3x4", {}, 976),                                          # OEIS A064298
    ("complete:8", {}, sum(math.perm(6, k) for k in range(7))),
    ("complete:9", {"kind": "tree"}, 9 ** 7),                       # Cayley
    ("complete:9", {"kind": "tree", "avoid": [0]}, 8 ** 6),
    ("complete:12", {"kind": "hamiltonian"}, math.factorial(11) // 2),
    ("complete:10", {"kind": "degrees", "degrees": [1]}, 945),      # perfect matchings: 9!!
    ("cycle:10", {"kind": "matching"}, 123),                        # a Lucas number
    ("hypercube:3", {"kind": "tree"}, 384),
    ("grid:7", {"kind": "degrees", "degrees": [1]}, 12988816),      # dominoes on a chessboard
    ("king:3", {"kind": "hamiltonian"}, 16),
    ("path:5", {}, 1),
])
def test_graphs_by_rule_have_the_known_counts(rule, named, expected, team):
    assert P.count(rule, **named) == expected
    assert P.count(rule, team=team, **named) == P.count(rule, workers=-1, **named) == expected
    assert P.sets(rule, team=team, **named).count == expected


def test_spanning_trees_of_large_graphs_are_counted(team):
    for workers in ({}, {"workers": 2}, {"team": team}):
        assert P.count("complete:100", kind="tree", **workers) == 100 ** 98
    with pytest.raises(MemoryError):
        P.count("complete:100", kind="tree", memory_limit=1000)


def test_counts_of_any_size_are_exact():
    assert P.count("grid:10") == 1568758030464750013214100      # OEIS A007764
    forests = P.forests("path:101")
    assert forests.count == 2 ** 100
    with pytest.raises(OverflowError):
        len(forests)
    assert repr(forests) == (f"<kinjo.paths.PathSet {2 ** 100} forests of 100 edges, 100 nodes>")


def test_one_graph_may_be_given_in_every_way(tmp_path):
    scipy_sparse = pytest.importorskip("scipy.sparse")
    edges = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (3, 4)]
    (tmp_path / "graph.el").write_text("".join(f"{u} {v}\n" for u, v in edges))
    (tmp_path / "named.csv").write_text("".join(f"v{u},v{v}\n" for u, v in edges))
    (tmp_path / "graph.col").write_text(
        "p edge 5 6\n" + "".join(f"e {u + 1} {v + 1}\n" for u, v in edges))
    matrix = nx.to_scipy_sparse_array(nx.Graph(edges), nodelist=range(5))
    ways = [nx.Graph(edges), edges, np.array(edges), iter(edges), matrix, matrix.tocsc(),
            scipy_sparse.lil_matrix(matrix), kinjo.graph.Graph.from_edges(edges),
            tmp_path / "graph.el", str(tmp_path / "graph.el"), [*edges, (1, 0), (2, 2)]]
    for way in ways:
        paths = P.paths(way, 1, 4)
        assert sorted(map(tuple, paths.vertex_paths())) == [(1, 0, 2, 3, 4), (1, 0, 3, 4),
                                                            (1, 2, 0, 3, 4), (1, 2, 3, 4)]
        assert all(type(v) is int for edge in paths.edges for v in edge)
    assert P.count(tmp_path / "named.csv", "v1", "v4") == P.count(tmp_path / "graph.col", 2, 5) == 4
    assert P.count(np.empty((0, 2), int), kind="forest") == 1
    far = 2**40
    listed = kinjo.graph.Graph.from_edges([(u * far, v * far) for u, v in edges])
    assert sorted(map(tuple, P.paths(listed, far, 4 * far).vertex_paths()))[0] == (
        far, 0, 2 * far, 3 * far, 4 * far)


def test_vertices_may_be_any_objects():
    corner, ring = (0, 0), nx.grid_2d_graph(3, 3)
    paths = P.paths(ring, corner, (2, 2))
    assert paths.count == 12 and next(paths.vertex_paths())[0] == corner
    assert P.count([(None, frozenset("x")), (frozenset("x"), 1.5)], frozenset("x"), 1.5) == 1


def test_pairs_may_be_anything_of_two_that_comes_from_anything():
    kinds = [("a", "b"), ["b", "c"], "cd", iter(("d", "a")), dict.fromkeys("ac"), ("b", "a"), ("b", "b"), "ad"]
    paths = P.paths(iter(kinds), "a", "c", order="given")
    assert list(paths.edges) == [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("a", "c")]
    assert paths.count == 3
    assert P.count(((n, n + 1) for n in range(1000)), 0, 1000) == 1


def test_what_a_pair_raises_is_raised_unless_it_says_that_it_is_none(refusal):
    class Pair:
        def __init__(self, error):
            self.error = error

        def __iter__(self):
            yield "a"
            raise self.error

        def __repr__(self):
            return "\ud800"

    def pairs(error):
        yield "ab"
        yield Pair(error)

    for error in (KeyError("mine"), ZeroDivisionError("mine")):
        with pytest.raises(type(error), match="mine"):
            P.count(pairs(error), "a", "b")
    for error in (TypeError("mine"), ValueError("mine")):
        assert refusal(P.count, pairs(error), "a", "b") == (
            "InvalidArgumentError: count: edge 1 is \ud800: expected a pair of hashable vertices")


def test_what_a_vertex_says_to_another_one_is_the_callers_affair():
    class Odd:
        def __hash__(self):
            return 1

        def __eq__(self, other):
            raise ValueError("mine")

    with pytest.raises(ValueError, match="^mine$"):
        P.count([(Odd(), Odd())], 1, 2)


def test_a_vertex_need_not_equal_itself():
    nan = float("nan")
    assert list(P.paths([(nan, 1), (1, 2)], nan, 2).vertex_paths()) == [[nan, 1, 2]]


def test_what_brings_pairs_may_fail():
    def pairs():
        yield "ab"
        raise ValueError("mine")

    with pytest.raises(ValueError, match="mine"):
        P.count(pairs(), "a", "b")


def test_edges_of_multigraphs_have_keys(refusal):
    graph = nx.MultiGraph([("a", "b"), ("a", "b"), ("b", "c"), ("c", "c")])
    paths = P.paths(graph, "a", "c")
    assert sorted(map(sorted, paths)) == [[("a", "b", 0), ("b", "c", 0)], [("a", "b", 1), ("b", "c", 0)]]
    assert [("b", "a", 1), ("c", "b")] in paths and [("a", "b"), ("b", "c")] not in paths
    assert paths.including([("b", "c")]) == paths
    assert refusal(paths.including, [("a", "b")]) == (
        "InvalidArgumentError: including: several edges are ('a', 'b'): expected (u, v, key)")


def test_members_are_listed_lazily_and_by_several_at_once():
    forests = P.forests("grid:9")
    assert forests.count > 10 ** 50
    first = list(itertools.islice(forests, 100))
    one, two = iter(forests), iter(forests)
    assert [next(one) for _ in range(100)] == [next(two) for _ in range(100)] == first
    assert len(set(first)) == 100
    ended = iter(P.paths("path:2"))
    assert [next(ended), next(ended, None), next(ended, None)] == [((0, 1),), None, None]


def test_what_is_no_member_is_not_contained():
    paths = P.paths(SQUARE, "a", "c")
    assert [("a", "b"), ("b", "c")] in paths and [("c", "b"), ("a", "b")] in paths
    for other in ([("a", "b")], [], [("a", "c")], [("a", "b"), ("b", "c"), ("a", "b")], ["ab", 5]):
        assert other not in paths


def test_sets_know_their_edges_and_what_they_take():
    paths = P.paths(SQUARE, "a", "c")
    assert sorted(paths.edges) == sorted(SQUARE)
    assert repr(paths) == "<kinjo.paths.PathSet 2 paths from 'a' to 'c' of 4 edges, 4 nodes>"
    assert (paths.nodes, paths.nbytes) == (4, 40)
    assert repr(P.cycles(SQUARE, order=paths) | paths).startswith("<kinjo.paths.PathSet 3 sets of 4 ")
    with pytest.raises(TypeError):
        hash(paths)
    with pytest.raises(TypeError):
        paths | {1}


def test_members_that_are_no_lines_are_not_walked(refusal):
    graph = nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))
    rings = P.with_degrees(graph, [0, 2])
    lines = P.cycles(graph, order=rings)
    mixed = (rings - lines) | lines
    assert mixed.count == 4 and len(list(lines.vertex_paths())) == 2
    assert refusal(list, mixed.vertex_paths()).endswith("is neither a path nor a cycle")
    for edges in ([(0, 1), (0, 2), (0, 3)], [(0, 1), (1, 2), (2, 0), (2, 3)], [(0, 1), (2, 3)],
                  [(0, 1), (2, 3), (3, 4), (4, 2)], [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)]):
        everything = P.with_degrees(edges, range(5))
        assert everything.count == 2 ** len(edges)
        assert refusal(list, everything.including(edges).vertex_paths()).endswith(
            "is neither a path nor a cycle")
    assert refusal(list, everything.excluding(edges).vertex_paths()) == (
        "InvalidArgumentError: vertex_paths: member () is neither a path nor a cycle")


@pytest.mark.parametrize(("named", "expected"), [
    (lambda P, g: P.cycles(g), 7), (lambda P, g: P.hamiltonian_paths(g, 0, 1), 2),
    (lambda P, g: P.hamiltonian_cycles(g), 3), (lambda P, g: P.spanning_trees(g), 16),
    (lambda P, g: P.components(g, 3), 6), (lambda P, g: P.components(g), 38),
    (lambda P, g: P.with_degrees(g, {0, 2}), 8), (lambda P, g: P.matchings(g, avoid=[0]), 4),
    (lambda P, g: P.forests(g, avoid=[0]), 7),
])
def test_every_kind_has_a_function(named, expected):
    graph = nx.complete_graph(4)
    assert named(P, graph).count == expected


DIRECTED = nx.DiGraph([("a", "b")])


@pytest.mark.parametrize(("function", "arguments", "named", "message"), [
    (P.count, (SQUARE, "a"), {}, "InvalidArgumentError: count: paths need two ends: expected s and t"),
    (P.paths, (SQUARE,), {}, "InvalidArgumentError: sets: paths need two ends: expected s and t"),
    (P.hamiltonian_paths, (SQUARE, None, "a"), {},
     "InvalidArgumentError: hamiltonian_paths: paths need two ends: expected s and t"),
    (P.count, ([(None, "a"), ("a", "b")], None, "b"), {},
     "InvalidArgumentError: count: paths need two ends, and None is none: expected s and t"),
    (P.count, (SQUARE, "a", "x"), {},
     "NotFoundError: count: t 'x' is no vertex of the graph, which has 4, such as 'a', 'b', 'c'"),
    (P.count, (SQUARE, [], "a"), {},
     "NotFoundError: count: s [] is no vertex of the graph, which has 4, such as 'a', 'b', 'c'"),
    (P.count, ([], "a", "b"), {},
     "NotFoundError: count: s 'a' is no vertex of the graph, which has none"),
    (P.count, (SQUARE, "a", "b"), {"avoid": "x"},
     "NotFoundError: count: avoid: 'x' is no vertex of the graph, which has 4, such as 'a', 'b', 'c'"),
    (P.count, (SQUARE, "a", "c"), {"through": "bd", "avoid": "d"},
     "InvalidArgumentError: count: vertex 'd' is in through and in avoid"),
    (P.count, (SQUARE, "a"), {"kind": "cycle"},
     "InvalidArgumentError: count: s and t are ends of paths: expected none for kind 'cycle'"),
    (P.count, (SQUARE,), {"kind": "circle"},
     "InvalidArgumentError: count: kind is 'circle': expected path, cycle, hamiltonian, forest, tree, "
     "matching, components, degrees"),
    (P.count, (SQUARE, "a", "c"), {"order": "best"},
     "InvalidArgumentError: count: order is 'best': expected automatic, breadth, frontier, given, or the "
     "sets whose order is to be taken"),
    (P.count, (SQUARE,), {"kind": "forest", "through": "a"},
     "InvalidArgumentError: vertices to go through are for paths and cycles, not for forest"),
    (P.sets, (SQUARE,), {"kind": "tree", "through": "a"},
     "InvalidArgumentError: vertices to go through are for paths and cycles, not for tree"),
    (P.count, (SQUARE,), {"kind": "forest", "components": 2},
     "InvalidArgumentError: count: components is 2: expected kind 'components'"),
    (P.components, (SQUARE, -1), {},
     "InvalidArgumentError: sets: components is -1: expected 0 or more"),
    (P.count, (SQUARE,), {"kind": "forest", "degrees": [2]},
     "InvalidArgumentError: count: degrees: expected kind 'degrees'"),
    (P.with_degrees, (SQUARE, [256]), {},
     "InvalidArgumentError: sets: degrees has 256: expected numbers from 0 to 255"),
    (P.with_degrees, (SQUARE, []), {},
     "InvalidArgumentError: degrees: expected the numbers of edges that a vertex may have, each up to 255"),
    (P.hamiltonian_paths, (SQUARE, "a", "a"), {},
     "InvalidArgumentError: a Hamiltonian path has two different ends; for Hamiltonian cycles give none"),
    (P.count, (SQUARE, "a", "c"), {"by_length": True, "weights": {}},
     "InvalidArgumentError: count: by_length and weights: expected one of them"),
    (P.count, (SQUARE, "a", "c"), {"memory_limit": 0},
     "InvalidArgumentError: count: memory_limit is 0: expected a number of bytes"),
    (P.count, (SQUARE, "a", "c"), {"memory_limit": -2**70},
     f"InvalidArgumentError: count: memory_limit is {-2**70}: expected a number of bytes"),
    (P.count, (SQUARE, "a", "c"), {"memory_limit": 2**70},
     "InvalidArgumentError: count: memory_limit is 2^64 or more: expected a number of bytes, below that"),
    (P.components, (SQUARE, 2**70), {},
     "InvalidArgumentError: sets: components is 2^64 or more: expected 0 or more, below that"),
    (P.with_degrees, (SQUARE, [2**70]), {},
     f"InvalidArgumentError: sets: degrees has {2**70}: expected numbers from 0 to 255"),
    (P.count, (SQUARE, "a", "c"), {"workers": 1, "team": "a team"},
     "InvalidArgumentError: count: workers and team: expected one of them"),
    (P.count, (DIRECTED, "a", "b"), {},
     "InvalidArgumentError: count: the graph is directed: expected an undirected one, as "
     "graph.to_undirected() makes"),
    (P.count, (kinjo.graph.Graph.from_edges([(0, 1)], directed=True), 0, 1), {},
     "InvalidArgumentError: count: the graph is directed: expected an undirected one"),
    (P.count, (3, 0, 1), {},
     "InvalidArgumentError: count: graph is a int: expected a NetworkX graph, pairs of vertices, a "
     "sparse matrix, a rule such as 'grid:8x8', or a file's name"),
    (P.count, ([(0, 1), (1, 2, 3)], 0, 1), {},
     "InvalidArgumentError: count: edge 1 is (1, 2, 3): expected a pair of hashable vertices"),
    (P.count, ([(0, 1), 7], 0, 1), {},
     "InvalidArgumentError: count: edge 1 is 7: expected a pair of hashable vertices"),
    (P.count, ([([], 1)], 0, 1), {},
     "InvalidArgumentError: count: edge 0 is ([], 1): expected a pair of hashable vertices"),
    (P.count, ("grid:28",), {"memory_limit": 2**20}, "InvalidArgumentError: a grid of 28 × 28 squares: one of the sides may have 27 at most"),
    (P.count, ("grid:0",), {},
     "InvalidArgumentError: 'grid:0' as a graph: expected grid:RxC or grid:N, such as grid:8x8"),
    (P.count, ("torus:3",), {},
     "InvalidArgumentError: 'torus:3' as a graph: expected grid:RxC, king:RxC, complete:N, hypercube:N, "
     "cycle:N or path:N"),
    (P.count, ("no/such.el", 0, 1), {},
     "NotFoundError: cannot read 'no/such.el': No such file or directory"),
])
def test_what_cannot_be_counted_is_refused_in_a_sentence(refusal, function, arguments, named, message):
    assert refusal(function, *arguments, **named) == message


@pytest.mark.parametrize(("entries", "shape", "message"), [
    ([(0, 1), (1, 0), (1, 2)], (3, 3),
     "the matrix is not symmetric: it has entry (1, 2) and not (2, 1)"),
    ([(0, 1)], (2, 3), "the matrix has shape (2, 3): expected as many columns as rows"),
])
def test_matrices_must_be_symmetric(refusal, entries, shape, message):
    sparse = pytest.importorskip("scipy.sparse")
    rows, columns = zip(*entries, strict=True)
    matrix = sparse.coo_array((np.ones(len(rows)), (rows, columns)), shape)
    assert refusal(P.count, matrix, 0, 1) == f"InvalidArgumentError: count: {message}"


@pytest.mark.parametrize(("weights", "message"), [
    ({("a", "b"): 1}, "weights has nothing for edge ("),
    (lambda edge: "much", "the weight of edge ("),
    (lambda edge: math.inf, "the weight of edge ("),
    (lambda edge: 10 ** 400, "the weight of edge ("),
    ("cost", "weights is 'cost', an attribute's name: expected a dict or a function, since the graph has no attributes"),
    ([1, 2], "weights is a list: expected a dict from edges to numbers, the name of an attribute, or a "
             "function"),
])
def test_weights_must_be_numbers_of_all_edges(refusal, weights, message):
    paths = P.paths(SQUARE, "a", "c")
    for name, function in (("min", paths.min), ("max", paths.max), ("by_weight", paths.by_weight),
                           ("weighted_sum", paths.weighted_sum)):
        assert refusal(function, weights).startswith(f"InvalidArgumentError: {name}: {message}")
    assert refusal(P.count, SQUARE, "a", "c", weights=weights).startswith(
        f"InvalidArgumentError: count: {message}")


def test_attributes_must_be_there(refusal):
    graph = nx.Graph([("a", "b", {"cost": 3})])
    assert P.paths(graph, "a", "b").min("cost") == ((("a", "b"),), 3.0)
    assert refusal(P.paths(graph, "a", "b").min, "price") == (
        "InvalidArgumentError: min: weights has nothing for edge ('a', 'b')")


def test_operations_refuse_what_does_not_fit(refusal):
    paths, others = P.paths(SQUARE, "a", "c"), P.paths(SQUARE[:3], "a", "c")
    message = ("InvalidArgumentError: PathSet: the two have other edges, or in another order: make the "
               "second with order=the first, and without avoid=")
    for operator in ("__or__", "__and__", "__sub__", "__xor__", "__eq__"):
        assert refusal(getattr(paths, operator), others) == message
    assert refusal(P.cycles, SQUARE[:3], order=paths) == (
        "InvalidArgumentError: sets: order is sets of other edges than those of the graph")
    assert refusal(paths.including, [("a", "c")]) == (
        "NotFoundError: including: there is no edge ('a', 'c')")
    assert refusal(paths.excluding, [5]) == "NotFoundError: excluding: there is no edge 5"
    assert refusal(paths.sample, -1) == "InvalidArgumentError: sample: k is -1: expected 0 or more"
    assert refusal(paths.sample, 10**30) == (
        "InvalidArgumentError: sample: k is 2^64 or more: expected 0 or more, below that")


@pytest.mark.parametrize("call", [
    lambda: P.paths("grid:2").sample(1.5), lambda: P.paths("grid:2").sample("1"),
    lambda: P.paths("grid:2").sample(1, seed=1.5), lambda: P.count("grid:2", memory_limit=1.5),
    lambda: P.count("grid:2", workers=1.5),
    lambda: P.components(SQUARE, 1.5), lambda: P.with_degrees(SQUARE, [1.5]),
])
def test_numbers_that_are_not_whole_are_type_errors_of_one_line(call):
    with pytest.raises(TypeError) as caught:
        call()
    assert re.fullmatch("'(float|str)' object cannot be interpreted as an integer", str(caught.value))


def test_shuffled_graphs_have_the_same_sets():
    edges = list(nx.grid_2d_graph(4, 4).edges)
    expected = {frozenset(map(frozenset, member)) for member in P.paths(edges, (0, 0), (3, 3))}
    assert len(expected) == 184
    chance = random.Random(1)
    for _ in range(5):
        chance.shuffle(edges)
        turned = [edge[::chance.choice((1, -1))] for edge in edges]
        members = P.paths(turned, (0, 0), (3, 3), order=chance.choice(("automatic", "given")))
        assert {frozenset(map(frozenset, member)) for member in members} == expected
