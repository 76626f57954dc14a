"""Names of files that a caller gives."""

import os

from kinjo._kinjo import InvalidArgumentError


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


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:      # what os.listdir makes of other bytes
        return False
    return True
