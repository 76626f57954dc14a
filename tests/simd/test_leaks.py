"""Tests that code for wide vectors stays in the namespaces of its target.

The fault that this finds: an inline function of a header, or a template of the standard library, is
compiled in one file for AVX2 and in another for the base. The linker keeps one of the two, whichever
comes first, and a CPU without AVX2 may be sent into the wrong one. Highway compiles each target
between pragmas and in a namespace of its own, so no name is shared; this test looks whether that is
so in what was built."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

OBJDUMP = os.environ.get("OBJDUMP", "objdump")
TARGETS = re.compile(r"\bN_(AVX2|AVX3)::")
# Instructions encoded with VEX or EVEX (all begin with v; verr and verw are older) or of BMI.
WIDE = re.compile(
    r"^(v(?!err\b|erw\b|mcall|mrun|mload|msave)\w+|kmov\w|andn|bzhi|shlx|shrx|sarx|rorx|mulx|pdep|pext|"
    r"lzcnt|bextr|blsr|blsi|blsmsk)$"
)
FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")


def leaks(binary):
    """The functions outside of the targets' namespaces that hold wide instructions, each with the
    first of them."""
    listing = subprocess.run(
        [OBJDUMP, "--disassemble", "--demangle", "--no-show-raw-insn", str(binary)],
        capture_output=True, text=True, check=True,
    ).stdout
    function, found = "", {}
    for line in listing.splitlines():
        heading = FUNCTION.match(line)
        if heading:
            function = heading[1]
            continue
        words = line.split("\t")[1:]
        if len(words) == 0 or TARGETS.search(function):
            continue
        mnemonic = words[0].split()[0] if words[0].split() else ""
        if WIDE.match(mnemonic):
            found.setdefault(function, mnemonic)
    return found


class LeakTest(unittest.TestCase):
    def compile(self, source, *flags):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name) / "source.cpp"
        path.write_text(source)
        made = path.with_suffix(".o")
        subprocess.run(
            [os.environ["CXX"], "-O2", *flags, "-c", path, "-o", made], check=True
        )
        return made

    SHARED = """
        __attribute__((noinline)) inline double shared(const double* x) { return x[0] * x[1]; }
        double user(const double* x) { return shared(x); }
    """

    def test_an_inline_function_in_a_file_for_avx2_is_found(self):
        found = leaks(self.compile(self.SHARED, "-mavx2"))
        self.assertIn("shared(double const*)", found)

    def test_the_same_for_the_base_is_no_fault(self):
        self.assertEqual(leaks(self.compile(self.SHARED)), {})

    def test_the_namespaces_of_targets_may_hold_wide_instructions(self):
        source = "namespace N_AVX2 { double user(const double* x) { return x[0] * x[1]; } }"
        self.assertEqual(leaks(self.compile(source, "-mavx2")), {})

    def test_kinjos_kernels_leak_nothing(self):
        self.assertEqual(leaks(os.environ["KINJO_KERNELS"]), {})

    def test_kinjos_kernels_hold_wide_instructions_at_all(self):
        names = subprocess.run(
            [OBJDUMP, "--syms", "--demangle", os.environ["KINJO_KERNELS"]],
            capture_output=True, text=True, check=True,
        ).stdout
        for target in ("N_AVX2", "N_AVX3"):
            self.assertIn(f"{target}::", names)


if __name__ == "__main__":
    unittest.main()
