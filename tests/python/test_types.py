"""The stubs say what the module has, and type checkers understand them."""

import ast
import inspect
import pathlib
import subprocess
import sys

import pytest

import kinjo
from kinjo import _kinjo

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
STUB = ast.parse((pathlib.Path(kinjo.__file__).parent / "_kinjo.pyi").read_text(encoding="utf-8"))


def declared(body):
    """Names of classes, functions and variables to what declares them first."""
    names = {}
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            names.setdefault(node.name, node)
        elif isinstance(node, ast.AnnAssign):
            names.setdefault(node.target.id, node)
    return names


def public(names):
    return {name for name in names if not name.startswith("_")}


TOP = declared(STUB.body)
CLASSES = [name for name, node in TOP.items()
           if isinstance(node, ast.ClassDef) and not name.startswith("_")]


def test_the_stub_has_the_names_of_the_module():
    assert public(TOP) == public(vars(_kinjo)) == public(kinjo.__all__)


@pytest.mark.parametrize("name", CLASSES)
def test_the_stub_has_the_members_and_bases_of_the_class(name):
    real = getattr(kinjo, name)
    assert public(declared(TOP[name].body)) - {"code"} == public(vars(real)) - {"code"}
    bases = [base.id for base in TOP[name].bases] or ["object"]
    assert bases == [base.__name__ for base in real.__bases__]


def test_every_function_says_what_it_does():
    for name in public(kinjo.__all__):
        assert inspect.getdoc(getattr(kinjo, name)), name


def mypy(*files):
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir",
         str(ROOT / "build" / "python" / "mypy"), *map(str, files)],
        capture_output=True, text=True, check=False).stdout


def test_mypy_finds_what_is_wrong_in_the_uses_and_nothing_else():
    assert mypy(HERE / "typed_use.py", *(ROOT / "examples" / "python").glob("*.py")) == ""
