"""The Debian packaging agrees with the tree: version, libraries, what is needed to build, and the files
of the packages with those that are installed (KINJO_PREFIX names an installation of the build)."""

import os
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEBIAN = ROOT / "debian"
VERSION = re.search(r"project\(kinjo VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
LIBRARIES = "libkinjo" + ".".join(VERSION.split(".")[:2])


def paragraphs(path):
    """A control file's paragraphs as dicts."""
    found = []
    for text in re.split(r"\n\n+", path.read_text(encoding="utf-8").strip()):
        fields = re.findall(r"^(\S+):((?:.*\n?)(?:^[ \t].*\n?)*)", text, re.MULTILINE)
        found.append({name: value.strip() for name, value in fields})
    return found


def packages_named(text):
    return {re.match(r"[\w.+-]+", part.strip())[0] for part in text.split(",") if part.strip()}


def is_named(name, pattern):
    """As dh_install reads it: `*` ends at a slash, and a folder is all that is in it."""
    words = "[^/]*".join(re.escape(part) for part in pattern.split("*"))
    return re.fullmatch(words + "(/.*)?", name)


def lines(path):
    return path.read_text().split() if path.exists() else []


class Control(unittest.TestCase):
    SOURCE, *PACKAGES = paragraphs(DEBIAN / "control")

    def test_needs_what_the_list_says_to_build(self):
        listed = (ROOT / "scripts" / "packages.txt").read_text().split("# to check")[0]
        listed = set(re.findall(r"^[\w+.-]+$", listed, re.MULTILINE))
        self.assertEqual(packages_named(self.SOURCE["Build-Depends"]) - {"debhelper-compat"},
                         listed - {"g++"})  # every build has g++

    def test_names_the_library_package_as_the_libraries(self):
        cmake = (ROOT / "cmake" / "KinjoTargets.cmake").read_text()
        self.assertIn("SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}", cmake)
        names = [p["Package"] for p in self.PACKAGES]
        self.assertEqual(sorted(names), sorted(["kinjo", LIBRARIES, "libkinjo-dev"]))
        for package in self.PACKAGES:
            if package["Package"] != LIBRARIES:  # the program uses what is inside the libraries
                self.assertIn(f"{LIBRARIES} (= ${{binary:Version}})", package["Depends"])

    def test_has_the_same_maintainer_as_the_changelog(self):
        self.assertIn(f" -- {self.SOURCE['Maintainer']}  ", (DEBIAN / "changelog").read_text())


class Changelog(unittest.TestCase):
    def test_begins_with_the_version_that_is_built(self):
        version, suite = re.match(r"kinjo \((\S+)-\d+\) (\S+);", (DEBIAN / "changelog").read_text()).groups()
        self.assertEqual(version, VERSION)
        heading = re.search(r"^## .*$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)[0]
        self.assertEqual(suite == "UNRELEASED", "not yet released" in heading)


class Copyright(unittest.TestCase):
    def test_has_the_words_of_the_licence(self):
        text = paragraphs(DEBIAN / "copyright")[1]["License"].replace("\n .\n", "\n").split()
        self.assertEqual(text[0], "BSD-3-Clause")
        whole = (ROOT / "LICENSE").read_text().split()
        self.assertEqual(text[1:], whole[whole.index("Redistribution"):])
        self.assertIn(paragraphs(DEBIAN / "copyright")[1]["Copyright"],
                      (ROOT / "LICENSE").read_text())


class Rules(unittest.TestCase):
    def test_give_options_that_the_build_has(self):
        rules = (DEBIAN / "rules").read_text()
        cmake = (ROOT / "CMakeLists.txt").read_text()
        given = set(re.findall(r"-D(KINJO_\w+)=", rules))
        self.assertGreaterEqual(len(given), 3)
        self.assertEqual(given - set(re.findall(r"option\((\w+)", cmake)), set())

    def test_and_tests_are_shell_scripts(self):
        for script in (ROOT / "scripts" / "debian_package", *sorted((DEBIAN / "tests").glob("[!c]*")),
                       *sorted((DEBIAN / "tests").glob("*t"))):
            if script.name != "control":
                with self.subTest(script.name):
                    self.assertEqual(subprocess.run(["sh", "-n", script], capture_output=True).returncode, 0)
                    self.assertTrue(os.access(script, os.X_OK))


@unittest.skipUnless("KINJO_PREFIX" in os.environ, "KINJO_PREFIX names no installation")
class Files(unittest.TestCase):
    def installed(self):
        """The files of the installation as Debian's build has them: shared libraries in the place of
        static ones, in the folder of the architecture."""
        prefix = pathlib.Path(os.environ["KINJO_PREFIX"])
        for path in prefix.rglob("*"):
            if path.is_dir():
                continue
            name = "usr/" + re.sub(r"^lib(64|/[\w-]+-linux-gnu)?/", "lib/triplet/", str(path.relative_to(prefix)))
            if re.search(r"/libkinjo_\w+\.a$", name):
                yield name[:-1] + "so"
                yield name[:-1] + "so." + VERSION
            else:
                yield name

    def test_are_each_in_one_package_and_every_line_names_some(self):
        lists = {path.name: lines(path) for path in [*DEBIAN.glob("*.install"), DEBIAN / "not-installed"]}
        used = set()
        count = 0
        for name in self.installed():
            count += 1
            homes = [(home, pattern) for home, patterns in lists.items() for pattern in patterns
                     if is_named(name, pattern)]
            self.assertEqual(len(homes), 1, (name, homes))
            used.update(homes)
        self.assertGreater(count, 60)
        self.assertEqual(used, {(home, pattern) for home, patterns in lists.items() for pattern in patterns})

    def test_of_the_lists_belong_to_packages_that_there_are(self):
        names = {p["Package"] for p in Control.PACKAGES}
        for path in [*DEBIAN.glob("*.install"), *DEBIAN.glob("*.docs")]:
            self.assertIn(path.name.rsplit(".", 1)[0], names)
            if path.suffix == ".docs":
                for name in lines(path):
                    self.assertTrue((ROOT / name).exists(), name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
