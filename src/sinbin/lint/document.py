"""A file, or a text in memory, as the engine sees it."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from sinbin.lint.context import Context
from sinbin.lint.finding import Located, Place, Span


@dataclass(frozen=True, slots=True)
class Reading:
    """A fault that showed while a document was read, reported under a rule of the SB0xx series."""

    rule: str
    mark: tuple[int, int]
    message: str
    help: str


@dataclass(frozen=True, slots=True)
class Suppression:
    """A comment that silences rules for a part of its document."""

    rules: tuple[str, ...]
    reason: str
    place: Place
    covers: tuple[int, int]
    """Offsets of the part it speaks for."""


class Document(ABC):
    """What rules judge, with its path as people will read it."""

    path: str
    text: str
    context: Context
    readings: Sequence[Reading] = ()
    suppressions: Sequence[Suppression] = ()
    families: ClassVar[tuple[str, ...]] = ()
    """The families of rules that have something to judge in such a document."""
    writable = True
    """Whether an edit's offsets count the characters of the file itself."""

    @abstractmethod
    def subjects(self, family: str) -> Iterable[Any]:
        """Return the parts of the document that rules of `family` judge."""

    @abstractmethod
    def span(self, mark: tuple[int, int]) -> Span:
        """Return lines and columns of two offsets."""

    def place(self, where: Any) -> Located:
        """Return what a problem points at as a place in this document."""
        located: Located = where
        return located

    def source_line(self, line: int) -> str:
        """Return the text of line `line`, from 1, without its line break."""
        return self._lines[line - 1] if 0 < line <= len(self._lines) else ""

    @cached_property
    def _lines(self) -> list[str]:
        return self.text.splitlines()

    def write(self, text: str) -> bytes:
        """Return `text` as the bytes of the file: same encoding, same byte-order mark."""
        return text.encode("utf-8")
