"""Calls that are timed in turn, for the scripts beside this file."""

import time


def seconds(call, repeat):
    """Of one call, over so many."""
    start = time.perf_counter()
    for _ in range(repeat):
        call()
    return (time.perf_counter() - start) / repeat


def race(found, repeats, rounds):
    """A list of samples for each call; nobody always follows the same one."""
    samples = {name: [] for name in found}
    names = list(found)
    for round_ in range(rounds):
        for k in range(len(names)):
            name = names[(k + round_) % len(names)]
            samples[name].append(seconds(found[name], repeats[name]))
    return samples
