"""Semidefinite programming: ``solve`` minimises C • X where A_i • X = b_i and X is positive semidefinite.

Matrices are symmetric: NumPy arrays, SciPy sparse ones, or lists of blocks of these, where a block of one
dimension stands for a diagonal one (linear inequalities). In the letters of SDPA's format, which files and
the command ``kinjo sdp`` have, F_0 = -C, F_i = A_i and c = b; its Y is X here, its x is -y, its X is S.
So what is called primal there is the dual here, and objectives have the other sign.

``workers=N`` computes over so many threads, ``team=`` over those of a ``kinjo.Team``; without either one
thread does it. Ctrl-C ends it when the iteration ends."""

import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, SupportsIndex, TypeAlias, TypedDict

import numpy as np
from numpy.typing import NDArray

from kinjo._files import fspath
from kinjo._kinjo import Team, _SdpProblem
from kinjo._workers import WorkingTeam, refuse, whole

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Iteration", "Problem", "Result", "SdpaResult", "cvxpy_solver", "read", "solve", "solve_file",
           "write"]

_Array: TypeAlias = NDArray[Any]
_Status: TypeAlias = Literal["optimal", "near_optimal", "primal_infeasible", "dual_infeasible", "limit",
                             "numerical_failure"]

_OTHER = {"primal_infeasible": "dual_infeasible", "dual_infeasible": "primal_infeasible"}


class _Options(TypedDict, total=False):
    """How a problem is solved; what is not given is the preset's. docs/sdp.md says what each means."""

    preset: Literal["fast", "default", "stable"]
    tolerance: float
    max_iteration: SupportsIndex
    lambda_star: float
    beta_star: float
    beta_bar: float
    gamma_star: float
    extended_precision: bool
    memory_limit: SupportsIndex
    workers: SupportsIndex | None
    team: Team | None


class Iteration(NamedTuple):
    """A line of the table of iterations; errors are DIMACS' first and third."""

    number: int
    mu: float
    primal_error: float
    dual_error: float
    primal_objective: float
    dual_objective: float
    primal_step: float
    dual_step: float
    beta: float


@dataclass(frozen=True, eq=False)
class _Found:
    """What is found whatever the problem is called."""

    status: _Status
    primal_objective: float
    dual_objective: float
    dimacs_errors: _Array = field(repr=False)
    #: How many there were; ``table`` tells of each.
    iterations: int
    table: list[Iteration] = field(repr=False)
    #: ``total``, and those of ``elements``, ``cholesky``, ``direction``, ``step`` and ``others``.
    seconds: dict[str, float] = field(repr=False)
    #: Whether the last iterations were in about 32 digits.
    extended_precision: bool = field(repr=False)

    @property
    def gap(self) -> float:
        """|primal - dual objective| / (1 + |primal| + |dual|)."""
        primal, dual = self.primal_objective, self.dual_objective
        return abs(primal - dual) / (1 + abs(primal) + abs(dual))


@dataclass(frozen=True, eq=False)
class Result(_Found):
    """What ``solve`` found: (P) minimise C • X, A_i • X = b_i, X ⪰ 0 and (D) maximise bᵀy,
    S = C - Σ y_i A_i ⪰ 0.

    Where the status says ``primal_infeasible``, y is the certificate: bᵀy = 1 and -Σ y_i A_i ⪰ 0; where it
    says ``dual_infeasible``, X is: C • X = -1 and A_i • X = 0. X and S are lists of blocks if C is."""

    X: Any = field(repr=False)
    y: _Array = field(repr=False)
    S: Any = field(repr=False)


@dataclass(frozen=True, eq=False)
class SdpaResult(_Found):
    """What ``solve_file`` found, in SDPA's letters: (P) minimise cᵀx, X = Σ F_i x_i - F_0 ⪰ 0 and
    (D) maximise F_0 • Y, F_i • Y = c_i, Y ⪰ 0. X and Y are lists of blocks."""

    x: _Array = field(repr=False)
    X: list[_Array] = field(repr=False)
    Y: list[_Array] = field(repr=False)


class Problem(NamedTuple):
    """What ``solve`` takes: matrices are lists of blocks, SciPy sparse ones where SciPy is installed."""

    C: list[Any]
    A: list[list[Any]]
    b: _Array


def _is_sparse(matrix: Any) -> bool:
    return hasattr(matrix, "tocoo")


def _blocks_of(matrix: Any) -> list[Any]:
    return list(matrix) if isinstance(matrix, list | tuple) else [matrix]


def _order(block: Any) -> int:
    return -block.shape[0] if block.ndim == 1 else int(block.shape[0])


class _Reader:
    """Reads a function's C, A and b: entries of upper triangles, gathered matrix by matrix."""

    def __init__(self, function: str) -> None:
        self._function = function
        self._parts: list[tuple[_Array, ...]] = []

    def problem(self, C: Any, A: Iterable[Any], b: Any) -> _SdpProblem:
        """In SDPA's letters: F_0 = -C, F_i = A_i, c = b."""
        costs = self._costs(b)
        blocks = _blocks_of(C)
        orders = [_order(self._checked("C" if len(blocks) == 1 else f"block {i} of C", block, None))
                  for i, block in enumerate(blocks)]
        self._add(0, "C", C, orders, -1)
        count = 0
        for count, matrix in enumerate(A, 1):
            if count > len(costs):
                break
            self._add(count, f"A[{count - 1}]", matrix, orders, 1)
        if count != len(costs):
            least = "more than " if count > len(costs) else ""
            raise self._refuse(f"A has {least}{min(count, len(costs))} matrices and b has {len(costs)} numbers")
        return _SdpProblem(orders, costs.tolist(), *self._entries())

    def _refuse(self, text: str) -> Exception:
        return refuse(self._function, text)

    def _costs(self, b: Any) -> _Array:
        given = np.asarray(b)
        if given.dtype.kind == "c":
            raise self._refuse("b has complex numbers: expected real ones")
        costs = given.astype(np.float64)
        if costs.ndim != 1:
            raise self._refuse(f"b has the shape {costs.shape}: expected (m,)")
        if len(costs) == 0:
            raise self._refuse("b has no numbers, and A no matrices: expected at least one")
        self._need_finite("b", costs)
        return costs

    def _add(self, number: int, name: str, matrix: Any, orders: Sequence[int], sign: float) -> None:
        blocks = _blocks_of(matrix)
        if len(blocks) != len(orders):
            raise self._refuse(f"{name} has {len(blocks)} blocks: expected {len(orders)}, as in C")
        for b, (block, order) in enumerate(zip(blocks, orders, strict=True)):
            if block is None:                       # zero
                continue
            called = name if len(orders) == 1 else f"block {b} of {name}"
            rows, columns, values = self._upper(called, self._checked(called, block, order))
            here = np.broadcast_to(np.int64(number), len(values)), np.broadcast_to(np.int64(b), len(values))
            self._parts.append((*here, np.asarray(rows, np.int64), np.asarray(columns, np.int64),
                                np.asarray(sign * values, np.float64)))

    def _checked(self, name: str, block: Any, order: int | None) -> Any:
        """A block as an array of real numbers, of that order."""
        if not _is_sparse(block):
            if not isinstance(block, np.ndarray) and not np.isscalar(block):
                raise self._refuse(f"{name} is {type(block).__name__}: expected a NumPy array or a SciPy "
                                   "sparse matrix, or a list of them")
            block = np.asarray(block)
            if block.ndim == 0:
                block = block.reshape(1, 1)
        elif len(block.shape) == 1:
            block = block.toarray()
        if block.dtype.kind == "c":
            raise self._refuse(f"{name} has complex numbers: expected real ones")
        block = block.astype(np.float64)    # sums of small integers, too, are those of doubles
        shape = block.shape
        if len(shape) > 2 or (len(shape) == 2 and shape[0] != shape[1]):
            raise self._refuse(f"{name} has the shape {shape}: expected (n, n), or (n,) of a diagonal block")
        if order is not None and order != _order(block):
            wanted = f"({order}, {order})" if order >= 0 else f"({-order},)"
            raise self._refuse(f"{name} has the shape {shape}: expected {wanted}, as in C")
        self._need_finite(name, block.data if _is_sparse(block) else block)
        return block

    def _need_finite(self, name: str, numbers: _Array) -> None:
        good = np.isfinite(numbers)
        if not good.all():
            raise self._refuse(f"{name} has {numbers[~good].flat[0]}: expected finite numbers")

    def _upper(self, name: str, block: Any) -> tuple[_Array, _Array, _Array]:
        """Rows, columns and values of the upper triangle; both triangles must be the same but for rounding."""
        if block.ndim == 1:
            rows, = np.nonzero(block)
            return rows, rows, block[rows]
        sparse = _is_sparse(block)
        if sparse:
            block = block.tocsr()
        if block.shape[0] == 0:
            return np.empty(0, int), np.empty(0, int), np.empty(0)
        apart = abs(block - block.T).max()
        if apart > 1e-9 * abs(block).max():
            raise self._refuse(f"{name} is not symmetric: its two triangles are up to {apart:g} apart")
        if sparse:
            mean = (block * 0.5 + block.T * 0.5).tocoo()
            kept = mean.row <= mean.col
            return mean.row[kept], mean.col[kept], mean.data[kept]
        mean = np.triu(block * 0.5 + block.T * 0.5)
        rows, columns = np.nonzero(mean)
        return rows, columns, mean[rows, columns]

    def _entries(self) -> tuple[_Array, ...]:
        if not self._parts:
            return (*(np.empty(0, np.int64) for _ in range(4)), np.empty(0))
        return tuple(np.concatenate(column) for column in zip(*self._parts, strict=True))


_REAL_OPTIONS = {"tolerance", "lambda_star", "beta_star", "beta_bar", "gamma_star"}


def _real(function: str, name: str, value: Any) -> float:
    try:
        return float(value if isinstance(value, float | np.floating) else operator.index(value))
    except OverflowError:
        raise refuse(function, f"{name} is beyond all doubles: expected a number that float64 has") from None
    except TypeError:
        raise TypeError(f"{function}: {name} is {value!r}: expected a number") from None


def _run(function: str, problem: _SdpProblem, options: _Options) -> dict[str, Any]:
    given: dict[str, Any] = dict(options)
    workers, team = given.pop("workers", None), given.pop("team", None)
    preset = given.pop("preset", "default")
    if not isinstance(preset, str):
        raise TypeError(f"{function}: preset is of type {type(preset).__name__}: expected a str")
    unknown = set(given) - set(_Options.__annotations__)
    if unknown:
        raise TypeError(f"{function}() got an unexpected keyword argument {min(unknown)!r}")
    if "max_iteration" in given:
        given["max_iteration"] = whole(function, "max_iteration", given["max_iteration"], "0 or more")
    if "memory_limit" in given:
        if given["memory_limit"] is None:
            raise refuse(function, "memory_limit is None: expected a number of bytes")
        given["memory_limit"] = whole(function, "memory_limit", given["memory_limit"], "a number of bytes")
    for name in _REAL_OPTIONS & set(given):
        given[name] = _real(function, name, given[name])
    if "extended_precision" in given and not isinstance(given["extended_precision"], bool | np.bool_):
        raise TypeError(f"{function}: extended_precision is {given['extended_precision']!r}: expected a bool")
    if "extended_precision" in given:
        given["extended_precision"] = bool(given["extended_precision"])
    with WorkingTeam(function, workers, team) as working:
        found = problem.solve(working, preset, given)
    found["table"] = [Iteration(*row) for row in found["iterations"]]
    found["iterations"] = found["table"][-1].number if found["table"] else 0
    return found


def _turned(line: Iteration) -> Iteration:
    """The other problem's primal is this one's dual."""
    return Iteration(line.number, line.mu, line.dual_error, line.primal_error, -line.dual_objective,
                     -line.primal_objective, line.dual_step, line.primal_step, line.beta)


def solve(C: Any, A: Iterable[Any], b: Any, **options: "Unpack[_Options]") -> Result:
    """Minimises C • X where A_i • X = b_i for all i and X is positive semidefinite.

    C is a symmetric matrix, n × n, or a list of blocks; A a sequence of m such matrices (an array of
    m × n × n is one too), None standing for a block that is zero; b has m numbers. The optimum is where
    ``result.status`` says ``optimal``: relative gap and infeasibilities are at most ``tolerance``, 1e-7.

    >>> C, one = np.array([[2.0, 1.0], [1.0, 2.0]]), np.eye(2)
    >>> result = solve(C, [one], [1.0])                 # the least eigenvalue
    >>> result.status, round(result.primal_objective, 5), round(float(result.y[0]), 5)
    ('optimal', 1.0, 1.0)

    In SDPA's letters this is (D), maximise F_0 • Y, with F_0 = -C, F_i = A_i, c = b and Y = X; its (P) has
    x = -y and X = S = C - Σ y_i A_i."""
    found = _run("solve", _Reader("solve").problem(C, A, b), options)
    primal, dual = -found["dual_objective"], -found["primal_objective"]
    X, S = found["Y"], found["X"]
    if not isinstance(C, list | tuple):
        X, S = X[0], S[0]
    return Result(status=_OTHER.get(found["status"], found["status"]), X=X, y=-found["x"], S=S,
                  primal_objective=primal, dual_objective=dual, dimacs_errors=found["dimacs_errors"],
                  iterations=found["iterations"], table=[_turned(line) for line in found["table"]],
                  seconds=found["seconds"], extended_precision=found["extended_precision"])


def solve_file(path: str | PathLike[str], **options: "Unpack[_Options]") -> SdpaResult:
    """Solves the problem of a file in SDPA's sparse format; primal and dual are what SDPA calls so."""
    return SdpaResult(**_run("solve_file", _SdpProblem.read(fspath(path)), options))


def _sparse_blocks(orders: Sequence[int], entries: tuple[_Array, ...], sign: float) -> list[Any]:
    """Blocks of a matrix of which the upper triangle is given."""
    try:
        from scipy import sparse
    except ImportError:
        sparse = None
    block, row, column, value = entries
    blocks: list[Any] = []
    for b, order in enumerate(orders):
        here = block == b
        rows, columns, values = row[here], column[here], sign * value[here]
        if order < 0:
            diagonal = np.zeros(-order)
            diagonal[rows] = values
            blocks.append(diagonal)
            continue
        off = rows != columns
        both = (np.concatenate([values, values[off]]),
                (np.concatenate([rows, columns[off]]), np.concatenate([columns, rows[off]])))
        if sparse is not None:
            blocks.append(sparse.csr_matrix(both, shape=(order, order)))
        else:
            dense = np.zeros((order, order))
            dense[both[1]] = both[0]
            blocks.append(dense)
    return blocks


def read(path: str | PathLike[str]) -> Problem:
    """The problem of a file in SDPA's sparse format, as ``solve`` takes it: ``solve(*read(path))``."""
    problem = _SdpProblem.read(fspath(path))
    orders, costs = problem.orders, problem.costs
    return Problem(_sparse_blocks(orders, problem.matrix(0), -1.0),
                   [_sparse_blocks(orders, problem.matrix(i), 1.0) for i in range(1, len(costs) + 1)], costs)


def write(path: str | PathLike[str], C: Any, A: Iterable[Any], b: Any) -> None:
    """Writes the problem that ``solve`` would solve in SDPA's sparse format."""
    _Reader("write").problem(C, A, b).write(fspath(path))


def cvxpy_solver() -> Any:
    """A solver for CVXPY, which must be installed: ``problem.solve(solver=kinjo.sdp.cvxpy_solver())``."""
    from kinjo._cvxpy import KinjoSolver

    return KinjoSolver(lambda problem, options: _run("solve", problem, options))
