"""The examples of docs/cli.md, docs/json.md, docs/paths.md, docs/blas1.md, docs/gemm.md and docs/cells.md:
what they show is what the program prints.

Of the first two only commands that look at a described machine, or count paths, are tried; the others print
what this machine is."""

import json
import pathlib
import re
import shlex
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from kinjo_program import MACHINES, KinjoTest, kinjo  # noqa: E402

DOCS = MACHINES.parent.parent / "docs"
COMMAND = re.compile(r"^\$ (.*)\n", re.MULTILINE)


def fences(name):
    """Kind and text of each block of code."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", (DOCS / name).read_text(),
                      re.MULTILINE | re.DOTALL)


def arguments_of(command):
    words = shlex.split(command)
    return words[1:] if words[0] == "kinjo" and "--input" in words else None


class Docs(KinjoTest):
    def test_text_examples_are_what_the_program_prints(self):
        tried = 0
        for _, text in fences("cli.md"):
            for command, shown in zip(*[iter(COMMAND.split(text)[1:])] * 2):
                arguments = arguments_of(command)
                if arguments is None:
                    continue
                with self.subTest(command):
                    self.assertEqual(self.output(*arguments, cwd=MACHINES), shown)
                tried += 1
        self.assertGreaterEqual(tried, 4)

    def test_examples_of_paths_are_what_the_program_prints(self):
        tried = 0
        with tempfile.TemporaryDirectory() as folder:       # of all, since some read what others save
            for text in (text for page in ("cli.md", "paths.md") for _, text in fences(page)):
                for command, shown in zip(*[iter(COMMAND.split(text)[1:])] * 2):
                    if command == "cat lines.el":
                        pathlib.Path(folder, "lines.el").write_text(shown)
                    if not command.startswith("kinjo paths") or not shown:
                        continue
                    with self.subTest(command):
                        result = kinjo(*shlex.split(command)[1:], cwd=folder)
                        self.assertEqual(result.stdout + result.stderr, shown)
                    tried += 1
        self.assertGreaterEqual(tried, 13)

    def test_json_examples_are_what_the_program_prints(self):
        tried, command = 0, None
        for kind, text in fences("json.md"):
            if kind == "json" and arguments_of(command) is not None:
                with self.subTest(command):
                    printed = json.loads(self.output(*arguments_of(command), cwd=MACHINES))
                    self.assertEqual(printed, json.loads(text))
                tried += 1
            elif kind != "json":
                command = COMMAND.match(text)[1]
        self.assertEqual(tried, 2)

    def test_record_example_has_the_fields_of_a_record(self):
        def shape(value):
            """The names of all members, without the values."""
            return {k: shape(v) for k, v in value.items()} if isinstance(value, dict) else None

        example = json.loads([text for kind, text in fences("json.md") if kind == "json"][-1])
        record, = self.json("stream", "--policy", "compact", "--elements", "1000", "--repeat", "1",
                            "--threads", "1")["records"]
        for refusal in ("placement_message", "pages_message"):  # of this system's kernel
            record["result"].pop(refusal, None)
        self.assertEqual(shape(example["records"][0]), shape(record))

    def test_every_member_of_a_profile_is_described(self):
        def names(value):
            if isinstance(value, dict):
                return set(value).union(*map(names, value.values()))
            return set().union(*map(names, value)) if isinstance(value, list) else set()

        result = kinjo("measure", "--repeat", "1", "--budget", "1", "--buffer", "64K",
                       "--no-cache", "--format", "json")
        self.assertEqual(result.returncode, 0, result.stderr)
        text = (DOCS / "json.md").read_text().split("## kinjo-profile/1")[1]
        described = set(re.findall(r"`(\w+)(?:\[\])?`", text))
        self.assertEqual(names(json.loads(result.stdout)) - described, set())

    def test_examples_of_measurements_differ_from_what_is_printed_in_measured_values_alone(self):
        def shape(text):
            """Lines without numbers, widths, and what depends on the machine."""
            text = re.sub(r"[0-9.]+", "0", text)
            text = re.sub(r"\b(L0|memory)\b", "level", text)
            text = re.sub(r"\b(loads|stores|arithmetic|scalar|sse0|avx0|neon)\b", "word", text)
            text = re.sub(r"\b(0 [KMG]iB|0 B)\b", "bytes", text)
            return [line.split() for line in text.splitlines()]

        for page, expected in (("blas1.md", 2), ("gemm.md", 1), ("cells.md", 3)):
            tried = 0
            for _, text in fences(page):
                command, *shown = text.splitlines()
                if not shown or not shown[0].startswith("kinjo: "):
                    continue
                with self.subTest(command):
                    words = shlex.split(re.sub(r" --repeat \d+", "", command))[2:]
                    result = kinjo(*words, "--repeat", "1")
                    printed = shape(result.stderr + result.stdout)
                    if shown[-1] == "…":  # the rest is left out
                        shown.pop()
                        printed = printed[:len(shown)]
                    self.assertEqual(printed, shape("\n".join(shown).replace(
                        "medians of 7 rounds", "medians of 1 round")))
                tried += 1
            self.assertEqual(tried, expected, page)

    def test_every_field_of_a_kernels_record_is_described(self):
        text = (DOCS / "json.md").read_text()
        for command in (("blas1",), ("blas1", "--ladder"), ("gemm",)):
            result = kinjo(*command, "--size", "64", "--repeat", "1", "--format", "json")
            for record in json.loads(result.stdout)["records"]:
                part = re.split(r"\n###? ", text.split(f"### {record['workload']}\n")[1])[0]
                described = set(re.findall(r"`(?:\w+\.)?(\w+)`", part)) | {
                    "pages_where", "pages_by_node", "placement_message", "pages_message"}
                names = {n for m in ("parameters", "metrics", "result") for n in record[m]}
                self.assertEqual(names - described, set())

    def test_refusals_are_shown_in_their_words(self):
        for command in ("map --policy bogus", "blas1 --kernel nrm2", "gemm", "cells gemm --form shove"):
            shown = re.search(rf"^\$ kinjo {command}\n(.*)\n", (DOCS / "cli.md").read_text(),
                              re.MULTILINE)[1]
            self.assertEqual(kinjo(*command.split()).stderr, shown + "\n")


if __name__ == "__main__":
    unittest.main(verbosity=2)
