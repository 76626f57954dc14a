"""The command line of run_guest."""

import argparse
import os
import shlex
import shutil
import signal
import sys
import tempfile
from pathlib import Path

from . import image, paths, profile, qemu, report, shapes
from .failure import USAGE, Failure

KEPT_LOGS = 10

EPILOG = """\
exit status: the command's own (128 + n when signal n ended it), or
  2 bad option or unknown shape    77 no QEMU or no kernel here (skip)
  120 guest off without a status   121 guest kernel panic   122 QEMU crashed
  123 access counter               124 time limit           127 no such command
and then one line on standard error begins with "run_guest:".
"""


def parse(arguments):
    """The options, or an exit with status 2."""
    parser = argparse.ArgumentParser(
        prog="run_guest",
        description="Runs a program of this host in a virtual machine with several NUMA nodes.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--shape", metavar="NAME", help="the machine (see --list)")
    add("--list", action="store_true", help="list the machines and end")
    add("--dry-run", action="store_true", help="print QEMU's command line and end")
    add(
        "--file",
        action="append",
        default=[],
        metavar="HOST:GUEST",
        type=_pair,
        help="put a file or a directory in (libraries of programs follow by themselves)",
    )
    add("--env", action="append", default=[], metavar="NAME=VALUE", type=_assignment)
    add("--user", type=int, default=0, metavar="UID", help="run the command as this user")
    add("--time-limit", type=_positive, default=300, metavar="S", help="seconds (default 300)")
    add("--cpu", default="Haswell", help="Haswell (AVX2), SandyBridge (AVX), Nehalem (SSE4.2)")
    add("--memory-mib", type=_positive_int, metavar="N", help="of each node (default 512)")
    add("--append", action="append", default=[], metavar="OPTION", help="kernel boot option")
    add("--serial-log", metavar="FILE", help="keep the kernel's log here")
    add("--count", action="store_true", help="count the command's accesses and print a table")
    add("--json", metavar="FILE", help="with --count: write the figures")
    add("--svg", metavar="FILE", help="with --count: draw node x node")
    add(
        "--cache",
        metavar="BYTES,WAYS,LINE",
        type=_cache,
        help="with --count: also model a cache of each CPU, e.g. 2097152,16,64",
    )
    add("--phases-only", action="store_true", help="with --count: nothing outside of phases")
    add("--profile", metavar="FILE", help="with --count: predict times on this kinjo-lab-profile/1")
    add("command", nargs=argparse.REMAINDER, metavar="-- COMMAND ...")
    options = parser.parse_args(arguments)
    if options.command[:1] == ["--"]:
        del options.command[0]
    return options


def _positive(text, kind=float):
    try:
        value = kind(text)
    except ValueError:
        value = 0
    if not value > 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive number")
    return value


def _positive_int(text):
    return _positive(text, int)


def _pair(text):
    host, colon, guest = text.partition(":")
    if not (host and colon and guest.startswith("/")):
        raise argparse.ArgumentTypeError(f"{text!r} is not HOST:/GUEST/PATH")
    return host, guest


def _cache(text):
    parts = text.split(",")
    if len(parts) != 3 or not all(part.isdecimal() and int(part) for part in parts):
        raise argparse.ArgumentTypeError(f"{text!r} is not BYTES,WAYS,LINE")
    size, ways, line = map(int, parts)
    if line & (line - 1) or size % (ways * line):
        raise argparse.ArgumentTypeError(
            f"{text!r}: LINE must be a power of two, BYTES a multiple of WAYS x LINE"
        )
    return size, ways, line


def _assignment(text):
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name, value


def _shape(options):
    if options.shape is None:
        raise Failure(USAGE, "no machine named (--shape NAME; --list shows them)")
    shape = shapes.find(options.shape)
    if shape is None:
        known = ", ".join(shape.name for shape in shapes.ALL)
        raise Failure(USAGE, f"unknown shape {options.shape!r} (known: {known})")
    if not options.command:
        raise Failure(USAGE, "no command (put it after --)")
    return shape


def run(options):
    """Does what the options ask; returns the exit status."""
    if options.list:
        for shape in shapes.ALL:
            print(f"{shape.name:13} {shape.about}")
        return 0
    shape = _shape(options)
    machine = _machine(options, shape)
    paths.qemu()
    paths.kernel()
    with tempfile.TemporaryDirectory(prefix="kinjo-lab-") as directory:
        return _boot(options, shape, machine, Path(directory))


def _boot(options, shape, machine, directory):
    """Builds the guest's files in `directory`, boots it, waits, and keeps the log on failure."""
    counter = _counter(options, shape, directory)
    initrd = directory / "initrd"
    with open(initrd, "wb") as out:
        out.write(image.base().read_bytes())
        files = options.file + (counter.files() if counter else [])
        launcher = counter.LAUNCHER if counter else None
        image.append(out, options.command, options.env, files, options.user, launcher)
    if options.serial_log:
        _check_writable(options.serial_log)
    log = options.serial_log or str(directory / "serial.log")

    def command_line(ports):
        plugin = counter.plugin_option() if counter else None
        return qemu.command_line(
            shape, options.cpu, options.memory_mib, initrd, options.append, ports, plugin
        )

    if options.dry_run:
        print(shlex.join(command_line([log, "OUT", "ERR", "CONTROL"])))
        return 0
    status = _run(command_line, log, options)
    if counter:
        counter.report(options.json, options.svg, machine)
    return status


def _run(command_line, log, options):
    guest = qemu.Run(command_line, log)
    try:
        return guest.wait(options.time_limit)
    except Failure as failure:
        raise Failure(failure.status, f"{failure} (serial log: {_keep(log, options)})") from None
    finally:
        guest.stop()


def _keep(log, options):
    """Copies the log of a failed run out of the temporary directory."""
    if options.serial_log:
        return options.serial_log
    kept = paths.CACHE / f"failed-{os.getpid()}.log"
    if os.path.exists(log):
        shutil.copyfile(log, kept)
    logs = sorted(paths.CACHE.glob("failed-*.log"), key=lambda path: path.stat().st_mtime)
    for old in logs[:-KEPT_LOGS]:
        old.unlink(missing_ok=True)
    return kept


def _check_writable(path):
    """Before the guest runs, and without leaving anything behind, says that a file cannot be."""
    try:
        new = not os.path.exists(path)
        open(path, "ab").close()
        if new:
            os.unlink(path)
    except OSError as error:
        raise Failure(USAGE, f"cannot write {path}: {error.strerror}") from None


def _machine(options, shape):
    """The profile that times are predicted on, read before anything is booted."""
    if options.profile is None:
        return None
    machine = profile.read(options.profile)
    homes = sorted({report.home(shape, node) for node, cpus in enumerate(shape.cpus) if cpus})
    for pair in ((home, memory) for home in homes for memory in shape.with_memory()):
        if pair not in machine.thread_mib_s:
            where = f"a CPU of node {pair[0]} and the memory of node {pair[1]}"
            raise Failure(
                USAGE, f"{options.profile}: thread_mib_s: {shape.name} also needs {where}"
            )
    return machine


def _counter(options, shape, directory):
    if not options.count:
        if options.json or options.svg or options.cache or options.phases_only or options.profile:
            raise Failure(USAGE, "--json, --svg, --cache, --profile and --phases-only need --count")
        return None
    for path in filter(None, (options.json, options.svg)):
        _check_writable(path)
    from .counter import Counter  # imported where needed: most runs do not count

    outside = not options.phases_only
    return Counter(shape, options.memory_mib, directory, options.cache, outside)


def main(arguments):
    """The program: every failure is one line on standard error and its own status."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        return run(parse(arguments))
    except Failure as failure:
        print(f"run_guest: {failure}", file=sys.stderr)
        return failure.status
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
