"""Operators with one operand, `checked`, `typeof`, `nameof` and `default`."""

import operator

from sinbin.csharp.compiler import calls, conversions
from sinbin.csharp.compiler.conversions import require
from sinbin.csharp.compiler.expr import Expr
from sinbin.csharp.compiler.names import resolve_type
from sinbin.csharp.compiler.numeric import constant, numeric
from sinbin.csharp.compiler.operators import arithmetic_code
from sinbin.csharp.compiler.places import step
from sinbin.csharp.compiler.unit import Unit, expression
from sinbin.csharp.exceptions import null_reference
from sinbin.csharp.numbers import wrap
from sinbin.csharp.registry import find_members
from sinbin.csharp.runtime_types import RuntimeType
from sinbin.csharp.syntax import Node
from sinbin.csharp.types import (
    BOOL,
    CHAR,
    DECIMAL,
    DEFAULT,
    ERROR,
    INT,
    INTEGRAL,
    LONG,
    NEVER,
    NUMERIC,
    REAL,
    STRING,
    UINT,
    ULONG,
    Type,
    nullable,
)

_SMALLEST = {"2147483648": (INT, -(2**31)), "9223372036854775808": (LONG, -(2**63))}


@expression("prefix_unary_expression")
def compile_prefix(unit: Unit, node: Node) -> Expr:
    """`-x`, `+x`, `!x`, `~x`, `++x`, `--x`."""
    sign, operand = node.children[0].kind, node.children[1]
    if sign in {"++", "--"}:
        return step(unit, node, operand, sign[0], before=True)
    if sign == "-" and operand.text.replace("_", "") in _SMALLEST:
        kind, value = _SMALLEST[operand.text.replace("_", "")]
        return constant(node, kind, value)
    if sign not in {"-", "+", "!", "~"}:
        return unit.refuse(node, f"the operator `{sign}` is not supported", "not-modelled")
    return _unary(unit, node, sign, unit.compile(operand))


def _unary(unit: Unit, node: Node, sign: str, value: Expr) -> Expr:
    if value.failed:
        return value
    if value.type.name == "?":
        temp = unit.fresh()
        inner = _unary(unit, node, sign, Expr(temp, value.type.args[0], node, nonnull=True))
        return inner if inner.failed else Expr(
            f"(None if ({temp} := {value.code}) is None else {inner.code})", nullable(inner.type), node,
        )  # fmt: skip
    if sign == "!":
        truth = conversions.implicit(unit, value, BOOL)
        if truth is None:
            return unit.refuse(node, f"operator `!` cannot be applied to `{value.type}`")
        if truth.is_const:
            return constant(node, BOOL, not truth.const)
        return Expr(f"(not {truth.code})", BOOL, node, nonnull=True)
    for _, member in find_members(value.type, f"operator {sign}"):
        if len(member.parameters) == 1:
            return Expr(calls.call_code(unit, member, None, [value.code], ()), member.returns, node, nonnull=True)
    kind = (
        INT if (value.type in INTEGRAL and INTEGRAL[value.type][1] < 2**31) or value.type == CHAR else value.type
    )
    if sign == "-" and kind == UINT:
        kind = LONG
    if kind not in NUMERIC or (sign == "-" and kind == ULONG) or (sign == "~" and kind not in INTEGRAL):
        return unit.refuse(node, f"operator `{sign}` cannot be applied to `{value.type}`")
    value = numeric(unit, value, kind)
    if sign == "+":
        return value
    if value.is_const and (sign == "~" or kind not in INTEGRAL or value.const != INTEGRAL[kind][0]):
        folded = operator.neg(value.const) if sign == "-" else ~value.const
        return constant(node, kind, folded if kind not in INTEGRAL else wrap(folded, kind))
    if value.is_const and sign == "-" and kind in INTEGRAL and unit.checked is not None:
        return unit.refuse(
            node, "the operation overflows in a constant; C# refuses it unless it stands in `unchecked`"
        )
    if sign == "~":
        low, high = INTEGRAL[kind]
        return Expr(f"(~{value.code})" if low else f"({high} - {value.code})", kind, node, nonnull=True)
    if kind in REAL or kind == DECIMAL:
        return Expr(f"(-{value.code})", kind, node, nonnull=True)
    return Expr(arithmetic_code(unit, "-", "0", value.code, kind), kind, node, nonnull=True)


@expression("postfix_unary_expression")
def compile_postfix(unit: Unit, node: Node) -> Expr:
    """`x++` and `x--`."""
    sign = node.children[1].kind
    if sign not in {"++", "--"}:
        return unit.refuse(node, f"the operator `{sign}` is newer than C# 7", "not-modelled")
    return step(unit, node, node.children[0], sign[0], before=False)


@expression("checked_expression")
def compile_checked(unit: Unit, node: Node) -> Expr:
    """`checked(x)` and `unchecked(x)`."""
    before, unit.checked = unit.checked, True if node.has("checked") else None
    value = unit.compile(node.parts[0])
    unit.checked = before
    return value


@expression("typeof_expression")
def compile_typeof(unit: Unit, node: Node) -> Expr:
    """`typeof(T)`, for its name."""
    kind = resolve_type(unit, node.get("type") or node.parts[0])
    if kind is ERROR:
        return Expr("None", ERROR, node)
    return Expr(unit.bind(RuntimeType.of(kind)), Type("Type"), node, nonnull=True)


@expression("default_expression")
def compile_default(unit: Unit, node: Node) -> Expr:
    """`default(T)` and `default`."""
    written = node.get("type") or next(iter(node.parts), None)
    if written is None:
        return Expr("None", DEFAULT, node)
    kind = resolve_type(unit, written)
    return Expr("None", ERROR, node) if kind is ERROR else conversions.default(unit, node, kind)


@expression("throw_expression")
def compile_throw_expression(unit: Unit, node: Node) -> Expr:
    """`throw e` where a value is wanted."""
    value = require(unit, unit.compile(node.parts[0]), Type("Exception"), "`throw`")
    return value if value.failed else Expr(f"{unit.bind(throw)}({value.code})", NEVER, node)


def throw(error: BaseException | None) -> object:
    """Raise `error`; NullReferenceException when it is null.

    Raises:
        CsException: always.
    """
    raise error if error is not None else null_reference()


@expression("nameof_expression")
def compile_nameof(unit: Unit, node: Node) -> Expr:
    """`nameof(a.b)`: the last name."""
    return constant(node, STRING, node.parts[-1].text.rpartition(".")[2])


@expression("declaration_expression")
def compile_declaration(unit: Unit, node: Node) -> Expr:
    """A declaration outside `out`, which C# does not allow."""
    return unit.refuse(node, "a variable can be declared here only after `out`")
