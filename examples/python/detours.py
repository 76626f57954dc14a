# %% [markdown]
# # All ways through a town
#
# Through eight streets and eight avenues lead 4 · 10⁹ ways that visit no crossing twice: too many to be
# listed, as `networkx.all_simple_paths` would. `kinjo.paths` keeps all of them in a decision diagram of
# some thousand nodes and asks that: how many, how long, the quickest, some by chance, those that one
# wants.
#
# Run it as a script, or cell by cell in any editor that knows `# %%`.

# %%
import argparse
import itertools
import random
from collections import Counter
from typing import TypeAlias

from kinjo import paths

Crossing: TypeAlias = tuple[int, int]           # street, avenue
Street: TypeAlias = tuple[Crossing, Crossing]

parser = argparse.ArgumentParser(description="All ways through a town, in one diagram.")
parser.add_argument("--streets", type=int, default=8)
parser.add_argument("--avenues", type=int, default=8)
parser.add_argument("--workers", type=int, default=1)
options = parser.parse_args()

# %% [markdown]
# ## A town
#
# Streets and avenues, without some blocks that the river took, and with minutes for each.

# %%
chance = random.Random(1)
crossings = list(itertools.product(range(options.streets), range(options.avenues)))
town: list[Street] = [
    ((i, j), end)
    for i, j in crossings
    for end in ((i, j + 1), (i + 1, j))
    if end in crossings and (i in (0, options.streets - 1) or chance.random() > 0.1)
]
minutes = {street: chance.randint(2, 9) for street in town}
station, castle = crossings[0], crossings[-1]

# %% [markdown]
# ## How many ways
#
# `count` keeps two levels of the diagram at a time; `paths.paths` keeps all of it.

# %%
print(f"{len(town)} streets, {paths.count(town, station, castle, workers=options.workers)} ways")
ways = paths.paths(town, station, castle, workers=options.workers)
print(ways)
lengths = ways.by_length()
print(f"most have {lengths.index(max(lengths))} streets, the longest {len(lengths) - 1}")

# %% [markdown]
# ## The quickest ones, and the slowest

# %%
for way, total in itertools.islice(ways.by_weight(minutes), 3):
    print(f"{total:.0f} minutes, {len(way)} streets")
slowest = ways.max(minutes)
assert slowest is not None
print(f"the slowest takes {slowest[1]:.0f} minutes")

# %% [markdown]
# ## Ways by chance
#
# Each is as likely as any other. How often do they come through each crossing?

# %%
visits: Counter[Crossing] = Counter()
for way in ways.sample(200, seed=1):
    visits.update({crossing for street in way for crossing in street})
for i in range(options.streets):
    print(" ".join(f"{visits[i, j] / 2:4.0f}%" for j in range(options.avenues)))

# %% [markdown]
# ## Ways that are wanted
#
# Sets of ways are Python's sets, but for their size: what goes through the middle and does not end with
# the last street, say.

# %%
middle = (options.streets // 2, options.avenues // 2)
through = paths.paths(town, station, castle, through=[middle], order=ways)
wanted = through - through.including([town[-1]])
print(f"{through.count / ways.count:.1%} come through {middle}, {wanted.count / ways.count:.1%} are wanted")
one = next(wanted.vertex_paths())
print(f"one of them visits {len(one)} crossings, {one[len(one) // 2]} halfway")
