"""What kinjo topo, map and stream refuse, and that nothing half-written passes for a result."""

import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from kinjo_program import SERVER, SMALL, TWO_NODES, KinjoTest, kinjo  # noqa: E402

ACCEPTED_POLICIES = ("expected none, scatter, compact, compact-plus, an order of package, node, "
                     "cache, core and smt such as smt,core,node, or a list such as cpus:0-3,8")
BAD_USAGE = [
    ([], "no command: expected one of topo, map, stream, run, where"),
    (["bogus"], "unknown command 'bogus': expected one of topo, map, stream, run, where"),
    (["--bogus"], "unknown command '--bogus': expected one of topo, map, stream, run, where"),
    (["bo\ngus"], "unknown command 'bo?gus': expected one of topo, map, stream, run, where"),
    (["topo", "--bogus"],
     "unexpected argument '--bogus': kinjo topo --help lists what is accepted"),
    (["topo", "map"], "unexpected argument 'map': kinjo topo --help lists what is accepted"),
    (["map", "a", "b"], "unexpected argument 'a': kinjo map --help lists what is accepted"),
    (["topo", "--", "map"], "unexpected argument 'map': kinjo topo --help lists what is accepted"),
    (["--"], "no command: expected one of topo, map, stream, run, where"),
    (["topo", "--format", "xml"], "unknown format 'xml': expected text, json, csv, svg"),
    (["stream", "--format", "OMP_PLACES"],
     "unknown format 'OMP_PLACES': expected text, json, csv"),
    (["map", "--format", "xml"],
     "unknown format 'xml': expected text, json, csv, svg, OMP_PLACES, GOMP_CPU_AFFINITY, "
     "KMP_AFFINITY, taskset, numactl or srun"),
    (["map", "--policy", "none", "--format", "taskset"],
     "policy none names no CPUs: expected scatter, compact, compact-plus, an order or a list for "
     "this format"),
    (["map", "--policy", "bogus"], f"unknown policy 'bogus': {ACCEPTED_POLICIES}"),
    (["stream", "--policy", "Scatter"], f"unknown policy 'Scatter': {ACCEPTED_POLICIES}"),
    (["map", "--policy", "core,core"],
     f"a level is named twice in the policy 'core,core': {ACCEPTED_POLICIES}"),
    (["map", "--policy", "cpus:0-"],
     "malformed CPU list '0-' at '0-': expected numbers and ranges up to 1048575, e.g. 0-3,8 or "
     "0-14:2"),
    (["map", "--policy", "cpus:0,0"], "CPU 0 is named twice in the policy's list: expected each "
                                      "CPU once"),
    (["map", "--policy", "cpus:"],
     "the policy's list of CPUs is empty: expected cpus:0-3,8"),
    (["map", "--input", TWO_NODES, "--policy", "cpus:8"],
     "CPU 8 of policy cpus:8 does not exist: expected CPUs of 0-7"),
    (["map", "--threads", "0"], "'0' threads: expected a number from 1 to 1048576"),
    (["map", "--threads", "-1"], "'-1' threads: expected a number from 1 to 1048576"),
    (["map", "--threads", "two"], "'two' threads: expected a number from 1 to 1048576"),
    (["map", "--threads", "1.5"], "'1.5' threads: expected a number from 1 to 1048576"),
    (["map", "--threads", "99999999999999999999"],
     "'99999999999999999999' threads: expected a number from 1 to 1048576"),
    (["map", "--input", TWO_NODES, "--threads", "9"],
     "9 threads exceed the 8 CPUs that policy scatter may use: expected 1 to 8, or ask to "
     "oversubscribe"),
    (["map", "--input", TWO_NODES, "--policy", "cpus:3", "--threads", "2"],
     "2 threads exceed the 1 CPU that policy cpus:3 may use: expected 1 to 1, or ask to "
     "oversubscribe"),
    (["stream", "--threads", "1,,2"], "'' threads: expected a number from 1 to 1048576"),
    (["stream", "--elements", "0"], "'0' elements: expected a positive number"),
    (["stream", "--elements", "1e6"], "'1e6' elements: expected a positive number"),
    (["stream", "--bind", "socket"], "unknown binding 'socket': expected cpu, core or node"),
    (["stream", "--repeat", "0"], "--repeat: Value 0 not in range 1 to 10000"),
    (["stream", "--repeat", "x"], "--repeat: Value x not in range 1 to 10000"),
    (["stream", "--stores", "x"], "--stores: x not in {automatic,cached,streaming}"),
    (["map", "--threads"], "--threads: 1 required N missing"),
    (["topo", "--input", "/absent"],
     "cannot read the machine '/absent': No such file or directory; expected an hwloc XML file, a "
     "directory with sys and proc, or synthetic:…"),
]
# Words that the message must hold besides the input's name; the readers' own tests know the rest.
BAD_MACHINES = [("synthetic:", "expected"), ("synthetic:core:0", "expected"),
                ("synthetic:bogus:2", "expected"), ("{root}", "expected"),
                ("{root}/empty", "line 1"), ("{root}/empty.tree", "expected"),
                ("{root}/truncated.xml", "line "), ("{root}/words.xml", "line 1"),
                ("{root}/no_cpu.xml", ""), ("{root}/secret.xml", "Permission denied"),
                ("{root}/absent\nfile", "No such file")]


class BadInput(KinjoTest):
    def test_bad_usage_is_refused_with_what_is_accepted(self):
        for arguments, message in BAD_USAGE:
            with self.subTest(arguments):
                self.assertEqual(self.refusal(*arguments), message)

    def test_run_is_refused_with_the_status_of_its_own(self):
        self.assertEqual(self.refusal("run", "--policy", "bogus", "--", "true", status=125),
                         f"unknown policy 'bogus': {ACCEPTED_POLICIES}")

    def test_more_elements_than_memory_are_refused(self):
        self.assertRegex(self.refusal("stream", "--elements", "1000000000000"),
                         r"^three arrays of 1000000000000 doubles do not fit: expected at most \d+ "
                         r"elements, 60 % of the .+ that are available$")

    def test_bad_descriptions_of_machines_are_refused_by_name(self):
        with tempfile.TemporaryDirectory() as root:
            self.write_bad_machines(pathlib.Path(root))
            for pattern, words in BAD_MACHINES:
                machine = pattern.format(root=root)
                if "secret" in machine and os.access(machine, os.R_OK):
                    continue  # root may read everything
                with self.subTest(pattern):
                    for command in ("topo", "map"):
                        message = self.refusal(command, "--input", machine)
                        self.assertIn(f"the machine '{machine}'".replace("\n", "?"), message)
                        self.assertIn(words, message)

    @staticmethod
    def write_bad_machines(root):
        whole = pathlib.Path(SERVER).read_text()
        (root / "empty").touch()
        (root / "empty.tree").mkdir()
        (root / "truncated.xml").write_text(whole[:len(whole) // 2])
        (root / "words.xml").write_text("no machine\n")
        (root / "no_cpu.xml").write_text(
            '<topology version="2.0"><object type="Machine" os_index="0" cpuset="0x0" '
            'complete_cpuset="0x0" allowed_cpuset="0x0" nodeset="0x1" complete_nodeset="0x1" '
            'allowed_nodeset="0x1" gp_index="1"/></topology>\n')
        (root / "secret.xml").write_text(whole)
        (root / "secret.xml").chmod(0)

    def test_name_of_a_machine_may_hold_any_bytes(self):
        with tempfile.TemporaryDirectory() as root:
            path = os.path.join(os.fsencode(root), b"odd \xff name.xml")
            pathlib.Path(os.fsdecode(path)).symlink_to(SERVER)
            origin = self.json("topo", "--input", os.fsdecode(path))["origin"]
        self.assertTrue(origin.endswith("odd \ufffd name.xml"), origin)


class Output(KinjoTest):
    COMMANDS = [["topo"], ["map"], list(SMALL), ["topo", "--help"], ["--help"], ["--version"],
                ["map", "--format", "json"]]

    def test_full_device_is_an_error(self):
        for arguments in self.COMMANDS:
            with self.subTest(arguments), open("/dev/full", "w") as full:
                self.assertEqual(self.refusal(*arguments, stdout=full),
                                 "cannot write the output: No space left on device")

    def test_closed_output_is_an_error(self):
        for arguments in self.COMMANDS:
            with self.subTest(arguments):
                self.assertEqual(self.refusal(*arguments, preexec_fn=lambda: os.close(1)),
                                 "cannot write the output: Bad file descriptor")

    def test_reader_who_leaves_ends_the_program_quietly(self):
        reader, writer = os.pipe()
        os.close(reader)
        result = kinjo("topo", stdout=writer)
        os.close(writer)
        self.assertEqual((result.returncode, result.stderr), (-13, ""))


if __name__ == "__main__":
    unittest.main(verbosity=2)
