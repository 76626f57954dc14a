"""What type checkers make of kinjo; test_types.py gives it to mypy --strict, nobody runs it."""

import array
from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

import kinjo


def placement() -> None:
    machine = kinjo.topology("synthetic:numa:2 core:2 pu:1")
    table = kinjo.mapping("scatter", 4, topology=machine)
    assert_type(machine.nodes[0].distances, dict[int, int])
    assert_type([place.cpu for place in table], list[int])
    with kinjo.pin(table, 1, bind="core") as me:
        assert_type(me, kinjo.Place)
    with kinjo.Team(table) as team:
        assert_type(team.run(lambda place: place.node), list[int])
    assert_type(kinjo.where().node, int)
    one = np.int64(1)
    assert_type(kinjo.mapping("none", one)[one], kinjo.Place)
    kinjo.pin(table, one)
    assert_type(machine.distance(one, np.int32(0)), int | None)
    table[0].cpu = 3  # type: ignore[misc]
    kinjo.pin(3)  # type: ignore[call-overload]


def memory(team: kinjo.Team) -> None:
    x = kinjo.empty((2, 3), np.float32, node=0, pages="transparent")
    assert_type(x, NDArray[Any])
    kinjo.zeros((np.int64(2), 3), interleave=np.array([0]), chunk=np.int64(3))
    assert_type(kinjo.audit(x).on(np.int64(0)), int)
    assert_type(kinjo.audit(x).asked, dict[int, kinjo.Audit])
    kinjo.zeros(5, team=team, partition="rows")  # type: ignore[arg-type]


def blas1(team: kinjo.Team) -> None:
    x = np.ones(3)
    assert_type(kinjo.dot(x, array.array("d", [1, 2, 3]), mode="reproducible", team=team), float)
    assert_type(kinjo.max_abs_index(memoryview(b"")), int | None)
    kinjo.axpy(0.5, x, x, mode="reproducible", team=team)
    kinjo.axpy(0.5, x, x, mode="exact")  # type: ignore[arg-type]
    kinjo.sum([1.0, 2.0])  # type: ignore[arg-type]
    kinjo.sum(x, mode="exact")  # type: ignore[arg-type]


def matmul(team: kinjo.Team) -> None:
    a = np.ones((3, 4), np.float32)
    plan = kinjo.gemm_plan(3, 3, 4, dtype=np.float32, team=team, text="N/C/P//S")
    assert_type(kinjo.matmul(a, memoryview(b""), team=team, plan=plan), NDArray[Any])
    shown = memoryview(b"")
    assert_type(kinjo.matmul(a, a.T, plan="V", out=shown, beta=1), memoryview)
    assert_type(kinjo.gemm_plan(np.int64(3), 3, 4) == 3, bool)
    kinjo.verify_matmul(a, a.T, a, seed=np.int64(3))
    assert_type(plan.bytes_moved, dict[str, float])
    assert_type([loop.block for loop in plan.loops], list[int])
    assert_type(kinjo.verify_matmul(a, a.T, a).fault, str)
    kinjo.matmul([[1.0]], a)  # type: ignore[call-overload]
    kinjo.matmul(a, a, plan=3)  # type: ignore[call-overload]
    kinjo.matmul(a, a, beta=1)  # type: ignore[call-overload]


def graphs(team: kinjo.Team) -> None:
    graph = kinjo.graph.Graph.from_edges([(0, 1)], order="degree", team=team)
    assert_type(kinjo.graph.bfs(graph, np.int64(0)), NDArray[Any])
    kinjo.graph.grid(np.int64(3), np.int64(4), seeds=(np.int64(1), 2), workers=np.int64(2))
    kinjo.graph.bfs(graph, 0, dtype=None)
    parents, depths = kinjo.graph.bfs(([0, 1, 2], [1, 0]), 0, return_depths=True, workers=2)
    assert_type(depths, NDArray[np.int32])
    assert_type(graph.neighbours(0), NDArray[np.uint32] | NDArray[np.int64])
    assert_type(kinjo.graph.read("a.b64", listed=True).ids, NDArray[np.int64] | None)
    kinjo.graph.bfs(3, 0)  # type: ignore[call-overload]
    kinjo.graph.grid(3, 3, order="random")  # type: ignore[arg-type]


def transforms() -> None:
    x = np.ones((4, 6))
    assert_type(kinjo.fft.fft(x, np.int64(3), np.int64(0), workers=np.int64(2)), NDArray[Any])
    assert_type(kinjo.fft.rfftn(x, s=(np.int64(4), None), axes=(np.int64(0), 1)), NDArray[Any])


def path_sets(team: kinjo.Team) -> None:
    square = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]
    assert_type(kinjo.paths.count(square, "a", "c", avoid=["b"], team=team), int)
    assert_type(kinjo.paths.count("grid:2", by_length=True, kind="cycle"), list[int])
    assert_type(kinjo.paths.count(square, "a", "c", weights={("a", "b"): 0.5}), float)
    paths = kinjo.paths.paths(square, "a", "c", memory_limit=1 << 20, workers=2)
    assert_type(paths | kinjo.paths.cycles(square, order=paths), kinjo.paths.PathSet)
    assert_type([len(member) for member in paths], list[int])
    assert_type(paths.min(lambda edge: 1.0), tuple[tuple[tuple[Any, ...], ...], float] | None)
    assert_type(kinjo.paths.survey(square, "a", "c").node_bytes, int)
    kinjo.paths.forests(square, spill="spilled")
    assert_type(kinjo.paths.count(square, memory_limit=1 << 20, spill="spilled"), int)
    assert_type(paths.sample(np.int64(3), np.int64(1)), list[tuple[tuple[Any, ...], ...]])
    few = np.int64(2)
    kinjo.paths.count(square, kind="components", components=few, memory_limit=few << 20, workers=few)
    kinjo.paths.with_degrees(square, np.arange(3), workers=few)
    kinjo.paths.survey(square, kind="degrees", degrees=[few], memory_limit=few << 20)
    kinjo.paths.count(square, kind="circle")  # type: ignore[call-overload]
    kinjo.paths.spanning_trees(square, worker=2)  # type: ignore[call-arg]
    paths | 3  # type: ignore[operator]


def programs(team: kinjo.Team) -> None:
    found = kinjo.sdp.solve(np.eye(2), [np.eye(2)], [1.0], team=team, preset="fast", tolerance=1e-6)
    assert_type(found, kinjo.sdp.Result)
    assert_type(found.y, NDArray[Any])
    assert_type([line.mu for line in found.table], list[float])
    assert_type(kinjo.sdp.solve_file("a.dat-s", workers=2), kinjo.sdp.SdpaResult)
    assert_type(kinjo.sdp.read("a.dat-s").b, NDArray[Any])
    kinjo.sdp.solve(np.eye(2), [np.eye(2)], [1.0], max_iteration=np.int64(9), memory_limit=np.int64(1 << 30))
    kinjo.sdp.solve(np.eye(2), [np.eye(2)], [1.0], preset="quick")  # type: ignore[arg-type]
    kinjo.sdp.solve(np.eye(2), [np.eye(2)], [1.0], worker=2)  # type: ignore[call-arg]


def errors() -> str:
    try:
        kinjo.topology("nowhere")
    except kinjo.NotFoundError as error:
        assert_type(error.code, str)
        return error.code
    return ""
