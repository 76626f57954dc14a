"""Graphs, and breadth-first search of them.

``bfs`` takes a SciPy CSR matrix, its arrays, or a ``Graph``, which is made once and searched from as
many roots as one likes. ``workers=N`` computes over so many threads, ``team=`` over those of a
``kinjo.Team``; without either one thread does it.
"""

import operator
from os import PathLike
from typing import Any, Literal, Protocol, SupportsIndex, TypeAlias, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from kinjo._files import content_of, fspath, with_content
from kinjo._kinjo import Team, _depths_of, _Graph, _Search
from kinjo._workers import WorkingTeam, refuse

__all__ = ["Graph", "bfs", "grid", "kronecker", "read", "road", "uniform"]

_Array: TypeAlias = NDArray[Any]
_Order: TypeAlias = Literal["automatic", "caller", "degree", "locality"]
_Seeds: TypeAlias = tuple[SupportsIndex, SupportsIndex]
_MOST = 2**32 - 1               # vertices of a graph
_MOST_IDS = 2**63               # numbers that vertices of a graph with ids may have


class _Matrix(Protocol):
    """What a SciPy CSR matrix or array shows."""

    @property
    def indptr(self) -> Any: ...
    @property
    def indices(self) -> Any: ...
    @property
    def shape(self) -> Any: ...


_Rows: TypeAlias = _Matrix | tuple[ArrayLike, ArrayLike]


def _count(function: str, name: str, value: SupportsIndex, least: int = 0, most: int = _MOST) -> int:
    number = operator.index(value)
    if not least <= number <= most:
        raise refuse(function, f"{name} is {number}: expected {least} to {most}")
    return number


def _named(function: str, order: str) -> str:
    """An order's name, which the extension knows."""
    if not isinstance(order, str):
        raise TypeError(f"{function}: order is of type {type(order).__name__}: expected a str")
    return order


class Graph:
    """Edges between vertices 0 to n - 1, in rows that can be searched.

    A graph of numbers that 32 bits do not hold, or that was made ``listed``, has only the vertices that
    have an edge, and ``ids``: what they are called. All that is said of a vertex is said by its id then,
    and arrays of a search have an element for each of ``ids``.

    Made by ``Graph.from_edges``, ``Graph.from_csr``, ``read``, ``kronecker``, ``uniform``, ``grid`` and
    ``road``. It does not change; several threads may search it at once, and it can be pickled."""

    _IDLE = 4                   # working memories of searches that are kept

    def __init__(self, made: _Graph) -> None:
        self._made = made
        self._ids: NDArray[np.int64] | None = None
        self._idle: list[tuple[Team, _Search]] = []

    @staticmethod
    def from_edges(edges: ArrayLike | tuple[ArrayLike, ArrayLike], vertices: SupportsIndex | None = None, *,
                   directed: bool = False, order: _Order = "automatic", listed: bool = False,
                   workers: SupportsIndex | None = None, team: Team | None = None) -> "Graph":
        """From pairs of vertices: an array of m rows and two columns, or two arrays of m numbers.

        ``vertices`` is their number, one more than the greatest unless given. Edges are walked in both
        senses unless ``directed``. Loops and repeated edges are left out of the rows. ``order`` is how
        vertices are numbered inside; results are always in the numbers of the edges. ``listed`` makes a
        graph with ids, as numbers from 2**32 - 1 on do."""
        ends = _ends_of(edges)
        greatest = int(ends.max()) if ends.size > 0 else -1
        n = greatest + 1 if vertices is None else operator.index(vertices)
        _check_ends(ends, n)
        if listed or n > _MOST:
            with WorkingTeam("from_edges", workers, team) as working:
                return Graph(_Graph.from_wide_edges(
                    working, n, np.ascontiguousarray(ends, np.uint64), bool(directed),
                    _named("from_edges", order)))
        with WorkingTeam("from_edges", workers, team) as working:
            return Graph(_Graph.from_edges(working, n, np.ascontiguousarray(ends, np.uint32),
                                           bool(directed), _named("from_edges", order)))

    @staticmethod
    def from_csr(csr: _Rows, *, directed: bool | None = None) -> "Graph":
        """A view of a SciPy CSR matrix, or of a pair (indptr, indices), whose stored entries are edges.

        Nothing is copied where ``indptr`` and ``indices`` are of 32 bits; arrays of 64 bits are
        converted. They must stay as they are. Edges lead from row to column. Of a matrix that turns out
        to be symmetric a search also walks edges backwards, which is several times as fast: unless
        ``directed=True`` all entries are looked at once to find out. ``directed=False`` says that it is,
        and only a sample is checked; ``Graph.from_edges(csr.nonzero())`` makes a matrix symmetric."""
        return Graph(_rows_of("from_csr", csr, directed))

    @property
    def vertices(self) -> int:
        """Their number."""
        return self._made.vertices

    @property
    def ids(self) -> NDArray[np.int64] | None:
        """What its vertices are called, in rising order, read-only; None where that is 0 to n - 1."""
        if self._ids is None and (ids := self._made.ids) is not None:
            ids.flags.writeable = False         # roots are looked up in it
            self._ids = ids
        return self._ids

    @property
    def edges(self) -> int:
        """Their number as they were listed, with loops and repetitions."""
        return self._made.edges

    @property
    def entries(self) -> int:
        """Neighbours in all rows."""
        return self._made.entries

    @property
    def directed(self) -> bool:
        """Whether edges are walked in one sense only."""
        return self._made.directed

    @property
    def order(self) -> str:
        """How vertices are numbered inside: ``caller``, ``degree`` or ``locality``."""
        return self._made.order

    @property
    def nbytes(self) -> int:
        """Bytes of memory that it owns; none of what it is a view of."""
        return self._made.nbytes

    def neighbours(self, vertex: SupportsIndex) -> NDArray[np.uint32] | NDArray[np.int64]:
        """The neighbours of a vertex, or what its edges lead to, in rising order."""
        return self._made.neighbours(_vertex("neighbours", "vertex", vertex, self))

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the graph as it is, to be mapped by ``read`` (.kgraph), or as GAP has it (.sg)."""
        name = fspath(path)
        if not name.endswith((".kgraph", ".sg")):
            raise refuse("save", f"path is {name!r}: expected a name that ends in .kgraph or .sg")
        self._made.save(name)

    def __repr__(self) -> str:
        sense = "directed" if self.directed else "symmetric"
        return (f"<kinjo.graph.Graph {self.vertices} vertices, {self.edges} edges, {sense}, numbered "
                f"by {self.order}>")

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (content_of(_PICKLED, self._made.save),)

    def __copy__(self) -> "Graph":
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> "Graph":
        return self

    def _run(self, root: int, parents: _Array, workers: SupportsIndex | None, team: Team | None) -> None:
        with WorkingTeam("bfs", workers, team) as working:
            search = self._take(working)
            search.run(working, root, parents)
        self._idle.append((working, search))
        if len(self._idle) > self._IDLE:
            self._pop(0)

    def _pop(self, at: int) -> tuple[Team, _Search] | None:
        """Of those that nobody uses. One step of the interpreter's, so that neither another thread nor a
        signal's handler gets the same."""
        try:
            return self._idle.pop(at)
        except IndexError:
            return None

    def _take(self, working: Team) -> _Search:
        """Working memory that nobody uses."""
        others = []
        while (pair := self._pop(-1)) is not None and pair[0] is not working:
            others.append(pair)
        self._idle.extend(reversed(others))
        return _Search(self._made, working) if pair is None else pair[1]


_PICKLED = "graph.kgraph"


def _unpickled(content: bytes) -> Graph:
    """What ``Graph.__reduce__`` has taken apart."""
    return with_content(_PICKLED, content, read)


def _alike(first: _Array, second: _Array) -> tuple[_Array, _Array]:
    """Integers of which one has a sign and one has none as int64, where they fit: NumPy makes float64 of
    them."""
    if {first.dtype.kind, second.dtype.kind} != {"i", "u"}:
        return first, second
    unsigned = first if first.dtype.kind == "u" else second
    if unsigned.size > 0 and int(unsigned.max()) >= 2**63:
        raise refuse("from_edges", f"{int(unsigned.max())} is a vertex beside signed ones: expected less than 2^63")
    return first.astype(np.int64), second.astype(np.int64)


def _ends_of(edges: ArrayLike | tuple[ArrayLike, ArrayLike]) -> _Array:
    """Edges as an array of integers with two columns."""
    if isinstance(edges, tuple) and len(edges) == 2:
        first, second = _alike(*(np.asarray(each) for each in edges))
        if first.ndim != 1 or first.shape != second.shape:
            raise refuse("from_edges", f"ends have shapes {first.shape} and {second.shape}: expected "
                                       "one dimension, and as many")
        ends = np.stack((first, second), axis=1)
    else:
        ends = np.asarray(edges)
    if ends.size == 0:
        return np.empty((0, 2), np.uint32)
    if ends.ndim != 2 or ends.shape[1] != 2:
        raise refuse("from_edges", f"edges have shape {ends.shape}: expected (m, 2)")
    if ends.dtype.kind not in "iu":
        raise refuse("from_edges", f"edges is an array of {ends.dtype}: expected integers")
    return ends


def _check_ends(ends: _Array, vertices: int) -> None:
    if not 0 <= vertices <= _MOST_IDS:
        raise refuse("from_edges", f"{vertices} vertices: expected 0 to {_MOST_IDS}")
    # Not compared to 2**63 by NumPy 1.24, which takes int64 and that as float64.
    if ends.size == 0 or (int(ends.min()) >= 0 and int(ends.max()) < vertices):
        return
    last = vertices - 1
    at = int(np.argmax(((ends < 0) | (ends > last)).any(axis=1))) if vertices > 0 else 0
    expected = f"expected vertices from 0 to {last}" if vertices > 0 else "the graph has no vertices"
    raise refuse("from_edges", f"edge {at} is ({ends[at, 0]}, {ends[at, 1]}): {expected}")


def _arrays_of(function: str, csr: _Rows) -> tuple[_Array, _Array]:
    if isinstance(csr, tuple):
        if len(csr) != 2:
            raise refuse(function, f"csr is a tuple of {len(csr)}: expected (indptr, indices)")
        return np.asarray(csr[0]), np.asarray(csr[1])
    form = getattr(csr, "format", "csr")
    if form != "csr" or not hasattr(csr, "indptr") or not hasattr(csr, "indices"):
        raise refuse(function, f"csr is a {type(csr).__name__}: expected a SciPy CSR matrix, a pair "
                               "(indptr, indices), or a Graph")
    if len(csr.shape) != 2 or csr.shape[0] != csr.shape[1]:
        raise refuse(function, f"csr has shape {csr.shape}: expected as many columns as rows")
    return np.asarray(csr.indptr), np.asarray(csr.indices)


def _narrow(function: str, name: str, array: _Array, most: int) -> _Array:
    """Of 32 bits and contiguous: itself if it is, else a copy."""
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise refuse(function, f"{name} is an array of {array.dtype} with {array.ndim} dimensions: "
                               "expected integers in one")
    if array.dtype.itemsize != 4 or not array.dtype.isnative:
        wrong = (array < 0) | (array > most)
        if wrong.any():
            at = int(np.argmax(wrong))
            raise refuse(function, f"{name}[{at}] is {array[at]}: expected 0 to {most}")
        array = array.astype(np.uint32)
    return np.require(array, requirements=["C", "A"])


def _rows_of(function: str, csr: _Rows, directed: bool | None) -> _Graph:
    indptr, indices = _arrays_of(function, csr)
    if indptr.size == 0:
        raise refuse(function, "indptr is empty: expected a number more than there are rows")
    begins = _narrow(function, "indptr", indptr, _MOST)
    # SciPy may hold room for more entries than there are.
    used = indices[:max(int(indptr[-1]), 0)] if indices.ndim == 1 else indices
    return _Graph.from_rows(begins, _narrow(function, "indices", used, _MOST),
                             None if directed is None else bool(directed))


def _vertex(function: str, name: str, vertex: SupportsIndex, graph: Graph) -> int:
    number = operator.index(vertex)
    vertices, ids = graph.vertices, graph.ids
    if ids is not None:
        if not ids[0] <= number <= ids[-1] or ids[np.searchsorted(ids, number)] != number:
            raise refuse(function, f"{name} is {number}: expected the id of a vertex that has an edge")
        return number
    if not 0 <= number < vertices:
        raise refuse(function, f"{name} is {number}: expected a vertex of 0 to {vertices - 1}"
                     if vertices > 0 else f"{name} is {number}: the graph has no vertices")
    return number


def _parent_type(dtype: DTypeLike | None, graph: Graph) -> np.dtype[Any]:
    """32 bits where they number all vertices, unless asked otherwise."""
    fits = graph.ids is None and graph.vertices <= 2**31
    wanted = np.dtype((np.int32 if fits else np.int64) if dtype is None else dtype)
    if wanted not in (np.dtype(np.int32), np.dtype(np.int64)):
        raise refuse("bfs", f"dtype is {wanted}: expected int32 or int64")
    if graph.ids is not None and wanted != np.dtype(np.int64):
        raise refuse("bfs", f"dtype is {wanted}: expected int64, since parents are ids")
    return wanted


@overload
def bfs(graph: Graph | _Rows, root: SupportsIndex, *, directed: bool | None = None,
        workers: SupportsIndex | None = None, team: Team | None = None,
        return_depths: Literal[False] = False, dtype: DTypeLike | None = None) -> NDArray[Any]: ...


@overload
def bfs(graph: Graph | _Rows, root: SupportsIndex, *, directed: bool | None = None,
        workers: SupportsIndex | None = None, team: Team | None = None, return_depths: Literal[True],
        dtype: DTypeLike | None = None) -> tuple[NDArray[Any], NDArray[np.int32]]: ...


def bfs(graph: Graph | _Rows, root: SupportsIndex, *, directed: bool | None = None,
        workers: SupportsIndex | None = None, team: Team | None = None, return_depths: bool = False,
        dtype: DTypeLike | None = None) -> _Array | tuple[_Array, NDArray[np.int32]]:
    """Each vertex' parent in a tree of shortest paths from ``root``.

    The root is its own parent; -1 stands for what is not reached. Which of several possible parents is
    taken is not defined. ``return_depths`` adds an array of depths, -1 for what is not reached. Of a
    graph with ids ``root`` and parents are ids, and element i is of vertex ``graph.ids[i]``.

    ``graph`` is a ``Graph``, or what ``Graph.from_csr`` takes, with its ``directed``. Matrices are checked
    in every call, so make a ``Graph`` for several roots. ``dtype`` of the parents is int32 where that will
    do."""
    if not isinstance(graph, Graph):
        graph = Graph(_rows_of("bfs", graph, directed))
    elif directed not in (None, graph.directed):
        raise refuse("bfs", f"directed={directed}: the graph was made "
                            f"{'directed' if graph.directed else 'symmetric'}")
    n = graph.vertices
    parents = np.empty(n, _parent_type(dtype, graph))
    graph._run(_vertex("bfs", "root", root, graph), parents, workers, team)
    if not return_depths:
        return parents
    depths = np.empty(n, np.int32)
    _depths_of(graph._made, parents, depths)
    return parents, depths


def read(path: str | PathLike[str], *, vertices: SupportsIndex = 0, directed: bool = False,
         order: _Order = "automatic", listed: bool = False, workers: SupportsIndex | None = None,
         team: Team | None = None) -> Graph:
    """A graph from a file, by the ending of its name (docs/graphs.md).

    ``directed`` is for files that do not say; a graph that was saved (.kgraph) is taken as it is.
    ``vertices`` is for lists that do not say: 0 is one more than the greatest number. ``listed`` makes a
    graph with ids of a list, as numbers from 2**32 - 1 on do; a saved graph without ids is refused then."""
    with WorkingTeam("read", workers, team) as working:
        return Graph(_Graph.read(working, fspath(path), bool(directed), _named("read", order),
                                 _count("read", "vertices", vertices, 0, _MOST_IDS), listed))


def _seeds(function: str, seeds: _Seeds) -> tuple[int, int]:
    if len(seeds) != 2:
        raise refuse(function, f"seeds are {len(seeds)}: expected two")
    first, second = (_count(function, "a seed", seed, 0, 2**64 - 1) for seed in seeds)
    return first, second


def kronecker(scale: SupportsIndex, edge_factor: SupportsIndex = 16, *, seeds: _Seeds = (2, 3),
              directed: bool = False, order: _Order = "automatic", workers: SupportsIndex | None = None,
              team: Team | None = None) -> Graph:
    """Graph500's graph: 2**scale vertices, edge_factor * 2**scale edges, few of which have many."""
    with WorkingTeam("kronecker", workers, team) as working:
        return Graph(_Graph.kronecker(
            working, _count("kronecker", "scale", scale),
            _count("kronecker", "edge_factor", edge_factor, 1), _seeds("kronecker", seeds), bool(directed),
            _named("kronecker", order)))


def uniform(scale: SupportsIndex, edge_factor: SupportsIndex = 16, *, seeds: _Seeds = (2, 3),
            directed: bool = False, order: _Order = "automatic", workers: SupportsIndex | None = None,
            team: Team | None = None) -> Graph:
    """2**scale vertices and edge_factor * 2**scale edges between any of them."""
    with WorkingTeam("uniform", workers, team) as working:
        return Graph(_Graph.uniform(
            working, _count("uniform", "scale", scale),
            _count("uniform", "edge_factor", edge_factor, 1), _seeds("uniform", seeds), bool(directed),
            _named("uniform", order)))


def grid(rows: SupportsIndex, columns: SupportsIndex, *, scrambled: bool = False, seeds: _Seeds = (2, 3),
         order: _Order = "automatic", workers: SupportsIndex | None = None,
         team: Team | None = None) -> Graph:
    """rows * columns vertices, numbered by rows unless ``scrambled``, each joined to its neighbours."""
    with WorkingTeam("grid", workers, team) as working:
        return Graph(_Graph.grid(working, _count("grid", "rows", rows, 1),
                                 _count("grid", "columns", columns, 1), bool(scrambled),
                                 _seeds("grid", seeds), _named("grid", order)))


def road(rows: SupportsIndex, columns: SupportsIndex, *, scrambled: bool = False, seeds: _Seeds = (2, 3),
         order: _Order = "automatic", workers: SupportsIndex | None = None,
         team: Team | None = None) -> Graph:
    """A grid of crossings of whose streets many are missing, like a map of roads."""
    with WorkingTeam("road", workers, team) as working:
        return Graph(_Graph.road(working, _count("road", "rows", rows, 1),
                                 _count("road", "columns", columns, 1), bool(scrambled),
                                 _seeds("road", seeds), _named("road", order)))
