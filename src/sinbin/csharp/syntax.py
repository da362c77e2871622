"""The syntax tree of an expression: plain nodes, with the places put right where the grammar errs.

tree-sitter's C# grammar gives `?.` too low a precedence: it reads `a == b?.c` as `(a == b)?.c` and ends the
null-conditional part of `a?.b.c` after `b`. The conversion below re-associates both as the language says
(C# specification, 12.4.2 operator precedence and 12.8.8 null conditional member access), so that those who
read the tree need not know.

Kinds and field names are those of tree-sitter-c-sharp, and one kind more:

    binding_receiver   inside the `body` of a conditional_access_expression, the value of its `condition`
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import tree_sitter

_POSTFIX_HEAD = {
    "invocation_expression": "function",
    "member_access_expression": "expression",
    "element_access_expression": "expression",
    "conditional_access_expression": "condition",
    "postfix_unary_expression": None,
}
_TYPE_TESTS = frozenset({"as_expression", "is_expression", "is_pattern_expression"})
_PRECEDENCE = {
    operator: rank
    for rank, operators in enumerate(
        ["??", "||", "&&", "|", "^", "&", "== !=", "< > <= >= as is", "<< >>", "+ -", "* / %"], start=1
    )
    for operator in operators.split()
}


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
    if kind in _POSTFIX_HEAD:
        return _unhook(here)
    if kind == "binary_expression" or kind in _TYPE_TESTS:
        return _reassociate(here)
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


def _head(node: Node) -> Node | None:
    name = _POSTFIX_HEAD.get(node.kind, "")
    if name == "":
        return None
    return node.children[0] if name is None else node.get(name)


def _with_head(node: Node, head: Node) -> Node:
    """Return the postfix node with another head."""
    old = _head(node)
    children = tuple(head if child is old else child for child in node.children)
    name = _POSTFIX_HEAD[node.kind]
    fields = dict(node.fields)
    if name is not None:
        fields[name] = (head,)
    return replace(node, children=children, fields=fields, start=head.start)


def _unhook(node: Node) -> Node:
    """Put right a postfix expression whose null-conditional head was read too wide or too short."""
    head = _head(node)
    if head is None:
        return node
    if node.kind == "conditional_access_expression" and "body" not in node.fields:
        last = _rightmost(head)
        if last is not None:
            return _reassociate(_with_rightmost(head, _conditional(_with_head(node, last)), node))
        return _conditional(node)
    if head.kind == "conditional_access_expression":
        # `a?.b` followed by `.c`, `[0]` or `()`: the rest belongs to what is skipped when `a` is null.
        body = head.fields["body"][0]
        inner = _unhook(_with_head(node, body))
        return replace(
            head, end=node.end, children=(head.children[0], inner), fields={**head.fields, "body": (inner,)}
        )
    last = _rightmost(head)
    if last is not None and last.kind == "conditional_access_expression":
        return _reassociate(_with_rightmost(head, _unhook(_with_head(node, last)), node))
    return node


def _conditional(node: Node) -> Node:
    """Return `condition?binding` as a node with `condition` and `body`."""
    condition = node.fields["condition"][0]
    binding = node.children[-1]
    receiver = Node("binding_receiver", condition.end, condition.end, node.source)
    kind = (
        "member_access_expression" if binding.kind == "member_binding_expression" else "element_access_expression"
    )
    if kind == "member_access_expression":
        fields = {"expression": (receiver,), "name": binding.all("name")}
    else:
        subscript = replace(binding, kind="bracketed_argument_list")
        fields = {"expression": (receiver,), "subscript": (subscript,)}
        binding = replace(binding, children=(subscript,))
    body = replace(binding, kind=kind, children=(receiver, *binding.children), fields=fields)
    return replace(node, children=(condition, body), fields={"condition": (condition,), "body": (body,)})


def _rightmost(node: Node) -> Node | None:
    """Return the operand that a postfix operator after `node` really applies to, when that is not `node`."""
    if node.kind in {"binary_expression", "prefix_unary_expression"}:
        inner = node.children[-1]
    elif node.kind == "cast_expression":
        inner = node.fields["value"][0]
    else:
        return None
    return _rightmost(inner) or inner


def _with_rightmost(node: Node, operand: Node, outer: Node) -> Node:
    inner = node.children[-1]
    new = operand if _rightmost(inner) is None else _with_rightmost(inner, operand, outer)
    fields = {name: tuple(new if old is inner else old for old in nodes) for name, nodes in node.fields.items()}
    return replace(node, children=(*node.children[:-1], new), fields=fields, end=outer.end)


def _reassociate(node: Node) -> Node:
    """Group a chain of binary operators by precedence, whatever the grammar made of it."""
    operands: list[Node] = []
    operators: list[Node] = []
    _flatten(node, operands, operators)
    if len(operators) < 2:
        return node
    values: list[Node] = [operands[0]]
    pending: list[Node] = []
    for operator, operand in zip(operators, operands[1:], strict=True):
        rank = _rank(operator)
        while pending and (_rank(pending[-1]) > rank or (_rank(pending[-1]) == rank and operator.kind != "??")):
            _reduce(values, pending)
        pending.append(operator)
        values.append(operand)
    while pending:
        _reduce(values, pending)
    return values[0]


def _flatten(node: Node, operands: list[Node], operators: list[Node]) -> None:
    """List operands and operators from left to right; a type test counts as an operator with its type."""
    rights: list[tuple[Node, Node]] = []
    while True:
        if node.kind == "binary_expression" and len(node.children) == 3:
            left, operator, right = node.children
        elif node.kind in _TYPE_TESTS:
            left, right = node.children[0], node.children[-1]
            operator = node
        else:
            break
        rights.append((operator, right))
        node = left
    operands.append(node)
    for operator, right in reversed(rights):
        operators.append(operator)
        if operator.kind in _TYPE_TESTS:
            operands.append(right)
        else:
            _flatten(right, operands, operators)


def _rank(operator: Node) -> int:
    return _PRECEDENCE.get("as" if operator.kind in _TYPE_TESTS else operator.kind, 0)


def _reduce(values: list[Node], pending: list[Node]) -> None:
    operator, right, left = pending.pop(), values.pop(), values.pop()
    if operator.kind in _TYPE_TESTS:
        children = (left, *operator.children[1:])
        first = operator.children[0]
        fields = {
            name: tuple(left if old is first else old for old in nodes) for name, nodes in operator.fields.items()
        }
        values.append(replace(operator, start=left.start, end=right.end, children=children, fields=fields))
        return
    fields = {"left": (left,), "operator": (operator,), "right": (right,)}
    values.append(Node("binary_expression", left.start, right.end, left.source, (left, operator, right), fields))
