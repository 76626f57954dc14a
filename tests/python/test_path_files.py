"""kinjo.paths: sets are kept in files and come back as they were, or what is wrong is said."""

import copy
import pickle

import pytest

from kinjo import paths as P

nx = pytest.importorskip("networkx")

SQUARE = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]


def test_sets_are_saved_and_loaded_with_the_names_of_their_edges(tmp_path, refusal):
    file = tmp_path / "paths.kzdd"
    paths = P.paths("grid:2", 0, 8)
    paths.save(file)
    again = P.load(file)
    assert again == paths and again.edges == paths.edges
    assert repr(again) == "<kinjo.paths.PathSet 12 sets of 12 edges, 28 nodes>"
    ends = {walk[0] for walk in again.vertex_paths()} | {walk[-1] for walk in again.vertex_paths()}
    assert ends == {0, 8}
    letters = P.paths(SQUARE, "a", "c")
    letters.save(file)
    assert P.load(file) == letters == P.load(file, [edge[::-1] for edge in SQUARE])
    assert refusal(P.load, file, SQUARE[:3]) == (
        "NotFoundError: load: the graph has no edge 'd-a'")
    assert P.load(file, [*SQUARE, ("a", "c")]) == letters
    P.forests([]).save(file)
    assert list(P.load(file, [])) == list(P.load(file, SQUARE)) == [()]
    P.forests(SQUARE[:3]).save(tmp_path / "forests.zbdd")
    assert refusal(P.load, tmp_path / "forests.zbdd", SQUARE[:2]).startswith("BadInputError: cannot read ")


def test_names_that_cannot_be_read_are_found_in_the_graph(tmp_path, refusal):
    graph = nx.MultiGraph([("x-1", -1), ("x-1", -1), (-1, (0, 0))])
    paths = P.paths(graph, "x-1", (0, 0))
    paths.save(tmp_path / "paths.kzdd")
    assert refusal(P.load, tmp_path / "paths.kzdd").endswith(
        "which can be read in more than one way: expected the graph as well")
    again = P.load(tmp_path / "paths.kzdd", graph)
    assert again == paths and again.min(lambda edge: edge[2]) == paths.min(lambda edge: edge[2])
    twice = nx.MultiGraph([("a", "b"), ("a", "b")])
    P.cycles(twice).save(tmp_path / "paths.kzdd")
    assert [set(c) for c in P.load(tmp_path / "paths.kzdd", twice)] == [{("a", "b", 0), ("a", "b", 1)}]


@pytest.mark.parametrize("edges", [
    [("St-Denis", "Paris"), ("Paris", "Bois-Colombes")], [("x", "room-0"), ("x", "room-1")],
    [(1, -1), (2, -1)], [(1, -1), (1, 2)], [("a-b", "c"), ("b", "c")],
])
def test_a_name_with_two_hyphens_is_read_with_the_graph_alone(tmp_path, refusal, edges):
    file = tmp_path / "sets.kzdd"
    sets = P.matchings(edges)
    sets.save(file)
    name = next("-".join(map(str, edge)) for edge in sets.edges
                if "-".join(map(str, edge)).count("-") == 2)
    assert refusal(P.load, file) == (
        f"InvalidArgumentError: load: {str(file)!r} has an edge {name!r}, which can be read in more than "
        "one way: expected the graph as well")
    assert P.load(file, edges) == sets == P.load(file, [edge[::-1] for edge in edges])


WAY = "expected names that differ, or a file without names, .setset or .zbdd"


@pytest.mark.parametrize(("edges", "message"), [
    ([("a-b", "c"), ("a", "b-c"), ("c", "x")],
     "edges ('a-b', 'c') and ('a', 'b-c') have the same name, 'a-b-c'"),
    ([("a-b", "c"), ("c-a", "b")], "edges ('a-b', 'c') and ('c-a', 'b') have the same name, 'c-a-b'"),
    ([(1, 2), ("1", 2), (2, 3)], "vertices 1 and '1' have the same name"),
    ([(1, 2), ("1", 3)], "vertices 1 and '1' have the same name"),
])
def test_edges_that_names_do_not_tell_apart_are_not_saved_with_names(tmp_path, refusal, edges, message):
    sets = P.forests(edges, order="given").excluding(edges[1:2])
    assert refusal(sets.save, tmp_path / "sets.kzdd") == f"InvalidArgumentError: save: {message}: {WAY}"
    assert list(tmp_path.iterdir()) == []
    sets.save(tmp_path / "sets.setset")
    again = P.load(tmp_path / "sets.setset", sets.edges)
    assert again == sets and set(again) == set(sets) and again.edges == sets.edges
    assert sets.to_dot().startswith("digraph")


def test_keys_that_names_do_not_tell_apart_are_not_saved_with_names(tmp_path, refusal):
    graph = nx.MultiGraph()
    graph.add_edges_from([("a", "b", 0), ("a", "b", "0")])
    assert refusal(P.cycles(graph, order="given").save, tmp_path / "sets.kzdd") == (
        "InvalidArgumentError: save: edges ('a', 'b', 0) and ('a', 'b', '0') have the same name, 'a-b-0': "
        + WAY)


def with_names(file, names):
    """A file of all matchings of so many edges with these names, as others may write it."""
    edges = [(2 * i, 2 * i + 1) for i in range(len(names))]
    P.matchings(edges)._diagram.write(str(file), names)
    return repr(str(file))


def test_names_of_several_edges_are_refused_in_files_that_have_them(tmp_path, refusal):
    file = tmp_path / "sets.kzdd"
    shown = with_names(file, ["a-b-c", "a-b-c", "c-x"])
    graph = [("a-b", "c"), ("a", "b-c"), ("c", "x")]
    assert refusal(P.load, file, graph) == (
        f"InvalidArgumentError: load: {shown} has an edge 'a-b-c', and two edges of the graph have that "
        "name, ('a-b', 'c') and ('a', 'b-c')")
    assert refusal(P.load, file, graph[1:]) == (
        f"BadInputError: load: {shown} has two edges 'a-b-c': expected names that differ")
    with_names(file, ["1-2", "1-2", "2-3"])
    assert refusal(P.load, file, [(1, 2), ("1", 2), (2, 3)]) == (
        f"InvalidArgumentError: load: {shown} has an edge '1-2', and two edges of the graph have that "
        "name, (1, 2) and ('1', 2)")
    for last in ("1-2", "2-1"):
        with_names(file, ["1-2", "2-3", last])
        for given_graph in (None, [(1, 2), (2, 3)]):
            assert refusal(P.load, file, given_graph) == (
                f"BadInputError: load: {shown} has two edges {last!r}: expected names that differ")
    with_names(file, ["1-2", "alone"])
    assert refusal(P.load, file) == (
        f"InvalidArgumentError: load: {shown} does not name edges u-v: expected the graph as well")


def test_a_family_of_no_edges_needs_no_graph(tmp_path):
    file = tmp_path / "none.kzdd"
    forests = P.forests(nx.empty_graph(2))
    forests.save(file)
    assert P.load(file) == forests


def test_names_that_are_the_graphs_only_ones_are_found_beside_others_that_are_not(tmp_path):
    file = tmp_path / "sets.kzdd"
    with_names(file, ["1-2", "1-3"])
    graph = [(1, 2), ("1", 3), ("a-b", "c"), ("a", "b-c")]
    assert P.load(file, graph).edges == ((1, 2), ("1", 3))


@pytest.mark.parametrize("ending", ["setset", "zbdd"])
def test_files_without_names_are_of_the_graphs_edges_in_their_order(tmp_path, refusal, ending):
    file = tmp_path / f"paths.{ending}"
    forests = P.forests(nx.petersen_graph())
    forests.save(file)
    assert P.load(file, forests.edges) == forests
    assert refusal(P.load, file, SQUARE).startswith("BadInputError: cannot read ")
    assert refusal(P.load, file) == (
        f"InvalidArgumentError: load: {str(file)!r} does not name edges u-v: expected the graph as well")


@pytest.mark.parametrize("ending", ["setset", "zbdd"])
def test_files_without_names_are_of_a_multigraphs_edges_in_their_order(tmp_path, ending):
    graph = nx.MultiGraph([(0, 1), (0, 1), (1, 2), (2, 0), (2, 3)])
    cycles = P.cycles(graph, avoid=[3])
    cycles.save(tmp_path / f"cycles.{ending}")
    again = P.load(tmp_path / f"cycles.{ending}", cycles.edges)
    assert again == cycles and set(again) == set(cycles) and again.edges == cycles.edges


def test_diagrams_are_drawn(tmp_path, refusal):
    drawing = P.paths(SQUARE, "a", "c").to_dot()
    assert drawing.startswith("digraph") and "a-b" in drawing
    large = P.paths("grid:8")
    assert refusal(large.to_dot) == (
        f"InvalidArgumentError: to_dot: {large.nodes} nodes as a picture: expected at most 2000")
    assert refusal(large.save, tmp_path / "large.dot").startswith("InvalidArgumentError: cannot write ")
    assert refusal(P.cycles(SQUARE).save, tmp_path / "cycles.txt").endswith(
        "its name does not end as a diagram's: expected one of .kzdd .setset .zbdd .dot .gv")
    assert list(tmp_path.iterdir()) == []
    assert refusal(P.load, tmp_path / "absent.kzdd") == (
        f"NotFoundError: cannot read '{tmp_path / 'absent.kzdd'}': No such file or directory")


def test_bytes_that_are_no_text_are_shown_as_python_does(tmp_path, refusal):
    edges = tmp_path / "latin.el"
    edges.write_bytes(b"caf\xe9 b\nb c\n")
    sets = P.forests(str(edges))
    assert sets.edges == (("caf\\xe9", "b"), ("b", "c")) and len(sets) == 4
    sets.save(tmp_path / "sets.kzdd")
    assert P.load(tmp_path / "sets.kzdd", str(edges)) == sets
    damaged = tmp_path / "damaged.setset"
    damaged.write_bytes(b"2 \xff T T\n.\n")
    assert refusal(P.load, damaged, SQUARE).startswith("BadInputError: cannot read ")


def test_nodes_are_kept_in_a_file_where_memory_does_not_hold_them(tmp_path, refusal):
    wish = {"kind": "hamiltonian", "order": "given"}        # of which many nodes are reduced away
    size = P.survey("grid:9", **wish)
    limit = size.node_bytes * 9 // 10
    assert size.states > 0 and limit > 1 << 20
    assert refusal(P.sets, "grid:9", **wish, memory_limit=limit).startswith("OutOfMemoryError: ")
    spilled = P.sets("grid:9", **wish, memory_limit=limit, spill=tmp_path)
    assert spilled.count == P.count("grid:9", kind="hamiltonian") and spilled.nbytes <= size.reduction_bytes
    assert list(tmp_path.iterdir()) == []


def test_counts_go_by_way_of_a_file_where_memory_does_not_hold_a_level(tmp_path, refusal):
    bounds = {"order": "given", "memory_limit": 1 << 16}
    assert refusal(P.count, "king:6", **bounds).startswith("OutOfMemoryError: ")
    assert P.count("king:6", **bounds, spill=tmp_path) == P.count("king:6")
    lengths = P.count("king:6", by_length=True, **bounds, spill=tmp_path)
    assert lengths == P.count("king:6", by_length=True)
    weight = P.count("king:6", weights=lambda edge: 0.5, **bounds, spill=tmp_path)
    assert weight == pytest.approx(sum(n * 0.5**k for k, n in enumerate(lengths)), rel=1e-12)
    assert list(tmp_path.iterdir()) == []


def test_a_directory_that_is_none_is_refused(refusal):
    assert refusal(P.count, SQUARE, kind="cycle", spill="") == (
        "InvalidArgumentError: count: spill is '': expected a directory")
    assert refusal(P.count, SQUARE, kind="cycle", spill="/nowhere").startswith(
        "NotFoundError: cannot keep states in a file in '/nowhere': ")
    assert refusal(P.cycles, SQUARE, spill="") == (
        "InvalidArgumentError: sets: spill is '': expected a directory")
    assert refusal(P.cycles, SQUARE, spill="/nowhere").startswith(
        "NotFoundError: cannot keep nodes in a file in '/nowhere': ")


@pytest.mark.parametrize("sets", [
    P.paths("grid:3"), P.paths([(0, 1), (2, 3)], 0, 3), P.forests([]), P.matchings([("a-b", "c"), ("b", "c")]),
    P.paths(nx.MultiGraph([(0, 1), (0, 1)]), 0, 1), P.cycles(SQUARE) | P.matchings(SQUARE),
])
def test_pickled_sets_are_the_same(sets):
    again = pickle.loads(pickle.dumps(sets))
    assert again == sets and again.edges == sets.edges and repr(again) == repr(sets)
    assert list(again) == list(sets) and again.by_length() == sets.by_length()
    assert copy.copy(sets) is sets and copy.deepcopy([sets])[0] is sets


def test_pickled_sets_do_not_know_attributes(refusal):
    graph = nx.Graph()
    graph.add_edge("a", "b", length=2.5)
    again = pickle.loads(pickle.dumps(P.paths(graph, "a", "b")))
    assert again.min({("a", "b"): 2.5}) == ((("a", "b"),), 2.5)
    assert refusal(again.min, "length") == (
        "InvalidArgumentError: min: weights is 'length', an attribute's name: expected a dict or a "
        "function, since the graph has no attributes")
