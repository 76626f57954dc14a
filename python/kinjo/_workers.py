"""Who computes: teams of threads that nobody made, those of ``workers=``, or the caller's own."""

import operator
import os
import threading
from typing import SupportsIndex

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


def worker_count(function: str, workers: SupportsIndex | None) -> int:
    """As scipy.fft counts them: -1 is every CPU that may be used, -2 one less."""
    if workers is None:
        return 1
    workers = operator.index(workers)
    cpus = len(os.sched_getaffinity(0))
    count = workers if workers > 0 else cpus + 1 + workers
    if workers == 0 or count < 1:
        raise refuse(function, f"workers is {workers}: expected -{cpus} to -1, or 1 and more")
    return min(count, cpus)


class _Turn:
    """A lock that lets its holder in again: the caller's own code may come here, as a function of edges or a
    signal's handler."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._depth = 0

    def __enter__(self) -> bool:
        """Whether it was not in already."""
        self._lock.acquire()
        self._depth += 1
        return self._depth == 1

    def __exit__(self, *raised: object) -> None:
        self._depth -= 1
        self._lock.release()


class Teams:
    """A team for each number of workers, and a lock: a team does one thing at a time."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self._lock = threading.RLock()
        self._teams: dict[int, tuple[Team, _Turn]] = {}

    def team(self, workers: int) -> tuple[Team, _Turn]:
        """One worker is placed by nobody."""
        if (known := self._teams.get(workers)) is not None:
            return known
        with self._lock:
            if workers not in self._teams:
                policy = "none" if workers == 1 else "scatter"
                self._teams[workers] = (Team(mapping(policy, workers)), _Turn())
            return self._teams[workers]

    def owns(self, team: Team) -> bool:
        return any(team is known for known, _ in self._teams.values())


teams = Teams()
os.register_at_fork(after_in_child=teams.clear)     # a team's threads stay with the parent


class WorkingTeam:
    """A team for one call of the extension, which no other caller uses meanwhile: the caller's own, or one of
    so many workers. One worker is whoever calls, and waits for nobody.

    No generator: those take a microsecond more to enter, and counts of small graphs ten."""

    def __init__(self, function: str, workers: SupportsIndex | None, team: Team | None) -> None:
        self._turn: _Turn | None = None
        if team is None:
            count = worker_count(function, workers)
            self._team, turn = teams.team(count)
            if count > 1:
                self._turn = turn
            return
        if workers is not None:
            raise refuse(function, "workers and team: expected one of them")
        if not isinstance(team, Team):
            raise TypeError(f"{function}: team is a {type(team).__name__}: expected a kinjo.Team")
        self._team = team

    def __enter__(self) -> Team:
        if self._turn is None or self._turn.__enter__():
            return self._team
        return teams.team(1)[0]         # it may be at work, for whom this call comes from

    def __exit__(self, *raised: object) -> None:
        if self._turn is not None:
            self._turn.__exit__(*raised)
