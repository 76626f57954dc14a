"""kinjo measure, from outside: what it prints and keeps, and what it refuses."""

import csv
import io
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from kinjo_program import (CPUS, KINJO, SMALL, TWO_CPUS, FolderTest, clean_environment,  # noqa: E402
                           kinjo)

BRIEF = ("--repeat", "1", "--budget", "1")
QUICK = (*BRIEF, "--buffer", "64K")
NODES = ("measure", "nodes", *QUICK)
ANNOUNCED = r"kinjo: measuring takes about \d+ s( and \S+ \S+ of memory)?\n"
NOT_KEPT = ("kinjo: only a profile with all sections is kept for other commands: --output FILE "
            "keeps this one\n")
FIGURE = {"value", "unit", "count", "min", "max", "low", "high"}
BANDWIDTH = {"read", "write", "copy"}
SECTIONS = ("clock", "caches", "nodes", "loaded", "scaling")


class MeasureTest(FolderTest):
    def setUp(self):
        super().setUp()
        self.env = {"XDG_CACHE_HOME": str(self.folder / "cache")}
        self.cached = self.folder / "cache/kinjo" / f"profile-{socket.gethostname()}.json"

    def measured(self, *arguments, remark=""):
        """Standard output of a run that announces itself and has no more than `remark` to say."""
        result = kinjo("measure", *arguments, *QUICK, env=self.env)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stderr, rf"\A{ANNOUNCED}")
        self.assertEqual(result.stderr.split("\n", 1)[1], remark)
        return result.stdout

    def profile(self, *arguments):
        profile = json.loads(self.measured(*arguments, "--no-cache", "--format", "json"))
        self.assertEqual(profile["schema"], "kinjo-profile/1")
        return profile

    def check_figure(self, figure):
        self.assertEqual(set(figure) - {"warning"}, FIGURE)
        self.assertLessEqual(figure["min"], figure["value"])
        self.assertLessEqual(figure["value"], figure["max"])
        self.assertGreater(figure["min"], 0)
        self.assertGreaterEqual(figure["count"], 1)

    def check_bandwidth(self, bandwidth):
        self.assertEqual(set(bandwidth), BANDWIDTH)
        for figure in bandwidth.values():
            self.check_figure(figure)
            self.assertEqual(figure["unit"], "GB/s")


class Sections(MeasureTest):
    def test_profile_names_its_machine(self):
        profile = self.profile("nodes")
        self.assertEqual(profile["machine"], socket.gethostname())
        self.assertEqual(profile["cpus"], len(self.json("topo")["cpus"]))
        self.assertRegex(profile["measured"],
                         r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d\Z")

    def test_clock_is_alone_if_it_alone_is_asked_for(self):
        profile = self.profile("clock")
        self.assertEqual(profile["caches"], [])
        self.assertNotIn("nodes", profile)
        clock = profile["clock"]
        for name in ("frequency_hz", "read_ns", "core_frequency_hz", "peak_gflops_one"):
            self.check_figure(clock[name])
        self.assertIn(("integer", "add"),
                      [(each["form"], each["operation"]) for each in clock["latencies"]])

    def test_clock_of_one_cpu_disagrees_with_nobody(self):
        result = subprocess.run(["taskset", "-c", str(CPUS[-1]), KINJO, "measure", "clock", *QUICK,
                                 "--no-cache", "--format", "json"], capture_output=True, text=True,
                                env=clean_environment(**self.env), timeout=600)
        clock = json.loads(result.stdout)["clock"]
        self.assertTrue(clock["agrees"])
        self.assertNotIn("disagreement_ns", clock)

    def test_caches_have_their_levels(self):
        known = {c["level"] for c in self.json("topo")["caches"] if c["type"] != "instruction"}
        profile = self.profile("caches")
        self.assertNotIn("clock", profile)
        self.assertLessEqual({cache["level"] for cache in profile["caches"]}, known)
        for cache in profile["caches"]:
            self.check_figure(cache["latency_ns"])
            self.check_bandwidth(cache["one_thread"])

    def test_nodes_are_a_full_matrix(self):
        topo = self.json("topo")
        cpu_nodes = sorted({c["node"] for c in topo["cpus"] if c["allowed"]})
        memory = [n["node"] for n in topo["nodes"]
                  if n["allowed"] and n["memory_kind"] != "none"]
        nodes = self.profile("nodes")["nodes"]
        self.assertEqual(nodes["pages"], "transparent")
        self.assertEqual(nodes["buffer_bytes"], 1 << 16)
        self.assertEqual([(p["cpu_node"], p["memory_node"]) for p in nodes["pairs"]],
                         [(i, j) for i in cpu_nodes for j in memory])
        for pair in nodes["pairs"]:
            for name in ("latency_ns", "first_touch", "second_pass"):
                self.check_figure(pair[name])
            self.check_bandwidth(pair["one_thread"])
            self.check_bandwidth(pair["all_threads"])
        self.check_bandwidth(nodes["all_nodes_local"])
        self.assertEqual((nodes["loaded"], nodes["scaling"]), ([], []))

    def test_load_and_threads_are_sections_of_their_own(self):
        nodes = self.profile("loaded", "scaling")["nodes"]
        self.assertEqual(nodes["pairs"], [])
        if len(CPUS) > 1:
            self.assertEqual([p["delay_cycles"] for p in nodes["loaded"]],
                             sorted(p["delay_cycles"] for p in nodes["loaded"]))
            for point in nodes["loaded"]:
                self.check_figure(point["latency_ns"])
                # A loading thread that others keep from its CPU loads nothing for a while.
                self.assertGreaterEqual(point["bandwidth"]["min"], 0)
                self.assertEqual(point["bandwidth"]["count"], point["latency_ns"]["count"])
        counts = sorted({p["threads"] for p in nodes["scaling"]})
        self.assertEqual((counts[0], counts[-1]), (1, len(CPUS)))
        self.assertEqual([p["policy"] for p in nodes["scaling"]],
                         ["scatter"] * len(counts) + ["compact"] * len(counts))
        for point in nodes["scaling"]:
            self.check_bandwidth(point["bandwidth"])

    def test_pages_are_as_asked_or_a_note_says_why_not(self):
        for pages in ("normal", "huge"):
            nodes = self.profile("nodes", "--pages", pages)["nodes"]
            self.assertEqual(nodes["pages"], pages)
            for note in nodes["notes"]:
                self.assertRegex(note, r"^node \d+: cannot get .* in huge pages of ")


class Formats(MeasureTest):
    def test_text_has_a_line_for_the_machine_and_a_table_for_each_section(self):
        lines = self.measured("nodes", "scaling", remark=NOT_KEPT).splitlines()
        self.assertRegex(lines[0], rf"^{socket.gethostname()}: .*, \d+ CPUs?, measured 20")
        self.assertTrue(lines[1].startswith("median ± the further of its 95 % bounds (samples)"))
        self.assertIn("nodes: bandwidth in GB/s", lines)
        self.assertIn("bandwidth in GB/s by number of threads, each on its own node's memory",
                      lines)
        self.assertTrue(any(line.startswith("idle latency, ns ") for line in lines))
        self.assertIn("buffers of 64 KiB on each node, transparent pages", lines)

    def test_csv_has_a_row_for_each_figure(self):
        text = self.measured("nodes", "--format", "csv", remark=NOT_KEPT)
        rows = list(csv.DictReader(io.StringIO(text)))
        self.assertEqual({row["section"] for row in rows}, {"nodes"})
        quantities = {row["quantity"] for row in rows}
        self.assertEqual(quantities,
                         {"latency", "read", "write", "copy", "first_touch", "second_pass"})
        for row in rows:
            self.assertLessEqual(float(row["low"]), float(row["median"]))
            self.assertLessEqual(float(row["median"]), float(row["high"]))
            self.assertEqual(row["unit"], "ns" if row["quantity"] == "latency" else "GB/s")


class Kept(MeasureTest):
    def whole(self, *before, **options):
        """A run of all sections with the machine's own buffers."""
        result = subprocess.run([*before, KINJO, "measure", *BRIEF, "--format", "json"], text=True,
                                env=clean_environment(**self.env), timeout=600,
                                **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options})
        self.assertRegex(result.stderr, rf"\A{ANNOUNCED}")
        return result

    def test_whole_profile_is_kept_for_other_commands(self):
        printed = self.whole().stdout
        self.assertEqual(self.cached.read_text(), printed)
        self.assertEqual(os.listdir(self.cached.parent), [self.cached.name])
        self.assertEqual(set(json.loads(printed)),
                         {"schema", "machine", "model", "cpus", "allowed_cpus", "measured",
                          "warnings", "clock", "caches", "nodes"})
        self.assertEqual(json.loads(printed)["allowed_cpus"], CPUS)

    def test_profile_with_small_buffers_is_not_kept(self):
        result = kinjo("measure", *QUICK, env=self.env)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stderr.splitlines()[-1],
                         r"^kinjo: only a profile with buffers of at least \S+ [KMG]iB on each node "
                         r"is kept for other commands, as smaller ones measure caches: --output "
                         r"FILE keeps this one$")
        self.assertFalse(self.cached.exists())

    @TWO_CPUS
    def test_profile_of_fewer_cpus_neither_replaces_nor_stands_for_one_of_all(self):
        def report():
            return kinjo(*SMALL, "--threads", "1", "--report", self.path("report.html"),
                         env=self.env).stderr
        some = ("taskset", "-c", str(CPUS[-1]))
        self.assertNotIn("not kept", self.whole(*some).stderr)
        self.assertRegex(report(), rf"kinjo: the report is without the machine's profile: the profile "
                                   rf"'{self.cached}' was measured on CPUs {CPUS[-1]}, and this process "
                                   r"may use \S+; `kinjo measure` makes one of all of them\n")
        self.assertNotIn("not kept", self.whole().stderr)
        kept = self.cached.read_text()
        self.assertEqual(json.loads(kept)["allowed_cpus"], CPUS)
        self.assertNotIn("without", report())
        self.assertEqual(self.whole(*some).stderr.splitlines()[-1],
                         "kinjo: the profile is not kept: the one that is kept was measured on more "
                         "CPUs than this process may use; --output FILE keeps this one")
        self.assertEqual(self.cached.read_text(), kept)

    def test_profile_is_kept_although_its_reader_has_gone(self):
        with open("/dev/full", "w") as full:
            result = self.whole(stdout=full)
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stderr.splitlines()[-1],
                         "kinjo: cannot write the output: No space left on device")
        self.assertTrue(self.cached.exists())

    def test_cache_that_cannot_be_looked_into_is_noted_in_reports(self):
        loop = self.folder / "loop"  # root may look into everything else
        loop.symlink_to(loop)
        result = kinjo(*SMALL, "--threads", "1", "--report", self.path("report.html"),
                       env={"XDG_CACHE_HOME": str(loop)})
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("kinjo: the report is without the machine's profile: cannot look for the "
                      f"profile '{loop}/kinjo/profile-{socket.gethostname()}.json': Too many levels "
                      "of symbolic links\n", result.stderr)
        self.assertTrue((self.folder / "report.html").exists())

    def test_part_of_a_profile_is_not_kept(self):
        self.measured("nodes", remark=NOT_KEPT)
        self.assertFalse(self.cached.exists())

    def test_profile_of_a_lower_vector_level_is_not_kept(self):
        env = {**self.env, "KINJO_SIMD": "scalar"}
        result = kinjo("measure", *SECTIONS, *BRIEF, "--format", "json", env=env)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr.splitlines()[1],
                         "kinjo: only a profile of the highest vector level is kept for other "
                         "commands, not one of scalar: --output FILE keeps this one")
        self.assertFalse(self.cached.exists())

    def test_output_is_written_instead(self):
        path = self.folder / "mine.json"
        printed = self.measured("nodes", "--output", str(path), "--format", "json")
        self.assertEqual(path.read_text(), printed)
        self.assertEqual(os.listdir(self.folder), ["mine.json"])

    def test_cache_that_cannot_be_written_is_noted_and_costs_no_figure(self):
        (self.folder / "cache").write_text("in the way")
        result = kinjo("measure", *SECTIONS, *BRIEF, "--format", "json", env=self.env)
        self.assertEqual(result.returncode, 0)
        self.assertIn("clock", json.loads(result.stdout))
        self.assertEqual(result.stderr.splitlines()[1],
                         "kinjo: the profile is not kept: cannot make the directory "
                         f"'{self.folder}/cache/kinjo': Not a directory")


class Refused(MeasureTest):
    def test_bad_usage_is_refused_before_anything_is_measured(self):
        for arguments, message in (
                (["sockets"], "unknown section 'sockets': expected clock, caches, nodes, loaded or "
                              "scaling"),
                (["--buffer", "1"], "'1' of buffer: expected a number of bytes such as 256M, at "
                                    "least 64K"),
                (["--buffer", "big"], "'big' of buffer: expected a number of bytes such as 256M, "
                                      "at least 64K"),
                (["--repeat", "0"], "--repeat: Value 0 not in range 1 to 10000"),
                (["--budget", "0"], "--budget: Value 0 not in range 1 to 86400"),
                (["--pages", "large"], "--pages: large not in {normal,transparent,huge}"),
                (["--format", "xml"], "unknown format 'xml': expected text, json, csv"),
                (["--input", "synthetic:core:2 pu:1"],
                 "unexpected argument '--input': kinjo measure --help lists what is accepted"),
                (["--output", "/absent/p.json"],
                 "cannot write '/absent/p.json': No such file or directory"),
                (["--output", "/"], "cannot write '/': Is a directory")):
            with self.subTest(arguments):
                self.assertEqual(self.refusal("measure", *arguments, env=self.env), message)

    def test_buffer_that_does_not_fit_is_refused(self):
        self.assertRegex(
            self.refusal("measure", "nodes", "--buffer", "1000T"),
            r"^a buffer of \S+ TiB does not fit on node \d+: expected at most .*, since .* are "
            r"(free on it|available to the process)$")

    def test_described_machine_is_nothing_to_measure(self):
        result = kinjo(*NODES, "--no-cache", env={**self.env, "KINJO_INPUT": "/absent"})
        self.assertEqual(result.returncode, 0, result.stderr)

    def fails(self, message, *arguments, **options):
        result = kinjo(*NODES, *arguments, env=self.env, **options)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertRegex(result.stderr, rf"\A{ANNOUNCED}kinjo: ")
        self.assertEqual(result.stderr.splitlines()[-1], f"kinjo: {message}")
        self.assertEqual(len(result.stderr.splitlines()), 2)

    def test_full_device_is_an_error(self):
        with open("/dev/full", "w") as full:
            self.fails("cannot write the output: No space left on device", "--no-cache", stdout=full)
        self.fails("cannot write '/dev/full': No space left on device", "--output", "/dev/full")

    def test_directory_that_is_full_keeps_what_was_there(self):
        """A limit on the size of files stands in for a full disk."""
        import resource
        path = self.folder / "mine.json"
        path.write_text("old")

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

        self.fails(f"cannot write '{path}': File too large", "--output", str(path),
                   preexec_fn=limit)
        self.assertEqual(path.read_text(), "old")
        self.assertEqual(os.listdir(self.folder), ["mine.json"])


class Interrupted(MeasureTest):
    def test_nothing_is_left_of_a_run_that_is_ended(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            command = [KINJO, "measure", "--repeat", "10000", "--buffer", "1M", "--output",
                       str(self.folder / "mine.json")]
            with subprocess.Popen(command, stderr=subprocess.PIPE, text=True,
                                  env=clean_environment(**self.env)) as process:
                self.assertRegex(process.stderr.readline(), ANNOUNCED)
                process.send_signal(number)
                self.assertEqual(process.wait(timeout=60), -number)
                self.assertEqual(process.stderr.read(),
                                 "kinjo: measuring was interrupted: none of its figures is kept\n")
            self.assertEqual(os.listdir(self.folder), [])

    def test_progress_is_drawn_on_a_terminal_alone(self):
        drawn = self.drawn(*NODES, "--no-cache", env=self.env)
        self.assertIn("latency, CPUs of node", drawn)


if __name__ == "__main__":
    unittest.main(verbosity=2)
