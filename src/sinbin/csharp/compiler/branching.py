"""Operators that leave something unevaluated: `&&`, `||`, `??`, `?:`.

Source: C# specification, 12.14, 12.15 and 12.18.
"""

from sinbin.csharp.casting import is_value_type
from sinbin.csharp.compiler import conversions
from sinbin.csharp.compiler.conversions import implicit, require
from sinbin.csharp.compiler.expr import NOT_CONSTANT, STATIC, Expr, shown
from sinbin.csharp.compiler.numeric import constant
from sinbin.csharp.compiler.unit import Unit, expression
from sinbin.csharp.syntax import Node
from sinbin.csharp.types import BOOL, CHAR, NULL, NUMERIC, STRING, VOID


def logic(unit: Unit, node: Node, sign: str) -> Expr:
    """Return a chain of `&&` or of `||`."""
    operands: list[Node] = []
    while node.kind == "binary_expression" and node.fields["operator"][0].kind == sign:
        operands.append(node.children[2])
        whole, node = node, node.children[0]
        if len(operands) == 1:
            top = whole
    operands.append(node)
    values = [require(unit, unit.compile(operand), BOOL, f"`{sign}`") for operand in reversed(operands)]
    if any(value.failed for value in values):
        return next(value for value in values if value.failed)
    const = (
        NOT_CONSTANT
        if not all(v.is_const for v in values)
        else (all if sign == "&&" else any)(v.const for v in values)
    )
    joined = (" and " if sign == "&&" else " or ").join(value.code for value in values)
    return Expr(f"({joined})", BOOL, top, const, nonnull=True)


def coalesce(unit: Unit, node: Node) -> Expr:
    """Return `a ?? b`."""
    left, right = unit.compile(node.children[0]), unit.compile(node.children[2])
    if left.failed or right.failed:
        return left if left.failed else right
    if left.type == NULL:
        return right
    if is_value_type(left.type) and left.type.name != "?":
        return unit.refuse(node, f"the left side of `??` is `{left.type}`, which is never null")
    inner = left.type.args[0] if left.type.name == "?" else left.type
    for target in (inner, left.type, right.type):
        fallback = implicit(unit, right, target)
        temp = unit.fresh()
        kept = implicit(unit, Expr(temp, inner, left.node, nonnull=True), target)
        if fallback is not None and kept is not None:
            code = f"({kept.code} if ({temp} := {left.code}) is not None else {fallback.code})"
            return Expr(code, target, node, nonnull=fallback.nonnull)
    return unit.refuse(node, f"operator `??` cannot be applied to `{left.type}` and `{right.type}`")


@expression("conditional_expression")
def compile_conditional(unit: Unit, node: Node) -> Expr:
    """`condition ? a : b`; one of the two must convert to the other's type."""
    condition = require(unit, unit.compile(node.fields["condition"][0]), BOOL, "the condition")
    first = unit.compile(node.fields["consequence"][0])
    second = unit.compile(node.fields["alternative"][0])
    if condition.failed or first.failed or second.failed:
        return next(value for value in (condition, first, second) if value.failed)
    kind = conversions.best_common(unit, [first, second])
    if kind is None or kind in (STATIC, VOID):
        return unit.refuse(
            node, f"the two sides of `?:` do not go together: `{shown(first)}` and `{shown(second)}`"
        )
    yes, no = require(unit, first, kind), require(unit, second, kind)
    if condition.is_const and yes.is_const and no.is_const and kind in NUMERIC | {BOOL, STRING, CHAR}:
        return constant(node, kind, yes.const if condition.const else no.const)
    return Expr(f"({yes.code} if {condition.code} else {no.code})", kind, node, nonnull=yes.nonnull and no.nonnull)
