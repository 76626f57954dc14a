"""kinjo tune --suite: every workload in one sweep, at tiny sizes; what it says beforehand and at the end,
how it goes on after an interruption, and what is asked wrongly."""

import csv
import io
import json
import pathlib
import re
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from kinjo_program import KINJO, TWO_CPUS, FolderTest, clean_environment, kinjo  # noqa: E402

WORKLOADS = ["stream", "blas1", "gemm", "fft", "graph500", "paths", "sdp", "cells"]
TINY = {"stream.elements": "1000", "blas1.size": "1000", "gemm.size": "16", "fft.size": "64", "graph500.scale": "6",
        "graph500.roots": "1", "paths.graph": "grid:3", "sdp.problem": "theta:6,8", "cells.size": "16"}
SETS = [word for name, value in TINY.items() for word in ("--set", f"{name}={value}")]
# One number of threads, as few runs as a verdict needs, and a budget that leaves no time to measure the machine.
SMALL = ("--suite", "quick", "--threads", "1", "--repeat", "1", "--budget", "8", *SETS)
BRIEF = (*SMALL, "--pairs", "6")


class SuiteTest(FolderTest):
    def suite(self, *arguments, status=0):
        """A run of the suite with no profile of the machine kept."""
        result = kinjo("tune", *BRIEF, *arguments, env={"XDG_CACHE_HOME": str(self.folder)})
        self.assertEqual(result.returncode, status, (result.stdout, result.stderr))
        return result


class Text(SuiteTest):
    def test_is_the_machine_a_matrix_a_sentence_for_each_workload_and_one_for_all(self):
        page, picture = self.folder / "report.html", self.folder / "verdict.svg"
        result = self.suite("--report", str(page), "--picture", str(picture))
        said = result.stderr.splitlines()
        self.assertRegex(said[0], r"^kinjo: suite quick: 8 workloads within about 8 s, or what verdicts take at least, in up to [0-9.]+ [KMG]iB of memory$")
        self.assertRegex(said[1], r"^kinjo: the machine is not measured: that takes about \d+ s, too much of a budget of "
                                  r"8 s; kinjo measure does it$")
        for workload in WORKLOADS:
            self.assertRegex(result.stderr, rf"\nkinjo: {workload}: 1 round of \d configurations, then 6 pairs of runs: "
                                            r"about \d+ s\n")
        lines = result.stdout.splitlines()
        self.assertTrue(lines[0].startswith("this machine: "), lines[0])
        self.assertEqual(lines[2].split()[:4], ["workload", "judged", "by", "default"])
        self.assertEqual([line.split()[0] for line in lines[3:11]], WORKLOADS)
        for workload in WORKLOADS:
            sentence, = [line for line in lines if line.startswith(f"{workload}: ")]
            self.assertRegex(sentence, "^[a-z0-9]+: (Best|No placement|No difference)")
        self.assertRegex(result.stdout, r"\n(No|A) placement is .* 8 workloads[.:]")
        self.assertIn("\nCounted in the laboratory, not on this machine: ", result.stdout)
        self.assertNotIn("samples  status", result.stdout, "long tables are for --verbose")
        text = page.read_text()
        for part in ("Local shares, in the laboratory</h2>", "Counted in the laboratory, not on this machine: ",
                     "Placement on this machine: quick suite</h1>"):
            self.assertTrue(part in text, part)
        drawn = picture.read_text()
        self.assertTrue("Every policy against the unpinned default" in drawn)
        self.assertLess(len(drawn), 60_000)
        self.assertEqual(result.stderr.splitlines()[-2:],
                         [f"kinjo: the report is {page}", f"kinjo: the picture is {picture}"])

    def test_has_the_long_tables_too_when_asked(self):
        self.assertEqual(self.suite("--verbose").stdout.count("samples  status"), 8)


class Profile(SuiteTest):
    def said(self):
        return self.suite().stderr.splitlines()[1]

    def test_of_the_machine_is_used_while_it_is_fresh(self):
        kept = kinjo("measure", "--budget", "1", "--repeat", "1",
                     env={"XDG_CACHE_HOME": str(self.folder)})
        self.assertEqual(kept.returncode, 0, kept.stderr)
        file, = (self.folder / "kinjo").glob("profile-*.json")
        profile = json.loads(file.read_text())
        self.assertEqual(self.said(), f"kinjo: the profile of this machine of {profile['measured']} is used: kinjo "
                                      "measure makes a new one")
        profile["measured"] = "2020-01-02T03:04:05+00:00"
        file.write_text(json.dumps(profile))
        self.assertIn("kinjo: the machine is not measured: ", self.said())


class Waits(SuiteTest):
    @TWO_CPUS
    def test_report_shows_who_waits_when_of_cells(self):
        page = self.folder / "report.html"
        result = kinjo("tune", "cells", "--threads", "2", "--repeat", "1", "--pairs", "6", "--set", "size=16",
                       "--report", str(page), env={"XDG_CACHE_HOME": str(self.folder)})
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(re.search("Who waits when: cells, [a-z-]+, 2 threads", page.read_text()))


class Formats(SuiteTest):
    def test_json_holds_every_workload_and_what_was_set(self):
        sweep = json.loads(self.suite("--format", "json").stdout)
        self.assertEqual((sweep["schema"], sweep["suite"]), ("kinjo-records/1", "quick"))
        self.assertEqual([verdict["workload"] for verdict in sweep["verdicts"]], WORKLOADS)
        self.assertRegex(sweep["summary"], "workloads")
        found = {record["workload"]: record["parameters"] for record in sweep["records"]}
        self.assertEqual(found["stream"]["elements"], 1000)
        self.assertEqual(found["paths"]["graph"], "grid:3")
        self.assertEqual(found["sdp"]["problem"], "theta:6,8")
        self.assertEqual({record["threads"] for record in sweep["records"]} - {1},
                         {record["threads"] for record in sweep["records"] if record["policy"] == "none"} - {1},
                         "only the default has another number of threads")

    def test_csv_has_rows_of_every_workload(self):
        rows = list(csv.DictReader(io.StringIO(self.suite("--format", "csv").stdout)))
        self.assertEqual(list(dict.fromkeys(row["workload"] for row in rows)), WORKLOADS)


class Interrupted(SuiteTest):
    def test_measuring_the_machine_ends_at_once(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with subprocess.Popen([KINJO, "tune", "--suite", "quick", "--budget", "300"], text=True,
                                  env=clean_environment(XDG_CACHE_HOME=str(self.folder)),
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
                for line in process.stderr:
                    if line.startswith("kinjo: measuring takes about "):
                        break
                process.send_signal(number)
                self.assertEqual(process.communicate(timeout=30),
                                 ("", "kinjo: measuring was interrupted: none of its figures is kept\n"))
                self.assertEqual(process.returncode, -number)

    def test_suite_goes_on_where_it_was_interrupted(self):
        journal = self.folder / "journal"
        process = subprocess.Popen([KINJO, "tune", *SMALL, "--pairs", "40", "--journal", str(journal)],
                                   env=clean_environment(XDG_CACHE_HOME=str(self.folder)), text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for line in process.stderr:
            if line.startswith("kinjo: gemm: "):
                break
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=300)
        self.assertEqual((process.returncode, stdout), (128 + signal.SIGINT, ""), stderr)
        self.assertIn(f"go on by: kinjo tune --resume {journal}\n", stderr)
        kept = journal.read_text().splitlines()
        header = json.loads(kept[0])
        self.assertEqual(header["settings"]["words"], WORKLOADS)
        self.assertIn("stream.elements=1000", header["settings"]["parameters"])
        result = kinjo("tune", "--resume", str(journal), env={"XDG_CACHE_HOME": str(self.folder)})
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("suite quick", result.stderr, "nothing is said or measured again")
        self.assertEqual(journal.read_text().splitlines()[:len(kept)], kept, "no run is done twice")
        self.assertIn("\nCounted in the laboratory", result.stdout)


class Refusals(SuiteTest):
    def test_bad_usage_is_refused_with_what_is_accepted(self):
        beside = "--suite runs every workload of its own: expected no workload and no command beside it"
        for arguments, message in [
                (("--suite", "large"), "unknown suite 'large': expected quick or full"),
                (("--suite", "quick", "stream"), beside),
                (("--suite", "quick", "--", "true"), beside),
                (("--suite", "quick", "--set", "nothing.size=1"),
                 "--set 'nothing.size=1': there is no workload 'nothing' in this sweep: expected "
                 + ", ".join(WORKLOADS)),
                (("stream", "gemm", "--set", "fft.size=1"),
                 "--set 'fft.size=1': there is no workload 'fft' in this sweep: expected stream, gemm"),
                (("--suite", "quick", "--set", "gemm.rows=1"),
                 "gemm has no parameter 'rows': expected size, plan, precision, pages"),
                (("stream", "--verbose"), "--verbose is for suites: others show it all"),
                (("--suite", "quick", "--memory", "local"),
                 "--memory is for commands: workloads place their memory by their threads"),
                (("--suite", "quick", "--picture", "/absent/verdict.svg"),
                 "cannot write '/absent/verdict.svg': No such file or directory")]:
            with self.subTest(arguments):
                self.assertEqual(self.refusal("tune", *arguments), message)


if __name__ == "__main__":
    unittest.main()
