"""The README shows code that the tests run, and stays short."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
LINK = re.compile(r"\]\(([^)#]+)(?:#[^)]*)?\)")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


class Readme(unittest.TestCase):
    def test_shows_the_examples_that_the_tests_run(self):
        for language, example in (("cpp", "first.cpp"), ("c", "openmp.c")):
            with self.subTest(example):
                self.assertEqual(blocks(language), [(ROOT / "examples" / example).read_text()])

    def test_has_its_two_commands_in_the_first_25_lines(self):
        first = README.splitlines()[:25]
        self.assertTrue(any("./run" in line for line in first))
        self.assertTrue(any("./check" in line for line in first))

    def test_has_no_blank_left_to_fill_in(self):
        for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
            self.assertNotRegex(page.read_text(encoding="utf-8"), r"@[A-Z]+@", page.name)

    def test_shows_a_picture_that_is_small(self):
        picture = ROOT / "docs" / "report.svg"
        self.assertIn("](docs/report.svg)", README)
        self.assertIn("Every policy against the unpinned default", picture.read_text(encoding="utf-8"))
        self.assertLess(picture.stat().st_size, 60_000)

    def test_is_under_120_lines(self):
        self.assertLess(len(README.splitlines()), 120)


class Links(unittest.TestCase):
    def test_point_to_files_that_exist(self):
        for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
            for target in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8"))):
                if "://" not in target:
                    with self.subTest(page=page.name, target=target):
                        self.assertTrue((page.parent / target).exists())


class Figures(unittest.TestCase):
    def test_of_the_papers_page_stand_on_the_pages_that_it_names(self):
        """Numbers with a decimal point, in cells of its tables that have a link to a page of figures."""
        tried = 0
        rows = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8").splitlines()
        for cell in (cell for row in rows if row.startswith("|") for cell in row.split("|")):
            pages = {p for p in LINK.findall(cell) if p.startswith(("performance_", "bfs", "fft_files", "sdp"))}
            text = "".join((ROOT / "docs" / page).read_text(encoding="utf-8") for page in pages)
            for number in re.findall(r"(?<![\w.])\d+\.\d+(?!\w|\.\d)", LINK.sub("", CODE.sub("", cell))):
                if pages:
                    with self.subTest(number, pages=pages):
                        self.assertRegex(text, rf"(?<![\d.]){re.escape(number)}(?!\d)")
                    tried += 1
        self.assertGreaterEqual(tried, 20)


if __name__ == "__main__":
    unittest.main()
