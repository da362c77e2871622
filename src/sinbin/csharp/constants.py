"""Which expressions are constants of C#, and the plain ones' values, from the tree alone.

Definite assignment follows constants: `if (1 == 1) { a = 1; }` assigns. Whether something is a constant is seen
here without its type; a value is told only where no conversion can change it.
Source: C# specification, 12.23 constant expressions
"""

from collections.abc import Callable

from sinbin.csharp.syntax import Node

Value = bool | int | str

NOT_CONSTANT = object()
"""What has its value only when it runs."""
UNKNOWN = object()
"""A constant, or what may be one, whose value is not worked out here."""

Lookup = Callable[[Node], object]
"""Gives an identifier's constant, `NOT_CONSTANT` for another variable, None where it names no variable."""

_CONSTANT_BY_FORM = frozenset({"default_expression", "sizeof_expression", "typeof_expression"})
_OPERAND_FIRST = frozenset({"is_expression", "is_pattern_expression", "as_expression", "checked_expression"})
_SAME: dict[str, Callable[[Value, Value], bool]] = {"==": lambda a, b: a == b, "!=": lambda a, b: a != b}
_LOGIC: dict[str, Callable[[bool, bool], bool]] = {
    "&&": lambda a, b: a and b,
    "&": lambda a, b: a and b,
    "||": lambda a, b: a or b,
    "|": lambda a, b: a or b,
    "^": lambda a, b: a != b,
}
_ORDER: dict[str, Callable[[int, int], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def constant(node: Node, lookup: Lookup) -> object:
    """Return the value of a constant bool, plain int or plain string, `UNKNOWN`, or `NOT_CONSTANT`."""
    kind = node.kind
    if kind.endswith("_literal"):
        return _literal(node)
    if kind in _CONSTANT_BY_FORM or is_nameof(node):
        return UNKNOWN
    if kind == "identifier":
        known = lookup(node)
        return NOT_CONSTANT if known is None else known
    if kind == "parenthesized_expression":
        return constant(node.parts[0], lookup)
    if kind == "member_access_expression":
        return _member(node, lookup)
    if kind == "prefix_unary_expression":
        value = constant(node.parts[0], lookup)
        if node.has("!") and isinstance(value, bool):
            return not value
        return _unknown(value)
    if kind == "binary_expression":
        left, right = (constant(node.fields[side][0], lookup) for side in ("left", "right"))
        return _binary(node.fields["operator"][0].text, left, right)
    if kind == "conditional_expression":
        return _unknown(
            *(constant(node.fields[f][0], lookup) for f in ("condition", "consequence", "alternative"))
        )
    if kind == "cast_expression":
        return _unknown(constant(node.fields["value"][0], lookup))
    if kind in _OPERAND_FIRST:
        return _unknown(constant(node.parts[0], lookup))
    return NOT_CONSTANT


def is_nameof(node: Node) -> bool:
    """Tell whether `node` is `nameof(…)`, which reads nothing."""
    return node.kind == "invocation_expression" and node.fields["function"][0].text == "nameof"


def _unknown(*parts: object) -> object:
    return NOT_CONSTANT if NOT_CONSTANT in parts else UNKNOWN


def _literal(node: Node) -> object:
    text = node.text
    if node.kind == "boolean_literal":
        return text == "true"
    if node.kind == "integer_literal" and text.isdecimal():
        return int(text)
    if node.kind == "string_literal" and "\\" not in text:
        return text[1:-1]
    return UNKNOWN


def _member(node: Node, lookup: Lookup) -> object:
    """`int.MaxValue`, `DayOfWeek.Monday`: a member of a type may be a constant; a member of a value is none."""
    owner = node.fields["expression"][0]
    if owner.kind == "predefined_type" or owner.text.startswith("System."):
        return UNKNOWN
    named = owner.kind == "identifier" and owner.text[:1].isupper() and lookup(owner) is None
    return UNKNOWN if named else NOT_CONSTANT


def _binary(operator: str, left: object, right: object) -> object:
    if operator in _SAME and type(left) is type(right) and isinstance(left, Value) and isinstance(right, Value):
        return _SAME[operator](left, right)
    if operator in _LOGIC and isinstance(left, bool) and isinstance(right, bool):
        return _LOGIC[operator](left, right)
    if operator in _ORDER and type(left) is int and type(right) is int:
        return _ORDER[operator](left, right)
    return _unknown(left, right)
