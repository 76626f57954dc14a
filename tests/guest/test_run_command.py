"""Tests of `kinjo run` on programs that know nothing of kinjo, on four nodes of four CPUs."""

import unittest

from guest_case import GuestCase

SCATTER = [cpu + 4 * node for cpu in range(4) for node in range(4)]
PAGES = 256  # of each thread's array
PROGRAMS = ("touch_openmp", "touch_pthread")
# A huge page that nobody asked for would hold the arrays of two threads.
SMALL_PAGES = ["--append", "transparent_hugepage=madvise"]


def places(cpus, pages):
    """The lines of `touch` for threads on these CPUs; `pages(cpu)` are theirs on each node."""
    lines = []
    for thread, cpu in enumerate(cpus):
        where = " ".join(f"{node}:{count}" for node, count in enumerate(pages(cpu)))
        lines.append(f"{thread} {cpu} {cpu} {where}\n")
    return "".join(lines)


def local(cpu):
    """All pages on the CPU's node."""
    return [PAGES if node == cpu // 4 else 0 for node in range(4)]


def dealt(*nodes):
    """The same share on each of these nodes, for every CPU."""
    share = [PAGES // len(nodes) if node in nodes else 0 for node in range(4)]
    return lambda cpu: share


CASES = {
    "--policy scatter": (SCATTER, local),
    "--policy compact": (list(range(16)), local),
    "--policy cpus:13,2,7": ([13, 2, 7], local),
    "--policy compact --threads 4 --memory interleave": (range(4), dealt(0, 1, 2, 3)),
    "--policy scatter --threads 4 --memory interleave:0,2": (SCATTER[:4], dealt(0, 2)),
    "--policy scatter --threads 4 --memory bind:3": (SCATTER[:4], dealt(3)),
    "--policy scatter --threads 4 --memory preferred:1": (SCATTER[:4], dealt(1)),
    "--policy scatter --threads 4 --memory local": (SCATTER[:4], local),
}


# Two ranks as Open MPI starts them, each on its own part of the four nodes.
RANKS = {
    # Each rank's threads together on a node of their own, or in neighbouring nodes.
    "--policy scatter --threads 4": ([0, 1, 2, 3], [4, 5, 6, 7]),
    "--policy scatter": ([0, 4, 1, 5, 2, 6, 3, 7], [8, 12, 9, 13, 10, 14, 11, 15]),
    "--policy compact --threads 2": ([0, 1], [2, 3]),
    "--policy compact": (list(range(8)), list(range(8, 16))),
}


class RunTest(GuestCase):
    """Threads are where the table says, and pages where the memory policy puts them."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        commands = {}
        for options, (cpus, _) in CASES.items():
            for program in PROGRAMS:
                count = len(cpus) if program == "touch_pthread" else ""
                commands[f"{program} {options}"] = f"kinjo run {options} -- {program} {count}"
        commands["more threads"] = "kinjo run --policy cpus:9,4 -- touch_pthread 5"
        for options, parts in RANKS.items():
            for rank, cpus in enumerate(parts):
                commands[f"rank {rank} {options}"] = (
                    f"OMPI_COMM_WORLD_LOCAL_RANK={rank} OMPI_COMM_WORLD_LOCAL_SIZE=2 "
                    f"kinjo run {options} -- touch_pthread {len(cpus)}"
                )
        commands["bound rank"] = (
            "MPI_LOCALRANKID=1 MPI_LOCALNRANKS=2 taskset -c 8-11 kinjo run -- touch_pthread 4"
        )
        commands["no such node"] = "kinjo run --policy none --memory bind:9 -- true; echo $?"
        cls.seen = cls.session(cls(), "opteron4", commands, PROGRAMS, SMALL_PAGES)

    def test_an_openmp_program_is_placed(self):
        self.check("touch_openmp")

    def test_a_pthread_program_is_placed(self):
        self.check("touch_pthread")

    def check(self, program):
        for options, (cpus, pages) in CASES.items():
            with self.subTest(options):
                self.assertEqual(self.seen[f"{program} {options}"], places(cpus, pages))

    def test_ranks_get_disjoint_places_and_the_memory_beside_them(self):
        for options, parts in RANKS.items():
            self.assertFalse(set(parts[0]) & set(parts[1]))
            for rank, cpus in enumerate(parts):
                with self.subTest(options, rank=rank):
                    self.assertEqual(self.seen[f"rank {rank} {options}"], places(cpus, local))

    def test_a_rank_that_its_launcher_has_bound_keeps_its_part(self):
        self.assertEqual(self.seen["bound rank"], places([8, 9, 10, 11], local))

    def test_more_threads_than_places_wrap_around(self):
        self.assertEqual(self.seen["more threads"], places([9, 4, 9, 4, 9], local))

    def test_a_node_that_is_not_there_is_refused(self):
        self.assertEqual(
            self.seen["no such node"],
            "kinjo: node 9 of memory policy bind:9 does not exist: expected nodes of 0-3\n125\n",
        )


if __name__ == "__main__":
    unittest.main()
