"""The access counter: builds the plugin and its launcher, and reads what was counted."""

import json
import os
import subprocess
import sys
from pathlib import Path

from . import paths, prediction, report
from .failure import COUNTER, Failure

PLUGIN = paths.GUEST / "plugin"
HEADER = paths.ROOT / "include" / "kinjo" / "lab_protocol.h"
FLAGS = ["-O2", "-std=gnu11", "-Wall", "-Wextra", "-Werror"]


def build():
    """Makes the plugin and the launcher where a source is newer; returns both paths."""
    plugin = paths.CACHE / "access_counter.so"
    launcher = paths.CACHE / "launch"
    sources = [PLUGIN / "access_counter.c", PLUGIN / "speech.c", PLUGIN / "cache_model.c"]
    headers = [PLUGIN / "qemu_plugin.h", PLUGIN / "speech.h", PLUGIN / "cache_model.h", HEADER]
    _compile(plugin, sources, headers, ["-shared", "-fPIC", "-fvisibility=hidden"])
    _compile(launcher, [paths.GUEST / "launch.c"], [HEADER], ["-static"])
    return plugin, launcher


def _compile(target, sources, headers, flags):
    newest = max(os.path.getmtime(path) for path in [*sources, *headers])
    if target.exists() and target.stat().st_mtime > newest:
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    compiler = os.environ.get("CC", "cc")
    temporary = target.with_name(f"{target.name}.{os.getpid()}")
    command = [compiler, *FLAGS, *flags, "-o", str(temporary), *map(str, sources)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise Failure(COUNTER, f"cannot build the access counter: {compiler}: {error}") from None
    if done.returncode:
        print(done.stderr, end="", file=sys.stderr)
        raise Failure(COUNTER, f"cannot build the access counter: {compiler} failed, see above")
    temporary.rename(target)


class Counter:
    """One counted run."""

    LAUNCHER = "/lab/launch"  # its path in the guest

    def __init__(self, shape, memory_mib, directory, cache=None, outside=True):
        """`cache` is (bytes, ways, line) or None; without `outside` only phases are counted."""
        self._shape = shape
        self._cache = cache
        self._outside = outside
        self._memory_mib = memory_mib
        self._raw = Path(directory) / "counts.json"
        self._plugin, self._launcher = build()

    def files(self):
        """What the guest needs besides the command."""
        return [(str(self._launcher), self.LAUNCHER)]

    def plugin_option(self):
        """QEMU's -plugin argument; q35 puts 2 GiB below 4 GiB once 2.75 GiB do not fit."""
        sizes = [
            self._shape.memory_mib(node, self._memory_mib) for node in range(len(self._shape.cpus))
        ]
        low = 2816 if sum(sizes) < 2816 else 2048
        nodes = ":".join(str(size) for size in sizes)
        option = f"file={self._plugin},out={self._raw},low={low},nodes={nodes}"
        if self._cache:
            option += ",cache=" + ":".join(map(str, self._cache))
        return option + ("" if self._outside else ",outside=no")

    def report(self, json_path, svg_path, machine=None):
        """Prints the table to standard error and writes what else was asked for.

        With `machine`, a Profile, also how long the phases are predicted to take on it.
        """
        figures = report.figures(self._read(), self._shape, self._cache)
        print(report.table(figures), file=sys.stderr)
        if machine:
            figures["prediction"] = prediction.predict(figures, machine)
            print("\n" + prediction.table(figures["prediction"]), file=sys.stderr)
        if json_path:
            Path(json_path).write_text(json.dumps(figures, indent=1) + "\n")
        if svg_path:
            Path(svg_path).write_text(report.svg(figures))

    def _read(self):
        try:
            raw = json.loads(self._raw.read_text())
        except (OSError, ValueError) as error:
            raise Failure(COUNTER, f"the access counter wrote nothing usable: {error}") from None
        if raw["complaint"]:
            raise Failure(COUNTER, f"the counts are not to be trusted: {raw['complaint']}")
        return raw
