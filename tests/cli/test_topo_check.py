"""kinjo topo --check, from outside: on this machine, on trees that lie, and what it refuses."""

import csv
import io
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from kinjo_program import SERVER, TWO_NODES, FolderTest, kinjo  # noqa: E402

CHECK = {"schema": str, "origin": str, "agrees": bool, "readers": list}
READER = {"reader": str, "source": str, "obstacle": (str, type(None)), "agrees": bool,
          "cpus": list, "relations": list}
RELATION = {"relation": str, "agrees": bool, "reader": list, "hwloc": list}


class CheckTest(FolderTest):
    def setUp(self):
        super().setUp()
        self.tree = self.folder
        self.write("sys/devices/system/cpu/online", "0-3\n")
        for cpu in range(4):
            topology = f"sys/devices/system/cpu/cpu{cpu}/topology"
            pair = "00000003" if cpu < 2 else "0000000c"
            self.write(f"{topology}/physical_package_id", f"{cpu // 2}\n")
            self.write(f"{topology}/core_id", f"{cpu}\n")
            self.write(f"{topology}/core_siblings", pair + "\n")
            self.write(f"{topology}/thread_siblings", f"{1 << cpu:08x}\n")
        self.write_cpuinfo([0, 0, 1, 1])

    def write(self, name, text):
        path = self.tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def write_cpuinfo(self, packages):
        self.write("proc/cpuinfo", "".join(
            f"processor\t: {cpu}\nphysical id\t: {package}\ncore id\t\t: {cpu}\n\n"
            for cpu, package in enumerate(packages)))

    def assert_fields(self, value, fields):
        self.assertEqual(list(value), list(fields))
        for name, kind in fields.items():
            self.assertIsInstance(value[name], kind, name)

    def check(self, *arguments):
        return kinjo("topo", "--check", "--input", str(self.tree), *arguments)

    def test_tree_that_tells_the_truth_has_status_0(self):
        result = self.check()
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout.splitlines()[0],
                         f"{self.tree}: which CPUs lie together, by three sources beside hwloc")
        self.assertEqual(result.stdout.splitlines()[-1],
                         f"cpuid: not available: there is no {self.tree}/cpuid/pu0 or other")
        self.assertNotIn("DIFFERS", result.stdout)

    def test_lie_has_status_1_and_names_the_cpus(self):
        self.write_cpuinfo([0, 1, 2, 3])
        result = self.check()
        self.assertEqual((result.returncode, result.stderr), (1, ""))
        self.assertIn("\ncpuinfo differs in package: 0 | 1 | 2 | 3; hwloc: 0-1 | 2-3\n",
                      result.stdout)

    def test_json_has_every_field_of_its_schema(self):
        self.write_cpuinfo([0, 1, 2, 3])
        result = self.check("--format", "json")
        check = json.loads(result.stdout)
        self.assertEqual((result.returncode, check["schema"], check["agrees"]),
                         (1, "kinjo-topo-check/1", False))
        self.assert_fields(check, CHECK)
        for reader in check["readers"]:
            self.assert_fields(reader, READER)
            for relation in reader["relations"]:
                self.assert_fields(relation, RELATION)
        self.assertEqual(check["readers"][0]["relations"][1],
                         {"relation": "package", "agrees": False,
                          "reader": [[0], [1], [2], [3]], "hwloc": [[0, 1], [2, 3]]})

    def test_csv_has_a_row_for_each_reader(self):
        rows = list(csv.DictReader(io.StringIO(self.check("--format", "csv").stdout)))
        self.assertEqual([row["reader"] for row in rows], ["cpuinfo", "sysfs", "cpuid"])
        self.assertEqual([row["package"] for row in rows], ["agrees", "agrees", "-"])

    def test_damaged_files_are_named_with_the_line(self):
        self.write("proc/cpuinfo", "processor : 0\nprocessor : none\n")
        self.assertEqual(self.refusal("topo", "--check", "--input", str(self.tree)),
                         f"{self.tree}/proc/cpuinfo, line 2: 'processor' is 'none': expected a "
                         "number up to 1048575")

    def test_descriptions_have_nothing_to_compare(self):
        for machine in (SERVER, TWO_NODES):
            self.assertEqual(self.refusal("topo", "--check", "--input", machine),
                             f"nothing to compare '{machine}' with: --check needs this machine, or "
                             "a directory that holds sys and proc")

    def test_there_is_no_picture_of_it(self):
        self.assertEqual(self.refusal("topo", "--check", "--format", "svg"),
                         "--check has no picture: expected --format text, json or csv")

    def test_this_machine_is_a_report_and_no_crash(self):
        result = kinjo("topo", "--check", "--format", "json")
        check = json.loads(result.stdout)
        self.assertEqual((result.returncode, result.stderr), (0 if check["agrees"] else 1, ""))
        self.assertEqual(check["origin"], "this machine")


if __name__ == "__main__":
    unittest.main()
