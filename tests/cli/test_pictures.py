"""Pictures, read as XML: of machines from `kinjo topo`, of threads from `kinjo map`, and figures of
samples from `draw_figures`, whose path is in KINJO_DRAW_FIGURES."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

import svg_check  # noqa: E402
from kinjo_program import MACHINES, TWO_NODES, KinjoTest  # noqa: E402

ZOO = os.environ.get("KINJO_TEST_ZOO")
ODD = ["synthetic:pu:1", "synthetic:core:400 pu:1", "synthetic:pack:3 [numa] [numa] core:5 pu:3",
       "synthetic:numa:2 pack:2 core:2 pu:1", "synthetic:pack:1 core:2 pu:8", TWO_NODES]


def machines():
    """Inputs: this machine (None), the tests' own, odd ones, and the zoo where there is one."""
    found = [None, *ODD, *map(str, sorted(MACHINES.glob("*.xml")))]
    if ZOO:
        found += map(str, sorted(pathlib.Path(ZOO, "xml").glob("*.xml")))
    return found


class Pictures(KinjoTest):
    def picture(self, *arguments):
        root = svg_check.parse(self.output(*arguments, "--format", "svg"))
        self.assertEqual(list(svg_check.faults(root)), [])
        return root

    def assert_boxes(self, group, topo):
        self.assertEqual(list(svg_check.machine_faults(group)), [])
        tips = [svg_check.title_of(g.find(f"{svg_check.NAMESPACE}rect"))
                for g in svg_check.groups(group, "cpu")]
        drawn = sorted(int(re.match(r"CPU (\d+):", tip)[1]) for tip in tips)
        self.assertEqual(drawn, sorted(cpu["cpu"] for cpu in topo["cpus"]))
        refused = sorted(int(re.match(r"CPU (\d+):", tip)[1]) for tip in tips
                         if "may not be used" in tip)
        self.assertEqual(refused, sorted(c["cpu"] for c in topo["cpus"] if not c["allowed"]))
        for name, count in (("package", len(topo["packages"])), ("memory", len(topo["nodes"]))):
            self.assertEqual(len(svg_check.groups(group, name)), count, name)
        cores = {(cpu["package"], cpu["core"]) for cpu in topo["cpus"]}
        self.assertEqual(len(svg_check.groups(group, "core")), len(cores))


class Machine(Pictures):
    def test_boxes_of_every_machine_nest_and_hold_each_thing_once(self):
        for machine in machines():
            with self.subTest(machine=machine):
                arguments = ["--input", machine] if machine else []
                root = self.picture("topo", *arguments)
                topo = self.json("topo", *arguments)
                (group,) = svg_check.groups(root, "machine")
                self.assert_boxes(group, topo)

    def test_each_cpu_lies_in_the_box_of_its_package_and_core(self):
        root = self.picture("topo", "--input", str(MACHINES / "two_socket_server.xml"))
        for package in svg_check.groups(root, "package"):
            number = svg_check.title_of(package.find(f"{svg_check.NAMESPACE}rect")).split(":")[0]
            for core in svg_check.groups(package, "core"):
                name = core.findtext(f"{svg_check.NAMESPACE}text")
                for cpu in svg_check.groups(core, "cpu"):
                    tip = svg_check.title_of(cpu.find(f"{svg_check.NAMESPACE}rect"))
                    self.assertIn(f": {number},", tip)
                    self.assertIn(f", {name},", tip)

    def test_names_that_are_no_utf8_or_markup_leave_the_picture_xml(self):
        xml = (MACHINES / "one_cpu.xml").read_text()
        with tempfile.TemporaryDirectory() as directory:
            odd = pathlib.Path(directory, "<a&b> \u8fd1.xml")
            odd.write_text(xml)
            root = self.picture("topo", "--input", str(odd))
            self.assertIn("<a&b> \u8fd1.xml", root.findtext(f"{svg_check.NAMESPACE}title"))

    def test_output_names_a_file_that_is_written_whole(self):
        with tempfile.TemporaryDirectory() as directory:
            file = pathlib.Path(directory, "machine.svg")
            self.assertEqual(self.output("topo", "--format", "svg", "--output", str(file)), "")
            self.assertEqual(file.read_text(), self.output("topo", "--format", "svg"))
            self.assertEqual(os.listdir(directory), ["machine.svg"])
            missing = str(pathlib.Path(directory, "none", "m.svg"))
            self.assertEqual(self.refusal("topo", "--output", missing),
                             f"cannot write '{missing}': No such file or directory")


class Threads(Pictures):
    def test_every_thread_lies_on_its_cpu(self):
        for machine in machines():
            with self.subTest(machine=machine):
                arguments = ["--input", machine] if machine else []
                root = self.picture("map", *arguments, "--policy", "compact")
                (group,) = svg_check.groups(root, "machine")
                self.assert_boxes(group, self.json("topo", *arguments))
                shown = {}
                for cpu in svg_check.groups(group, "cpu"):
                    texts = [t.text for t in cpu.findall(f"{svg_check.NAMESPACE}text")]
                    if len(texts) == 2:
                        shown[int(texts[0])] = int(texts[1])
                table = self.json("map", *arguments, "--policy", "compact")["threads"]
                self.assertEqual(shown, {row["thread"]: row["cpu"] for row in table})

    def test_threads_that_share_a_cpu_are_counted(self):
        result = svg_check.parse(
            subprocess.run([os.environ["KINJO"], "map", "--input", "synthetic:pu:1", "--threads",
                            "3", "--oversubscribe", "--format", "svg"], stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, check=True).stdout)
        (cpu,) = svg_check.groups(result, "cpu")
        self.assertEqual([t.text for t in cpu.findall(f"{svg_check.NAMESPACE}text")],
                         ["0,1,2", "0"])
        self.assertTrue(svg_check.title_of(cpu.find(f"{svg_check.NAMESPACE}rect"))
                        .endswith("; threads 0, 1, 2"))

    def test_the_policy_none_has_nothing_to_draw(self):
        self.assertEqual(self.refusal("map", "--policy", "none", "--format", "svg"),
                         "policy none names no CPUs: expected scatter, compact, compact-plus, an "
                         "order or a list for this format")


class Figures(unittest.TestCase):
    """The figures of samples: heat maps, rooflines, several mappings in one picture."""

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as directory:
            subprocess.run([os.environ["KINJO_DRAW_FIGURES"], directory], check=True)
            cls.figures = {file.stem: svg_check.parse(file.read_bytes())
                           for file in pathlib.Path(directory).iterdir()}

    def of(self, prefix):
        found = {n: root for n, root in self.figures.items() if n.startswith(prefix)}
        self.assertTrue(found, prefix)
        return found.items()

    def test_all_have_names_and_stay_on_their_paper(self):
        for name, root in self.figures.items():
            self.assertEqual(list(svg_check.faults(root)), [], name)

    def test_all_have_ids_of_their_own(self):
        ids = [e.get("id") for root in self.figures.values() for e in root.iter() if e.get("id")]
        self.assertEqual(len(ids), len(set(ids)))

    def test_no_two_texts_lie_on_each_other(self):
        for name, root in self.figures.items():
            if name.startswith("heat_map_64"):
                continue  # its cells are checked against their boxes
            self.assertEqual(list(svg_check.overlapping_texts(root)), [], name)

    def test_heat_maps_have_a_cell_with_a_number_for_each_pair(self):
        for name, root in self.of("heat_map"):
            cells = svg_check.groups(root, "cell")
            nodes = 4 if name.endswith("gaps") else int(name.split("_")[2])
            self.assertEqual(len(cells), nodes * nodes, name)
            for cell in cells:
                text = cell.find(f"{svg_check.NAMESPACE}text")
                tip = svg_check.title_of(cell.find(f"{svg_check.NAMESPACE}rect"))
                if text is None:
                    self.assertIn("not measured", tip)
                    self.assertEqual(len(cell.findall(f"{svg_check.NAMESPACE}line")), 2)
                    continue
                self.assertIn(f": {text.text} ", tip)
                self.assertTrue(svg_check.inside(svg_check.text_corners(text),
                                                 svg_check.box_of(cell)), (name, tip))

    def test_a_cell_that_cannot_be_trusted_is_marked(self):
        root = self.figures["heat_map_gaps"]
        marked = [cell for cell in svg_check.groups(root, "cell")
                  if cell.find(f"{svg_check.NAMESPACE}polygon") is not None]
        self.assertEqual(len(marked), 1)
        self.assertIn("firmware's <view> & the clock may lie",
                      svg_check.title_of(marked[0].find(f"{svg_check.NAMESPACE}rect")))

    def test_rooflines_show_each_point_with_a_tip_and_each_metric_with_a_name(self):
        for name, root in self.of("roofline"):
            # Circles without a tip are markers of a policy, drawn below the one that has it.
            circles = [svg_check.title_of(c) for c in root.iter(f"{svg_check.NAMESPACE}circle")]
            tips = [tip for tip in circles if tip]
            self.assertEqual(len(tips), 0 if name.endswith("no_points") else 16, name)
            names = {t.text for t in root.iter(f"{svg_check.NAMESPACE}text")}
            for tip in tips:
                self.assertIn(tip.split(",")[0], names, name)

    def test_rooflines_name_every_bound(self):
        texts = [t.text for t in self.figures["roofline_full"].iter(f"{svg_check.NAMESPACE}text")]
        for bound in ("peak, one thread: 54.4 GFLOP/s", "peak, all threads: 870 GFLOP/s",
                      "L1 read, one thread: 205 GB/s", "L3 read, all threads: 410 GB/s",
                      "memory read, one thread: 14.2 GB/s", "memory copy, all threads: 72.5 GB/s"):
            self.assertIn(bound, texts)

    def test_several_mappings_lie_beside_each_other(self):
        for name, root in self.of("mappings"):
            groups = svg_check.groups(root, "mapping")
            self.assertEqual([g.findtext(f"{svg_check.NAMESPACE}text") for g in groups],
                             ["scatter, 10 threads", "compact, 10 threads",
                              "compact-plus, 10 threads", "cpus:0-3, 10 threads"])
            boxes = []
            for group in groups:
                (machine,) = svg_check.groups(group, "machine")
                self.assertEqual(list(svg_check.machine_faults(machine)), [], name)
                boxes.append(svg_check.box_of(machine))
            for i, box in enumerate(boxes):
                for other in boxes[:i]:
                    self.assertTrue(svg_check.disjoint(box, other), name)


if __name__ == "__main__":
    unittest.main()
