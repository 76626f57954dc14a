"""kinjo topo, map and stream, from outside: what they print, and what they refuse."""

import csv
import io
import os
import pathlib
import re
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from kinjo_program import CPUS, SERVER, SMALL, TWO_CPUS, TWO_NODES, KinjoTest, kinjo  # noqa: E402

SCATTER = [0, 4, 2, 6, 1, 5, 3, 7]
COMPACT = [0, 2, 1, 3, 4, 6, 5, 7]
COMPACT_PLUS = [0, 2, 4, 6, 1, 3, 5, 7]

CPU = {"cpu": int, "logical": int, "package": int, "node": int, "core": int, "smt": int,
       "kind": int, "allowed": bool}
NODE = {"node": int, "cpus": list, "memory_bytes": (int, type(None)), "memory_kind": str,
        "allowed": bool, "distances": dict}
CACHE = {"level": int, "type": str, "size_bytes": int, "line_bytes": int, "cpus": list}
TOPO = {"schema": str, "origin": str, "packages": list, "nodes": list, "cpus": list,
        "caches": list, "core_kinds": list, "allowed_cpus": list, "allowed_nodes": list,
        "nodes_span_packages": bool, "cpu_quota": (float, type(None)), "support": dict,
        "simd": (dict, type(None))}
PLACE = {"thread": int, "cpu": int, "node": int, "package": int, "core": int, "smt": int,
         "rank_in_node": int, "node_threads": int}
METRIC = {"value": float, "unit": str, "min": float, "max": float, "low": float, "high": float,
          "samples": list}
RECORD = {"schema": str, "workload": str, "parameters": dict, "policy": str, "threads": int,
          "metrics": dict, "verified": bool, "result": dict, "machine": dict}


class FrontEndTest(KinjoTest):
    def assert_fields(self, value, fields):
        self.assertEqual(list(value), list(fields))
        for name, kind in fields.items():
            self.assertIsInstance(value[name], kind, name)

    def dealt(self, *arguments, **options):
        return [t["cpu"] for t in self.json("map", *arguments, **options)["threads"]]


class Topo(FrontEndTest):
    def test_json_has_every_field_of_its_schema(self):
        for machine in ([], ["--input", SERVER], ["--input", TWO_NODES]):
            topo = self.json("topo", *machine)
            self.assertEqual(topo["schema"], "kinjo-topo/1")
            self.assert_fields(topo, TOPO)
            for cpu in topo["cpus"]:
                self.assert_fields(cpu, CPU)
            for node in topo["nodes"]:
                self.assert_fields(node, NODE)
            for cache in topo["caches"]:
                self.assert_fields(cache, CACHE)

    def test_this_machine_has_the_cpus_that_the_kernel_allows(self):
        topo = self.json("topo")
        self.assertEqual(topo["allowed_cpus"], CPUS)
        self.assertEqual(topo["origin"], "this machine")
        self.assertTrue(topo["support"]["this_machine"])

    def test_level_of_vector_kernels_is_the_highest_or_the_one_that_is_asked_for(self):
        simd = self.json("topo")["simd"]
        self.assertEqual(simd["level"], simd["levels"][-1])
        self.assertEqual(simd["levels"][0], "scalar")
        for level in simd["levels"]:
            asked = {"KINJO_SIMD": level}
            self.assertEqual(self.json("topo", env=asked)["simd"]["level"], level)
            self.assertIn(f"\nvector kernels: {level} (of {', '.join(simd['levels'])})\n",
                          self.output("topo", env=asked))
            self.output(*SMALL, "--threads", "1", env=asked)

    def test_level_that_is_unknown_or_not_there_is_refused(self):
        levels = self.json("topo")["simd"]["levels"]
        missing = {"scalar", "sse2", "avx2", "avx512", "neon"} - set(levels)
        has = ", ".join(levels)
        for command in (["topo"], [*SMALL, "--threads", "1"]):
            self.assertEqual(
                self.refusal(*command, env={"KINJO_SIMD": "AVX2"}),
                "KINJO_SIMD: unknown level 'AVX2': expected one of scalar, sse2, avx2, avx512, neon")
            for level in missing:
                self.assertEqual(self.refusal(*command, env={"KINJO_SIMD": level}),
                                 f"KINJO_SIMD: this CPU has no {level}: it has {has}")

    def test_a_described_machine_has_no_level_whatever_is_asked_for(self):
        topo = self.json("topo", "--input", SERVER, env={"KINJO_SIMD": "bogus"})
        self.assertIsNone(topo["simd"])

    def test_text_of_this_machine_begins_with_a_summary(self):
        self.assertRegex(self.output("topo"), r"\Athis machine: \d+ packages?, \d+ nodes?, ")

    def test_xml_file_is_read(self):
        topo = self.json("topo", "--input", SERVER)
        self.assertEqual((len(topo["packages"]), len(topo["cpus"])), (2, 64))
        self.assertEqual(topo["nodes"][1]["distances"], {"0": 20, "1": 10})
        self.assertFalse(topo["support"]["this_machine"])

    def test_csv_has_a_row_for_each_cpu(self):
        rows = list(csv.DictReader(io.StringIO(
            self.output("topo", "--input", TWO_NODES, "--format", "csv"))))
        self.assertEqual(list(rows[0]), list(CPU))
        self.assertEqual([row["node"] for row in rows], list("00001111"))

    def test_directory_with_sys_and_proc_is_read(self):
        with tempfile.TemporaryDirectory() as root:
            write_sys_tree(pathlib.Path(root))
            topo = self.json("topo", "--input", root)
        self.assertEqual([(c["cpu"], c["package"], c["node"]) for c in topo["cpus"]],
                         [(0, 0, 0), (1, 1, 1)])
        self.assertEqual(topo["nodes"][0]["distances"], {"0": 10, "1": 21})


def write_sys_tree(root):
    """Two packages with a CPU and a node each, as a kernel shows them."""
    cpu = root / "sys/devices/system/cpu"
    node = root / "sys/devices/system/node"
    files = {cpu / "online": "0-1", cpu / "possible": "0-1", cpu / "present": "0-1",
             node / "online": "0-1", root / "proc/cpuinfo": ""}
    for i in range(2):
        topology = cpu / f"cpu{i}/topology"
        files.update({
            cpu / f"cpu{i}/online": "1",
            topology / "physical_package_id": i, topology / "core_id": 0,
            topology / "core_cpus": 1 << i, topology / "thread_siblings": 1 << i,
            topology / "package_cpus": 1 << i, topology / "core_siblings": 1 << i,
            node / f"node{i}/cpumap": 1 << i, node / f"node{i}/cpulist": i,
            node / f"node{i}/distance": ("10 21", "21 10")[i],
            node / f"node{i}/meminfo": f"Node {i} MemTotal:        4096 kB"})
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n")


class Map(FrontEndTest):
    def test_json_has_every_field_of_its_schema(self):
        table = self.json("map", "--input", TWO_NODES)
        self.assertEqual((table["schema"], table["policy"]), ("kinjo-map/1", "scatter"))
        self.assert_fields(table, {"schema": str, "policy": str, "rounds": int, "threads": list})
        for place in table["threads"]:
            self.assert_fields(place, PLACE)

    def test_each_policy_deals_its_order(self):
        for policy, cpus in (("scatter", SCATTER), ("compact", COMPACT),
                             ("compact-plus", COMPACT_PLUS), ("smt,core,node", SCATTER),
                             ("core", [0, 1, 4, 5, 2, 3, 6, 7]),
                             ("cpus:7,0-2", [7, 0, 1, 2]), ("none", [-1] * 8)):
            with self.subTest(policy):
                self.assertEqual(self.dealt("--input", TWO_NODES, "--policy", policy), cpus)

    def test_text_and_csv_hold_the_same_table(self):
        arguments = ("map", "--input", TWO_NODES, "--threads", "2")
        self.assertEqual(self.output(*arguments),
                         "thread  cpu  node  package  core  smt  rank_in_node  node_threads\n"
                         "     0    0     0        0     0    0             0             1\n"
                         "     1    4     1        1     0    0             0             1\n")
        self.assertEqual(self.output(*arguments, "--format", "csv"),
                         "thread,cpu,node,package,core,smt,rank_in_node,node_threads\n"
                         "0,0,0,0,0,0,0,1\n1,4,1,1,0,0,0,1\n")

    def test_table_comes_in_the_words_of_other_programs(self):
        for syntax, text in (
                ("OMP_PLACES", "OMP_NUM_THREADS=2\nOMP_PLACES={0},{4}\nOMP_PROC_BIND=close\n"),
                ("gomp_cpu_affinity", "OMP_NUM_THREADS=2\nGOMP_CPU_AFFINITY=0,4\n"),
                ("KMP_AFFINITY", "OMP_NUM_THREADS=2\n"
                                 "KMP_AFFINITY=granularity=fine,proclist=[0,4],explicit\n"),
                ("taskset", "taskset --cpu-list 0,4\n"),
                ("numactl", "numactl --physcpubind=0,4 --membind=0-1\n"),
                ("srun", "srun --ntasks=2 --cpus-per-task=1 --cpu-bind=map_cpu:0,4\n")):
            with self.subTest(syntax):
                self.assertEqual(self.output("map", "--input", TWO_NODES, "--threads", "2",
                                             "--format", syntax), text)

    def test_oversubscribed_table_wraps_around_and_says_so(self):
        result = kinjo("map", "--input", TWO_NODES, "--threads", "9", "--oversubscribe",
                       "--format", "taskset")
        self.assertEqual((result.returncode, result.stdout, result.stderr),
                         (0, "taskset --cpu-list 0,4,2,6,1,5,3,7,0\n",
                          "kinjo: 9 threads on 8 CPUs: the table deals them in 2 rounds\n"))
        self.assertEqual(self.dealt("--policy", "none", "--threads", "500", "--oversubscribe"), [-1] * 500)


class Environment(FrontEndTest):
    def test_input_describes_the_machine_of_topo_and_map(self):
        env = {"KINJO_INPUT": TWO_NODES}
        self.assertEqual(self.json("topo", env=env)["origin"], TWO_NODES)
        self.assertEqual(self.dealt(env=env), SCATTER)

    def test_input_is_nothing_to_stream(self):
        self.output(*SMALL, env={"KINJO_INPUT": "/absent"})
        self.assertEqual(self.refusal("stream", "--input", TWO_NODES),
                         "unexpected argument '--input': kinjo stream --help lists what is "
                         "accepted")

    def test_flag_beats_variable_and_variable_beats_default(self):
        env = {"KINJO_INPUT": "/absent", "KINJO_POLICY": "compact", "KINJO_THREADS": "3"}
        self.assertEqual(self.dealt("--input", TWO_NODES, env=env), COMPACT[:3])
        self.assertEqual(self.dealt("--input", TWO_NODES, "--threads", "5", env=env), COMPACT[:5])
        self.assertEqual(self.dealt("--input", TWO_NODES, "--policy", "scatter", env=env),
                         SCATTER[:3])

    def test_stream_takes_policy_threads_and_binding(self):
        env = {"KINJO_POLICY": "compact", "KINJO_THREADS": "1", "KINJO_BIND": "node"}
        record, = self.json(*SMALL, env=env)["records"]
        self.assertEqual((record["policy"], record["threads"], record["parameters"]["bind"]),
                         ("compact", 1, "node"))
        record, = self.json(*SMALL, "--policy", "none", "--bind", "core", env=env)["records"]
        self.assertEqual((record["policy"], record["parameters"]["bind"]), ("none", "core"))

    def test_bad_value_of_a_variable_is_refused_like_that_of_a_flag_and_said_to_be_its(self):
        for name, value, command in (("POLICY", "bogus", "map"), ("THREADS", "0", "map"),
                                     ("INPUT", "/absent", "topo"), ("BIND", "bogus", "stream")):
            flag = self.refusal(command, f"--{name.lower()}", value)
            env = {f"KINJO_{name}": value}
            self.assertEqual(self.refusal(command, env=env), f"{flag} (of KINJO_{name})")
            self.assertEqual(self.refusal(command, f"--{name.lower()}", value, env=env), flag)
        self.assertIn("unknown binding 'scatter'",
                      message := self.refusal("stream", "--bind", "scatter", env={"KINJO_POLICY": "scatter"}))
        self.assertNotIn("KINJO_POLICY", message)


    def test_another_machine_that_a_variable_of_hwloc_describes_is_refused(self):
        for name, value in (("HWLOC_SYNTHETIC", "pu:2"), ("HWLOC_XMLFILE", SERVER)):
            for command in (("topo",), ("map",), SMALL):
                self.assertEqual(self.refusal(*command, env={name: value}),
                                 f"{name}: hwloc describes another machine than this one by it: expected it unset "
                                 "(a description is an input: `--input`, `Topology::from`)")
            self.assertEqual(self.dealt("--input", TWO_NODES, env={name: value}), SCATTER)


class RestrictedMask(FrontEndTest):
    @TWO_CPUS
    def test_only_cpus_of_the_mask_are_dealt(self):
        for cpu in (CPUS[0], CPUS[-1]):
            mask = {"preexec_fn": lambda cpu=cpu: os.sched_setaffinity(0, {cpu})}
            for policy in ("scatter", "compact", "compact-plus", "core"):
                self.assertEqual(self.dealt("--policy", policy, **mask), [cpu])
            self.assertEqual(self.json("topo", **mask)["allowed_cpus"], [cpu])
            record, = self.json(*SMALL, **mask)["records"]
            self.assertEqual((record["threads"], record["machine"]["allowed_cpus"]), (1, str(cpu)))

    @TWO_CPUS
    def test_cpu_outside_the_mask_is_refused(self):
        self.assertEqual(
            self.refusal("map", "--policy", f"cpus:{CPUS[1]}",
                         preexec_fn=lambda: os.sched_setaffinity(0, {CPUS[0]})),
            f"CPU {CPUS[1]} of policy cpus:{CPUS[1]} may not be used by this process: expected "
            f"CPUs of {CPUS[0]}")


class Stream(FrontEndTest):
    def test_sweep_gives_verified_records(self):
        records = self.json("stream", "--policy", "all", "--threads", "all", "--elements",
                            "100000", "--repeat", "6")
        self.assertEqual(records["schema"], "kinjo-records/1")
        for record in records["records"]:
            self.assert_fields(record, RECORD)
            self.assertEqual((record["schema"], record["workload"], record["verified"]),
                             ("kinjo-record/1", "stream", True))
            self.assertEqual(list(record["metrics"]), ["copy", "scale", "add", "triad"])
            for metric in record["metrics"].values():
                self.assert_fields(metric, METRIC)
                self.assertEqual((metric["unit"], len(metric["samples"])), ("GB/s", 6))
                self.assertGreater(metric["min"], 0)
        counts = [2**i for i in range(len(CPUS)) if 2**i < len(CPUS)] + [len(CPUS)]
        self.assertEqual([(r["policy"], r["threads"]) for r in records["records"]],
                         [(policy, n) for policy in ("none", "scatter", "compact", "compact-plus")
                          for n in counts])

    def test_text_is_a_table_and_one_sentence(self):
        lines = self.output("stream", "--policy", "all", "--threads", "1", "--elements", "1000",
                            "--repeat", "6").splitlines()
        self.assertRegex(lines[0], r"^STREAM in GB/s, medians of 6 rounds, each the best of 4 passes: "
                                   r"3 arrays of 1000 doubles")
        self.assertEqual([line.split()[0] for line in lines[1:6]],
                         ["policy", "none", "scatter", "compact", "compact-plus"])
        self.assertRegex(lines[6], r"^(Fastest: |No difference between policies was measured: )")
        self.assertEqual(len(lines), 7)

    def test_csv_has_a_row_for_each_configuration(self):
        rows = list(csv.DictReader(io.StringIO(
            self.output(*SMALL, "--policy", "none", "--policy", "compact", "--threads", "1,1",
                        "--format", "csv"))))
        self.assertEqual([(r["policy"], r["threads"], r["verified"]) for r in rows],
                         [("none", "1", "true")] * 2 + [("compact", "1", "true")] * 2)
        for row in rows:
            low, median, best = (float(row[f"triad_{what}"]) for what in ("low", "median", "best"))
            self.assertLessEqual(low, median)
            self.assertLessEqual(median, best)
            self.assertEqual(row["pages_as_asked"], "" if row["policy"] == "none" else row["pages"])

    def test_stores_and_pages_are_as_asked(self):
        for stores in ("cached", "streaming"):
            for pages in ("normal", "transparent"):
                record, = self.json(*SMALL, "--stores", stores, "--pages", pages)["records"]
                self.assertEqual((record["result"]["stores"], record["parameters"]["pages"]),
                                 (stores, pages))

    def test_more_threads_than_cpus_are_asked_for(self):
        many = str(len(CPUS) + 1)
        self.assertRegex(self.refusal(*SMALL, "--threads", many), f"^{many} threads exceed the ")
        record, = self.json(*SMALL, "--threads", many, "--oversubscribe")["records"]
        self.assertEqual((record["threads"], record["verified"]), (int(many), True))


class Progress(FrontEndTest):
    def test_nothing_is_drawn_into_a_file(self):
        self.assertEqual(kinjo(*SMALL).stderr, "")

    def test_bar_is_drawn_on_a_terminal_and_wiped(self):
        drawn = self.drawn(*SMALL, "--policy", "all", "--threads", "1")
        self.assertIn("[..............................] 0/4  none, 1 thread\r", drawn)
        self.assertRegex(drawn, r"\[#{22}\.{8}\] 3/4, \d+ s left  compact-plus, 1 thread\r")


class Help(FrontEndTest):
    def test_each_command_shows_its_usage_and_an_example(self):
        for command in ("topo", "map", "stream", "blas1", "run", "tune"):
            text = self.output(command, "--help")
            self.assertIn(f"Usage: kinjo {command} ", text)
            self.assertRegex(text, rf"\nExample: (.*\n +)?.*\bkinjo {command} ")
            self.assertEqual(self.output(command, "-h"), text)

    def test_program_shows_its_commands(self):
        text = self.output("--help")
        for command in ("topo", "map", "stream", "blas1", "run", "tune"):
            self.assertRegex(text, rf"\n +{command} +[A-Z]")
        self.assertIn("\nExample: kinjo topo", text)

    def test_fits_a_terminal_of_80_columns(self):
        def commands_below(*path):
            text = self.output(*path, "--help")
            lists = "".join(re.findall(r"^(?:Subcommands|Shell and manual):\n((?:  .*\n)+)", text, re.MULTILINE))
            names = re.findall(r"^  (\S+)", lists, re.MULTILINE)
            return [path, *(below for name in names for below in commands_below(*path, name))]

        paths = commands_below()
        self.assertGreater(len(paths), 20)
        for path in paths:
            text = self.output(*path, "--help")
            self.assertEqual([line for line in text.splitlines() if len(line) > 80], [], path)
            self.assertNotRegex(text, r"Excludes|Needs|TEXT|UINT|\n\n\n", path)

    def test_version_is_one_line(self):
        self.assertRegex(self.output("--version"), r"\Akinjo \d+\.\d+\.\d+\n\Z")


if __name__ == "__main__":
    unittest.main(verbosity=2)
