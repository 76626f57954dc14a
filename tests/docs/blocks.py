"""The blocks of code in the README and the pages of docs/."""

import pathlib
import re
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "README.ja.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    page: str    # its file's name
    number: int  # in the page, from 0 on
    kind: str    # what stands behind ```
    text: str

    @property
    def name(self):
        return f"{self.page} block {self.number}"

    def commands(self):
        """What is typed, with the output that is shown: lines that begin with `$`, joined where they
        end with a backslash. Without any, lines that begin with the program's name."""
        text = self.text.replace("\\\n", " ")
        if not re.search(r"^\$ ", text, re.MULTILINE):
            lines = [line for line in text.splitlines() if line.startswith("kinjo ")]
            return [(line, "") for line in lines]
        parts = re.split(r"^\$ (.*)\n", text, flags=re.MULTILINE)[1:]
        return list(zip(parts[::2], parts[1::2]))


def blocks():
    found = []
    for page in PAGES:
        for number, match in enumerate(FENCE.finditer(page.read_text(encoding="utf-8"))):
            indent, kind, text = match.groups()
            text = re.sub(rf"^{indent}", "", text, flags=re.MULTILINE)
            found.append(Block(page.name, number, kind, text))
    return found
