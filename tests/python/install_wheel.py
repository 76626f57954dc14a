"""Builds the wheel of the checkout with the libraries of a build tree and installs it here.

Usage: install_wheel.py BUILD_TREE"""

import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PREFIX = ROOT / "build" / "python" / "prefix"
WHEELS = ROOT / "build" / "python" / "wheels"


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"{command} ended with {result.returncode}:\n{result.stdout}\n{result.stderr}")


def pip(*arguments):
    run(sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments)


def build_wheel(source, wheels):
    """Without a network and with the libraries in PREFIX; `pip install .` would build those too."""
    shutil.rmtree(wheels, ignore_errors=True)
    pip("wheel", "--no-build-isolation", "--no-deps", "--no-index", "-w", str(wheels),
        "-C", "cmake.define.KINJO_USE_INSTALLED=ON",
        "-C", f"cmake.define.CMAKE_PREFIX_PATH={PREFIX}", str(source))
    wheel, = wheels.glob("kinjo-*.whl")
    return wheel


def main(build):
    run("cmake", "--install", build, "--component", "development", "--prefix", str(PREFIX))
    wheel = build_wheel(ROOT, WHEELS)
    pip("install", "--force-reinstall", "--no-deps", "--no-index", str(wheel))


if __name__ == "__main__":
    main(sys.argv[1])
