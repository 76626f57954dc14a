"""JSON files read field by field: what does not fit is one line with file, field and expectation."""

import json

from .failure import USAGE, Failure


class Field:
    """A value of a JSON file that knows where it stands."""

    def __init__(self, file, value, path=""):
        self._file = file
        self._path = path
        self.value = value

    @classmethod
    def of_file(cls, path, schema):
        """The whole file, once it is an object of that schema."""
        try:
            with open(path, encoding="utf-8") as file:
                value = json.load(file)
        except OSError as error:
            raise Failure(USAGE, f"{path}: {error.strerror}") from None
        except (ValueError, RecursionError) as error:
            raise Failure(USAGE, f"{path}: not JSON: {error}") from None
        whole = cls(path, value)
        if whole._is(dict).get("schema") != schema:
            whole._at("schema", whole.value.get("schema")).wrong(f'"{schema}"')
        return whole

    def wrong(self, expected):
        """Ends the reading here."""
        found = json.dumps(self.value)
        found = found if len(found) <= 40 else found[:37] + "..."
        raise Failure(
            USAGE, f"{self._file}: {self._path or 'file'}: expected {expected}, not {found}"
        )

    def missing(self, name):
        """Whether an object lacks a field."""
        return name not in self._is(dict)

    def member(self, name):
        """A field of an object."""
        if self.missing(name):
            raise Failure(USAGE, f"{self._file}: {self._join(name)}: missing")
        return self._at(name, self.value[name])

    def members(self):
        """All fields of an object, as (name, Field)."""
        return [(name, self._at(name, value)) for name, value in self._is(dict).items()]

    def items(self, length=None):
        """The elements of a list, of exactly `length` where that is given."""
        if not isinstance(self.value, list) or length not in (None, len(self.value)):
            self.wrong("a list" if length is None else f"a list of {length}")
        return [
            Field(self._file, value, f"{self._path}[{n}]") for n, value in enumerate(self.value)
        ]

    def text(self):
        """A string."""
        return self.value if isinstance(self.value, str) else self.wrong("a string")

    def texts(self):
        """A list of strings."""
        return [item.text() for item in self.items()]

    def whole(self):
        """An integer that is not negative."""
        fits = isinstance(self.value, int) and not isinstance(self.value, bool) and self.value >= 0
        return self.value if fits else self.wrong("a whole number >= 0")

    def rate(self):
        """A number above zero."""
        fits = isinstance(self.value, (int, float)) and not isinstance(self.value, bool)
        return self.value if fits and 0 < self.value < 1e12 else self.wrong("a number > 0")

    def one_of(self, known):
        """A value that is in `known`."""
        hashable = isinstance(self.value, (str, int)) and not isinstance(self.value, bool)
        if hashable and self.value in known:
            return self.value
        return self.wrong("one of " + ", ".join(map(str, known)))

    def _is(self, kind):
        return self.value if isinstance(self.value, kind) else self.wrong("an object")

    def _at(self, name, value):
        return Field(self._file, value, self._join(name))

    def _join(self, name):
        return f"{self._path}.{name}" if self._path else name
