"""The site that scripts/docs makes: every page is in its contents, and no link leads nowhere."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ["README.md", "README.ja.md", "CHANGELOG.md", "NOTICE.md",
         *(str(p.relative_to(ROOT)) for p in sorted((ROOT / "docs").glob("*.md")))]


def build(root, site):
    return subprocess.run([root / "scripts" / "docs", site], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=600)


class Site(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_is_made_of_all_pages_without_a_warning(self):
        site = self.folder / "site"
        result = build(ROOT, site)
        self.assertEqual((result.returncode, result.stdout), (0, f"{site}/index.html\n"))
        for page in PAGES:
            self.assertTrue((site / page).with_suffix(".html").exists(), page)

    def small(self, text):
        """What is said of a tree of three pages, one of which has this text."""
        for name in ("scripts/docs", "docs/site/conf.py", "CMakeLists.txt"):
            target = self.folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target)
        (self.folder / "docs" / "index.md").write_text(
            "# Contents\n\n## All\n\n- [A](a.md)\n- [B](b.md): more\n")
        (self.folder / "docs" / "a.md").write_text("# A\n\n## Its part/1\n\ntext\n")
        (self.folder / "docs" / "b.md").write_text("# B\n\n" + text + "\n")
        return build(self.folder, self.folder / "site")

    def test_takes_links_to_pages_headings_and_files(self):
        result = self.small("[a](a.md) [part](a.md#its-part1) [self](#b) [file](../CMakeLists.txt)")
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_names_links_that_lead_nowhere(self):
        for link in ("none.md", "a.md#no-such-part", "#no-such-part", "../none.txt"):
            with self.subTest(link):
                result = self.small(f"[x]({link})")
                self.assertEqual(result.returncode, 1, result.stdout)
                self.assertIn("b.md:3: WARNING: ", result.stdout)

    def test_names_pages_that_the_contents_leave_out(self):
        (self.folder / "docs").mkdir()
        (self.folder / "docs" / "lost.md").write_text("# Lost\n")
        result = self.small("text")
        self.assertEqual(result.returncode, 1)
        self.assertIn("lost.md: WARNING: document isn't included in any toctree", result.stdout)


if __name__ == "__main__":
    if not shutil.which("sphinx-build"):
        print("sphinx-build is not installed: the site is not made")
        sys.exit(77)
    unittest.main(verbosity=2)
