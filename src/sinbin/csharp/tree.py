"""A node of an expression's syntax tree."""

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(slots=True, eq=False)
class Node:
    """One node; `start` and `end` are character offsets from the expression's first character.

    Never changed once made. It is not declared frozen because there is one per token, and making a frozen one
    takes three times as long.
    """

    kind: str
    start: int
    end: int
    source: str = field(repr=False)
    children: tuple["Node", ...] = ()
    fields: dict[str, tuple["Node", ...]] = field(default_factory=dict)
    named: bool = True

    @property
    def text(self) -> str:
        """The piece of the source that the node covers."""
        return self.source[self.start : self.end]

    def get(self, name: str) -> "Node | None":
        """Return the first child in the field `name`, or None."""
        found = self.fields.get(name)
        return found[0] if found else None

    def all(self, name: str) -> tuple["Node", ...]:
        """Return every child in the field `name`."""
        return self.fields.get(name, ())

    @property
    def parts(self) -> tuple["Node", ...]:
        """The named children: without punctuation and keywords."""
        return tuple(child for child in self.children if child.named)

    def has(self, token: str) -> bool:
        """Tell whether a keyword or punctuation `token` is among the children."""
        return any(not child.named and child.kind == token for child in self.children)

    def walk(self) -> Iterator["Node"]:
        """Yield this node and everything under it, in the order of the source."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))
