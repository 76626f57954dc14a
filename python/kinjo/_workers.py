"""Who computes: teams of threads that nobody made, those of ``workers=``, or the caller's own."""

import contextlib
import operator
import os
import threading
from typing import Any, SupportsIndex, TypeAlias

from kinjo._kinjo import InvalidArgumentError, Team, mapping


def refuse(function: str, text: str) -> InvalidArgumentError:
    """The error of a function's argument."""
    return InvalidArgumentError(f"{function}: {text}")


def whole(function: str, what: str, value: SupportsIndex, expected: str, least: int = 0) -> int:
    """A number from the least on that the extension can take."""
    number = operator.index(value)
    if number < least:
        raise refuse(function, f"{what} is {number}: expected {expected}")
    if number >= 2**64:
        raise refuse(function, f"{what} is 2^64 or more: expected {expected}, below that")
    return number


def worker_count(function: str, workers: int | None) -> int:
    """As scipy.fft counts them: -1 is every CPU that may be used, -2 one less."""
    if workers is None:
        return 1
    workers = operator.index(workers)
    cpus = len(os.sched_getaffinity(0))
    count = workers if workers > 0 else cpus + 1 + workers
    if workers == 0 or count < 1:
        raise refuse(function, f"workers is {workers}: expected -{cpus} to -1, or 1 and more")
    return min(count, cpus)


_Lock: TypeAlias = contextlib.AbstractContextManager[Any]


class Teams:
    """A team for each number of workers, and a lock: a team does one thing at a time."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self._lock = threading.RLock()
        self._teams: dict[int, tuple[Team, _Lock]] = {}

    def team(self, workers: int) -> "tuple[Team, _Lock]":
        """One worker is placed by nobody. Locks let their holder in again: the caller's own code may come
        here, as a function of edges or a signal's handler."""
        with self._lock:
            if workers not in self._teams:
                policy = "none" if workers == 1 else "scatter"
                self._teams[workers] = (Team(mapping(policy, workers)), threading.RLock())
            return self._teams[workers]

    def owns(self, team: Team) -> bool:
        return any(team is known for known, _ in self._teams.values())


teams = Teams()
os.register_at_fork(after_in_child=teams.clear)     # a team's threads stay with the parent


def team_of(function: str, workers: int | None, team: Team | None) -> tuple[Team, _Lock]:
    """The caller's own team, or one of so many workers and the lock by which callers take turns."""
    if team is None:
        return teams.team(worker_count(function, workers))
    if workers is not None:
        raise refuse(function, "workers and team: expected one of them")
    if not isinstance(team, Team):
        raise TypeError(f"{function}: team is a {type(team).__name__}: expected a kinjo.Team")
    return team, contextlib.nullcontext()


class WorkingTeam:
    """What ``team_of`` gives for one call of the extension, which no other caller uses meanwhile.

    No generator: those take a microsecond more to enter, and counts of small graphs ten."""

    def __init__(self, function: str, workers: int | None, team: Team | None) -> None:
        self._team, self._lock = team_of(function, workers, team)
        if team is None and len(self._team) == 1:       # the extension then works in the calling thread
            self._lock = contextlib.nullcontext()

    def __enter__(self) -> Team:
        self._lock.__enter__()
        return self._team

    def __exit__(self, *raised: Any) -> None:
        self._lock.__exit__(*raised)
