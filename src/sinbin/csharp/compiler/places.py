"""What can be assigned to: variables, elements, properties; and assignment itself."""

from sinbin.csharp.compiler import access
from sinbin.csharp.compiler.conversions import cast, require
from sinbin.csharp.compiler.expr import Expr, Place
from sinbin.csharp.compiler.names import resolve_type
from sinbin.csharp.compiler.operators import binary
from sinbin.csharp.compiler.unit import Unit, expression
from sinbin.csharp.syntax import Node
from sinbin.csharp.types import CHAR, DECIMAL, ERROR, INT, NUMERIC, REAL, Type


def compile_place(unit: Unit, node: Node) -> Place | None:
    """Return what `node` names as something to assign to, or None after refusing it."""
    while node.kind == "parenthesized_expression":
        node = node.parts[0]
    if node.kind == "identifier":
        return _variable(unit, node)
    if node.kind == "element_access_expression":
        return access.element_place(unit, node)
    if node.kind == "member_access_expression":
        return access.member_place(unit, node)
    unit.refuse(node, f"cannot assign to `{node.text}`")
    return None


def _variable(unit: Unit, node: Node) -> Place | None:
    local = unit.lookup(node.text.removeprefix("@"))
    if local is None:
        unit.compile(node)
        if not unit.problems:
            unit.refuse(node, f"cannot assign to `{node.text}`")
        return None
    if local.constant is not None or local.function is not None or local.readonly:
        why = local.readonly or "a constant" if local.constant is not None else "a function"
        unit.refuse(node, f"cannot assign to `{node.text}`: it is {local.readonly or why}")
        return None
    name = local.python
    if local.cell:
        setter = unit.bind(set_cell)
        return Place(
            Expr(f"{name}[0]", local.type, node),
            lambda value: f"{setter}({name}, {value})",
            statement=lambda value: f"{name}[0] = {value}",
        )
    return Place(
        Expr(name, local.type, node),
        lambda value: f"({name} := {value})",
        statement=lambda value: f"{name} = {value}",
    )


def set_cell(cell: list[object], value: object) -> object:
    """Store into a variable that lambdas share, and return the value."""
    cell[0] = value
    return value


def step(unit: Unit, node: Node, operand: Node, sign: str, *, before: bool) -> Expr:
    """Return `++x` (before) or `x++`."""
    place = compile_place(unit, operand)
    if place is None:
        return Expr("None", ERROR, node)
    kind = place.read.type
    if kind not in NUMERIC and kind != CHAR:
        return unit.refuse(node, f"operator `{sign}{sign}` cannot be applied to `{kind}`")
    old = unit.fresh()
    current = Expr(old, kind, node, nonnull=True)
    new = cast(unit, binary(unit, node, sign, current, Expr("1", INT, node, nonnull=True)), kind)
    write = place.write(new.code)
    parts = [*place.setup, f"({old} := {place.read.code})", write]
    return Expr(f"({', '.join(parts)})[{-1 if before else -2}]", kind, node, nonnull=True)


def assignment_statement(unit: Unit, node: Node) -> bool:
    """Write an assignment as a Python statement when that is simpler; tell whether it was."""
    sign = node.fields["operator"][0].kind
    target, source = node.fields["left"][0], node.fields["right"][0]
    if target.kind in {"tuple_expression", "declaration_expression"}:
        return False
    place = compile_place(unit, target)
    if place is None:
        unit.compile(source)
        return True
    value = _assigned_value(unit, node, place, sign, source)
    if place.setup or place.statement is None:
        unit.emit(", ".join([*place.setup, place.write(value.code)]))
    else:
        unit.emit(place.statement(value.code))
    return True


@expression("assignment_expression")
def compile_assignment(unit: Unit, node: Node) -> Expr:
    """`x = y`, `x += y`: a value, too."""
    sign = node.fields["operator"][0].kind
    target, source = node.fields["left"][0], node.fields["right"][0]
    if target.kind == "tuple_expression":
        return _deconstruct(unit, node, target, source)
    if target.kind == "declaration_expression":
        return unit.refuse(node, "a deconstruction inside an expression is not supported", "not-modelled")
    place = compile_place(unit, target)
    if place is None:
        unit.compile(source)
        return Expr("None", ERROR, node)
    value = _assigned_value(unit, node, place, sign, source)
    if value.failed:
        return value
    code = place.write(value.code)
    if place.setup:
        code = f"({', '.join([*place.setup, code])})[-1]"
    return Expr(code, place.read.type, node, nonnull=value.nonnull)


def _assigned_value(unit: Unit, node: Node, place: Place, sign: str, source: Node) -> Expr:
    value = unit.compile(source)
    if sign == "=":
        return require(unit, value, place.read.type)
    if sign == "??=":
        return unit.refuse(node, "`??=` is newer than C# 7", "not-modelled")
    computed = binary(unit, node, sign.removesuffix("="), place.read, value)
    if computed.failed:
        return computed
    kind = place.read.type
    # A compound assignment casts back to the variable's type. Source: C# specification, 12.21.4
    if (
        computed.type != kind
        and kind in NUMERIC | {CHAR}
        and computed.type in NUMERIC
        and not _real_into(kind, computed.type)
    ):
        return cast(unit, computed, kind)
    return require(unit, computed, kind)


def _real_into(kind: Type, computed: Type) -> bool:
    return computed in REAL | {DECIMAL} and kind not in REAL | {DECIMAL}


def _deconstruct(unit: Unit, node: Node, target: Node, source: Node) -> Expr:
    """`(a, b) = value`: the value is taken apart after it has been made whole."""
    value = unit.compile(source)
    if value.failed:
        return value
    parts = target.parts
    if value.type.name != "()" or len(value.type.args) != len(parts):
        return unit.refuse(node, f"`{value.type}` does not come apart into {len(parts)} values")
    whole = unit.fresh()
    writes = []
    for index, (part, kind) in enumerate(zip(parts, value.type.args, strict=True)):
        inner = part.parts[-1]
        if inner.kind == "declaration_expression":
            written, inner = inner.fields["type"][0], inner.fields["name"][0]
            declared = kind if written.kind == "implicit_type" else resolve_type(unit, written)
            unit.declare(inner, inner.text, declared, late=True)
        if inner.text == "_" and unit.lookup("_") is None:
            continue
        place = compile_place(unit, inner)
        if place is None:
            return Expr("None", ERROR, node)
        item = require(unit, Expr(f"{whole}[{index}]", kind, part), place.read.type)
        writes += [*place.setup, place.write(item.code)]
    return Expr(
        f"({', '.join([f'({whole} := {value.code})', *writes, whole])})[-1]", value.type, node, nonnull=True
    )
