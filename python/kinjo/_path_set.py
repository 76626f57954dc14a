"""Sets of sets of edges: what kinjo.paths makes."""

import math
import operator
import secrets
from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, SupportsIndex

from kinjo._files import content_of, fspath, with_content
from kinjo._kinjo import _Diagram
from kinjo._networks import (
    Attribute,
    Edge,
    EdgeNumbers,
    Network,
    Weights,
    name_of,
    need_names,
    weights_of,
)
from kinjo._workers import refuse, whole

_NAMES = {"path": "paths", "cycle": "cycles", "hamiltonian-path": "Hamiltonian paths",
          "hamiltonian-cycle": "Hamiltonian cycles", "forest": "forests",
          "spanning-tree": "spanning trees", "matching": "matchings"}
_ROUND = ("paths where s is t have those of the component of s alone; cycles(graph) has those of all "
          "components")


class Items:
    """The edges that sets are made of."""

    def __init__(self, edges: Sequence[Edge], attribute: Attribute | None = None) -> None:
        self.edges, self.attribute = tuple(edges), attribute
        self._numbers: EdgeNumbers | None = None

    @staticmethod
    def of(network: Network) -> "Items":
        return Items(network.edges(), network.attribute)

    @property
    def numbers(self) -> EdgeNumbers:
        if self._numbers is None:
            self._numbers = EdgeNumbers(self.edges)
        return self._numbers

    def are(self, other: "Items") -> bool:
        """Whether the others are the same edges in the same order, some perhaps with a key."""
        if self is other or self.edges == other.edges:
            return True
        return len(self.edges) == len(other.edges) and all(
            self.numbers.find(theirs) == number or other.numbers.find(own) == number
            for number, (own, theirs) in enumerate(zip(self.edges, other.edges, strict=True)))

    def are_in_any_order(self, other: "Items") -> bool:
        """Whether the others are the same edges."""
        return len(self.edges) == len(other.edges) and all(
            self.numbers.find(edge) is not None for edge in other.edges)


class PathSet:
    """A set of sets of edges, such as all paths between two vertices, as a decision diagram.

    Made by ``paths``, ``cycles``, ``spanning_trees`` and so on. Iteration gives members one by one, each a
    tuple of edges in the order of ``edges``. ``|``, ``&``, ``-`` and ``^`` combine two of them. It does
    not change. Pickled it keeps its edges, but nothing of a graph's attributes, by whose names weights
    are given."""

    __module__ = "kinjo.paths"

    def __init__(self, diagram: _Diagram, items: Items, kind: str | None,
                 ends: tuple[Any, Any] | None) -> None:
        self._diagram, self._items = diagram, items
        self._kind, self._ends = kind, ends
        self._count: int | None = None

    @property
    def count(self) -> int:
        """How many members there are."""
        if self._count is None:
            self._count = self._diagram.count()
        return self._count

    @property
    def edges(self) -> tuple[Edge, ...]:
        """Edges that members may have, in the order in which the diagram asks for them."""
        return self._items.edges

    @property
    def nodes(self) -> int:
        """Nodes of the diagram."""
        return self._diagram.nodes

    @property
    def nbytes(self) -> int:
        """Bytes of memory that the diagram takes."""
        return self._diagram.nbytes

    def __len__(self) -> int:
        """``count``, where Python's len can say it: up to 2^63 - 1."""
        return self.count

    def __bool__(self) -> bool:
        return not self._diagram.empty

    def __iter__(self) -> Iterator[tuple[Edge, ...]]:
        return self._diagram.members(self._items.edges)

    def __contains__(self, member: Any) -> bool:
        """Whether these edges, in any order, are a member."""
        numbers = [self._items.numbers.find(edge) for edge in member]
        known = [number for number in numbers if number is not None]
        distinct = len(set(known)) == len(numbers)
        return distinct and self._diagram.contains(sorted(known))

    def by_length(self) -> list[int]:
        """How many members have 0, 1, 2 ... edges, up to the longest; of no member, an empty list."""
        return self._diagram.count_by_size()

    def vertex_paths(self) -> Iterator[list[Any]]:
        """Members of paths and cycles one by one, each as its vertices from ``s`` to ``t``, or around.

        Where the ends are not known, as of sets that were loaded, a path begins at either of its ends."""
        return (_walk(member, self._ends) for member in self)

    def sample(self, k: SupportsIndex, seed: SupportsIndex | None = None) -> list[tuple[Edge, ...]]:
        """``k`` members by chance, each as likely as any other in each draw; the same for one seed."""
        number = whole("sample", "k", k, "0 or more")
        seed = secrets.randbits(64) if seed is None else operator.index(seed) % 2**64
        if number == 0:
            return []
        return self._diagram.sample(number, seed, self._items.edges)

    def min(self, weights: Weights) -> tuple[tuple[Edge, ...], float] | None:
        """The member with the smallest sum of weights, and that; None if there is no member.

        ``weights`` is a dict from edges to numbers, the name of an attribute of the graph's edges, or a
        function of an edge."""
        return self._diagram.lightest(self._weights("min", weights), self._items.edges)

    def max(self, weights: Weights) -> tuple[tuple[Edge, ...], float] | None:
        """The member with the greatest sum of weights, and that."""
        return self._diagram.heaviest(self._weights("max", weights), self._items.edges)

    def by_weight(self, weights: Weights,
                  reverse: bool = False) -> Iterator[tuple[tuple[Edge, ...], float]]:
        """Members with their sums of weights, one by one, the lightest first, or the heaviest."""
        return self._diagram.by_weight(self._weights("by_weight", weights), -1.0 if reverse else 1.0,
                                       self._items.edges)

    def weighted_sum(self, weights: Weights) -> float:
        """The sum over members of the product of their edges' weights."""
        return self._diagram.weighted_sum(self._weights("weighted_sum", weights))

    def including(self, edges: Iterable[Any]) -> "PathSet":
        """Members that have all of these edges."""
        return self._with(self._diagram.including(self._number_all("including", edges)))

    def excluding(self, edges: Iterable[Any]) -> "PathSet":
        """Members that have none of these edges."""
        return self._with(self._diagram.excluding(self._number_all("excluding", edges)))

    def save(self, path: str | PathLike[str]) -> None:
        """Writes them to a file: ``.kzdd``, which ``load`` maps; ``.setset`` for Graphillion, ``.zbdd`` for
        SAPPORO; ``.dot`` for Graphviz. Edges are named u-v, in the first and the last of these; ``.kzdd``
        is refused where two vertices, or two edges, have the same name."""
        file = fspath(path)
        if file.endswith(".kzdd"):
            need_names("save", self.edges)
        self._diagram.write(file, [name_of(edge) for edge in self.edges])

    def to_dot(self) -> str:
        """The diagram for Graphviz, of up to 2000 nodes."""
        most = _Diagram.most_dot_nodes
        if self.nodes > most:
            raise refuse("to_dot", f"{self.nodes} nodes as a picture: expected at most {most}")
        return content_of("diagram.dot", self.save).decode()

    def __or__(self, other: "PathSet") -> "PathSet":
        if not isinstance(other, PathSet):
            return NotImplemented
        return self._joined(other, self._diagram | self._comparable(other))

    def __and__(self, other: "PathSet") -> "PathSet":
        if not isinstance(other, PathSet):
            return NotImplemented
        return self._joined(other, self._diagram & self._comparable(other))

    def __sub__(self, other: "PathSet") -> "PathSet":
        if not isinstance(other, PathSet):
            return NotImplemented
        return self._with(self._diagram - self._comparable(other))

    def __xor__(self, other: "PathSet") -> "PathSet":
        if not isinstance(other, PathSet):
            return NotImplemented
        return self._joined(other, self._diagram ^ self._comparable(other))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PathSet):
            return NotImplemented
        return self._diagram.equals(self._comparable(other))

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        content = content_of(_PICKLED, lambda file: self._diagram.write(file, []))
        return _unpickled, (content, self.edges, self._kind, self._ends)

    def __copy__(self) -> "PathSet":
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> "PathSet":
        return self

    def __repr__(self) -> str:
        ends = "" if self._ends is None else f" from {self._ends[0]!r} to {self._ends[1]!r}"
        return (f"<kinjo.paths.PathSet {_shown(self.count)} {self._name()}{ends} of {len(self.edges)} "
                f"edges, {self.nodes} nodes>")

    def _name(self) -> str:
        return _NAMES.get(self._kind or "", "sets")

    def _with(self, diagram: _Diagram) -> "PathSet":
        return PathSet(diagram, self._items, self._kind, self._ends)

    def _joined(self, other: "PathSet", diagram: _Diagram) -> "PathSet":
        """Sets of both: of their kind, if they are of one."""
        kind = self._kind if self._kind == other._kind else None
        return PathSet(diagram, self._items, kind, self._ends if self._ends == other._ends else None)

    def _comparable(self, other: "PathSet") -> _Diagram:
        if self._items.are(other._items):
            return other._diagram
        if (self._is_round or other._is_round) and not self._items.are_in_any_order(other._items):
            raise refuse("PathSet", f"the two have other edges: {_ROUND}")
        raise refuse("PathSet", "the two have other edges, or in another order: make the second with "
                                "order=the first, and without avoid=")

    @property
    def _is_round(self) -> bool:
        """Whether paths lead from a vertex to itself, so that edges are those of its component."""
        return self._ends is not None and bool(self._ends[0] == self._ends[1])

    def _weights(self, function: str, weights: Weights) -> list[float]:
        return weights_of(function, self.edges, weights, self._items.attribute)

    def _number_all(self, function: str, edges: Iterable[Any]) -> list[int]:
        return sorted({self._items.numbers.of(function, edge) for edge in edges})

    def ordered(self, function: str, network: Network) -> Network:
        """A graph of the same edges, in this order."""
        numbers = EdgeNumbers(network.edges())
        order = [numbers.find(edge) for edge in self.edges]
        known = [number for number in order if number is not None]
        if len(known) != len(order) or len(known) != len(network.ends):
            why = f": {_ROUND}" if self._is_round else ""
            raise refuse(function, f"order is sets of other edges than those of the graph{why}")
        return network.taking(known)


def _shown(count: int) -> str:
    """A number as text; Python refuses to write those of some thousand digits."""
    few_bits = 2000
    return str(count) if count.bit_length() <= few_bits else f"some 10^{int(math.log10(count))}"


_PICKLED = "set.kzdd"


def _unpickled(content: bytes, edges: tuple[Edge, ...], kind: str | None,
               ends: tuple[Any, Any] | None) -> PathSet:
    """What ``PathSet.__reduce__`` has taken apart."""
    diagram = with_content(_PICKLED, content, lambda file: _Diagram.read(file, len(edges)))
    return PathSet(diagram, Items(edges), kind, ends)


def _are_one(u: Any, v: Any) -> bool:
    """As keys of a dict are, also what does not equal itself."""
    return u is v or bool(u == v)


def _walk(member: Sequence[Edge], known: tuple[Any, Any] | None) -> list[Any]:
    """The vertices of a path or cycle in the order of a walk, from the first of the ends if it has it."""
    at: dict[Any, list[int]] = {}
    for number, edge in enumerate(member):
        at.setdefault(edge[0], []).append(number)
        at.setdefault(edge[1], []).append(number)
    ends = [v for v, edges in at.items() if len(edges) == 1]
    starts = [v for v in ends if known is not None and _are_one(v, known[0])] or ends or list(at)
    walked, number = starts[:1], None
    while len(walked) <= len(member) and starts:
        number = next((n for n in at[walked[-1]] if n != number), None)
        if number is None:
            break
        u, v = member[number][:2]
        walked.append(v if _are_one(u, walked[-1]) else u)
    closed = [] if ends else walked[-1:]
    if len(walked) != len(member) + 1 or len(set(walked)) + len(closed) != len(walked):
        raise refuse("vertex_paths", f"member {tuple(member)!r} is neither a path nor a cycle")
    return walked[:-1] if closed else walked
