"""The machines of the laboratory, as data.

A shape says which CPUs and how much memory each node has, how far the nodes are apart, and how
the CPUs are grouped in packages and cores.  CPU numbers are QEMU's, which count threads fastest,
then cores, then packages; Linux numbers the CPUs that are present in the same order.

APIC note: QEMU 7.2 delivers interrupts in logical mode only up to the first empty slot, and Linux
uses that mode up to 8 possible CPUs.  A machine with empty slots must therefore have more.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Hmat:
    """Latency in ns and bandwidth in MB/s, [initiator node][target node]; None: no initiator."""

    latency_ns: tuple
    bandwidth_mb: tuple


@dataclass(frozen=True)
class Shape:
    """One machine: `cpus[n]` are the CPUs of node n, `distances[n][m]` its SLIT."""

    name: str
    about: str
    packages: int
    cores: int
    threads: int
    cpus: tuple
    distances: tuple
    memoryless: tuple = ()
    absent: tuple = ()  # CPUs that could be plugged in and are not
    offline: tuple = ()  # CPUs (Linux's numbers) switched off before the command runs
    hmat: Hmat | None = None
    initiators: dict = field(default_factory=dict)  # memory-only node: its nearest CPU node
    node_mib: int = 512  # above 512 MiB in all, or Linux switches transparent huge pages off

    @property
    def slots(self):
        """How many CPUs the machine could hold."""
        return self.packages * self.cores * self.threads

    def memory_mib(self, node, per_node=None):
        """Memory of a node, where every node that has memory may be given another size."""
        return 0 if node in self.memoryless else per_node or self.node_mib

    def with_memory(self):
        """The nodes that have memory."""
        return [node for node in range(len(self.cpus)) if node not in self.memoryless]

    def present(self):
        """QEMU's CPU numbers in the order in which Linux numbers them."""
        return [cpu for cpu in range(self.slots) if cpu not in self.absent]

    def linux_cpus(self):
        """For every node that Linux brings online, its online CPUs by Linux's numbers."""
        linux = {cpu: number for number, cpu in enumerate(self.present())}
        seen = {}
        for node, cpus in enumerate(self.cpus):
            here = [linux[cpu] for cpu in cpus if cpu in linux]
            if here or node not in self.memoryless:
                seen[node] = [cpu for cpu in here if cpu not in self.offline]
        return seen


def blocks(nodes, each):
    """CPUs dealt in blocks: node 0 has the first `each` CPUs, and so on."""
    return tuple(tuple(range(n * each, (n + 1) * each)) for n in range(nodes))


def uniform(nodes, remote):
    """Distances of a machine where every other node is equally far."""
    return tuple(tuple(10 if a == b else remote for b in range(nodes)) for a in range(nodes))


def by_pairs(nodes, near, pairs):
    """Distances: `near`, but for the unordered pairs named in `pairs`."""

    def distance(a, b):
        return 10 if a == b else pairs.get((min(a, b), max(a, b)), near)

    return tuple(tuple(distance(a, b) for b in range(nodes)) for a in range(nodes))


def snc(packages, per_package):
    """Distances under sub-NUMA clustering: 12 within a package, 21 between packages."""
    nodes = range(packages * per_package)
    return tuple(
        tuple(10 if a == b else 12 if a // per_package == b // per_package else 21 for b in nodes)
        for a in nodes
    )


# Two CPU nodes, and a large, slow third one without CPUs (memory behind CXL).
EXPANDER = ((10, 21, 14), (21, 10, 24), (14, 24, 10))

ALL = (
    Shape(
        "sandybridge4",
        "S1: four Xeon E5-4640 packages, 8 cores each, two threads a core",
        4, 8, 2, blocks(4, 16), uniform(4, 21),
    ),
    Shape(
        "opteron4",
        "S0: four Opteron 8356, a square; nodes 1-2 and 0-3 are the far pairs (1 : 1.3 : 1.6)",
        4, 4, 1, blocks(4, 4), by_pairs(4, 13, {(1, 2): 16, (0, 3): 16}),
    ),
    Shape(
        "azusa",
        "S2: NEC AzusA, four cells of two Itanium on a crossbar (200 ns and 300 ns)",
        4, 2, 1, blocks(4, 2), uniform(4, 15),
    ),
    Shape(
        "snc8",
        "two packages in sub-NUMA clusters of four nodes, two cores each",
        2, 8, 1, blocks(8, 2), snc(2, 4),
    ),
    Shape(
        "memory-only",
        "two CPU nodes and a third one that has memory only",
        2, 2, 1, ((0, 1), (2, 3), ()), EXPANDER,
    ),
    Shape(
        "hmat",
        "the same with an HMAT: latency and bandwidth of every node, told by the firmware",
        2, 2, 1, ((0, 1), (2, 3), ()), EXPANDER,
        hmat=Hmat(
            ((90, 160, 250), (160, 90, 330), None),
            ((64000, 32000, 24000), (32000, 64000, 16000), None),
        ),
        initiators={2: 0},
    ),
    Shape(
        "sparse",
        "node 1 is an empty slot, CPU 4 is switched off, and CPUs lie interleaved over the nodes",
        10, 1, 1, ((0, 3, 6), (1, 4), (2, 7, 8), (5, 9)), uniform(4, 20),
        memoryless=(1,), absent=(1, 4), offline=(4,),  # more than 8 slots: see the APIC note
    ),
    Shape("one-cpu", "one CPU and one node", 1, 1, 1, ((0,),), uniform(1, 10), node_mib=1024),
    Shape(
        "odd",
        "three CPU nodes of which node 1 has no memory",
        3, 2, 1, blocks(3, 2), by_pairs(3, 20, {(0, 1): 12}),
        memoryless=(1,),
    ),
)  # fmt: skip


# Takes minutes to start: tests of all machines leave it out.
MANY = Shape(
    "many",
    "240 CPUs: four packages, 30 cores each, two threads a core",
    4, 30, 2, blocks(4, 60), uniform(4, 21),
)  # fmt: skip


def find(name):
    """The shape of that name, or None."""
    return next((shape for shape in (*ALL, MANY) if shape.name == name), None)
