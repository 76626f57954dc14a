"""kinjo.paths: called from where a caller's own code may call it, and by several threads; odd matrices."""

import concurrent.futures
import threading

import pytest

from kinjo import paths as P

SQUARE_AND_DIAGONAL = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("a", "c")]


def test_the_callers_code_may_count_too():
    """While edges and weights are asked for, or in the handler of a signal."""
    def edges():
        for edge in SQUARE_AND_DIAGONAL:
            assert P.count("grid:1", workers=workers) == 2
            yield edge
    for workers in (None, 2):
        assert P.count(edges(), "a", "c", workers=workers) == 3
        assert P.count(SQUARE_AND_DIAGONAL, "a", "c", workers=workers,
                       weights=lambda _: P.count("grid:1", workers=workers)) == 10


def test_callers_of_one_thread_need_not_take_turns():
    inside, outside = threading.Event(), threading.Event()

    def edges():
        for edge in SQUARE_AND_DIAGONAL:
            inside.set()
            assert outside.wait(60)
            yield edge
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        counted = pool.submit(P.count, edges(), "a", "c")
        assert inside.wait(60)
        assert P.count(SQUARE_AND_DIAGONAL, "a", "c") == 3      # while the other one waits
        outside.set()
        assert counted.result() == 3


def test_a_sparse_matrix_has_two_dimensions(refusal):
    sparse = pytest.importorskip("scipy.sparse")
    assert refusal(P.count, sparse.coo_array([1, 0, 1]), 0, 1) == (
        "InvalidArgumentError: count: the matrix has shape (3,): expected as many columns as rows")
    large = sparse.coo_array(([1, 1], ([0, 2**33], [2**33, 0])), shape=(2**33 + 1, 2**33 + 1))
    assert refusal(P.count, large, 0, 1) == (
        "InvalidArgumentError: count: the matrix has 8589934593 rows: expected at most 3037000499")
    some = sparse.coo_array(([1, 1], ([0, 2**31], [2**31, 0])), shape=(2**31 + 1, 2**31 + 1))
    assert refusal(P.count, some, 0, -1) == (
        "NotFoundError: count: t -1 is no vertex of the graph, which has 2147483649, such as 0, 1, 2")
