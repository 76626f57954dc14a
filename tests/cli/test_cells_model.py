"""kinjo cells model: predictions of programs of cells, and the files that it is fitted to."""

import csv
import io
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from kinjo_program import ROOT, FolderTest, kinjo  # noqa: E402

NETWORK = ("--latency-us", "20", "--overhead-us", "3", "--gap-us", "4", "--gap-ns-per-byte", "1")
CORPUS = ROOT / "tests" / "fuzz" / "corpus" / "cells_fit"


class Predictions(FolderTest):
    def model(self, *arguments):
        return self.json("cells", "model", *arguments)

    def test_are_one_for_each_form_and_number_of_cells(self):
        result = self.model(*NETWORK, "--cells", "16,64", "--form", "put,get,send", "--size", "4096")
        self.assertEqual(result["schema"], "kinjo-cells-model/1")
        self.assertEqual(result["meaning"], "predicted, not measured")
        self.assertEqual([(p["form"], p["cells"]) for p in result["predictions"]],
                         [(f, c) for f in ("put", "get", "send") for c in (16, 64)])
        for p in result["predictions"]:
            self.assertGreater(p["seconds"], 0)
            self.assertTrue(0 < p["efficiency"] < 1, p)
            self.assertAlmostEqual(p["efficiency"] + p["communication_share"], 1)

    def test_say_that_one_cell_loses_nothing(self):
        for workload in ("gemm", "scg"):
            p, = self.model(*NETWORK, "--workload", workload, "--cells", "1")["predictions"]
            self.assertEqual(p["efficiency"], 1)

    def test_of_scg_fall_behind_where_everyone_tells_everyone(self):
        def seconds(reduction):
            return self.model(*NETWORK, "--workload", "scg", "--cells", "1024", "--reduction",
                              reduction)["predictions"][0]["seconds"]

        self.assertGreater(seconds("everyone"), 5 * seconds("doubling"))

    def test_are_fitted_to_the_records_of_a_ping_pong(self):
        result = self.model("--fit", str(CORPUS / "pingpong.json"), "--cells", "16")
        network = result["network"]
        self.assertAlmostEqual(network["latency_us"], 26, places=2)
        self.assertAlmostEqual(network["gap_ns_per_byte"], 1, places=4)
        self.assertAlmostEqual(network["gap_us"], 4, places=4)
        self.assertLess(result["fit"]["worst_error"], 1e-3)
        given = self.model("--fit", str(CORPUS / "pingpong.json"), "--latency-us", "5")
        self.assertEqual(given["network"]["latency_us"], 5)

    def test_have_the_parameters_of_their_messages(self):
        result = self.model("--fit", str(CORPUS / "copying.json"), "--cells", "4,8,64", "--size", "64")
        self.assertAlmostEqual(result["network"]["overhead_us"], 0.045, places=3)
        small, middle = result["fit"]["sized_median_error"], result["fit"]["median_error"]
        self.assertLess(small, middle)
        # 8192 bytes and 4096 take 0.02 ns each to copy, 512 bytes next to nothing.
        self.assertEqual([p["message_bytes"] for p in result["predictions"]], [8192, 4096, 512])
        copies = [p["network"]["overhead_ns_per_byte"] for p in result["predictions"]]
        self.assertAlmostEqual(copies[0], 0.04, places=4)
        self.assertAlmostEqual(copies[1], 0.01, places=4)
        self.assertAlmostEqual(copies[2], copies[1])
        given = self.model("--fit", str(CORPUS / "copying.json"), "--overhead-ns-per-byte", "7",
                           "--cells", "4")
        self.assertAlmostEqual(given["predictions"][0]["network"]["overhead_ns_per_byte"], 7)
        text = self.output("cells", "model", "--fit", str(CORPUS / "copying.json"), "--cells", "4",
                           "--size", "64")
        self.assertIn("bytes  G, ns  O, ns", text)

    def test_are_fitted_to_what_the_ping_pong_prints(self):
        path = self.path("pingpong.json")
        result = kinjo("cells", "pingpong", "--cells", "2", "--oversubscribe", "--size", "8,64K",
                       "--repeat", "2", "--format", "json", "-o", path)
        self.assertEqual(result.returncode, 0, result.stderr)
        for way in ("put", "get", "am", "send"):
            fitted = self.model("--fit", path, "--way", way, "--cells", "2")
            self.assertEqual(fitted["fit"]["way"], way)
            # The calls at both ends may be all of the way.
            self.assertGreater(fitted["network"]["latency_us"] + fitted["network"]["overhead_us"], 0)

    def test_come_as_text_and_as_csv(self):
        text = self.output("cells", "model", *NETWORK, "--cells", "16")
        self.assertTrue(text.startswith(
            "PREDICTED by LogGP, not measured: L 20 us, o 3 us, g 4 us, G 1 ns a byte\n"), text)
        rows = list(csv.DictReader(io.StringIO(
            self.output("cells", "model", *NETWORK, "--cells", "16,64", "--format", "csv"))))
        self.assertEqual([r["cells"] for r in rows], ["16", "64"])
        self.assertGreater(float(rows[0]["efficiency"]), 0)

    def test_table_of_the_page_is_what_the_program_prints(self):
        page = (ROOT / "docs" / "cells_model.md").read_text()
        tried = 0
        for block in page.split("```\n")[1::2]:
            command, _, shown = block.partition("\n")
            if command.startswith("$ kinjo cells model ") and "--fit" not in command and shown:
                self.assertEqual(self.output(*command.split()[2:]), shown, command)
                tried += 1
        self.assertGreaterEqual(tried, 2)


class Refusals(FolderTest):
    def test_say_what_is_accepted(self):
        self.assertEqual(self.refusal("cells", "model"),
                         "no network: expected --fit FILE, or --latency-us and --gap-ns-per-byte")
        self.assertEqual(self.refusal("cells", "model", *NETWORK, "--cells", "0"),
                         "'0' cells: expected numbers from 1 to 1000000, as 16,64")
        self.assertEqual(self.refusal("cells", "model", "--latency-us", "-1", "--gap-ns-per-byte",
                                      "1"),
                         "--latency-us -1: expected a finite number from 0 on")
        self.assertEqual(self.refusal("cells", "model", *NETWORK, "--size", "8", "--cells", "9"),
                         "a multiply of size 8 on 9 cells: expected at least one cell, and a row for "
                         "each")
        for workload in ("gemm", "scg"):
            for option, said in (("--form", "unknown form 'bogus'"), ("--reduction", "unknown reduction 'bogus'")):
                self.assertIn(said, self.refusal("cells", "model", *NETWORK, "--workload", workload, option, "bogus"))
        self.assertEqual(self.refusal("cells", "model", *NETWORK, "--form", "direct"),
                         "the model has no direct loads: cells of other machines cannot be reached "
                         "by them")

    def test_name_the_file_and_the_place(self):
        cases = (
            ("no JSON", "the whole: expected JSON"),
            ("[]", "the whole: expected an object"),
            ('{"schema": "kinjo-map/1"}', 'schema: expected "kinjo-records/1"'),
            ('{"schema": "kinjo-records/1", "records": 3}', "records: expected a list"),
            ('{"schema": "kinjo-records/1", "records": []}',
             "records: expected records of a ping-pong by 'put'"),
            ('{"schema": "kinjo-records/1", "records": [{"parameters": {"app": "pingpong", '
             '"way": "put", "size": 8}, "metrics": {"latency_ns": {"value": -1}}}]}',
             "records[0].metrics.latency_ns.value: expected a positive number"),
        )
        path = self.path("records.json")
        for text, why in cases:
            pathlib.Path(path).write_text(text)
            self.assertEqual(self.refusal("cells", "model", "--fit", path),
                             f"cannot read the records '{path}': {why}")
        self.assertEqual(self.refusal("cells", "model", "--fit", self.path("none")),
                         f"cannot read '{self.path('none')}': No such file or directory")
        self.assertEqual(self.refusal("cells", "model", "--fit", "/tmp"), "cannot read '/tmp': Is a directory")


if __name__ == "__main__":
    unittest.main(verbosity=2)
