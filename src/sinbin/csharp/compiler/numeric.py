"""Constants, and conversions between the number types.

Source: C# specification, 10.2.3, 10.2.11 and 10.3.2.
"""

from decimal import Decimal
from typing import Any

from sinbin.csharp.compiler.expr import Expr
from sinbin.csharp.compiler.unit import Unit
from sinbin.csharp.exceptions import raised
from sinbin.csharp.numbers import to_decimal, to_single, truncate, truncate_checked, within, wrap
from sinbin.csharp.syntax import Node
from sinbin.csharp.types import (
    CHAR,
    DECIMAL,
    DOUBLE,
    FLOAT,
    INT,
    INTEGRAL,
    LONG,
    NUMERIC,
    REAL,
    UINT,
    ULONG,
    WIDENING,
    Type,
)


def constant(node: Node, kind: Type, value: Any, code: str | None = None) -> Expr:
    """Return the expression of a known value."""
    if code is None:
        code = (
            f"Decimal({str(value)!r})" if kind == DECIMAL else f"({value!r})" if kind in NUMERIC else repr(value)
        )
        if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
            code = f"float('{value}')"
    return Expr(code, kind, node, const=value, nonnull=value is not None)


def fits(value: int, kind: Type) -> bool:
    """Tell whether an integer is within the range of an integral type."""
    low, high = INTEGRAL[kind]
    return low <= value <= high


def numeric(unit: Unit, value: Expr, target: Type, *, explicit: bool = False) -> Expr:
    """Return a number or char as another numeric type; `explicit` narrows as a cast does."""
    source, node, code = value.type, value.node, value.code
    if source == target:
        return value
    if value.is_const:
        return _fold(unit, value, target)
    if source == CHAR:
        code = f"ord({code})"
        source = Type("ushort")
    if target == DECIMAL:
        code = f"{unit.bind(_decimal_from_double if source in REAL else Decimal)}({code})"
    elif target == DOUBLE:
        code = code if source in REAL else f"float({code})"
    elif target == FLOAT:
        code = f"{unit.bind(to_single)}({'' if source in REAL else 'float'}({code}))"
    elif target == CHAR:
        code = f"chr({numeric(unit, Expr(code, source, node), Type('ushort'), explicit=explicit).code})"
    elif source in INTEGRAL:
        if target not in WIDENING.get(source, ()) and explicit:
            code = f"{unit.bind(within if unit.checked else wrap)}({code}, {unit.bind(target, target.name)})"
    else:
        cut = truncate_checked if unit.checked or source == DECIMAL else truncate
        code = f"{unit.bind(cut)}({code}, {unit.bind(target, target.name)})"
    return Expr(code, target, node, nonnull=True)


DECIMAL_LIMIT = 7.9228162514264338e28


def _decimal_from_double(value: float) -> Decimal:
    if not abs(value) < DECIMAL_LIMIT:
        raise raised("OverflowException", "Value was either too large or too small for a Decimal.")
    # .NET keeps 15 significant digits of a double.
    return to_decimal(Decimal(f"{Decimal(f'{value:.15g}').normalize():f}"))


def _fold(unit: Unit, value: Expr, target: Type) -> Expr:
    const = ord(value.const) if value.type == CHAR else value.const
    node = value.node
    if target == DECIMAL and isinstance(const, float) and not abs(const) < DECIMAL_LIMIT:
        return unit.refuse(node, f"the constant `{node.text}` does not fit into `decimal`")
    if target == DECIMAL:
        return constant(node, target, _decimal_from_double(const) if isinstance(const, float) else Decimal(const))
    if target in REAL:
        number = float(const)
        return constant(node, target, to_single(number) if target == FLOAT else number)
    integral = Type("ushort") if target == CHAR else target
    whole = int(const) if const == const and abs(const) < 2**70 else 2**70
    if not fits(whole, integral):
        if unit.checked is None:
            whole = wrap(whole, integral)
        else:
            return unit.refuse(node, f"the constant `{node.text}` does not fit into `{target}`")
    return constant(node, target, chr(whole) if target == CHAR else whole)


def promote(left: Expr, right: Expr) -> Type | None:
    """Return the type in which two numbers are computed, or None when they do not go together."""
    kinds = {INT if value.type == CHAR else value.type for value in (left, right)}
    if not kinds <= NUMERIC:
        return None
    if DECIMAL in kinds:
        return None if kinds & REAL else DECIMAL
    for kind in (DOUBLE, FLOAT):
        if kind in kinds:
            return kind
    if ULONG in kinds:
        signed = [v for v in (left, right) if v.type in INTEGRAL and INTEGRAL[v.type][0] < 0]
        return None if any(not v.is_const or v.const < 0 for v in signed) else ULONG
    if LONG in kinds:
        return LONG
    if UINT in kinds:
        signed = [v for v in (left, right) if v.type in INTEGRAL and INTEGRAL[v.type][0] < 0]
        return UINT if all(v.is_const and v.const >= 0 for v in signed) else LONG
    return INT
