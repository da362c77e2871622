"""A JSON or YAML value that knows where it stands in its file."""

import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sinbin.lint.finding import Located, Place, Span

Scalar = str | int | float | bool | None


class Lines:
    """Turns offsets of a text into lines and columns, both from 1."""

    def __init__(self, text: str) -> None:
        self._starts = [0]
        end = text.find("\n")
        while end != -1:
            self._starts.append(end + 1)
            end = text.find("\n", end + 1)

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column of the character at `offset`."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """Return the offset of the character at `line` and `column`."""
        return self._starts[min(line, len(self._starts)) - 1] + column - 1

    def span(self, start: int, end: int) -> Span:
        """Return the span of the characters `start` to `end` (behind the last one)."""
        return Span(*self.position(start), *self.position(end))


def join(path: str, key: str) -> str:
    """Return the JSON pointer of the member `key` of what `path` points at."""
    return f"{path}/{key.replace('~', '~0').replace('/', '~1')}"


@dataclass(slots=True, eq=False)
class Node:
    """A value with its place; a mapping's members keep their order.

    Reading a member that is not there, or of a value that is no mapping, gives None: rules ask for the paths they
    know and stay silent about the rest.
    """

    value: "Scalar | dict[str, Node] | list[Node]"
    start: int
    end: int
    path: str
    """JSON pointer, e.g. `/properties/circuitBreaker/rules/0`."""
    key: tuple[int, int] | None = None
    """Offsets of the key that names this value in its mapping."""

    @property
    def mark(self) -> tuple[int, int]:
        """The characters of the value; a mapping or a list is shown by its opening bracket."""
        return (self.start, self.start + 1) if isinstance(self.value, dict | list) else (self.start, self.end)

    @property
    def shown(self) -> str:
        """The value as it is written, for messages; a mapping or a list by its kind."""
        if isinstance(self.value, dict | list):
            return "an object" if isinstance(self.value, dict) else "a list"
        return json.dumps(self.value, ensure_ascii=False)

    @property
    def key_place(self) -> Located:
        """The name of this value in its mapping, with quotes; the value itself where it has no name."""
        return Place(self.key, self.path) if self.key else self

    def get(self, *keys: str) -> "Node | None":
        """Return the member at the path `keys`, or None."""
        node = self
        for key in keys:
            member = node.value.get(key) if isinstance(node.value, dict) else None
            if member is None:
                return None
            node = member
        return node

    def items(self) -> "Sequence[Node]":
        """Return the entries of a list; anything else has none."""
        return self.value if isinstance(self.value, list) else ()

    def members(self) -> "Mapping[str, Node]":
        """Return the members of a mapping; anything else has none."""
        return self.value if isinstance(self.value, dict) else {}

    def text(self, *keys: str) -> str | None:
        """Return the string at the path `keys`; None when absent, no string, or computed by a template."""
        node = self.get(*keys)
        return node.value if node is not None and isinstance(node.value, str) and node.known else None

    def number(self, *keys: str) -> float | None:
        """Return the number at the path `keys`, also when it is written as a string of digits."""
        node = self.get(*keys)
        if node is None or isinstance(node.value, bool):
            return None
        if isinstance(node.value, int | float):
            return node.value
        if isinstance(node.value, str) and node.value.strip().lstrip("-").isdecimal():
            return int(node.value)
        return None

    def flag(self, *keys: str) -> bool | None:
        """Return the boolean at the path `keys`, also when it is written as a string."""
        node = self.get(*keys)
        if node is None:
            return None
        if isinstance(node.value, bool):
            return node.value
        return {"true": True, "false": False}.get(node.value.lower()) if isinstance(node.value, str) else None

    @property
    def known(self) -> bool:
        """Whether the value is written out: not an ARM expression (`[…]`), nor a placeholder (`${…}`, `{{…}}`)."""
        value = self.value
        if not isinstance(value, str):
            return True
        computed = value.startswith("[") and value.endswith("]") and not value.startswith("[[")
        return not computed and "${" not in value and "{{" not in value

    def walk(self) -> "Iterator[Node]":
        """Yield this node and all below it, parents first."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            if isinstance(node.value, dict):
                stack.extend(reversed(node.value.values()))
            elif isinstance(node.value, list):
                stack.extend(reversed(node.value))
