"""kinjo run, from outside: real programs, and what the kernel says about their threads.

CTest sets KINJO (the program) and KINJO_BUILD (the build tree).
"""

import os
import shutil
import signal
import stat
import subprocess
import tempfile
import unittest

KINJO = os.environ["KINJO"]
PROGRAMS = os.path.join(os.environ["KINJO_BUILD"], "tests", "launch", "programs")
CPUS = sorted(os.sched_getaffinity(0))
TWO_CPUS = unittest.skipIf(len(CPUS) < 2, "needs two CPUs")
# A policy whose places differ from the order in which a system would deal CPUs by itself.
FIRST, SECOND = (CPUS[1], CPUS[0]) if len(CPUS) > 1 else (CPUS[0], CPUS[0])
SWAPPED = f"cpus:{FIRST},{SECOND}"
MASK = ",".join(map(str, sorted({FIRST, SECOND})))
VARIABLES = ("KINJO_", "OMP_", "GOMP_", "KMP_", "LD_PRELOAD", "OMPI_", "MPI_", "MV2_", "SLURM_")


def program(name):
    return os.path.join(PROGRAMS, name)


def run(*arguments, env=None, before=()):
    """Runs kinjo run ARGUMENTS… in an environment without the variables that it reads."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(VARIABLES)}
    return subprocess.run([*before, KINJO, "run", *arguments], env={**clean, **(env or {})},
                          capture_output=True, text=True, timeout=60)


def lines(*cpus):
    """What the test programs print: main's CPUs, then each thread's."""
    names = ["main", *range(1, len(cpus))]
    return "".join(f"{name} {cpu}\n" for name, cpu in zip(names, cpus))


class RunTest(unittest.TestCase):
    maxDiff = None

    def check(self, result, stdout, stderr="", status=0):
        self.assertEqual((result.stdout, result.stderr, result.returncode),
                         (stdout, stderr, status))


@TWO_CPUS
class Threads(RunTest):
    def test_nth_thread_is_pinned_to_nth_place_and_wraps_around(self):
        self.check(run("--policy", SWAPPED, "--", program("threads"), "pthread", "4"),
                   lines(FIRST, SECOND, FIRST, SECOND, FIRST))

    def test_c11_threads_are_pinned(self):
        self.check(run("--policy", SWAPPED, "--", program("threads"), "c11", "3"),
                   lines(FIRST, SECOND, FIRST, SECOND))

    def test_std_threads_are_pinned_and_unwind(self):
        self.check(run("--policy", SWAPPED, "--", program("std_threads"), "3"),
                   f"0 {FIRST}\n1 {SECOND}\n2 {FIRST}\n3 {SECOND}\ncaught\nunwound\n")

    def test_threads_that_threads_create_are_counted(self):
        self.check(run("--policy", SWAPPED, "--", program("threads"), "nested", "3"),
                   f"main {FIRST}\n0 {FIRST}\n1 {SECOND}\n2 {FIRST}\n3 {SECOND}\n")

    def test_affinity_that_the_program_chose_is_kept(self):
        self.check(run("--policy", f"cpus:{CPUS[0]},{CPUS[1]}", "--", program("threads"),
                       "attribute", "1"), lines(CPUS[0], 0))

    def test_refused_creation_takes_no_place(self):
        self.check(run("--policy", SWAPPED, "--", program("threads"), "fail", "3"),
                   lines(FIRST, SECOND))

    def test_program_that_uses_kinjo_deals_all_places(self):
        result = run("--policy", SWAPPED, "--", KINJO, "map", "--format", "csv")
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        self.assertEqual(len(result.stdout.splitlines()), 3, result.stdout)

    def test_mask_that_the_program_was_given_since_is_kept(self):
        # What is preloaded would pin it to its place once more.
        inner = f"env -u LD_PRELOAD taskset -c {FIRST} {KINJO} map --format csv"
        result = run("--policy", "cpus:" + MASK, "--bind", "node", "--", "sh", "-c", inner)
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        self.assertEqual(len(result.stdout.splitlines()), 2, result.stdout)

    def test_forked_child_counts_anew(self):
        self.check(run("--policy", SWAPPED, "--", program("threads"), "fork", "2"),
                   f"main {FIRST}\n1 {SECOND}\nchild {FIRST}\n1 {SECOND}\n2 {FIRST}\n")

    def test_programs_that_a_script_starts_are_pinned(self):
        self.check(run("--policy", SWAPPED, "--", "sh", "-c",
                       f"{program('threads')} pthread 2; exec {program('threads')} pthread 1"),
                   lines(FIRST, SECOND, FIRST) + lines(FIRST, SECOND))

    def test_programs_that_nothing_is_loaded_into_have_all_places_however_they_are_started(self):
        for call in ("execv", "execvp", "execve", "execvpe", "fexecve", "execl", "execlp", "execle", "posix_spawn",
                     "posix_spawnp", "vfork"):
            with self.subTest(call):
                self.check(run("--policy", SWAPPED, "--", program("start"), call, program("static_threads"),
                               "pthread"), lines(MASK))
        self.check(run("--policy", SWAPPED, "--", "sh", "-c", f"{program('static_threads')} pthread 1; :"),
                   lines(MASK, MASK))
        self.check(run("--policy", SWAPPED, "--", "env", "-i", program("threads"), "pthread", "1"), lines(MASK, MASK))

    def test_who_starts_a_program_stays_at_its_place(self):
        script = ("import os, subprocess\n"
                  "try: os.execv('/nowhere', ['x'])\n"
                  "except OSError as error: print(error.errno)\n"
                  "os.waitpid(os.posix_spawn('/bin/true', ['true'], {}), 0)\n"
                  "subprocess.run(['true'])\n"
                  "print(open('/proc/self/status').read().split('Cpus_allowed_list:')[1].split()[0])")
        self.check(run("--policy", SWAPPED, "--", "python3", "-c", script), f"2\n{FIRST}\n")

    def test_another_kinjo_run_within_decides_anew(self):
        inner = (KINJO, "run", "--policy")
        # Also where it wants no more than the place that it was given.
        for cpu in (FIRST, SECOND):
            self.check(run("--policy", SWAPPED, "--", *inner, f"cpus:{cpu}", "--", program("static_threads")),
                       lines(cpu),
                       f"kinjo: {program('static_threads')} is statically linked; its threads are not pinned one by "
                       f"one, all of them may use CPUs {cpu}\n")
        self.check(run("--policy", SWAPPED, "--", *inner, "none", "--", program("threads"), "pthread", "1"),
                   lines(MASK, MASK))
        # A mask that somebody else has set is kept.
        self.check(run("--policy", "cpus:" + MASK, "--bind", "node", "--", "env", "-u", "LD_PRELOAD", "taskset",
                       "-c", str(FIRST), *inner, "none", "--", program("threads")), lines(FIRST))

    def test_cells_within_have_a_place_each(self):
        for policy, expected in ((SWAPPED, [f"main {FIRST}", f"main {SECOND}"]), ("none", [f"main {MASK}"] * 2)):
            result = run("--policy", SWAPPED, "--", KINJO, "cells", "launch", "--cells", "2", "--policy", policy, "--",
                         program("threads"))
            self.assertEqual((result.stderr, result.returncode), ("", 0))
            self.assertEqual(sorted(result.stdout.splitlines()), sorted(expected))

    def test_fewer_threads_use_fewer_places(self):
        self.check(run("--policy", SWAPPED.split(",")[0], "--", program("threads"), "pthread", "2"),
                   lines(FIRST, FIRST, FIRST))

    def test_binding_to_the_node_leaves_its_cpus(self):
        result = run("--policy", SWAPPED, "--bind", "node", "--", program("threads"), "pthread", "1")
        self.assertEqual(result.returncode, 0, result.stderr)
        for line in result.stdout.splitlines():
            self.assertIn(str(FIRST), line.split()[1].split(","))

    def test_oversubscription_is_asked_for(self):
        many = str(len(CPUS) + 1)
        refused = run("--threads", many, "--", "true")
        self.assertEqual(refused.returncode, 125)
        self.assertIn(f"{many} threads exceed the {len(CPUS)} CPUs", refused.stderr)
        self.check(run("--threads", many, "--oversubscribe", "--", "true"), "")

    def test_policy_none_pins_nothing_and_says_so(self):
        everything = ",".join(map(str, CPUS))
        result = run("--policy", "none", "-v", "--", program("threads"), "pthread", "1")
        self.check(result, lines(everything, everything),
                   "kinjo: memory policy: as inherited\nkinjo: policy none: nothing is pinned\n")

    def test_verbose_says_where_each_thread_runs(self):
        result = run("--policy", SWAPPED, "-v", "--", program("threads"), "pthread", "1")
        self.assertIn("thread 0 is pinned to place 0 and runs on CPU %d\n" % FIRST, result.stderr)
        self.assertIn("thread 1 is pinned to place 1 and runs on CPU %d\n" % SECOND, result.stderr)


# What a process is told about its mask, as Python's wrapper of sched_getaffinity(2) hears it.
TELL = """
import os, threading
def tell(): print(*sorted(os.sched_getaffinity(0)), sep=",")
def tell_thread():
    thread = threading.Thread(target=tell)
    thread.start()
    thread.join()
"""


@TWO_CPUS
class Counting(RunTest):
    """Programs ask for their mask to learn how many threads to start; then they ask where they are."""

    def told(self, script):
        result = run("--policy", SWAPPED, "--", "python3", "-c", TELL + script)
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        return result.stdout.split()

    def test_process_without_threads_is_told_all_places(self):
        self.assertEqual(self.told("tell()"), [MASK])

    def test_kernel_has_pinned_it_all_the_same(self):
        self.check(run("--policy", SWAPPED, "--", "grep", "Cpus_allowed_list", "/proc/self/status"),
                   f"Cpus_allowed_list:\t{FIRST}\n")

    def test_threads_and_their_creator_are_told_where_they_are(self):
        self.assertEqual(self.told("tell_thread(); tell()"), [str(SECOND), str(FIRST)])

    def test_mask_that_the_program_has_set_is_told(self):
        for cpu in (FIRST, SECOND):
            script = f"os.sched_setaffinity(0, [{cpu}]); tell()"
            self.assertEqual(self.told(script), [str(cpu)])

    def test_mask_of_another_process_is_told_as_it_is(self):
        script = "print(len(os.sched_getaffinity(os.getppid())))"
        self.assertEqual(self.told(script), [str(len(CPUS))])

    def test_who_adopts_orphans_has_no_child_that_it_never_made(self):
        adopting = ("import ctypes, os, sys; ctypes.CDLL(None).prctl(36, 1, 0, 0, 0); "     # as init does
                    "os.execv(sys.argv[1], sys.argv[1:])")
        script = ("import os\ntry: print(os.wait())\n"
                  "except ChildProcessError: print('none')")
        result = run("--policy", SWAPPED, "--", "python3", "-c", script, before=("python3", "-c", adopting))
        self.check(result, "none\n")

    def test_forked_child_counts_anew(self):
        script = "tell_thread()\nif os.fork() == 0: tell()\nelse: os.wait()"
        self.assertEqual(self.told(script), [str(SECOND), MASK])


@TWO_CPUS
class OpenMp(RunTest):
    EXPECTED = f"threads 2\n0 {FIRST}\n1 {SECOND}\n"

    def test_runtime_pins_thread_n_to_place_n(self):
        self.check(run("--policy", SWAPPED, "--", program("openmp")), self.EXPECTED)

    def test_verbose_says_how(self):
        result = run("--policy", SWAPPED, "-v", "--", program("openmp"))
        self.assertIn("kinjo: an OpenMP program, told by OMP_NUM_THREADS=2 "
                      f"OMP_PLACES={{{FIRST}}},{{{SECOND}}} OMP_PROC_BIND=close\n", result.stderr)
        self.assertNotIn("preload", result.stderr)

    def test_places_beat_what_was_in_the_environment(self):
        self.check(run("--policy", SWAPPED, "--", program("openmp"),
                       env={"OMP_NUM_THREADS": "1", "OMP_PROC_BIND": "spread",
                            "GOMP_CPU_AFFINITY": str(SECOND)}), self.EXPECTED)

    def test_more_threads_than_cpus_wrap_around(self):
        self.check(run("--policy", SWAPPED, "--threads", "3", "--oversubscribe", "--",
                       program("openmp")), f"threads 3\n0 {FIRST}\n1 {SECOND}\n2 {FIRST}\n")

    def test_preload_pins_it_too_if_asked(self):
        result = run("--policy", SWAPPED, "--openmp", "no", "-v", "--", program("openmp"))
        self.assertEqual(result.stdout, self.EXPECTED)
        self.assertIn("pinned by the preloaded library", result.stderr)

    def test_its_runtime_counts_all_places_whenever_it_is_asked(self):
        for arguments in (("--openmp", "no", "--"), ("--", "sh", "-c", 'exec "$0" "$@"')):
            result = run("--policy", SWAPPED, *arguments, program("openmp"), "count")
            self.check(result, self.EXPECTED + "processors 2\n")

    def test_preload_keeps_runtimes_from_moving_threads(self):
        """Of any compiler, also those that are loaded later."""
        variables = ("KMP_AFFINITY", "OMP_PLACES", "OMP_PROC_BIND", "GOMP_CPU_AFFINITY")
        script = "echo " + " ".join(f"${{{name}-none}}" for name in variables)
        result = run("--policy", SWAPPED, "--openmp", "no", "--", "sh", "-c", script,
                     env={name: "true" for name in variables})
        self.check(result, "disabled none none none\n")

    def test_preload_holds_against_places_in_the_environment(self):
        result = run("--policy", SWAPPED, "--openmp", "no", "--", program("openmp"),
                     env={"OMP_PLACES": f"{{{FIRST}}}", "OMP_PROC_BIND": "close"})
        self.check(result, self.EXPECTED)

    def test_policy_none_tells_the_number_of_threads_alone(self):
        everything = ",".join(map(str, CPUS))
        self.check(run("--policy", "none", "--threads", "1", "--", program("openmp")),
                   f"threads 1\n0 {everything}\n")


def open_mpi(rank, size):
    return {"OMPI_COMM_WORLD_LOCAL_RANK": str(rank), "OMPI_COMM_WORLD_LOCAL_SIZE": str(size)}


class Ranks(RunTest):
    OFF = "; --ranks off starts it without regard to ranks\n"

    def cpus_of(self, *arguments, env=None, before=()):
        result = run(*arguments, "--", program("threads"), env=env, before=before)
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        return result.stdout

    @TWO_CPUS
    def test_two_ranks_get_disjoint_places(self):
        slurm = {"SLURM_STEP_TASKS_PER_NODE": "2", "SLURM_NODEID": "0"}
        for launcher in (open_mpi,
                         lambda r, n: {"MPI_LOCALRANKID": str(r), "MPI_LOCALNRANKS": str(n)},
                         lambda r, n: {"SLURM_LOCALID": str(r), **slurm}):
            self.assertEqual(
                [self.cpus_of("--policy", SWAPPED, env=launcher(rank, 2)) for rank in (0, 1)],
                [lines(FIRST), lines(SECOND)])

    @TWO_CPUS
    def test_option_beats_the_launcher(self):
        env = open_mpi(0, 2)
        self.assertEqual(self.cpus_of("--policy", SWAPPED, "--ranks", "1/2", env=env),
                         lines(SECOND))
        everything = run("--policy", SWAPPED, "--ranks", "off", "--", program("threads"),
                         "pthread", "1", env=env)
        self.check(everything, lines(FIRST, SECOND))

    @TWO_CPUS
    def test_mask_that_the_launcher_gave_is_not_divided_again(self):
        before = ("taskset", "-c", str(SECOND))
        result = run("-v", "--", program("threads"), env=open_mpi(0, 2), before=before)
        self.assertEqual((result.stdout, result.returncode), (lines(SECOND), 0))
        self.assertRegex(result.stderr,
                         "^kinjo: rank 0 of 2 on this machine, by OMPI_COMM_WORLD_LOCAL_RANK: its "
                         f"launcher has bound it to CPUs {SECOND} of [0-9,-]+, which are not "
                         "divided again\n")

    @TWO_CPUS
    def test_verbose_says_which_part_it_is(self):
        result = run("-v", "--policy", SWAPPED, "--", "true", env=open_mpi(1, 2))
        self.assertTrue(result.stderr.startswith(
            "kinjo: rank 1 of 2 on this machine, by OMPI_COMM_WORLD_LOCAL_RANK: its part of "
            f"policy {SWAPPED} is cpus:{SECOND}\n"), result.stderr)

    def test_more_ranks_than_cpus_are_refused(self):
        many = len(CPUS) + 1
        result = run("--", "true", env=open_mpi(0, many))
        self.assertEqual((result.stdout, result.returncode), ("", 125))
        self.assertTrue(result.stderr.startswith(
            f"kinjo: {many} ranks of 1 thread exceed the {len(CPUS)} CPU"), result.stderr)
        self.check(run("--oversubscribe", "--", "true", env=open_mpi(0, many)), "")

    def test_damaged_variables_are_refused_in_one_line(self):
        self.check(run("--", "true", env=open_mpi(2, 2)), "",
                   "kinjo: OMPI_COMM_WORLD_LOCAL_RANK is 2 and OMPI_COMM_WORLD_LOCAL_SIZE is 2: "
                   "expected a rank below the size" + self.OFF, 125)
        self.check(run("--", "true", env={"MPI_LOCALRANKID": "1"}), "",
                   "kinjo: MPI_LOCALRANKID is set without MPI_LOCALNRANKS" + self.OFF, 125)
        self.check(run("--ranks", "two", "--", "true"), "",
                   "kinjo: unknown ranks 'two': expected auto, off, or a rank and their number "
                   "such as 0/2 and 1/2\n", 125)
        self.check(run("--ranks", "off", "--", "true", env=open_mpi(2, 2)), "")


class Memory(RunTest):
    def policy_of(self, *arguments):
        result = run(*arguments, "--", program("threads"), "memory")
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        return result.stdout

    def test_policies_reach_the_program(self):
        # As linux/mempolicy.h numbers them.
        self.assertEqual(self.policy_of("--memory", "local"), "policy 4 nodes 0\n")
        self.assertEqual(self.policy_of("--memory", "bind:0"), "policy 2 nodes 1\n")
        self.assertEqual(self.policy_of("--memory", "preferred:0"), "policy 1 nodes 1\n")
        self.assertEqual(self.policy_of("--memory", "interleave:0"), "policy 3 nodes 1\n")
        self.assertTrue(self.policy_of("--memory", "interleave").startswith("policy 3 nodes "))
        self.assertEqual(self.policy_of(), "policy 0 nodes 0\n")

    def test_node_that_does_not_exist_is_refused(self):
        result = run("--memory", "bind:1000", "--", "true")
        self.assertEqual(result.returncode, 125)
        self.assertRegex(result.stderr, r"^kinjo: node 1000 of memory policy bind:1000 does not "
                                        r"exist: expected nodes of [0-9,-]+\n$")

    def test_unknown_policy_is_refused(self):
        self.check(run("--memory", "far", "--", "true"), "",
                   "kinjo: unknown memory policy 'far': expected local, interleave, "
                   "interleave:NODES, bind:NODES or preferred:NODES, e.g. bind:0-1\n", 125)


class Refusals(RunTest):
    """What cannot be done is said, and the program runs on the next rung of the ladder."""

    def refused(self, call, *arguments):
        result = run(*arguments, before=(program("refuse"), call))
        if result.returncode == 77:
            self.skipTest("the system has no seccomp filters")
        return result

    def test_memory_policy(self):
        self.check(self.refused("mempolicy", "--memory", "bind:0", "--", program("threads"),
                                "memory"), "policy 0 nodes 0\n",
                   "kinjo: cannot set memory policy bind:0: set_mempolicy returned EPERM (a "
                   "container's seccomp profile?); pages lie where they are first touched "
                   "instead\n")

    def test_affinity(self):
        everything = ",".join(map(str, CPUS))
        result = self.refused("affinity", "--policy", f"cpus:{CPUS[0]}", "--", program("threads"),
                              "pthread", "1")
        self.check(result, lines(everything, everything),
                   f"kinjo: cannot pin the thread to CPU {CPUS[0]}: sched_setaffinity returned "
                   "EPERM (a container's seccomp profile?); threads run where the system puts "
                   "them instead\n")

    @TWO_CPUS
    def test_affinity_once_the_program_runs(self):
        # kinjo pins the process, then env(1)'s stand-in refuses the rest.
        result = run("--policy", SWAPPED, "--", program("refuse"), "affinity", program("threads"),
                     "pthread", "2")
        if result.returncode == 77:
            self.skipTest("the system has no seccomp filters")
        self.assertEqual(result.stdout, lines(FIRST, FIRST, FIRST))
        self.assertRegex(result.stderr,
                         r"^kinjo: cannot pin thread 0 of process \d+: sched_setaffinity returned "
                         r"EPERM \(a container's seccomp profile\?\); it runs where its creator "
                         r"may run\n$")

    @TWO_CPUS
    def test_static_program(self):
        self.check(run("--policy", SWAPPED, "--", program("static_threads"), "pthread", "1"),
                   lines(MASK, MASK),
                   f"kinjo: {program('static_threads')} is statically linked; its threads are not "
                   "pinned one by one, all of them may use CPUs "
                   f"{subset_text()}\n")

    @unittest.skipUnless(os.getuid() == 0, "needs root to give a file away")
    def test_set_user_id_program(self):
        with tempfile.TemporaryDirectory() as folder:
            path = shutil.copy(program("threads"), folder)
            os.chmod(folder, 0o755)
            os.chown(path, 65534, 65534)
            os.chmod(path, 0o4755)
            result = run("--policy", f"cpus:{CPUS[0]}", "--", path, "pthread", "1")
        self.check(result, lines(CPUS[0], CPUS[0]),
                   f"kinjo: {path} is set-user-ID, set-group-ID or holds capabilities, so that its "
                   "loader ignores preloaded libraries; its threads are not pinned one by one, all of them may use "
                   f"CPUs {CPUS[0]}\n")

    def test_preloaded_library_that_is_missing(self):
        self.check(run("--", "echo", "started", env={"KINJO_PRELOAD": "/nonexistent.so"}), "",
                   "kinjo: cannot read the preloaded library /nonexistent.so: ENOENT; reinstall "
                   "kinjo, or name the file in KINJO_PRELOAD\n", 125)

    def test_preloaded_library_without_a_name_is_looked_for(self):
        self.check(run("--", "echo", "started", env={"KINJO_PRELOAD": ""}), "started\n")

    def test_the_library_is_found_without_proc(self):
        if not shutil.which("unshare"):
            self.skipTest("no unshare")
        mount = ("unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /proc || exit 77; exec "$0" "$@"')
        result = run("--policy", f"cpus:{CPUS[0]}", "-v", "--", program("threads"), before=mount)
        if result.returncode in (1, 77) and "kinjo" not in result.stderr:
            self.skipTest("may not mount")
        self.assertEqual((result.stdout, result.returncode), (lines(CPUS[0]), 0))
        self.assertIn(f"thread 0 is pinned to place 0 and runs on CPU {CPUS[0]}\n", result.stderr)

    def test_preloaded_library_that_is_none(self):
        self.check(run("--", "echo", "started", env={"KINJO_PRELOAD": "/etc/passwd"}), "",
                   "kinjo: /etc/passwd is not a shared library for this architecture\n", 125)

    def test_preloaded_library_that_does_not_answer(self):
        result = run("--policy", f"cpus:{CPUS[0]}", "--", program("threads"), "pthread", "1",
                     env={"KINJO_PRELOAD": program("idle.so")})
        self.check(result, lines(CPUS[0], CPUS[0]),
                   f"kinjo: {program('threads')} ran without the preloaded library "
                   f"{program('idle.so')}; its threads were not pinned one by one, all of them "
                   f"could use CPUs {CPUS[0]}\n")

    def test_silence_of_the_library_is_told_on_kernels_without_close_range(self):
        result = run("--policy", f"cpus:{CPUS[0]}", "--", program("threads"),
                     before=(program("refuse"), "close_range"), env={"KINJO_PRELOAD": program("idle.so")})
        if result.returncode == 77:
            self.skipTest("the system has no seccomp filters")
        self.assertEqual((result.stdout, result.returncode), (lines(CPUS[0]), 0))
        self.assertIn("ran without the preloaded library", result.stderr)

    @unittest.skipUnless(os.getuid() == 0 and shutil.which("setpriv") and shutil.which("prlimit"),
                         "needs root, to be somebody who has no process")
    def test_program_does_not_start_unwatched(self):
        nobody = ("setpriv", "--reuid", "65533", "--clear-groups")
        if subprocess.run([*nobody, KINJO, "--version"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, timeout=60, check=False).returncode != 0:
            self.skipTest("the program is not for everybody")
        # It is the grandchild of a process, whose parent goes at once.
        for processes in (1, 2):
            result = run("--", "echo", "started", before=(*nobody, "prlimit", f"--nproc={processes}:{processes}"))
            self.check(result, "", "kinjo: cannot watch over the preloaded library: fork returned EAGAIN\n", 125)

    def test_sanitizer_puts_up_with_the_library(self):
        for given, expected in (("detect_leaks=0", "detect_leaks=0:verify_asan_link_order=0"),
                                ("verify_asan_link_order=1", "verify_asan_link_order=1")):
            self.check(run("--", "sh", "-c", "echo $ASAN_OPTIONS", env={"ASAN_OPTIONS": given}), expected + "\n")


def subset_text():
    """MASK as kinjo writes lists: neighbours become a range."""
    low, high = sorted((FIRST, SECOND))
    return f"{low}-{high}" if high == low + 1 else f"{low},{high}"


class Statuses(RunTest):
    def test_exit_status_is_the_programs(self):
        self.check(run("--", "sh", "-c", "exit 3"), "", "", 3)

    def test_death_by_signal_is_the_programs(self):
        self.check(run("--", "sh", "-c", "kill -TERM $$"), "", "", -signal.SIGTERM)

    def test_signals_reach_the_program(self):
        # The program is the process that was started: there is nobody in between.
        child = subprocess.Popen([KINJO, "run", "--", "sh", "-c",
                                  "trap 'exit 42' USR1; echo ready; while :; do sleep 0.01; done"],
                                 stdout=subprocess.PIPE)
        self.assertEqual(child.stdout.readline(), b"ready\n")
        child.send_signal(signal.SIGUSR1)
        self.assertEqual(child.wait(timeout=30), 42)
        child.stdout.close()

    def test_program_has_no_child_that_it_did_not_start(self):
        check = "import os\ntry: os.wait()\nexcept ChildProcessError: print('none')"
        self.check(run("--", "python3", "-c", check), "none\n")

    def test_watcher_is_gone_once_the_library_has_answered(self):
        script = "sleep 0.3; for p in /proc/[0-9]*; do cat $p/environ 2>/dev/null | tr '\\0' '\\n'" \
                 " | grep -q '^MARK=kinjo-test$' && readlink $p/exe; done; true"
        result = run("--", "sh", "-c", script, env={"MARK": "kinjo-test"})
        self.assertNotIn(os.path.realpath(KINJO), result.stdout)

    def test_missing_command_is_127(self):
        self.check(run("--", "no-such-command"), "",
                   "kinjo: cannot start no-such-command: not found\n", 127)

    def test_missing_interpreter_is_127(self):
        with tempfile.NamedTemporaryFile("w", suffix=".sh", delete=False) as script:
            script.write("#!/no/such/interpreter\n")
        self.addCleanup(os.remove, script.name)
        os.chmod(script.name, 0o755)
        self.check(run("--", script.name), "",
                   f"kinjo: cannot start {script.name}: exec returned ENOENT\n", 127)

    def test_file_that_cannot_be_executed_is_126(self):
        with tempfile.NamedTemporaryFile() as file:
            os.chmod(file.name, stat.S_IRUSR)
            self.check(run("--", file.name), "",
                       f"kinjo: cannot start {file.name}: not an executable file\n", 126)

    def test_failures_of_kinjo_are_125(self):
        for arguments, message in (
                (("--policy", "foo", "--", "true"), "unknown policy 'foo': expected none, "),
                (("--threads", "0", "--", "true"), "'0' threads: expected a number from 1 "),
                (("--bind", "foo", "--", "true"), "unknown binding 'foo': expected cpu, core or "),
                (("--openmp", "foo", "--", "true"), "unknown answer 'foo' to --openmp: expected "),
                (("--foo", "--", "true"), "unexpected argument '--foo': kinjo run --help "),
                (("--policy",), "--policy"),
                ((), "CMD is required"),
                (("--",), "CMD is required")):
            with self.subTest(arguments=arguments):
                result = run(*arguments)
                self.assertEqual((result.returncode, result.stdout), (125, ""))
                self.assertTrue(result.stderr.startswith("kinjo: " + message), result.stderr)
                self.assertEqual(result.stderr.count("\n"), 1)


class CommandLine(RunTest):
    def test_arguments_after_the_program_are_the_programs(self):
        self.check(run("--", "echo", "-v", "--policy", "--", "x"), "-v --policy -- x\n")
        self.check(run("echo", "a", "b"), "a b\n")

    def test_program_may_be_named_as_a_command_of_kinjo(self):
        self.check(run("--", "topo"), "", "kinjo: cannot start topo: not found\n", 127)

    @TWO_CPUS
    def test_variables_give_defaults_and_flags_beat_them(self):
        env = {"KINJO_POLICY": f"cpus:{FIRST}", "KINJO_MEMORY": "bind:0"}
        self.check(run("--", program("threads"), env=env), lines(FIRST))
        self.check(run("--", program("threads"), "memory", env=env), "policy 2 nodes 1\n")
        self.check(run("--policy", f"cpus:{SECOND}", "--", program("threads"), env=env),
                   lines(SECOND))
        self.assertEqual(run("--", "true", env={"KINJO_THREADS": "0"}).returncode, 125)
        self.assertEqual(run("--", "true", env={"KINJO_BIND": "foo"}).returncode, 125)

    def test_help_has_an_example(self):
        result = run("--help")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("kinjo run --policy scatter --threads 2 --memory interleave -- ",
                      result.stdout)

    def test_other_preloaded_libraries_stay(self):
        result = run("--", "sh", "-c", "echo $LD_PRELOAD", env={"LD_PRELOAD": program("idle.so")})
        self.assertTrue(result.stdout.endswith(f"libkinjo_preload.so:{program('idle.so')}\n"),
                        result.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
