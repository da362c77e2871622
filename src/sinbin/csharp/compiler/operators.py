"""Operators: arithmetic by static type, comparison, logic, null coalescing, the conditional operator.

Source: C# specification, 12.4.7 (numeric promotions), 12.10 to 12.18.
"""

import operator
from collections.abc import Callable
from typing import Any

from sinbin.csharp.casting import is_value_type, same_object
from sinbin.csharp.compiler import calls, conversions
from sinbin.csharp.compiler.branching import coalesce, logic
from sinbin.csharp.compiler.conversions import implicit
from sinbin.csharp.compiler.expr import GROUP, LAMBDA, STATIC, Expr, shown
from sinbin.csharp.compiler.numeric import constant, numeric, promote
from sinbin.csharp.compiler.texts import checked, text_of
from sinbin.csharp.compiler.unit import Unit, expression
from sinbin.csharp.exceptions import CsException
from sinbin.csharp.numbers import (
    decimal_binary,
    divide_double,
    divide_integer,
    remainder_double,
    remainder_integer,
    to_single,
    within,
    wrap,
)
from sinbin.csharp.registry import TYPES, find_members
from sinbin.csharp.syntax import Node
from sinbin.csharp.types import (
    BOOL,
    CHAR,
    DECIMAL,
    FLOAT,
    INT,
    INTEGRAL,
    LONG,
    NULL,
    NUMERIC,
    REAL,
    STRING,
    ULONG,
    VOID,
    Type,
    nullable,
)

_COMPARISONS = {"<", ">", "<=", ">="}
_PYTHON: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "&": operator.and_, "|": operator.or_,
    "^": operator.xor, "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge,
    "==": operator.eq, "!=": operator.ne,
}  # fmt: skip


@expression("parenthesized_expression")
def compile_parenthesized(unit: Unit, node: Node) -> Expr:
    """An expression in brackets."""
    inner = unit.compile(node.parts[0])
    if inner.type not in (LAMBDA, GROUP):
        inner.node = node
    return inner


@expression("binary_expression")
def compile_binary(unit: Unit, node: Node) -> Expr:
    """An operator with two operands. A chain of the same operator is walked, not recursed into."""
    sign = node.fields["operator"][0].kind
    if sign in {"&&", "||"}:
        return logic(unit, node, sign)
    if sign == "??":
        return coalesce(unit, node)
    chain = [node]
    while chain[-1].children[0].kind == "binary_expression" and chain[-1].children[0].fields["operator"][0].kind not in {  # noqa: E501
        "&&", "||", "??",
    }:  # fmt: skip
        chain.append(chain[-1].children[0])
    value = unit.compile(chain[-1].children[0])
    for link in reversed(chain):
        value = binary(unit, link, link.fields["operator"][0].kind, value, unit.compile(link.children[2]))
    return value


def binary(unit: Unit, node: Node, sign: str, left: Expr, right: Expr) -> Expr:
    """Return `left sign right`."""
    if left.failed or right.failed:
        return left if left.failed else right
    if not left.has_value or not right.has_value:
        return unit.refuse(node, f"operator `{sign}` cannot be applied to `{shown(left)}` and `{shown(right)}`")
    if sign == "+" and STRING in (left.type, right.type):
        return _concatenate(unit, node, left, right)
    declared = _declared(unit, node, sign, left, right)
    if declared is not None:
        return declared
    if "?" in (left.type.name, right.type.name) and NULL not in (left.type, right.type):
        return _lifted(unit, node, sign, left, right)
    if left.type == right.type == BOOL and sign in {"&", "|", "^", "==", "!="}:
        if left.is_const and right.is_const:
            return constant(node, BOOL, bool(_PYTHON[sign](left.const, right.const)))
        return Expr(f"({left.code} {sign} {right.code})", BOOL, node, nonnull=True)
    if sign in {"<<", ">>"}:
        return _shift(unit, node, sign, left, right)
    enum = _enum(unit, node, sign, left, right)
    if enum is not None:
        return enum
    promoted = promote(left, right)
    if promoted is not None and (sign in {"&", "|", "^"}) <= (promoted in INTEGRAL):
        return _arithmetic(
            unit, node, sign, numeric(unit, left, promoted), numeric(unit, right, promoted), promoted
        )
    if sign in {"==", "!="}:
        return _equality(unit, node, sign, left, right)
    return unit.refuse(node, f"operator `{sign}` cannot be applied to `{shown(left)}` and `{shown(right)}`")


def _concatenate(unit: Unit, node: Node, left: Expr, right: Expr) -> Expr:
    if (
        left.is_const
        and right.is_const
        and left.type in (STRING, NULL, CHAR)
        and right.type in (STRING, NULL, CHAR)
    ):
        return constant(node, STRING, (left.const or "") + (right.const or ""))
    return Expr(checked(unit, f"({text_of(unit, left)} + {text_of(unit, right)})"), STRING, node, nonnull=True)


def _arithmetic(unit: Unit, node: Node, sign: str, left: Expr, right: Expr, kind: Type) -> Expr:
    if sign in _COMPARISONS or sign in {"==", "!="}:
        if left.is_const and right.is_const:
            return constant(node, BOOL, bool(_PYTHON[sign](left.const, right.const)))
        return Expr(f"({left.code} {sign} {right.code})", BOOL, node, nonnull=True)
    if left.is_const and right.is_const:
        folded = _fold(unit, node, sign, left.const, right.const, kind)
        if folded is not None:
            return folded
    return Expr(arithmetic_code(unit, sign, left.code, right.code, kind), kind, node, nonnull=True)


def arithmetic_code(unit: Unit, sign: str, left: str, right: str, kind: Type) -> str:
    """Return Python code for `left sign right` in the type `kind`."""
    if kind == DECIMAL:
        return f"{unit.bind(decimal_binary)}({sign!r}, {left}, {right})"
    if kind in REAL:
        if sign in {"/", "%"}:
            code = f"{unit.bind(divide_double if sign == '/' else remainder_double)}({left}, {right})"
        else:
            code = f"({left} {sign} {right})"
        return f"{unit.bind(to_single)}({code})" if kind == FLOAT else code
    low, high = INTEGRAL[kind]
    if sign in {"/", "%"}:
        return f"{unit.bind(divide_integer if sign == '/' else remainder_integer)}({left}, {right}, {low})"
    if sign in {"&", "|", "^"}:
        return f"({left} {sign} {right})"
    if unit.checked:
        return f"{unit.bind(within)}({left} {sign} {right}, {unit.bind(kind, kind.name)})"
    return (
        f"(({left} {sign} {right} - {low} & {high - low}) + {low})" if low else f"({left} {sign} {right} & {high})"
    )


def _fold(unit: Unit, node: Node, sign: str, left: Any, right: Any, kind: Type) -> Expr | None:
    try:
        if kind == DECIMAL:
            return constant(node, kind, decimal_binary(sign, left, right))
        if kind in REAL:
            reals: dict[str, Callable[[float, float], float]] = {"/": divide_double, "%": remainder_double}
            real: float = reals[sign](left, right) if sign in reals else _PYTHON[sign](left, right)
            return constant(node, kind, to_single(real) if kind == FLOAT else real)
        low, high = INTEGRAL[kind]
        integers = {"/": divide_integer, "%": remainder_integer}
        value: int = integers[sign](left, right, low) if sign in integers else _PYTHON[sign](left, right)
    except CsException:
        return unit.refuse(node, "division by a constant zero, or an overflow, in a constant")
    except OverflowError:
        return None
    if not low <= value <= high:
        if unit.checked is not None:
            why = "C# refuses it unless it stands in `unchecked`"
            return unit.refuse(node, f"the operation overflows in a constant; {why}")
        value = wrap(value, kind)
    return constant(node, kind, value)


def _shift(unit: Unit, node: Node, sign: str, left: Expr, right: Expr) -> Expr:
    kind = INT if left.type in (CHAR, Type("byte"), Type("sbyte"), Type("short"), Type("ushort")) else left.type
    count = implicit(unit, right, INT)
    if kind not in INTEGRAL or count is None:
        return unit.refuse(node, f"operator `{sign}` cannot be applied to `{left.type}` and `{right.type}`")
    bits = 63 if kind in (LONG, ULONG) else 31
    value = numeric(unit, left, kind)
    code = f"({value.code} {sign} ({count.code} & {bits}))"
    if value.is_const and count.is_const:
        shifted = value.const << (count.const & bits) if sign == "<<" else value.const >> (count.const & bits)
        return constant(node, kind, wrap(shifted, kind))
    if sign == "<<":
        code = f"{unit.bind(wrap)}({code}, {unit.bind(kind, kind.name)})"
    return Expr(code, kind, node, nonnull=True)


def _enum(unit: Unit, node: Node, sign: str, left: Expr, right: Expr) -> Expr | None:
    kind = next(
        (v.type for v in (left, right) if v.type.name in TYPES and TYPES[v.type.name].kind == "enum"), None
    )
    if kind is None:
        return None
    ours, theirs = implicit(unit, left, kind), implicit(unit, right, kind)
    if ours is None or theirs is None:
        return None
    if sign in _COMPARISONS or sign in {"==", "!="}:
        return Expr(f"({ours.code} {sign} {theirs.code})", BOOL, node, nonnull=True)
    if sign in {"&", "|", "^"}:
        make = unit.bind(type(TYPES[kind.name].default()))
        return Expr(f"{make}({ours.code} {sign} {theirs.code})", kind, node, nonnull=True)
    if sign == "-":
        return Expr(f"(int({ours.code}) - int({theirs.code}))", INT, node, nonnull=True)
    return None


def _equality(unit: Unit, node: Node, sign: str, left: Expr, right: Expr) -> Expr:
    negated = " not" if sign == "!=" else ""
    if NULL in (left.type, right.type):
        value = right if left.type == NULL else left
        if value.type == NULL:
            return constant(node, BOOL, sign == "==")
        never = is_value_type(value.type) and value.type.name != "?"
        if value.type in (STATIC, VOID) or (never and not _has_equality(value.type)):
            return unit.refuse(node, f"operator `{sign}` cannot be applied to `{shown(value)}` and null")
        if value.is_const:
            return constant(node, BOOL, sign == "!=")
        if never:  # C# warns of it (CS0472), and compiles it
            return Expr(f"({value.code}, {sign == '!='})[1]", BOOL, node, nonnull=True)
        return Expr(f"({value.code} is{negated} None)", BOOL, node, nonnull=True)
    if left.type == right.type == STRING:
        if left.is_const and right.is_const:
            return constant(node, BOOL, (left.const == right.const) == (sign == "=="))
        if unit.metered and not left.is_const and not right.is_const:
            code = f"rt.same({left.code}, {right.code})"
            return Expr(f"(not {code})" if negated else code, BOOL, node, nonnull=True)
        return Expr(f"({left.code} {sign} {right.code})", BOOL, node, nonnull=True)
    if left.type.name == right.type.name == "()" and len(left.type.args) == len(right.type.args):
        return Expr(f"({left.code} {sign} {right.code})", BOOL, node, nonnull=True)
    references = not is_value_type(left.type) and not is_value_type(right.type)
    if references and (conversions.related(left.type, right.type) or conversions.related(right.type, left.type)):
        if left.code.isidentifier() and left.code == right.code:
            return constant(node, BOOL, sign == "==")
        code = f"{unit.bind(same_object)}({left.code}, {right.code})"
        return Expr(f"(not {code})" if negated else code, BOOL, node, nonnull=True)
    return unit.refuse(node, f"operator `{sign}` cannot be applied to `{shown(left)}` and `{shown(right)}`")


def _has_equality(kind: Type) -> bool:
    """Whether values of a value type are compared with `==`, and so with null."""
    if kind in (BOOL, CHAR) or kind in NUMERIC:
        return True
    declared = kind.name in TYPES
    return declared and (TYPES[kind.name].kind == "enum" or any(find_members(kind, "operator ==")))


def _declared(unit: Unit, node: Node, sign: str, left: Expr, right: Expr) -> Expr | None:
    """Use an operator that one of the types declares, such as DateTime minus TimeSpan."""
    for owner in dict.fromkeys((left.type, right.type)):
        for _, member in find_members(owner, f"operator {sign}"):
            if len(member.parameters) != 2:
                continue
            first, second = member.parameters
            a, b = implicit(unit, left, first.type), implicit(unit, right, second.type)
            if a is None or b is None:
                continue
            code = calls.call_code(unit, member, None, [a.code, b.code], ())
            return Expr(code, member.returns, node, nonnull=True)
    return None


def _lifted(unit: Unit, node: Node, sign: str, left: Expr, right: Expr) -> Expr:
    """Apply an operator of value types to nullable ones: null in, null (or false) out."""
    names = [unit.fresh(), unit.fresh()]
    plain = [
        Expr(name, v.type.args[0] if v.type.name == "?" else v.type, v.node, nonnull=True)
        for name, v in zip(names, (left, right), strict=True)
    ]
    inner = binary(unit, node, sign, plain[0], plain[1])
    if inner.failed:
        return inner
    bind = [f"({name} := {v.code})" for name, v in zip(names, (left, right), strict=True)]
    absent = f"({bind[0]} is None) | ({bind[1]} is None)"
    if sign in {"==", "!="}:
        same = f"({names[0]} is {names[1]})" if sign == "==" else f"({names[0]} is not {names[1]})"
        return Expr(f"({same} if {absent} else {inner.code})", BOOL, node, nonnull=True)
    if inner.type == BOOL and sign in _COMPARISONS:
        return Expr(f"(False if {absent} else {inner.code})", BOOL, node, nonnull=True)
    return Expr(f"(None if {absent} else {inner.code})", nullable(inner.type), node)
