"""What a rule finds: where, what is wrong, what to do about it."""

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple, Protocol


class Severity(IntEnum):
    """How sure and how bad: a documented fault is an error, an inferred one a warning, taste a note."""

    NOTE = 1
    WARNING = 2
    ERROR = 3

    @property
    def label(self) -> str:
        """The word for people and for `--fail-on`: error, warning, note."""
        return self.name.lower()


class Span(NamedTuple):
    """A piece of a file: lines and columns count from 1, columns in characters; the end is behind the piece."""

    line: int
    column: int
    end_line: int
    end_column: int


class Located(Protocol):
    """Anything a problem can point at: a policy element, an attribute, a JSON value."""

    @property
    def mark(self) -> tuple[int, int]:
        """Offsets of the characters to underline: the first, and the one behind the last."""

    @property
    def path(self) -> str:
        """Where it stands in the structure, free of lines: `policies/backend/retry[1]`, `/properties/url`."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place that is no node of its own, e.g. two characters inside an expression."""

    mark: tuple[int, int]
    path: str


WHOLE_FILE = Place((0, 0), "")


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Replace the characters `start` to `end` (behind the last one) of the file's text by `text`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Problem:
    """What a rule yields; the engine adds who found it and in which file.

    `message` is one line: what is wrong, with the values. `help` is what to do, in the imperative.
    `edits` are the smallest safe repair: applied, the problem is gone and nothing else has changed its meaning.
    """

    where: Located
    message: str
    help: str
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """A problem with its rule and file; findings sort by file, position and rule."""

    path: str
    line: int
    column: int
    rule: str
    name: str
    severity: Severity
    end_line: int
    end_column: int
    message: str
    help: str
    element: str = ""
    """`Located.path` of what is wrong: the part of a finding's identity that survives a moved line."""
    edits: tuple[Edit, ...] = ()
    mark: tuple[int, int] = (0, 0)
    """The offsets that line and column were made of."""

    @property
    def fixable(self) -> bool:
        """Whether `--fix` can repair it."""
        return bool(self.edits)

    def as_dict(self) -> dict[str, str | int | bool]:
        """Return the finding in the shape of `--format json`."""
        return {
            "rule": self.rule,
            "name": self.name,
            "severity": self.severity.label,
            "path": self.path,
            "line": self.line,
            "column": self.column,
            "end_line": self.end_line,
            "end_column": self.end_column,
            "message": self.message,
            "help": self.help,
            "fixable": self.fixable,
        }
