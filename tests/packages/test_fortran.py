"""The Fortran module says the same as kinjo.h: functions with their arguments, types, constants."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADER = re.sub(r"//.*", "", (ROOT / "include" / "kinjo" / "kinjo.h").read_text(encoding="utf-8"))
SOURCES = {p.name: p.read_text(encoding="utf-8") for p in sorted((ROOT / "fortran").glob("*.f90"))}
C_SIDE = re.sub(r"&\n\s*", "", "".join(text for name, text in SOURCES.items() if name != "kinjo.f90"))

# What stands for a number of C.
NUMBERS = {"int": "integer(c_int)", "unsigned": "integer(c_int)", "double": "real(c_double)",
           "float": "real(c_float)", "size_t": "integer(c_size_t)", "ptrdiff_t": "integer(c_ptrdiff_t)",
           "int64_t": "integer(c_int64_t)", "uint64_t": "integer(c_int64_t)",
           "int32_t": "integer(c_int32_t)", "uint32_t": "integer(c_int32_t)"}
ENUMERATIONS = set(re.findall(r"typedef enum (\w+)", HEADER))
FUNCTIONS = set(re.findall(r"typedef int \(\*(\w+)\)", HEADER))
STRUCTURES = re.findall(r"typedef struct (\w+) \{(.*?)\n\} \1;", HEADER, re.DOTALL)


def split(declaration):
    """`const double* x` as ("const double*", "x")."""
    kind, name = re.fullmatch(r"(.*?)(\w+)", " ".join(declaration.split())).groups()
    return kind.strip().replace(" *", "*"), name


def prototypes():
    code = re.sub(r"typedef (struct|enum) \w+ \{.*?\} \w+;|typedef [^{}]*?;", "", HEADER, flags=re.DOTALL)
    for result, name, arguments in re.findall(
            r"^((?:const )?\w+\*?) (kinjo_\w+)\(([^)]*)\);", code, re.MULTILINE):
        parts = [] if arguments.strip() == "void" else [split(a) for a in arguments.split(",")]
        yield name, result, parts


def declarations(body):
    """The names that a body declares, each with its type, its attributes and its shape."""
    found = {}
    for kind, names in re.findall(r"^ +(\S.*?) :: (.*)$", body, re.MULTILINE):
        for name, shape in re.findall(r"(\w+)(\([^)]*\))?", names.split(" = ")[0]):
            found[name] = (*(kind.split(", ")), shape)
    return found


def interfaces():
    """Of each function of C: the type of its result, None for a subroutine, and its arguments."""
    for form, name, arguments, label, body in re.findall(
            r"^    (function|subroutine) (\w+)\(([^)]*)\) bind\(c(?:, name='(\w+)')?\)(.*?)"
            r"^    end (?:function|subroutine)", C_SIDE, re.MULTILINE | re.DOTALL):
        known = declarations(body)
        yield (label or name), (known["r"][0] if form == "function" else None), [
            (a, known[a]) for a in re.findall(r"\w+", arguments)]


def result_of(kind):
    if kind == "void":
        return None
    if "*" in kind:
        return "type(c_ptr)"
    return NUMBERS.get(kind, f"type({kind})")


def ways(kind):
    """How an argument of C may be declared: (type, attributes …, shape), without `optional`."""
    base = kind.removeprefix("const ").rstrip("*")
    base = "int" if base in ENUMERATIONS else base
    handle = ("type(c_ptr)", "value", "")
    if kind.endswith("**"):
        return [("type(c_ptr)", "intent(out)", "")]
    if not kind.endswith("*"):
        return [("type(c_funptr)" if base in FUNCTIONS else NUMBERS[base], "value", "")]
    intents = ["intent(in)"] if kind.startswith("const ") else ["intent(out)", "intent(inout)"]
    if base == "char":
        return [("character(kind=c_char)", "intent(in)", "(*)")] if intents == ["intent(in)"] else [handle]
    if base == "void":
        return [handle, *(("type(*)", i, "(*)") for i in intents)]
    if base in NUMBERS:
        return [(NUMBERS[base], i, shape) for i in intents for shape in ("", "(*)")
                if shape or i != "intent(in)"]
    if base in dict(STRUCTURES):
        return [(f"type({base})", i, shape) for i in intents for shape in ("", "(*)")]
    return [handle]


class Functions(unittest.TestCase):
    def setUp(self):
        self.there = {name: (result, arguments) for name, result, arguments in interfaces()}

    def test_are_those_of_the_header(self):
        expected = [name for name, _, _ in prototypes()]
        self.assertGreater(len(expected), 150)
        self.assertEqual(sorted(self.there), sorted(expected))

    def test_have_its_arguments_and_results(self):
        for name, result, arguments in prototypes():
            with self.subTest(name):
                mine, declared = self.there[name]
                self.assertEqual(mine, result_of(result))
                self.assertEqual([a for a, _ in declared], [a for _, a in arguments])
                for (argument, form), (kind, _) in zip(declared, arguments):
                    self.assertIn(tuple(part for part in form if part != "optional"), ways(kind), argument)

    def test_of_c_strings_are_in_the_module_under_their_own_names(self):
        own = re.findall(r"^  function (kinjo_\w+)", SOURCES["kinjo.f90"], re.MULTILINE)
        hidden = re.findall(r"function c_(\w+)\(", C_SIDE)
        self.assertGreater(len(hidden), 10)
        self.assertEqual({f"kinjo_{name}" for name in hidden} - set(own), set())


class WholeArrays(unittest.TestCase):
    def test_are_as_long_as_64_bits_say(self):
        self.assertEqual(re.findall(r"\bsize\([xyabc](?:, \d)?\)|\bshape\([abc]\)", SOURCES["kinjo.f90"]), [])


class Constants(unittest.TestCase):
    def test_are_those_of_the_header(self):
        bodies = re.findall(r"enum(?: \w+)? \{(.*?)\}", HEADER, re.DOTALL)
        expected = {name.lower(): value for body in bodies
                    for name, value in re.findall(r"(\w+) = (-?\d+)", body)}
        mine = dict(re.findall(r"integer\(c_int\), parameter :: (\w+) = (-?\d+)", C_SIDE))
        self.assertEqual(mine, expected)


class Types(unittest.TestCase):
    def members(self, body):
        body = re.sub(r"struct \{.*?\} (\w+)\[\w+\];", r"struct \1;", body, flags=re.DOTALL)
        for declaration in filter(None, (d.strip() for d in body.split(";"))):
            first, *others = (part.strip() for part in declaration.split(","))
            kind, name = split(first)
            for member in (name, *others):
                yield kind, member

    def test_have_the_members_of_the_header_in_their_order(self):
        mine = dict(re.findall(r"^  type, bind\(c\) :: (\w+)\n(.*?)^  end type", C_SIDE, re.MULTILINE | re.DOTALL))
        self.assertEqual(set(mine) - {"kinjo_audit_node"}, {name for name, _ in STRUCTURES})
        for name, body in STRUCTURES:
            with self.subTest(name):
                found = [(member, form[0]) for member, form in declarations(mine[name]).items()]
                expected = []
                for kind, member in self.members(body):
                    kind = "int" if kind in ENUMERATIONS else kind
                    if "*" in kind or kind in FUNCTIONS:
                        form = "type(c_ptr)" if "*" in kind else "type(c_funptr)"
                    else:
                        inner = kind if kind in dict(STRUCTURES) else f"{name}_node"
                        form = NUMBERS.get(kind, f"type({inner})")
                    expected.append((member, form))
                self.assertEqual(found, expected)

    def test_of_an_audit_have_the_members_of_their_list(self):
        inner, = re.findall(r"struct \{([^{}]*)\} nodes", dict(STRUCTURES)["kinjo_audit"])
        body, = re.findall(r":: kinjo_audit_node\n(.*?)^  end type", C_SIDE, re.MULTILINE | re.DOTALL)
        self.assertEqual([(m, f[0]) for m, f in declarations(body).items()],
                         [(m, NUMBERS[k]) for k, m in self.members(inner)])


if __name__ == "__main__":
    unittest.main(verbosity=2)
