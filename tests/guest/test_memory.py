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
            if EVERYTHING or shape.name in QUICK:
                with self.subTest(shape=shape.name):
                    self.check(shape)

    def check(self, shape):
        """Runs the programs in a guest of that shape and checks what they print."""
        machine = shape.linux_cpus()
        nodes = [node for node in machine if node not in shape.memoryless]
        last = max(node for node in nodes if machine[node])
        cpus = ",".join(map(str, machine[last]))
        commands = {
            "nodes": "memory nodes",
            "scatter": "memory arrays scatter",
            "compact": "memory arrays compact",
            "free": f"taskset -c {cpus} memory free",
            "pool": "echo 0 >/proc/sys/vm/nr_hugepages; memory pool",
            "empty": "echo 0 >/proc/sys/vm/nr_hugepages; memory nodes",
        }
        seen = self.session(shape.name, commands, ["memory"], POOL)
        self.check_nodes(nodes, seen["nodes"])
        self.check_arrays(seen["scatter"])
        self.check_arrays(seen["compact"])
        self.assertEqual(seen["free"], f"none : unplaced : {last}:2048\n")
        self.assertEqual(seen["pool"], "more than is available : huge\n")
        self.check_empty_pool(nodes, seen["empty"])

    def check_nodes(self, nodes, text):
        lines = dict(line.split(" : ", 1) for line in text.splitlines())
        for kind in ("normal", "transparent", "huge"):
            expected = {f"node {node} {kind}": f"{node}:{MIB4}" for node in nodes}
            expected[f"all {kind}"] = spread(MIB4 // 2 * len(nodes), nodes)
            expected[f"ends {kind}"] = spread(2 * MIB4, sorted({nodes[0], nodes[-1]}))
            for name, pages in expected.items():
                said, where, huge = lines.pop(name).split(" : ")
                self.assertEqual((said, where), (f"bound {kind}", pages), name)
                if kind != "normal":
                    count = sum(int(part.split(":")[1]) for part in pages.split())
                    self.assertEqual(huge, f"{4 * count} KiB huge", name)
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
            "bound transparent | cannot get 4 MiB in huge pages of 2 MiB: mmap returned ENOMEM "
            "(2 needed, 0 of 0 in the pool are free; /proc/sys/vm/nr_hugepages sets how many there "
            "are); transparent huge pages were asked for instead"
        )
        for node in nodes:
            line = f"node {node} huge : {reason} : {node}:{MIB4} : 4096 KiB huge\n"
            self.assertIn(line, text)


if __name__ == "__main__":
    unittest.main()
