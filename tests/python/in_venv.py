"""Runs its arguments by the Python of build/venv. Where there is none, says so and ends with 77."""

import os
import pathlib
import sys

PYTHON = pathlib.Path(__file__).resolve().parents[2] / "build" / "venv" / "bin" / "python"

if not PYTHON.exists():
    print("build/venv is missing: scripts/python_venv makes it, and needs PyPI for it")
    sys.exit(77)
os.execv(PYTHON, [PYTHON, "-B", *sys.argv[1:]])
