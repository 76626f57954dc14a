"""Names of files that a caller gives."""

import os

from kinjo._kinjo import InvalidArgumentError


def fspath(path: str | os.PathLike[str]) -> str:
    """``os.fspath``, but for names that would end at a null character for the system."""
    name = os.fspath(path)
    if "\0" in name:
        raise InvalidArgumentError(f"{name!r} as a file's name: expected no null character in it")
    return name
