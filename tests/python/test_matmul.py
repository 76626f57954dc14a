"""Products of matrices: within the documented bound of docs/gemm.md, on every kind of matrix."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shown import OnlyDLPack

import kinjo

DTYPES = [np.float64, np.float32]
LAYOUTS = ["C", "F", "rows of a slice", "columns of a slice", "transposed slice", "one line in two"]
ROUNDOFF = {np.dtype("f8"): 2.0**-53, np.dtype("f4"): 2.0**-24}

sizes = st.integers(0, 40)
layouts = st.sampled_from(LAYOUTS)
factors = st.sampled_from([0.0, 1.0, -1.0, 0.5, 3.25])


def laid_out(values, layout):
    """The same values with another place in memory."""
    rows, columns = values.shape
    if layout == "C":
        return np.ascontiguousarray(values)
    if layout == "F":
        return np.asfortranarray(values)
    memory = {
        "rows of a slice": lambda: np.zeros((rows, columns + 5), values.dtype)[:, 3:columns + 3],
        "columns of a slice": lambda: np.zeros((rows + 7, columns), values.dtype, "F")[2:rows + 2],
        "transposed slice": lambda: np.zeros((columns, rows + 1), values.dtype)[:, :rows].T,
        "one line in two": lambda: np.zeros((2 * rows, columns), values.dtype)[::2],
    }[layout]()
    memory[...] = values
    return memory


def matrix(rows, columns, dtype, layout, seed):
    random = np.random.default_rng(seed)
    values = random.standard_normal((rows, columns)) * 2.0 ** random.integers(-6, 7, (rows, columns))
    return laid_out(values.astype(dtype), layout)


def assert_within_bound(found, a, b, alpha=1.0, beta=0.0, before=None):
    """|C - exact| ≤ (k + 2)·u·(|α||A||B| + |β||C₀|), and one more u for the terms of u²."""
    wide = [x.astype(np.longdouble) for x in (a, b)]
    exact = alpha * np.matmul(*wide)
    magnitude = abs(alpha) * np.matmul(*map(abs, wide))
    if before is not None:
        exact = exact + beta * before.astype(np.longdouble)
        magnitude = magnitude + abs(beta) * abs(before.astype(np.longdouble))
    assert found.shape == exact.shape
    assert found.dtype == a.dtype
    assert (abs(found - exact) <= (a.shape[1] + 3) * ROUNDOFF[a.dtype] * magnitude).all()


@settings(max_examples=300)
@given(sizes, sizes, sizes, st.sampled_from(DTYPES), layouts, layouts, factors, st.integers(0, 1000))
def test_products_are_within_their_bound(m, n, k, dtype, of_a, of_b, alpha, seed):
    a, b = matrix(m, k, dtype, of_a, seed), matrix(k, n, dtype, of_b, seed + 1)
    found = kinjo.matmul(a, b, alpha=alpha)
    assert found.flags.c_contiguous
    assert found.flags.owndata
    assert_within_bound(found, a, b, alpha)
    np.testing.assert_array_equal(kinjo.matmul(a, b, alpha=alpha), found)


@settings(max_examples=300)
@given(sizes, sizes, sizes, st.sampled_from(DTYPES), st.tuples(layouts, layouts, layouts), factors,
       factors, st.integers(0, 1000))
def test_out_is_written_and_scaled_where_it_lies(m, n, k, dtype, places, alpha, beta, seed):
    a, b = matrix(m, k, dtype, places[0], seed), matrix(k, n, dtype, places[1], seed + 1)
    out = matrix(m, n, dtype, places[2], seed + 2)
    around = out.base.copy() if out.base is not None else None
    before = out.copy()
    assert kinjo.matmul(a, b, out=out, alpha=alpha, beta=beta) is out
    assert_within_bound(out, a, b, alpha, beta, before)
    if around is not None:                            # nothing else of its memory has changed
        out[...] = before
        np.testing.assert_array_equal(out.base, around)


@settings(max_examples=60)
@given(sizes, sizes, sizes, st.sampled_from(DTYPES), layouts, st.integers(0, 1000))
def test_a_team_and_a_plan_change_no_more_than_the_order_of_additions(team, m, n, k, dtype, of_b, seed):
    a, b = matrix(m, k, dtype, "C", seed), matrix(k, n, dtype, of_b, seed + 1)
    for text in (None, "N(m=16)/C(k=9)/P(n)///S(n=20)", "P(m)//N/C/S", "R(m=11)/R(k=7)/N/C/S"):
        first = kinjo.matmul(a, b, team=team, plan=text)
        assert_within_bound(first, a, b)
        np.testing.assert_array_equal(kinjo.matmul(a, b, team=team, plan=text), first)


@pytest.mark.parametrize("dtype", DTYPES)
def test_large_products_pass_the_verifier_and_have_the_same_bits_in_every_run(team, dtype):
    a, b = matrix(301, 259, dtype, "C", 1), matrix(259, 333, dtype, "F", 2)
    for wish in ({}, {"team": team}, {"plan": kinjo.gemm_plan(301, 333, 259, dtype=dtype, orders="CFC")}):
        c = kinjo.matmul(a, b, **wish)
        assert kinjo.verify_matmul(a, b, c)
        for _ in range(5):
            np.testing.assert_array_equal(kinjo.matmul(a, b, **wish), c)


def class_of(values):
    """1 for NaN, ±2 for infinity, 0 for what is finite."""
    return np.where(np.isnan(values), 1, np.where(np.isinf(values), 2 * np.sign(values), 0))


@settings(max_examples=150)
@given(st.integers(1, 20), st.integers(1, 20), st.integers(1, 20), st.sampled_from(DTYPES), layouts,
       layouts, st.lists(st.sampled_from([np.nan, np.inf, -np.inf, 0.0]), min_size=1, max_size=8),
       st.integers(0, 1000))
def test_nan_and_infinity_propagate(m, n, k, dtype, of_a, of_b, specials, seed):
    a, b = matrix(m, k, dtype, of_a, seed), matrix(k, n, dtype, of_b, seed + 1)
    random = np.random.default_rng(seed)
    for special in specials:
        target = a if random.random() < 0.5 else b
        target[random.integers(target.shape[0]), random.integers(target.shape[1])] = special
    with np.errstate(invalid="ignore"):
        expected = (a[:, :, None] * b[None]).sum(axis=1)
    np.testing.assert_array_equal(class_of(kinjo.matmul(a, b)), class_of(expected))


def test_nan_counts_only_where_it_is_read():
    a, b, nan = np.ones((3, 2)), np.ones((2, 4)), np.full((3, 4), np.nan)
    np.testing.assert_array_equal(kinjo.matmul(a, b, out=nan.copy()), np.full((3, 4), 2.0))
    assert np.isnan(kinjo.matmul(a, b, out=nan.copy(), beta=1)).all()
    np.testing.assert_array_equal(kinjo.matmul(a * np.nan, b, alpha=0), np.zeros((3, 4)))


def test_with_alpha_zero_the_factors_may_lie_where_the_result_does():
    a = np.ones((4, 4))
    kinjo.matmul(a, a, out=a, alpha=0, beta=3)
    np.testing.assert_array_equal(a, np.full((4, 4), 3.0))


def test_one_wrong_element_of_a_large_product_is_found():
    a, b = np.random.default_rng(1).random((2, 2048, 2048), np.float32) - np.float32(0.5)
    c = kinjo.matmul(a[:30], b)
    assert kinjo.verify_matmul(a[:30], b, c)
    c[17, 1234] = 0
    found = kinjo.verify_matmul(a[:30], b, c, samples=0)
    assert found.fault.startswith("element (17, 1234) is 0: expected ")


def test_slices_and_transposes_are_taken_without_a_copy():
    whole = np.arange(64.0).reshape(8, 8)
    a, b = whole[1:4, 2:7], whole[::2, 3:6].T[:, :3]
    np.testing.assert_array_equal(kinjo.matmul(a.T, a), a.T @ a)
    np.testing.assert_array_equal(kinjo.matmul(b, b.T), b @ b.T)
    kinjo.matmul(a[:, :3], a[:, :3], out=whole[5:, :3])
    np.testing.assert_array_equal(whole[5:, :3], a[:, :3] @ a[:, :3])


def test_buffers_and_dlpack_are_taken_too():
    a = np.arange(6.0).reshape(2, 3)
    product = a @ a.T
    for shown in (memoryview(a), OnlyDLPack(a)):
        np.testing.assert_array_equal(kinjo.matmul(shown, a.T), product)
    np.testing.assert_array_equal(kinjo.matmul(OnlyDLPack(a.T), memoryview(a)), a.T @ a)
    written = np.zeros((2, 2))
    kinjo.matmul(a, a.T, out=OnlyDLPack(written))
    np.testing.assert_array_equal(written, product)


def test_arrays_on_a_teams_nodes_are_multiplied_where_they_are(team):
    a, b, c = (kinjo.empty((90, 90), team=team) for _ in range(3))
    a[:], b[:] = matrix(90, 90, "f8", "C", 1), matrix(90, 90, "f8", "C", 2)
    assert kinjo.matmul(a, b, team=team, out=c) is c
    assert_within_bound(c, a, b)


def test_other_threads_run_while_a_product_is_under_way(others_run):
    a = np.ones((512, 512))
    with others_run():
        for _ in range(20):
            assert kinjo.matmul(a, a)[7, 9] == 512


def test_several_threads_multiply_at_once():
    a, b = matrix(120, 130, "f8", "C", 1), matrix(130, 140, "f8", "F", 2)
    expected, found = kinjo.matmul(a, b), {}
    threads = [threading.Thread(target=lambda i=i: found.update({i: kinjo.matmul(a, b)}))
               for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for i in range(4):
        np.testing.assert_array_equal(found[i], expected)


READ_ONLY = np.zeros((4, 4))
READ_ONLY.flags.writeable = False
A = np.ones((4, 4))
WHOLE = np.ones((8, 8))
UNALIGNED = np.frombuffer(bytes(33), np.uint8)[1:].view(np.float64).reshape(2, 2)

REFUSALS = [
    ((A, [[1.0]]), {}, "matmul: b is a list: expected an array of float64 or float32"),
    ((A.astype(int), A), {}, "matmul: a is an array of int64: expected float64 or float32"),
    ((A, A.astype("f4")), {}, "matmul: a is of float64 and b of float32: expected the same"),
    ((A, A), {"out": A.astype("f4")}, "matmul: a is of float64 and out of float32: expected the same"),
    ((A.astype(">f8"), A), {},
     "matmul: a has the bytes of its elements swapped: expected this machine's order"),
    ((np.ma.ones((4, 4)), A), {},
     "matmul: a is a masked array: expected a plain one, such as its filled()"),
    ((UNALIGNED, A), {}, "matmul: a is not aligned: expected an address that is a multiple of 8"),
    ((A[0], A), {}, "matmul: a has 1 dimension: expected 2"),
    ((A, np.ones((2, 4, 4))), {}, "matmul: b has 3 dimensions: expected 2"),
    ((A, np.array(1.0)), {}, "matmul: b has 0 dimensions: expected 2"),
    ((A[:3], A[:2]), {},
     "matmul: a has shape (3, 4) and b (2, 4): expected as many rows of b as columns of a"),
    ((A, A), {"out": np.ones((3, 4))},
     "matmul: out has shape (3, 4): expected (4, 4), the rows of a by the columns of b"),
    ((WHOLE[::2, ::2], A), {},
     "matmul: a has strides (128, 16) and shape (4, 4): expected elements side by side along its "
     "rows or columns, and those one behind the other"),
    ((A, A[::-1]), {},
     "matmul: b has strides (-32, 8) and shape (4, 4): expected elements side by side along its "
     "rows or columns, and those one behind the other"),
    ((A, np.broadcast_to(A[0], (4, 4))), {},
     "matmul: b has strides (0, 8) and shape (4, 4): expected elements side by side along its "
     "rows or columns, and those one behind the other"),
    ((A, A), {"out": WHOLE[::2, ::2]},
     "matmul: out has strides (128, 16) and shape (4, 4): expected elements side by side along its "
     "rows or columns, and those one behind the other"),
    ((A, A), {"out": READ_ONLY}, "matmul: out is read-only: expected an array that can be written"),
    ((A, A), {"out": memoryview(READ_ONLY)},
     "matmul: out is read-only: expected an array that can be written"),
    ((A, 2 * A), {"out": A}, "matmul: out shares memory with a: expected an array of its own"),
    ((2 * A, A), {"out": A.T}, "matmul: out shares memory with b: expected an array of its own"),
    ((WHOLE[:4, :4], A), {"out": WHOLE[3:7, 3:7]},
     "matmul: out shares memory with a: expected an array of its own"),
    ((A, A), {"beta": 0.5},
     "matmul: beta is 0.5 without out: expected the array that it scales"),
]


@pytest.mark.parametrize(("factors", "named", "message"), REFUSALS)
def test_what_cannot_be_multiplied_is_refused_in_a_sentence(refusal, factors, named, message):
    assert refusal(kinjo.matmul, *factors, **named) == f"InvalidArgumentError: {message}"


def test_parts_of_one_matrix_that_are_apart_are_no_overlap():
    whole = np.ones((8, 8))
    kinjo.matmul(whole[:4, :4], whole[4:, :4], out=whole[:4, 4:])
    np.testing.assert_array_equal(whole[:4, 4:], np.full((4, 4), 4.0))


def test_teams_are_refused_where_they_cannot_work(team, refusal):
    with kinjo.Team("scatter") as short:
        pass
    assert refusal(kinjo.matmul, A, A, team=short) == "UsageError: the team is closed"
    big = np.ones((200, 200))
    assert refusal(lambda: team.run(lambda place: kinjo.matmul(big, big, team=team))) == (
        "UsageError: Team::run was called inside the team's own function")
    assert [c[0, 0] for c in team.run(lambda place: kinjo.matmul(big, big))] == [200] * 3


def test_products_that_are_not_finite_pass_where_they_must_be_so():
    ones, large = np.ones((4, 4)), np.full((4, 4), 1e200)
    for a, b, product, passes in ((np.nan * ones, ones, np.nan, True), (large, large, np.inf, True),
                                  (large, large, -np.inf, False), (ones, ones, np.nan, False)):
        assert kinjo.verify_matmul(a, b, np.full((4, 4), product)).passed == passes


def test_a_wrong_product_does_not_pass(refusal):
    a, b, before = matrix(20, 30, "f8", "C", 1), matrix(30, 25, "f8", "F", 2), np.ones((20, 25))
    right = kinjo.matmul(a, b, out=before.copy(), alpha=2, beta=3)
    check = kinjo.verify_matmul(a, b, right, alpha=2, beta=3, before=before)
    assert check.passed
    assert check.fault == ""
    assert repr(check) == "<kinjo.MatmulCheck passed>"
    assert 0 < check.worst_sample <= 1
    assert 0 < check.worst_row <= 1
    right[7, 8] += 1
    found = kinjo.verify_matmul(a, b, right, alpha=2, beta=3, before=before, samples=0)
    assert not found
    assert found.fault.startswith("row 7 fails Freivalds' test: off by ")
    assert refusal(lambda: kinjo.verify_matmul(a, b, right, samples=0, rounds=0)) == (
        "InvalidArgumentError: verify_matmul: samples and rounds are 0: expected one of them above 0")
    together = "InvalidArgumentError: verify_matmul: before= and a beta that is not 0 belong together"
    assert refusal(kinjo.verify_matmul, a, b, right, beta=1) == together
    assert refusal(kinjo.verify_matmul, a, b, right, before=before) == together
    assert refusal(kinjo.verify_matmul, a, b, right[1:]) == (
        "InvalidArgumentError: verify_matmul: c has shape (19, 25): expected (20, 25), the rows of a "
        "by the columns of b")
