"""A parsed policy file as a whole."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from sinbin.policy.nodes import Comment, Element, Node
from sinbin.policy.source import Position, Source
from sinbin.policy.steps import steps_of

if TYPE_CHECKING:
    from sinbin.policy.placement import Placement

SECTIONS = ("inbound", "backend", "outbound", "on-error")


class DocumentKind(StrEnum):
    """What a file holds, by its outermost elements."""

    POLICIES = "policies"
    """A policy document: one `<policies>`."""
    FRAGMENT = "fragment"
    """A policy fragment: one `<fragment>`."""
    SECTIONS = "sections"
    """Bare sections, as samples and templates keep them: they need a `<policies>` around them to be deployed."""
    STATEMENTS = "statements"
    """Bare policies, to be pasted into a section."""
    OTHER = "other"
    """No policy at all: some other XML, or nothing."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A place where the text is not what the dialect allows; everything else is still parsed.

    `kind` names it in kebab-case and is stable. `start`..`end` are offsets of the source. `message` says what is
    wrong, `help` what to do.
    """

    kind: str
    start: int
    end: int
    message: str
    help: str


class Document:
    """A policy file: its outermost nodes, and what could not be read as it stands."""

    __slots__ = ("_by_name", "_elements", "_steps", "children", "kind", "placement", "problems", "source")

    def __init__(self, source: Source) -> None:
        self.source = source
        self.children: list[Node] = []
        self.problems: list[Problem] = []
        self.kind = DocumentKind.OTHER
        self.placement: Placement | None = None
        """Filled by `sinbin.policy.placement.place`."""
        self._by_name: dict[str, list[Element]] | None = None
        self._elements: list[Element] | None = None
        self._steps: dict[int, str] | None = None

    @property
    def elements(self) -> list[Element]:
        """The outermost elements."""
        if self._elements is None:
            self._elements = [child for child in self.children if isinstance(child, Element)]
        return self._elements

    @property
    def steps(self) -> dict[int, str]:
        """What each outermost element is called in a path, by its `id`."""
        if self._steps is None:
            self._steps = steps_of(self.elements)
        return self._steps

    @property
    def root(self) -> Element | None:
        """The `<policies>` or `<fragment>`; None when the file has neither."""
        if self.kind is DocumentKind.POLICIES or self.kind is DocumentKind.FRAGMENT:
            return next((element for element in self.elements if element.name == self.kind), None)
        return None

    @property
    def comments(self) -> list[Comment]:
        """All comments, in order."""
        found = [child for child in self.children if isinstance(child, Comment)]
        for element in self.walk():
            found.extend(child for child in element.children if isinstance(child, Comment))
        return sorted(found, key=lambda comment: comment.start)

    def section(self, name: str) -> Element | None:
        """Return the section `name`, the first when it is repeated."""
        top = self.elements if self.kind is DocumentKind.SECTIONS else self.root.elements if self.root else []
        return next((element for element in top if element.name == name), None)

    def walk(self) -> Iterator[Element]:
        """Yield every element, in document order."""
        for element in self.elements:
            yield from element.walk()

    def named(self, *names: str) -> list[Element]:
        """Return the elements with one of `names`, in document order for each name."""
        if self._by_name is None:
            self._by_name = {}
            for element in self.walk():
                self._by_name.setdefault(element.name, []).append(element)
        return [element for name in names for element in self._by_name.get(name, ())]

    def position(self, offset: int) -> Position:
        """Return line and column of the character at `offset`."""
        return self.source.position(offset)
