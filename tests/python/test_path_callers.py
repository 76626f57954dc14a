"""kinjo.paths: called from where a caller's own code may call it, and by several threads; odd matrices."""

import concurrent.futures
import signal
import threading
import time

import pytest

from kinjo import paths as P

SQUARE_AND_DIAGONAL = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("a", "c")]


def test_the_callers_code_may_count_too():
    """While edges and weights are asked for."""
    def edges():
        for edge in SQUARE_AND_DIAGONAL:
            assert P.count("grid:1", workers=workers) == 2
            yield edge
    for workers in (None, 2):
        assert P.count(edges(), "a", "c", workers=workers) == 3
        assert P.count(SQUARE_AND_DIAGONAL, "a", "c", workers=workers,
                       weights=lambda _: P.count("grid:1", workers=workers)) == 10


def test_the_callers_code_may_wait_for_a_thread_that_counts():
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        def other(_=None):
            return pool.submit(P.count, "grid:1", workers=2).result(timeout=60)

        def edges():
            for edge in SQUARE_AND_DIAGONAL:
                assert other() == 2
                yield edge
        assert P.count(edges(), "a", "c", workers=2) == 3
        assert P.count(SQUARE_AND_DIAGONAL, "a", "c", workers=2, weights=other) == 10
        assert len(P.paths(edges(), "a", "c", workers=2)) == 3


@pytest.mark.parametrize("workers", [None, 2])
def test_the_handler_of_a_signal_may_count_too(workers):
    counted = []
    before = signal.signal(signal.SIGALRM, lambda *_: counted.append(P.count("king:5", workers=workers)))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        assert P.count("king:9", workers=workers) == 2460791237088492025876789478191411
        while not counted:
            time.sleep(0.01)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert counted == [P.count("king:5")]


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


def test_a_sparse_matrix_has_the_edges_that_it_has_in_another_format():
    sparse = pytest.importorskip("scipy.sparse")
    square = sparse.csr_array([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]])
    blocks = sparse.bsr_array(square, blocksize=(2, 2))
    for made in (square, square.tocoo(), square.todia(), blocks, square.tolil()):
        assert P.count(made, 0, 2) == 2, made.format


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


def test_a_vertex_of_a_matrix_is_a_whole_number(refusal):
    """And nothing else is looked for among 2**31 of them."""
    sparse = pytest.importorskip("scipy.sparse")
    rows = 2**31 + 1
    matrix = sparse.coo_array(([1, 1], ([0, rows - 1], [rows - 1, 0])), shape=(rows, rows))
    for vertex in ("a", 0.5, (1, 2), [1, 2]):
        assert f"count: s {vertex!r} is no vertex of the graph" in refusal(P.count, matrix, vertex, 0)
