"""Arguments of the wrong kind, and numbers that are too large, are told in a sentence of Python's words."""

import numpy as np
import pytest

import kinjo

EYE, ONES = np.eye(2), np.ones(3)
TABLE = kinjo.mapping("none", 1)
FAR, BEYOND = 2**40, 2**70

WRONG = [
    (lambda: kinjo.mapping(3), "mapping: policy is of type int: expected a str"),
    (lambda: kinjo.mapping(threads="2"), "mapping: threads is of type str: expected an integer"),
    (lambda: kinjo.mapping(threads=1.5), "mapping: threads is of type float: expected an integer"),
    (lambda: kinjo.mapping(topology="synthetic:pu:2"), "mapping: topology is of type str: expected a kinjo.Topology"),
    (lambda: kinjo.mapping(oversubscribe=1), "mapping: oversubscribe is of type int: expected a bool"),
    (lambda: TABLE["0"], "'str' object cannot be interpreted as an integer"),
    (lambda: TABLE.threads_on("0"), "threads_on: node is of type str: expected an integer"),
    (lambda: kinjo.topology().distance(0, "1"), "distance: to_node is of type str: expected an integer"),
    (lambda: kinjo.audit(ONES).on(0.5), "on: node is of type float: expected an integer"),
    (lambda: kinjo.pin("none", "0"), "pin: thread is of type str: expected an integer"),
    (lambda: kinjo.pin("none", bind=3), "pin: bind is of type int: expected a str"),
    (lambda: kinjo.Team("none", bind=3), "Team: bind is of type int: expected a str"),
    (lambda: kinjo.empty(3, node="0"), "empty: node is of type str: expected an integer"),
    (lambda: kinjo.empty(3, interleave=0), "empty: interleave is of type int: expected numbers of nodes"),
    (lambda: kinjo.empty(3, interleave=["0"]), "empty: interleave is of type str: expected an integer"),
    (lambda: kinjo.empty(3, team="scatter"), "empty: team is of type str: expected a kinjo.Team"),
    (lambda: kinjo.zeros(3, pages=3), "empty: pages is of type int: expected a str"),
    (lambda: kinjo.sum(ONES, mode=3), "sum: mode is of type int: expected a str"),
    (lambda: kinjo.dot(ONES, ONES, team=TABLE), "dot: team is of type Mapping: expected a kinjo.Team"),
    (lambda: kinjo.axpy("a", ONES, ONES), "axpy: a is of type str: expected a number"),
    (lambda: kinjo.scale(1j, ONES), "scale: a is of type complex: expected a number"),
    (lambda: kinjo.matmul(EYE, EYE, alpha="1"), "matmul: alpha is of type str: expected a number"),
    (lambda: kinjo.verify_matmul(EYE, EYE, EYE, seed=0.5), "verify_matmul: seed is of type float: expected an integer"),
    (lambda: kinjo.gemm_plan(2, 2, 1.5), "gemm_plan: k is of type float: expected an integer"),
    (lambda: kinjo.gemm_plan(2, 2, 2, orders=3), "gemm_plan: orders is of type int: expected a str"),
    (lambda: kinjo.graph.grid(2, 2, order=3), "grid: order is of type int: expected a str"),
    (lambda: kinjo.graph.Graph.from_edges([(0, 1)], 2.5), "'float' object cannot be interpreted as an integer"),
    (lambda: kinjo.sdp.solve(EYE, [EYE], [1.0], preset=3), "solve: preset is of type int: expected a str"),
]


@pytest.mark.parametrize(("call", "message"), WRONG)
def test_an_argument_of_another_kind_is_a_type_error_in_a_sentence(call, message):
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value) == message


LARGE = [
    (lambda: kinjo.mapping(threads=BEYOND), f"mapping: threads is {BEYOND}: expected {-2**63} to {2**63 - 1}"),
    (lambda: kinjo.pin("none", -BEYOND), f"pin: thread is {-BEYOND}: expected {-2**63} to {2**63 - 1}"),
    (lambda: kinjo.empty(3, node=FAR), f"empty: node is {FAR}: expected {-2**31} to {2**31 - 1}"),
    (lambda: kinjo.empty(3, interleave=[0, FAR]), f"empty: interleave is {FAR}: expected {-2**31} to {2**31 - 1}"),
    (lambda: kinjo.empty(3, chunk=-1), f"empty: chunk is -1: expected 0 to {2**64 - 1}"),
    (lambda: kinjo.verify_matmul(EYE, EYE, EYE, seed=FAR), f"verify_matmul: seed is {FAR}: expected 0 to {2**32 - 1}"),
    (lambda: kinjo.gemm_plan(BEYOND, 1, 1), f"gemm_plan: m is {BEYOND}: expected {-2**63} to {2**63 - 1}"),
    (lambda: kinjo.topology().distance(FAR, 0), f"distance: from_node is {FAR}: expected {-2**31} to {2**31 - 1}"),
    (lambda: kinjo.axpy(10**400, ONES, ONES), "axpy: a is beyond all doubles: expected a number that float64 has"),
    (lambda: kinjo.sdp.solve(EYE, [EYE], [1.0], tolerance=10**400),
     "solve: tolerance is beyond all doubles: expected a number that float64 has"),
]


@pytest.mark.parametrize(("call", "message"), LARGE)
def test_a_number_that_is_too_large_is_refused_as_a_value(refusal, call, message):
    assert refusal(call) == f"InvalidArgumentError: {message}"


def test_a_row_that_no_mapping_can_have_is_an_index_error():
    with pytest.raises(IndexError):
        TABLE[BEYOND]


def test_numbers_of_numpy_are_numbers():
    assert len(kinjo.mapping("none", np.int64(2))) == 2
    assert TABLE[np.int8(0)] == TABLE[-1]
    assert kinjo.empty(np.int64(3), node=np.int32(kinjo.where().node)).shape == (3,)
    x = ONES.copy()
    kinjo.scale(np.float32(2), x)
    kinjo.scale(True, x)
    assert x.tolist() == [2, 2, 2]


def test_what_an_argument_of_ones_own_raises_is_raised():
    class Broken:
        def __index__(self):
            raise KeyError("mine")

        __float__ = __index__

    with pytest.raises(KeyError, match="mine"):
        kinjo.mapping(threads=Broken())
    with pytest.raises(KeyError, match="mine"):
        kinjo.scale(Broken(), ONES)
