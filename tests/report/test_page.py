"""The report as a browser and a parser see it, made from the invented records of
tests/support/report_samples.cpp."""

import html.parser
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from browser import Browser, find_browser  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAKE_REPORTS = pathlib.Path(os.environ["KINJO_BUILD"]) / "tests" / "report" / "make_reports"
NAMES = ("four_nodes", "one_node", "failed", "single_record", "large", "hostile", "suite")
NEEDS_BROWSER = unittest.skipUnless(
    find_browser(), "needs Chromium (Debian's chromium-headless-shell)")

# Elements without an end tag, and those that end an open <p>.
VOID = {"br", "link", "meta"}
BLOCKS = {"dl", "figure", "h1", "h2", "h3", "h4", "ol", "p", "pre", "section", "table", "ul", "div"}

# Figures that are shown, and those whose details somebody opened.
SHOWN = """[...document.querySelectorAll('svg')].filter(s => s.checkVisibility()).map(s => {
  const r = s.getBoundingClientRect(); return [r.width, r.height] })"""
OPEN_ALL = "document.querySelectorAll('details').forEach(d => { d.open = true })"

# Pairs of texts of a figure that lie on each other, and texts that reach out of it. A font's boxes
# are higher than its letters, so boxes may touch by a part of their height.
CLASHES = """(() => {
  const found = []
  for (const svg of document.querySelectorAll('svg')) {
    const frame = svg.getBoundingClientRect()
    const scale = frame.width / svg.viewBox.baseVal.width
    const texts = [...svg.querySelectorAll('text')].filter(t => t.textContent.trim())
      .map(t => ({text: t.textContent, box: t.getBoundingClientRect(),
                  turned: t.hasAttribute('transform')}))
    for (const {text, box} of texts) {
      if (box.left < frame.left - 1 || box.right > frame.right + 1 ||
          box.top < frame.top - 3 * scale || box.bottom > frame.bottom + 3 * scale) {
        found.push('cut: ' + text)
      }
    }
    texts.sort((a, b) => a.box.top - b.box.top)
    for (let i = 0; i < texts.length; ++i) {
      for (let k = i + 1; k < texts.length && texts[k].box.top < texts[i].box.bottom; ++k) {
        if (texts[i].turned || texts[k].turned) continue  // their boxes are larger than they are
        const [a, b] = [texts[i].box, texts[k].box]
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left)
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
        if (wide > 1 && high > 0.35 * Math.min(a.height, b.height)) {
          found.push('overlap: ' + texts[i].text + ' | ' + texts[k].text)
        }
      }
    }
  }
  return found
})()"""

# Texts of the page whose contrast with what lies behind them is below 4.5 (WCAG AA).
PALE = """(() => {
  const channels = c => c.match(/[\\d.]+/g).map(Number)
  const light = c => channels(c).slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0)
  const behind = e => {
    for (; e; e = e.parentElement) {
      const c = getComputedStyle(e).backgroundColor
      if (channels(c)[3] !== 0) return c
    }
    return 'rgb(255, 255, 255)'
  }
  const found = []
  for (const e of document.querySelectorAll('body *:not(svg, svg *, script, style)')) {
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())) continue
    const [a, b] = [light(getComputedStyle(e).color), light(behind(e))]
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
    if (ratio < 4.5) found.push([e.localName, e.textContent.slice(0, 40), ratio])
  }
  return found
})()"""


class Reader(html.parser.HTMLParser):
    """Follows a page strictly: what opens must close, in order."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.faults, self.ids, self.headings = [], [], [], []
        self.figures, self.svgs, self.records = [], [], ""

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        if len(names) != len(set(names)):
            self.faults.append(f"<{tag}> has an attribute twice")
        if tag in BLOCKS and "p" in self.open:
            self.faults.append(f"<{tag}> in <p>")
        attributes = dict(attributes)
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if len(tag) == 2 and tag[0] == "h" and tag[1].isdigit():
            self.headings.append(int(tag[1]))
        if tag == "figure":
            self.figures.append(set())
        elif "figure" in self.open and tag in ("svg", "table", "caption"):
            self.figures[-1].add(tag)
        if tag == "svg":
            self.svgs.append((attributes, {}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        if "svg" not in self.open:
            self.faults.append(f"<{tag}/> outside of SVG")

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.faults.append(f"</{tag}> while {self.open[-3:]} are open, {self.getpos()}")
        else:
            self.open.pop()

    def handle_data(self, data):
        if self.open[-2:-1] == ["svg"] and self.open[-1] in ("title", "desc"):
            self.svgs[-1][1][self.open[-1]] = data
        if self.open[-1:] == ["script"] and "details" in self.open:
            self.records += data


class Reports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        subprocess.run([MAKE_REPORTS, cls.folder.name], check=True, timeout=240)

    def path(self, name):
        return pathlib.Path(self.folder.name) / f"{name}.html"


class Markup(Reports):
    def read(self, name):
        reader = Reader()
        reader.feed(self.path(name).read_text(encoding="utf-8"))
        reader.close()
        return reader

    def test_closes_in_order_what_it_opens(self):
        for name in NAMES:
            with self.subTest(name):
                reader = self.read(name)
                self.assertEqual((reader.faults, reader.open), ([], []))

    def test_names_each_id_once(self):
        for name in NAMES:
            with self.subTest(name):
                ids = self.read(name).ids
                self.assertEqual(len(ids), len(set(ids)))

    def test_leaves_out_no_level_of_headings(self):
        for name in NAMES:
            with self.subTest(name):
                headings = self.read(name).headings
                self.assertEqual((headings[0], headings.count(1)), (1, 1))
                for above, below in zip(headings, headings[1:]):
                    self.assertLessEqual(below, above + 1, headings)

    def test_has_a_title_a_description_and_a_table_for_each_figure(self):
        for name in NAMES:
            with self.subTest(name):
                reader = self.read(name)
                self.assertGreaterEqual(len(reader.figures), 4)
                for figure in reader.figures:
                    self.assertEqual(figure, {"svg", "table", "caption"})
                for attributes, words in reader.svgs:
                    self.assertEqual(attributes["role"], "img")
                    self.assertTrue(words["title"].strip() and words["desc"].strip(), words)
                    for part in attributes["aria-labelledby"].split():
                        self.assertIn(part, reader.ids)

    def test_holds_its_records_as_json(self):
        for name in NAMES:
            with self.subTest(name):
                records = json.loads(self.read(name).records)
                self.assertEqual(records["schema"], "kinjo-records/1")
                self.assertGreaterEqual(len(records["records"]), 1)
        self.assertEqual(len(json.loads(self.read("large").records)["records"]), 300)


class Documentation(Reports):
    def test_shows_how_the_records_are_read(self):
        text = (ROOT / "docs" / "report.md").read_text(encoding="utf-8")
        recipe, = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        found = {}
        exec(recipe.replace("report.html", str(self.path("four_nodes"))), found)
        self.assertEqual(len(found["records"]), 52)


@NEEDS_BROWSER
class InABrowser(Reports):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def open(self, name, **options):
        self.browser.open(self.path(name), **options)

    def assert_quiet(self, name):
        """Nothing was fetched but the page, and nothing went wrong."""
        self.assertEqual(self.browser.requests, [self.path(name).resolve().as_uri()])
        self.assertEqual(self.browser.faults, [])

    def test_fetches_nothing_and_has_no_script_error(self):
        for name in NAMES:
            with self.subTest(name):
                self.open(name)
                self.browser.evaluate(OPEN_ALL)
                self.assert_quiet(name)

    def test_shows_all_its_figures(self):
        expected = {"four_nodes": 17, "one_node": 7, "failed": 7, "single_record": 7, "large": 23, "suite": 28}
        for name, count in expected.items():
            with self.subTest(name):
                self.open(name)
                shown = self.browser.evaluate(SHOWN)
                self.assertEqual(len(shown), count)
                for width, height in shown:
                    self.assertGreater(width, 100)
                    self.assertGreater(height, 50)

    def test_has_no_text_on_text_and_none_cut(self):
        for name in NAMES:
            with self.subTest(name):
                self.open(name)
                self.browser.evaluate(OPEN_ALL)
                self.assertEqual(self.browser.evaluate(CLASHES), [])

    def test_is_never_wider_than_the_window(self):
        for name in NAMES:
            with self.subTest(name):
                for width in (1200, 400):
                    self.open(name, width=width)
                    self.browser.evaluate(OPEN_ALL)
                    self.assertLessEqual(
                        self.browser.evaluate("document.documentElement.scrollWidth"), width)

    def test_is_legible_by_day_and_by_night(self):
        for dark in (False, True):
            for name in ("four_nodes", "failed", "suite"):
                with self.subTest(name, dark=dark):
                    self.open(name, dark=dark)
                    self.browser.evaluate(OPEN_ALL)
                    self.assertEqual(self.browser.evaluate(PALE), [])

    def test_is_readable_without_javascript(self):
        for name in ("four_nodes", "one_node"):
            with self.subTest(name):
                self.open(name)
                with_script = self.browser.evaluate(SHOWN)
                self.open(name, script=False)
                self.assertEqual(self.browser.evaluate(SHOWN), with_script)
                self.assertEqual(self.count("th button"), 0)
                self.assert_quiet(name)
                text = self.browser.evaluate("document.body.innerText")
                self.assertIn("1 Verdict", text)
                self.assertIn("kinjo tune stream", text)

    def centre(self, selector):
        self.browser.evaluate(
            f"document.querySelector({selector!r}).scrollIntoView({{block: 'center'}})")
        return self.browser.evaluate(
            f"(r => [r.left + r.width / 2, r.top + r.height / 2])"
            f"(document.querySelector({selector!r}).getBoundingClientRect())")

    def count(self, selector):
        return self.browser.evaluate(f"document.querySelectorAll({selector!r}).length")

    def column(self, table, column):
        return self.browser.evaluate(
            f"[...document.querySelector({table!r}).tBodies[0].rows]"
            f".map(r => r.cells[{column}].textContent)")

    def test_opens_tables_without_javascript(self):
        self.open("four_nodes", script=False)
        self.browser.click(*self.centre("#curves summary"))
        self.assertTrue(self.browser.evaluate(
            "document.querySelector('#curves table').checkVisibility()"))

    def test_sorts_a_table_by_the_column_that_is_clicked(self):
        self.open("four_nodes")
        self.browser.evaluate(OPEN_ALL)
        before = self.column("#curves table", 1)
        self.assertEqual(before, ["1", "2", "4", "8", "16", "32", "64"] * 4)
        button = "#curves table th:nth-child(2) button"
        self.browser.click(*self.centre(button))
        self.assertEqual(self.column("#curves table", 1), sorted(before, key=int))
        self.assertEqual(self.browser.evaluate(
            "document.querySelector('#curves table th:nth-child(2)').ariaSort"), "ascending")
        self.browser.click(*self.centre(button))
        self.assertEqual(self.column("#curves table", 1), sorted(before, key=int, reverse=True))
        self.browser.click(*self.centre("#curves table th:nth-child(1) button"))
        self.assertEqual(self.column("#curves table", 0),
                         sorted(["none", "scatter", "compact", "compact-plus"] * 7))

    def test_shows_a_tip_beside_the_pointer(self):
        self.open("four_nodes")
        self.browser.move_pointer(*self.centre("#verdict .cell:nth-of-type(2) rect"))
        self.assertEqual(self.browser.evaluate("document.querySelector('#tip').hidden"), False)
        self.assertRegex(self.browser.evaluate("document.querySelector('#tip').textContent"),
                         r"^stream, scatter: better, 16 threads, 1\d\d GB/s, 2\.\d\d ×$")
        self.browser.move_pointer(1, 1)
        self.assertEqual(self.browser.evaluate("document.querySelector('#tip').hidden"), True)
        self.assertEqual(self.count("#verdict .cell title"), 8)

    def test_prints(self):
        self.open("four_nodes")
        pdf = pathlib.Path(self.folder.name) / "page.pdf"
        self.browser.print_to_pdf(pdf)
        self.assertEqual(pdf.read_bytes()[:5], b"%PDF-")

    def test_runs_nothing_that_a_name_brings(self):
        self.open("hostile")
        self.assertRegex(self.browser.evaluate("document.title"), r"^<script>document\.title=")
        self.assertEqual(self.count("script"), 2)
        self.assert_quiet("hostile")


if __name__ == "__main__":
    unittest.main()
