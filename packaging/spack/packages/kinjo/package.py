import os

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Kinjo(CMakePackage):
    """Keeps every thread next to its data on NUMA machines: a C++20 library with a C API, a
    Fortran module and a program that place threads and memory, prove where they are, and measure
    what the placement costs."""

    # The checkout that this recipe is part of.
    git = "file://" + os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 4))

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("shared", default=True, description="Build shared libraries")
    variant("program", default=True, description="Build the program kinjo")
    variant("ucx", default=True, description="Cells on several hosts")
    variant("pmix", default=False, description="Cells that mpirun or srun starts")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("eigen@3.4:3", type="build")

    # Static libraries pass these on to those who link them.
    depends_on("fmt@9:")
    depends_on("gmp")
    depends_on("highway@1.0.3:")
    depends_on("hwloc@2.9:")

    with when("+program"):
        depends_on("cli11@2.3:", type="build")
        depends_on("nlohmann-json@3.11:", type="build")
        depends_on("re2")

    # They are opened when they are needed, and only their headers are compiled in.
    depends_on("ucx@1.13:", when="+ucx")
    depends_on("pmix@4.2:", when="+pmix")

    requires("platform=linux", msg="kinjo asks the Linux kernel where threads and pages are")
    conflicts("%gcc@:11", msg="kinjo is written in C++20")
    conflicts("%clang@:13", msg="kinjo is written in C++20")

    def cmake_args(self):
        return [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("KINJO_BUILD_PROGRAM", "program"),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_Ucx", self.spec.satisfies("~ucx")),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_Pmix", self.spec.satisfies("~pmix")),
            self.define("KINJO_BUILD_TESTS", False),
            self.define("KINJO_BUILD_EXAMPLES", False),
            self.define("KINJO_BUILD_BENCH", False),
        ]

    def setup_run_environment(self, env: EnvironmentModifications) -> None:
        # What is opened by its name must be found.
        for variant, library in (("+ucx", "ucx"), ("+pmix", "pmix")):
            if self.spec.satisfies(variant):
                env.prepend_path("LD_LIBRARY_PATH", self.spec[library].prefix.lib)
