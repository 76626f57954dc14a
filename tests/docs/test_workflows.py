"""The workflows for a public forge: they are well formed, and run what is there."""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
# The interpreter that Debian's packages are for; `on` is a truth value to YAML 1.1.
READ = "import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1])), default=str))"


def read(path):
    text = subprocess.run(["/usr/bin/python3", "-c", READ, path], check=True, capture_output=True,
                          text=True).stdout
    return json.loads(text)


class Workflows(unittest.TestCase):
    def each_job(self):
        for path in WORKFLOWS:
            for name, job in read(path)["jobs"].items():
                with self.subTest(path.name, job=name):
                    yield job

    def scripts(self):
        return [step["run"] for job in self.each_job() for step in job["steps"] if "run" in step]

    def test_jobs_have_a_system_a_limit_of_time_and_steps(self):
        for job in self.each_job():
            self.assertEqual(job["runs-on"], "ubuntu-latest")
            container = job["container"]
            image = container["image"] if isinstance(container, dict) else container
            self.assertEqual(image, "debian:bookworm")
            self.assertIn(job["timeout-minutes"], range(1, 361))
            for step in job["steps"]:
                self.assertEqual(len({"run", "uses"} & set(step)), 1, step)

    def test_actions_have_a_version(self):
        for job in self.each_job():
            for step in job["steps"]:
                if "uses" in step:
                    self.assertRegex(step["uses"], r"^actions/(checkout|upload-artifact)@v\d+$")

    def test_variables_of_a_matrix_are_there(self):
        for job in self.each_job():
            cases = job.get("strategy", {}).get("matrix", {}).get("include", [])
            for used in re.findall(r"matrix\.(\w+)", json.dumps(job)):
                self.assertTrue(cases)
                for case in cases:
                    self.assertIn(used, case)

    def test_steps_are_shell_scripts_that_run_what_is_there(self):
        for script in self.scripts():
            plain = re.sub(r"\$\{\{[^}]*\}\}", "word", script)
            result = subprocess.run(["sh", "-n"], input=plain, text=True, capture_output=True)
            self.assertEqual((result.returncode, result.stderr), (0, ""), script)
            for path in re.findall(r"(?:^|\s)(\./\w+|scripts/\w+)", plain):
                self.assertTrue(os.access(ROOT / path, os.X_OK), path)

    def test_the_two_commands_are_run(self):
        for command in ("./run", "./check", "./check --sanitizers", "scripts/check_aarch64"):
            self.assertIn(command, self.scripts())

    def test_packages_are_those_of_the_list_or_compilers(self):
        listed = set(re.findall(r"^[\w+.-]+$", (ROOT / "scripts" / "packages.txt").read_text(),
                                re.MULTILINE))
        others = {"ca-certificates", "git", "procps", "clang", "libomp-dev"}
        for job in self.each_job():
            text = json.dumps(job)
            for names in re.findall(r"--no-install-recommends ([^\"&$]*)|\"packages\": \"([^\"]*)\"", text):
                self.assertLessEqual(set(" ".join(names).split()), listed | others)


class Presets(unittest.TestCase):
    def test_the_cross_build_has_its_tool_chain(self):
        presets = json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]
        chain, = [p["toolchainFile"] for p in presets if p["name"] == "aarch64"]
        self.assertTrue((ROOT / chain).exists())


if __name__ == "__main__":
    if subprocess.run(["/usr/bin/python3", "-c", "import yaml"], capture_output=True).returncode:
        print("python3-yaml is not installed: workflows are not read")
        sys.exit(77)
    unittest.main(verbosity=2)
