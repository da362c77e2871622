"""The document tree of a policy: what is written where.

Every node knows its `source` and the half-open range `start`..`end` of offsets it was written at; nodes are not
changed after parsing. Text that is only white space has no node.

    Document ── Element ── Attribute ── Expression
             │          └─ Text ─────── Expression
             ├─ Comment
             └─ Instruction
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sinbin.policy.entities import OffsetMap, decode
from sinbin.policy.source import Position, Source
from sinbin.policy.steps import steps_of

if TYPE_CHECKING:
    from sinbin.policy.document import Document

NAMED_VALUE = re.compile(r"\{\{\s*([A-Za-z0-9_.\-]+)\s*\}\}")


class Node:
    """Something written in a policy file."""

    __slots__ = ("end", "parent", "source", "start")

    parent: "Element | Document | None"

    def __init__(self, source: Source, start: int, end: int) -> None:
        self.source = source
        self.start = start
        self.end = end
        self.parent = None

    @property
    def position(self) -> Position:
        """Line and column of the first character."""
        return self.source.position(self.start)

    @property
    def raw(self) -> str:
        """The node exactly as it is written."""
        return self.source.text[self.start : self.end]

    @property
    def mark(self) -> tuple[int, int]:
        """Offsets of the characters to underline: the first, and the one behind the last."""
        return self.start, self.end

    @property
    def path(self) -> str:
        """Where the node stands in the tree, whatever its line."""
        return self.parent.path if isinstance(self.parent, Element) else ""


class Expression:
    """A policy expression, `@(…)` or, when it is a `block`, `@{…}`."""

    __slots__ = ("_escaped", "_map", "code", "end", "source", "start")

    def __init__(self, source: Source, start: int, end: int, *, escaped: bool = True) -> None:
        self.source = source
        self.start = start
        self.end = end
        raw = source.code[start + 2 : end - 1]
        self._escaped = escaped and "&" in raw
        self.code = decode(raw) if self._escaped else raw
        """The C# between the brackets, entities decoded."""
        self._map: OffsetMap | None = None

    @property
    def block(self) -> bool:
        """Whether it is a statement block, `@{…}`."""
        return self.source.code[self.start + 1] == "{"

    def offset(self, index: int) -> int:
        """Return the source offset at which character `index` of `code` is written; `len(code)` is the bracket."""
        if not self._escaped:
            return self.start + 2 + index
        if self._map is None:
            self._map = OffsetMap(self.source.code[self.start + 2 : self.end - 1], self.start + 2)
        return self._map.offset(index)

    def position(self, index: int = 0) -> Position:
        """Return line and column at which character `index` of `code` is written."""
        return self.source.position(self.offset(index))


@dataclass(frozen=True, slots=True)
class NamedValue:
    """A reference `{{name}}`, written at `start`..`end`."""

    name: str
    start: int
    end: int


class _Valued(Node):
    """A node with a value: the range `value_start`..`value_end` of the source.

    Embedded expressions are kept in order; most values are one expression, or none.
    """

    __slots__ = ("escaped", "expressions", "value_end", "value_start")

    def __init__(
        self, source: Source, span: tuple[int, int], value: tuple[int, int], *, escaped: bool = True
    ) -> None:
        super().__init__(source, *span)
        self.value_start, self.value_end = value
        self.escaped = escaped
        """Whether entities are decoded (not so in CDATA)."""
        self.expressions: tuple[Expression, ...] = ()

    @property
    def value(self) -> str:
        """The value with entities decoded, expressions as they are written."""
        raw = self.source.code[self.value_start : self.value_end]
        return decode(raw) if self.escaped else raw

    @property
    def expression(self) -> Expression | None:
        """The expression that is the whole value, white space around it apart; None for any other value."""
        if len(self.expressions) != 1:
            return None
        [expression] = self.expressions
        code = self.source.code
        before, after = code[self.value_start : expression.start], code[expression.end : self.value_end]
        return None if before.strip() or after.strip() else expression

    @property
    def literal(self) -> str | None:
        """The value when it is known as it stands: no expression and no named value or placeholder in it."""
        value = self.value
        return None if self.expressions or "{" in value or "@(" in value else value

    def named_values(self) -> Iterator[NamedValue]:
        """Yield the references `{{name}}` in the value, also those inside expressions."""
        for match in NAMED_VALUE.finditer(self.source.code, self.value_start, self.value_end):
            yield NamedValue(match[1], match.start(), match.end())


class Attribute(_Valued):
    """An attribute; `start` is its name, `end` the offset after its closing quote."""

    __slots__ = ("name",)

    def __init__(self, source: Source, name: str, span: tuple[int, int], value: tuple[int, int]) -> None:
        super().__init__(source, span, value)
        self.name = name

    @property
    def path(self) -> str:
        """Where the attribute stands, e.g. `policies/backend/retry/@count`."""
        return f"{super().path}/@{self.name}"


class Text(_Valued):
    """Character data, or a CDATA section (then `start`..`end` holds its marks and nothing in it is escaped)."""

    __slots__ = ()

    @property
    def cdata(self) -> bool:
        """Whether it is written as a CDATA section."""
        return not self.escaped


class Comment(Node):
    """`<!-- … -->`."""

    __slots__ = ()

    @property
    def text(self) -> str:
        """What stands between the marks."""
        return self.raw.removeprefix("<!--").removesuffix("-->")


class Instruction(Node):
    """`<? … ?>` or `<! … >`: an XML declaration, a processing instruction, a document type. Never acted on."""

    __slots__ = ()


class Element(Node):
    """An element; `start`..`open_end` is its start tag, `close_start`..`end` its end tag."""

    __slots__ = ("_elements", "_steps", "_texts", "attributes", "children", "close_start", "name", "open_end")

    def __init__(self, source: Source, start: int, name: str) -> None:
        # Without `super`: there are thousands of elements in a large estate, and the call costs a third.
        self.source = source
        self.start = self.end = start
        self.parent = None
        self.name = name
        self.attributes: list[Attribute] = []
        self.children: list[Node] = []
        self.open_end = start
        self.close_start: int | None = None
        """Offset of the end tag; None when the element closes itself or its end tag is missing."""
        self._elements: list[Element] | None = None
        self._steps: dict[int, str] | None = None
        self._texts: list[Text] | None = None

    @property
    def mark(self) -> tuple[int, int]:
        """The `<` and the name."""
        return self.start, self.name_end

    @property
    def name_end(self) -> int:
        """Offset after the name in the start tag: the range to underline for the element as such."""
        return self.start + 1 + len(self.name)

    @property
    def elements(self) -> list["Element"]:
        """The child elements, in order."""
        if self._elements is None:
            self._elements = [child for child in self.children if isinstance(child, Element)]
        return self._elements

    @property
    def texts(self) -> list[Text]:
        """The pieces of text directly inside, in order."""
        if self._texts is None:
            self._texts = [child for child in self.children if isinstance(child, Text)]
        return self._texts

    @property
    def text(self) -> str:
        """The text directly inside, entities decoded, white space at its ends removed."""
        return "".join(text.value for text in self.texts).strip()

    def attribute(self, name: str) -> Attribute | None:
        """Return the attribute `name`, the first when it is repeated."""
        for attribute in self.attributes:
            if attribute.name == name:
                return attribute
        return None

    def get(self, name: str) -> str | None:
        """Return the decoded value of the attribute `name`."""
        attribute = self.attribute(name)
        return None if attribute is None else attribute.value

    def literal(self, name: str) -> str | None:
        """Return the value of the attribute `name` when it is there and known as it stands."""
        attribute = self.attribute(name)
        return None if attribute is None else attribute.literal

    def ancestors(self) -> Iterator["Element"]:
        """Yield the elements around this one, innermost first."""
        node = self.parent
        while isinstance(node, Element):
            yield node
            node = node.parent

    def walk(self) -> Iterator["Element"]:
        """Yield this element and all elements inside it, in document order."""
        pending: list[Element] = [self]
        while pending:
            element = pending.pop()
            yield element
            pending.extend(reversed(element.elements))

    def valued(self) -> Iterator[Attribute | Text]:
        """Yield the attributes and the texts of this element itself."""
        yield from self.attributes
        yield from self.texts

    @property
    def path(self) -> str:
        """Where the element stands, e.g. `policies/backend/retry[2]/forward-request`; the index counts from 1."""
        parts = [
            element.parent.steps[id(element)] if element.parent else element.name
            for element in (self, *self.ancestors())
        ]
        return "/".join(reversed(parts))

    @property
    def steps(self) -> dict[int, str]:
        """What each child element is called in a path, by its `id`."""
        if self._steps is None:
            self._steps = steps_of(self.elements)
        return self._steps
