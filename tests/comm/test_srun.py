"""Cells that Slurm starts by `srun --mpi=pmix`, on one node and on two, which are namespaces
(hosts.py): its controller and a daemon a node for this test alone. What cells do lies in
programs/host_cells.cpp.

CTest sets KINJO_BUILD (the build tree)."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(__file__))
import hosts

PROGRAM = os.path.join(os.environ["KINJO_BUILD"], "tests", "comm", "programs", "host_cells")
DAEMONS = {"slurmctld": "slurmctld", "slurmd": "slurmd", "slurmstepd": "slurmd"}  # their packages
NODES = 2
FRONT = hosts.Hosts.address(hosts.FRONT_PORT)
SPOOL = "/run/slurm"


def find(program):
    return shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/usr/local/sbin")


def plugins():
    """The directory of Slurm's plug-ins, beside its daemons; None if the needed ones are missing."""
    prefix = pathlib.Path(os.path.realpath(find("slurmctld"))).parents[1]
    for found in prefix.glob("lib/**/auth_none.so"):
        if (found.parent / "mpi_pmix.so").exists():
            return found.parent
    return None


def why_not():
    """Why there can be no Slurm here; None where there can."""
    for program, package in {**DAEMONS, "srun": "slurm-client"}.items():
        if not find(program):
            return f"{program} is missing (package {package})"
    if not plugins():
        return "Slurm's plug-ins auth/none and mpi/pmix are missing (package slurm-wlm-basic-plugins)"
    return hosts.why_not()


def configuration():
    """Nobody is asked who he is: the network is this test's own. The sockets of its PMIx lie below
    TmpFS, and these hosts have but one /tmp."""
    nodes = "\n".join(f"NodeName=host{n} NodeAddr={hosts.Hosts.address(n)} CPUs=2 State=UNKNOWN"
                      for n in range(NODES))
    return f"""
ClusterName=kinjo
SlurmctldHost=front({FRONT})
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
PluginDir={plugins()}
TmpFS=/run
StateSaveLocation={SPOOL}
SlurmdSpoolDir={SPOOL}
SlurmctldPidFile={SPOOL}/slurmctld.pid
SlurmdPidFile={SPOOL}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/linear
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
{nodes}
PartitionName=all Nodes=host[0-{NODES - 1}] Default=YES State=UP
"""


@unittest.skipIf(why_not(), why_not())
class Srun(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.hosts = cls.enterClassContext(hosts.Hosts(NODES))
        cls.words = cls.enterClassContext(tempfile.TemporaryFile("w+"))
        cls.variables = {**os.environ, "UCX_TLS": "tcp,self", "TMPDIR": "/run",
                         "SLURM_CONF": cls.hosts.write_for_mpirun("slurm.conf", configuration())}
        cls.start(cls.hosts.front, [find("slurmctld"), "-D", "-c"])
        for host in cls.hosts.hosts:
            cls.start(host, [find("slurmd"), "-D", "-N", host.name, "-d", find("slurmstepd")])
        cls.wait_for_nodes()

    @classmethod
    def start(cls, host, command):
        host.check("mkdir", SPOOL)
        daemon = subprocess.Popen(host.enter(command), env=cls.variables, stdin=subprocess.DEVNULL,
                                  stdout=cls.words, stderr=cls.words,
                                  preexec_fn=hosts.die_with_parent)
        cls.addClassCleanup(daemon.wait)
        cls.addClassCleanup(daemon.kill)

    @classmethod
    def wait_for_nodes(cls):
        end = time.monotonic() + 60
        while cls.srun(NODES, NODES, ["true"], "--immediate=5").returncode != 0:
            if time.monotonic() > end:
                cls.words.seek(0)
                raise OSError(f"Slurm does not come up: {cls.words.read()}")
            time.sleep(0.5)

    @classmethod
    def srun(cls, nodes, cells, command, *options):
        return subprocess.run(
            cls.hosts.front.enter([find("srun"), "--mpi=pmix", "-N", str(nodes), "-n", str(cells),
                                   *options, *command]),
            env=cls.variables, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)

    def test_cells_reach_each_other_in_every_way(self):
        for nodes, cells in ((1, 2), (2, 2), (2, 4)):
            with self.subTest(nodes=nodes, cells=cells):
                result = self.srun(nodes, cells, [PROGRAM, "ring"])
                self.assertEqual(sorted(result.stdout.splitlines()),
                                 [f"cell {cell} of {cells}: good" for cell in range(cells)],
                                 result.stderr)
                self.assertEqual(result.returncode, 0, result.stderr)

    def test_the_program_of_cells_runs_as_one(self):
        result = self.srun(2, 2, [os.environ["KINJO"], "cells", "scg", "--size", "60", "--form",
                                  "put", "--repeat", "1", "--verify"])
        self.assertIn("scg of 60, 2 cells (placed by their launcher)", result.stdout, result.stderr)
        self.assertEqual(result.stdout.count("  yes\n"), 1, result.stdout)


if __name__ == "__main__":
    unittest.main()
