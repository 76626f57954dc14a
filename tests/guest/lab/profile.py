"""A machine's bandwidths (kinjo-lab-profile/1), measured or taken from a paper.

A limit is a set of pairs (node of the CPU, node of the memory) that share one capacity:

  memory     one for each memory node b: all pairs (*, b)
  initiator  one for each CPU node a: all pairs (a, *)
  link       one for each node n: the pairs that cross its border, (a, n) and (n, b)
  system     one: all pairs
  path       one: the pairs that the profile lists

Its capacity is a number, or a table by how many CPUs use it: {"1": 1082, "2": 789} is 1082 for one
CPU and 789 for two or more; below the smallest key there is no limit.
"""

from dataclasses import dataclass

from .fields import Field

SCHEMA = "kinjo-lab-profile/1"
KINDS = ("memory", "initiator", "link", "system", "path")


@dataclass(frozen=True)
class Limit:
    """What the pairs in `pairs` share: `capacity[k]` MiB/s once k or more CPUs use it."""

    kind: str
    name: str
    pairs: frozenset
    capacity: dict

    def mib_s(self, cpus):
        """The capacity for that many CPUs; None where there is no limit."""
        reached = [threshold for threshold in self.capacity if threshold <= cpus]
        return self.capacity[max(reached)] if reached else None


@dataclass(frozen=True)
class Profile:
    """`thread_mib_s[a, b]`: what one CPU of node a, alone, moves to or from the memory of node b."""

    machine: str
    about: str
    nodes: tuple
    thread_mib_s: dict
    limits: tuple
    assumptions: tuple


def read(path):
    """The profile in a file, or a Failure that names the field."""
    whole = Field.of_file(path, SCHEMA)
    nodes = tuple(item.whole() for item in whole.member("nodes").items())
    if not nodes or len(set(nodes)) != len(nodes):
        whole.member("nodes").wrong("different node numbers, at least one")
    limits = [limit for entry in whole.member("limits").items() for limit in _limits(entry, nodes)]
    return Profile(
        whole.member("machine").text(),
        whole.member("about").text(),
        nodes,
        _thread_rates(whole.member("thread_mib_s"), nodes),
        tuple(limits),
        tuple(whole.member("assumptions").texts()),
    )


def _thread_rates(field, nodes):
    """Null stands for a pair that no CPU uses, as the row of a node without CPUs."""
    rates = {}
    for a, row in zip(nodes, field.items(len(nodes))):
        for b, cell in zip(nodes, row.items(len(nodes))):
            if cell.value is not None:
                rates[a, b] = cell.rate()
    return rates


def _limits(entry, nodes):
    """One entry of the profile: a limit, or one for each node."""
    kind = entry.member("limit").one_of(KINDS)
    capacity = _capacity(entry.member("mib_s"))
    if kind == "system":
        return [Limit(kind, kind, frozenset((a, b) for a in nodes for b in nodes), capacity)]
    if kind == "path":
        name = f"path {entry.member('name').text()}"
        return [Limit(kind, name, _pairs(entry.member("pairs"), nodes), capacity)]
    chosen = nodes
    if not entry.missing("nodes"):
        chosen = [item.one_of(nodes) for item in entry.member("nodes").items()]
    return [Limit(kind, f"{kind} {n}", _around(kind, n, nodes), capacity) for n in chosen]


def _capacity(field):
    if not isinstance(field.value, dict):
        return {1: field.rate()}
    table = {}
    for cpus, rate in field.members():
        if not cpus.isdecimal() or int(cpus) < 1:
            field.wrong('MiB/s by number of CPUs, as {"1": 1082, "2": 789}')
        table[int(cpus)] = rate.rate()
    return table or field.wrong("at least one number of CPUs")


def _pairs(field, nodes):
    ends = [[end.one_of(nodes) for end in item.items(2)] for item in field.items()]
    return frozenset(map(tuple, ends))


def _around(kind, node, nodes):
    if kind == "memory":
        return frozenset((a, node) for a in nodes)
    if kind == "initiator":
        return frozenset((node, b) for b in nodes)
    others = [n for n in nodes if n != node]
    return frozenset([(n, node) for n in others] + [(node, n) for n in others])
