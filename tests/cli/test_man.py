"""Manual pages: one for each command, which tell what the program's help tells."""

import pathlib
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from kinjo_program import FolderTest  # noqa: E402


def help_commands(text):
    """The names of the commands in a help text."""
    lists = re.findall(r"^(?:Subcommands|Shell and manual):\n((?:  .*\n)+)", text, re.MULTILINE)
    return re.findall(r"^  (\S+)", "".join(lists), re.MULTILINE)


def plain(page):
    """A page's text without its font changes and escapes."""
    return re.sub(r"\\f[BIR]", "", page).replace("\\-", "-").replace("\\&", "")


class Man(FolderTest):
    def setUp(self):
        super().setUp()
        self.output("man", "--directory", self.path("man1"))
        self.pages = {p.stem: p for p in (self.folder / "man1").iterdir()}

    def test_there_is_a_page_for_each_command(self):
        def pages(path):
            commands = help_commands(self.output(*path, "--help"))
            return {"-".join(["kinjo", *path])}.union(*(pages((*path, c)) for c in commands))

        self.assertEqual(set(self.pages), pages(()))

    def test_pages_have_every_option_of_the_help(self):
        for name, path in self.pages.items():
            words = name.split("-")[1:]
            text = plain(path.read_text())
            for option in re.findall(r"^  (-\S+)", self.output(*words, "--help"), re.MULTILINE):
                for spelling in option.split(","):
                    self.assertRegex(text, rf"(?m)^(\S+, )?{spelling}\b", (name, option))

    def test_one_page_is_printed(self):
        self.assertEqual(self.output("man", "map"), self.pages["kinjo-map"].read_text())
        self.assertEqual(self.output("man"), self.pages["kinjo"].read_text())

    def test_pages_of_no_command_are_refused(self):
        self.assertEqual(self.refusal("man", "bogus"),
                         "no command 'bogus': kinjo --help lists them")

    def test_a_directory_that_cannot_be_made_is_refused(self):
        blocked = self.path("file/man1")
        (self.folder / "file").write_text("")
        self.assertEqual(self.refusal("man", "--directory", blocked),
                         f"cannot make the directory '{blocked}': Not a directory")

    def judged(self, *command):
        result = subprocess.run([*command, *map(str, self.pages.values())], text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        # Pages carry no date, so that two builds of one source are alike.
        return [line for line in result.stdout.splitlines() if "missing date" not in line]

    @unittest.skipUnless(shutil.which("mandoc"), "mandoc is not installed")
    def test_mandoc_finds_nothing_wrong(self):
        self.assertEqual(self.judged("mandoc", "-T", "lint", "-W", "warning"), [])

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_groff_finds_nothing_wrong(self):
        self.assertEqual(self.judged("groff", "-man", "-ww", "-z"), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
