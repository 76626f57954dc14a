"""kinjo.paths: memory limits are kept, Ctrl-C ends what takes long, and other threads run meanwhile."""

import gc
import os
import re
import signal
import threading
import time

import pytest

from kinjo import paths as P


def test_memory_limits_are_kept(refusal):
    assert refusal(P.count, "king:8", memory_limit=1 << 20).startswith(
        "OutOfMemoryError: counting takes more memory than the limit of 1 MiB: at edge ")
    assert refusal(P.count, "grid:12", by_length=True, memory_limit=1 << 20).startswith(
        "OutOfMemoryError: counting takes more memory than the limit of 1 MiB: at edge ")
    assert re.fullmatch(
        "OutOfMemoryError: counting the paths of a grid of 15 × 15 squares takes [0-9.]+ MiB: 1 MiB "
        "may be used", refusal(P.count, "grid:15", memory_limit=1 << 20))
    assert refusal(P.paths, "grid:12", memory_limit=1 << 20).startswith(
        "OutOfMemoryError: the diagram takes more memory than the limit of 1 MiB: its nodes up to edge ")


@pytest.fixture
def ctrl_c():
    """Calls a function, whom Ctrl-C must end."""

    def call(function, *arguments, **named):
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        begun = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            function(*arguments, **named)
        assert time.monotonic() - begun < 30
        timer.join()

    return call


@pytest.mark.parametrize(("function", "graph"), [
    (P.count, "king:10"), (P.count, "grid:12x4000"), (P.paths, "grid:17")])
def test_ctrl_c_ends_counting_and_making(ctrl_c, function, graph, team):
    """All of them would take minutes."""
    ctrl_c(function, graph, team=team)
    assert function("grid:2", team=team) is not None        # the team works on


def test_ctrl_c_ends_drawing(ctrl_c):
    forests = P.forests("grid:9")
    gc.disable()            # hypothesis watches collections in Python, where Ctrl-C would be lost
    try:
        ctrl_c(forests.sample, 1_000_000)
    finally:
        gc.enable()
    assert len(forests.sample(1)) == 1


def test_other_threads_run_while_members_are_drawn(others_run):
    forests = P.forests("grid:9")
    with others_run():
        assert len(forests.sample(5000, seed=1)) == 5000


def test_more_members_than_fit_the_memory_are_not_begun(refusal):
    forests = P.forests("grid:9")
    assert re.fullmatch(
        r"OutOfMemoryError: sample: 1000000000000 members take about 7\.3e\+05 GiB: [0-9.e+]+ GiB may be "
        r"taken", refusal(forests.sample, 10**12))
    assert "members take about" in refusal(forests.sample, 2**64 - 1)


def test_other_threads_run_meanwhile():
    ticks = []
    counting = threading.Thread(target=lambda: ticks.append(P.count("grid:14")))
    counting.start()
    while counting.is_alive() and len(ticks) < 10:
        time.sleep(0.001)
        ticks.insert(0, None)
    counting.join()
    assert ticks[-1] == 227449714676812739631826459327989863387613323440 and len(ticks) > 3


def test_several_threads_take_turns():
    found = []
    threads = [threading.Thread(target=lambda: found.append(P.count("grid:5", workers=2)))
               for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [1262816] * 4
