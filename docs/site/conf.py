"""How Sphinx makes a site of README.md and docs/*.md, as they lie: scripts/docs calls it.

docs/index.md gives the order. It is plain Markdown that reads the same on a forge; the lists of links
under its headings become the site's tables of contents here."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"^- \[[^]]*\]\(([^)#:]+)\.md\)", re.MULTILINE)


def version_of_project():
    """The one number, which stands in CMakeLists.txt."""
    return re.search(r"project\(kinjo VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def contents(text):
    """A hidden table of contents for each heading of docs/index.md with links under it."""
    tables = []
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        pages = LINK.findall(section)
        if pages:
            caption = section.splitlines()[0]
            tables.append("\n".join(["", "```{toctree}", ":hidden:", f":caption: {caption}", "",
                                     *(f"/docs/{page}" if not page.startswith("../") else page[2:]
                                       for page in pages), "```", ""]))
    return "".join(tables)


def add_contents(app, name, source):
    if name == "docs/index":
        source[0] += contents(source[0])


def setup(app):
    app.connect("source-read", add_contents)


project = "kinjo"
version = release = version_of_project()
copyright = ""
html_show_copyright = False
html_show_sphinx = False

extensions = ["myst_parser"]
myst_heading_anchors = 4
root_doc = "docs/index"
include_patterns = ["README.md", "README.ja.md", "CHANGELOG.md", "NOTICE.md", "docs/*.md"]
exclude_patterns = ["build/**", "docs/site/**"]
highlight_language = "none"  # what names no language is a terminal
suppress_warnings = ["misc.highlighting_failure"]  # "…" stands for what is left out
html_theme = "alabaster"
html_theme_options = {"description": "Keeps every thread next to its data",
                      "fixed_sidebar": True, "page_width": "1100px", "sidebar_width": "260px"}
html_sidebars = {"**": ["about.html", "searchbox.html", "navigation.html"]}
