"""Paths, cycles, trees, matchings and the like of an undirected graph: all of them, counted and kept
without being made one by one.

``count`` counts. ``paths``, ``cycles``, ``spanning_trees`` and so on make a ``PathSet``, a decision
diagram that can be listed, sampled, searched by weight, combined, and saved.

``graph`` is a NetworkX graph, pairs of vertices, a symmetric SciPy sparse matrix, a
``kinjo.graph.Graph``, a rule such as ``"grid:8x8"``, or a file's name. Loops are left out. Parallel
edges are one edge, but for a NetworkX multigraph, whose edges are (u, v, key).

``workers=N`` computes over so many threads, ``team=`` over those of a ``kinjo.Team``; without either
one thread does it. Ctrl-C ends counting and making at once, but waits while an order of edges is looked for:
some seconds for graphs of thousands of edges whose frontiers are large."""

import operator
from collections.abc import Hashable, Iterable
from os import PathLike
from typing import (
    TYPE_CHECKING, Any, Literal, NamedTuple, SupportsIndex, TypeAlias, TypedDict, overload,
)

from kinjo._files import fspath
from kinjo._kinjo import (
    InvalidArgumentError, Team, _count_grid_paths, _count_spanning_trees, _Diagram, _Family, _has_grid_way,
)
from kinjo._networks import (
    Network, Weights, edges_of_names, network_of, network_of_edges, weights_of,
)
from kinjo._path_set import Items, PathSet
from kinjo._workers import WorkingTeam, refuse, whole

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["BuildSize", "PathSet", "components", "count", "cycles", "forests", "hamiltonian_cycles",
           "hamiltonian_paths", "load", "matchings", "paths", "sets", "spanning_trees", "survey",
           "with_degrees"]

_Kind: TypeAlias = Literal["path", "cycle", "hamiltonian", "forest", "tree", "matching", "components",
                           "degrees"]
_Order: TypeAlias = Literal["automatic", "breadth", "frontier", "given"] | PathSet

_KINDS = {"path": "path", "cycle": "cycle", "hamiltonian": "hamiltonian-path", "forest": "forest",
          "tree": "spanning-tree", "matching": "matching", "components": "components",
          "degrees": "degrees"}
_ORDERS = ("automatic", "breadth", "frontier", "given")
# Vertices to be visited and those to be left out, components, degrees, and the order of edges.
_Conditions: TypeAlias = tuple[list[int], list[int], int, list[int], _Order]
# What is asked for unless it is said: to look into it takes a twentieth of the time of a small count.
_NONE: tuple[()] = ()


class _Search(TypedDict, total=False):
    """How sets are made."""

    order: _Order
    workers: SupportsIndex | None
    team: Team | None
    memory_limit: SupportsIndex | None
    spill: str | PathLike[str] | None


class BuildSize(NamedTuple):
    """What making a ``PathSet`` takes: how many states, the bytes of all nodes before they are reduced (by one
    worker exactly, by several at most), and the bytes that are held at most while they are, if no two were
    alike."""

    states: int
    node_bytes: int
    reduction_bytes: int


class _Wish:
    """Which sets are asked for: the graph, and the family as the extension takes it."""

    def __init__(self, function: str, network: Network, s: Any, t: Any, kind: str,
                 through: Iterable[Any], avoid: Iterable[Any], components: SupportsIndex,
                 degrees: Iterable[SupportsIndex], order: _Order) -> None:
        self.function, self.network = function, network
        self.kind, self.ends = self._kind_of(kind, s, t)
        if isinstance(order, PathSet):
            self.network = order.ordered(function, network)
            order = "given"
        elif order not in _ORDERS:
            raise refuse(function, f"order is {order!r}: expected {', '.join(_ORDERS)}, or the sets "
                                   "whose order is to be taken")
        self._from_to = self._numbers()
        is_plain = through is avoid is degrees is _NONE and type(components) is int
        if is_plain and components == 1:        # as almost always
            self._conditions: _Conditions = ([], [], 1, [], order)
        else:
            self._conditions = (*self._visits(through, avoid), self._components(components),
                                self._degrees(degrees), order)

    def family(self) -> _Family:
        """Edges are put in order for it, which takes a while."""
        return _Family(len(self.network.vertices), self.network.ends, self.kind, self._from_to,
                       *self._conditions)

    @property
    def is_all_trees(self) -> bool:
        """Whether what is asked for is all spanning trees; a family refuses other conditions of theirs."""
        return self.kind == "spanning-tree" and self._conditions[:4] == ([], [], 1, [])

    @property
    def grid(self) -> tuple[int, int] | None:
        """The squares of a rule's grid if what is asked for is all its paths from corner to corner."""
        rows, columns = self.network.grid
        if rows == 0 or self.kind != "path" or self._conditions[0] or self._conditions[1]:
            return None
        last = len(self.network.vertices) - 1
        corners = ({0, last}, {columns, last - columns})
        return (rows, columns) if set(self._from_to) in corners else None

    def _kind_of(self, kind: str, s: Any, t: Any) -> tuple[str, tuple[Any, Any] | None]:
        """The extension's name for it, and the ends of paths."""
        if kind not in _KINDS:
            raise refuse(self.function, f"kind is {kind!r}: expected {', '.join(_KINDS)}")
        any_given = s is not None or t is not None
        if kind == "hamiltonian" and not any_given:
            return "hamiltonian-cycle", None
        if kind in ("path", "hamiltonian"):
            if self.network.is_rule:
                s = self.network.vertices[0] if s is None else s
                t = self.network.vertices[-1] if t is None else t
            if s is None or t is None:
                raise _without_ends(self.function, is_known=self.network.has(None))
            return _KINDS[kind], (s, t)
        if any_given:
            raise refuse(self.function, f"s and t are ends of paths: expected none for kind {kind!r}")
        return _KINDS[kind], None

    def _numbers(self) -> tuple[int, int]:
        if self.ends is None:
            return 0, 0
        s, t = self.ends
        return self.network.number(self.function, "s", s), self.network.number(self.function, "t", t)

    def _visits(self, through: Iterable[Any], avoid: Iterable[Any]) -> tuple[list[int], list[int]]:
        visited = [self.network.number(self.function, "through:", v) for v in through]
        avoided = [self.network.number(self.function, "avoid:", v) for v in avoid]
        both = set(visited).intersection(avoided) if visited and avoided else ()
        if both:
            raise refuse(self.function, f"vertex {self.network.vertices[min(both)]!r} is in through "
                                        "and in avoid")
        return visited, avoided

    def _components(self, components: SupportsIndex) -> int:
        if self.kind != "components" and components != 1:
            raise refuse(self.function, f"components is {components}: expected kind 'components'")
        return whole(self.function, "components", components, "0 or more")

    def _degrees(self, degrees: Iterable[SupportsIndex]) -> list[int]:
        allowed = [operator.index(degree) for degree in degrees]
        if self.kind != "degrees" and allowed:
            raise refuse(self.function, "degrees: expected kind 'degrees'")
        for degree in allowed:
            if not 0 <= degree <= 255:
                raise refuse(self.function, f"degrees has {degree}: expected numbers from 0 to 255")
        return allowed


def _without_ends(function: str, is_known: bool = False) -> InvalidArgumentError:
    """The error of paths to no end; whether a vertex is called None."""
    none = ", and None is none" if is_known else ""
    return refuse(function, f"paths need two ends{none}: expected s and t")


def _limit(function: str, memory_limit: SupportsIndex | None) -> int:
    """0 stands for what the system has available."""
    if memory_limit is None:
        return 0
    return whole(function, "memory_limit", memory_limit, "a number of bytes", least=1)


def _directory(function: str, spill: str | PathLike[str] | None) -> str:
    """An empty text stands for memory."""
    if spill is None:
        return ""
    name = fspath(spill)
    if not name:
        raise refuse(function, "spill is '': expected a directory")
    return name


@overload
def count(graph: Any, s: Hashable = None, t: Hashable = None, *, kind: _Kind = "path",
          through: Iterable[Hashable] = (), avoid: Iterable[Hashable] = (), components: SupportsIndex = 1,
          degrees: Iterable[SupportsIndex] = (), order: _Order = "automatic", by_length: Literal[False] = False,
          weights: None = None, workers: SupportsIndex | None = None, team: Team | None = None,
          memory_limit: SupportsIndex | None = None,
          spill: str | PathLike[str] | None = None) -> int: ...


@overload
def count(graph: Any, s: Hashable = None, t: Hashable = None, *, kind: _Kind = "path",
          through: Iterable[Hashable] = (), avoid: Iterable[Hashable] = (), components: SupportsIndex = 1,
          degrees: Iterable[SupportsIndex] = (), order: _Order = "automatic", by_length: Literal[True],
          weights: None = None, workers: SupportsIndex | None = None, team: Team | None = None,
          memory_limit: SupportsIndex | None = None,
          spill: str | PathLike[str] | None = None) -> list[int]: ...


@overload
def count(graph: Any, s: Hashable = None, t: Hashable = None, *, kind: _Kind = "path",
          through: Iterable[Hashable] = (), avoid: Iterable[Hashable] = (), components: SupportsIndex = 1,
          degrees: Iterable[SupportsIndex] = (), order: _Order = "automatic", by_length: Literal[False] = False,
          weights: Weights, workers: SupportsIndex | None = None, team: Team | None = None,
          memory_limit: SupportsIndex | None = None,
          spill: str | PathLike[str] | None = None) -> float: ...


def count(graph: Any, s: Hashable = None, t: Hashable = None, *, kind: _Kind = "path",
          through: Iterable[Hashable] = (), avoid: Iterable[Hashable] = (), components: SupportsIndex = 1,
          degrees: Iterable[SupportsIndex] = (), order: _Order = "automatic", by_length: bool = False,
          weights: Weights | None = None, workers: SupportsIndex | None = None, team: Team | None = None,
          memory_limit: SupportsIndex | None = None,
          spill: str | PathLike[str] | None = None) -> int | list[int] | float:
    """How many paths without cycles lead from ``s`` to ``t``, exactly; in a rule's graph ``s`` is the first
    vertex and ``t`` the last unless told.

    ``kind`` asks for other sets of edges: ``cycle``; ``hamiltonian``, paths with ends and cycles without;
    ``forest``; ``tree``, which spans the graph; ``matching``; ``components``, where all vertices make so
    many; ``degrees``, where each vertex has one of these numbers of edges. With ``s`` equal to ``t`` paths
    are all cycles of their component.

    ``through`` and ``avoid`` are vertices to be visited, by paths and cycles, and to be left out of the
    graph. All paths of a grid's rule from a corner to the opposite one, and all spanning trees of any graph,
    are counted in ways of their own, by far the fastest. ``by_length`` gives a list: how many have 0, 1, 2 ... edges, up to the longest; an empty one
    where there are none. ``weights`` gives the sum over sets of the product of their edges' weights: a dict
    from edges to numbers, the name of an attribute, or a function of an edge. ``order`` is the order in
    which edges are decided, which matters to time and memory alone: ``given`` is that of the graph.
    ``memory_limit`` is in bytes; ``spill`` is a directory for files of what outgrows it, which have no name
    and are gone with the call."""
    if by_length and weights is not None:
        raise refuse("count", "by_length and weights: expected one of them")
    limit, directory = bounds = _limit("count", memory_limit), _directory("count", spill)
    ours = WorkingTeam("count", workers, team)
    # The caller's own code may run here, and wait for other threads: before the team is at work.
    wish = _Wish("count", network_of("count", graph, ours), s, t, kind, through, avoid, components,
                 degrees, order)
    factors = None if weights is None else weights_of("count", wish.network.edges(), weights,
                                                      wish.network.attribute)
    with ours as working:
        if by_length:
            counts = wish.family().count_by_size(working, *bounds)
            return counts if any(counts) else []
        if factors is None:
            # A grid's own way has no use for a disk.
            if wish.grid and _has_grid_way(working, wish.grid, limit, bool(directory)):
                return _count_grid_paths(working, wish.grid, limit)
            if wish.is_all_trees:
                return _count_spanning_trees(working, len(wish.network.vertices), wish.network.ends, limit)
            return wish.family().count(working, *bounds)
        return wish.family().weighted_sum(working, factors, *bounds)


def sets(graph: Any, s: Hashable = None, t: Hashable = None, *, kind: _Kind = "path",
         through: Iterable[Hashable] = (), avoid: Iterable[Hashable] = (), components: SupportsIndex = 1,
         degrees: Iterable[SupportsIndex] = (), order: _Order = "automatic",
         workers: SupportsIndex | None = None, team: Team | None = None, memory_limit: SupportsIndex | None = None,
         spill: str | PathLike[str] | None = None) -> PathSet:
    """The sets that ``count`` with these arguments counts.

    ``spill`` is a directory for a file of the nodes that are not reduced yet, which are in memory otherwise;
    the file has no name and is gone with the call. ``survey`` tells how much they are.

    ``order`` may be another ``PathSet`` of the graph: sets are combined if their edges have one order. Paths
    where ``s`` is ``t`` have only the edges of their component, and are not combined with sets of more."""
    limit, directory = _limit("sets", memory_limit), _directory("sets", spill)
    ours = WorkingTeam("sets", workers, team)
    wish = _Wish("sets", network_of("sets", graph, ours), s, t, kind, through, avoid, components,
                 degrees, order)
    with ours as working:
        family = wish.family()
        items = Items.of(wish.network.taking(family.positions))
        return PathSet(family.build(working, limit, directory), items, wish.kind, wish.ends)


def survey(graph: Any, s: Hashable = None, t: Hashable = None, *, kind: _Kind = "path",
           through: Iterable[Hashable] = (), avoid: Iterable[Hashable] = (), components: SupportsIndex = 1,
           degrees: Iterable[SupportsIndex] = (), order: _Order = "automatic",
           workers: SupportsIndex | None = None, team: Team | None = None, memory_limit: SupportsIndex | None = None) -> BuildSize:
    """What ``sets`` with these arguments will take, found by counting states, in less time and memory."""
    limit = _limit("survey", memory_limit)
    ours = WorkingTeam("survey", workers, team)
    wish = _Wish("survey", network_of("survey", graph, ours), s, t, kind, through, avoid, components,
                 degrees, order)
    with ours as working:
        return BuildSize(*wish.family().survey(working, limit))


def paths(graph: Any, s: Hashable = None, t: Hashable = None, *, through: Iterable[Hashable] = (),
          avoid: Iterable[Hashable] = (), **search: "Unpack[_Search]") -> PathSet:
    """All paths without cycles from ``s`` to ``t``, as ``sets`` makes them."""
    return sets(graph, s, t, through=through, avoid=avoid, **search)


def cycles(graph: Any, *, through: Iterable[Hashable] = (), avoid: Iterable[Hashable] = (),
           **search: "Unpack[_Search]") -> PathSet:
    """All cycles."""
    return sets(graph, kind="cycle", through=through, avoid=avoid, **search)


def hamiltonian_paths(graph: Any, s: Hashable, t: Hashable, *, avoid: Iterable[Hashable] = (),
                      **search: "Unpack[_Search]") -> PathSet:
    """All paths from ``s`` to ``t`` that visit every vertex."""
    if s is None or t is None:
        raise _without_ends("hamiltonian_paths")
    return sets(graph, s, t, kind="hamiltonian", avoid=avoid, **search)


def hamiltonian_cycles(graph: Any, *, avoid: Iterable[Hashable] = (),
                       **search: "Unpack[_Search]") -> PathSet:
    """All cycles that visit every vertex."""
    return sets(graph, kind="hamiltonian", avoid=avoid, **search)


def forests(graph: Any, *, avoid: Iterable[Hashable] = (), **search: "Unpack[_Search]") -> PathSet:
    """All sets of edges without a cycle."""
    return sets(graph, kind="forest", avoid=avoid, **search)


def spanning_trees(graph: Any, *, avoid: Iterable[Hashable] = (),
                   **search: "Unpack[_Search]") -> PathSet:
    """All trees that span the graph."""
    return sets(graph, kind="tree", avoid=avoid, **search)


def matchings(graph: Any, *, avoid: Iterable[Hashable] = (), **search: "Unpack[_Search]") -> PathSet:
    """All sets of edges of which no two meet."""
    return sets(graph, kind="matching", avoid=avoid, **search)


def components(graph: Any, components: SupportsIndex = 1, *, avoid: Iterable[Hashable] = (),
               **search: "Unpack[_Search]") -> PathSet:
    """All sets of edges that make so many components of the vertices; of 1, connected subgraphs."""
    return sets(graph, kind="components", components=components, avoid=avoid, **search)


def with_degrees(graph: Any, degrees: Iterable[SupportsIndex], *, avoid: Iterable[Hashable] = (),
                 **search: "Unpack[_Search]") -> PathSet:
    """All sets of edges where each vertex has one of these numbers of edges."""
    return sets(graph, kind="degrees", degrees=degrees, avoid=avoid, **search)


def load(path: str | PathLike[str], graph: Any = None) -> PathSet:
    """What ``PathSet.save`` or ``kinjo paths --save`` has written, or Graphillion or SAPPORO.

    Edges are those of ``graph`` with their names, or its edges in their order where the file has no names.
    Without a graph they are read from the names, u-v; vertices that are all whole numbers are ints then.
    Names with more than one '-', as where a vertex' name has one or of a multigraph, need the graph."""
    file, network = fspath(path), None
    if graph is not None:
        network = network_of_edges("load", graph, WorkingTeam("load", None, None))
    diagram = _Diagram.read(file, 0 if network is None else len(network.ends))
    names = diagram.names
    if diagram.items == 0:                  # of no edges, as of a vertex alone: they are in any graph
        return PathSet(diagram, Items([]) if network is None else Items.of(network.taking([])), None, None)
    if network is None:
        return PathSet(diagram, Items(edges_of_names("load", file, names)), None, None)
    order = network.named("load", file, names) if names else range(len(network.ends))
    if diagram.items != len(order):
        raise refuse("load", f"the file is of {diagram.items} edges and the graph has {len(order)}")
    return PathSet(diagram, Items.of(network.taking(order)), None, None)
