"""What a guest has on its file system: a cached base (busybox), then the command and its files.

The kernel unpacks every cpio archive of its initramfs one after another, so the base is made once
and each run only appends its own files.
"""

import hashlib
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

from . import paths
from .cpio import Archive
from .failure import NOT_FOUND, USAGE, Failure

INIT = paths.GUEST / "lab" / "init.sh"
SEARCH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
DIRECTORIES = ("proc", "sys", "dev", "tmp", "root", "run", "lab", "etc", "var", "usr")


def base():
    """The path of the cached base archive, made anew when init or busybox changed."""
    busybox = Path(paths.program("busybox", "busybox-static")).resolve()
    if is_dynamic(busybox):
        raise Failure(77, f"{busybox} is not static (Debian package busybox-static)")
    stamp = hashlib.sha256(busybox.read_bytes() + INIT.read_bytes() + own_code()).hexdigest()[:16]
    path = paths.CACHE / f"base-{stamp}.cpio"
    if not path.exists():
        paths.CACHE.mkdir(parents=True, exist_ok=True)
        write_whole(path, lambda out: _write_base(out, busybox))
        for stale in set(paths.CACHE.glob("base-*.cpio")) - {path}:
            stale.unlink(missing_ok=True)
    return path


def own_code():
    """The code that writes archives: a change of it makes the cached base stale."""
    return Path(__file__).read_bytes() + (Path(__file__).parent / "cpio.py").read_bytes()


def write_whole(path, write):
    """Writes a file under a temporary name and renames it: it is whole or it is not there."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    with open(temporary, "wb") as out:
        write(out)
    temporary.rename(path)


def _write_base(out, busybox):
    archive = Archive(out)
    for name in DIRECTORIES:
        archive.directory(name, 0o1777 if name == "tmp" else 0o755)
    for name in ("bin", "sbin", "lib", "lib64"):
        archive.directory(f"usr/{name}")
        archive.link(name, f"usr/{name}")
    archive.device("dev/console", 5, 1)
    archive.file("usr/bin/busybox", busybox.read_bytes(), 0o755)
    for applet in applets(busybox):
        archive.link(f"usr/bin/{applet}", "/usr/bin/busybox")
    archive.file("init", INIT.read_bytes(), 0o755)
    archive.close()


def applets(busybox):
    """The names that busybox answers to."""
    listed = subprocess.run([busybox, "--list"], capture_output=True, text=True, check=True)
    return listed.stdout.split()


def append(out, command, env, files, user, launcher=None):
    """Appends one run: its command line as /lab/command, its program, libraries and files.

    `launcher` is the guest path of launch.c's program when the command is to be counted.
    """
    archive = Archive(out)
    run = resolve(command[0], [guest for _, guest in files])
    accounts = "root:x:0:0:root:/root:/bin/sh\n"
    accounts += f"user:x:{user}:{user}:user:/tmp:/bin/sh\n" if user else ""
    archive.file("etc/passwd", accounts.encode())
    archive.file("lab/program", _script([run, *command[1:]], env, launcher).encode(), 0o755)
    archive.file("lab/command", _start(user, launcher).encode(), 0o755)
    for host, guest in files:
        _add(archive, Path(host), guest)
    if os.path.isfile(run):
        _add_file(archive, Path(run), run)
    archive.close()


def _script(program, env, launcher):
    """The command with its environment, as the guest's shell runs it."""
    lines = ["#!/bin/sh", f"export PATH={SEARCH} HOME=/root LC_ALL=C", "cd /tmp"]
    for name, value in env:
        if not re.fullmatch(r"[A-Za-z_][A-Za-z_0-9]*", name):
            raise Failure(USAGE, f"--env: {name!r} is not a variable's name")
        lines.append(f"export {name}={shlex.quote(value)}")
    count = [launcher, "--count"] if launcher else []
    return "\n".join([*lines, "exec " + shlex.join([*count, *program]), ""])


def _start(user, launcher):
    """What init runs as root: shows the counter the nodes, then runs the program as the user."""
    calibrate = f"{launcher} --calibrate || exit\n" if launcher else ""
    switch = "su -s /lab/program user" if user else "/lab/program"
    return f"#!/bin/sh\n{calibrate}exec {switch}\n"


def resolve(name, inside=()):
    """Where the command lies: on the host, among the guest paths `inside`, or in busybox."""
    found = shutil.which(name)
    if found:
        return os.path.abspath(found)
    if name in inside or name in map(os.path.basename, inside):
        return name
    if name not in applets(paths.program("busybox", "busybox-static")):
        raise Failure(NOT_FOUND, f"{name}: no such program, neither on the host nor in the guest")
    return name


def _add(archive, host, guest):
    if host.is_dir():
        for entry in sorted(host.rglob("*")):
            if not entry.is_dir():
                _add_file(archive, entry, f"{guest}/{entry.relative_to(host)}")
    elif host.is_file():
        _add_file(archive, host, guest)
    else:
        raise Failure(USAGE, f"--file: {host} is neither a file nor a directory")


def _add_file(archive, host, guest):
    mode = host.stat().st_mode & 0o777
    archive.file(guest, host.read_bytes(), mode | 0o444)
    if is_dynamic(host):
        for library in libraries(host):
            archive.file(library, Path(library).read_bytes(), 0o755)


def is_dynamic(path):
    """Whether it is an ELF file that names a dynamic section (ldd says so for the rest)."""
    with open(path, "rb") as file:
        if file.read(4) != b"\x7fELF":
            return False
    listed = subprocess.run(["ldd", path], capture_output=True, text=True, check=False)
    return "statically linked" not in listed.stdout and listed.returncode == 0


def libraries(path):
    """The files that the dynamic linker would load for an ELF file, and the linker itself."""
    listed = subprocess.run(["ldd", path], capture_output=True, text=True, check=False)
    missing = re.findall(r"^\s*(\S+) => not found", listed.stdout, re.MULTILINE)
    if missing:
        raise Failure(USAGE, f"{path}: library {missing[0]} is not found on the host")
    return re.findall(r"(?:^|\s)(/\S+) \(0x", listed.stdout)
