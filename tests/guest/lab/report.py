"""What the access counter found, as figures (kinjo-lab/1), as a table and as a heat map."""

from html import escape

SCHEMA = "kinjo-lab/1"
MEANING = "bytes loaded and stored by the program's own instructions; not cache misses"
MODELLED = (
    "bytes between memory and a modelled cache of each CPU: loaded is what it fetched, stored what"
    " it wrote back"
)
APART = ("(stack)", "(barrier)")  # would blur a phase's share, so they are never in it
UNKNOWN = -1


class Sum:
    """Bytes loaded and stored, [node of the CPU][node of the memory]."""

    def __init__(self, nodes):
        self.nodes = nodes
        self.loaded = {}
        self.stored = {}

    def add(self, cpu_node, memory_node, loaded, stored):
        """Adds one row of the counter."""
        key = (cpu_node, memory_node)
        self.loaded[key] = self.loaded.get(key, 0) + loaded
        self.stored[key] = self.stored.get(key, 0) + stored

    def figures(self):
        """As data; `share_local` is null where nothing was counted."""
        both = {key: self.loaded[key] + self.stored[key] for key in self.loaded}
        total = sum(both.values())
        local = sum(value for (cpu, memory), value in both.items() if cpu == memory)
        return {
            "loaded": _split(self.loaded),
            "stored": _split(self.stored),
            "share_local": local / total if total else None,
            "by_node": {
                str(node): {
                    "loaded": sum(v for (_, m), v in self.loaded.items() if m == node),
                    "stored": sum(v for (_, m), v in self.stored.items() if m == node),
                }
                for node in self.nodes
            },
            "matrix": [[both.get((a, b), 0) for b in self.nodes] for a in self.nodes],
        }


def _split(table):
    local = sum(value for (cpu, memory), value in table.items() if cpu == memory)
    unknown = sum(value for (_, memory), value in table.items() if memory == UNKNOWN)
    return {"local": local, "remote": sum(table.values()) - local - unknown, "unknown": unknown}


def home(shape, node):
    """The node that is local to a node's CPUs: itself, or the nearest one that has memory."""
    return min(shape.with_memory(), key=lambda n: (n != node, shape.distances[node][n], n))


def figures(raw, shape, cache=None):
    """The counter's rows, summed by phase and within a phase by region.

    With `cache` (bytes, ways, line) there is also what the modelled caches moved.
    """
    nodes = shape.with_memory()
    found = {
        "schema": SCHEMA,
        "meaning": MEANING,
        "shape": shape.name,
        "nodes": nodes,
        "distances": [[shape.distances[a][b] for b in nodes] for a in nodes],
        "phases": _phases(raw, shape, nodes, 4),
    }
    if cache:
        size, ways, line = cache
        found["modelled"] = {
            "meaning": MODELLED,
            "cache": {"bytes": size, "ways": ways, "line": line},
            "phases": _phases(raw, shape, nodes, 6),
        }
    return found


def _phases(raw, shape, nodes, column):
    """Sums of two columns of the rows: 4, bytes loaded and stored; 6, fetched and written back."""
    home_of = {cpu: home(shape, n) for n, cpus in enumerate(shape.cpus) for cpu in cpus}
    data = {}  # phase: Sum over what is not apart
    by_cpu = {}  # phase: {CPU: {memory node: bytes}}, of the same
    regions = {}  # (phase, class): Sum
    for row in raw["rows"]:
        cpu, phase, kind, node = row[:4]
        amounts = row[column : column + 2]
        regions.setdefault((phase, kind), Sum(nodes)).add(home_of[cpu], node, *amounts)
        in_data = data.setdefault(phase, Sum(nodes))
        if raw["classes"][kind] not in APART:
            in_data.add(home_of[cpu], node, *amounts)
            row_of_cpu = by_cpu.setdefault(phase, {}).setdefault(cpu, {})
            row_of_cpu[node] = row_of_cpu.get(node, 0) + sum(amounts)
    linux = {cpu: number for number, cpu in enumerate(shape.present())}
    return [
        {
            "phase": raw["phases"][phase],
            **data[phase].figures(),
            "by_cpu": [
                {"cpu": linux[cpu], "node": home_of[cpu], "bytes": [row.get(n, 0) for n in nodes]}
                for cpu, row in sorted(by_cpu.get(phase, {}).items())
            ],
            "regions": [
                {"region": raw["classes"][kind], **regions[p, kind].figures()}
                for p, kind in sorted(regions)
                if p == phase
            ],
        }
        for phase in sorted(data)
    ]


def find(found, phase, region=None):
    """The figures of a phase, or of one region in it; None if nothing was counted there."""
    for entry in found["phases"]:
        if entry["phase"] == phase:
            if region is None:
                return entry
            return next((r for r in entry["regions"] if r["region"] == region), None)
    return None


def table(found):
    """A line for each phase, and below it one for each region; stacks and barriers apart."""
    lines = list(_lines(found["phases"]))
    lines.append(f"({found['shape']}: {found['meaning']};")
    lines.append(" a phase's line leaves out stacks and barriers)")
    if "modelled" in found:
        cache = found["modelled"]["cache"]
        lines += ["", *_lines(found["modelled"]["phases"])]
        lines.append(f"(MODELLED: {found['modelled']['meaning']};")
        lines.append(f" {cache['bytes']} bytes, {cache['ways']} ways, lines of {cache['line']})")
    return "\n".join(lines)


def _lines(phases):
    yield f"{'phase / region':28} {'loaded':>14} {'stored':>14} {'remote':>14} {'local':>9}"
    for phase in phases:
        yield _line(phase["phase"], phase)
        for region in phase["regions"]:
            yield _line("  " + region["region"], region)


def _line(name, entry):
    loaded, stored = sum(entry["loaded"].values()), sum(entry["stored"].values())
    remote = entry["loaded"]["remote"] + entry["stored"]["remote"]
    share = "-" if entry["share_local"] is None else f"{100 * entry['share_local']:.3f} %"
    return f"{name:28} {loaded:14} {stored:14} {remote:14} {share:>9}"


CELL, LEFT, TOP, GAP = 56, 70, 54, 34


def svg(found):
    """One square of node x node for each phase: how many of its bytes went from where to where."""
    count = len(found["nodes"])
    side = CELL * count
    phases = [phase for phase in found["phases"] if phase["share_local"] is not None]
    width = LEFT + max(side, 260) + 20
    height = sum(TOP + side + GAP for _ in phases) + 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="12">',
        f"<title>{escape(found['shape'])}: {escape(MEANING)}</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for number, phase in enumerate(phases):
        parts += _square(found["nodes"], phase, 10 + number * (TOP + side + GAP))
    return "\n".join([*parts, "</svg>", ""])


def _square(nodes, phase, top):
    total = sum(map(sum, phase["matrix"])) or 1
    share = 100 * phase["share_local"]
    yield f'<text x="{LEFT}" y="{top + 16}" font-weight="bold">{escape(phase["phase"])}</text>'
    yield f'<text x="{LEFT}" y="{top + 32}">{share:.2f} % local, {total} bytes</text>'
    for row, cpu_node in enumerate(nodes):
        y = top + TOP + row * CELL
        yield f'<text x="4" y="{y + CELL // 2 + 4}">CPUs of {cpu_node}</text>'
        for column, memory_node in enumerate(nodes):
            x = LEFT + column * CELL
            if row == 0:
                yield f'<text x="{x + 6}" y="{top + TOP - 6}">node {memory_node}</text>'
            yield from _cell(x, y, phase["matrix"][row][column] / total)


def _cell(x, y, share):
    """The darker, the larger its share of the phase's bytes."""
    shade = [round(255 - share**0.5 * (255 - deep)) for deep in (8, 81, 156)]
    ink = "#fff" if share > 0.3 else "#222"
    yield (
        f'<rect x="{x}" y="{y}" width="{CELL - 2}" height="{CELL - 2}" '
        f'fill="rgb({shade[0]},{shade[1]},{shade[2]})" stroke="#bbb"/>'
    )
    yield (
        f'<text x="{x + CELL // 2 - 1}" y="{y + CELL // 2 + 4}" text-anchor="middle" '
        f'fill="{ink}">{100 * share:.1f}</text>'
    )
