"""Hosts made of namespaces: each has a network, a name, /etc/hosts, /dev/shm, /run and processes of
its own, and an address on a switch, which is a bridge in a namespace of its own.

    with Hosts(3) as hosts:
        hosts.run(1, ["hostname"])
        subprocess.run(hosts.mpirun({0: 1, 1: 2}, ["program"]))

All of it hangs on one process for each host, the first of its process namespace: when that ends,
the kernel ends whatever runs there and drops links, mounts and memory. The holders end with their
parent, so nothing is left even after a SIGKILL of the tests. mpirun runs on `front`, a host whose
processes are the caller's, since only from outside can one enter a process namespace."""

import contextlib
import ctypes
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

NEEDED = {"ip": "iproute2", "unshare": "util-linux", "nsenter": "util-linux"}
SUBNET = "10.87.0"
FRONT_PORT = 253
KINDS = ("--net", "--uts", "--ipc", "--mount", "--pid")


def why_not():
    """Why there can be no hosts here; None where they can be made."""
    for program, package in NEEDED.items():
        if not shutil.which(program):
            return f"{program} is missing (package {package})"
    if os.geteuid() != 0:
        return "namespaces of networks need root"
    probe = subprocess.run(["unshare", *KINDS, "--fork", "ip", "link", "set", "lo", "up"],
                           capture_output=True, text=True)
    return f"namespaces are refused: {probe.stderr.strip()}" if probe.returncode else None


def why_no_mpirun():
    """Why nothing can be started across hosts; None where it can."""
    return why_not() or (None if shutil.which("mpirun") else
                         "mpirun is missing (package openmpi-bin)")


def die_with_parent():
    """In a child before its exec: SIGKILL when the parent ends (prctl PR_SET_PDEATHSIG)."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


class Host:
    """One host: `init` is the number, outside, of its first process; `kinds` are what it has of its
    own."""

    def __init__(self, name, script, kinds=KINDS):
        self.name = name
        self.kinds = kinds
        self.words = tempfile.TemporaryFile("w+")
        self.holder = subprocess.Popen(
            ["unshare", *kinds, "--fork", "--kill-child", "sh", "-euc",
             script + "\necho ready\nexec sleep infinity"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.words, text=True,
            preexec_fn=die_with_parent)
        if self.holder.stdout.readline() != "ready\n":
            self.words.seek(0)
            reason = self.words.read().strip()
            self.close()
            raise OSError(f"{name} does not come up: {reason}")
        children = pathlib.Path(f"/proc/{self.holder.pid}/task/{self.holder.pid}/children")
        self.init = int(children.read_text().split()[0])

    def enter(self, command):
        """The command line that runs `command` there."""
        return ["nsenter", f"--target={self.init}", *self.kinds, "--", *command]

    def check(self, *command):
        subprocess.run(self.enter(command), check=True, stdin=subprocess.DEVNULL)

    def close(self):
        # The holder goes when its child has gone.
        with contextlib.suppress(AttributeError, ProcessLookupError):
            os.kill(self.init, signal.SIGKILL)
        self.holder.kill()
        self.holder.wait()
        self.holder.stdout.close()
        self.words.close()


class Hosts:
    """`count` hosts, host0 to host<count - 1>, whose device `eth0` has the address <SUBNET>.<n + 1>."""

    def __init__(self, count):
        self.count = count
        self.hosts = []
        self.front = self.switch = None

    def __enter__(self):
        try:
            # The switch sees the numbers of processes outside, to plug cables into their networks.
            self.switch = Host("switch", "ip link add br0 type bridge\nip link set br0 up",
                               ("--net", "--mount"))
            self.front = self.make("front", FRONT_PORT, tuple(k for k in KINDS if k != "--pid"))
            for number in range(self.count):
                self.hosts.append(self.make(f"host{number}", number, KINDS))
            self.write_agent()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for host in filter(None, [*self.hosts, self.front, self.switch]):
            host.close()

    def make(self, name, number, kinds):
        mount_proc = "mount -t proc proc /proc" if "--pid" in kinds else ""
        names = "".join(f"{self.address(n)} host{n}\\n" for n in range(self.count))
        host = Host(name, f"""
            mount --make-rprivate /
            {mount_proc}
            mount -t tmpfs tmpfs /dev/shm
            mount -t tmpfs tmpfs /run
            printf '127.0.0.1 localhost\\n{names}' > /run/hosts
            mount --bind /run/hosts /etc/hosts
            hostname {name}
            ip link set lo up""", kinds)
        self.switch.check("ip", "link", "add", f"port{number}", "type", "veth", "peer", "name",
                          "eth0", "netns", str(host.init))
        self.switch.check("ip", "link", "set", f"port{number}", "master", "br0", "up")
        host.check("ip", "address", "add", f"{self.address(number)}/24", "dev", "eth0")
        host.check("ip", "link", "set", "eth0", "up")
        return host

    @staticmethod
    def address(number):
        return f"{SUBNET}.{number + 1}"

    def write_for_mpirun(self, name, text):
        """Writes a file, and returns its name. mpirun's daemons look for it as well, so each host gets
        it, in memory of its own, of which nothing can be left."""
        for host in (self.front, *self.hosts):
            path = pathlib.Path(f"/proc/{host.init}/root/run", name)
            path.write_text(text)
            path.chmod(0o755)
        return f"/run/{name}"

    def write_agent(self):
        """What mpirun calls in place of ssh: AGENT HOST COMMAND…, the command as words for a shell."""
        cases = "\n".join(f"    host{n}|{self.address(n)}) init={host.init} ;;"
                          for n, host in enumerate(self.hosts))
        self.agent = self.write_for_mpirun("agent", f"""#!/bin/sh
case $1 in
{cases}
    *) echo "no such host: $1" >&2; exit 1 ;;
esac
shift
exec nsenter --target="$init" {" ".join(KINDS)} -- sh -c "$*"
""")

    def start(self, number, command, **options):
        return subprocess.Popen(self.hosts[number].enter(command), **options)

    def run(self, number, command, **options):
        return subprocess.run(self.hosts[number].enter(command), capture_output=True, text=True,
                              **options)

    def link(self, number, state):
        """`down` pulls the host's cable out, `up` plugs it in."""
        self.switch.check("ip", "link", "set", f"port{number}", state)

    def shape(self, rate, burst="256kb", limit="1mb"):
        """Limits what each host sends (`tc tbf`), e.g. to `800mbit`. A burst has room for the largest
        packets of TCP, which are 64 KiB: smaller ones would cost more CPU time than a real device."""
        for host in self.hosts:
            host.check("tc", "qdisc", "replace", "dev", "eth0", "root", "tbf", "rate", rate,
                       "burst", burst, "limit", limit)

    def mpirun(self, cells, command, *options, env=None, sessions="one"):
        """The command line that starts `command` under mpirun, which has `options`. `cells`: how many
        on each host, by its number, e.g. {0: 1, 1: 2}; `env`: variables for them.

        All stays in one session, unless `sessions` is "many": then each host has its own, as mpirun
        does it, which the kernel schedules as groups (autogroup), like containers. Linux 6.18 lets those
        that are ready to run wait for seconds while many others of one group sleep for a moment again
        and again. Real hosts have kernels of their own."""
        hostfile = self.write_for_mpirun(f"hostfile-{time.monotonic_ns()}", "".join(
            f"host{h} slots={n}\n" for h, n in cells.items()))
        passed = {"UCX_TLS": "tcp,self", "TMPDIR": "/run", **(env or {})}
        root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        return self.front.enter(
            ["env", *(f"{k}={v}" for k, v in {**passed, **root}.items()), "mpirun",
             "--hostfile", hostfile, "--mca", "plm_rsh_agent", self.agent,
             *(["--leave-session-attached"] if sessions == "one" else []),
             "--mca", "plm_rsh_no_tree_spawn", "1", "--mca", "oob_tcp_if_include", f"{SUBNET}.0/24",
             "--bind-to", "none",
             *(word for name in passed for word in ("-x", name)), *options,
             *command])

    def processes(self, number):
        """What runs there besides what holds it: {number outside: command line}."""
        space = os.readlink(f"/proc/{self.hosts[number].init}/ns/pid")
        found = {}
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if (os.readlink(entry / "ns/pid") == space and
                        int(entry.name) != self.hosts[number].init):
                    command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
                    if command:
                        found[int(entry.name)] = command
        return found

    def shared_memory(self, number):
        """Names of what lies in /dev/shm there."""
        return sorted(os.listdir(f"/proc/{self.hosts[number].init}/root/dev/shm"))
