"""What kinjo refuses, beside what the tests of single commands show; nothing half-written passes for a
result."""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from kinjo_program import (KINJO, SERVER, SMALL, TWO_NODES, FolderTest, KinjoTest,  # noqa: E402
                           clean_environment, kinjo)

BRIEF = ("--threads", "1", "--repeat", "1", "--pairs", "6")  # a sweep in no time

ACCEPTED_POLICIES = ("expected none, scatter, compact, compact-plus, an order of package, node, "
                     "cache, core and smt such as smt,core,node, or a list such as cpus:0-3,8")
COMMANDS = ("expected one of topo, map, stream, blas1, gemm, fft, bfs, graph500, paths, sdp, cells, "
            "run, measure, tune, where")
BAD_USAGE = [
    ([], f"no command: {COMMANDS}"),
    (["bogus"], f"unknown command 'bogus': {COMMANDS}"),
    (["--bogus"], f"unknown command '--bogus': {COMMANDS}"),
    (["bo\ngus"], f"unknown command 'bo?gus': {COMMANDS}"),
    (["topo", "--bogus"],
     "unexpected argument '--bogus': kinjo topo --help lists what is accepted"),
    (["topo", "map"], "unexpected argument 'map': kinjo topo --help lists what is accepted"),
    (["map", "a", "b"], "unexpected argument 'a': kinjo map --help lists what is accepted"),
    (["topo", "--", "map"], "unexpected argument 'map': kinjo topo --help lists what is accepted"),
    (["--"], f"no command: {COMMANDS}"),
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
    (["map", "--threads", ""], "--threads: expected a number"),
    (["stream", "--threads", ""], "--threads: expected numbers"),
    (["map", "--threads", "0"], "'0' threads: expected a number from 1 to 1048576"),
    (["map", "--threads", "-1"], "'-1' threads: expected a number from 1 to 1048576"),
    (["map", "--threads", "two"], "'two' threads: expected a number from 1 to 1048576"),
    (["map", "--threads", "1.5"], "'1.5' threads: expected a number from 1 to 1048576"),
    (["map", "--threads", "99999999999999999999"],
     "'99999999999999999999' threads: expected a number from 1 to 1048576"),
    (["map", "--input", TWO_NODES, "--threads", "9"],
     "9 threads exceed the 8 CPUs that policy scatter may use: expected 1 to 8, or ask to "
     "oversubscribe"),
    (["map", "--input", TWO_NODES, "--policy", "cpus:8-1000:2"],
     "CPU 8 of policy cpus:8,10,12,14,16,18,20,22,24,26,28,30,32,34,36,38,40,42,44… does not exist: "
     "expected CPUs of 0-7"),
    (["map", "--input", TWO_NODES, "--policy", "cpus:3", "--threads", "2"],
     "2 threads exceed the 1 CPU that policy cpus:3 may use: expected 1 to 1, or ask to "
     "oversubscribe"),
    (["stream", "--threads", "1,,2"], "'' threads: expected a number from 1 to 1048576"),
    (["stream", "--elements", "0"], "'0' elements: expected a number from 1 to 2^62, such as 16M or 2^24"),
    (["stream", "--elements", "1e6"], "'1e6' elements: expected a number from 1 to 2^62, such as 16M or 2^24"),
    (["stream", "--bind", "socket"], "unknown binding 'socket': expected cpu, core or node"),
    (["stream", "--repeat", "0"], "--repeat: Value 0 not in range 1 to 10000"),
    (["stream", "--repeat", "x"], "--repeat: Value x not in range 1 to 10000"),
    (["stream", "--stores", "x"], "--stores: x not in {automatic,cached,streaming}"),
    (["map", "--threads"], "--threads: no value: expected N"),
    (["map", "--threads", "2", "--threads=3"], "--threads: given 2 times: expected once"),
    (["map", "--oversubscribe=no"], "--oversubscribe: a value: expected none"),
    (["cells", "gemm", "--size", "8", "--size", "9"], "--size: given 2 times: expected once"),
    (["paths", "--count=no", "grid:2"], "--count: a value: expected none"),
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

    def test_name_of_the_output_goes_on_behind_what_is_there(self):
        with tempfile.TemporaryDirectory() as root:
            log = pathlib.Path(root) / "log"
            for name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
                log.write_text("before\n")
                with self.subTest(name), log.open("a") as appended:
                    self.assertEqual(kinjo("paths", "grid:3", "-o", name, stdout=appended).returncode, 0)
                    appended.write("after\n")
                self.assertEqual(log.read_text(), "before\n184\nafter\n")

    def test_closed_output_is_an_error(self):
        for arguments in self.COMMANDS:
            with self.subTest(arguments):
                self.assertEqual(self.refusal(*arguments, preexec_fn=lambda: os.close(1)),
                                 "cannot write the output: Bad file descriptor")

    # Those that have more to say on standard error before there is anything to print.
    LONG = [["tune", *BRIEF, "--", "true"],
            ["tune", "stream", "--set", "elements=1000", *BRIEF],
            ["measure", "nodes", "--budget", "1", "--repeat", "1", "--buffer", "64K"],
            ["where", str(os.getpid())], ["topo", "--check"]]

    def last_word(self, *arguments, **options):
        """The last line of a run that ends with status 2."""
        result = kinjo(*arguments, **options)
        self.assertEqual(result.returncode, 2, (arguments, result.stderr))
        return result.stderr.splitlines()[-1]

    def test_long_work_is_no_success_if_it_cannot_be_printed(self):
        for arguments in self.LONG:
            with self.subTest(arguments):
                with open("/dev/full", "w") as full:
                    self.assertEqual(self.last_word(*arguments, stdout=full), "kinjo: cannot write "
                                     "the output: No space left on device")
                # Files that are opened later must not get the closed stream's number.
                self.assertEqual(self.last_word(*arguments, preexec_fn=lambda: os.close(1)),
                                 "kinjo: cannot write the output: Bad file descriptor")

    def test_programs_find_closed_streams_closed(self):
        script = "test -e /proc/self/fd/0 || test -e /proc/self/fd/1 || exit 7"
        result = kinjo("run", "--", "sh", "-c", script,
                       preexec_fn=lambda: (os.close(0), os.close(1)))
        self.assertEqual((result.returncode, result.stderr), (7, ""))

    def test_reader_who_leaves_ends_the_program_quietly(self):
        reader, writer = os.pipe()
        os.close(reader)
        result = kinjo("topo", stdout=writer)
        os.close(writer)
        self.assertEqual((result.returncode, result.stderr), (-13, ""))
    def test_reader_who_leaves_ends_long_work_with_nothing_left_behind(self):
        with tempfile.TemporaryDirectory() as folder:
            for arguments in self.LONG:
                with self.subTest(arguments):
                    reader, writer = os.pipe()
                    os.close(reader)
                    result = kinjo(*arguments, stdout=writer, env={"TMPDIR": folder})
                    os.close(writer)
                    self.assertEqual(result.returncode, -13, result.stderr)
                    self.assertEqual(os.listdir(folder), [])


class Files(FolderTest):
    """Files that are asked for and cannot be written: one clear line, and nothing half-written."""

    COMMANDS = [["topo", "--format", "svg", "--output"], ["map", "--format", "svg", "--output"],
                ["topo", "--check", "--output"], ["where", str(os.getpid()), "--output"],
                ["measure", "nodes", "--budget", "1", "--repeat", "1", "--buffer", "64K",
                 "--output"],
                ["tune", *BRIEF, "--report"]]

    @staticmethod
    def command(arguments, path):
        return [*arguments, str(path), *(["--", "true"] if arguments[0] == "tune" else [])]

    def last_word(self, arguments, path, **options):
        result = kinjo(*self.command(arguments, path), **options)
        self.assertEqual(result.returncode, 2, (arguments, result.stderr))
        return result.stderr.splitlines()[-1]

    def fill(self):
        """A file system without a free byte, mounted on the folder."""
        mount = ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(self.folder)]
        if os.getuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
            self.skipTest("needs to mount a file system, which takes root")
        self.addCleanup(subprocess.run, ["umount", str(self.folder)], check=True)
        with self.assertRaises(OSError), open(self.folder / "filling", "wb", buffering=0) as file:
            while True:
                file.write(bytes(4096))

    def test_full_directory_is_told_and_stays_as_it_was(self):
        self.fill()
        for arguments in self.COMMANDS:
            with self.subTest(arguments):
                path = self.folder / "file"
                self.assertEqual(self.last_word(arguments, path),
                                 f"kinjo: cannot write '{path}': No space left on device")
                self.assertEqual(os.listdir(self.folder), ["filling"])

    def test_journal_in_a_full_directory_is_not_left_without_its_beginning(self):
        self.fill()
        journal = self.folder / "journal"
        self.assertEqual(
            self.refusal("tune", *BRIEF, "--journal", str(journal), "--", "true"),
            f"cannot write the journal {journal}: No space left on device")
        message = self.refusal("tune", *BRIEF, "--", "true", env={"TMPDIR": str(self.folder)})
        self.assertRegex(message, rf"^cannot write the journal {self.folder}/kinjo-tune-\w+: No space "
                                  r"left on device$")
        self.assertEqual(os.listdir(self.folder), ["filling"])

    def test_output_of_tuned_programs_needs_no_room_on_a_disk(self):
        journal = self.folder.with_suffix(".journal")
        self.addCleanup(journal.unlink)
        self.fill()
        result = kinjo("tune", *BRIEF, "--journal", str(journal), "--metric", "score ([0-9]+)", "--",
                       "sh", "-c", "head -c 100000 /dev/zero && echo && echo score 5",
                       env={"TMPDIR": str(self.folder)})
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_directory_is_no_file(self):
        for arguments in self.COMMANDS:
            with self.subTest(arguments):
                self.assertEqual(self.last_word(arguments, self.folder),
                                 f"kinjo: cannot write '{self.folder}': Is a directory")
        for path, why in ((self.folder, "Is a directory"), ("/dev/full", "Not an ordinary file")):
            self.assertEqual(self.refusal("tune", *BRIEF, "--journal", str(path), "--", "true"),
                             f"cannot make the journal {path}: {why}")

    @unittest.skipUnless(os.getuid() == 0, "needs root to become somebody else")
    def test_directory_of_somebody_else_is_refused_before_the_work(self):
        self.folder.chmod(0o755)
        nobody = {"user": 65534, "group": 65534, "extra_groups": []}
        for arguments in self.COMMANDS:
            with self.subTest(arguments):
                path = self.folder / "file"
                try:
                    message = self.refusal(*self.command(arguments, path), **nobody)
                except PermissionError:
                    self.skipTest("the build tree is closed to other users")
                self.assertEqual(message, f"cannot write '{path}': Permission denied")
        self.assertEqual(os.listdir(self.folder), [])

    def test_interrupted_work_leaves_no_file(self):
        path = self.folder / "profile"
        process = subprocess.Popen([KINJO, "measure", "nodes", "--output", str(path)],
                                   env=clean_environment(TMPDIR=str(self.folder)), text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertIn("measuring", process.stderr.readline())
        process.send_signal(signal.SIGINT)
        stdout, _ = process.communicate(timeout=60)
        self.assertEqual((process.returncode, stdout), (-signal.SIGINT, ""))
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
