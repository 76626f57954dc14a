"""NOTICE.md names everything that is linked, and the changes have the version that is built."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTICE = (ROOT / "NOTICE.md").read_text(encoding="utf-8")
TOOLS = {"cmake", "g++", "ninja-build", "pkgconf"}


class Notices(unittest.TestCase):
    def test_name_every_package_that_is_needed_to_build(self):
        lists = (ROOT / "scripts" / "packages.txt").read_text()
        to_build = re.findall(r"^[\w+.-]+$", lists.split("# to check")[0], re.MULTILINE)
        self.assertGreater(len(to_build), 10)
        for package in set(to_build) - TOOLS:
            self.assertIn(f"| `{package}` |", NOTICE)

    def test_name_what_the_python_package_is_built_with(self):
        self.assertIn("| [nanobind]", NOTICE)

    def test_name_libraries_that_are_opened(self):
        sources = "".join(p.read_text() for p in (ROOT / "src").rglob("*.cpp"))
        opened = set(re.findall(r'"lib(\w+)\.so', sources))
        known = {"ucp": "UCX", "ucs": "UCX", "uct": "UCX", "pmix": "OpenPMIx"}
        for library in opened - {"kinjo_preload"}:
            self.assertIn(known.get(library, library), NOTICE)


class Changes(unittest.TestCase):
    def test_begin_with_the_version_that_is_built(self):
        version = re.search(r"project\(kinjo VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
        first = re.search(r"^## (\S+),", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)[1]
        self.assertEqual(first, version)

    def test_name_every_command(self):
        changes = (ROOT / "CHANGELOG.md").read_text()
        for command in re.findall(r"kinjo::cli::add_(\w+)\(app", (ROOT / "cli" / "main.cpp").read_text()):
            self.assertIn(f"`kinjo {command}`", changes)


if __name__ == "__main__":
    unittest.main(verbosity=2)
