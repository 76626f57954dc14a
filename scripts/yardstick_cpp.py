"""A light reader of C and C++ for scripts/yardstick: functions and declarations, with their lines.

It blanks comments, strings and preprocessor lines, and then walks over the braces. What stands before
an opening brace tells what it opens: a namespace, a type, a function, or the value of a variable. The
insides of functions are skipped. It knows no types and expands no macros; braces that do not close are
an error, so that a file which it cannot follow is never a file without faults."""

import dataclasses
import re

QUIET = re.compile(
    r"""//[^\n]* | /\*.*?\*/ | R"(?P<raw>[^(\s]*)\(.*?\)(?P=raw)"
        | "(?:\\.|[^"\\\n])*" | (?<!\w)'(?:\\.|[^'\\\n])+'
        | ^[ \t]*\#(?:[^\n\\]|\\.)*""",
    re.DOTALL | re.MULTILINE | re.VERBOSE)
ACCESS = re.compile(r"^\s*(public|private|protected)\s*:(?!:)")
MACROS = re.compile(r"(?:\s*[A-Z][A-Z0-9_]+\([^()]*\))*\s*")  # that stand for declarations
TESTS = {"TEST", "TEST_F", "TEST_P", "TYPED_TEST", "TYPED_TEST_P"}
NOT_NAMES = {"__attribute__", "alignas", "decltype", "explicit", "noexcept", "requires"}


@dataclasses.dataclass
class Declaration:
    """A declaration of a namespace or a type; of a function, `body` tells whether it is defined."""

    kind: str  # "function", "type" or "other"
    name: str
    head: str  # all before its body or semicolon, without comments, on one line
    line: int  # where it begins, from 1
    last_line: int
    scopes: tuple  # the names of what encloses it, outermost first; "" where it has none
    is_member: bool
    is_public: bool
    has_body: bool


def blank(text):
    """The text with comments, strings and preprocessor lines as spaces: every line stays in place."""
    return QUIET.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def without_groups(head):
    """The head without what stands in parentheses, in braces and in a template's angle brackets."""
    while True:
        shorter = re.sub(r"\([^(){}]*\)|\{[^(){}]*\}", "\0", head)
        if shorter == head:
            break
        head = shorter
    head = head.replace("\0", "()")
    while (start := re.search(r"\btemplate\s*<", head)) is not None:
        depth, at = 1, start.end()
        while depth and at < len(head):
            depth += {"<": 1, ">": -1}.get(head[at], 0)
            at += 1
        head = head[: start.start()] + head[at:]
    return head.strip()


def without_arguments(flat):
    """What `without_groups` left, without the arguments of templates."""
    shorter = None
    while shorter != flat and "operator" not in flat:
        shorter, flat = flat, re.sub(r"<[^<>]*>", "", flat)
    return flat


def function_name(flat):
    """The name before the first list of parameters, or None."""
    flat = without_arguments(flat)
    for match in re.finditer(r"(operator\s*(?:\(\)|[^\s(]+)|[~\w:]+(?:<[^<>()]*>)?)\s*\(\)", flat):
        if match.group(1) not in NOT_NAMES:
            return match.group(1)
    return None


def opened_by(head):
    """What an opening brace after this text opens: "namespace", "type", "function" or "value"."""
    if head.count("(") > head.count(")"):
        return "value"  # an argument
    flat = without_groups(head)
    if re.match(r"(inline\s+)?namespace\b", flat) or flat in ("", "extern"):
        return "namespace"
    if re.search(r"(?<![=!<>])=(?!=)", re.sub(r"operator\s*\S+", "operator", flat)):
        return "value"
    if re.search(r"\b(class|struct|union|enum)\b", flat) and not flat.endswith(")"):
        return "type"
    if "()" not in flat:
        return "value"
    initialisers = re.search(r"\(\)[\w\s]*:(?!:)(.*)$", flat, re.DOTALL)
    if initialisers and re.search(r"(?:^|,)\s*[\w:]+(?:<[^()]*>)?$", initialisers.group(1)):
        return "value"  # member{…} in a constructor's list
    return "function"


class Reader:
    def __init__(self, text):
        self.text = blank(text)
        self.found = []

    def line_of(self, at):
        return self.text.count("\n", 0, at) + 1

    def close_of(self, opening):
        """Where the brace that opens here closes."""
        depth = 0
        for match in re.compile(r"[{}]").finditer(self.text, opening):
            depth += 1 if match.group() == "{" else -1
            if depth == 0:
                return match.start()
        raise ValueError(f"line {self.line_of(opening)}: this brace does not close")

    def add(self, kind, begin, head_end, end, scopes, is_member, is_public):
        head = self.text[begin:head_end]
        begin += len(head) - len(head.lstrip())
        head = " ".join(head.split())
        flat = without_groups(head)
        name = function_name(flat) if kind == "function" else None
        if name in TESTS:  # GoogleTest's TEST(Suite, Name)
            name = ".".join(re.findall(r"\w+", head.partition("(")[2])[:2])
        if kind == "type":
            name = re.split(r"[:{]", re.sub(r"::", "\0", flat))[0].replace("\0", "::")
            name = re.sub(r"\(\)|\bfinal\b", " ", name).split()[-1]
        self.found.append(Declaration(kind, name or head[:40], head, self.line_of(begin),
                                      self.line_of(end), scopes, is_member, is_public,
                                      self.text[end] == "}"))
        return self.found[-1]

    def read(self, begin, end, scopes, is_member, is_public):
        """Reads a scope's inside; `begin` is where the declaration at hand begins."""
        at = begin
        while at < end:
            access = ACCESS.match(self.text[begin:end])
            if access:
                is_public = access.group(1) == "public"
                begin = at = begin + access.end()
            match = re.compile(r"[{};]").search(self.text, at, end)
            if match is None:
                break
            at = match.start()
            head = self.text[begin:at]
            if match.group() == "}":
                raise ValueError(f"line {self.line_of(at)}: this brace opens nowhere")
            if match.group() == ";":
                if head.strip():
                    flat = without_groups(re.sub(r"\{.*\}", "", head, flags=re.DOTALL))
                    flat = without_arguments(flat)
                    is_function = "()" in flat.split("=")[0] and not re.match(
                        r"\s*(using|typedef|static_assert|friend)\b", flat)
                    self.add("function" if is_function else "other", begin, at, at, scopes, is_member,
                             is_public)
                begin = at = at + 1
                continue
            closing = self.close_of(at)
            what = opened_by(head)
            if what == "value":
                at = closing + 1
                continue
            if what == "namespace":
                name = re.sub(r"^.*\bnamespace\b|\bextern\b", "", head, flags=re.DOTALL).strip()
                self.read(at + 1, closing, scopes + (name,), False, True)
            elif what == "type":
                made = self.add("type", begin, at, closing, scopes, is_member, is_public)
                if not re.search(r"\benum\b", head):
                    inside_public = is_public and not re.search(r"\bclass\b", without_groups(head))
                    self.read(at + 1, closing, scopes + (made.name,), True, inside_public)
                # `} name;` belongs to the type.
                rest = re.compile(r"[\w\s]*;").match(self.text, closing + 1)
                closing = rest.end() - 1 if rest else closing
            else:
                self.add("function", begin, at, closing, scopes, is_member, is_public)
            begin = at = closing + 1
        if not MACROS.fullmatch(self.text, begin, end):
            begin = re.compile(r"\s*").match(self.text, begin).end()
            raise ValueError(f"line {self.line_of(begin)}: this declaration does not end")


def declarations(text):
    """All declarations of a file that stand outside of functions. Throws ValueError."""
    reader = Reader(text)
    reader.read(0, len(reader.text), (), False, True)
    return reader.found
