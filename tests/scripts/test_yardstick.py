"""scripts/yardstick: small trees that are in order, and such in which one thing exceeds its limit."""

import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

sys.dont_write_bytecode = True
SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))

import yardstick_cpp  # noqa: E402

# A tree without a fault.
ORDERLY = {
    "include/kinjo/sum.hpp": """\
        /// Sums.
        #pragma once
        namespace kinjo {
        /// Σ x_i of n numbers.
        double sum(const double* x, int n);
        }  // namespace kinjo
        """,
    "src/sum/sum.cpp": """\
        #include <kinjo/sum.hpp>
        namespace kinjo {
        double sum(const double* x, int n) {
          double all = 0;
          for (int i = 0; i < n; ++i) all += x[i];  // in order
          return all;
        }
        }  // namespace kinjo
        """,
    "tests/sum/sum_test.cpp": "#include <kinjo/sum.hpp>\n" + "int used();\n" * 4 + "int last();\n" * 4,
}
LINES = "".join(f"  call_number_{i}(one, two);\n" for i in range(6))
LONG = "void f() {\n" + "".join(f"  g_{i}(1);\n" for i in range(60)) + "}\n"

# (measure, files to add, where it is found)
FAULTS = [
    ("file-length", {"src/sum/long.cpp": "".join(f"int a_{i};\n" for i in range(601))}, "src/sum/long.cpp"),
    ("function-length", {"src/sum/long.cpp": LONG}, "src/sum/long.cpp:f"),
    ("function-length", {"python/long.py": "def f():\n" + "".join(f"    g{i}()\n" for i in range(60))},
     "python/long.py:f"),
    ("includes", {"src/sum/many.cpp": "".join(f'#include "sum/h{i}.hpp"\n' for i in range(21)),
                  **{f"src/sum/h{i}.hpp": "" for i in range(21)}}, "src/sum/many.cpp"),
    ("circle", {"src/sum/a.hpp": '#include "sum/b.hpp"\n', "src/sum/b.hpp": '#include "sum/a.hpp"\n'},
     "src/sum/a.hpp > src/sum/b.hpp > src/sum/a.hpp"),
    ("circle", {"python/kinjo/one.py": "from kinjo import two\n",
                "python/kinjo/two.py": "def f():\n    from kinjo.one import g\n    return g\n"},
     "python/kinjo/one.py > python/kinjo/two.py > python/kinjo/one.py"),
    ("duplicate", {"src/sum/a.cpp": f"void f() {{\n{LINES}}}\n", "cli/b.cpp": f"int g() {{\n{LINES}}}\n"},
     "src/sum/a.cpp ~ cli/b.cpp"),
    ("public-headers", {f"include/kinjo/h{i}.hpp": "" for i in range(50)}, "tree"),
    ("bool-parameter", {"include/kinjo/flag.hpp": "/// A flag.\nvoid set(int a, bool flag = true);\n"},
     "include/kinjo/flag.hpp:set"),
    ("no-docstring", {"include/kinjo/silent.hpp": "void whisper(int a);\n"},
     "include/kinjo/silent.hpp:whisper"),
    ("no-docstring", {"include/kinjo/silent.hpp": "/// Said.\nclass C {\n public:\n  void hum(int a);\n};\n"},
     "include/kinjo/silent.hpp:hum"),
    ("no-unit", {"include/kinjo/unit.hpp": "/// Measured.\nstruct M {\n  double node_latency = 0;\n};\n"},
     "include/kinjo/unit.hpp:3"),
    ("comments", {"src/sum/mute.cpp": "".join(f"int a_{i};\n" for i in range(90))}, "tree"),
    ("tests", {"src/sum/more.cpp": "".join(f"int a_{i};  // number\n" for i in range(40))}, "tree"),
    ("tests", {"src/other/other.cpp": "int other;\n"}, "src/other"),
    ("unfinished", {"docs/plan.md": "TO" "DO: write this\n"}, "docs/plan.md:1"),
]

# What the reader of C++ has to tell apart.
TRICKY = """\
    #if ONE
    void first() {
    #else
    // void never() {
    #endif
      const char* brace = "}"; char other = '}';
      auto text = R"x(
    } })x";
    }
    template <class T> requires (sizeof(T) > 1)
    class Holder : public Base<T> {
     public:
      Holder(int a, T b) : a_{a}, b_(b), c_{1, 2} {
        use(a);
      }
      Holder() : a_{.first = 1, .second = {2}} {}
      bool operator==(const Holder&) const { return true; }
      std::function<void(bool)> call;
      int count = 1'000'000;
     private:
      void hidden();
    };
    extern "C" int plain(struct point p) { return p.x; }
    enum class Kind { one, two };
    constexpr int kTable[] = {1, 2};
    TEST(Suite, Name) {
    }
    MAKE_MORE(int)
    """


def measure(files, exceptions=None):
    """(exit status, lines) of the script on a tree."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(text))
        if exceptions is not None:
            (root / "scripts").mkdir()
            (root / "scripts" / "yardstick_exceptions.txt").write_text(exceptions)
        result = subprocess.run([sys.executable, SCRIPTS / "yardstick", root], capture_output=True,
                                text=True)
        assert result.stderr == "", result.stderr
        return result.returncode, result.stdout.splitlines()


class Trees(unittest.TestCase):
    def test_in_order_pass_and_every_measure_is_printed_beside_its_limit(self):
        status, lines = measure(ORDERLY)
        self.assertEqual(status, 0, lines)
        self.assertEqual([line.split()[0] for line in lines],
                         ["file-length", "function-length", "includes", "circle", "duplicate",
                          "public-headers", "bool-parameter", "no-docstring", "no-unit", "comments",
                          "tests", "unfinished"])
        for line in lines:
            self.assertRegex(line, r" \(limit: [^)]+\)$")

    def test_in_which_one_thing_exceeds_its_limit_fail_and_name_it(self):
        for name, files, where in FAULTS:
            with self.subTest(name, where=where):
                status, lines = measure({**ORDERLY, **files})
                self.assertEqual(status, 1)
                self.assertTrue(any(line.startswith(f"{name}: {where}: ") for line in lines), lines)

    def test_with_an_exception_for_it_pass(self):
        name, files, where = FAULTS[0]
        status, lines = measure({**ORDERLY, **files, "tests/sum/all.cpp": "int a;  // one\n" * 5 * 80},
                                f"# measure  where  why\n{name}  {where}  it is a list\n"
                                "comments  tree  numbers say all\n"
                                "duplicate  tests/sum/all.cpp ~ tests/sum/all.cpp  numbers say all\n")
        self.assertEqual(status, 0, lines)
        self.assertRegex(lines[0], r"; exceptions 1\)$")

    def test_with_an_exception_that_is_not_needed_fail(self):
        status, lines = measure(ORDERLY, "file-length  src/sum/sum.cpp  it was long\n")
        self.assertEqual((status, lines[-1]),
                         (1, "file-length: src/sum/sum.cpp: an exception that is no longer needed"))

    def test_that_cannot_be_read_are_refused_with_the_place(self):
        self.assertEqual(measure({**ORDERLY, "src/sum/open.cpp": "void f() {\n"}),
                         (2, ["src/sum/open.cpp: line 1: this brace does not close"]))
        self.assertEqual(measure({**ORDERLY, "src/sum/half.cpp": "int a;\nint b\n"}),
                         (2, ["src/sum/half.cpp: line 2: this declaration does not end"]))
        self.assertEqual(measure({**ORDERLY, "src/sum/shut.cpp": "int a;\n}\n"}),
                         (2, ["src/sum/shut.cpp: line 2: this brace opens nowhere"]))
        self.assertEqual(measure(ORDERLY, "file-length src/sum/sum.cpp why\n"),
                         (2, ["yardstick_exceptions.txt: line 1: expected a measure, a place and a "
                              "reason, two spaces apart"]))


class Reader(unittest.TestCase):
    def test_tells_functions_types_and_values_apart(self):
        found = [(one.kind, one.name, one.line, one.last_line, one.is_public)
                 for one in yardstick_cpp.declarations(textwrap.dedent(TRICKY))]
        self.assertEqual(found, [
            ("function", "first", 2, 9, True),
            ("type", "Holder", 10, 22, True),
            ("function", "Holder", 13, 15, True),
            ("function", "Holder", 16, 16, True),
            ("function", "operator==", 17, 17, True),
            ("other", "std::function<void(bool)> call", 18, 18, True),
            ("other", "int count = 1'000'000", 19, 19, True),
            ("function", "hidden", 21, 21, False),
            ("function", "plain", 23, 23, True),
            ("type", "Kind", 24, 24, True),
            ("other", "constexpr int kTable[] = {1, 2}", 25, 25, True),
            ("function", "Suite.Name", 26, 27, True),
        ])


if __name__ == "__main__":
    unittest.main()
