"""Runs the program `kinjo`, as CTest names it in KINJO, without the variables that it reads."""

import json
import os
import pathlib
import subprocess
import unittest

KINJO = os.environ["KINJO"]
CPUS = sorted(os.sched_getaffinity(0))
TWO_CPUS = unittest.skipIf(len(CPUS) < 2, "needs two CPUs")
MACHINES = pathlib.Path(__file__).resolve().parent.parent / "machines"
SERVER = str(MACHINES / "two_socket_server.xml")
TWO_NODES = "synthetic:pack:2 numa:1 core:2 pu:2"
SMALL = ("stream", "--elements", "1000", "--repeat", "1")  # STREAM in no time
VARIABLES = ("KINJO_", "OMP_", "GOMP_", "KMP_", "LD_PRELOAD", "HWLOC_")


def clean_environment(**variables):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(VARIABLES)}
    return {**kept, "LC_ALL": "C.UTF-8", **variables}


def kinjo(*arguments, env=None, **options):
    """Runs `kinjo ARGUMENTS…` to its end; `env` holds variables to set."""
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.run([KINJO, *arguments], env=clean_environment(**(env or {})), text=True,
                          errors="surrogateescape", timeout=600, **options)


class KinjoTest(unittest.TestCase):
    """Expectations about one run."""

    maxDiff = None

    def output(self, *arguments, **options):
        """Standard output of a run that succeeds and has nothing else to say."""
        result = kinjo(*arguments, **options)
        self.assertEqual((result.returncode, result.stderr), (0, ""), arguments)
        return result.stdout

    def json(self, *arguments, **options):
        return json.loads(self.output(*arguments, "--format", "json", **options))

    def refusal(self, *arguments, status=2, **options):
        """The one line with which a run is refused, without the program's name."""
        result = kinjo(*arguments, **options)
        self.assertEqual(result.returncode, status, (arguments, result.stderr))
        self.assertIn(result.stdout, ("", None), arguments)
        self.assertRegex(result.stderr, r"\Akinjo: [^\n]+\n\Z", arguments)
        return result.stderr[len("kinjo: "):-1]
