"""kinjo.sdp as a solver of CVXPY, which gives it: minimise cᵀx where Ex + f = 0 and s = Gx + h lies in K,
non-negative numbers and positive semidefinite matrices.

Two forms of it have no equations to be split into pairs of inequalities, and the one with fewer unknowns is
solved:

- by x (SDPA's (P)): Ex + f = 0 is solved for as many variables as E has independent rows, chosen by a QR
  factorisation with pivots, and the others stay. This takes E as a dense matrix.
- by s (SDPA's (D)): where each variable alone makes up an entry of s, as with a matrix variable that is
  semidefinite itself, x is put together of s, and equations are equations of s."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import cvxpy.settings as settings
import numpy as np
import scipy.linalg
import scipy.sparse as sparse
from cvxpy.constraints import PSD, NonNeg, Zero
from cvxpy.reductions.solution import Solution, failure_solution
from cvxpy.reductions.solvers import utilities
from cvxpy.reductions.solvers.conic_solvers.conic_solver import ConicSolver
from scipy.sparse.linalg import lsmr

from kinjo._kinjo import _SdpProblem

_Run: TypeAlias = Callable[[_SdpProblem], dict[str, Any]]
_NEAR = {"optimal": settings.OPTIMAL, "near_optimal": settings.OPTIMAL_INACCURATE,
         "limit": settings.USER_LIMIT, "numerical_failure": settings.SOLVER_ERROR}


class _Cone(NamedTuple):
    """K: which entries s has once symmetric ones are counted once."""

    orders: list[int]       # of blocks, below 0 of a diagonal one
    block: Any              # of each entry its place in K
    row: Any
    column: Any
    fold: Any               # of all of CVXPY's rows: the mean of two triangles

    @staticmethod
    def of(nonneg: int, psd: Any) -> "_Cone":
        orders = [-nonneg] if nonneg > 0 else []
        places = [(np.zeros(nonneg, int), np.arange(nonneg), np.arange(nonneg))] if nonneg > 0 else []
        folds = [sparse.eye_array(nonneg)] if nonneg > 0 else []
        for n in psd:
            row, column = np.triu_indices(n)
            places.append((np.full(len(row), len(orders)), row, column))
            entries = np.arange(len(row))
            twice = (np.full(2 * len(row), 0.5), (np.concatenate([entries, entries]),
                                                  np.concatenate([column * n + row, row * n + column])))
            folds.append(sparse.csr_array(twice, shape=(len(row), n * n)))
            orders.append(n)
        block, row, column = (np.concatenate(part) for part in zip(*places, strict=True))
        return _Cone(orders, block, row, column, sparse.block_diag(folds, format="csr"))

    def problem(self, costs: Any, matrices: Any) -> _SdpProblem:
        """SDPA's problem with F_0, F_1 … in the columns of a sparse matrix."""
        found = sparse.coo_array(matrices)
        kept = found.data != 0
        entry, number = found.row[kept].astype(np.int64), found.col[kept].astype(np.int64)
        parts = (self.block[entry], self.row[entry], self.column[entry])
        return _SdpProblem(self.orders, np.asarray(costs).tolist(), number,
                           *(np.ascontiguousarray(part, np.int64) for part in parts), found.data[kept])

    def values(self, blocks: Any) -> Any:
        """The entries of a matrix."""
        parts = [block if order < 0 else block[np.triu_indices(order)]
                 for order, block in zip(self.orders, blocks, strict=True)]
        return np.concatenate(parts)

    def rows(self, blocks: Any) -> Any:
        """All of it as CVXPY has it: matrices in columns."""
        return np.concatenate([np.ravel(block) for block in blocks])

    def is_diagonal(self) -> Any:
        return self.row == self.column


class _Solved(NamedTuple):
    status: str
    x: Any = None
    dual: Any = None        # of s, as CVXPY orders it
    found: Any = None       # what the extension returned


def _kept_variables(E: Any, f: Any) -> tuple[Any, Any, bool]:
    """x = base + Z z for all x with Ex + f = 0: Z, base, and whether there is such an x."""
    n = E.shape[1]
    if E.shape[0] == 0:
        return sparse.eye_array(n, format="csr"), np.zeros(n), True
    rotation, upper, order = scipy.linalg.qr(E.toarray(), mode="economic", pivoting=True)
    diagonal = np.abs(np.diag(upper))
    rank = int(np.sum(diagonal > 1e-12 * max(diagonal.max(initial=0), 1e-300) * max(E.shape)))
    basis, free = order[:rank], order[rank:]
    inner = scipy.linalg.solve_triangular(upper[:rank, :rank], np.column_stack(
        [-upper[:rank, rank:], -(rotation.T @ f)[:rank]]))
    inner[np.abs(inner) < 1e-14] = 0
    base = np.zeros(n)
    base[basis] = inner[:, -1]
    below = sparse.coo_array(inner[:, :-1])
    Z = sparse.coo_array(
        (np.concatenate([below.data, np.ones(n - rank)]),
         (np.concatenate([basis[below.row], free]), np.concatenate([below.col, np.arange(n - rank)]))),
        shape=(n, n - rank)).tocsr()
    fits = np.linalg.norm(E @ base + f) <= 1e-7 * (1 + np.linalg.norm(f))
    return Z, base, bool(fits)


def _alone(G: Any) -> Any:
    """For each variable an entry of s that it alone makes up, −1 where there is none."""
    single = np.flatnonzero(np.diff(G.indptr) == 1)
    found = np.full(G.shape[1], -1)
    found[G.indices[G.indptr[single]]] = single
    return found


def _by_x(cone: _Cone, c: Any, E: Any, f: Any, G: Any, h: Any, run: _Run) -> _Solved:
    """minimise (Zᵀc)ᵀz where G Z z + (G base + h) lies in K."""
    Z, base, fits = _kept_variables(E, f)
    if not fits:
        return _Solved(settings.INFEASIBLE)
    if Z.shape[1] == 0:                         # the equations have one solution
        matrices = cone.problem([0.0], sparse.hstack([-sparse.csc_array((G @ base + h)[:, None]),
                                                      sparse.csc_array((len(h), 1))]))
    else:
        matrices = cone.problem(Z.T @ c, sparse.hstack([-sparse.csc_array((G @ base + h)[:, None]), G @ Z]))
    found = run(matrices)
    status = {"primal_infeasible": settings.INFEASIBLE,
              "dual_infeasible": settings.UNBOUNDED}.get(found["status"]) or _NEAR[found["status"]]
    moved = Z @ found["x"] if Z.shape[1] > 0 else 0
    return _Solved(status, base + moved, cone.rows(found["Y"]), found)


def _by_s(cone: _Cone, c: Any, E: Any, f: Any, G: Any, h: Any, run: _Run) -> _Solved:
    """x = Ts + t: minimise cᵀTs where E(Ts + t) + f = 0 and other entries of s are what G makes of x."""
    pivots = _alone(G)
    n, entries = G.shape[1], G.shape[0]
    inverse = 1 / G[pivots, np.arange(n)]
    T = sparse.csr_array((inverse, (np.arange(n), pivots)), shape=(n, entries))
    t = -inverse * h[pivots]
    others = np.setdiff1d(np.arange(entries), pivots)
    picked = sparse.csr_array((np.ones(len(others)), (np.arange(len(others)), others)),
                              shape=(len(others), entries))
    left = sparse.vstack([E @ T, picked - G[others] @ T], format="csr")
    right = np.concatenate([-(E @ t + f), G[others] @ t + h[others]])
    halves = np.where(cone.is_diagonal(), 1.0, 0.5)     # an entry off the diagonal stands twice
    columns = sparse.hstack([-sparse.csc_array((T.T @ c)[:, None]), left.T])
    found = run(cone.problem(right, sparse.diags_array(halves) @ columns))
    status = {"primal_infeasible": settings.UNBOUNDED,
              "dual_infeasible": settings.INFEASIBLE}.get(found["status"]) or _NEAR[found["status"]]
    return _Solved(status, T @ cone.values(found["Y"]) + t, cone.rows(found["X"]), found)


def solve(c: Any, A: Any, b: Any, equations: int, cone: _Cone, run: _Run) -> _Solved:
    """A and b with the equations above the rows of K."""
    A = sparse.csr_array(A)
    E, f = A[:equations], b[:equations]
    G, h = sparse.csr_array(cone.fold @ A[equations:]), cone.fold @ b[equations:]
    G.eliminate_zeros()
    n = A.shape[1]
    constraints = E.shape[0] + G.shape[0] - n
    by_s = (_alone(G) >= 0).all() and 0 < constraints < n - min(n, E.shape[0])
    return (_by_s if by_s else _by_x)(cone, c, E, f, G, h, run)


class KinjoSolver(ConicSolver):
    """``problem.solve(solver=kinjo.sdp.cvxpy_solver(), tolerance=1e-8, workers=-1)``: options are those of
    ``kinjo.sdp.solve``. Second-order cones come as matrices, by CVXPY's own conversion."""

    MIP_CAPABLE = False
    SUPPORTED_CONSTRAINTS = [*ConicSolver.SUPPORTED_CONSTRAINTS, PSD]
    REQUIRES_CONSTR = True

    def __init__(self, run: Callable[[_SdpProblem, Any], dict[str, Any]]) -> None:
        """``run`` solves a problem with options."""
        super().__init__()
        self._run = run

    def name(self) -> str:
        return "KINJO"

    def import_solver(self) -> None:
        """It is there."""

    def cite(self, data: Any) -> str:
        return ""

    def apply(self, problem: Any) -> tuple[Any, Any]:
        if not problem.formatted:
            problem = self.format_constraints(problem, None)
        known = problem.constr_map
        c, offset, A, b = problem.apply_parameters()
        data = {settings.PARAM_PROB: problem, self.DIMS: problem.cone_dims, settings.C: c, settings.A: A,
                settings.B: np.ravel(b, order="F")}
        inverse = {self.VAR_ID: problem.x.id, self.DIMS: problem.cone_dims, settings.OFFSET: offset,
                   self.EQ_CONSTR: known[Zero], self.NEQ_CONSTR: known[NonNeg] + known[PSD]}
        return data, inverse

    def solve_via_data(self, data: Any, warm_start: bool, verbose: bool, solver_opts: Any,
                       solver_cache: Any = None) -> Any:
        dims = data[self.DIMS]
        c, A, b = data[settings.C], sparse.csr_array(data[settings.A]), data[settings.B]
        if dims.nonneg == 0 and len(dims.psd) == 0:     # K has no entries: one that is 1
            cone = _Cone.of(1, [])
            A = sparse.vstack([A, sparse.csr_array((1, A.shape[1]))], format="csr")
            b = np.append(b, 1.0)
        else:
            cone = _Cone.of(dims.nonneg, dims.psd)
        solved = solve(c, A, b, dims.zero, cone, lambda problem: self._run(problem, solver_opts))
        if solved.x is None or solved.status not in settings.SOLUTION_PRESENT:
            return {"status": solved.status, "found": solved.found}
        rows = len(b) - dims.zero
        multipliers = c - A[dims.zero:].T @ solved.dual[:rows]
        equal = lsmr(A[:dims.zero].T, multipliers, atol=1e-14, btol=1e-14)[0] if dims.zero > 0 else []
        return {"status": solved.status, "value": c @ solved.x, "primal": solved.x, "eq_dual": equal,
                "ineq_dual": solved.dual, "found": solved.found}

    def invert(self, solution: Any, inverse_data: Any) -> Any:
        found = solution["found"]
        told = {} if found is None else {settings.SOLVE_TIME: found["seconds"]["total"],
                                         settings.NUM_ITERS: found["iterations"],
                                         settings.EXTRA_STATS: found}
        if solution["status"] not in settings.SOLUTION_PRESENT:
            return failure_solution(solution["status"], told)
        duals = {}
        for values, constraints in ((solution["eq_dual"], self.EQ_CONSTR),
                                    (solution["ineq_dual"], self.NEQ_CONSTR)):
            duals.update(utilities.get_dual_values(np.asarray(values), utilities.extract_dual_value,
                                                   inverse_data[constraints]))
        return Solution(solution["status"], solution["value"] + inverse_data[settings.OFFSET],
                        {inverse_data[self.VAR_ID]: solution["primal"]}, duals, told)
