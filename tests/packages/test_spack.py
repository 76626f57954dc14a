"""The Spack recipe, executed with a stand-in for Spack's directives, agrees with the build."""

import contextlib
import itertools
import pathlib
import re
import sys
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECIPE = ROOT / "packaging" / "spack" / "packages" / "kinjo" / "package.py"
CMAKE = (ROOT / "CMakeLists.txt").read_text()

# What a package of Debian is called in Spack, of the list that is needed to build.
NAMES = {"cmake": "cmake", "libcli11-dev": "cli11", "libeigen3-dev": "eigen", "libfmt-dev": "fmt",
         "libgmp-dev": "gmp", "libhwloc-dev": "hwloc", "libhwy-dev": "highway",
         "libpmix-dev": "pmix", "libre2-dev": "re2", "libucx-dev": "ucx",
         "nlohmann-json3-dev": "nlohmann-json", "pkgconf": "pkgconfig"}
BY_SPACK = {"g++", "ninja-build"}  # a compiler and a generator are chosen by Spack


class Spec:
    """The variants that were chosen."""

    def __init__(self, chosen):
        self.chosen = chosen

    def satisfies(self, condition):
        return self.chosen[condition[1:]] == (condition[0] == "+")

    def __getitem__(self, name):
        return types.SimpleNamespace(prefix=types.SimpleNamespace(lib=f"/{name}/lib"))


class CMakePackage:
    """Of Spack's class of this name what the recipe uses."""

    def __init__(self, chosen):
        self.spec = Spec(chosen)

    def define(self, name, value):
        return f"-D{name}={'ON' if value else 'OFF'}"

    def define_from_variant(self, name, variant):
        return self.define(name, self.spec.chosen[variant])


class Paths:
    def __init__(self):
        self.added = []

    def prepend_path(self, name, value):
        self.added.append((name, value))


def execute():
    """The recipe's class, and its directives: (directive, arguments, when)."""
    said, conditions = [], []

    def directive(name):
        def note(*arguments, **options):
            said.append((name, arguments, options, [*conditions, *filter(None, [options.get("when")])]))
        return note

    @contextlib.contextmanager
    def when(condition):
        conditions.append(condition)
        yield
        conditions.pop()

    package = types.ModuleType("spack.package")
    for name in ("license", "version", "variant", "depends_on", "requires", "conflicts"):
        setattr(package, name, directive(name))
    package.when, package.EnvironmentModifications = when, Paths
    build_system = types.ModuleType("spack_repo.builtin.build_systems.cmake")
    build_system.CMakePackage = CMakePackage
    parents = ["spack", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"]
    modules = {name: types.ModuleType(name) for name in parents}
    modules.update({m.__name__: m for m in (package, build_system)})
    before = dict(sys.modules)
    sys.modules.update(modules)
    try:
        scope = {"__file__": str(RECIPE), "__name__": "kinjo_recipe"}
        exec(compile(RECIPE.read_text(), str(RECIPE), "exec"), scope)
    finally:
        for name in modules:
            sys.modules.pop(name, None)
            if name in before:
                sys.modules[name] = before[name]
    return scope["Kinjo"], said


KINJO, SAID = execute()
VARIANTS = [arguments[0] for name, arguments, _, _ in SAID if name == "variant"]


def each_choice():
    for values in itertools.product([True, False], repeat=len(VARIANTS)):
        yield dict(zip(VARIANTS, values))


class Recipe(unittest.TestCase):
    def arguments(self, directive):
        return [(arguments, options, when) for name, arguments, options, when in SAID if name == directive]

    def test_takes_the_checkout_that_it_is_part_of(self):
        self.assertEqual(KINJO.git, f"file://{ROOT}")

    def test_has_every_released_version(self):
        released = re.findall(r"^## ([0-9.]+), (?!not yet)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"),
                              re.MULTILINE)
        self.assertEqual([a[0] for a, _, _ in self.arguments("version")], ["main", *released])

    def test_has_the_licence_of_the_python_package(self):
        (licence,), _, _ = self.arguments("license")[0]
        self.assertIn(f'license = "{licence}"', (ROOT / "pyproject.toml").read_text())

    def test_needs_what_the_list_says_to_build(self):
        listed = (ROOT / "scripts" / "packages.txt").read_text().split("# to check")[0]
        listed = set(re.findall(r"^[\w+.-]+$", listed, re.MULTILINE)) - BY_SPACK
        needed = {re.match(r"[\w-]+", a[0])[0] for a, _, _ in self.arguments("depends_on")}
        self.assertEqual(needed - {"c", "cxx"}, {NAMES[package] for package in listed})

    def test_needs_the_cmake_that_the_build_does(self):
        minimum = re.match(r"cmake_minimum_required\(VERSION ([\d.]+)\)", CMAKE)[1]
        self.assertIn(f"cmake@{minimum}:", [a[0] for a, _, _ in self.arguments("depends_on")])

    def test_conditions_are_on_variants_that_there_are(self):
        conditions = [c for _, _, _, when in SAID for c in when]
        self.assertGreater(len(conditions), 3)
        for condition in conditions:
            self.assertIn(condition[1:], VARIANTS)

    def test_gives_options_that_the_build_has(self):
        options = set(re.findall(r"option\((\w+)", CMAKE)) | {"BUILD_SHARED_LIBS"}
        modules = set(re.findall(r"find_package\((\w+)\)", CMAKE))  # those that are not required
        for chosen in each_choice():
            for argument in KINJO(chosen).cmake_args():
                name, value = re.fullmatch(r"-D(\w+)=(ON|OFF)", argument).groups()
                off = re.fullmatch(r"CMAKE_DISABLE_FIND_PACKAGE_(\w+)", name)
                if off:
                    self.assertIn(off[1], modules)
                    self.assertEqual(value == "OFF", chosen[off[1].lower()])
                else:
                    self.assertIn(name, options)

    def test_leaves_no_choice_of_the_build_to_what_happens_to_be_there(self):
        for optional in ("Ucx", "Pmix"):
            self.assertIn(f"find_package({optional})", CMAKE)
            self.assertIn(optional.lower(), VARIANTS)

    def test_shows_where_opened_libraries_are(self):
        for chosen in each_choice():
            paths = Paths()
            KINJO(chosen).setup_run_environment(paths)
            self.assertEqual(paths.added, [("LD_LIBRARY_PATH", f"/{name}/lib")
                                           for name in ("ucx", "pmix") if chosen[name]])


if __name__ == "__main__":
    unittest.main(verbosity=2)
