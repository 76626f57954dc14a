"""kinjo.sdp: optima are known ones, in whatever form matrices are given; refusals are sentences."""

import os
import pathlib
import signal
import threading
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kinjo
from kinjo import sdp

SYMMETRIC = np.array([[2.0, 1.0, 0.0], [1.0, 3.0, -1.0], [0.0, -1.0, 1.0]])
# Example 1 of the manual of SDPA, whose optimum is -41.9 in its sense.
EXAMPLE = (pathlib.Path(__file__).parent.parent / "sdp" / "example1.dat-s").read_text()


@pytest.fixture
def example(tmp_path):
    path = tmp_path / "example.dat-s"
    path.write_text(EXAMPLE)
    return path


def least_eigenvalue(matrix, **options):
    """minimise C • X where tr X = 1."""
    return sdp.solve(matrix, [np.eye(len(matrix))], [1.0], **options)


def test_the_least_eigenvalue_is_found():
    found = least_eigenvalue(SYMMETRIC)
    least = np.linalg.eigvalsh(SYMMETRIC)[0]
    assert found.status == "optimal"
    assert found.primal_objective == pytest.approx(least, abs=1e-6)
    assert found.dual_objective == pytest.approx(least, abs=1e-6)
    assert found.y == pytest.approx([least], abs=1e-6)
    np.testing.assert_allclose(found.S, SYMMETRIC - found.y[0] * np.eye(3), atol=1e-6)
    assert np.sum(found.X * SYMMETRIC) == pytest.approx(least, abs=1e-6)
    assert np.linalg.eigvalsh(found.X)[0] > -1e-7
    assert len(found.dimacs_errors) == 6 and max(abs(found.dimacs_errors)) < 1e-6
    assert found.gap < 1e-6
    assert found.iterations == found.table[-1].number
    assert set(found.seconds) == {"total", "elements", "cholesky", "direction", "step", "others"}
    assert found.table[-1].primal_objective == pytest.approx(least, abs=1e-5)
    assert repr(found).startswith("Result(status='optimal', primal_objective=")


@settings(max_examples=20)
@given(st.integers(1, 6), st.integers(1, 5), st.integers(0, 1000))
def test_solutions_satisfy_both_problems(n, m, seed):
    random = np.random.default_rng(seed)
    A = random.standard_normal((m, n, n))
    A = A + A.transpose(0, 2, 1)
    A[0] += 4 * n * np.eye(n)                               # bounded
    inside = random.standard_normal((n, n))
    b = np.tensordot(A, inside @ inside.T + np.eye(n))      # feasible
    C = random.standard_normal((n, n))
    C = C + C.T
    found = sdp.solve(C, A, b)
    assert found.status == "optimal"
    scale = 1 + np.abs(b).max()
    np.testing.assert_allclose(np.tensordot(A, found.X), b, atol=1e-5 * scale)
    np.testing.assert_allclose(C - np.tensordot(found.y, A, 1), found.S, atol=1e-5 * (1 + np.abs(C).max()))
    assert found.primal_objective == pytest.approx(np.sum(C * found.X), rel=1e-6, abs=1e-6)
    assert found.dual_objective == pytest.approx(b @ found.y, rel=1e-6, abs=1e-6)
    assert np.linalg.eigvalsh(found.X)[0] > -1e-6 * scale
    assert np.linalg.eigvalsh(found.S)[0] > -1e-6 * (1 + np.abs(C).max())


def test_a_diagonal_block_is_a_linear_program():
    # minimise -x - 2 y where x + y + s = 4, x + 3 y + t = 6, all not negative
    found = sdp.solve([np.array([-1.0, -2, 0, 0])],
                      [[np.array([1.0, 1, 1, 0])], [np.array([1.0, 3, 0, 1])]], [4, 6])
    np.testing.assert_allclose(found.X[0], [3, 1, 0, 0], atol=1e-5)
    assert found.primal_objective == pytest.approx(-5, abs=1e-5)
    rows = sdp.solve(np.array([-1.0, -2, 0, 0]), np.array([[1.0, 1, 1, 0], [1, 3, 0, 1]]), [4, 6])
    np.testing.assert_array_equal(rows.X, found.X[0])


def test_matrices_may_be_sparse_and_in_blocks():
    sparse = pytest.importorskip("scipy.sparse")
    dense = least_eigenvalue(SYMMETRIC)
    for form in (sparse.csr_array, sparse.coo_array, sparse.csc_matrix):
        found = sdp.solve(form(SYMMETRIC), [form(np.eye(3))], [1.0])
        np.testing.assert_array_equal(found.X, dense.X)
    blocks = sdp.solve([SYMMETRIC, np.array([5.0])], [[sparse.eye_array(3), None], [None, np.array([1.0])]],
                       [1.0, 2.0])
    assert blocks.primal_objective == pytest.approx(dense.primal_objective + 10, abs=1e-5)
    assert [part.shape for part in blocks.X] == [(3, 3), (1,)]


def test_small_integers_are_those_of_doubles():
    sparse = pytest.importorskip("scipy.sparse")
    for kind, value in ((np.int8, 100), (np.uint8, 200), (np.int16, 20000)):
        matrix = np.full((2, 2), value).astype(kind)
        for form in (matrix, sparse.csr_matrix(matrix)):
            found = sdp.solve(form, [np.eye(2)], [1])
            assert found.primal_objective == pytest.approx(0, abs=1e-4), (kind, form)


def test_blocks_may_be_empty():
    found = sdp.solve([np.zeros((0, 0)), SYMMETRIC], [[np.zeros((0, 0)), np.eye(3)]], [1.0])
    assert found.primal_objective == pytest.approx(least_eigenvalue(SYMMETRIC).primal_objective, abs=1e-6)


def test_what_a_matrix_is_multiplied_with_makes_nothing_infeasible():
    for scale in (1e-9, 1e-6, 1e6, 1e9):
        for factor in (1, scale):
            found = sdp.solve(factor * SYMMETRIC, [scale * np.eye(3)], [scale])
            assert found.status == "optimal", (scale, factor)


def test_infeasible_problems_have_certificates():
    eye = np.eye(2)
    none = sdp.solve(eye, [eye], [-1.0])                    # tr X = -1
    assert none.status == "primal_infeasible"
    assert -none.y[0] >= 1 - 1e-5                           # bᵀy = 1
    assert np.linalg.eigvalsh(-none.y[0] * eye)[0] > 0
    unbounded = sdp.solve(np.diag([1.0, -1.0]), [np.diag([1.0, 0.0])], [1.0])
    assert unbounded.status == "dual_infeasible"
    assert np.sum(unbounded.X * np.diag([1.0, -1.0])) == pytest.approx(-1)
    assert abs(unbounded.X[0, 0]) < 1e-5


def test_files_are_in_the_letters_of_sdpa(example):
    found = sdp.solve_file(example)
    assert found.primal_objective == pytest.approx(-41.9, abs=1e-4)
    assert found.dual_objective == pytest.approx(-41.9, abs=1e-4)
    assert found.x.shape == (3,) and found.X[0].shape == found.Y[0].shape == (2, 2)
    problem = sdp.read(example)
    turned = sdp.solve(*problem)
    assert turned.primal_objective == pytest.approx(41.9, abs=1e-4)
    np.testing.assert_array_equal(turned.y, -found.x)
    np.testing.assert_array_equal(turned.X[0], found.Y[0])
    np.testing.assert_array_equal(turned.S[0], found.X[0])


def test_what_is_written_is_read(tmp_path):
    path = tmp_path / "problem.dat-s"
    C = [SYMMETRIC, np.array([1.0, 0.0])]
    A = [[np.eye(3), None], [None, np.array([1.0, 2.0])]]
    sdp.write(path, C, A, [1.0, 0.25])
    read = sdp.read(path)
    dense = [np.asarray(part.todense() if hasattr(part, "todense") else part) for part in read.C]
    for part, given_ in zip(dense, C, strict=True):
        np.testing.assert_array_equal(part, given_)
    np.testing.assert_array_equal(read.b, [1.0, 0.25])
    assert len(read.A) == 2


def test_options_are_those_of_the_command(team):
    assert least_eigenvalue(SYMMETRIC, team=team).status == "optimal"
    assert least_eigenvalue(SYMMETRIC, workers=2, preset="stable", tolerance=1e-8).gap < 1e-7
    limited = least_eigenvalue(SYMMETRIC, max_iteration=2, gamma_star=0.5)
    assert (limited.status, limited.iterations) == ("limit", 2)


def test_refusals(refusal, example):
    eye = np.eye(2)
    for message, *arguments in (
            ("A has 1 matrices and b has 2 numbers", eye, [eye], [1.0, 2.0]),
            ("A has more than 1 matrices and b has 1 numbers", eye, [eye, eye], [1.0]),
            ("A[0] has the shape (3, 3): expected (2, 2), as in C", eye, [np.eye(3)], [1.0]),
            ("A[0] has 2 blocks: expected 1, as in C", eye, [[eye, eye]], [1.0]),
            ("C has the shape (2, 3): expected (n, n), or (n,) of a diagonal block", np.ones((2, 3)), [eye],
             [1.0]),
            ("C is not symmetric: its two triangles are up to 1 apart", np.array([[1.0, 1], [0, 1]]), [eye],
             [1.0]),
            ("b has the shape (): expected (m,)", eye, [eye], 1.0),
            ("block 0 of C is list: expected a NumPy array or a SciPy sparse matrix, or a list of them",
             [[1, 0], [0, 1]], [eye], [1.0]),
            ("C has inf: expected finite numbers", eye * np.inf, [eye], [1.0]),
            ("block 1 of A[0] has nan: expected finite numbers", [eye, eye], [[None, eye * np.nan]], [1.0]),
            ("b has nan: expected finite numbers", eye, [eye], [np.nan]),
            ("b has no numbers, and A no matrices: expected at least one", eye, [], [])):
        assert refusal(sdp.solve, *arguments) == f"InvalidArgumentError: solve: {message}"
        assert refusal(sdp.write, example, *arguments) == f"InvalidArgumentError: write: {message}"
    for C, A in ((eye * 1e155, eye), (eye, eye * 1e155)):
        assert "expected less than 1e+150, as where all are multiplied by the same small one" in refusal(
            sdp.solve, C, [A], [1.0])
    assert refusal(sdp.solve, 1j * eye, [eye], [1.0]) == (
        "InvalidArgumentError: solve: C has complex numbers: expected real ones")
    assert "max_iteration is -1: expected 0 or more" in refusal(sdp.solve, eye, [eye], [1.0], max_iteration=-1)
    assert "workers is 0" in refusal(sdp.solve, eye, [eye], [1.0], workers=0)
    for limit, told in ((2**70, "2^64 or more"), (-1, "-1"), (None, "None")):
        assert f"memory_limit is {told}: expected a number of bytes" in refusal(
            sdp.solve, eye, [eye], [1.0], memory_limit=limit)
    assert refusal(sdp.solve, eye, [eye], [1j]) == (
        "InvalidArgumentError: solve: b has complex numbers: expected real ones")
    for option, value, expected in (("tolerance", None, "a number"), ("beta_star", "x", "a number"),
                                    ("extended_precision", 1, "a bool")):
        with pytest.raises(TypeError, match=f"solve: {option} is {value!r}: expected {expected}"):
            sdp.solve(eye, [eye], [1.0], **{option: value})
    assert sdp.solve(eye, [eye], [1.0], extended_precision=np.False_, tolerance=np.float32(1e-6)).status == "optimal"
    with pytest.raises(TypeError, match="unexpected keyword argument 'tolerence'"):
        sdp.solve(eye, [eye], [1.0], tolerence=1e-3)
    with pytest.raises(kinjo.NotFoundError):
        sdp.read("nowhere.dat-s")
    assert example.read_text() == EXAMPLE
    example.write_text(EXAMPLE.replace("1 1 1 2 4", "1 1 1 3 4"))
    assert "line 9:" in refusal(sdp.read, example)


def test_other_threads_run_meanwhile_and_interruption_ends_it():
    n, m = 100, 1200
    random = np.random.default_rng(1)
    A = random.standard_normal((m, n, n))
    A = A + A.transpose(0, 2, 1)
    b = np.trace(A, axis1=1, axis2=2)
    threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        while time.monotonic() < start + 60:
            sdp.solve(np.eye(n), A, b)


def test_cvxpy_problems_are_solved():
    cp = pytest.importorskip("cvxpy", reason="cvxpy is not installed")
    solver = sdp.cvxpy_solver()
    random = np.random.default_rng(1)
    n = 6
    C = random.standard_normal((n, n))
    C = C + C.T

    X = cp.Variable((n, n), PSD=True)                       # by s
    cut = cp.Problem(cp.Minimize(cp.trace(C @ X)), [cp.diag(X) == 1])
    value = cut.solve(solver=solver)
    peer = sdp.solve(C, [np.diag(np.eye(n)[i]) for i in range(n)], np.ones(n))
    assert cut.status == cp.OPTIMAL
    assert value == pytest.approx(peer.primal_objective, abs=1e-4)
    np.testing.assert_allclose(np.abs(cut.constraints[0].dual_value), np.abs(peer.y), atol=1e-3)

    t, x = cp.Variable(), cp.Variable(2)                    # by x, with equations
    largest = cp.Problem(cp.Minimize(t + cp.sum(x)), [t * np.eye(n) - C >> 0, x[0] - x[1] == 3, x >= -1])
    assert largest.solve(solver=solver) == pytest.approx(np.linalg.eigvalsh(C)[-1] + 1, abs=1e-4)
    np.testing.assert_allclose(x.value, [2, -1], atol=1e-4)
    np.testing.assert_allclose(np.trace(largest.constraints[0].dual_value), 1, atol=1e-4)
    assert largest.constraints[1].dual_value == pytest.approx(-1, abs=1e-4)
    assert largest.constraints[2].dual_value == pytest.approx([0, 2], abs=1e-4)

    assert cp.Problem(cp.Minimize(t), [t >= 1, t <= 0]).solve(solver=solver) == np.inf
    assert cp.Problem(cp.Minimize(t), [t <= 0]).solve(solver=solver) == -np.inf

    cone = cp.Problem(cp.Minimize(cp.norm(x - np.array([3.0, 4.0]))), [cp.sum(x) == 0])
    assert cone.solve(solver=solver, tolerance=1e-8) == pytest.approx(7 / np.sqrt(2), abs=1e-4)
