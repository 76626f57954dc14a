"""The examples run, and what docs/python.md and the README show is what happens."""

import doctest
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import kinjo
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")


def test_the_example_measures_and_draws(tmp_path):
    drawing = tmp_path / "first_touch.svg"
    printed = subprocess.run(
        [sys.executable, ROOT / "examples" / "python" / "first_touch.py", "--elements", "1000000",
         "--rounds", "2", "--svg", drawing],
        capture_output=True, text=True, check=True).stdout
    *_, touched, interleaved, partitioned, last = printed.splitlines()
    assert re.fullmatch(r"partitioned +100\.0% +\d+\.\d( +\d+\.\d)+", partitioned)
    assert touched.startswith("one thread") and interleaved.startswith("interleaved")
    assert last == f"drawn: {drawing}"
    bars = ElementTree.parse(drawing).findall(".//{*}rect")
    assert len(bars) == 3 * len(kinjo.mapping())


def test_the_example_finds_ways_through_a_town():
    printed = subprocess.run(
        [sys.executable, ROOT / "examples" / "python" / "detours.py", "--streets", "4"],
        capture_output=True, text=True, check=True).stdout.splitlines()
    streets, ways = re.fullmatch(r"(\d+) streets, (\d+) ways", printed[0]).groups()
    assert printed[1].startswith(
        f"<kinjo.paths.PathSet {ways} paths from (0, 0) to (3, 7) of {streets} edges, ")
    minutes = [int(line.split()[0]) for line in printed[3:6]]
    assert minutes == sorted(minutes) and minutes[2] < int(re.search(r"\d+", printed[6])[0])
    assert printed[7].split()[0] == printed[10].split()[7] == "100%"
    assert re.fullmatch(r"one of them visits \d+ crossings, \(\d, \d\) halfway", printed[-1])


def test_the_example_mends_correlations():
    printed = subprocess.run(
        [sys.executable, ROOT / "examples" / "python" / "nearest_correlation.py", "--variables", "6"],
        capture_output=True, text=True, check=True).stdout.splitlines()
    assert printed[0].startswith("least eigenvalue of the estimates -0.")
    assert printed[1].startswith("optimal after ")
    assert printed[3] == "least eigenvalue 0.000"


def test_the_examples_of_the_page_are_what_happens():
    tests = doctest.DocTestParser().get_doctest(PAGE, {}, "docs/python.md", None, 0)
    assert len(tests.examples) > 20
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    report = []
    assert runner.run(tests, out=report.append).failed == 0, "".join(report)


def test_the_page_names_every_function_class_and_error():
    for name in kinjo.__all__:
        assert re.search(rf"`(kinjo\.)?{name}\b", PAGE), name


@pytest.mark.parametrize("page", ["README.md", "README.ja.md", "docs/start.md"])
def test_the_program_of_the_page_runs(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    program, = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
