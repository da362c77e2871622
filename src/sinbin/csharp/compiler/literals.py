"""Literals, and texts with values in them (`$"…{x}…"`)."""

import math
import re
from decimal import Decimal

from sinbin.csharp.compiler.conversions import require
from sinbin.csharp.compiler.expr import Expr
from sinbin.csharp.compiler.numeric import constant
from sinbin.csharp.compiler.texts import checked, text_of
from sinbin.csharp.compiler.unit import Unit, expression
from sinbin.csharp.exceptions import CsException
from sinbin.csharp.formatting import format_value
from sinbin.csharp.numbers import to_decimal, to_single, whole_number
from sinbin.csharp.parse import BACKSLASH, QUOTE, parse_expression
from sinbin.csharp.syntax import Node
from sinbin.csharp.text_size import MAX_TEXT
from sinbin.csharp.types import (
    BOOL,
    CHAR,
    DECIMAL,
    DOUBLE,
    FLOAT,
    INT,
    INTEGRAL,
    LONG,
    NULL,
    OBJECT,
    STRING,
    UINT,
    ULONG,
    Type,
)
from sinbin.csharp.utf16 import to_utf16

_ESCAPES = {"'": "'", '"': '"', "\\": "\\", "0": "\0", "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r",
            "t": "\t", "v": "\v"}  # fmt: skip
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{1,4})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)


def unescape(text: str) -> str:
    r"""Return the inside of a regular string literal with its escapes resolved.

    Raises:
        ValueError: an escape that C# does not know.
    """

    def one(match: re.Match[str]) -> str:
        digits = match[1] or match[2] or match[3]
        if digits:
            return to_utf16(chr(int(digits, 16)))
        if match[4] not in _ESCAPES:
            raise ValueError(f"unrecognised escape sequence `\\{match[4]}`")
        return _ESCAPES[match[4]]

    return to_utf16(_ESCAPE.sub(one, text).replace(QUOTE, '"'))


@expression("string_literal", "verbatim_string_literal")
def compile_string(unit: Unit, node: Node) -> Expr:
    """A string: regular or verbatim."""
    if node.text.startswith("@"):
        return constant(node, STRING, to_utf16(node.text[2:-1].replace('""', '"')))
    try:
        return constant(node, STRING, unescape(node.text[1:-1]))
    except (ValueError, OverflowError) as error:
        return unit.refuse(node, str(error))


@expression("character_literal")
def compile_character(unit: Unit, node: Node) -> Expr:
    """A char."""
    try:
        value = unescape(node.text[1:-1])
    except (ValueError, OverflowError) as error:
        return unit.refuse(node, str(error))
    if len(value) != 1:
        return unit.refuse(node, "a character literal holds one UTF-16 code unit")
    return constant(node, CHAR, value)


@expression("boolean_literal")
def compile_boolean(unit: Unit, node: Node) -> Expr:
    """True or false."""
    return constant(node, BOOL, node.text == "true")


@expression("null_literal")
def compile_null(unit: Unit, node: Node) -> Expr:
    """The null of any reference type."""
    return Expr("None", NULL, node, const=None)


@expression("integer_literal")
def compile_integer(unit: Unit, node: Node) -> Expr:
    """An integer: of the first of int, uint, long, ulong that holds it and that its suffix allows."""
    text = node.text.replace("_", "").lower()
    digits = text.rstrip("ul") if text.startswith("0x") else text.rstrip("ulfdm")
    suffix = text[len(digits) :]
    if suffix in {"f", "d", "m"}:
        return _real(unit, node, digits, suffix)
    base = 16 if digits.startswith("0x") else 2 if digits.startswith("0b") else 10
    value = whole_number(digits) if base == 10 else int(digits, base)
    choices = {"": (INT, UINT, LONG, ULONG), "u": (UINT, ULONG), "l": (LONG, ULONG)}.get(suffix, (ULONG,))
    for kind in choices:
        if value <= INTEGRAL[kind][1]:
            return constant(node, kind, value)
    return unit.refuse(node, "the integral constant is too large")


@expression("real_literal")
def compile_real(unit: Unit, node: Node) -> Expr:
    """A double, float (f) or decimal (m)."""
    text = node.text.replace("_", "").lower()
    suffix = text[-1] if text[-1] in "fdm" else "d"
    return _real(unit, node, text.rstrip("fdm"), suffix)


def _real(unit: Unit, node: Node, digits: str, suffix: str) -> Expr:
    if suffix == "m":
        try:
            return constant(node, DECIMAL, to_decimal(Decimal(digits)))
        except CsException:
            return unit.refuse(node, "the decimal constant is too large")
    value = float(digits)
    if math.isinf(value) or (suffix == "f" and math.isinf(to_single(value))):
        return unit.refuse(node, "the floating-point constant is too large")
    return constant(node, FLOAT, to_single(value)) if suffix == "f" else constant(node, DOUBLE, value)


@expression("interpolated_string_expression")
def compile_interpolated(unit: Unit, node: Node) -> Expr:
    """A text with values in it, as string.Format with the invariant culture would write it."""
    opening = re.match(r'(\$@|@\$|\$)"', node.text)
    if opening is None:
        return unit.refuse(node, "raw string literals are newer than C# 7", "not-modelled")
    verbatim = "@" in opening[1]
    holes = {child.start: child for child in node.parts if child.kind == "interpolation"}
    pieces: list[str] = []
    literal: list[str] = []

    def flush() -> None:
        if literal:
            raw = "".join(literal)
            pieces.append(
                repr(to_utf16(raw.replace(QUOTE * 2, '"').replace(BACKSLASH, "\\")) if verbatim else unescape(raw))
            )
            literal.clear()

    try:
        at, end = node.start + opening.end(), node.end - 1
        while at < end:
            pair = node.source[at : at + 2]
            if pair in {"{{", "}}"}:
                literal.append(pair[0])
                at += 2
            elif pair[0] == "{":
                flush()
                hole = holes.get(at) or _hole(node, at, end)
                if hole is None:
                    return unit.refuse(node, "a `{` in the text has no `}`")
                pieces.append(_value(unit, hole))
                at = hole.end
            else:
                literal.append(pair[0])
                at += 1
        flush()
    except (ValueError, OverflowError) as error:
        return unit.refuse(node, str(error))
    if not pieces:
        return constant(node, STRING, "")
    return Expr(
        checked(unit, f"({' + '.join(pieces)})") if len(pieces) > 1 else pieces[0], STRING, node, nonnull=True
    )


def _hole(node: Node, start: int, end: int) -> Node | None:
    """Read a value in the text that the grammar has overlooked, as it does after `{{`."""
    close = node.source.find("}", start)
    if not 0 <= close < end:
        return None
    padded = parse_expression(" " * (start - 2) + '$"' + node.source[start : close + 1] + '"', "expression")
    if padded.root is None:
        return None
    return next((child for child in padded.root.parts if child.kind == "interpolation"), None)


def _value(unit: Unit, hole: Node) -> str:
    inner = [part for part in hole.parts if part.kind != "interpolation_brace"]
    value = unit.compile(inner[0])
    alignment = next((part for part in inner if part.kind == "interpolation_alignment_clause"), None)
    form = next((part for part in inner if part.kind == "interpolation_format_clause"), None)
    if not value.failed and not value.has_value:
        unit.refuse(hole, "there is no value to put into the text")
    if value.failed or not value.has_value:
        return "''"
    if form is None:
        code = text_of(unit, value)
    else:
        boxed = require(unit, value, OBJECT)
        code = f"{unit.bind(format_value)}({boxed.code}, {unescape(form.text[1:])!r})"
    if alignment is not None:
        width = unit.compile(alignment.parts[-1])
        if not width.is_const or width.type != Type("int"):
            unit.refuse(alignment, "the width must be a constant")
            return "''"
        if abs(width.const) > MAX_TEXT:
            unit.refuse(alignment, "the width is larger than any text", "not-modelled")
            return "''"
        code = f"{code}.{'ljust' if width.const < 0 else 'rjust'}({abs(width.const)})"
    return code
