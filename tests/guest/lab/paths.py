"""Where things lie: the repository, the cache of the laboratory, and the programs it needs."""

import glob
import os
import shutil
from pathlib import Path

from .failure import SKIP, Failure

GUEST = Path(__file__).resolve().parent.parent
ROOT = GUEST.parent.parent
CACHE = Path(os.environ.get("KINJO_LAB_CACHE", ROOT / "build" / "lab"))
QEMU = os.environ.get("KINJO_LAB_QEMU", "qemu-system-x86_64")


def kernel():
    """The newest unpacked kernel image, or a Failure that says how to get one."""
    found = sorted(glob.glob(str(CACHE / "kernel" / "boot" / "vmlinuz-*")))
    if not found:
        raise Failure(SKIP, f"no kernel under {CACHE / 'kernel'} (run scripts/lab_fetch)")
    return found[-1]


def program(name, package):
    """The path of a program of the host, or a Failure that names its package."""
    path = shutil.which(name)
    if path is None:
        raise Failure(SKIP, f"{name} is not installed (Debian package {package})")
    return path


def qemu():
    """The emulator."""
    return program(QEMU, "qemu-system-x86")
