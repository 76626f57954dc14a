"""What pkg-config reads names the folders that were asked for, from the prefix or of their own."""

import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What cmake/KinjoInstall.cmake installs, and a library of no files.
PROJECT = f"""
cmake_minimum_required(VERSION 3.25)
project(kinjo VERSION 1 LANGUAGES NONE)
include(GNUInstallDirs)
add_library(nothing INTERFACE)
install(TARGETS nothing EXPORT kinjo)
set(PROJECT_SOURCE_DIR {ROOT})
include({ROOT}/cmake/KinjoInstall.cmake)
"""


class Folders(unittest.TestCase):
    def installed(self, folder, libraries):
        """The lines of kinjo.pc, which lies with the libraries, and the prefix."""
        here = pathlib.Path(folder)
        (here / "CMakeLists.txt").write_text(PROJECT, encoding="utf-8")
        for command in (["-S", here, "-B", here / "build", f"-DCMAKE_INSTALL_LIBDIR={libraries}"],
                        ["--install", here / "build", "--component", "development", "--prefix", here / "prefix"]):
            subprocess.run(["cmake", *command], check=True, capture_output=True)
        return (here / "prefix" / libraries / "pkgconfig" / "kinjo.pc").read_text(encoding="utf-8").splitlines()

    def test_below_the_prefix_move_with_it(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(self.installed(folder, "lib64")[:3],
                             [f"prefix={folder}/prefix", "libdir=${prefix}/lib64", "includedir=${prefix}/include"])

    def test_of_their_own_stay_where_they_are(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(self.installed(folder, f"{folder}/libraries")[:2],
                             [f"prefix={folder}/prefix", f"libdir={folder}/libraries"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
