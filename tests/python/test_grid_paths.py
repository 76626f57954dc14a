"""kinjo.paths.count: a grid's paths from corner to corner have a way of their own, and nothing else takes it."""

import pytest

from kinjo import paths as P


def test_a_grids_paths_from_corner_to_corner_have_a_way_of_their_own(team):
    assert P.count("grid:16") == 68745445609149931587631563132489232824587945968099457285419306
    for graph, s, t in (("grid:5x3", None, None), ("grid:5x3", 23, 0), ("grid:5x3", 3, 20),
                        ("grid:5x3", 20, 3), ("grid:1", None, None), ("grid:1", 1, 2)):
        other = P.paths(graph, s, t).count
        for named in ({}, {"workers": 2}, {"team": team}, {"order": "given"}, {"memory_limit": 1 << 24}):
            assert P.count(graph, s, t, **named) == other > 0


@pytest.mark.parametrize("named", [
    {"s": 1}, {"t": 22}, {"s": 20, "t": 20}, {"through": [9]}, {"avoid": [9]}, {"kind": "hamiltonian"},
    {"kind": "cycle"}, {"kind": "components", "components": 3}, {"kind": "degrees", "degrees": [0, 2]},
    {"by_length": True}, {"weights": lambda edge: 1}, {"order": P.forests("grid:5x3")}])
def test_no_other_sets_of_a_grid_take_it(named):
    edges = P.forests("grid:5x3", order="given").edges
    if named.get("kind", "path") == "path":
        named = {"s": 0, "t": 23, **named}
    assert P.count("grid:5x3", **named) == P.count(edges, **named)


def test_a_disk_takes_what_a_grids_own_way_has_no_room_for(tmp_path, refusal):
    limit = 1 << 18
    assert refusal(P.count, "grid:11", memory_limit=limit).startswith(
        "OutOfMemoryError: counting the paths of a grid of 11 × 11 squares takes ")
    assert refusal(P.count, "grid:15x2", memory_limit=100).startswith(
        "OutOfMemoryError: counting the paths of a grid of 15 × 2 squares takes ")
    ways = P.count("grid:11", memory_limit=limit, spill=tmp_path)
    assert ways == P.count("grid:11") == 182413291514248049241470885236
    assert not list(tmp_path.iterdir())
