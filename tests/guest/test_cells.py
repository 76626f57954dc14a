"""Tests of programs of cells on four nodes, two cells on each: which share of their bytes crosses nodes in
each form and under each policy, and how long each cell waited. Both are printed.

A phase is opened by cell 0 alone, so while it multiplies others may still put."""

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


class CellsTest(GuestCase):
    def count(self, policy, form, program="gemm"):
        """The figures of each phase that there was, and the record."""
        path = self.directory / "figures.json"
        files = [f"--file={host}:{guest}" for host, guest in kinjo_files([])]
        # Symbols are looked up at the start, so that the loader's work falls into no phase.
        command = (f"LD_BIND_NOW=1 kinjo cells {PROGRAMS[program]} --cells {CELLS} --policy {policy} --form {form} "
                   "--repeat 1 --verify --format json")
        run = self.boot("azusa", "sh", "-c", command, options=[*files, "--count", "--json", str(path)])
        self.assertEqual(run.returncode, 0, run.stderr)
        record, = json.loads(run.stdout)["records"]
        self.assertTrue(record["verified"])
        figures = json.loads(path.read_text())
        there = {phase["phase"] for phase in figures["phases"]}
        return {name: report.find(figures, name) for name in PHASES if name in there}, record

    def tell(self, policy, form, phases, record):
        moving = [of for name, of in phases.items() if name not in WAITING]
        crossing = sum(bytes_of(of, "remote") for of in moving)
        whole = crossing + sum(bytes_of(of, "local") for of in moving)
        shares = ", ".join(f"{name[6:]} {1 - of['share_local']:.3f}" for name, of in phases.items()
                           if of["share_local"] is not None)
        waits = record["result"]
        rest = waits.get("barrier_by_cell") or waits["reduce_by_cell"]
        waited = [wait + more for wait, more in zip(waits["wait_by_cell"], rest)]
        print(f"\n{form}, {policy}: {crossing / whole:.3f} of the bytes cross nodes ({shares}); "
              f"waited, ms: {' '.join(f'{1e3 * seconds:.2f}' for seconds in waited)}", flush=True)
        self.assertEqual(len(waited), CELLS)
        return crossing / whole

    def test_put_writes_far_and_multiplies_what_is_near(self):
        for policy in POLICIES:
            phases, record = self.count(policy, "put")
            share = self.tell(policy, "put", phases, record)
            with self.subTest(policy=policy):
                self.assertGreaterEqual(phases["cells multiply"]["share_local"], 0.9)  # 0.94 to 0.96
                self.assertLess(share, 0.12)  # 0.06 to 0.08

    def test_gradients_compute_on_what_is_near(self):
        for policy in POLICIES:
            phases, record = self.count(policy, "put", "scg")
            share = self.tell(policy, "put", phases, record)
            with self.subTest(policy=policy):
                self.assertGreaterEqual(phases["cells compute"]["share_local"], 0.9)
                self.assertLess(share, 0.12)

    def test_direct_loads_multiply_what_is_far(self):
        near, record = self.count("scatter", "put")
        far, far_record = self.count("scatter", "direct")
        self.tell("scatter", "put", near, record)
        self.tell("scatter", "direct", far, far_record)
        self.assertLess(far["cells multiply"]["share_local"], near["cells multiply"]["share_local"])


if __name__ == "__main__":
    unittest.main()
