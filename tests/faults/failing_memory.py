"""Makes each allocation of each command fail in turn: shared by the tests and by the long run."""

import collections
import os
import random

import happy_paths

LIBRARY = os.environ.get("KINJO_FAILING_MEMORY", "")
# They end the process themselves: nothing in kinjo is called any more.
SPARED = "libhwloc,libgmp,libfmt,libre2"


def variables(place, first=0, length=1):
    return {"LD_PRELOAD": LIBRARY, "KINJO_FAULT_COUNT": str(place.root / "count"),
            "KINJO_FAULT_FIRST": str(first), "KINJO_FAULT_SPARE": SPARED,
            "KINJO_FAULT_LENGTH": str(length)}


def count(place, happy):
    """How many allocations a run asks for, and how it ends without a fault."""
    place.clean()
    (place.root / "count").unlink(missing_ok=True)
    ended = place.run(happy, env=variables(place))
    return int((place.root / "count").read_text()), ended


def count_before(place, happy):
    """How many of them come before the command line is understood. A command has only its own options."""
    place.clean()
    place.run(happy_paths.Happy("refused", (happy.arguments[0], "--refused")), env=variables(place))
    return int((place.root / "count").read_text())


def chosen(first, last, wanted, seed):
    """All numbers of the range, or so many of them: the first ones, every so many, and by chance."""
    if last - first < wanted:
        return list(range(first, last + 1))
    third = wanted // 3
    numbers = set(range(first, first + third))
    numbers |= {first + (last - first) * i // third for i in range(third)}
    numbers |= set(random.Random(seed).sample(range(first, last + 1), wanted - 2 * third))
    return sorted(numbers)


def is_inevitable(fault, ended):
    """Memory that is short where nothing may be thrown ends the program at once: the journal of `tune`
    stays."""
    return "kinjo-tune-" in fault and ended.stderr.endswith("kinjo: there is not enough memory\n")


def try_each(place, happy, clean, numbers, length):
    """What went wrong, {fault: numbers}; and the ends, counted by status."""
    faults = collections.defaultdict(list)
    ends = collections.Counter()
    for number in numbers:
        place.clean()
        ended = place.run(happy, env=variables(place, number, length))
        ends[ended.status] += 1
        fault = happy_paths.fault_in(happy, ended, clean)
        if fault and not is_inevitable(fault, ended):
            said = ended.stderr.strip().splitlines()[-1:]
            faults[f"{fault} {said}"].append(number)
    return faults, ends
