"""Arrays on chosen nodes: where their pages are, and when they go."""

import gc
import re
import weakref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kinjo

NODE = kinjo.where().node
DTYPES = ["?", "i1", "u2", "i4", "f4", "f8", "c16", ">f8"]


def resident_bytes():
    with open("/proc/self/statm", encoding="ascii") as statm:
        return int(statm.read().split()[1]) * 4096


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("how", ["node", "interleave", "team", "anywhere"])
def test_arrays_are_zeros_of_their_shape_and_type(team, how, dtype):
    named = {"node": NODE, "interleave": [NODE], "team": team}
    array = kinjo.empty((3, 1000), dtype, **({how: named[how]} if how in named else {}))
    assert array.shape == (3, 1000)
    assert array.dtype == np.dtype(dtype)
    assert array.flags.c_contiguous and array.flags.writeable and array.flags.aligned
    assert not array.any()
    array[:] = 1
    assert array.all()


def test_structures_have_places_too():
    pair = np.dtype([("key", "i8"), ("value", "f4", 3)])
    array = kinjo.zeros(100, pair, node=NODE)
    array["value"] = 2
    assert array["value"].sum() == 600


@pytest.mark.parametrize("layout", ["block", "cyclic", "block_cyclic"])
def test_pages_lie_where_the_partition_asks(team, layout):
    chunk = {"chunk": 1000} if layout == "block_cyclic" else {}
    array = kinjo.empty(100_000, team=team, partition=layout, **chunk)
    audit = kinjo.audit(array)
    assert audit.pages == audit.as_asked == -(-800_000 // audit.page_bytes)
    assert audit.by_node == {NODE: audit.pages}
    assert audit.asked[NODE].by_node == audit.by_node
    assert str(audit) == f"{audit.pages} pages: {audit.pages} on node {NODE}; " \
                         f"{audit.pages} where they were asked"
    assert kinjo.placement(array).rung == "bound"
    assert kinjo.placement(array[::3]).message == ""


@settings(max_examples=50)
@given(st.integers(0, 5000), st.integers(0, 5000), st.sampled_from([1, 2, 7, -1, -3]))
def test_an_audit_counts_the_pages_that_a_view_touches(begin, end, step):
    whole = kinjo.zeros(5000, "f8", node=NODE)
    whole[:] = 1
    view = whole[begin:end][::step]
    first = whole.ctypes.data // 4096
    pages = {whole[i:].ctypes.data // 4096 - first for i in range(5000)[begin:end][::step]}
    expected = max(pages) - min(pages) + 1 if pages else 0
    audit = kinjo.audit(view)
    assert audit.pages == audit.on(NODE) == audit.as_asked == expected


def test_an_audit_of_foreign_memory_asks_for_nothing():
    array = np.ones(10_000)
    assert kinjo.audit(array).asked == {}
    assert kinjo.audit(array).on(NODE) >= 19
    assert kinjo.audit(memoryview(array)).pages == kinjo.audit(array).pages
    assert str(kinjo.audit(array[:0])) == "0 pages"
    untouched = kinjo.empty(10_000, node=NODE)
    assert kinjo.audit(untouched).not_present == kinjo.audit(untouched).pages


def test_memory_lives_as_long_as_the_last_view():
    array = kinjo.zeros(16_000_000, node=NODE)
    array[:] = 1
    owner = array.base
    assert isinstance(owner, kinjo.Memory)
    filled = resident_bytes()
    view = array[15_999_999:]
    del array, owner
    gc.collect()
    assert view[0] == 1
    assert resident_bytes() > filled - 64_000_000
    del view
    gc.collect()
    assert resident_bytes() < filled - 100_000_000


def test_memory_is_freed_through_every_protocol():
    array = kinjo.empty(1000, node=NODE)
    gone = weakref.ref(array)
    shown = memoryview(array)
    through_dlpack = np.from_dlpack(array)
    del array
    shown[3] = 5
    assert through_dlpack[3] == 5
    del shown, through_dlpack
    gc.collect()
    assert gone() is None


def test_huge_pages_are_asked_for():
    array = kinjo.zeros(1 << 20, node=NODE, pages="transparent")
    assert kinjo.placement(array).pages == "transparent"
    assert repr(kinjo.placement(array)) == "<kinjo.Placement bound, transparent pages>"


NO_NODE = max(n.node for n in kinjo.topology().nodes) + 3
REFUSALS = [
    (dict(shape=5, node=NO_NODE),
     f"NotFoundError: cannot allocate on node {NO_NODE}: it does not exist; expected "),
    (dict(shape=5, interleave=[NO_NODE]), f"NotFoundError: no node {NO_NODE} on this machine"),
    (dict(shape=5, interleave=[0, 2**31 - 1]), "NotFoundError: no node 2147483647 on this machine"),
    (dict(shape=5, interleave=[-1]), "NotFoundError: no node -1 on this machine"),
    (dict(shape=5, node=0, interleave=[0]),
     "InvalidArgumentError: empty: node=, interleave= and team= exclude each other: expected one of "
     "them"),
    (dict(shape=5, partition="block"),
     "InvalidArgumentError: empty: partition= needs team=, whose threads own the parts"),
    (dict(shape=5, pages="gigantic"),
     "InvalidArgumentError: empty: pages='gigantic': expected normal, transparent or huge"),
    (dict(shape=5, dtype=object),
     "InvalidArgumentError: empty: elements of object: expected numbers or structures of numbers"),
    (dict(shape=(2, -1)), "InvalidArgumentError: empty: a shape of -1: expected 0 or more"),
    (dict(shape=0), "InvalidArgumentError: .*0 bytes"),
    (dict(shape=(1 << 40, 1 << 40)),
     "OutOfMemoryError: an array of that many elements exceeds the address space"),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSALS)
def test_what_cannot_be_allocated_is_refused(refusal, arguments, message):
    assert re.match(message, refusal(kinjo.empty, **arguments))


def test_what_a_team_cannot_own_is_refused(team, refusal):
    invalid = "InvalidArgumentError: empty: "
    assert refusal(kinjo.empty, 9, "c8,f4", team=team) == (
        invalid + "elements of 12 bytes over a team: expected 1, 2, 4, 8 or 16")
    assert refusal(kinjo.empty, 9, team=team, partition="rows") == (
        invalid + "partition='rows': expected block, cyclic or block_cyclic")
    assert refusal(kinjo.empty, 9, team=team, partition="block_cyclic") == (
        invalid + "partition='block_cyclic' and chunk= belong together")


def test_the_placement_of_foreign_memory_is_not_known(refusal):
    assert refusal(kinjo.placement, np.ones(3)) == (
        "InvalidArgumentError: placement: the array is not in memory that kinjo.empty() made")
    assert refusal(kinjo.audit, "text") == (
        "InvalidArgumentError: audit: the argument is a str: expected an array")
