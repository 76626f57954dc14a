"""Tests that kinjo sees the machine as it is and puts threads where its table says."""

import base64
import io
import json
import subprocess
import tarfile
import unittest

from guest_case import BUILD, EVERYTHING, GuestCase
from lab import report, shapes

QUICK = ("opteron4", "sparse", "odd")
POLICIES = ("scatter", "compact", "compact-plus", "none")
# What hwloc reads of a machine, packed as text.
GATHER = """
mkdir /tmp/seen && cd / || exit
cp -a --parents sys/devices/system/cpu/cpu[0-9]*/topology sys/devices/system/cpu/cpu[0-9]*/cache \
  sys/devices/system/cpu/online sys/devices/system/cpu/possible sys/devices/system/cpu/present \
  sys/devices/system/node proc/cpuinfo proc/meminfo /tmp/seen 2>/dev/null
tar -C /tmp/seen -cz . | base64
"""


def regular(shape):
    """Whether every CPU has a node of its own package, so that the sort keys below hold."""
    return not (shape.absent or shape.memoryless)


def coordinates(shape, node, cpu):
    """(package, node in the package, core in the node, thread in the core)."""
    core, smt = divmod(cpu, shape.threads)
    package = core // shape.cores
    here = [
        n for n, cpus in enumerate(shape.cpus) if cpus and package_of(shape, cpus[0]) == package
    ]
    return package, here.index(node), core - shape.cpus[node][0] // shape.threads, smt


def package_of(shape, cpu):
    """The package of a CPU, where no slot is empty."""
    return cpu // (shape.cores * shape.threads)


KEYS = {
    "scatter": lambda package, node, core, smt: (smt, core, node, package),
    "compact": lambda package, node, core, smt: (package, node, smt, core),
    "compact-plus": lambda package, node, core, smt: (smt, package, node, core),
}


def dealt(shape, policy):
    """The CPUs in the order of a policy, by the definition of its sort key."""
    cpus = [(node, cpu) for node, here in shape.linux_cpus().items() for cpu in here]
    cpus.sort(key=lambda pair: KEYS[policy](*coordinates(shape, *pair)))
    return [cpu for _, cpu in cpus]


class PlacementTest(GuestCase):
    """On each machine: topology, tables, and threads under load."""

    def test_machines_tables_and_threads_are_as_the_shapes_say(self):
        for shape in shapes.ALL:
            if EVERYTHING or shape.name in QUICK:
                with self.subTest(shape=shape.name):
                    self.check(shape, self.look(shape))

    def look(self, shape):
        """What kinjo and the kernel say in a guest of that shape."""
        count = sum(map(len, shape.linux_cpus().values()))
        commands = {"topo": "kinjo topo --format json", "gather": GATHER}
        for policy in POLICIES:
            commands[policy] = f"kinjo map --policy {policy} --format json"
        for policy in POLICIES[:2]:
            commands[f"{policy} cpu"] = f"team {policy} {count} cpu"
        commands["scatter node"] = f"team scatter {count} node"
        return self.session(shape.name, commands, ["team"])

    def check(self, shape, seen):
        self.check_topology(shape, json.loads(seen["topo"]))
        described = self.unpack(shape, seen["gather"])
        for policy in POLICIES:
            table = json.loads(seen[policy])["threads"]
            self.assertEqual(table, self.map_here(described, policy), policy)
            if policy != "none" and regular(shape):
                self.assertEqual([row["cpu"] for row in table], dealt(shape, policy), policy)
        for policy in POLICIES[:2]:
            self.check_threads(shape, json.loads(seen[policy])["threads"], seen[f"{policy} cpu"])
        self.check_masks(shape, seen["scatter node"])

    def check_topology(self, shape, topo):
        expected = shape.linux_cpus()
        near = {
            node: cpus or expected[self.nearest(shape, node)] for node, cpus in expected.items()
        }
        self.assertEqual({node["node"]: node["cpus"] for node in topo["nodes"]}, near)
        for node in topo["nodes"]:
            given = shape.memory_mib(node["node"]) << 20
            self.assertLessEqual(node["memory_bytes"], given)
            self.assertGreaterEqual(node["memory_bytes"], given * 0.8)
            row = shape.distances[node["node"]]
            told = {str(other): row[other] for other in expected} if len(expected) > 1 else {}
            self.assertEqual(node["distances"], told)
        homes = {cpu: report.home(shape, node) for node, cpus in expected.items() for cpu in cpus}
        self.assertEqual({cpu["cpu"]: cpu["node"] for cpu in topo["cpus"]}, homes)
        self.assertTrue(all(cpu["allowed"] for cpu in topo["cpus"]))
        if not shape.absent:
            for cpu in topo["cpus"]:
                self.assertEqual(cpu["package"], package_of(shape, cpu["cpu"]))
                self.assertEqual(cpu["core"], cpu["cpu"] // shape.threads % shape.cores)
                self.assertEqual(cpu["smt"], cpu["cpu"] % shape.threads)

    def nearest(self, shape, node):
        """The CPU node that is nearest to a node."""
        return min(
            (n for n, cpus in enumerate(shape.cpus) if cpus), key=shape.distances[node].__getitem__
        )

    def unpack(self, shape, text):
        """The gathered files of a guest as a directory of this host."""
        where = self.directory / shape.name
        with tarfile.open(fileobj=io.BytesIO(base64.b64decode(text))) as archive:
            archive.extractall(where)
        return where

    def map_here(self, described, policy):
        """The table that kinjo makes on this host for the machine that is described."""
        command = [BUILD / "bin" / "kinjo", "map", "--input", described, "--policy", policy]
        made = subprocess.run([*command, "--format", "json"], capture_output=True, check=True)
        return json.loads(made.stdout)["threads"]

    def check_threads(self, shape, table, lines):
        """Every thread is where the table says, was there all the time, and may be nowhere else."""
        kernel_node = {cpu: n for n, cpus in shape.linux_cpus().items() for cpu in cpus}
        found = [line.split() for line in lines.splitlines()]
        self.assertEqual(len(found), len(table))
        for row, (thread, cpu, node, seen_cpu, seen_node, allowed, migrations) in zip(table, found):
            place = [str(row["thread"]), str(row["cpu"]), str(row["node"])]
            self.assertEqual([thread, cpu, node], place)
            self.assertEqual((seen_cpu, allowed, migrations), (cpu, cpu, "0"))
            self.assertEqual(int(seen_node), kernel_node[row["cpu"]])

    def check_masks(self, shape, lines):
        """Threads that are bound to nodes may use the CPUs of theirs, and no others."""
        homes = {}
        for node, cpus in shape.linux_cpus().items():
            homes.setdefault(report.home(shape, node), []).extend(cpus)
        for line in lines.splitlines():
            _, _, node, _, _, allowed, _ = line.split()
            self.assertEqual(numbers(allowed), sorted(homes[int(node)]))


def numbers(cpu_list):
    """[0, 2, 3] from "0,2-3"."""
    found = []
    for part in cpu_list.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


if __name__ == "__main__":
    unittest.main()
