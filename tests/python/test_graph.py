"""kinjo.graph: searches agree with SciPy and NetworkX, arrays are not copied, refusals are sentences."""

import concurrent.futures
import copy
import os
import pickle
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kinjo
from kinjo.graph import Graph, bfs

ORDERS = ("automatic", "caller", "degree", "locality")


def reference_depths(n, edges, root, directed=False):
    """By a queue over lists of neighbours."""
    neighbours = [[] for _ in range(n)]
    for u, v in edges:
        neighbours[u].append(v)
        if not directed:
            neighbours[v].append(u)
    depths = [-1] * n
    depths[root] = 0
    queue = [root]
    for u in queue:
        for v in neighbours[u]:
            if depths[v] < 0:
                depths[v] = depths[u] + 1
                queue.append(v)
    return depths


def check_tree(n, edges, root, parents, depths, directed=False):
    """Depths are the reference's, and parents lie one step nearer to the root along an edge."""
    assert depths.tolist() == reference_depths(n, edges, root, directed)
    joined = {(int(u), int(v)) for u, v in edges}
    if not directed:
        joined |= {(v, u) for u, v in joined}
    for v, parent in enumerate(parents.tolist()):
        if v == root or depths[v] < 0:
            assert parent == (root if v == root else -1)
        else:
            assert (parent, v) in joined and depths[parent] == depths[v] - 1


def csr_of(n, edges, directed=False):
    """indptr and indices, int32, rows with repetitions left out."""
    pairs = {(int(u), int(v)) for u, v in edges}
    if not directed:
        pairs |= {(v, u) for u, v in pairs}
    rows = [sorted(v for u, v in pairs if u == row) for row in range(n)]
    indptr = np.cumsum([0, *map(len, rows)], dtype=np.int32)
    return indptr, np.array([v for row in rows for v in row], np.int32)


def random_edges(random, n, m):
    return random.integers(0, n, (m, 2))


@st.composite
def graphs(draw):
    n = draw(st.integers(1, 40))
    vertex = st.integers(0, n - 1)
    return n, draw(st.lists(st.tuples(vertex, vertex), max_size=120)), draw(vertex)


@given(graphs(), st.sampled_from(ORDERS), st.booleans(), st.booleans())
def test_any_graph_is_searched_right(made, order, directed, wide):
    n, edges, root = made
    graph = Graph.from_edges(np.array(edges, np.int64).reshape(-1, 2), n, directed=directed,
                             order=order)
    dtype = np.int64 if wide else np.int32
    parents, depths = bfs(graph, root, return_depths=True, dtype=dtype)
    assert parents.dtype == dtype
    check_tree(n, edges, root, parents, depths, directed)


@given(graphs(), st.booleans(), st.booleans())
def test_any_rows_are_searched_right(made, directed, said):
    n, edges, root = made
    parents, depths = bfs(csr_of(n, edges, directed), root, directed=directed if said else None,
                          return_depths=True)
    check_tree(n, edges, root, parents, depths, directed)


def test_a_thousand_small_graphs_are_as_scipy_and_networkx_have_them():
    sparse = pytest.importorskip("scipy.sparse", reason="SciPy is not installed")
    csgraph = pytest.importorskip("scipy.sparse.csgraph")
    networkx = pytest.importorskip("networkx", reason="NetworkX is not installed")
    random = np.random.default_rng(8)
    for number in range(1000):
        n = int(random.integers(1, 60))
        edges = random_edges(random, n, int(random.integers(0, 3 * n)))
        root = int(random.integers(n))
        directed = number % 2 == 1
        matrix = sparse.csr_array((np.ones(len(edges)), edges.T), shape=(n, n))
        if not directed:
            matrix = sparse.csr_array(matrix + matrix.T)
        named = {} if number % 3 == 0 else {"directed": directed}
        parents, depths = bfs(matrix, root, return_depths=True, **named)
        shortest = csgraph.shortest_path(matrix, unweighted=True, indices=root)
        assert np.array_equal(np.where(depths < 0, np.inf, depths), shortest), number
        kind = networkx.DiGraph if directed else networkx.Graph
        peer = kind(edges.tolist())
        peer.add_nodes_from(range(n))
        assert dict(networkx.single_source_shortest_path_length(peer, root)) == {
            v: d for v, d in enumerate(depths.tolist()) if d >= 0}
        _, before = csgraph.breadth_first_order(matrix, root, directed=True)
        assert np.array_equal(before >= 0, (parents >= 0) & (np.arange(n) != root))


def test_larger_graphs_are_searched_alike_by_every_number_of_threads_and_in_every_order(team):
    random = np.random.default_rng(3)
    n = 3000
    edges = random_edges(random, n, 9000)
    expected = reference_depths(n, edges.tolist(), 7)
    for order in ORDERS:
        graph = Graph.from_edges(edges, n, order=order, team=team)
        for named in ({}, {"workers": 2}, {"workers": -1}, {"team": team}):
            for root in (7, np.int32(7)):
                assert bfs(graph, root, return_depths=True, **named)[1].tolist() == expected


def test_ids_of_64_bits_are_what_numbers_are(tmp_path, team):
    random = np.random.default_rng(5)
    n = 2000
    edges = random_edges(random, n, 3000)
    ids = random.choice(2**62, n, replace=False)
    root = int(edges[0, 0])
    expected = reference_depths(n, edges.tolist(), root)
    listed = np.unique(ids[edges])
    by_id = dict(zip(ids.tolist(), expected))
    made = [Graph.from_edges(ids[edges], order=order, team=team) for order in ORDERS]
    ids[edges].astype("<u8").tofile(tmp_path / "ids.b64")
    made.append(kinjo.graph.read(tmp_path / "ids.b64", workers=2))
    made[0].save(tmp_path / "ids.kgraph")
    made.append(kinjo.graph.read(tmp_path / "ids.kgraph"))
    for graph in made:
        assert graph.vertices == len(listed) and np.array_equal(graph.ids, listed)
        parents, depths = bfs(graph, int(ids[root]), return_depths=True, workers=2)
        assert (parents.dtype, depths.dtype) == (np.int64, np.int32)
        assert [by_id[v] for v in graph.ids.tolist()] == depths.tolist()
        reached = (depths > 0).nonzero()[0][:50]
        for v, parent in zip(graph.ids[reached].tolist(), parents[reached].tolist()):
            assert v in graph.neighbours(parent).tolist() and by_id[parent] + 1 == by_id[v]


def test_ids_are_had_by_listing_any_graph(refusal, tmp_path):
    (tmp_path / "a.el").write_text("5 9\n9 100\n")
    for graph in (Graph.from_edges([(5, 9), (9, 100)], listed=True),
                  kinjo.graph.read(tmp_path / "a.el", listed=True)):
        assert graph.ids.tolist() == [5, 9, 100]
        assert bfs(graph, 100).tolist() == [9, 100, 100]
        graph.save(tmp_path / "ids.kgraph")
        assert kinjo.graph.read(tmp_path / "ids.kgraph", listed=True).ids.tolist() == [5, 9, 100]
    plain = kinjo.graph.read(tmp_path / "a.el")
    assert plain.ids is None and Graph.from_edges([(5, 9)]).ids is None
    plain.save(tmp_path / "plain.kgraph")
    assert refusal(kinjo.graph.read, tmp_path / "plain.kgraph", listed=True) == (
        f"InvalidArgumentError: '{tmp_path / 'plain.kgraph'}' was built without ids, which were asked for: expected "
        "a list of edges, or a graph with ids")


def test_the_greatest_id_is_one():
    for dtype in (np.int64, np.uint64):
        for vertices in (None, 2**63):
            graph = Graph.from_edges(np.array([(0, 2**63 - 1)], dtype), vertices)
            assert graph.ids.tolist() == [0, 2**63 - 1]


def test_ids_are_read_only():
    graph = Graph.from_edges([(2**40, 7)])
    with pytest.raises(ValueError, match="read-only"):
        graph.ids[0] = 8
    assert bfs(graph, 7).tolist() == [7, 7]


def test_what_is_no_id_is_refused(refusal, tmp_path):
    graph = Graph.from_edges([(2**40, 7)])
    for root in (-1, 0, 8, 2**40 + 1, 2**70):
        assert refusal(bfs, graph, root) == (
            f"InvalidArgumentError: bfs: root is {root}: expected the id of a vertex that has an edge")
    assert refusal(graph.neighbours, 8) == (
        "InvalidArgumentError: neighbours: vertex is 8: expected the id of a vertex that has an edge")
    assert refusal(bfs, graph, 7, dtype=np.int32) == (
        "InvalidArgumentError: bfs: dtype is int32: expected int64, since parents are ids")
    assert refusal(graph.save, tmp_path / "a.sg").endswith(
        "the graph's vertices have ids: GAP's format numbers them from 0 on")


@pytest.mark.parametrize("made", [
    lambda: kinjo.graph.kronecker(9, 8, seeds=(1, 2), workers=2),
    lambda: kinjo.graph.uniform(9, 8), lambda: kinjo.graph.grid(20, 30, scrambled=True),
    lambda: kinjo.graph.road(20, 30)], ids=["kronecker", "uniform", "grid", "road"])
def test_graphs_by_rule_have_neighbours_in_both_senses(made):
    graph = made()
    assert graph.order in ORDERS and not graph.directed and graph.nbytes > 0
    rows = [graph.neighbours(v).tolist() for v in range(graph.vertices)]
    edges = [(u, v) for u, row in enumerate(rows) for v in row]
    assert len(edges) == graph.entries and all(u in rows[v] for u, v in edges)
    assert all(row == sorted(set(row)) for row in rows)
    root = edges[0][0]
    check_tree(graph.vertices, edges, root, *bfs(graph, root, return_depths=True))


def test_graphs_of_the_same_seeds_are_the_same():
    def first(graph):
        return [graph.neighbours(v).tolist() for v in range(50)]

    assert first(kinjo.graph.kronecker(8)) == first(kinjo.graph.kronecker(8, workers=2))
    assert first(kinjo.graph.kronecker(8)) != first(kinjo.graph.kronecker(8, seeds=(5, 6)))


class Watched:
    """Rows whose arrays are shared, as SciPy's matrices have them."""

    def __init__(self, indptr, indices, shape=None, form="csr"):
        self.indptr, self.indices, self.format = indptr, indices, form
        self.shape = shape or (len(indptr) - 1,) * 2


def test_rows_of_32_bits_are_not_copied():
    indptr, indices = csr_of(4, [(0, 1), (2, 3)])
    for dtype in (np.int32, np.uint32):
        rows = Watched(indptr.astype(dtype), indices.astype(dtype))
        graph = Graph.from_csr(rows, directed=False)
        assert graph.nbytes == 0
        assert bfs(graph, 0).tolist() == [0, 0, -1, -1]
        rows.indices[:] = [2, 3, 0, 1]                  # seen, so not copied
        assert bfs(graph, 0).tolist() == [0, -1, 0, -1]


def test_rows_of_64_bits_and_with_gaps_are_converted():
    indptr, indices = csr_of(4, [(0, 1), (1, 2)])
    for rows in ((indptr.astype(np.int64), indices), (indptr.astype(np.int64), indices.astype(np.int64)),
                 (np.repeat(indptr, 2)[::2], np.repeat(indices, 2)[::2]),
                 Watched(indptr, np.append(indices, [77, 88]).astype(np.int32)),
                 (indptr.tolist(), indices.tolist())):
        assert bfs(rows, 2).tolist() == [1, 2, 2, -1]


def test_a_graph_keeps_the_arrays_that_it_shows():
    graph = Graph.from_csr(csr_of(3, [(0, 1), (1, 2)]))
    junk = [np.full(7, 9, np.int32) for _ in range(100)]
    assert bfs(graph, 0).tolist() == [0, 0, 1] and len(junk) == 100


def test_names_of_files_are_text(refusal, tmp_path):
    for call in (lambda: Graph.from_edges([(0, 1)]).save(f"{tmp_path}/\udcff.kgraph"),
                 lambda: kinjo.graph.read(f"{tmp_path}/\udcff.el")):
        assert refusal(call).endswith("as a file's name: expected one that is UTF-8")
    with pytest.raises(TypeError, match=r"b'a.el' as a file's name: expected str or os.PathLike\[str\]"):
        kinjo.graph.read(b"a.el")
    assert list(tmp_path.iterdir()) == []


def test_ends_may_have_signs_of_their_own():
    graph = Graph.from_edges((np.array([0, 1], np.uint64), np.array([1, 2], np.int64)))
    assert (graph.vertices, graph.edges) == (3, 2)


def test_rows_of_another_byte_order_are_rows():
    indptr, indices = np.array([0, 1, 2]), np.array([1, 0])
    for kind in (">i4", ">u4", ">i8"):
        assert kinjo.graph.bfs((indptr.astype(kind), indices.astype(kind)), 0).tolist() == [0, 0]


def test_signs_that_do_not_fit_are_refused(refusal):
    ends = np.array([2**63], np.uint64), np.array([1], np.int64)
    assert refusal(Graph.from_edges, ends) == (
        "InvalidArgumentError: from_edges: 9223372036854775808 is a vertex beside signed ones: expected less than 2^63")


def test_several_threads_search_a_graph_of_many_levels_at_once():
    graph = kinjo.graph.grid(30, 30)
    expected = kinjo.graph.bfs(graph, 1)
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        for parents in pool.map(lambda _: kinjo.graph.bfs(graph, 1), range(200)):
            assert (parents == expected).all()


def test_seeds_are_two_numbers(refusal):
    assert refusal(kinjo.graph.kronecker, 3, seeds=(1, 2, 3)) == (
        "InvalidArgumentError: kronecker: seeds are 3: expected two")
    assert "a seed is -1: expected 0 to" in refusal(kinjo.graph.road, 3, 3, seeds=(-1, 2))


def test_a_team_is_a_team():
    with pytest.raises(TypeError, match="bfs: team is a str: expected a kinjo.Team"):
        kinjo.graph.bfs(kinjo.graph.grid(2, 2), 0, team="scatter")


def test_names_of_files_have_no_null_character(refusal, tmp_path):
    (tmp_path / "a.el").write_text("0 1\n")
    kept = tmp_path / "kept"
    kept.write_text("as it was")
    for call in (lambda: Graph.from_edges([(0, 1)]).save(f"{kept}\0.kgraph"),
                 lambda: kinjo.graph.read(f"{tmp_path}/a.el\0.el")):
        assert refusal(call).endswith("as a file's name: expected no null character in it")
    assert kept.read_text() == "as it was"


def test_graphs_are_saved_and_read(tmp_path):
    graph = Graph.from_edges(([0, 1, 3], [1, 2, 3]))
    for name in ("a.kgraph", "a.sg"):
        graph.save(tmp_path / name)
        again = kinjo.graph.read(tmp_path / name)
        assert (again.vertices, again.entries) == (4, 4)
        assert bfs(again, 0).tolist() == [0, 0, 1, -1]
    (tmp_path / "a.el").write_text("0 1\n1 2\n", encoding="utf-8")
    assert bfs(kinjo.graph.read(str(tmp_path / "a.el"), directed=True, vertices=5), 1).tolist() == [
        -1, 1, 1, -1, -1]


def test_empty_graphs_are_graphs():
    assert bfs(Graph.from_edges(np.empty((0, 2), int), 3), 1).tolist() == [-1, 1, -1]
    assert Graph.from_edges([]).vertices == 0
    assert repr(Graph.from_edges([(0, 1)], order="caller")) == (
        "<kinjo.graph.Graph 2 vertices, 1 edges, symmetric, numbered by caller>")


def test_several_threads_search_one_graph_at_once():
    graph = kinjo.graph.kronecker(12)
    root = next(v for v in range(100) if graph.neighbours(v).size)
    expected = bfs(graph, root, return_depths=True)[1]
    alike = []

    def work(workers):
        for _ in range(20):
            alike.append(np.array_equal(bfs(graph, root, return_depths=True, workers=workers)[1],
                                        expected))

    threads = [threading.Thread(target=work, args=(1 + i % 2,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert alike == [True] * 80


def test_after_a_fork_graphs_are_searched_on():
    graph = kinjo.graph.kronecker(8, workers=2)
    expected = bfs(graph, 1, workers=2, return_depths=True)[1].tolist()
    child = os.fork()
    if child == 0:
        found = bfs(graph, 1, workers=2, return_depths=True)[1].tolist()
        os._exit(0 if found == expected else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_a_closed_team_is_refused_and_the_graph_stays_usable(refusal):
    graph = kinjo.graph.grid(5, 5)
    with kinjo.Team(kinjo.mapping("none", 2)) as own:
        assert bfs(graph, 0, team=own)[24] in (19, 23)
    assert refusal(bfs, graph, 0, team=own) == "UsageError: the team is closed"
    assert bfs(graph, 0)[24] in (19, 23)


SMALL = csr_of(3, [(0, 1), (1, 2)])


@pytest.mark.parametrize(("arguments", "named", "message"), [
    ((SMALL, 3), {}, "root is 3: expected a vertex of 0 to 2"),
    ((SMALL, -1), {}, "root is -1: expected a vertex of 0 to 2"),
    ((Graph.from_edges([]), 0), {}, "root is 0: the graph has no vertices"),
    ((SMALL, 0), {"dtype": np.int16}, "dtype is int16: expected int32 or int64"),
    ((SMALL, 0), {"workers": 0}, f"workers is 0: expected -{len(os.sched_getaffinity(0))} to -1, or 1 "
                                 "and more"),
    ((Graph.from_edges([(0, 1)]), 0), {"directed": True},
     "directed=True: the graph was made symmetric"),
    ((np.eye(3), 0), {}, "csr is a ndarray: expected a SciPy CSR matrix, a pair (indptr, indices), or a "
                         "Graph"),
    ((Watched(*SMALL, form="csc"), 0), {},
     "csr is a Watched: expected a SciPy CSR matrix, a pair (indptr, indices), or a Graph"),
    ((Watched(*SMALL, shape=(3, 4)), 0), {},
     "csr has shape (3, 4): expected as many columns as rows"),
    (((SMALL[0],), 0), {}, "csr is a tuple of 1: expected (indptr, indices)"),
    (((SMALL[0].astype(float), SMALL[1]), 0), {},
     "indptr is an array of float64 with 1 dimensions: expected integers in one"),
    (((SMALL[0], SMALL[1].reshape(2, 2)), 0), {},
     "indices is an array of int32 with 2 dimensions: expected integers in one"),
    (((np.array([], np.int32), SMALL[1]), 0), {},
     "indptr is empty: expected a number more than there are rows"),
    (((SMALL[0], np.array([1, 0, 2**40, 1])), 0), {},
     "indices[2] is 1099511627776: expected 0 to 4294967295"),
])
def test_what_cannot_be_searched_is_refused_in_a_sentence(refusal, arguments, named, message):
    assert refusal(bfs, *arguments, **named) == f"InvalidArgumentError: bfs: {message}"


@pytest.mark.parametrize(("indptr", "indices", "message"), [
    ([0, 1, 3, 4], [1, 0, 3, 1], "neighbour 2 is vertex 3: expected a number below 3"),
    ([0, 1, 3, 4], [1, 0, -1, 1], "neighbour 2 is vertex 4294967295: expected a number below 3"),
    ([0, 3, 1, 4], [1, 0, 2, 1], "row 1 begins at 3 and ends at 1"),
    ([1, 1, 3, 4], [1, 0, 2, 1], "begins of rows: expected the first to be 0 and the last 4, as many as "
                                 "there are neighbours"),
    ([0, 1, 3, 9], [1, 0, 2, 1], "begins of rows: expected the first to be 0 and the last 4, as many as "
                                 "there are neighbours"),
])
def test_rows_that_are_damaged_are_refused(refusal, indptr, indices, message):
    rows = np.array(indptr, np.int32), np.array(indices, np.int32)
    assert refusal(bfs, rows, 0) == f"InvalidArgumentError: {message}"


@given(graphs(), st.booleans())
def test_symmetric_rows_are_told_from_others(made, directed):
    n, edges, _ = made
    indptr, indices = csr_of(n, edges, directed)
    entries = {(u, int(v)) for u in range(n) for v in indices[indptr[u]:indptr[u + 1]]}
    symmetric = all((v, u) in entries for u, v in entries)
    assert Graph.from_csr((indptr, indices)).directed != symmetric
    assert Graph.from_csr((indptr, indices), directed=True).directed


def test_a_matrix_that_is_not_symmetric_is_refused_as_such(refusal):
    rows = csr_of(5, [(0, 1), (1, 2), (2, 3)], directed=True)
    assert refusal(bfs, rows, 0, directed=False) == (
        "InvalidArgumentError: the matrix is not symmetric: it has entry (0, 1) and not (1, 0)")
    assert bfs(rows, 0).tolist() == [0, 0, 1, 2, -1]


@pytest.mark.parametrize(("arguments", "named", "message"), [
    (([(0, 1), (2, -1)],), {}, "edge 1 is (2, -1): expected vertices from 0 to 2"),
    (([(0, 1), (2, 3)], 3), {}, "edge 1 is (2, 3): expected vertices from 0 to 2"),
    (([(0, 1), (2, 3)], 0), {}, "edge 0 is (0, 1): the graph has no vertices"),
    ((np.array([(0, 2**63 - 1), (2**63, 1)], np.uint64), 2**63), {},
     "edge 1 is (9223372036854775808, 1): expected vertices from 0 to 9223372036854775807"),
    (([0, 1, 2],), {}, "edges have shape (3,): expected (m, 2)"),
    (([(0.5, 1.0)],), {}, "edges is an array of float64: expected integers"),
    ((([0, 1], [2]),), {}, "ends have shapes (2,) and (1,): expected one dimension, and as many"),
    (([(0, 1)], 2**63 + 1), {}, "9223372036854775809 vertices: expected 0 to 9223372036854775808"),
    (([(0, 1)],), {"workers": 1, "team": "a team"}, "workers and team: expected one of them"),
])
def test_what_are_no_edges_is_refused(refusal, arguments, named, message):
    assert refusal(Graph.from_edges, *arguments, **named) == (
        f"InvalidArgumentError: from_edges: {message}")


@pytest.mark.parametrize(("function", "arguments", "message"), [
    ("kronecker", (-1,), "kronecker: scale is -1: expected 0 to 4294967295"),
    ("kronecker", (49,), "scale 49: expected at most 48"),
    ("uniform", (5, 0), "uniform: edge_factor is 0: expected 1 to 4294967295"),
    ("grid", (0, 5), "grid: rows is 0: expected 1 to 4294967295"),
])
def test_what_is_no_rule_is_refused(refusal, function, arguments, message):
    assert refusal(getattr(kinjo.graph, function), *arguments) == f"InvalidArgumentError: {message}"


def test_orders_vertices_and_names_are_checked(refusal, tmp_path):
    assert refusal(Graph.from_edges, [(0, 1)], order="random") == (
        "InvalidArgumentError: order is 'random': expected automatic, caller, degree or locality")
    graph = Graph.from_edges([(0, 1)])
    assert refusal(graph.neighbours, 2) == (
        "InvalidArgumentError: neighbours: vertex is 2: expected a vertex of 0 to 1")
    assert refusal(graph.save, "graph.npy") == (
        "InvalidArgumentError: save: path is 'graph.npy': expected a name that ends in .kgraph or .sg")
    assert refusal(kinjo.graph.read, tmp_path / "absent.el") == (
        f"NotFoundError: cannot read '{tmp_path / 'absent.el'}': No such file or directory")


@pytest.mark.parametrize("graph", [
    kinjo.graph.kronecker(6), Graph.from_edges([(0, 1), (1, 2)], 5, directed=True),
    Graph.from_edges([(2**40, 7), (7, 3)]), Graph.from_edges([(0, 9), (9, 4)], order="degree"),
    Graph.from_csr((np.array([0, 1, 3, 4]), np.array([1, 0, 2, 1]))),
])
def test_pickled_graphs_are_the_same(graph):
    again = pickle.loads(pickle.dumps(graph))
    assert repr(again) == repr(graph)
    names = range(graph.vertices) if graph.ids is None else graph.ids.tolist()
    for name in names:
        assert again.neighbours(name).tolist() == graph.neighbours(name).tolist()
        assert bfs(again, name).tolist() == bfs(graph, name).tolist()
    assert copy.copy(graph) is graph and copy.deepcopy([graph])[0] is graph
