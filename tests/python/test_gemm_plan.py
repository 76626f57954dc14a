"""The loop nest of a product as a value."""

import numpy as np
import pytest

import kinjo


def test_a_plan_writes_what_it_reads(team):
    text = "N(n=100)/C(k=50)/P(m)///S(m=30)/V(n)/V(m)"
    plan = kinjo.gemm_plan(300, 200, 100, team=team, text=text)
    assert str(plan) == text
    assert plan.short_form == "N/C/P///S"
    assert plan.tasks == 3
    assert repr(plan) == f"<kinjo.GemmPlan {text}>"
    assert [(loop.level, loop.dimension, loop.block) for loop in plan.loops] == [
        ("node", "n", 100), ("cache", "k", 50), ("parallel", "m", 3), ("section", "m", 30),
        ("registers", "n", 0), ("registers", "m", 0)]
    assert repr(plan.loops[1]) == "GemmLoop(level='cache', dimension='k', block=50)"


def test_plans_of_the_same_loops_are_equal():
    first, second = (kinjo.gemm_plan(300, 200, 100, text="N(n=100)/C(k=50)/S(m=30)") for _ in range(2))
    other = kinjo.gemm_plan(300, 200, 100, text="N(n=100)/C(k=50)/S(m=20)")
    assert first == second
    assert first != other
    assert first != str(first)
    assert first.loops == second.loops
    assert first.loops[0] == first.loops[0]
    assert first.loops[0] != first.loops[1]
    assert {first, second, other} == {first, other}
    assert len(set(first.loops + second.loops)) == 5


def test_small_products_copy_nothing():
    plan = kinjo.gemm_plan(16, 16, 16)
    assert plan.short_form == "V"
    # A, B and C once, and C back.
    assert plan.bytes_moved == {"memory": 8192, "l3": 8192, "l2": 8192, "packed": 0}
    assert kinjo.gemm_plan(16, 16, 16, dtype=np.float32).bytes_moved["memory"] == 4096


@pytest.mark.parametrize("shape", [(0, 5, 5), (5, 0, 5), (5, 5, 0), (0, 0, 0), (10**6, 0, 10**6)])
def test_products_of_nothing_have_a_plan(shape):
    moved = kinjo.gemm_plan(*shape).bytes_moved
    assert moved == {"memory": 0, "l3": 0, "l2": 0, "packed": 0}


@pytest.mark.parametrize("shape", [(2, 2**62, 2), (2**62, 2**62, 0), (2**20, 2**20, 2**62)])
def test_products_of_any_size_have_a_plan(shape):
    assert str(kinjo.gemm_plan(*shape)).count("/") >= 1


def test_plans_and_their_texts_do_the_same(team):
    a, b = np.random.default_rng(1).random((2, 150, 150))
    plan = kinjo.gemm_plan(150, 150, 150, team=team)
    chosen = kinjo.matmul(a, b, team=team)
    np.testing.assert_array_equal(kinjo.matmul(a, b, team=team, plan=plan), chosen)
    np.testing.assert_array_equal(kinjo.matmul(a, b, team=team, plan=str(plan)), chosen)
    # For another product the same loops are right as well.
    np.testing.assert_allclose(kinjo.matmul(a[:40], b, team=team, plan=plan), a[:40] @ b, rtol=1e-12)


REFUSALS = [
    ({"m": -1}, "InvalidArgumentError: gemm_plan: m is -1: expected 0 or more"),
    ({"dtype": int}, "InvalidArgumentError: gemm_plan: dtype is int64: expected float64 or float32"),
    ({"orders": "CC"},
     "InvalidArgumentError: gemm_plan: orders='CC': expected C or F for each of a, b and the result"),
    ({"text": "N/X"},
     "BadInputError: plan 'N/X', character 3: expected a loop: R, N, M, S, C, P or V"),
    ({"text": "P///C"}, "BadInputError: plan 'P///C': P(n=3): 3 tasks exceed the 1 thread"),
]


@pytest.mark.parametrize(("named", "message"), REFUSALS)
def test_what_is_no_plan_is_refused_in_a_sentence(refusal, named, message):
    assert refusal(lambda: kinjo.gemm_plan(**{"m": 8, "n": 8, "k": 8} | named)) == message


def test_products_refuse_what_is_no_plan_for_them(team, refusal):
    a = np.ones((200, 200))
    assert refusal(kinjo.matmul, a, a, plan="N//C") == (
        "BadInputError: plan 'N//C', character 3: expected one stroke behind a loop that is not P")
    plan = kinjo.gemm_plan(200, 200, 200, team=team, text="P(m)///C(k=50)/V(n)/V(m)")
    assert refusal(kinjo.matmul, a, a, plan=plan) == (
        f"InvalidArgumentError: gemm: plan '{plan}': P(m=3): 3 tasks exceed the 1 thread")
    with pytest.raises(TypeError, match="^matmul: plan: expected a GemmPlan, a str or None$"):
        kinjo.matmul(a, a, plan=3)
