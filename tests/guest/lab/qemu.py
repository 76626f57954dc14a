"""QEMU's command line for a shape, and one run of it from start to end."""

import ctypes
import os
import select
import signal
import subprocess
import threading

from . import paths
from .failure import CRASH, NO_STATUS, PANIC, TIME_LIMIT, Failure

BOOT = (
    "console=ttyS0 quiet panic=-1 mitigations=off nokaslr no_timer_check tsc=reliable "
    "random.trust_cpu=on numa_balancing=disable rdinit=/init"
)
PR_SET_PDEATHSIG = 1


def machine(shape, cpu, memory_mib):
    """The options that make the machine itself: CPUs, nodes, memory, distances."""
    present = shape.slots - len(shape.absent)
    smp = f"cpus={1 if shape.absent else present},maxcpus={shape.slots},sockets={shape.packages}"
    total = sum(shape.memory_mib(node, memory_mib) for node in range(len(shape.cpus)))
    options = ["-machine", "q35" + (",hmat=on" if shape.hmat else ""), "-cpu", cpu]
    options += ["-smp", f"{smp},cores={shape.cores},threads={shape.threads}", "-m", f"{total}M"]
    for node in range(len(shape.cpus)):
        options += _node(shape, node, memory_mib)
    for a, row in enumerate(shape.distances):
        for b, value in enumerate(row):
            if a != b:
                options += ["-numa", f"dist,src={a},dst={b},val={value}"]
    return options + _hmat(shape) + _plugged(shape, cpu)


def _node(shape, node, memory_mib):
    option = f"node,nodeid={node}"
    options = []
    size = shape.memory_mib(node, memory_mib)
    if size:
        options = ["-object", f"memory-backend-ram,id=m{node},size={size}M"]
        option += f",memdev=m{node}"
    if node in shape.initiators:
        option += f",initiator={shape.initiators[node]}"
    option += "".join(f",cpus={cpu}" for cpu in shape.cpus[node])
    return [*options, "-numa", option]


def _hmat(shape):
    if shape.hmat is None:
        return []
    options = []
    tables = (("latency", shape.hmat.latency_ns, ""), ("bandwidth", shape.hmat.bandwidth_mb, "M"))
    for what, table, unit in tables:
        for initiator, row in enumerate(table):
            for target, value in enumerate(row or ()):
                options += [
                    "-numa",
                    f"hmat-lb,initiator={initiator},target={target},"
                    f"hierarchy=memory,data-type=access-{what},{what}={value}{unit}",
                ]
    return options  # fmt: skip


def _plugged(shape, cpu):
    """Where slots stay empty, every CPU but the first is plugged in by hand."""
    if not shape.absent:
        return []
    options = []
    for number in shape.present()[1:]:
        core, thread = divmod(number, shape.threads)
        package, core = divmod(core, shape.cores)
        where = f"socket-id={package},core-id={core},thread-id={thread}"
        options += ["-device", f"{cpu.split(',')[0]}-x86_64-cpu,{where}"]
    return options


def command_line(shape, cpu, memory_mib, initrd, append, ports, plugin=None):
    """The whole command; `ports` are the files of ttyS0 to ttyS3."""
    command = [paths.qemu(), "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot"]
    command += ["-accel", "tcg,thread=single", *machine(shape, cpu, memory_mib)]
    boot = BOOT
    if shape.offline:
        boot += " lab.offline=" + ",".join(str(number) for number in shape.offline)
    boot = " ".join([boot, *append])
    command += ["-kernel", paths.kernel(), "-initrd", str(initrd), "-append", boot]
    for number, path in enumerate(ports):
        command += ["-chardev", f"file,id=s{number},path={path}", "-serial", f"chardev:s{number}"]
    return command + (["-plugin", plugin] if plugin else [])


def _die_with_parent(parent):
    """Makes the kernel kill this process when its parent ends, however that ends."""
    libc = ctypes.CDLL(None)

    def set_up():
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it ended before the request was made
            os._exit(CRASH)

    return set_up


class Run:
    """One QEMU process, its output relayed while it runs, its end explained."""

    def __init__(self, make_command, serial_log, out=1, err=2):
        """`make_command(ports)` gives the command line; `out`, `err` are file descriptors."""
        self._log = serial_log
        self._control = bytearray()
        self._complaint = bytearray()
        sinks = (self._relay(out), self._relay(err), self._control.extend)
        pipes = [os.pipe() for _ in sinks]
        ports = [serial_log, *(f"/dev/fd/{write}" for _, write in pipes)]
        self.process = subprocess.Popen(
            make_command(ports),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            pass_fds=[write for _, write in pipes],
            preexec_fn=_die_with_parent(os.getpid()),
        )
        for _, write in pipes:
            os.close(write)
        readers = {read: sink for (read, _), sink in zip(pipes, sinks)}
        readers[self.process.stderr.fileno()] = self._complaint.extend
        self._reader = threading.Thread(target=_pump, args=(readers,), daemon=True)
        self._reader.start()

    def _relay(self, descriptor):
        def write(data):
            try:
                while data:
                    data = data[os.write(descriptor, data) :]
            except BrokenPipeError:
                self.process.kill()

        return write

    def wait(self, limit_s):
        """Waits for the end and returns the command's status, or raises a Failure."""
        try:
            self.process.wait(timeout=limit_s)
        except subprocess.TimeoutExpired:
            self.stop()
            reached = "the command ran" if b"started" in self._control else "the guest still booted"
            raise Failure(TIME_LIMIT, f"time limit of {limit_s:g} s: {reached}") from None
        self._reader.join()
        return self._explain()

    def stop(self):
        """Ends QEMU if it still runs."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._reader.join()

    def told(self, word):
        """What the guest's init said after `word` on its control port, or None."""
        for line in self._control.decode(errors="replace").splitlines():
            if line.startswith(word + " "):
                return line[len(word) + 1 :]
        return None

    def _explain(self):
        status = self.told("status")
        if status is not None:
            return int(status)
        text = ""
        if os.path.exists(self._log):  # not when QEMU died at its very start
            with open(self._log, "rb") as log:
                text = log.read().decode(errors="replace")
        panic = next((line for line in text.splitlines() if "Kernel panic" in line), None)
        if panic:
            raise Failure(PANIC, f"the guest's kernel panicked: {panic.strip()}")
        code = self.process.returncode
        if code != 0:
            how = signal.Signals(-code).name if code < 0 else f"status {code}"
            said = self._complaint.decode(errors="replace").strip().splitlines()
            raise Failure(CRASH, f"QEMU ended with {how}" + (f": {said[-1]}" if said else ""))
        raise Failure(NO_STATUS, "the guest went off without saying how the command ended")


def _pump(readers):
    """Hands what arrives on each descriptor to its sink until all of them are closed."""
    waiting = dict(readers)
    while waiting:
        ready, _, _ = select.select(list(waiting), [], [])
        for descriptor in ready:
            data = os.read(descriptor, 65536)
            if data:
                waiting[descriptor](data)
            else:
                del waiting[descriptor]
