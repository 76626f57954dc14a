"""Tests of programs of cells on four nodes, two cells on each: which share of their bytes crosses nodes in
each form and under each policy, of each cell, and how long it waited. Both are printed.

Each cell is alone on a CPU, and in phases of its own."""

import json
import unittest

from guest_case import GuestCase, kinjo_files
from lab import report

CELLS = 8
PHASES = ("cells multiply", "cells compute", "cells put", "cells get", "cells halo", "cells reduce", "cells wait",
          "cells barrier")
# What is loaded while waiting says how long that was, and not what had to be moved.
WAITING = ("cells wait", "cells reduce", "cells barrier")
PROGRAMS = {"gemm": "gemm --size 192", "scg": "scg --size 96"}
POLICIES = ("compact", "compact-plus", "scatter")


def bytes_of(entry, place):
    return sum(entry[way][place] for way in ("loaded", "stored"))


class Cell:
    """What one cell moved, by phase: bytes on its own node, and on others."""

    def __init__(self, cpu, phases):
        self.near, self.far = {}, {}
        for name, of in phases.items():
            for row in of["by_cpu"]:
                if row["cpu"] == cpu:
                    self.near[name] = row["bytes"][row["node"]]
                    self.far[name] = sum(row["bytes"]) - self.near[name]

    def moved(self, *names):
        return sum(table.get(name, 0) for table in (self.near, self.far) for name in names)

    def crossing(self, *names):
        """The share of what it moved in these phases that crossed nodes."""
        return sum(self.far.get(name, 0) for name in names) / self.moved(*names)


class CellsTest(GuestCase):
    counted = {}

    def count(self, policy, form, program="gemm"):
        """The figures of each phase that there was, the cells, and the record; counted once."""
        of = policy, form, program
        if of not in self.counted:
            self.counted[of] = self.count_once(*of)
        return self.counted[of]

    def count_once(self, policy, form, program):
        path = self.directory / "figures.json"
        files = [f"--file={host}:{guest}" for host, guest in kinjo_files([])]
        placed = f"--policy {policy} --format json"
        # Symbols are looked up at the start, so that the loader's work falls into no phase.
        command = (f"export LD_BIND_NOW=1; kinjo map --threads {CELLS} {placed}; "
                   f"kinjo cells {PROGRAMS[program]} --cells {CELLS} {placed} --form {form} --repeat 1 --verify")
        run = self.boot("azusa", "sh", "-c", command, options=[*files, "--count", "--json", str(path)])
        self.assertEqual(run.returncode, 0, run.stderr)
        mapping, end = json.JSONDecoder().raw_decode(run.stdout)
        record, = json.loads(run.stdout[end:])["records"]
        self.assertTrue(record["verified"])
        figures = json.loads(path.read_text())
        there = {phase["phase"] for phase in figures["phases"]}
        phases = {name: report.find(figures, name) for name in PHASES if name in there}
        return phases, [Cell(place["cpu"], phases) for place in mapping["threads"]], record

    def tell(self, policy, form, phases, cells, record):
        """Prints what was found; returns the share of all bytes that crossed nodes."""
        moving = [name for name in phases if name not in WAITING]
        crossing = sum(bytes_of(phases[name], "remote") for name in moving)
        whole = crossing + sum(bytes_of(phases[name], "local") for name in moving)
        shares = ", ".join(f"{name[6:]} {1 - of['share_local']:.3f}" for name, of in phases.items()
                           if of["share_local"] is not None)
        waits = record["result"]
        rest = waits.get("barrier_by_cell") or waits["reduce_by_cell"]
        waited = [wait + more for wait, more in zip(waits["wait_by_cell"], rest)]
        each = " ".join(f"{cell.crossing(*moving):.3f}" for cell in cells)
        print(f"\n{form}, {policy}: {crossing / whole:.3f} of the bytes cross nodes ({shares}; by cell {each}); "
              f"waited, ms: {' '.join(f'{1e3 * seconds:.2f}' for seconds in waited)}", flush=True)
        self.assertEqual(len(waited), CELLS)
        return crossing / whole

    def check_alike(self, cells, name):
        """Every cell's part is counted: all have as much to do."""
        moved = [cell.moved(name) for cell in cells]
        self.assertGreater(min(moved), 0.9 * max(moved), moved)

    def test_put_writes_far_and_multiplies_what_is_near(self):
        for policy in POLICIES:
            phases, cells, record = self.count(policy, "put")
            share = self.tell(policy, "put", phases, cells, record)
            with self.subTest(policy=policy):
                self.assertGreaterEqual(phases["cells multiply"]["share_local"], 0.99)
                self.assertLess(share, 0.08)
                # Each byte is loaded near and stored on the node of one of the other cells, of which one is near.
                for cell in cells:
                    self.assertAlmostEqual(cell.crossing("cells put"), (CELLS - 2) / (CELLS - 1) / 2, delta=0.02)
                self.check_alike(cells, "cells multiply")
                self.check_alike(cells, "cells put")

    def test_gradients_compute_on_what_is_near(self):
        for policy in POLICIES:
            phases, cells, record = self.count(policy, "put", "scg")
            share = self.tell(policy, "put", phases, cells, record)
            with self.subTest(policy=policy):
                self.assertGreaterEqual(phases["cells compute"]["share_local"], 0.97)
                self.assertLess(share, 0.05)
                self.check_alike(cells, "cells compute")

    def test_direct_loads_multiply_what_is_far(self):
        near, near_cells, record = self.count("scatter", "put")
        far, far_cells, far_record = self.count("scatter", "direct")
        self.tell("scatter", "put", near, near_cells, record)
        self.tell("scatter", "direct", far, far_cells, far_record)
        for cell, direct in zip(near_cells, far_cells):
            self.assertGreater(direct.crossing("cells multiply"), cell.crossing("cells multiply"))


if __name__ == "__main__":
    unittest.main()
