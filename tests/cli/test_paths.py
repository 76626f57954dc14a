"""kinjo paths: what it counts, lists, draws, keeps and refuses."""

import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from kinjo_program import KINJO, FolderTest, clean_environment, kinjo, wait_until_heard  # noqa: E402

# A square a-b-c-d with the diagonal b-d, a loop, b-a once more, and two vertices apart.
LIST = "# a square\na b\nb c\nc d\nd a\nb d\nc c\nb a\nx y\n"


class PathsTest(FolderTest):
    def save(self, name, content):
        (self.folder / name).write_text(content)
        return str(self.folder / name)

    def result(self, *arguments, **options):
        """Of a run that succeeds, whatever it notes."""
        run = kinjo("paths", *arguments, **options)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout


class Counts(PathsTest):
    def test_prints_the_number_alone(self):
        for method in ("automatic", "sweep", "diagram", "grid"):
            with self.subTest(method):
                self.assertEqual(self.output("paths", "grid:6x6", "--method", method), "575780564\n")
        self.assertEqual(self.output("paths", "grid:3x5", "--count"), "5382\n")

    def test_reads_no_machine_for_a_few_states_unless_threads_are_asked_for(self):
        nowhere = {"HWLOC_COMPONENTS": "-linux,-x86,-no_os,stop"}
        edges, kept = self.save("square.el", LIST), self.path("kept.kzdd")
        self.result("grid:4", "--save", kept)
        few = (("grid:6",), "575780564"), (("king:4",), "96371"), ((kept,), "8512"), (
            ("grid:4", "--method", "diagram"), "8512"), ((edges, "--from", "a", "--to", "c"), "4")
        for arguments, count in few:
            with self.subTest(arguments):
                self.assertEqual(self.result(*arguments, env=nowhere), count + "\n")
        for arguments in (("grid:6", "--threads", "2"), ("grid:6", "--policy", "none"), ("grid:6", "--bind", "core"),
                          ("grid:6", "--format", "json"), ("grid:12",), (kept, "--threads", "1")):
            with self.subTest(arguments):
                self.assertEqual(self.refusal("paths", *arguments, env=nowhere),
                                 "cannot discover the machine: hwloc failed")
        self.assertIn("hwloc failed", self.refusal("paths", "grid:6", env={**nowhere, "KINJO_THREADS": "2"}))

    def test_knows_every_kind(self):
        known = {("complete:5", "cycle"): 37, ("complete:5", "tree"): 125,
                 ("complete:5", "forest"): 291, ("complete:5", "matching"): 26,
                 ("complete:5", "components"): 728, ("hypercube:4", "hamiltonian"): 1344}
        for (graph, kind), count in known.items():
            with self.subTest(kind):
                self.assertEqual(self.output("paths", graph, "--kind", kind), f"{count}\n")
        for method in ("sweep", "determinant", "automatic"):
            self.assertEqual(self.output("paths", "complete:9", "--kind", "tree", "--method", method,
                                         "--verify"), f"{9 ** 7}\n")
        self.assertEqual(self.output("paths", "complete:99", "--kind", "tree"), f"{99 ** 97}\n")
        self.assertEqual(self.output("paths", "complete:5", "--kind", "hamiltonian", "--from", "0",
                                     "--to", "1"), "6\n")
        self.assertEqual(self.output("paths", "grid:3x3", "--kind", "degrees", "--degrees", "1"),
                         "36\n")
        self.assertEqual(self.output("paths", "cycle:5", "--kind", "components", "--components",
                                     "2"), "10\n")

    def test_takes_lists_before_the_graph(self):
        for arguments, count in {
            ("--avoid", "7", "grid:4"): "1708",
            ("--through", "8", "--avoid", "3,4", "grid:4", "--through", "9"): "1152",
            ("--kind", "degrees", "--degrees", "1", "grid:3"): "36",
        }.items():
            with self.subTest(arguments):
                self.assertEqual(self.output("paths", *arguments), count + "\n")

    def test_records_say_which_problem_was_counted(self):
        asked = self.json("paths", "grid:4", "--avoid", "7,8", "--through", "12", "--parallel",
                          "keep")["parameters"]
        self.assertEqual((asked["avoid"], asked["through"], asked["parallel"]), ("7,8", "12", "keep"))
        asked = self.json("paths", "grid:2", "--kind", "components", "--components",
                          "2")["parameters"]
        self.assertEqual(asked["components"], 2)
        self.assertNotIn("avoid", asked)

    def test_names_vertices_as_the_file_does(self):
        path = self.save("square.el", LIST)
        run = kinjo("paths", path, "--from", "a", "--to", "c")
        self.assertEqual((run.returncode, run.stdout), (0, "4\n"))
        self.assertEqual(run.stderr, "kinjo: left out: 1 loop\nkinjo: left out: 1 repeated edge "
                                     "(--parallel keep: each is one of its own)\n")
        self.assertEqual(self.result(path, "--from", "a", "--to", "c", "--parallel", "keep"), "6\n")
        self.assertEqual(self.result(path, "--from", "a", "--to", "c", "--avoid", "d"), "1\n")
        self.assertEqual(self.result(path, "--from", "a", "--to", "c", "--through", "b,d"), "2\n")
        self.assertEqual(self.result(path, "--from", "a", "--to", "a"), "3\n")
        lines = self.result(path, "--from", "a", "--to", "c", "--enumerate", "9").splitlines()
        self.assertCountEqual(lines, ["a b c", "a b d c", "a d c", "a d b c"])
        market = self.save("k3.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n"
                                     "2 1\n3 1\n3 2\n")
        self.assertCountEqual(
            self.result(market, "--from", "1", "--to", "3", "--enumerate", "9").splitlines(),
            ["1 3", "1 2 3"])

    def test_counts_by_length(self):
        self.assertEqual(self.output("paths", "complete:5", "--by-length"), "1 1\n2 3\n3 6\n4 6\n")
        found = self.json("paths", "complete:5", "--by-length")["result"]
        self.assertEqual((found["count"], found["by_length"]), ("16", ["0", "1", "3", "6", "6"]))
        self.assertEqual(self.output("paths", "complete:4", "--by-length", "--format", "csv"),
                         "length,count\n0,0\n1,1\n2,2\n3,2\n")

    def test_writes_a_record(self):
        record = self.json("paths", "grid:5", "--method", "sweep", "--repeat", "3", "--threads", "1",
                           "--verify")
        self.assertEqual(record["schema"], "kinjo-record/1")
        self.assertEqual(record["workload"], "paths")
        self.assertEqual(record["result"]["count"], "1262816")
        self.assertEqual(len(record["metrics"]["seconds"]["samples"]), 3)
        self.assertIs(record["verified"], True)

    def test_order_of_edges_does_not_matter(self):
        for order in ("automatic", "breadth", "frontier", "given"):
            with self.subTest(order):
                self.assertEqual(self.output("paths", "complete:7", "--order", order), "326\n")


class Members(PathsTest):
    def test_draws_members(self):
        first = self.output("paths", "grid:4", "--sample", "5")
        self.assertEqual(self.output("paths", "grid:4", "--sample", "5"), first)
        self.assertNotEqual(self.output("paths", "grid:4", "--sample", "5", "--seed", "2"), first)
        for line in first.splitlines():
            path = [int(v) for v in line.split()]
            self.assertEqual((path[0], path[-1]), (0, 24))
            self.assertEqual(len(set(path)), len(path))
            for a, b in zip(path, path[1:]):
                self.assertIn(abs(a - b), (1, 5))

    def test_lists_edges_of_what_is_no_line(self):
        lines = self.output("paths", "cycle:4", "--kind", "tree", "--enumerate", "9").splitlines()
        self.assertCountEqual([sorted(line.split()) for line in lines],
                              [["0-1", "0-3", "1-2"], ["0-1", "0-3", "2-3"], ["0-1", "1-2", "2-3"],
                               ["0-3", "1-2", "2-3"]])
        found = self.json("paths", "cycle:4", "--kind", "matching", "--enumerate", "1")["result"]
        self.assertEqual(found["count"], "7")
        self.assertEqual(len(found["members"]), 1)

    def test_tells_edges_that_join_the_same_vertices(self):
        path = self.save("twice.el", "a b\nb a\nb c\n")
        lines = self.result(path, "--kind", "tree", "--parallel", "keep", "--enumerate", "9")
        self.assertCountEqual([sorted(line.split()) for line in lines.splitlines()],
                              [["a-b-0", "b-c-0"], ["b-a-1", "b-c-0"]])
        saved = self.folder / "twice.dot"
        self.result(path, "--kind", "tree", "--parallel", "keep", "--save", str(saved))
        for name in ("a-b-0", "b-a-1", "b-c-0"):
            self.assertEqual(saved.read_text().count(f'"{name}"'), 1)

    def test_keeps_a_diagram(self):
        for name in ("paths.kzdd", "paths.dot"):
            path = self.folder / name
            self.assertEqual(self.output("paths", "grid:3", "--save", str(path)), "184\n")
            self.assertGreater(path.stat().st_size, 100)
        self.assertIn("0-1", (self.folder / "paths.dot").read_text())


    def test_lists_nothing_where_there_is_nothing(self):
        line = self.save("line.el", "a b\nc d\n")
        for option in ("--enumerate", "--sample"):
            with self.subTest(option):
                arguments = ("paths", line, "--kind", "cycle", option, "3")
                self.assertEqual(self.output(*arguments), "")
                self.assertEqual(self.output(*arguments, "--format", "csv"), "member\n")
                self.assertEqual(self.json(*arguments)["result"]["members"], [])

    def test_counts_a_grid_too_long_for_its_own_way(self):
        self.assertEqual(len(self.output("paths", "grid:10000x1")), 3012)  # 2 ** 10000

    def test_verifies_large_grids_by_residues(self):
        self.assertEqual(self.output("paths", "grid:15", "--verify"),
                         "2266745568862672746374567396713098934866324885408319028\n")

    def test_says_what_a_diagram_will_take(self):
        for threads, need in (1, "take 161 MiB, up to 172"), (2, "take at most 174 MiB, up to 185"):
            run = kinjo("paths", "grid:12", "--method", "diagram", "--order", "given", "--threads", str(threads),
                        "--memory-limit", "2G")
            self.assertEqual((run.returncode, run.stdout), (0, "64528039343270018963357185158482118\n"))
            self.assertRegex(run.stderr, r"^kinjo: the diagram has 26633682 nodes before it is reduced, "
                                         rf"which {need} MiB while they are reduced; "
                                         r".+ may be taken\n$")

    def test_estimates_what_a_small_part_of_memory_is_enough_for(self):
        run = kinjo("paths", "grid:11", "--method", "diagram", "--threads", "1")
        self.assertEqual((run.returncode, run.stdout), (0, "182413291514248049241470885236\n"))
        said = re.match(r"kinjo: the diagram has at most about (\d+) nodes before it is reduced, which take ([0-9.]+) MiB, "
                        r"up to ([0-9.]+) MiB while they are reduced; .+ may be taken\n$", run.stderr)
        self.assertTrue(said, run.stderr)
        nodes, building, reducing = (float(number) for number in said.groups())
        states = int(re.search(r"\d+", kinjo("paths", "grid:11", "--method", "diagram", "--order", "given", "--threads",
                                             "1", "--memory-limit", "300M").stderr).group())
        self.assertLess(states, nodes)
        self.assertLess(nodes, 2.5 * states)
        self.assertLess(building, reducing)
        # Whose frontiers could have so many states that they are counted.
        self.assertRegex(kinjo("paths", "king:7", "--method", "diagram", "--memory-limit", "4M", "--threads", "1").stderr,
                         r"^kinjo: the diagram has \d+ nodes before it is reduced, which take [0-9.]+ MiB: "
                         r"4 MiB may be taken; --spill keeps them on a disk, --count needs far less$")
        # Little enough to say nothing.
        self.assertEqual(kinjo("paths", "grid:8", "--method", "diagram").stderr, "")

    def test_keeps_a_diagram_whose_nodes_leave_no_memory_for_their_counts(self):
        for limit in ("17M", "1G"):  # 9.4 MiB of nodes and 8 of counts
            run = kinjo("paths", "grid:9", "--order", "breadth", "--threads", "1", "--memory-limit", limit, "--save",
                        self.path(f"{limit}.kzdd"))
            self.assertEqual((run.returncode, run.stdout), (0, "41044208702632496804\n"), run.stderr)
        self.assertEqual((self.folder / "17M.kzdd").read_bytes(), (self.folder / "1G.kzdd").read_bytes())

    def test_keeps_nodes_on_a_disk(self):
        files = [self.folder / name for name in ("memory.kzdd", "disk.kzdd")]
        spill = self.folder / "spill"
        spill.mkdir()
        self.output("paths", "grid:9", "--save", str(files[0]))
        self.assertEqual(self.output("paths", "grid:9", "--save", str(files[1]), "--spill", str(spill)),
                         "41044208702632496804\n")
        self.assertEqual(files[0].read_bytes(), files[1].read_bytes())
        self.assertEqual(list(spill.iterdir()), [])

    def test_counts_by_way_of_a_disk(self):
        spill = self.folder / "spill"
        spill.mkdir()
        count = "paths", "king:6", "--memory-limit", "64K", "--threads", "1"
        run = kinjo(*count)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertRegex(run.stderr, "counting takes more memory than the limit of 64 KiB: .*; expected a larger limit, or a "
                         "directory to spill to$")
        spilled = *count, "--spill", str(spill)
        self.assertEqual(self.output(*spilled, "--verify"), "22132498074021\n")
        lengths = self.output(*spilled, "--by-length").split()
        self.assertEqual(lengths, self.output(*count[:2], "--by-length").split())
        # The grid's own way takes 1.4 MiB or more.
        self.assertEqual(self.output("paths", "grid:12", "--memory-limit", "1M", "--spill", str(spill)),
                         "64528039343270018963357185158482118\n")
        self.assertEqual(list(spill.iterdir()), [])
        self.assertIn("Example: kinjo paths king:8 --memory-limit 1M --spill .\n",
                      self.output("paths", "--help"))
        self.assertEqual(self.output("paths", "king:8", "--memory-limit", "1M", "--spill", str(spill)),
                         "50819542770311581606906543\n")

    def test_takes_a_long_line_from_its_far_end(self):
        self.assertEqual(self.output("paths", "path:100000", "--from", "99999", "--to", "0",
                                     "--order", "given"), "1\n")


def sets_of_setset(text):
    """The sets of items of a diagram in Graphillion's text: `node item without with`."""
    nodes, root = {}, None
    for line in text.splitlines():
        if line == ".":
            break
        node, item, without, with_it = line.split()
        nodes[node], root = (int(item), without, with_it), node
    sets = {"B": [], "T": [[]]}
    for node, (item, without, with_it) in nodes.items():  # children come first
        sets[node] = sets[without] + [[item] + rest for rest in sets[with_it]]
    return sets[root]


class Files(PathsTest):
    def test_numbers_are_those_of_the_edges_as_given(self):
        edges = [(0, 3), (1, 2), (3, 4), (0, 1), (2, 4), (1, 3), (2, 3), (0, 2)]
        path = self.save("numbers.el", "".join(f"{a} {b}\n" for a, b in edges))
        saved = self.folder / "paths.setset"
        count = self.result(path, "--from", "0", "--to", "4", "--save", str(saved))
        sets = sets_of_setset(saved.read_text())
        self.assertEqual(len(sets), int(count))
        for members in sets:
            degrees = [sum(v in edges[item - 1] for item in members) for v in range(5)]
            self.assertEqual((degrees[0], degrees[4]), (1, 1), members)
            self.assertLessEqual(set(degrees[1:4]), {0, 2}, members)


class SavedDiagrams(PathsTest):
    def setUp(self):
        super().setUp()
        self.square = self.save("square.el", LIST)
        self.trees = self.kept("trees.kzdd")

    def kept(self, name):
        """All forests of the square in a file of this form."""
        path = str(self.folder / name)
        self.result(self.square, "--kind", "forest", "--order", "given", "--save", path)
        return path

    def test_are_counted_as_the_graph_is(self):
        for asked in ("--count", "--by-length"):
            of_graph = self.result(self.square, "--kind", "forest", asked)
            for form in ("trees.kzdd", "trees.setset", "trees.zbdd"):
                with self.subTest(form):
                    self.assertEqual(self.output("paths", self.kept(form), asked), of_graph)

    def test_of_many_nodes_are_counted_by_as_many_threads_as_are_asked_for(self):
        large = str(self.folder / "large.kzdd")
        number = self.result("grid:9x9", "--save", large)
        for threads in ("1", "2", "3"):
            record = json.loads(self.output("paths", large, "--threads", threads, "--oversubscribe",
                                            "--policy", "compact", "--format", "json"))
            self.assertEqual((record["result"]["count"], record["threads"], record["policy"]),
                             (number.strip(), int(threads), "compact"))

    def test_list_and_draw_sets_by_the_names_of_edges(self):
        listed = self.result(self.square, "--kind", "forest", "--order", "given", "--enumerate", "9")
        self.assertEqual(self.output("paths", self.trees, "--enumerate", "9"), listed)
        drawn = self.result(self.square, "--kind", "forest", "--order", "given", "--sample", "5",
                            "--seed", "3")
        self.assertEqual(self.output("paths", self.trees, "--sample", "5", "--seed", "3"), drawn)

    def test_without_names_list_numbers_of_edges(self):
        edges = ["a-b", "b-c", "c-d", "d-a", "b-d", "x-y"]
        names = self.output("paths", self.trees, "--enumerate", "100").splitlines()
        for form in ("trees.setset", "trees.zbdd"):
            numbers = self.output("paths", self.kept(form), "--enumerate", "100").splitlines()
            self.assertEqual([" ".join(edges[int(n) - 1] for n in line.split()) for line in numbers],
                             names, form)

    def test_are_written_in_another_form(self):
        other = self.folder / "other.setset"
        self.output("paths", self.trees, "--save", str(other))
        self.assertEqual(other.read_text(), pathlib.Path(self.kept("again.setset")).read_text())

    def test_are_told_to_programs(self):
        record = json.loads(self.output("paths", self.trees, "--format", "json", "--by-length"))
        self.assertEqual(record["parameters"], {"graph": self.trees})
        self.assertEqual(sum(map(int, record["result"]["by_length"])), int(record["result"]["count"]))

    def test_refuse_what_is_of_a_graph(self):
        for option in (("--from", "a"), ("--kind", "tree"), ("--order", "given"), ("--verify",),
                       ("--spill", "."), ("--method", "diagram"), ("--avoid", "a")):
            self.assert_refused((self.trees, *option),
                                f"kinjo: {option[0]} is for a graph, and '{self.trees}' is a diagram "
                                "that was saved: expected none\n")

    def test_refuse_what_cannot_be_read_or_kept(self):
        damaged = self.save("damaged.kzdd", "kinjo-zd")
        self.assert_refused((damaged,), f"kinjo: cannot read '{damaged}': ")
        absent = str(self.folder / "absent.zbdd")
        self.assert_refused((absent,), f"kinjo: cannot read '{absent}': No such file or directory")
        self.assert_refused((self.trees, "--memory-limit", "16"), "kinjo: counting the sets of a diagram "
                            "takes more memory than the limit of 16 B")
        self.assert_refused((self.trees, "--by-length", "--memory-limit", "16"),
                            "kinjo: counting the sets of a diagram by size takes more memory than ")
        before = pathlib.Path(self.trees).read_bytes()
        self.assert_refused((self.trees, "--save", self.trees), "kinjo: GRAPH and --save name the same file")
        self.assertEqual(pathlib.Path(self.trees).read_bytes(), before)

    def test_limits_on_the_size_of_files_leave_what_was_there(self):
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))  # noqa: E731
        for name, arguments in {"d.kzdd": ("--order", "given", "--save"), "d.setset": ("--save",),
                                "m.txt": ("--enumerate", "10000", "-o")}.items():
            path = self.save(name, "before")
            run = kinjo("paths", "grid:7", *arguments, path, preexec_fn=limit)
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertEqual(run.stderr.splitlines()[-1], f"kinjo: cannot write '{path}': File too large")
            self.assertEqual(pathlib.Path(path).read_text(), "before")
            os.unlink(path)
            self.assertEqual(sorted(os.listdir(self.folder)), ["square.el", "trees.kzdd"])

    def test_lengths_of_no_member_are_told_as_of_a_graph(self):
        graph = ("cycle:5", "--kind", "degrees", "--degrees", "3")
        saved = os.path.join(self.folder, "none.kzdd")
        self.output("paths", *graph, "--save", saved)
        for form in ("text", "csv"):
            of_graph = self.output("paths", *graph, "--by-length", "--format", form)
            self.assertEqual(self.output("paths", saved, "--by-length", "--format", form), of_graph)
        self.assertEqual(self.json("paths", saved, "--by-length")["result"]["by_length"], ["0"])

    def assert_refused(self, arguments, message):
        run = kinjo("paths", *arguments)
        self.assertEqual((run.returncode, run.stdout), (2, ""), arguments)
        self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)
        self.assertTrue(run.stderr.startswith(message), run.stderr)


class Refusals(PathsTest):
    def test_of_determinants_that_are_none(self):
        conditions = {"--through": "vertices to go through are for paths and cycles, not for tree",
                      "--components": "a number of components is for components, not for tree",
                      "--degrees": "numbers of edges of a vertex are for degrees, not for tree"}
        trees = ("king:3", "--kind", "tree")
        for arguments in (("king:3",), (*trees, "--avoid", "0"), *((*trees, c, "2") for c in conditions)):
            self.assertEqual(self.refusal("paths", *arguments, "--method", "determinant"),
                             "method 'determinant' is for all spanning trees of a graph: expected kind 'tree' "
                             "and no other condition")
        for condition, refused in conditions.items():
            self.assertEqual(self.refusal("paths", *trees, condition, "2"), refused)
        self.assertEqual(self.refusal("paths", "king:3", "--kind", "tree", "--method", "determinant", "--spill",
                                      "."),
                         "method 'determinant' keeps all in memory: expected --spill with another one")
        self.assertRegex(self.refusal("paths", "complete:200", "--kind", "tree", "--memory-limit", "16K"),
                         r"^the graph has 200 vertices and 19900 edges, which take about [\d.]+ KiB: 16 KiB may be "
                         r"taken$")

    def test_names_what_is_wrong(self):
        square = self.save("square.el", LIST)
        for arguments, message in {
            ("grid:3", "--from", "99"): "there is no vertex '99' (the graph has 16 vertices, 0 to 15)",
            ("grid:0",): None,
            (square,): "paths need two ends: expected --from and a vertex' name",
            (square, "--from", "a", "--to", "x"):
                "no path leads from 'a' to 'x': the graph falls apart between them",
            ("cycle:4", "--from", "0", "--to", "2", "--avoid", "1,3"):
                "no path leads from '0' to '2': the graph falls apart between them",
            ("grid:3", "--kind", "tree", "--from", "0"):
                "kind 'tree' has no ends: expected no --from and --to",
            ("grid:3", "--kind", "circle"):
                "unknown kind 'circle': expected path, cycle, hamiltonian, forest, tree, matching, "
                "components or degrees",
            ("grid:3", "--count", "--sample", "2"):
                "expected one of --count, --by-length, --enumerate and --sample",
            ("grid:3", "--method", "sweep", "--sample", "2"):
                "method 'sweep' only counts: members take --method diagram",
            ("grid:3", "--by-length", "--save", "x.kzdd"):
                "--by-length counts without a diagram: expected no --save beside it",
            ("grid:3", "--components", "2"):
                "a number of components is for components, not for path",
            ("king:3", "--method", "grid"):
                "method 'grid' is for paths of a graph grid:RxC from a corner to the opposite one",
            ("grid:3", "--memory-limit", "much"):
                "'much' as a memory limit: expected bytes, such as 512M or 2G",
            ("grid:3", "--kind", "degrees"):
                "degrees: expected the numbers of edges that a vertex may have, each up to 255",
            ("grid:3", "--kind", "degrees", "--degrees", "1,x"):
                "'x': expected a whole number of at least 0",
            ("grid:3", "--components", "0"):
                "a number of components is for components, not for path",
            ("grid:3", "--components", "-1"): "'-1': expected a whole number of at least 0",
            ("grid:3", "--sample", "-1"): "'-1': expected a whole number of at least 1",
            ("grid:3", "--enumerate", "0"): "'0': expected a whole number of at least 1",
            ("grid:3", "--enumerate", "1e3"): "'1e3': expected a whole number of at least 1",
            ("grid:3", "--seed", "99999999999999999999"):
                "'99999999999999999999': expected a whole number of at most 18446744073709551615",
            ("grid:3", "--save", ""): "expected a name",
            ("grid:3", "--from", ""): "--from: expected a name",
            ("grid:3", "--to", ""): "--to: expected a name",
            ("grid:3", "--save", "x.kzdd", "--output", "./x.kzdd"):
                "--save and --output name the same file, 'x.kzdd': expected two",
            (square, "--from", "a", "--to", "c", "--output", square): "GRAPH and --output name the same file, ",
            ("grid:3", "--save", "x.zbdd", "--order", "frontier"):
                "'x.zbdd' will have numbers of edges and no names, which order 'frontier' would change",
            ("grid:3", "--seed", "3"): "--seed requires --sample",
            ("grid:3", "--from", "0", "--to", "15", "--avoid", "0"):
                "vertex '0' is an end of the paths, and to be avoided",
            ("torus:3",): "'torus:3' as a graph: expected grid:RxC, king:RxC, ",
            ("grid:3", "--memory-limit", "0"):
                "'0' as a memory limit: expected bytes, such as 512M or 2G",
        }.items():
            self.check_refused(arguments, message)

    def check_refused(self, arguments, message):
        with self.subTest(arguments):
            run = kinjo("paths", *arguments)
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)
            if message:
                self.assertIn(message, run.stderr)

    def test_names_a_directory_that_is_none(self):
        for arguments, message in {
            ("grid:3", "--method", "grid", "--spill", "/tmp"):
                "method 'grid' keeps all in memory: expected --spill with another one",
            ("king:3", "--spill", ""): "--spill: expected a directory",
            **{(*asked, "--spill", "/absent"):
                   "cannot keep nodes in a file in '/absent': No such file or directory; expected a "
               for asked in (("king:3",), ("grid:3",), ("grid:3", "--sample", "1"))},
        }.items():
            self.check_refused(arguments, message)

    def test_refuses_edges_of_one_name(self):
        path = self.save("dashes.el", "a-b c\na b-c\n")
        saved = self.folder / "dashes.kzdd"
        run = kinjo("paths", path, "--kind", "matching", "--save", str(saved))
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertEqual(run.stderr, "kinjo: two edges are called 'a-b-c': --save expects names of "
                                     "vertices that tell them apart\n")
        self.assertFalse(saved.exists())
        self.check_refused((path, "--kind", "matching", "--enumerate", "1"),
                           "--enumerate expects names of vertices that tell them apart")
        self.assertEqual(self.output("paths", path, "--kind", "matching", "--save",
                                     str(saved.with_suffix(".setset"))), "4\n")

    def test_refuses_what_does_not_fit(self):
        run = kinjo("paths", "grid:10", "--method", "sweep", "--memory-limit", "300K")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("counting takes more memory than the limit of 300 KiB: at edge ", run.stderr)
        path = self.folder / "large.kzdd"
        run = kinjo("paths", "grid:10", "--save", str(path), "--memory-limit", "2M")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("2 MiB", run.stderr)
        self.assertFalse(path.exists())
        run = kinjo("paths", "grid:2", "--sample", "200000000", "--memory-limit", "100M")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("200000000 members take about ", run.stderr)
        run = kinjo("paths", "grid:13", "--memory-limit", "8M", "--verify")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        many = self.save("many.col", "p edge 150000000 1\ne 1 2\n")
        run = kinjo("paths", many, "--kind", "matching", "--memory-limit", "100M")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("the graph has 150000000 vertices and 1 edge, which take about 4.5 GiB: 100 MiB may be taken",
                      run.stderr)

    def test_interruption_ends_the_search_for_an_order(self):
        process = subprocess.Popen([KINJO, "paths", "grid:2000x2000", "--kind", "matching"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=clean_environment())
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.communicate(timeout=60), ("", ""))
        self.assertEqual(process.returncode, -signal.SIGINT)

    def test_interruption_ends_what_is_told_of_members(self):
        path = self.folder / "members.txt"
        process = subprocess.Popen([KINJO, "paths", "grid:6", "--enumerate", "1000000", "-o", str(path)],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=clean_environment())
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertIn(process.returncode, (-signal.SIGINT, 130))
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_interruption_leaves_nothing(self):
        path = self.folder / "large.kzdd"
        process = subprocess.Popen([KINJO, "paths", "grid:16", "--save", str(path),
                                    "--memory-limit", "2G"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=clean_environment())
        wait_until_heard(process, signal.SIGINT)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (130, ""))
        self.assertIn("interrupted; nothing is written", err)
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
