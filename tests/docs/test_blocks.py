"""Every block of code in the README and docs/ is tried, or it is said here why not.

| block | what is done |
| --- | --- |
| a whole program in C or C++ | it is one of examples/, which are built and run; else it is compiled |
| a part of one | it is compiled, between the declarations of CONTEXT |
| Python | tests/python runs it; else NOT_RUN says why |
| `$ kinjo …` | its commands and options are those of the program; where a described machine is only looked at, what is shown is what is printed |
| `$` another program | OTHERS says why it is not run here; it is there, if it is of this tree |
| no command | OUTPUT says what it is |
| JSON | tests/cli/test_docs.py compares it with what is printed |
| CMake | tests/package.cmake builds by it |
| Fortran | it is one of examples/fortran, which tests/package.cmake builds and runs |
"""

import functools
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent),
                str(pathlib.Path(__file__).resolve().parent.parent / "support")]

from blocks import ROOT, blocks  # noqa: E402
from kinjo_program import MACHINES, KinjoTest, kinjo  # noqa: E402

# What a part of a program needs around it, beside a mapping and a team.
CONTEXT = {
    ("bfs.md", 0): "std::int64_t root = 0;",
    ("bfs.md", 1): "namespace graph = kinjo::graph; std::uint64_t root = 0; std::vector<std::int32_t> depths;\n"
                   "const graph::Graph g = graph::Graph::build(team, graph::WideEdgeList());\n"
                   "graph::Search search(g, team);",
    ("coming_from_ulibc.md", 0): "std::size_t n = 9; double scalar = 3;",
    ("diagrams.md", 0): "kinjo::paths::Family family({.network = kinjo::paths::network_by_rule("
                        "\"grid:2\").network, .from = 0, .to = 8});\n"
                        "kinjo::paths::Set closed;",
    ("fft.md", 0): "std::vector<std::complex<double>> x, y, spectrum;\n"
                   "std::vector<double> signal; double *re, *im, *re2, *im2;",
    ("gemm.md", 0): "double *x, *y, *z; std::size_t m, n, k; std::ptrdiff_t ld;",
    ("laboratory.md", 3): "std::vector<double> x; std::size_t bytes; void* p;",
    ("placement.md", 4): "std::vector<int> part_of_node; auto work_on = [](int, auto, auto) {};\n"
                         "int omp_get_thread_num();",
    ("team.md", 0): "std::size_t n = 9; std::vector<double> y(n);\n"
                    "auto fill = [](auto) {}; auto f = [](std::size_t) { return 1.0; };\n"
                    "kinjo::Team other(mapping); kinjo::PartitionedArray<double> x(other, n);",
}
OWN_TEAM = {("coming_from_ulibc.md", 0), ("team.md", 0), ("cells.md", 0)}
HEADERS = ["kinjo/kinjo.hpp", "kinjo/bfs.hpp", "kinjo/blas1.hpp", "kinjo/comm_start.hpp",
           "kinjo/diagram_files.hpp", "kinjo/fft.hpp", "kinjo/gemm.hpp", "kinjo/graph_files.hpp",
           "kinjo/graph_generators.hpp", "kinjo/lab.hpp", "kinjo/paths.hpp", "kinjo/sdp.hpp",
           "complex", "cstdint", "iostream", "vector"]

# Python that tests/python does not run.
PYTHON_RUN = {"python.md", "README.md", "README.ja.md", "start.md"}  # by tests/python/test_documents.py
NOT_RUN = {
    ("report.md", 1): "tests/report/test_page.py runs it on a page",
    ("diagrams.md", 1): "needs Graphillion; tests/paths reads and writes its files",
}

# Programs that are not run here, and why; those with a slash are of this tree.
OTHERS = {
    "./run": "builds; continuous integration runs it", "./check": "is what runs this",
    "scripts/try_faults": "takes an hour; tests/faults runs a sample",
    "scripts/lab": "starts a virtual machine: tests/guest does", "scripts/lab_fetch": "downloads",
    "scripts/lab_shares": "counts for minutes; tests/guest/test_shares.py does some of it",
    "scripts/lab_predict": "tests/guest/test_model.py runs it",
    "bench": "measures for minutes, beside peers that have to be installed",
    "cmake": "builds; the test package.examples does the same",
    "ctest": "runs other tests", "pip": "builds; the test python.wheel does the same",
    "mpirun": "tests/launch and tests/comm start ranks", "srun": "needs a cluster",
    "gfortran": "tests/package.cmake compiles the module", "g++": "tests/package.cmake does the same",
    "scripts/debian_package": "makes a fresh Debian: needs root and a mirror", "dpkg-buildpackage": "builds",
    "apt": "installs", "apt-get": "installs", "spack": "another package's", "auditwheel": "another package's",
    "env": "starts the reader's own program", "lstopo": "another package's",
    "python3": "a comparison in bench/", "sdpa": "a peer that has to be installed",
    "source": "tests/cli/test_completion.py does", "cat": "shows a file", "echo": "shows a status", "export": "sets a variable",
}

# Blocks without a command.
OUTPUT = {
    "README.md": {1: "what ./run printed"}, "README.ja.md": {1: "what ./run printed"},
    "fft.md": {1: "a file"}, "gemm.md": {1: "a grammar", 2: "a message"},
    "graphs.md": {3: "a message"}, "memory.md": {0: "a message", 1: "a text"},
    "refusals.md": {0: "a message"}, "where.md": {2: "a grammar"},
}


def program_of(words):
    """The first word that is no variable; a program of bench/ by that."""
    words = [word for word in words if not re.match(r"[A-Z_]+=", word)] or ["export"]
    return "bench" if re.match(r"(build/release/bin/)?bench[_/]", words[0]) else words[0]


@functools.cache
def help_of(*command):
    result = kinjo(*command, "--help")
    return result.stdout if result.returncode == 0 else None


class Kinds(unittest.TestCase):
    def test_every_kind_of_block_is_tried_somewhere(self):
        elsewhere = {("json.md", "json"), ("start.md", "cmake"), ("fortran.md", "cmake"),
                     ("fortran.md", "fortran")}
        for block in blocks():
            with self.subTest(block.name):
                self.assertTrue(block.kind in ("", "c", "cpp", "python")
                                or (block.page, block.kind) in elsewhere, block.kind)


class Terminal(KinjoTest):
    def assert_is_accepted(self, words):
        """The command and its options are the program's; behind -- stands somebody else's."""
        words = words[:words.index("--")] if "--" in words else words
        depth = 2 if words[:1] == ["cells"] and len(words) > 1 and words[1][0] != "-" else 1
        text = help_of(*words[:depth]) if words and words[0][0] != "-" else help_of()
        self.assertIsNotNone(text, words)
        known = set(re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", text))
        for word in words:
            if re.match(r"--?[a-zA-Z]", word):
                self.assertIn(word.split("=")[0], known)

    def test_commands_of_the_program_are_accepted(self):
        tried = 0
        for block in (b for b in blocks() if not b.kind):
            for command, _ in block.commands():
                command = re.split(r" \| | && ", command)[0]
                words = shlex.split(command, comments=True)
                if program_of(words) not in ("kinjo", "./run"):
                    continue
                with self.subTest(block.name, command=command):
                    self.assert_is_accepted([w for w in words if "=" not in w or w[0] == "-"][1:])
                tried += 1
        self.assertGreater(tried, 100)

    def test_what_is_shown_of_a_described_machine_is_what_is_printed(self):
        tried = 0
        for block in (b for b in blocks() if not b.kind):
            for command, shown in block.commands():
                words = shlex.split(command, comments=True)
                if words[0] != "kinjo" or "--input" not in words or not shown or "…" in shown:
                    continue
                machine = words[words.index("--input") + 1]
                if ":" not in machine and not (MACHINES / machine).exists():
                    continue  # the reader's own
                with self.subTest(block.name, command=command):
                    self.assertEqual(self.output(*words[1:], cwd=MACHINES), shown)
                tried += 1
        self.assertGreaterEqual(tried, 6)

    def test_other_programs_have_a_reason(self):
        for block in (b for b in blocks() if not b.kind):
            for command, _ in block.commands():
                program = program_of(shlex.split(command, comments=True))
                with self.subTest(block.name, command=command):
                    self.assertIn(program, {"kinjo", *OTHERS})
                    if "/" in program:
                        self.assertTrue((ROOT / program).exists())
                for own in re.findall(r"\bbench_\w+", command):
                    self.assertTrue(list((ROOT / "bench").glob(f"{own}*")) or own == "tdzdd_bench", own)

    def test_blocks_without_a_command_are_named(self):
        for block in (b for b in blocks() if not b.kind and not b.commands()):
            with self.subTest(block.name):
                if program_of(block.text.replace("\\\n", " ").split()) != "bench":
                    self.assertIn(block.number, OUTPUT.get(block.page, {}))

    def test_the_picture_of_the_concepts_is_what_is_printed(self):
        command, = [c for b in blocks() if b.page == "concepts.md" for c, _ in b.commands()]
        self.assertEqual(self.output(*shlex.split(command)[1:]),
                         (ROOT / "docs" / "concepts.svg").read_text())


class Programs(unittest.TestCase):
    EXAMPLES = {p.read_text() for p in (ROOT / "examples").glob("*.c*")}

    def compiled(self, language, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / ("part." + language)
            path.write_text(text)
            compiler = os.environ.get("CXX" if language == "cpp" else "CC", "c++" if language == "cpp" else "cc")
            flags = ["-std=c++20"] if language == "cpp" else ["-std=c99", "-D_GNU_SOURCE"]
            result = subprocess.run([compiler, *flags, "-w", "-fsyntax-only", "-I", ROOT / "include", path],
                                    capture_output=True, text=True, timeout=300)
            self.assertEqual(result.returncode, 0, result.stderr)

    def test_whole_programs_are_examples_or_compile(self):
        for block in (b for b in blocks() if b.kind in ("c", "cpp") and "int main" in b.text):
            if block.text not in self.EXAMPLES:
                with self.subTest(block.name):
                    self.compiled(block.kind, block.text)

    def test_programs_in_fortran_are_examples(self):
        examples = {p.read_text() for p in (ROOT / "examples" / "fortran").glob("*.f90")}
        for block in (b for b in blocks() if b.kind == "fortran"):
            with self.subTest(block.name):
                self.assertIn(block.text, examples)

    def test_parts_of_programs_compile(self):
        parts = {"c": ["#include <kinjo/kinjo.h>\n"], "cpp": [f"#include <{h}>\n" for h in HEADERS]}
        for block in (b for b in blocks() if b.kind in parts and "int main" not in b.text):
            key = (block.page, block.number)
            given = "kinjo::Mapping& mapping" + ("" if key in OWN_TEAM else ", kinjo::Team& team")
            if block.kind == "c":
                given = "kinjo_team* team"
            text = re.sub(r"^…$|(?<=\{) … (?=\})", "", block.text, flags=re.MULTILINE)
            functions = re.match(r"(?:static .*?^}\n)?", text, re.MULTILINE | re.DOTALL)[0]
            text = text.removeprefix(functions)
            parts[block.kind].append(f"{functions}void in_{block.page[:-3]}_{block.number}({given}) {{\n"
                                     f"{CONTEXT.get(key, '')}\n#line 1 \"{block.name}\"\n{text}}}\n")
        for language, texts in parts.items():
            with self.subTest(language):
                self.compiled(language, "".join(texts))

    def test_python_is_run_or_has_a_reason(self):
        for block in (b for b in blocks() if b.kind == "python"):
            with self.subTest(block.name):
                self.assertTrue(block.page in PYTHON_RUN or (block.page, block.number) in NOT_RUN)
                if ">>>" not in block.text:
                    compile(block.text, block.name, "exec")


if __name__ == "__main__":
    unittest.main(verbosity=2)
