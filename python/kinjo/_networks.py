"""Undirected graphs as kinjo.paths takes them: from NetworkX, pairs, sparse matrices, rules, files."""

import math
import operator
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from itertools import chain
from os import PathLike
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from kinjo._files import fspath
from kinjo._kinjo import (
    BadInputError,
    InvalidArgumentError,
    NotFoundError,
    _number_pairs,
    _read_network,
)
from kinjo._workers import WorkingTeam, refuse
from kinjo.graph import Graph

Vertex: TypeAlias = Hashable
Edge: TypeAlias = tuple[Any, ...]               # (u, v), or (u, v, key) of a multigraph
Weights: TypeAlias = Mapping[Any, float] | str | Callable[[Edge], float]

_Ends: TypeAlias = NDArray[np.uint32]
_MOST_ROWS = 3_037_000_499      # whose square is below 2**63, as cells are numbered
Attribute: TypeAlias = Callable[[Edge, str], Any]


class EdgeNumbers:
    """Which number an edge has; (v, u) is the edge (u, v)."""

    def __init__(self, edges: Sequence[Edge]) -> None:
        self._numbers: dict[Edge, int] = {}
        self._several: set[Edge] = set()
        for number, edge in enumerate(edges):
            for either in (edge, (edge[1], edge[0], *edge[2:])):
                self._numbers[either] = number
                if len(edge) == 2:
                    continue
                # Without its key it is known if nothing is parallel to it.
                if self._numbers.setdefault(either[:2], number) != number:
                    self._several.add(either[:2])

    def find(self, edge: Any) -> int | None:
        """Its number, if there is such an edge and only one."""
        try:
            key = tuple(edge)
            return None if key in self._several else self._numbers.get(key)
        except TypeError:
            return None

    def of(self, function: str, edge: Any) -> int:
        number = self.find(edge)
        if number is not None:
            return number
        if isinstance(edge, tuple) and edge in self._several:
            raise InvalidArgumentError(f"{function}: several edges are {edge!r}: expected (u, v, key)")
        raise NotFoundError(f"{function}: there is no edge {edge!r}")


def name_of(edge: Sequence[Any]) -> str:
    """What an edge is called in a file: u-v, or u-v-key."""
    return "-".join(map(str, edge))


class EdgeNames:
    """Which number an edge has by its name; v-u is the edge u-v."""

    def __init__(self, edges: Sequence[Edge]) -> None:
        self._edges = edges
        self._numbers: dict[str, int] = {}
        self._twins: dict[str, int] = {}
        for number, (u, v, *key) in enumerate(edges):
            for name in (name_of((u, v, *key)), name_of((v, u, *key))):
                if self._numbers.setdefault(name, number) != number:
                    self._twins[name] = number

    def find(self, name: str) -> int | None:
        """The number of the only edge, or the first, that has this name."""
        return self._numbers.get(name)

    def twins(self, name: str) -> tuple[Edge, Edge] | None:
        """Two edges that both have this name."""
        if name not in self._twins:
            return None
        return self._edges[self._numbers[name]], self._edges[self._twins[name]]


def need_names(function: str, edges: Sequence[Edge]) -> None:
    """Refuses edges that could not be told by their names when a file is read."""
    way = "expected names that differ, or a file without names, .setset or .zbdd"
    vertices: dict[str, Any] = {}
    for u, v, *_ in edges:
        for vertex in (u, v):
            # Two such vertices would be one where the file is read without the graph.
            other = vertices.setdefault(str(vertex), vertex)
            if other is not vertex and other != vertex:
                raise refuse(function, f"vertices {other!r} and {vertex!r} have the same name: {way}")
    names = EdgeNames(edges)
    for edge in edges:
        twins = names.twins(name_of(edge))
        if twins is not None:
            raise refuse(function, f"edges {twins[0]!r} and {twins[1]!r} have the same name, "
                                   f"{name_of(edge)!r}: {way}")


def _whole(vertex: Any) -> int | None:
    """The whole number that it is; a range looks for anything else one by one."""
    try:
        return int(vertex) if isinstance(vertex, float) and vertex.is_integer() else operator.index(vertex)
    except TypeError:
        return None


class Network:
    """Vertices, of any hashable kind, and edges between their numbers; no loops."""

    def __init__(self, vertices: Sequence[Any], ends: _Ends, keys: Sequence[Any] | None = None,
                 attribute: Attribute | None = None, is_rule: bool = False,
                 grid: tuple[int, int] = (0, 0), numbers: dict[Any, int] | None = None) -> None:
        self.vertices, self.ends, self.is_rule = vertices, ends, is_rule
        self.grid = grid                # rows and columns of squares, of a rule's grid
        self.attribute = attribute
        self._keys = keys
        self._numbers = numbers         # of the vertices; None until somebody asks

    def number(self, function: str, what: str, vertex: Any) -> int:
        """The number of a vertex."""
        if isinstance(self.vertices, range):
            named = _whole(vertex)
            if named is not None and named in self.vertices:
                return self.vertices.index(named)
        elif self._numbers is None:
            self._numbers = {v: number for number, v in enumerate(self.vertices)}
        try:
            return (self._numbers or {})[vertex]
        except (KeyError, TypeError):
            known = ", ".join(map(repr, self.vertices[:3]))
            has = f"{len(self.vertices)}, such as {known}" if len(self.vertices) > 0 else "none"
            raise NotFoundError(f"{function}: {what} {vertex!r} is no vertex of the graph, which has "
                                f"{has}") from None

    def has(self, vertex: Any) -> bool:
        """Whether there is such a vertex; looks for it one by one."""
        return any(v is vertex or v == vertex for v in self.vertices)

    def edges(self) -> list[Edge]:
        """As the caller knows them, in the order of their numbers."""
        pairs = [(self.vertices[u], self.vertices[v]) for u, v in self.ends.tolist()]
        if self._keys is None:
            return pairs
        return [(u, v, key) for (u, v), key in zip(pairs, self._keys, strict=True)]

    def named(self, function: str, path: str, names: Sequence[str]) -> list[int]:
        """The numbers of the edges with these names, which a file has."""
        known = EdgeNames(self.edges())
        found: dict[int, None] = {}
        for name in names:
            number, twins = known.find(name), known.twins(name)
            if number is None:
                raise NotFoundError(f"{function}: the graph has no edge {name!r}")
            if twins is not None:
                raise refuse(function, f"{path!r} has an edge {name!r}, and two edges of the graph have "
                                       f"that name, {twins[0]!r} and {twins[1]!r}")
            if number in found:
                raise _twice(function, path, name)
            found[number] = None
        return list(found)

    def taking(self, numbers: Sequence[int]) -> "Network":
        """The same with some of the edges, in that order."""
        keys = None if self._keys is None else [self._keys[number] for number in numbers]
        return Network(self.vertices, np.ascontiguousarray(self.ends[list(numbers)]), keys,
                       self.attribute)


def _ends_of(pairs: Collection[tuple[int, int]]) -> _Ends:
    ends = np.fromiter(chain.from_iterable(pairs), np.uint32, 2 * len(pairs))
    return ends.reshape(-1, 2)


def _of_networkx(function: str, graph: Any) -> Network:
    if graph.is_directed():
        raise refuse(function, "the graph is directed: expected an undirected one, as "
                               "graph.to_undirected() makes")
    if graph.is_multigraph():
        return _of_multigraph(graph)
    numbers, ends = _number_pairs(function, graph.edges(), graph.nodes)
    return Network(list(numbers), ends, None, _attribute_of(graph), numbers=numbers)


def _of_multigraph(graph: Any) -> Network:
    numbers = {v: number for number, v in enumerate(graph.nodes)}
    edges = [edge for edge in graph.edges(keys=True) if edge[0] != edge[1]]
    ends = _ends_of([(numbers[u], numbers[v]) for u, v, _ in edges])
    return Network(list(numbers), ends, [key for _, _, key in edges], _attribute_of(graph),
                   numbers=numbers)


def _attribute_of(graph: Any) -> Attribute:
    def of(edge: Edge, name: str) -> Any:
        return graph.edges[edge].get(name) if graph.has_edge(*edge) else None

    return of


def _of_matrix(function: str, matrix: Any) -> Network:
    rows, columns = matrix.shape if len(matrix.shape) == 2 else (0, 1)
    if rows != columns:
        raise refuse(function, f"the matrix has shape {tuple(matrix.shape)}: expected as many columns "
                               "as rows")
    if rows > _MOST_ROWS:
        raise refuse(function, f"the matrix has {rows} rows: expected at most {_MOST_ROWS}")
    # Formats of blocks and diagonals store zeros that nobody has entered; to tell them apart is left to SciPy.
    entries = (matrix.tocsr() if matrix.format in ("bsr", "dia") else matrix).tocoo()
    if matrix.format in ("bsr", "dia"):
        entries.eliminate_zeros()
    cells = np.unique(np.asarray(entries.row, np.int64) * rows + entries.col)
    u, v = np.divmod(cells, max(rows, 1))
    alone = ~np.isin(v * rows + u, cells, assume_unique=True)
    if alone.any():
        at = int(np.argmax(alone))
        raise refuse(function, f"the matrix is not symmetric: it has entry ({u[at]}, {v[at]}) and not "
                               f"({v[at]}, {u[at]})")
    upper = u < v
    return Network(range(rows), np.stack((u[upper], v[upper]), axis=1).astype(np.uint32))


def _of_graph(function: str, graph: Graph) -> Network:
    if graph.directed:
        raise refuse(function, "the graph is directed: expected an undirected one")
    names = range(graph.vertices) if graph.ids is None else graph.ids.tolist()
    number = {name: v for v, name in enumerate(names)}
    pairs = [(u, number[name]) for u, of in enumerate(names)
             for name in graph.neighbours(of).tolist() if u < number[name]]
    return Network(names, _ends_of(pairs))


def _of_pairs(function: str, pairs: Iterable[Any]) -> Network:
    """Vertices are numbered as they first appear; a pair that was there before is left out."""
    listed = pairs.tolist() if isinstance(pairs, np.ndarray) else pairs
    numbers, ends = _number_pairs(function, listed, ())
    return Network(list(numbers), ends, numbers=numbers)


def _vertices_of(names: Sequence[str]) -> list[Any]:
    """Names, of vertices or keys, or numbers if all of them are whole numbers."""
    if all(name.isdecimal() and str(int(name)) == name for name in names):
        return [int(name) for name in names]
    return list(names)


def _twice(function: str, path: str, name: str) -> BadInputError:
    return BadInputError(f"{function}: {path!r} has two edges {name!r}: expected names that differ")


def edges_of_names(function: str, path: str, names: Sequence[str]) -> list[Edge]:
    """Edges by their names u-v, which a file has.

    With a second '-' nothing tells whether it is in a vertex' name or before a multigraph's key."""
    pairs: dict[tuple[str, str], None] = {}
    for name in names:
        u, *others = name.split("-")
        if len(others) > 1:
            raise refuse(function, f"{path!r} has an edge {name!r}, which can be read in more than one "
                                   "way: expected the graph as well")
        if len(others) == 0:
            raise _unnamed(function, path)
        if (u, others[0]) in pairs or (others[0], u) in pairs:
            raise _twice(function, path, name)
        pairs[u, others[0]] = None
    if not pairs:
        raise _unnamed(function, path)
    words = iter(_vertices_of([word for pair in pairs for word in pair]))
    return list(zip(words, words, strict=True))


def _unnamed(function: str, path: str) -> InvalidArgumentError:
    return refuse(function, f"{path!r} does not name edges u-v: expected the graph as well")


def _of_text(text: str, working: WorkingTeam) -> Network:
    """By rule, or from a file."""
    with working as team:
        is_rule, count, first, names, ends, grid = _read_network(team, text)
    if not names:
        return Network(range(first, first + count), ends, is_rule=is_rule, grid=grid)
    return Network(_vertices_of(names), ends)


def network_of(function: str, graph: Any, working: WorkingTeam) -> Network:
    """Any graph that kinjo.paths takes. The caller's own code may run to tell its edges, so the team is at work
    for files alone."""
    if isinstance(graph, list | tuple):         # at once: what else it might be takes half a microsecond
        return _of_pairs(function, graph)
    if isinstance(graph, str | PathLike):
        return _of_text(fspath(graph), working)
    if isinstance(graph, Graph):
        return _of_graph(function, graph)
    if hasattr(graph, "is_directed") and hasattr(graph, "nodes"):
        return _of_networkx(function, graph)
    if hasattr(graph, "tocoo"):
        return _of_matrix(function, graph)
    if isinstance(graph, Iterable):
        return _of_pairs(function, graph)
    raise refuse(function, f"graph is a {type(graph).__name__}: expected a NetworkX graph, pairs of "
                           "vertices, a sparse matrix, a rule such as 'grid:8x8', or a file's name")


def network_of_edges(function: str, graph: Any, working: WorkingTeam) -> Network:
    """The same, and of a multigraph's edges (u, v, key), as a ``PathSet`` has them."""
    if not isinstance(graph, list | tuple) or not all(_has_key(edge) for edge in graph) or not graph:
        return network_of(function, graph, working)
    numbers: dict[Any, int] = {}
    for u, v, _ in graph:
        numbers.setdefault(u, len(numbers))
        numbers.setdefault(v, len(numbers))
    ends = _ends_of([(numbers[u], numbers[v]) for u, v, _ in graph])
    return Network(list(numbers), ends, [key for _, _, key in graph], numbers=numbers)


def _has_key(edge: Any) -> bool:
    return isinstance(edge, tuple) and len(edge) == 3


def weights_of(function: str, edges: Sequence[Edge], weights: Weights,
               attribute: Attribute | None) -> list[float]:
    """The weight of each edge: by a mapping, the name of an attribute, or a function."""
    if isinstance(weights, str):
        found = _attributes(function, edges, weights, attribute)
    elif isinstance(weights, Mapping):
        found = _mapped(function, edges, weights)
    elif callable(weights):
        found = [weights(edge) for edge in edges]
    else:
        raise refuse(function, f"weights is a {type(weights).__name__}: expected a dict from edges to "
                               "numbers, the name of an attribute, or a function")
    for edge, weight in zip(edges, found, strict=True):
        if weight is None:
            raise refuse(function, f"weights has nothing for edge {edge!r}")
        if not _is_finite(weight):
            raise refuse(function, f"the weight of edge {edge!r} is {weight!r}: expected a number that "
                                   "is finite")
    return [float(weight) for weight in found]


def _is_finite(weight: Any) -> bool:
    try:
        return math.isfinite(weight)
    except (OverflowError, TypeError):
        return False


def _attributes(function: str, edges: Sequence[Edge], name: str,
                attribute: Attribute | None) -> list[Any]:
    if attribute is None:
        raise refuse(function, f"weights is {name!r}, an attribute's name: expected a dict or a "
                               "function, since the graph has no attributes")
    return [attribute(edge, name) for edge in edges]


def _mapped(function: str, edges: Sequence[Edge], weights: Mapping[Any, float]) -> list[Any]:
    numbers = EdgeNumbers(edges)
    found: list[Any] = [None] * len(edges)
    for edge, weight in weights.items():
        number = numbers.find(edge)
        if number is not None:          # of an edge that is not there, or avoided, nobody asks
            found[number] = weight
    return found
