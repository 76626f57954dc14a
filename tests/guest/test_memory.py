"""Tests that pages are where they were asked to be; the kernel is asked, not kinjo."""

import unittest

from guest_case import EVERYTHING, GuestCase
from lab import shapes

POOL = ["--append", "hugepages=128"]  # 2 MiB each, dealt to the nodes
MIB4 = 1024  # pages of 4 KiB
QUICK = ("opteron4",)


def spread(pages, nodes):
    """`0:512 1:512` for pages dealt evenly to nodes."""
    return " ".join(f"{node}:{pages // len(nodes)}" for node in nodes)


class MemoryTest(GuestCase):
    """Allocations and arrays on each machine."""

    def test_pages_are_on_the_nodes_that_they_were_asked_for(self):
        for shape in shapes.ALL:
            # 8 MiB of huge pages cannot be dealt evenly to three nodes.
            if shape.name in QUICK or (EVERYTHING and shape.name in ("azusa", "snc8")):
                with self.subTest(shape=shape.name):
                    self.check(shape, self.look(shape))

    def look(self, shape):
        """What the programs print in a guest of that shape."""
        node = max(node for node, cpus in enumerate(shape.cpus) if cpus)
        cpus = ",".join(map(str, shape.linux_cpus()[node]))
        commands = {
            "nodes": "memory nodes",
            "scatter": "memory arrays scatter",
            "compact": "memory arrays compact",
            "free": f"taskset -c {cpus} memory free",
            "empty": "echo 0 >/proc/sys/vm/nr_hugepages; memory nodes",
        }
        return self.session(shape.name, commands, ["memory"], POOL)

    def check(self, shape, seen):
        nodes = list(shape.linux_cpus())
        self.check_nodes(nodes, seen["nodes"])
        for policy in ("scatter", "compact"):
            self.check_arrays(seen[policy])
        node = max(node for node, cpus in enumerate(shape.cpus) if cpus)
        self.assertEqual(seen["free"], f"none : unplaced : {node}:2048\n")
        self.check_empty_pool(nodes, seen["empty"])

    def check_nodes(self, nodes, text):
        lines = dict(line.split(" : ", 1) for line in text.splitlines())
        for kind in ("normal", "transparent", "huge"):
            expected = {f"node {node} {kind}": f"{node}:{MIB4}" for node in nodes}
            expected[f"all {kind}"] = spread(2 * MIB4, nodes)
            expected[f"ends {kind}"] = spread(2 * MIB4, [nodes[0], nodes[-1]])
            for name, pages in expected.items():
                said, where, huge = lines.pop(name).split(" : ")
                self.assertEqual((said, where), (f"bound {kind}", pages), name)
                if kind != "normal":
                    whole = 4096 if name.startswith("node") else 8192
                    self.assertEqual(huge, f"{whole} KiB huge", name)
        self.assertEqual(lines, {})

    def check_arrays(self, text):
        seen = set()
        for line in text.splitlines():
            name, said, wrong = line.split(" : ")
            element, layout, pages = name.split()
            rung, had, right, _, total = said.split()
            self.assertEqual((rung, had, right, wrong), ("bound", pages, total, "wrong 0"), line)
            self.assertEqual(int(total), {"double": 3073, "triple": 9217}[element])
            seen.add((layout, pages))
        self.assertEqual(len(seen), 9)

    def check_empty_pool(self, nodes, text):
        """Explicit huge pages become transparent ones, on the same nodes, and one line says so."""
        reason = (
            "bound transparentcannot get 4 MiB in huge pages of 2 MiB: mmap returned ENOMEM "
            "(2 needed, 0 of 0 in the pool are free; /proc/sys/vm/nr_hugepages sets how many there "
            "are); transparent huge pages were asked for instead"
        )
        for node in nodes:
            line = f"node {node} huge : {reason} : {node}:{MIB4} : 4096 KiB huge\n"
            self.assertIn(line, text)

    @unittest.skipUnless(EVERYTHING, "KINJO_LAB=all only")
    def test_memory_without_cpus_and_gaps_in_node_numbers_are_no_obstacle(self):
        for name in ("memory-only", "sparse", "odd"):
            with self.subTest(shape=name):
                shape = shapes.find(name)
                nodes = [n for n in shape.linux_cpus() if n not in shape.memoryless]
                commands = {"nodes": "memory nodes", "arrays": "memory arrays scatter"}
                seen = self.session(name, commands, ["memory"], POOL)
                for node in nodes:
                    for kind in ("normal", "transparent", "huge"):
                        line = f"node {node} {kind} : bound {kind} : {node}:{MIB4} : "
                        self.assertIn(line, seen["nodes"])
                self.check_arrays(seen["arrays"])


if __name__ == "__main__":
    unittest.main()
