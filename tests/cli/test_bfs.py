"""kinjo bfs: graphs of every format and by rule; what is written, printed and refused."""

import csv
import io
import json
import os
import pathlib
import pty
import re
import resource
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from kinjo_program import CPUS, KINJO, TWO_CPUS, FolderTest, clean_environment, kinjo  # noqa: E402
from with_numpy import np  # noqa: E402

# A square 0-1-2-3 with a tail 3-4, a loop at 2, 0-1 once more, and 5 alone.
EDGES = [(0, 1), (1, 2), (2, 3), (3, 0), (3, 4), (2, 2), (1, 0)]
DEPTHS = [0, 1, 2, 1, 2, -1]
SIMPLE = EDGES[:5]


def metis():
    rows = [sorted({v + 1 for e in SIMPLE for u, v in (e, e[::-1]) if u == row}) for row in range(6)]
    return "% a square\n6 5\n" + "".join(" ".join(map(str, row)) + "\n" for row in rows)


def matrix_market(kind, entries):
    lines = "".join(f"{u + 1} {v + 1}\n" for u, v in entries)
    return f"%%MatrixMarket matrix coordinate pattern {kind}\n6 6 {len(entries)}\n{lines}"


# Every format that is read, but for those that kinjo writes itself.
ZOO = {
    "list.el": "".join(f"{u} {v}\n" for u, v in EDGES).encode(),
    "list.txt": ("# of people\n\n" + "".join(f"{u}\t{v}\n" for u, v in EDGES)).encode(),
    "list.csv": "".join(f"{u},{v}\n" for u, v in EDGES).encode(),
    "list.wel": "".join(f"{u} {v} 7\n" for u, v in EDGES).encode(),
    "list.b32": np.array(EDGES, "<u4").tobytes(),
    "list.b64": np.array(EDGES, "<u8").tobytes(),
    "symmetric.mtx": matrix_market("symmetric", [(max(e), min(e)) for e in SIMPLE]).encode(),
    "lines.graph": metis().encode(),
}


class BfsTest(FolderTest):
    def save(self, name, content):
        data = content if isinstance(content, bytes) else content.encode()
        (self.folder / name).write_bytes(data)
        return self.path(name)

    def bfs(self, *arguments, said=r"[^\n]+: up to [^\n]+ of memory", **options):
        """Standard output of a run that succeeds and says nothing but what it takes."""
        result = kinjo("bfs", *arguments, **options)
        self.assertEqual(result.returncode, 0, (arguments, result.stderr))
        self.assertRegex(result.stderr, rf"\A(kinjo: {said}\n)?\Z")
        return result.stdout

    def found(self, *arguments, **options):
        return json.loads(self.bfs(*arguments, "--format", "json", **options))


class Graphs(BfsTest):
    def searched(self, graph, *arguments):
        """Depths and parents from vertex 0, verified."""
        out = ("--parents", self.path("p.npy"), "--depths", self.path("d.npy"))
        found = self.found(graph, "--root", "0", "--repeat", "1", "--verify", *out, *arguments)
        self.assertIs(found["search"]["verified"], True)
        return np.load(self.path("d.npy")), np.load(self.path("p.npy")), found

    def check_square(self, graph, *arguments):
        depths, parents, found = self.searched(graph, *arguments)
        self.assertEqual((depths.tolist(), depths.dtype), (DEPTHS, np.int32), graph)
        self.assertEqual(parents.tolist()[:2] + parents.tolist()[3:], [0, 0, 0, 3, -1], graph)
        self.assertIn(parents[2], (1, 3))
        self.assertEqual((found["vertices"], found["entries"]), (6, 10))

    def test_of_every_format_are_searched(self):
        for name, content in ZOO.items():
            self.check_square(self.save(name, content), *(("--vertices", "6") if "list" in name else ()))

    def test_are_saved_and_searched_again(self):
        source = self.save("list.el", ZOO["list.el"])
        for name in ("g.kgraph", "g.sg"):
            text = self.bfs(source, "--vertices", "6", "--save", self.path(name))
            self.assertRegex(text, r"\A[^\n]*list.el: 6 vertices, 7 edges, symmetric, numbered by \w+; "
                                   r"[^\n]* in rows\n  made ready in [^\n]* s, built in [^\n]* s\n\Z")
            self.check_square(self.path(name))
        self.assertRegex(self.bfs(self.path("g.kgraph"), "--root", "0"), r"numbered by \w+; mapped\n")

    def test_are_read_as_what_they_are_said_to_be(self):
        self.check_square(self.save("noname", ZOO["list.el"]), "--read-as", "text", "--vertices", "6")

    def test_that_are_directed_are_walked_in_one_sense(self):
        # 0 → 1 → 2 → 3 → 4, and back to 0 from 3 and 1.
        general = self.save("general.mtx", matrix_market("general", EDGES))
        lists = self.save("list.el", ZOO["list.el"])
        for graph, arguments in ((general, ()), (lists, ("--sense", "directed"))):
            depths, _, found = self.searched(graph, *arguments)
            self.assertEqual(depths.tolist()[:5], [0, 1, 2, 3, 4])
            self.assertEqual(found["sense"], "directed")
            self.assertEqual({level["direction"] for level in found["search"]["levels"]}, {"top-down"})
        self.check_square(general, "--sense", "symmetric")

    def test_by_rule_are_searched_in_every_order_alike(self):
        for rule in ("kronecker:9,8", "uniform:9,4", "grid:20x30", "grid:20x30,scrambled", "road:20x30"):
            alike = {tuple(self.searched(rule, "--order", order, "--seeds", "5,7")[0])
                     for order in ("caller", "degree", "locality", "automatic")}
            self.assertEqual(len(alike), 1, rule)
        self.assertNotEqual(tuple(self.searched("uniform:9,4", "--seeds", "5,8")[0]),
                            tuple(self.searched("uniform:9,4", "--seeds", "5,7")[0]))


class Ids(BfsTest):
    """Vertices whose numbers need 64 bits."""

    @staticmethod
    def name(vertex):
        return (vertex * 0x9E3779B97F4A7C15 + 12345) % 2**62

    def rows(self, file):
        rows = np.load(self.path(file))
        self.assertEqual((rows.dtype, rows.ndim, rows.shape[1]), (np.int64, 2, 2))
        return {int(vertex): int(value) for vertex, value in rows}

    def searched(self, graph, *arguments):
        out = ("--parents", self.path("p.npy"), "--depths", self.path("d.npy"))
        found = self.found(graph, "--root", str(self.name(0)), "--verify", *out, *arguments)
        self.assertIs(found["search"]["verified"], True)
        return found, self.rows("d.npy"), self.rows("p.npy")

    def test_are_listed_with_parents_and_depths(self):
        edges = [(self.name(u), self.name(v)) for u, v in EDGES]
        self.save("ids.b64", np.array(edges, "<u8").tobytes())
        self.save("ids.el", "".join(f"{u} {v}\n" for u, v in edges))
        expected = {self.name(v): depth for v, depth in enumerate(DEPTHS[:5])}
        for file in ("ids.b64", "ids.el"):
            for arguments in ((), ("--order", "degree"), ("--bits", "64", "--threads", "1")):
                found, depths, parents = self.searched(self.path(file), *arguments)
                self.assertEqual(depths, expected)
                self.assertEqual(set(parents), set(expected))
                self.assertEqual(parents[self.name(4)], self.name(3))
                self.assertEqual((found["vertices"], found["ids_below"]), (5, max(expected) + 1))
        self.bfs(self.path("ids.el"), "--save", self.path("ids.kgraph"))
        self.assertEqual(self.searched(self.path("ids.kgraph"))[1], expected)

    def test_are_listed_in_text_too(self):
        self.save("ids.el", f"{2**40} 7\n7 3\n9 9\n")
        text = self.bfs(self.path("ids.el"), "--root", "3", "--parents", self.path("p.txt"), "--depths",
                        self.path("d.txt"))
        self.assertRegex(text, rf"ids.el: 4 vertices with edges, of ids below {2**40 + 1}, 3 edges, symmetric")
        self.assertEqual((self.folder / "p.txt").read_text(), f"3 3\n7 3\n9 -1\n{2**40} 7\n")
        self.assertEqual((self.folder / "d.txt").read_text(), f"3 0\n7 1\n9 -1\n{2**40} 2\n")

    def test_of_any_graph_tell_what_its_numbers_do(self):
        for rule in ("kronecker:9,8", "grid:20x30,scrambled"):
            out = ("--root", "1", "--verify", "--depths")
            self.bfs(rule, *out, self.path("plain.npy"))
            self.bfs(rule, "--listed", *out, self.path("listed.npy"))
            plain, listed = np.load(self.path("plain.npy")), self.rows("listed.npy")
            self.assertEqual({v: plain[v] for v in listed}, listed)
            self.assertTrue(all(plain[v] == -1 for v in range(len(plain)) if v not in listed))


class Output(BfsTest):
    def test_parents_have_64_bits_where_they_are_asked_for(self):
        for bits, dtype in (("32", "i4"), ("64", "i8"), ("automatic", "i4")):
            self.bfs("grid:3x1", "--root", "0", "--bits", bits, "--parents", self.path("p.npy"))
            parents = np.load(self.path("p.npy"))
            self.assertEqual((parents.tolist(), parents.dtype), ([0, 0, 1], np.dtype(dtype)))

    def test_text_has_a_number_on_each_line(self):
        self.bfs("grid:1x3", "--root", "2", "--parents", self.path("p.txt"), "--depths",
                 self.path("d.txt"))
        self.assertEqual((self.folder / "p.txt").read_text(), "1\n2\n2\n")
        self.assertEqual((self.folder / "d.txt").read_text(), "2\n1\n0\n")
        self.assertEqual(sorted(os.listdir(self.folder)), ["d.txt", "p.txt"])

    def test_summary_says_what_was_found(self):
        lines = self.bfs("grid:5x5", "--root", "12", "--repeat", "2", "--verify", "--threads",
                         "1").splitlines()
        self.assertRegex(lines[0], r"^grid:5x5: 25 vertices, 40 edges, symmetric, numbered by \w+; .* in rows$")
        self.assertEqual(lines[2], "from 12: 25 vertices reached, eccentricity 4")
        self.assertEqual(lines[3].split(), "depth direction by frontier edges looked at".split())
        self.assertEqual([line.split()[3] for line in lines[4:9]], ["1", "4", "8", "8", "4"])
        self.assertRegex(lines[9], r"^[\d.]+ ms with 1 thread \(median of 2 searches, [\d.]+ to [\d.]+\): "
                                   r"[\d.e+]+ MTEPS by 40 edges$")
        self.assertEqual(lines[10], "verified by the five checks of Graph500")

    def test_many_levels_are_cut_short_in_text_alone(self):
        text = self.bfs("grid:1x100", "--root", "0")
        self.assertRegex(text, r"\n… 76 more levels of 76 vertices; 1\d\d edges looked at\n")
        rows = list(csv.DictReader(io.StringIO(self.bfs("grid:1x100", "--root", "0", "--format", "csv"))))
        self.assertEqual(len(rows), 100)
        self.assertEqual(set(rows[0]), {"depth", "direction", "by", "frontier", "edges_looked_at"})
        self.assertEqual(sum(int(row["frontier"]) for row in rows), 100)

    def test_rates_are_of_listed_edges_in_the_component(self):
        graph = self.save("list.el", ZOO["list.el"] + b"6 7\n")
        search = self.found(graph, "--root", "3", "--repeat", "3")["search"]
        self.assertEqual((search["edges"], search["reached"], search["eccentricity"]), (7, 5, 2))
        for seconds, gteps in zip(search["seconds"]["samples"], search["gteps"]["samples"]):
            self.assertAlmostEqual(gteps * seconds, 7e-9)
        self.assertEqual(len(search["seconds"]["samples"]), 3)

    def test_every_field_of_the_json_is_described(self):
        def names(value):
            if isinstance(value, dict):
                return set(value).union(*map(names, value.values()))
            return set().union(*map(names, value)) if isinstance(value, list) else set()

        page = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "json.md").read_text()
        part = page.split("## kinjo-bfs/1\n")[1].split("\n## ")[0]
        described = set(re.findall(r"`(\w+)(?:\[\])?`", part))
        self.assertEqual(names(self.found("grid:2x2", "--root", "0", "--verify")) - described, set())

    def test_json_is_written_to_a_file(self):
        self.assertEqual(self.bfs("grid:2x2", "--root", "0", "--format", "json", "--output",
                                  self.path("o.json")), "")
        self.assertEqual(json.loads((self.folder / "o.json").read_text())["schema"], "kinjo-bfs/1")

    @TWO_CPUS
    def test_placement_is_as_asked(self):
        for policy, threads in (("scatter", 2), ("none", 1), ("compact", 2)):
            found = self.found("kronecker:10", "--root", "1", "--policy", policy, "--threads", str(threads))
            self.assertEqual((found["policy"], found["threads"]), (policy, threads))
        self.assertEqual(self.found("grid:2x2", "--root", "0")["threads"], len(CPUS))

    def test_bar_is_drawn_on_a_terminal_and_wiped(self):
        terminal, device = pty.openpty()
        result = kinjo("bfs", "grid:30x30", "--root", "0", "--repeat", "1", stderr=device)
        os.close(device)
        drawn = os.read(terminal, 65536).decode()
        os.close(terminal)
        self.assertEqual(result.returncode, 0)
        for stage in ("generating", "building", "searching"):
            self.assertIn(stage, drawn)
        self.assertRegex(drawn, r"\r\x1b\[Kkinjo: 900 vertices, 1740 edges: up to [^\n]* of memory\r\n")
        self.assertTrue(drawn.endswith("\r\x1b[K"), drawn)


class Refusals(BfsTest):
    def check(self, arguments, message, **options):
        with self.subTest(arguments):
            self.assertEqual(self.refusal("bfs", *arguments, **options), message)

    def test_of_roots_and_options(self):
        rule = ("expected kronecker:SCALE or kronecker:SCALE,EDGEFACTOR with a scale of 0 to 48, such as "
                "kronecker:20,16")
        for arguments, message in [
                (("grid:2x2",), "nothing to do: expected --root R for a search, or --save FILE for the graph"),
                (("grid:2x2", "--root", "-1"), "'-1' as the root: expected a vertex's number"),
                (("grid:2x2", "--root", "x"), "'x' as the root: expected a vertex's number"),
                (("grid:2x2", "--root", "18446744073709551616"),
                 "'18446744073709551616' as the root: expected a vertex's number"),
                (("kronecker:-1", "--root", "0"), f"'kronecker:-1' as a graph: {rule}"),
                (("kronecker:49", "--root", "0"), f"'kronecker:49' as a graph: {rule}"),
                (("grid:33554432x33554432", "--root", "0"),
                 "'grid:33554432x33554432' as a graph: expected at most 281474976710656 vertices"),
                (("kronecker:32", "--root", "0", "--bits", "32"),
                 "4294967296 vertices: expected at most 4294967295, since they are numbered in 32 bits"),
                (("grid:2x2", "--root", "0", "--bits", "32", "--listed"),
                 "--listed: parents that are ids have 64 bits: expected --bits 64"),
                (("grid:2x2", "--root", "0", "--seeds", "2"), "'2' as seeds: expected two numbers, such as 2,3"),
                (("grid:2x2", "--root", "0", "--vertices", "5"),
                 "--vertices is for a list of edges: 'grid:2x2' is none"),
                (("a.mtx", "--root", "0", "--vertices", "5"),
                 "--vertices is for a list of edges: 'a.mtx' is none"),
                (("grid:2x2", "--root", "0", "--read-as", "text"),
                 "--read-as is for a file: 'grid:2x2' is made by a rule"),
                (("a.el", "--root", "0", "--seeds", "2,3"),
                 "--seeds is for what a rule makes: 'a.el' is a file"),
                (("grid:2x2", "--root", "0", "--vertices", "0"),
                 "'0' vertices: expected a number from 1 to 9223372036854775808"),
                (("grid:2x2", "--root", "0", "--vertices", "2^64"),
                 "'2^64' vertices: expected a number from 1 to 9223372036854775808"),
                (("grid:2x2", "--root", "0", "--order", "random"),
                 "unknown order 'random': expected one of automatic, caller, degree, locality"),
                (("grid:2x2", "--root", "0", "--sense", "both"),
                 "unknown sense 'both': expected one of automatic, symmetric, directed"),
                (("grid:2x2", "--root", "0", "--bits", "48"),
                 "unknown number of bits '48': expected one of automatic, 32, 64"),
                (("a.el", "--root", "0", "--read-as", "pajek"),
                 "unknown format of a graph 'pajek': expected one of automatic, text, binary32, binary64, "
                 "matrix-market, metis, gap, kinjo"),
                (("grid:2x2", "--root", "0", "--parents", "p.csv"),
                 "'p.csv' for parents: expected a name that ends in .npy or .txt"),
                (("grid:2x2", "--root", "0", "--depths", "/nowhere/d.npy"),
                 "cannot write '/nowhere/d.npy': No such file or directory"),
                (("grid:2x2", "--parents", "p.npy", "--save", "g.sg"),
                 "--parents is for a search: expected --root R"),
                (("grid:2x2", "--verify", "--save", "g.sg"), "--verify is for a search: expected --root R"),
                (("grid:2x2", "--repeat", "3", "--save", "g.sg"), "--repeat is for a search: expected --root R"),
                (("grid:2x2", "--save", "g.mtx"),
                 "'g.mtx' for the graph: expected a name that ends in .kgraph or .sg")]:
            self.check(arguments, message)

    def test_of_a_root_beyond_the_graph_come_before_anything_is_written(self):
        result = kinjo("bfs", "grid:2x2", "--root", "4", "--parents", self.path("p.npy"))
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertEqual(result.stderr.splitlines()[-1], "kinjo: root 4: expected a vertex below 4")
        self.assertEqual(os.listdir(self.folder), [])

    def test_of_graphs_that_do_not_fit(self):
        self.assertRegex(self.refusal("bfs", "kronecker:31", "--root", "0"),
                         r"^2147483648 vertices, 34359738368 edges: they take up to [\d.]+ [GT]iB of memory, of "
                         r"which [\d.]+ [GM]iB are available$")

    def test_of_graphs_beyond_32_bits_that_do_not_fit(self):
        self.assertRegex(self.refusal("bfs", "kronecker:32", "--root", "0", "--bits", "64"),
                         r"^up to 4294967295 vertices, 68719476736 edges: they take at least [\d.]+ TiB of memory, "
                         r"of which [\d.]+ [GM]iB are available$")

    def test_of_ids_where_they_cannot_be(self):
        ids = self.save("a.el", "0 1\n1 4294967296\n")
        plain, listed = self.path("plain.kgraph"), self.path("listed.kgraph")
        self.bfs("grid:2x2", "--save", plain)
        self.bfs(ids, "--save", listed)
        self.assertEqual(self.refusal("bfs", ids, "--root", "0", "--bits", "32"),
                         f"cannot read '{ids}': line 2: vertex 4294967296: expected at most 4294967294, since "
                         "vertices are numbered in 32 bits")
        self.assertEqual(self.refusal("bfs", listed, "--root", "0", "--bits", "32"),
                         f"'{listed}' was built with ids: expected 64 bits, or a graph without ids")
        self.assertEqual(self.refusal("bfs", plain, "--root", "0", "--listed"),
                         f"'{plain}' was built without ids, which were asked for: expected a list of edges, or a "
                         "graph with ids")
        for graph in (ids, listed):
            result = kinjo("bfs", graph, "--root", "2")
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertEqual(result.stderr.splitlines()[-1],
                             "kinjo: root 2: expected the id of a vertex that has an edge")

    def test_of_files_name_the_line_or_the_byte(self):
        damaged = [
            ("a.el", b"0 1\n2\n", "line 2: expected the numbers of two vertices and at most a weight"),
            ("a.el", b"0 1\n1 9223372036854775808\n",
             "line 2: vertex 9223372036854775808: expected at most 9223372036854775807, since vertices are kept in "
             "64 bits with a sign"),
            ("a.el", b"0 1\n1 -2\n", "line 2: expected the numbers of two vertices and at most a weight"),
            ("a.b32", b"\0\0\0\0\1", "it has 5 bytes: expected a multiple of 8, pairs of 32-bit numbers"),
            ("a.mtx", b"%MatrixMarket\n", "line 1: expected '%%MatrixMarket matrix coordinate FIELD "
                                          "SYMMETRY'"),
            ("a.mtx", matrix_market("general", [(0, 6)]).encode(), "line 3: vertex 7: expected at most 6"),
            ("a.graph", b"2 1\n2\n3\n", "line 3: vertex 3: expected 1 to 2"),
            ("a.sg", b"\0\1", "its head of 17 bytes is cut off"),
            ("a.kgraph", b"kinjo?", "it is no graph of kinjo's"),
        ]
        for name, content, fault in damaged:
            path = self.save(name, content)
            self.check((path, "--root", "0"), f"cannot read '{path}': {fault}")
        absent = self.path("absent.el")
        self.check((absent, "--root", "0"), f"cannot read '{absent}': No such file or directory")
        self.assertRegex(self.refusal("bfs", self.save("a.xyz", b""), "--root", "0"),
                         r"^'[^']*/a.xyz' does not end as a graph's file: expected one of ")

    def test_of_graphs_without_vertices_name_the_file(self):
        for name in ("a.el", "a.mtx"):
            path = self.save(name, "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n" if "mtx" in name else "")
            result = kinjo("bfs", path, "--root", "0")
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertEqual(result.stderr.splitlines()[-1],
                             f"kinjo: '{path}' has no vertices: expected one to search from")

    def test_of_saved_graphs_that_were_damaged(self):
        path = self.path("g.kgraph")
        self.bfs("grid:5x5", "--save", path)
        whole = pathlib.Path(path).read_bytes()
        random = np.random.default_rng(1)
        for _ in range(30):
            data = bytearray(whole)
            data[int(random.integers(len(data)))] ^= 1 << int(random.integers(8))
            pathlib.Path(path).write_bytes(data[:int(random.integers(len(data)))]
                                           if random.integers(3) == 0 else data)
            result = kinjo("bfs", path, "--root", "0")
            if result.returncode != 0:  # what the sums leave out is padding
                self.assertEqual(result.returncode, 2)
                self.assertRegex(result.stderr, r"\Akinjo: cannot read '[^\n]*\n\Z")

    def test_of_two_outputs_of_one_name(self):
        graph = self.save("a.el", "0 1\n")
        for one, other in (("--parents", "--depths"), ("--depths", "--output"), ("--parents", "--output")):
            result = kinjo("bfs", graph, "--root", "0", one, self.path("x.npy"), other, self.path("./x.npy"))
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertEqual(result.stderr, f"kinjo: {one} and {other} name the same file, "
                                            f"'{self.path('x.npy')}': expected two\n")
        self.assertEqual(os.listdir(self.folder), ["a.el"])

    def test_of_wishes_that_a_file_contradicts(self):
        symmetric = self.save("s.mtx", ZOO["symmetric.mtx"])
        built = self.path("g.kgraph")
        self.bfs("grid:5x5", "--order", "caller", "--save", built)
        for arguments, message in [
                ((symmetric, "--sense", "directed"),
                 f"'{symmetric}' is symmetric: --sense directed is for what is not"),
                ((built, "--sense", "directed"), f"--sense directed: '{built}' was built symmetric"),
                ((built, "--order", "degree"),
                 f"--order degree: '{built}' was built in the order caller")]:
            result = kinjo("bfs", *arguments, "--root", "0")
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertEqual(result.stderr.splitlines()[-1], f"kinjo: {message}")


class Interrupted(BfsTest):
    def test_full_disk_leaves_what_was_there(self):
        (self.folder / "p.npy").write_text("before")

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

        result = kinjo("bfs", "grid:50x50", "--root", "0", "--parents", self.path("p.npy"),
                       preexec_fn=limit)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertEqual(result.stderr.splitlines()[-1],
                         f"kinjo: cannot write '{self.path('p.npy')}': File too large")
        self.assertEqual(os.listdir(self.folder), ["p.npy"])
        self.assertEqual((self.folder / "p.npy").read_text(), "before")

    def test_a_killed_run_leaves_what_was_there(self):
        (self.folder / "p.npy").write_text("before")
        for number, moment in ((signal.SIGINT, 0.05), (signal.SIGTERM, 0.3), (signal.SIGKILL, 0.6)):
            run = subprocess.Popen(
                [KINJO, "bfs", "kronecker:18", "--root", "0", "--repeat", "10000", "--parents",
                 self.path("p.npy"), "--save", self.path("g.sg")], env=clean_environment(),
                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            time.sleep(moment)
            run.send_signal(number)
            out, _ = run.communicate(timeout=60)
            self.assertEqual((run.returncode, out), (-number, b""))
            self.assertEqual((self.folder / "p.npy").read_text(), "before")


class Report(BfsTest):
    def test_of_a_sweep_has_rates_over_threads_with_a_line_for_each_policy(self):
        result = kinjo("tune", "graph500", "--set", "scale=8", "--set", "roots=2", "--repeat", "2", "--pairs",
                       "6", "--threads", "1", "--policies", "none,scatter", "--report", self.path("r.html"))
        self.assertEqual(result.returncode, 0, result.stderr)
        page = (self.folder / "r.html").read_text()
        self.assertIn("Medians of gteps in GTEPS over the number of threads, a line for each policy", page)
        for policy in ("none", "scatter"):
            self.assertRegex(page, rf">{policy}, 1 thread: [\d.e-]+ GTEPS")


class Help(BfsTest):
    def test_shows_examples_that_the_page_shows_too(self):
        examples = [line.removeprefix("Example: ") for line in
                    self.output("bfs", "--help").splitlines() if line.startswith("Example: ")]
        self.assertEqual(len(examples), 3)
        page = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "cli.md").read_text()
        self.save("roads.mtx", ZOO["symmetric.mtx"])
        for example in examples:
            self.assertIn(f"$ {example}\n", page)
            self.bfs(*example.replace("kronecker:20", "kronecker:10").split()[2:], cwd=self.folder)
        self.assertEqual(sorted(os.listdir(self.folder)),
                         ["depths.npy", "parents.npy", "roads.kgraph", "roads.mtx"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
