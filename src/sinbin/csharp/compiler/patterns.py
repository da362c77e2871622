"""Tests of type and value: `is`, `as`, casts, and the patterns of C# 7."""

from sinbin.csharp.casting import instance_test, is_value_type
from sinbin.csharp.compiler import conversions
from sinbin.csharp.compiler.conversions import cast, implicit
from sinbin.csharp.compiler.expr import STATIC, Expr
from sinbin.csharp.compiler.names import resolve_type
from sinbin.csharp.compiler.places import compile_place
from sinbin.csharp.compiler.unit import Unit, expression
from sinbin.csharp.syntax import Node
from sinbin.csharp.types import BOOL, DOUBLE, ERROR, INT, NULL, OBJECT, STRING, VOID, Type
from sinbin.csharp.values import equals

_EXACT = {INT: "int", STRING: "str", BOOL: "bool", DOUBLE: "float"}


@expression("cast_expression")
def compile_cast(unit: Unit, node: Node) -> Expr:
    """`(T)x`; `(T)(x)["y"]` reads to the grammar as two casts and a list, and is refused."""
    kind = resolve_type(unit, node.fields["type"][0])
    value = unit.compile(node.fields["value"][0])
    if kind is ERROR or value.failed:
        return Expr("None", ERROR, node)
    if value.type in (VOID, STATIC):
        return unit.refuse(node, f"cannot convert `{value.node.text}` to `{kind}`")
    made = cast(unit, value, kind)
    return Expr(made.code, made.type, node, made.const, made.nonnull)


@expression("as_expression")
def compile_as(unit: Unit, node: Node) -> Expr:
    """`x as T`: null when it is none."""
    value = unit.compile(node.fields["left"][0])
    kind = resolve_type(unit, node.fields["right"][0])
    if value.failed or kind is ERROR:
        return Expr("None", ERROR, node)
    if is_value_type(kind) and kind.name != "?":
        return unit.refuse(node, f"`as` needs a type that may be null, not `{kind}`")
    direct = implicit(unit, value, kind)
    if direct is not None and value.type != NULL:
        return Expr(direct.code, kind, node, nonnull=direct.nonnull)
    if not conversions.related(value.type, kind):
        return unit.refuse(node, f"`{value.type}` is never a `{kind}`")
    temp = unit.fresh()
    return Expr(f"({temp} if {_test(unit, f'({temp} := {value.code})', kind)} else None)", kind, node)


@expression("is_expression")
def compile_is(unit: Unit, node: Node) -> Expr:
    """`x is T`."""
    value = unit.compile(node.fields["left"][0])
    kind = resolve_type(unit, node.fields["right"][0])
    if value.failed or kind is ERROR:
        return Expr("None", ERROR, node)
    return Expr(_type_test(unit, node, value, kind), BOOL, node, nonnull=True)


def _type_test(unit: Unit, node: Node, value: Expr, kind: Type) -> str:
    if value.type in (NULL, VOID, STATIC):
        unit.refuse(node, "this value has no type to test")
        return "False"
    if is_value_type(value.type) and value.type.name != "?":
        return f"({value.code}, {kind in (value.type, OBJECT)})[1]"
    if not conversions.related(value.type, kind) and value.type.name != "?":
        unit.refuse(node, f"`{value.type}` is never a `{kind}`")
    if value.type.name == "?" and value.type.args[0] == kind:
        return f"({value.code} is not None)"
    return _test(unit, value.code, kind)


def _test(unit: Unit, code: str, kind: Type) -> str:
    exact = _EXACT.get(kind)
    return f"(type({code}) is {exact})" if exact else f"{unit.bind(instance_test(kind), 'is')}({code})"


@expression("is_pattern_expression")
def compile_is_pattern(unit: Unit, node: Node) -> Expr:
    """`x is T y`, `x is null`, `x is 5`, `x is var y`."""
    value = unit.compile(node.fields["expression"][0])
    if value.failed:
        return value
    temp = unit.fresh()
    held = Expr(temp, value.type, value.node, nonnull=value.nonnull)
    test = pattern(unit, node.fields["pattern"][0], held)
    if test is None:
        return Expr("None", ERROR, node)
    return Expr(f"(({temp} := {value.code}), {test})[1]", BOOL, node, nonnull=True)


def pattern(unit: Unit, node: Node, value: Expr) -> str | None:
    """Return code for the test whether `value` (a plain name) matches; None after a refusal."""
    match node.kind:
        case "constant_pattern":
            return _constant(unit, node, value)
        case "declaration_pattern" | "var_pattern":
            return _declaration(unit, node, value)
        case "discard":
            return "True"
        case "parenthesized_pattern":
            return pattern(unit, node.parts[0], value)
    unit.refuse(node, f"`{node.text}` is a pattern newer than C# 7", "not-modelled")
    return None


def _constant(unit: Unit, node: Node, value: Expr) -> str | None:
    inner = node.parts[0]
    if inner.kind in {"generic_name", "nullable_type", "array_type", "predefined_type"}:
        kind = resolve_type(unit, inner)
        return None if kind is ERROR else _type_test(unit, node, value, kind)
    expected = unit.compile(inner)
    if expected.failed:
        return None
    if expected.type == STATIC and expected.static is not None:
        return _type_test(unit, node, value, expected.static)
    if expected.type == NULL:
        return f"({value.code} is None)"
    kind = value.type.args[0] if value.type.name == "?" else value.type
    if kind == OBJECT:
        boxed = conversions.boxed(unit, expected, OBJECT)
        return f"{unit.bind(equals)}({value.code}, {boxed.code})"
    converted = implicit(unit, expected, kind)
    if converted is None:
        unit.refuse(node, f"`{inner.text}` cannot be compared with `{value.type}`")
        return None
    return f"({value.code} == {converted.code})"


def _declaration(unit: Unit, node: Node, value: Expr) -> str | None:
    written, name = node.get("type"), node.get("name")
    if name is None:
        name = next((part for part in node.parts if part.kind in {"identifier", "discard"}), None)
    any_type = written is None or written.kind == "implicit_type"
    kind = value.type if any_type or written is None else resolve_type(unit, written)
    if kind is ERROR:
        return None
    test = "True" if any_type else _type_test(unit, node, value, kind)
    if name is None or name.text == "_":
        return test
    unit.declare(name, name.text, kind, late=True)
    place = compile_place(unit, name)
    if place is None:
        return None
    return f"({test} and (({place.write(value.code)}), True)[1])"
