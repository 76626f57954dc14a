"""The version is one number, which stands in CMakeLists.txt; others are made of it or agree with it."""

import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = re.search(r"project\(kinjo VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]

# Where it stands once more, because a tool reads it there and nowhere else. Tests compare each.
AGREEING = {"CHANGELOG.md": rf"^## {re.escape(VERSION)}, ", "debian/changelog": rf"^kinjo \({re.escape(VERSION)}-",
            "include/kinjo/kinjo.h": rf'version, e\.g\. `"{re.escape(VERSION)}"`'}


def tracked():
    names = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                           capture_output=True, text=True)
    if names.returncode != 0:
        raise unittest.SkipTest("this is no checkout")
    return [name for name in names.stdout.split("\0") if name and (ROOT / name).is_file()]


class Version(unittest.TestCase):
    def test_stands_where_a_tool_wants_it(self):
        for name, pattern in AGREEING.items():
            with self.subTest(name):
                self.assertRegex((ROOT / name).read_text(encoding="utf-8"), re.compile(pattern, re.MULTILINE))

    def test_stands_nowhere_else(self):
        number = re.compile(rf"(?<![\d.]){re.escape(VERSION)}(?![\d.]*\d)")
        for name in tracked():
            if name == "CMakeLists.txt" or name in AGREEING or name.startswith("tests/report/"):
                continue  # the report's tests show stored counts, which say what made them
            try:
                text = (ROOT / name).read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue
            for line in text.splitlines():
                if number.search(line) and '"kinjo": "' not in line:  # a record says which version made it
                    self.assertNotIn("kinjo", line.lower(), name)

    def test_is_read_by_the_python_package_and_the_site(self):
        self.assertIn('input = "CMakeLists.txt"', (ROOT / "pyproject.toml").read_text())
        self.assertIn("project\\(kinjo VERSION", (ROOT / "docs" / "site" / "conf.py").read_text())


if __name__ == "__main__":
    unittest.main(verbosity=2)
