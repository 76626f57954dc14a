"""Teams of Python threads, in one process and across a fork."""

import gc
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import kinjo


def test_run_returns_what_each_thread_returned(team):
    assert team.run(lambda place: place) == list(team.mapping)
    assert len(team) == 3
    assert team.run(lambda place: kinjo.where()) == list(team.mapping)


def test_barriers_let_nobody_pass_early(team):
    arrived = []

    def work(place):
        arrived.append(place.thread)
        team.barrier()
        return len(arrived)

    assert team.run(work) == [3, 3, 3]
    assert team.run(lambda place: team.node_barrier()) == [None] * 3


def test_barriers_know_a_thread_that_has_pinned_itself(team):
    many = kinjo.mapping("scatter", 500, oversubscribe=True)

    def work(place):
        with kinjo.pin(many, 499):
            team.barrier()
            team.node_barrier()
            return kinjo.where().thread

    assert team.run(work) == [499] * 3


def test_what_a_function_pins_and_leaves_ends_with_it(team):
    def affinity(place):
        return os.sched_getaffinity(0)

    def leave(place):
        pins[place.thread] = kinjo.pin("scatter", 0)
        kinjo.pin(pins[place.thread].place)
        with kinjo.pin("none"):
            return kinjo.where().thread

    pins, before = [None] * 3, team.run(affinity)
    assert team.run(leave) == [0] * 3
    assert team.run(affinity) == before
    assert team.run(lambda place: kinjo.where()) == list(team.mapping)
    for pin in pins:
        pin.undo()  # which is done already, also for another thread
        assert pin.place.cpu == team.mapping[0].cpu
    with pytest.raises(KeyError):
        team.run(lambda place: (kinjo.pin("scatter", 0), {}["no"]))
    assert team.run(affinity) == before


def test_the_first_exception_is_raised_and_the_team_stays_usable(team):
    def work(place):
        if place.thread == 1:
            raise KeyError("thread 1")
        team.barrier()

    with pytest.raises(KeyError, match="thread 1"):
        team.run(work)
    assert team.run(lambda place: place.thread) == [0, 1, 2]


def test_calls_at_the_wrong_moment_are_refused(team, refusal):
    assert refusal(lambda: team.run(lambda place: team.run(print))) == (
        "UsageError: Team::run was called inside the team's own function"
    )
    assert refusal(team.barrier) == (
        "UsageError: a team's barrier can only be met inside its run()"
    )
    assert refusal(lambda: team.run(lambda place: team.close())) == (
        "UsageError: a team cannot be closed inside its run()"
    )
    with kinjo.Team("scatter") as short:
        pass
    assert refusal(short.run, print) == "UsageError: the team is closed"
    assert refusal(kinjo.sum, np.ones(3), team=short) == "UsageError: the team is closed"


def test_a_team_that_is_closed_at_work_ends_its_work():
    team = kinjo.Team(kinjo.mapping("scatter", 2, oversubscribe=True))
    started, results = threading.Event(), []

    def work(place):
        started.set()
        time.sleep(0.2)
        return place.thread

    caller = threading.Thread(target=lambda: results.extend(team.run(work)))
    caller.start()
    started.wait()
    team.close()
    caller.join()
    assert results == [0, 1]


def run_python(program):
    """What a program prints, all of it, and how it ends."""
    result = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "ignore::DeprecationWarning", "-c", "import kinjo, os, sys, threading, time\n" + program],
        capture_output=True, text=True, timeout=100, check=False)
    return result.stdout + result.stderr, result.returncode


@pytest.mark.parametrize("work", [
    "kinjo.sum(x)",
    "kinjo.dot(x, x, team=team)",
    "team.run(lambda place: sum(range(1000)))",
    "kinjo.paths.count('grid:9', kind='cycle')",
    "kinjo.paths.count('grid:9', kind='cycle', workers=2)",
])
def test_a_daemon_thread_in_kinjo_does_not_abort_a_process_that_ends(work):
    assert run_python(f"""
import numpy as np
x, team = np.ones(1 << 20), kinjo.Team(kinjo.mapping("none", 2))
def forever():
    while True:
        {work}
threading.Thread(target=forever, daemon=True).start()
time.sleep(0.2)
print("the end")
""") == ("the end\n", 0)


def test_after_a_fork_a_team_is_refused_and_everything_else_works():
    printed, status = run_python("""
team = kinjo.Team()
array = kinjo.empty(100000, team=team)
array[:] = 1
child = os.fork()
if child == 0:
    try:
        team.run(print)
    except kinjo.UsageError as error:
        print(error)
    with kinjo.Team("scatter") as other:
        print(kinjo.sum(array), kinjo.sum(array, team=other))
    team.close()
    sys.exit(3)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), kinjo.sum(array, team=team))
""")
    assert printed.splitlines() == [
        "the team's threads stayed in the process that made it: make a team after the fork",
        "100000.0 100000.0",
        "3 100000.0",
    ]
    assert status == 0


@pytest.mark.parametrize(
    "left",
    [
        "kept = kinjo.Team(), kinjo.empty(1000, node=kinjo.where().node)",
        "class Loop: pass\nloop = Loop()\nloop.self = loop\nloop.team = kinjo.Team()",
        "kinjo.pin()",
        "team = kinjo.Team()\nthreading.Thread(daemon=True, target=lambda: team.run("
        "lambda place: time.sleep(100))).start()\ntime.sleep(0.3)",
    ],
    ids=["a team and an array", "a circle", "a pin", "a team at work"],
)
def test_an_interpreter_that_ends_with_things_alive_says_nothing(left):
    assert run_python(left) == ("", 0)


def test_a_team_that_is_dropped_ends_its_threads():
    def threads():
        return len(os.listdir("/proc/self/task"))

    before = threads()
    one = kinjo.Team(kinjo.mapping("scatter", 4, oversubscribe=True))
    assert threads() == before + 4
    del one
    gc.collect()
    assert threads() == before
