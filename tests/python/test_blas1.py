"""BLAS level 1: results within the documented bounds, on every kind of vector."""

import array
import ctypes
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shown import OnlyDLPack

import kinjo

MODES = ["fast", "reproducible"]
DTYPES = [np.float64, np.float32]
ROUNDOFF = {np.dtype("f8"): 2.0**-53, np.dtype("f4"): 2.0**-24}


def bound(n, dtype, mode):
    """k·u of docs/blas1.md, and one more u for the terms of u²."""
    dtype = np.dtype(dtype)
    block = 4096 // dtype.itemsize
    k = n + 1 if mode == "fast" else 15 + max(0, math.ceil(math.log2(max(n, 1) / block)))
    return (k + 1) * ROUNDOFF[dtype]


def exact_dot(x, y):
    return sum(Fraction(float(a)) * Fraction(float(b)) for a, b in zip(x, y, strict=True))


# A vector: how many elements, of what type, how far apart, and from what seed.
vectors = st.tuples(
    st.integers(0, 300), st.sampled_from(DTYPES), st.sampled_from([1, 2, 3, -1, -2]),
    st.integers(0, 1000))


def make(vector):
    n, dtype, step, seed = vector
    random = np.random.default_rng(seed)
    memory = (random.standard_normal(n * abs(step) + 3) * 10.0 ** random.integers(-6, 7)).astype(dtype)
    return memory[1:][: n * abs(step)][::step][:n]


@settings(max_examples=200)
@given(vectors, st.sampled_from(MODES))
def test_sums_are_within_their_bound(vector, mode):
    x = make(vector)
    k = bound(x.size, x.dtype, mode)
    magnitude = math.fsum(abs(x.astype(float)))
    assert abs(kinjo.sum(x, mode=mode) - math.fsum(x)) <= k * magnitude
    assert abs(kinjo.asum(x, mode=mode) - magnitude) <= k * magnitude
    squares = float(exact_dot(x, x))
    assert abs(kinjo.sum_of_squares(x, mode=mode) - squares) <= k * squares
    assert abs(kinjo.norm2(x, mode=mode) - math.sqrt(squares)) <= k * math.sqrt(squares)


@settings(max_examples=200)
@given(vectors, st.sampled_from([1, 2, -1, -5]), st.sampled_from(MODES))
def test_products_are_within_their_bound(vector, step, mode):
    x = make(vector)
    y = make((*vector[:2], step, vector[3] + 1))
    k = bound(x.size, x.dtype, mode)
    error = kinjo.dot(x, y, mode=mode) - float(exact_dot(x, y))
    assert abs(error) <= k * float(exact_dot(abs(x), abs(y)))


@settings(max_examples=200)
@given(vectors, st.sampled_from([1, 3, -2]), st.floats(-100, 100))
def test_vectors_are_written_as_numpy_writes_them(vector, step, a):
    x = make(vector)
    y = make((*vector[:2], step, vector[3] + 1))
    factor = x.dtype.type(a)
    expected = factor * x + y
    fast = y.copy()
    kinjo.axpy(a, x, fast)
    roundoff = np.finfo(x.dtype).eps / 2
    # Both are within u·(|a·x| + |a·x + y|) of the exact result.
    np.testing.assert_array_less(
        abs(fast.astype(float) - expected),
        2.1 * roundoff * (abs(float(factor) * x.astype(float)) + abs(expected)) + 1e-300)
    kinjo.axpy(a, x, y, mode="reproducible")
    np.testing.assert_array_equal(y, expected)
    expected = factor * y
    kinjo.scale(a, y)
    np.testing.assert_array_equal(y, expected)
    kinjo.copy(x, y)
    np.testing.assert_array_equal(y, x)


@settings(max_examples=100)
@given(vectors)
def test_the_largest_magnitude_is_found(vector):
    x = make(vector)
    assert kinjo.max_abs_index(x) == (int(np.argmax(abs(x))) if x.size else None)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 16, 4096, 70_001])
def test_reproducible_results_have_the_same_bits_over_a_team(team, numbers, dtype, n):
    x, y = numbers(n, dtype), numbers(n, dtype, 2)
    dealt = kinjo.empty(n, dtype, team=team)
    other = kinjo.empty(n, dtype, team=team)
    dealt[:], other[:] = x, y
    for function, arguments in [
        (kinjo.sum, 1), (kinjo.asum, 1), (kinjo.sum_of_squares, 1), (kinjo.norm2, 1), (kinjo.dot, 2),
    ]:
        alone = function(*(x, y)[:arguments], mode="reproducible")
        for pair in [(x, y), (dealt, other), (dealt, y)]:
            assert function(*pair[:arguments], mode="reproducible", team=team) == alone
    assert kinjo.max_abs_index(dealt, team=team) == kinjo.max_abs_index(x)
    kinjo.axpy(1.1, x, y, mode="reproducible")
    kinjo.axpy(1.1, dealt, other, mode="reproducible", team=team)
    np.testing.assert_array_equal(other, y)
    kinjo.scale(3, other, team=team)
    kinjo.copy(other, dealt, team=team)
    np.testing.assert_array_equal(dealt, y * dtype(3))


@pytest.mark.parametrize("mode", MODES)
def test_views_of_dealt_arrays_are_ordinary_vectors(team, numbers, mode):
    dealt = kinjo.empty((100, 300), team=team, partition="cyclic")
    dealt[:] = numbers(30_000).reshape(100, 300)
    for view in (dealt, dealt[3:], dealt[5], dealt.T, dealt.reshape(-1)[7:]):
        assert kinjo.sum(view, mode=mode, team=team) == pytest.approx(math.fsum(view.flat), abs=1e-9)


def test_norm2_neither_overflows_nor_underflows():
    for magnitude in (1e-310, 1e-200, 1.0, 1e200, 1e305):
        assert kinjo.norm2(np.full(4096, magnitude)) == pytest.approx(64 * magnitude, rel=1e-14)


def test_several_dimensions_are_taken_where_memory_has_no_gaps():
    rows = np.arange(12.0).reshape(3, 4)
    columns = np.asfortranarray(rows)
    assert kinjo.sum(rows) == kinjo.sum(columns) == kinjo.sum(np.array(66.0)) == 66
    assert kinjo.dot(rows, rows) == kinjo.dot(columns, columns) == 506
    assert kinjo.max_abs_index(-rows) == 11
    kinjo.scale(2, columns)
    np.testing.assert_array_equal(columns, rows * 2)


def test_buffers_and_dlpack_are_taken_without_a_copy():
    x = np.arange(6.0)
    for shown in (memoryview(x), array.array("d", x), OnlyDLPack(x)):
        assert kinjo.sum(shown) == 15
        assert kinjo.dot(shown, x) == 55
    assert kinjo.sum(memoryview(x)[::2]) == 6
    for kind in (ctypes.c_double, ctypes.c_float):      # whose buffers have no strides
        shown = (kind * 3)(1, 2, 3)
        assert kinjo.sum(shown) == 6
        kinjo.scale(2, shown)
        assert list(shown) == [2, 4, 6]
        assert kinjo.audit(shown).pages >= 1
    assert kinjo.sum(OnlyDLPack(x[::-2])) == 9
    assert kinjo.sum(array.array("f", [1, 2])) == 3
    kinjo.scale(2, OnlyDLPack(x))
    kinjo.copy(x, written := array.array("d", [0] * 6))
    assert list(written) == [0, 2, 4, 6, 8, 10]


def test_other_threads_run_while_a_long_sum_is_under_way(others_run):
    x = kinjo.zeros(1 << 24)
    x[:] = 1
    with others_run():
        for _ in range(20):
            assert kinjo.sum(x) == 1 << 24


READ_ONLY = np.arange(4.0)
READ_ONLY.flags.writeable = False
UNALIGNED = np.frombuffer(bytes(33), np.uint8)[1:].view(np.float64)
FRACTION = np.zeros(3, "f8,i4")["f0"]
X = np.arange(4.0)

REFUSALS = [
    (kinjo.sum, [[1.0, 2.0]], "sum: x is a list: expected an array of float64 or float32"),
    (kinjo.dot, [X, 3], "dot: y is a int: expected an array of float64 or float32"),
    (kinjo.sum, [np.arange(3)], "sum: x is an array of int64: expected float64 or float32"),
    (kinjo.sum, [array.array("i", [1])], "sum: x is an array of int32: expected float64 or float32"),
    (kinjo.norm2, [np.ones(2, "c16")],
     "norm2: x is an array of complex128: expected float64 or float32"),
    (kinjo.asum, [X.astype(">f8")],
     "asum: x has the bytes of its elements swapped: expected this machine's order"),
    (kinjo.sum, [np.ones((4, 4))[:, 1:3]],
     "sum: x has shape (4, 2) and is not contiguous: expected one dimension, or contiguous memory"),
    (kinjo.sum, [UNALIGNED], "sum: x is not aligned: expected an address that is a multiple of 8"),
    (kinjo.sum, [FRACTION], "sum: x has elements 12 bytes apart: expected a multiple of 8"),
    (kinjo.sum, [np.ma.ones(3)],
     "sum: x is a masked array: expected a plain one, such as its filled()"),
    (kinjo.dot, [X, X[1:]], "dot: x has 4 elements and y has 3: expected as many"),
    (kinjo.dot, [X, X.astype("f4")], "dot: x is of float64 and y of float32: expected the same"),
    (kinjo.dot, [np.ones((2, 3)), np.ones((3, 2))],
     "dot: x and y have different shapes: expected the same, or one dimension each"),
    (kinjo.axpy, [1, np.ones((2, 3)), np.ones((3, 2)).T],
     "axpy: one of x and y is stored by rows and the other by columns: expected the same"),
    (kinjo.max_abs_index, [np.ones((2, 3)).T],
     "max_abs_index: x is stored by columns: expected rows, along which indices count"),
    (kinjo.scale, [2, READ_ONLY], "scale: x is read-only: expected an array that can be written"),
    (kinjo.copy, [X, memoryview(READ_ONLY)],
     "copy: y is read-only: expected an array that can be written"),
    (kinjo.copy, [X, bytes(32)], "copy: y is an array of uint8: expected float64 or float32"),
    (kinjo.axpy, [1, X[:-1], X[1:]],
     "axpy: x and y overlap: they must be the same elements or share none"),
    (kinjo.scale, [2, np.lib.stride_tricks.as_strided(np.ones(1), (3,), (0,))],
     "scale: x is written and has stride 0: its 3 elements are one"),
]


@pytest.mark.parametrize(("function", "arguments", "message"), REFUSALS)
def test_what_cannot_be_computed_is_refused_in_a_sentence(refusal, function, arguments, message):
    assert refusal(function, *arguments) == f"InvalidArgumentError: {message}"


def test_a_team_takes_no_strides_and_no_unknown_modes(team, refusal):
    assert refusal(kinjo.sum, X[::2], team=team) == (
        "InvalidArgumentError: sum: x has stride 2: a team takes contiguous vectors only")
    assert refusal(kinjo.sum, X, mode="exact") == (
        "InvalidArgumentError: sum: mode='exact': expected fast or reproducible")
    assert refusal(kinjo.axpy, 1, X, X, mode="exact") == (
        "InvalidArgumentError: axpy: mode='exact': expected fast or reproducible")
