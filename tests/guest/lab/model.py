"""The cost model: the time of a memory-bound phase from its bytes and a machine's bandwidths.

With B[c, b] bytes moved between CPU c (on node a(c)) and the memory of node b, the phase takes as
long as the slowest of

  each CPU c       sum over b of B[c, b] / R[a(c), b]                   R: one CPU alone
  each limit l     sum over (a(c), b) in l of B[c, b] / C_l(k)          C: shared by k CPUs

where k is the number of CPUs that move at least ACTIVE of what the busiest CPU moves through l.
A CPU's accesses to different nodes follow one another; different CPUs work at the same time, all
from the phase's begin to its end; loaded and stored bytes cost the same.
"""

from dataclasses import dataclass

from .failure import USAGE, Failure

MIB = 1 << 20
ACTIVE = 0.01

ASSUMPTIONS = (
    "memory-bound: computing, synchronising and starting threads take no time",
    "a phase takes as long as its most loaded resource; the others hide behind it",
    "a CPU's accesses to different nodes follow one another, different CPUs work at once",
    "bytes loaded and bytes stored cost the same, whatever the order of the addresses",
    f"a CPU counts as a user of a limit from {ACTIVE:.0%} of the bytes of its busiest user",
)


@dataclass(frozen=True)
class Load:
    """What one resource has to move in a phase; `cpus` share `mib_s`."""

    kind: str
    name: str
    bytes: int
    cpus: int
    mib_s: float
    seconds: float


@dataclass(frozen=True)
class Traffic:
    """A phase's bytes: `by_cpu[cpu]` is (node of the CPU, {memory node: bytes})."""

    phase: str
    by_cpu: dict

    def bytes(self):
        """All of them."""
        return sum(sum(row.values()) for _, row in self.by_cpu.values())


def loads(profile, traffic):
    """Every resource that the phase uses, the slowest first."""
    found = [_of_cpu(profile, cpu, *traffic.by_cpu[cpu]) for cpu in traffic.by_cpu]
    found += [_of_limit(limit, traffic) for limit in profile.limits]
    return sorted(filter(None, found), key=lambda load: -load.seconds)


def _of_cpu(profile, cpu, node, row):
    used = {memory: amount for memory, amount in row.items() if amount}
    for memory in used:
        if (node, memory) not in profile.thread_mib_s:
            raise Failure(
                USAGE,
                f"profile {profile.machine}: thread_mib_s says nothing of a CPU of node {node} "
                f"and the memory of node {memory}, and the counts have bytes there",
            )
    total = sum(used.values())
    if not total:
        return None
    seconds = sum(b / MIB / profile.thread_mib_s[node, memory] for memory, b in used.items())
    return Load("cpu", f"cpu {cpu}", total, 1, total / MIB / seconds, seconds)


def _of_limit(limit, traffic):
    through = [
        sum(amount for memory, amount in row.items() if (node, memory) in limit.pairs)
        for node, row in traffic.by_cpu.values()
    ]
    total = sum(through)
    if not total:
        return None
    cpus = sum(amount >= ACTIVE * max(through) for amount in through)
    mib_s = limit.mib_s(cpus)
    if mib_s is None:
        return None
    return Load(limit.kind, limit.name, total, cpus, mib_s, total / MIB / mib_s)
