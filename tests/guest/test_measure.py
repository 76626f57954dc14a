"""Tests of kinjo measure on machines with several nodes.

Time means nothing here, so what is tested is where the probes' loads and stores went, by the access
counter, which knows nothing of kinjo; and that every pair of nodes has its figures, beside what the
firmware says of it.
"""

import json
import unittest

from guest_case import EVERYTHING, GuestCase, kinjo_files
from lab import report, shapes

QUICK = "--repeat 1 --budget 1 --pages normal --no-cache"
MEASURE = f"kinjo measure {{}} --buffer 1M {QUICK} --format json 2>/dev/null"
PAIR_FIGURES = ("latency_ns", "first_touch", "second_pass")
TRAFFIC = ("read", "write", "copy")


def measure(*sections):
    return MEASURE.format(" ".join(sections))


class MatrixTest(GuestCase):
    """Every node's CPUs are measured on every node's memory."""

    def nodes(self, shape, *sections):
        text = self.session(shape, {"profile": measure(*sections)})["profile"]
        return json.loads(text)["nodes"]

    def check_pairs(self, nodes, shape, cpu_nodes):
        self.assertEqual(
            [(p["cpu_node"], p["memory_node"]) for p in nodes["pairs"]],
            [(i, j) for i in cpu_nodes for j in shape.with_memory()],
        )
        for pair in nodes["pairs"]:
            i, j = pair["cpu_node"], pair["memory_node"]
            self.assertEqual(pair["distance"], shape.distances[i][j], (i, j))
            figures = [pair[name] for name in PAIR_FIGURES]
            figures += [pair[n][t] for n in ("one_thread", "all_threads") for t in TRAFFIC]
            for figure in figures:
                self.assertGreater(figure["min"], 0)
                # Nothing is said of pages, since all of them are where they should be.
                self.assertNotIn("pages", figure.get("warning", ""))
        self.assertEqual([note for note in nodes["notes"] if "left out" in note], [])

    def test_matrix_is_full_and_has_the_machines_distances(self):
        shape = shapes.find("opteron4")
        nodes = self.nodes("opteron4", "nodes", "loaded", "scaling")
        self.check_pairs(nodes, shape, range(4))
        self.assertEqual(set(nodes["all_nodes_local"]), set(TRAFFIC))
        self.assertEqual(len(nodes["loaded"]), 13)
        counts = [1, 2, 3, 4, 6, 8, 12, 16]
        self.assertEqual(
            [(p["policy"], p["threads"]) for p in nodes["scaling"]],
            [(policy, n) for policy in ("scatter", "compact") for n in counts],
        )

    def test_memory_without_cpus_is_measured_beside_what_the_firmware_says(self):
        shape = shapes.find("hmat")
        nodes = self.nodes("hmat", "nodes")
        self.check_pairs(nodes, shape, (0, 1))
        told = {}
        for pair in nodes["pairs"]:
            if "hmat_latency_ns" in pair:
                told[pair["cpu_node"], pair["memory_node"]] = tuple(
                    pair[f"hmat_{name}"]
                    for name in ("latency_ns", "write_latency_ns", "read_mb_s", "write_mb_s")
                )
        # The kernel shows what holds for the nearest CPUs alone.
        self.assertEqual(
            told,
            {
                (i, j): (shape.hmat.latency_ns[i][j],) * 2 + (shape.hmat.bandwidth_mb[i][j],) * 2
                for i, j in ((0, 0), (1, 1), (0, 2))
            },
        )


class TrafficTest(GuestCase):
    """Which memory the probes touched, for each pair of nodes."""

    def count(self, *sections):
        path = self.directory / "figures.json"
        files = [f"--file={host}:{guest}" for host, guest in kinjo_files([])]
        options = [*files, "--count", "--phases-only", "--json", str(path)]
        run = self.boot("azusa", "sh", "-c", measure(*sections), options=options)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(path.read_text())

    def test_threads_on_a_node_touch_the_memory_of_the_node_that_is_measured_alone(self):
        found = self.count("nodes")
        for node in range(4):
            region = f"node {node}"
            local = report.find(found, "local", region)["matrix"]
            remote = report.find(found, "remote", region)["matrix"]
            for i in range(4):
                for j in range(4):
                    with self.subTest(cpus=i, memory=j, region=region):
                        # CPUs of node i touched `region`, which lies on `node` and nowhere else.
                        self.assertEqual(local[i][j] > 0, i == node and j == node)
                        self.assertEqual(remote[i][j] > 0, i != node and j == node)
            own = report.find(found, "together", region)["matrix"]
            self.assertEqual([own[i][i] > 0 for i in range(4)], [i == node for i in range(4)])
            self.assertEqual(report.find(found, "together", region)["share_local"], 1)
            self.assertEqual(report.find(found, "local", region)["share_local"], 1)
            self.assertEqual(report.find(found, "remote", region)["share_local"], 0)

    @unittest.skipUnless(EVERYTHING, "KINJO_LAB=all only")
    def test_threads_of_both_fillings_and_under_load_stay_on_their_nodes(self):
        found = self.count("loaded", "scaling")
        self.assertGreaterEqual(report.find(found, "together")["share_local"], 0.999)
        self.assertEqual(report.find(found, "loaded", "node 0")["share_local"], 1)
        for node in range(4):
            self.assertEqual(report.find(found, "together", f"node {node}")["share_local"], 1)


if __name__ == "__main__":
    unittest.main()
