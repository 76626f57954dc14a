"""What the wheel and the source archive hold."""

import os
import pathlib
import subprocess
import sys
import tarfile

import pytest

import kinjo

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = pathlib.Path(kinjo.__file__).parent
# Those that every Linux for programs in C++ has; the rest must be in the wheel.
SYSTEM = ("ld-linux-x86-64.so.2", "libc.so.6", "libgcc_s.so.1", "libm.so.6", "libstdc++.so.6")


def dynamic(library):
    """The dynamic section's entries as (kind, value)."""
    printed = subprocess.run(["readelf", "-dW", library], capture_output=True, text=True, check=True)
    for line in printed.stdout.splitlines():
        for kind in ("NEEDED", "RPATH", "RUNPATH"):
            if f"({kind})" in line:
                yield kind, line.split("[")[1].rstrip("]")


def libraries():
    return [*PACKAGE.glob("_kinjo*.so"), *(PACKAGE / "lib").iterdir()]


def test_the_package_is_the_one_that_the_wheel_installed():
    assert pathlib.Path(sys.prefix) in PACKAGE.parents
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    assert f"project(kinjo VERSION {kinjo.__version__} " in text


def test_whatever_is_needed_is_inside():
    inside = {path.name for path in (PACKAGE / "lib").iterdir()}
    for library in libraries():
        for kind, value in dynamic(library):
            if kind == "NEEDED":
                assert value in inside or value in SYSTEM, f"{library.name} needs {value}"
            else:
                assert (kind, value) == ("RPATH", "$ORIGIN/lib")


def test_the_loader_takes_the_libraries_that_are_inside():
    program = "import kinjo; print(open('/proc/self/maps').read())"
    environment = {k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"}
    maps = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          check=True, env=environment).stdout
    for library in libraries():
        assert str(library) in maps


def test_the_extension_shows_nothing_but_its_entry():
    extension, = PACKAGE.glob("_kinjo*.so")
    printed = subprocess.run(["nm", "-D", "--defined-only", extension], capture_output=True,
                             text=True, check=True).stdout
    names = [line.split()[-1] for line in printed.splitlines()]
    assert "PyInit__kinjo" in names
    assert [n for n in names if n.startswith(("kinjo_", "_ZN5kinjo", "_ZNK5kinjo", "hwloc"))] == []


@pytest.fixture(scope="module")
def source_archive(tmp_path_factory):
    """The source archive, unpacked where no git is."""
    folder = tmp_path_factory.mktemp("sdist")
    make = f"from scikit_build_core.build import build_sdist; print(build_sdist({str(folder)!r}))"
    subprocess.run([sys.executable, "-c", make], cwd=ROOT, check=True, capture_output=True)
    archive, = folder.glob("kinjo-*.tar.gz")
    with tarfile.open(archive) as opened:
        opened.extractall(folder, filter="data")
    return folder / archive.name.removesuffix(".tar.gz")


def test_the_source_archive_has_all_that_is_compiled_and_no_more(source_archive):
    def files(root, folder):
        return {path.relative_to(root) for path in (root / folder).rglob("*")
                if path.is_file() and "__pycache__" not in path.parts}

    for folder in ("cmake", "include", "python", "src"):
        assert files(source_archive, folder) == files(ROOT, folder)
    assert {path.name for path in source_archive.iterdir()} == {
        "CMakeLists.txt", "LICENSE", "NOTICE.md", "PKG-INFO", "README.md", "cmake", "include", "licences",
        "pyproject.toml", "python", "src"}


@pytest.mark.skipif(os.environ.get("KINJO_LAB") != "all", reason="compiles everything: --lab all")
def test_the_source_archive_makes_a_wheel(source_archive, tmp_path):
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index",
         "-w", tmp_path, source_archive], check=True, capture_output=True)
    assert len(list(tmp_path.glob("kinjo-*.whl"))) == 1
