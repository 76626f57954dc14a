"""What a launcher's library may answer, and other cells may show, by a library that stands for it
(programs/fake_pmix.c).

CTest sets KINJO_BUILD (the build tree)."""

import os
import pathlib
import subprocess
import tempfile
import time
import unittest

PROGRAMS = os.path.join(os.environ["KINJO_BUILD"], "tests", "comm", "programs")


class PmixTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def start(self, cell, cells, **variables):
        environment = {**os.environ, "LD_LIBRARY_PATH": os.path.join(PROGRAMS, "fake"), "PMIX_NAMESPACE": "fake",
                       "PMIX_RANK": str(cell), "FAKE_PMIX_FOLDER": str(self.folder), "FAKE_PMIX_CELLS": str(cells),
                       **variables}
        process = subprocess.Popen([os.path.join(PROGRAMS, "host_cells"), "meet"], env=environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.wait)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        return process

    def refusal(self, process):
        said, _ = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 2, said)
        return said.removeprefix("error: ").removesuffix("\n")

    def show(self, cell, card):
        (self.folder / f"{cell}.kinjo.card").write_text(card)

    def test_cells_meet_however_the_collective_step_ends(self):
        for fence in ("by callback", "at once", "never"):
            with self.subTest(fence):
                started = [self.start(cell, 3, FAKE_PMIX_FENCE=fence) for cell in range(3)]
                said = [process.communicate(timeout=100)[0] for process in started]
                self.assertEqual(said, [f"cell {cell} of 3: good\n" for cell in range(3)])
            for file in self.folder.iterdir():
                file.unlink()

    def test_a_launcher_that_refuses_is_told_of(self):
        process = self.start(0, 2, FAKE_PMIX_INIT="refused")
        self.assertEqual(self.refusal(process), "the launcher refuses PMIx_Init: ERROR")

    def test_cells_of_another_kinjo_are_refused(self):
        for card, shown in (("1 0.0.1:little-endian 5:6 host", "0.0.1:little-endian"), ("1 \x1b[ 5:6 host", r"\?\["),
                            ("", "")):
            with self.subTest(card):
                self.show(1, card)
                self.assertRegex(self.refusal(self.start(0, 2)),
                                 r"^cells 0 and 1 are built with different kinjo, [0-9.]+:\w+-endian and "
                                 rf"{shown}: expected the same program on every host$")

    def test_cells_that_ask_for_other_things_are_refused(self):
        process = self.start(0, 2)
        own = self.folder / "0.kinjo.card"
        while not own.exists():
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        world, program, _, host = own.read_text().split()
        self.show(1, f"{world} {program} 1:2 {host}")
        self.assertEqual(self.refusal(process),
                         "cells 0 and 1 ask for different symmetric memory or handlers: expected the same heap_bytes "
                         "and the same names in the same order on every cell")

    def test_a_cell_that_does_not_come_is_named(self):
        self.assertEqual(self.refusal(self.start(0, 2)), "cell 1 is lost: it has not come in time")


if __name__ == "__main__":
    unittest.main()
