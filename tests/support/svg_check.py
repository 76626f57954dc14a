"""Reads pictures as XML and checks where things lie. Text is as wide as DejaVu Sans draws it, the
widest of the fonts that the pictures ask for."""

import math
import xml.etree.ElementTree as ElementTree

NAMESPACE = "{http://www.w3.org/2000/svg}"
BOXES = ("machine", "package", "group", "cache", "core", "cpu", "memory")

# Hundredths of the font's size for ' ' to '~', normal and bold; other characters are squares.
NORMAL = [
    32, 41, 46, 84, 64, 96, 78, 28, 40, 40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 54, 100, 69, 69, 70, 78, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79,
    61, 79, 70, 64, 62, 74, 69, 99, 69, 62, 69, 40, 34, 40, 84, 50, 50, 62, 64, 55, 64, 62, 36, 64,
    64, 28, 28, 58, 28, 98, 64, 62, 64, 64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84]
BOLD = [
    35, 46, 53, 84, 70, 101, 88, 31, 46, 46, 53, 84, 38, 42, 38, 37, 70, 70, 70, 70, 70, 70, 70, 70,
    70, 70, 40, 40, 84, 84, 84, 59, 100, 78, 77, 74, 84, 69, 69, 83, 84, 38, 38, 78, 64, 100, 84,
    86, 74, 86, 78, 73, 69, 82, 78, 111, 78, 73, 73, 46, 37, 46, 84, 50, 50, 68, 72, 60, 72, 68, 44,
    72, 72, 35, 35, 67, 35, 105, 72, 69, 72, 72, 50, 60, 48, 72, 66, 93, 65, 66, 59, 72, 37, 72, 84]

SLACK = 0.02  # coordinates have two decimals


def parse(text):
    """The root element; raises ParseError if the picture is no XML."""
    return ElementTree.fromstring(text)


def tag(element):
    return element.tag.removeprefix(NAMESPACE)


def title_of(element):
    return element.findtext(f"{NAMESPACE}title")


def groups(root, css_class):
    return [g for g in root.iter(f"{NAMESPACE}g") if g.get("class") == css_class]


def rectangle(element):
    """Left, top, right and bottom of a <rect>."""
    x, y, width, height = (float(element.get(name)) for name in ("x", "y", "width", "height"))
    return x, y, x + width, y + height


def box_of(group):
    """A group's own rectangle: its first."""
    return rectangle(group.find(f"{NAMESPACE}rect"))


def text_corners(element):
    size = float(element.get("font-size"))
    widths = BOLD if element.get("font-weight") == "bold" else NORMAL
    width = sum(widths[ord(c) - 32] * size / 100 if " " <= c <= "~" else size
                for c in element.text or "")
    left = {None: 0, "middle": -width / 2, "end": -width}[element.get("text-anchor")]
    x, y = float(element.get("x")), float(element.get("y"))
    angle = 0
    if transform := element.get("transform"):
        angle = math.radians(float(transform.removeprefix("rotate(").split()[0]))
    corners = [(left, -0.75 * size), (left + width, -0.75 * size), (left + width, 0.22 * size),
               (left, 0.22 * size)]
    return [(x + u * math.cos(angle) - v * math.sin(angle),
             y + u * math.sin(angle) + v * math.cos(angle)) for u, v in corners]


def inside(corners, box):
    left, top, right, bottom = box
    return all(left - SLACK <= x <= right + SLACK and top - SLACK <= y <= bottom + SLACK
               for x, y in corners)


def corners_of(box):
    left, top, right, bottom = box
    return [(left, top), (right, bottom)]


def disjoint(a, b):
    return (a[2] <= b[0] + SLACK or b[2] <= a[0] + SLACK or a[3] <= b[1] + SLACK
            or b[3] <= a[1] + SLACK)


def turned_overlap(a, b):
    """Whether two convex shapes, corners in order, have an inner point in common."""
    for shape in (a, b):
        for (px, py), (qx, qy) in zip(shape, shape[1:] + shape[:1]):
            along_a = [x * (qy - py) - y * (qx - px) for x, y in a]
            along_b = [x * (qy - py) - y * (qx - px) for x, y in b]
            slack = SLACK * math.hypot(qx - px, qy - py)
            if max(along_a) <= min(along_b) + slack or max(along_b) <= min(along_a) + slack:
                return False
    return True


def faults(root):
    """What is wrong with any picture: names for who cannot see it, text beyond the paper."""
    paper = (0, 0, float(root.get("width")), float(root.get("height")))
    ids = {e.get("id"): tag(e) for e in root.iter() if e.get("id")}
    labels = root.get("aria-labelledby", "").split()
    if [ids.get(label) for label in labels] != ["title", "desc"]:
        yield f"aria-labelledby names {labels}, expected the ids of a title and a desc"
    for name in ("title", "desc"):
        if not (root.findtext(NAMESPACE + name) or "").strip():
            yield f"the {name} is empty"
    for element in root.iter(f"{NAMESPACE}text"):
        if not inside(text_corners(element), paper):
            yield f"the text '{element.text}' leaves the paper"
        if not element.text:
            yield "a text is empty"


def overlapping_texts(root):
    texts = [(e.text, text_corners(e)) for e in root.iter(f"{NAMESPACE}text")]
    for i, (name, corners) in enumerate(texts):
        for other, others in texts[:i]:
            if turned_overlap(corners, others):
                yield f"the texts '{name}' and '{other}' overlap"


def machine_faults(group):
    """What is wrong with the boxes of a machine: those within a group of one of BOXES."""
    own = box_of(group)
    name = title_of(group.find(f"{NAMESPACE}rect"))
    texts = [rectangle_of_text(e) for e in group.findall(f"{NAMESPACE}text")]
    for element, box in zip(group.findall(f"{NAMESPACE}text"), texts):
        if not inside(corners_of(box), own):
            yield f"the text '{element.text}' leaves its box, {name}"
    inner = [g for g in group.findall(f"{NAMESPACE}g") if g.get("class") in BOXES]
    boxes = [box_of(g) for g in inner]
    for g, box in zip(inner, boxes):
        if not inside(corners_of(box), own):
            yield f"{title_of(g.find(f'{NAMESPACE}rect'))} leaves {name}"
        yield from machine_faults(g)
    everything = texts + boxes
    for i, a in enumerate(everything):
        for b in everything[:i]:
            if not disjoint(a, b):
                yield f"two things overlap in {name}"


def rectangle_of_text(element):
    corners = text_corners(element)
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return min(xs), min(ys), max(xs), max(ys)
