# %% [markdown]
# # First touch against partitioned arrays
#
# Linux puts a page on the node of the thread that touches it first. An array that one thread has
# filled lies on one node, and all threads of the other nodes read it from far. Here every thread of
# a team adds up its own block of three arrays:
#
# | array | pages |
# | --- | --- |
# | one thread touched it | all on that thread's node |
# | interleaved | dealt in turn to all nodes |
# | partitioned | each block on the node of the thread that reads it |
#
# Run it as a script, or cell by cell in any editor that knows `# %%`. On a machine with one node the
# three are equal, and the table shows it.

# %%
import argparse
import statistics
import time
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

import kinjo

Array = NDArray[Any]

parser = argparse.ArgumentParser(description="First touch against partitioned arrays.")
parser.add_argument("--elements", type=int, help="default: four times the last-level caches")
parser.add_argument("--rounds", type=int, default=7)
parser.add_argument("--policy", help="default: KINJO_POLICY, or scatter")
parser.add_argument("--svg", type=Path, help="draws the result into this file")
options = parser.parse_args()

# %% [markdown]
# ## The machine and a team

# %%
machine = kinjo.topology()
team = kinjo.Team(options.policy)
elements = options.elements or max(1 << 20, machine.last_level_cache_bytes * 4 // 8)
print(machine)
print(team.mapping, f"{elements} doubles in each array")

# %% [markdown]
# ## Three arrays
#
# `kinjo.empty` without a wish leaves its pages to first touch, as `numpy.empty` does.

# %%
with kinjo.pin(team.mapping, 0):
    touched = kinjo.empty(elements)
    touched[:] = 1
interleaved = kinjo.empty(elements, interleave=machine.allowed_nodes)
interleaved[:] = 1
partitioned = kinjo.empty(elements, team=team)
partitioned[:] = 1

arrays = {"one thread touched it": touched, "interleaved": interleaved, "partitioned": partitioned}
for name, array in arrays.items():
    print(f"{name}: {kinjo.audit(array)}")

# %% [markdown]
# ## Measure
#
# The arrays take turns, so that a change of the clock meets all of them. Each thread reads the block
# that a partitioned array gives it.

# %%
page = 4096 // 8
whole_pages = -(-elements // page)


def block_of(array: Array, thread: int) -> Array:
    """The thread's whole pages, dealt as `partition="block"` does."""
    least, more = divmod(whole_pages, len(team))
    first = thread * least + min(thread, more)
    last = first + least + (thread < more)
    return array[first * page : last * page]


def read(array: Array) -> list[float]:
    """GB/s of each thread while all of them read."""

    def work(place: kinjo.Place) -> float:
        block = block_of(array, place.thread)
        team.barrier()
        start = time.perf_counter_ns()
        kinjo.sum(block)
        return float(block.nbytes) / max(1, time.perf_counter_ns() - start)

    return team.run(work)


rounds = [{name: read(array) for name, array in arrays.items()} for _ in range(options.rounds)]

# %%
rates = {
    name: [statistics.median(r[name][thread] for r in rounds) for thread in range(len(team))]
    for name in arrays
}


def local_share(array: Array) -> float:
    """The share of pages that lie on the node of the thread that reads them."""
    audits = [(kinjo.audit(block_of(array, p.thread)), p.node) for p in team.mapping]
    return sum(a.on(node) for a, node in audits) / max(1, sum(a.pages for a, _ in audits))


print(f"{'':24}{'local pages':>12}{'GB/s':>8}  by thread")
for name, array in arrays.items():
    by_thread = " ".join(f"{rate:.1f}" for rate in rates[name])
    print(f"{name:24}{local_share(array):12.1%}{sum(rates[name]):8.1f}  {by_thread}")

# %% [markdown]
# ## Draw

# %%
HEIGHT, BAR, GAP, LEFT = 160, 18, 40, 50
COLOURS = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377"]


def draw() -> str:
    """One group of bars for each array, one bar for each thread, coloured by its node."""
    most = max(max(each) for each in rates.values())
    parts, x = [], LEFT
    for name, each in rates.items():
        for place, rate in zip(team.mapping, each, strict=True):
            tall = HEIGHT * rate / most
            parts.append(
                f'<rect x="{x}" y="{HEIGHT + 10 - tall:.1f}" width="{BAR - 2}" height="{tall:.1f}" '
                f'fill="{COLOURS[max(0, place.node) % len(COLOURS)]}">'
                f"<title>thread {place.thread}, node {place.node}: {rate:.1f} GB/s</title></rect>"
            )
            x += BAR
        parts.append(f'<text x="{x - BAR * len(each)}" y="{HEIGHT + 28}">{name}</text>')
        x += max(GAP, 7 * len(name) - BAR * len(each) + 20)
    parts.append(f'<text x="4" y="20">{most:.1f}</text><text x="4" y="34">GB/s</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{x}" height="{HEIGHT + 40}" '
        f'font-family="sans-serif" font-size="12">{"".join(parts)}</svg>\n'
    )


if options.svg:
    options.svg.write_text(draw(), encoding="utf-8")
    print(f"drawn: {options.svg}")
team.close()
