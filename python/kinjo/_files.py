"""Files: names that a caller gives, and those of a moment."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from kinjo._kinjo import InvalidArgumentError

_Made = TypeVar("_Made")


def fspath(path: str | os.PathLike[str]) -> str:
    """``os.fspath``, but for names that would end at a null character for the system."""
    name = os.fspath(path)
    if not isinstance(name, str):
        raise TypeError(f"{name!r} as a file's name: expected str or os.PathLike[str]")
    if "\0" in name:
        raise InvalidArgumentError(f"{name!r} as a file's name: expected no null character in it")
    if not _is_text(name):
        raise InvalidArgumentError(f"{name!r} as a file's name: expected one that is UTF-8")
    return name


def content_of(name: str, write: Callable[[str], None]) -> bytes:
    """What ``write`` puts into a file of this name, which is gone then."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        write(str(path))
        return path.read_bytes()


def with_content(name: str, content: bytes, read: Callable[[str], _Made]) -> _Made:
    """What ``read`` makes of a file of this name, which is gone then; a map of it stays."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(content)
        return read(str(path))


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:      # what os.listdir makes of other bytes
        return False
    return True
