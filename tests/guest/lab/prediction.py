"""Counts (kinjo-lab/1) and a profile (kinjo-lab-profile/1) to a prediction (kinjo-prediction/1)."""

import argparse
import json
import sys

from . import model, profile, report
from .failure import USAGE, Failure
from .fields import Field

SCHEMA = "kinjo-prediction/1"
MEANING = "predicted from counted bytes and a machine's published or measured bandwidths; not timed"
OUTSIDE = "(outside)"
OF_INSTRUCTIONS = "the bytes of the instructions are the bytes that memory moves (no cache)"
OF_CACHES = (
    "the bytes are those of a modelled cache of each CPU:"
    " {bytes} bytes, {ways} ways, lines of {line}"
)


def predict(counts, machine):
    """The prediction for counts (a Field or what report.figures returned) on a Profile."""
    if not isinstance(counts, Field):
        counts = Field("counts", counts)
    nodes = tuple(node.whole() for node in counts.member("nodes").items())
    if not set(nodes) <= set(machine.nodes):
        raise Failure(
            USAGE,
            f"profile {machine.machine} has the nodes {_listed(machine.nodes)}, "
            f"the counts have {_listed(nodes)}",
        )
    source, of_counts = _source(counts)
    phases = [_phase(machine, _traffic(entry, nodes)) for entry in source.member("phases").items()]
    return {
        "schema": SCHEMA,
        "meaning": MEANING,
        "machine": machine.machine,
        "about": machine.about,
        "counts": counts.member("shape").text(),
        "phases": [phase for phase in phases if phase["bytes"]],
        "seconds": sum(p["seconds"] for p in phases if p["phase"] != OUTSIDE),
        "assumptions": [of_counts, *model.ASSUMPTIONS, *machine.assumptions],
    }


def _listed(nodes):
    return ", ".join(map(str, nodes))


def _source(counts):
    """What memory moves: the modelled caches' bytes where there are any, else the instructions'."""
    if counts.missing("modelled"):
        return counts, OF_INSTRUCTIONS
    modelled = counts.member("modelled")
    cache = {name: field.whole() for name, field in modelled.member("cache").members()}
    return modelled, OF_CACHES.format(**cache)


def _traffic(entry, nodes):
    by_cpu = {}
    for row in entry.member("by_cpu").items():
        amounts = [amount.whole() for amount in row.member("bytes").items(len(nodes))]
        node = row.member("node").one_of(nodes)
        by_cpu[row.member("cpu").whole()] = (node, dict(zip(nodes, amounts)))
    return model.Traffic(entry.member("phase").text(), by_cpu)


def _phase(machine, traffic):
    """The slowest resource bounds the phase; of each kind the slowest one is told."""
    by_kind = {}
    for load in model.loads(machine, traffic):
        by_kind.setdefault(load.kind, load)
    ordered = list(by_kind.values())
    return {
        "phase": traffic.phase,
        "bytes": traffic.bytes(),
        "seconds": ordered[0].seconds if ordered else 0.0,
        "bound_by": ordered[0].name if ordered else None,
        "resources": [
            {
                "resource": load.name,
                "bytes": load.bytes,
                "cpus": load.cpus,
                "mib_s": load.mib_s,
                "seconds": load.seconds,
            }
            for load in ordered
        ],
    }


def table(predicted):
    """A line for each phase, then what was assumed."""
    lines = [
        f"PREDICTED for {predicted['machine']} ({predicted['about']}), not measured:",
        f"{'phase':28} {'bytes':>14} {'predicted ms':>14}  bound by",
    ]
    for phase in predicted["phases"]:
        lines.append(
            f"{phase['phase']:28} {phase['bytes']:14} {1e3 * phase['seconds']:14.3f}"
            f"  {phase['bound_by']}"
        )
    lines.append(f"{'all marked phases':43} {1e3 * predicted['seconds']:14.3f}")
    lines.append("It assumes:")
    return "\n".join(lines + [f"- {text}" for text in predicted["assumptions"]])


def of_files(counts_path, profile_path):
    """The prediction for a file of counts on a file's machine."""
    counts = Field.of_file(counts_path, report.SCHEMA)
    return predict(counts, profile.read(profile_path))


def main(arguments):
    """lab_predict: the table, or with --json the prediction as JSON."""
    parser = argparse.ArgumentParser(
        prog="lab_predict",
        description="Predicts how long counted memory-bound phases take on a described machine.",
    )
    parser.add_argument("counts", metavar="COUNTS.json", help="kinjo-lab/1, from --count --json")
    parser.add_argument("profile", metavar="PROFILE.json", help="kinjo-lab-profile/1")
    parser.add_argument("--json", action="store_true", help="print kinjo-prediction/1")
    options = parser.parse_args(arguments)
    try:
        predicted = of_files(options.counts, options.profile)
    except Failure as failure:
        print(f"lab_predict: {failure}", file=sys.stderr)
        return failure.status
    print(json.dumps(predicted, indent=1) if options.json else table(predicted))
    return 0
