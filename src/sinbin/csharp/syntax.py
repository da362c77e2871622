"""The syntax tree of an expression: plain nodes, with the places put right where the grammar errs.

Those who read the tree need not know what the grammar makes of them, see `sinbin.csharp.regrouping`.

Kinds and field names are those of tree-sitter-c-sharp, and one kind more:

    binding_receiver   inside the `body` of a conditional_access_expression, the value of its `condition`
"""

import tree_sitter

from sinbin.csharp.regrouping import POSTFIX_HEAD, TYPE_TESTS, reassociate, unhook
from sinbin.csharp.tree import Node


def convert(node: tree_sitter.Node, text: str, offsets: "Offsets") -> Node:
    """Return `node` and what is under it as plain nodes. The caller has bounded the depth."""
    children: list[Node] = []
    fields: dict[str, tuple[Node, ...]] = {}
    kind = node.type
    if kind == "identifier" and node.start_byte == node.end_byte:
        offsets.gaps = True
    for index, child in enumerate(node.children):
        if child.type == "comment":
            continue
        plain = convert(child, text, offsets)
        children.append(plain)
        name = node.field_name_for_child(index)
        if name:
            fields[name] = (*fields.get(name, ()), plain)
    character = offsets.character
    here = Node(
        kind, character(node.start_byte), character(node.end_byte), text, tuple(children), fields, node.is_named
    )
    if kind in POSTFIX_HEAD:
        return unhook(here)
    if kind == "binary_expression" or kind in TYPE_TESTS:
        return reassociate(here)
    return here


class Offsets:
    """Byte offsets in the parsed text to character offsets in the expression."""

    def __init__(self, text: str, prefix: int) -> None:
        self.gaps = False
        """Whether an empty identifier was met, with which the grammar fills a gap without calling it an error."""
        self._prefix = prefix
        self._length = len(text)
        self._table: list[int] | None = None
        if not text.isascii():
            self._table = [0] * prefix
            for position, character in enumerate(text):
                self._table += [position + prefix] * len(character.encode("utf-8", "surrogatepass"))
            self._table.append(len(text) + prefix)

    def character(self, byte: int) -> int:
        """Return the character offset of a byte offset; a place in the wrapper is the nearest end of the text."""
        position = byte if self._table is None else self._table[min(byte, len(self._table) - 1)]
        position -= self._prefix
        if position < 0:
            return 0
        return position if position < self._length else self._length  # noqa: FURB136  # two calls saved per token


__all__ = ["Node", "Offsets", "convert"]
