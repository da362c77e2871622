"""Conversions between static types: implicit ones, casts, boxing.

Source: C# specification, chapter 10 (conversions).
"""

from typing import Any

from sinbin.csharp.casting import SEALED, assignable, caster, children_of, default_value, is_value_type
from sinbin.csharp.compiler import lambdas
from sinbin.csharp.compiler.expr import GROUP, LAMBDA, NOT_CONSTANT, STATIC, Expr
from sinbin.csharp.compiler.numeric import constant, fits, numeric
from sinbin.csharp.compiler.unit import Unit
from sinbin.csharp.exceptions import raised
from sinbin.csharp.registry import TYPES, Member, all_bases, find_members
from sinbin.csharp.syntax import Node
from sinbin.csharp.types import (
    BOOL,
    CHAR,
    DEFAULT,
    ERROR,
    INT,
    INTEGRAL,
    LONG,
    NEVER,
    NULL,
    NUMERIC,
    OBJECT,
    STRING,
    ULONG,
    VOID,
    WIDENING,
    Type,
)
from sinbin.csharp.values import BOXES

_IMPOSSIBLE = 10_000


def cost(unit: Unit, value: Expr, target: Type) -> int:
    """Return how far the implicit conversion of `value` to `target` is; _IMPOSSIBLE when there is none."""
    source = value.type
    if source == target or source in (ERROR, NEVER) or target is ERROR:
        return 0
    if source in (LAMBDA, GROUP):
        return lambdas.cost(unit, value, target)
    if source == NULL:
        return _IMPOSSIBLE if is_value_type(target) and target.name != "?" else 8 if target == OBJECT else 5
    if source == DEFAULT:
        return 5
    if source in WIDENING and target in WIDENING[source]:
        return 1 + WIDENING[source].index(target)
    small = source == INT or (source == LONG and target == ULONG)
    if small and value.is_const and target in INTEGRAL and fits(value.const, target):
        return 8
    if target.name == "?" and source.name != "?":
        inner = cost(unit, value, target.args[0])
        return inner if inner >= _IMPOSSIBLE else inner + 2
    if source.name == "?" and target.name == "?":
        inner = cost(unit, Expr("", source.args[0], value.node), target.args[0])
        return inner if inner >= _IMPOSSIBLE else inner + 2
    if value.is_const and value.const == 0 and target.name in TYPES and TYPES[target.name].kind == "enum":
        return 8
    if source.name == target.name == "()" and len(source.args) == len(target.args):
        return sum(cost(unit, Expr("", a, value.node), b) for a, b in zip(source.args, target.args, strict=True))
    if source in (VOID, STATIC):
        return _IMPOSSIBLE
    if assignable(source, target):
        if is_value_type(source):
            return 50
        bases = all_bases(source)
        return 45 if target == OBJECT else 10 + bases.index(target) if target in bases else 40
    return 30 if _user_defined(unit, value, target, "implicit") else _IMPOSSIBLE


def implicit(unit: Unit, value: Expr, target: Type) -> Expr | None:
    """Return `value` converted to `target` as an assignment would, or None when C# does not."""
    if value.failed or target is ERROR:
        return value
    if cost(unit, value, target) >= _IMPOSSIBLE:
        return None
    source, node = value.type, value.node
    if source == target:
        return value
    if source == NEVER:
        return Expr(value.code, target, node)
    if source in (LAMBDA, GROUP):
        return lambdas.convert(unit, value, target)
    if source == NULL:
        return Expr("None", target, node, const=None)
    if source == DEFAULT:
        return default(unit, node, target)
    if source in NUMERIC | {CHAR} and (target in NUMERIC or (target.name == "?" and target.args[0] in NUMERIC)):
        final = target.args[0] if target.name == "?" else target
        converted = numeric(unit, value, final)
        return Expr(converted.code, target, node, nonnull=True) if target.name == "?" else converted
    if target.name == "?" and source.name != "?":
        inner = implicit(unit, value, target.args[0])
        return Expr(inner.code, target, node, nonnull=True) if inner else None
    if source.name == "?" and target.name == "?":
        return _lift(unit, value, target, lambda inner: implicit(unit, inner, target.args[0]))
    definition = TYPES.get(target.name)
    if definition is not None and definition.kind == "enum" and value.is_const and isinstance(value.const, int):
        return Expr(f"{unit.bind(definition.default)}()", target, node, nonnull=True)
    if source.name == target.name == "()":
        return _tuple(unit, value, target)
    if assignable(source, target):
        return boxed(unit, value, target)
    return _user_defined(unit, value, target, "implicit")


def require(unit: Unit, value: Expr, target: Type, what: str = "") -> Expr:
    """Return `value` converted to `target`; refuse it when C# does not convert."""
    if value.failed:
        return value
    converted = implicit(unit, value, target)
    if converted is None:
        hint = f" for {what}" if what else ""
        if value.type in (LAMBDA, GROUP):
            return unit.refuse(value.node, f"cannot convert {value.type} to `{target}`{hint}")
        name = "a type" if value.type == STATIC else "null" if value.type == NULL else f"`{value.type}`"
        return unit.refuse(value.node, f"cannot convert {name} to `{target}`{hint}")
    return converted


def boxed(unit: Unit, value: Expr, target: Type) -> Expr:
    """Return a value as a base type, boxed when it is a value type."""
    source = value.type.args[0] if value.type.name == "?" else value.type
    box = BOXES.get(source)
    code = value.code
    if box is not None:
        name = unit.bind(box, source.name)
        if value.type.name == "?":
            temp = unit.fresh()
            code = f"(None if ({temp} := {code}) is None else {name}({temp}))"
        else:
            code = f"{name}({code})"
    if target.name == "IEnumerable" and source.name in {"JToken", "JContainer", "JProperty"}:
        code = f"{unit.bind(children_of)}({code})"
    nonnull = value.nonnull or (is_value_type(value.type) and value.type.name != "?")
    return Expr(code, target, value.node, nonnull=nonnull)


def _lift(unit: Unit, value: Expr, target: Type, convert: Any) -> Expr | None:
    temp = unit.fresh()
    inner = convert(Expr(temp, value.type.args[0], value.node, nonnull=True))
    if inner is None:
        return None
    if inner.code == temp:
        return Expr(value.code, target, value.node)
    return Expr(f"(None if ({temp} := {value.code}) is None else {inner.code})", target, value.node)


def _tuple(unit: Unit, value: Expr, target: Type) -> Expr | None:
    temp = unit.fresh()
    parts = []
    for index, (source, wanted) in enumerate(zip(value.type.args, target.args, strict=True)):
        part = implicit(unit, Expr(f"{temp}[{index}]", source, value.node), wanted)
        if part is None:
            return None
        parts.append(part.code)
    if all(code == f"{temp}[{index}]" for index, code in enumerate(parts)):
        return Expr(value.code, target, value.node, nonnull=True)
    return Expr(f"(({temp} := {value.code}), ({', '.join(parts)},))[1]", target, value.node, nonnull=True)


def _user_defined(unit: Unit, value: Expr, target: Type, *kinds: str) -> Expr | None:
    """Convert by an operator that the source's or the target's type declares."""
    best: tuple[int, Member] | None = None
    for owner in (value.type, target):
        for kind in kinds:
            for _, member in find_members(owner, kind):
                if member.returns != target:
                    continue
                wanted = member.parameters[0].type
                distance = 0 if wanted == value.type else _standard_distance(value.type, wanted)
                if distance is not None and (best is None or distance < best[0]):
                    best = (distance, member)
    if best is None:
        return None
    member = best[1]
    argument = implicit(unit, value, member.parameters[0].type)
    if argument is None:
        return None
    if isinstance(member.implementation, str):
        code = member.implementation.format(argument.code)
    else:
        code = f"{unit.bind(member.implementation)}({argument.code})"
    return Expr(code, target, value.node, nonnull=member.nonnull)


def _standard_distance(source: Type, wanted: Type) -> int | None:
    if wanted in WIDENING.get(source, ()):
        return 1 + WIDENING[source].index(wanted)
    if source == NULL:
        return None
    return all_bases(source).index(wanted) + 10 if wanted in all_bases(source) and wanted != OBJECT else None


def default(unit: Unit, node: Node, kind: Type) -> Expr:
    """Return `default(kind)`."""
    value = default_value(kind)
    if kind in NUMERIC or kind in (BOOL, CHAR):
        return constant(node, kind, value)
    if value is None:
        return Expr("None", kind, node, const=None if kind == STRING else NOT_CONSTANT)
    return Expr(unit.bind(value), kind, node, nonnull=True)


def cast(unit: Unit, value: Expr, target: Type) -> Expr:
    """Return `(target)value`."""
    source, node = value.type, value.node
    if value.failed or target is ERROR:
        return value
    enums = {name for name in (source.name, target.name) if name in TYPES and TYPES[name].kind == "enum"}
    if source in NUMERIC | {CHAR} and target in NUMERIC | {CHAR}:
        return numeric(unit, value, target, explicit=True)
    if (
        enums
        and source != target
        and {source.name, target.name} - enums <= {kind.name for kind in (*NUMERIC, CHAR)}
    ):
        if target.name in enums:
            make = type(TYPES[target.name].default())
            return Expr(
                f"{unit.bind(make)}({numeric(unit, value, INT, explicit=True).code})", target, node, nonnull=True
            )
        return numeric(unit, Expr(f"int({value.code})", INT, node), target, explicit=True)
    direct = implicit(unit, value, target)
    if direct is not None:
        return direct
    if source.name == "?" and target.name == "?":
        lifted = _lift(unit, value, target, lambda inner: cast(unit, inner, target.args[0]))
        if lifted is not None:
            return lifted
    if source.name == "?" and is_value_type(target):
        temp = unit.fresh()
        code = f"({temp} if ({temp} := {value.code}) is not None else {unit.bind(no_value)}())"
        return cast(unit, Expr(code, source.args[0], node, nonnull=True), target)
    if target.name == "?" and is_value_type(source):
        return Expr(cast(unit, value, target.args[0]).code, target, node, nonnull=True)
    declared = _user_defined(unit, value, target, "explicit", "implicit")
    if declared is not None:
        return declared
    if is_value_type(source) or not (related(source, target)):
        return unit.refuse(node, f"cannot convert `{source}` to `{target}`")
    cast_to, sealed = unit.bind(caster(target), "cast"), SEALED.get(target)
    if sealed is None:
        return Expr(f"{cast_to}({value.code})", target, node)
    temp = unit.fresh()
    code = f"({temp} if type({temp} := {value.code}) is {sealed.__name__} else {cast_to}({temp}))"
    return Expr(code, target, node)


def related(source: Type, target: Type) -> bool:
    """Tell whether a reference of type `source` may at run time be a `target`."""
    if assignable(target, source) or assignable(source, target):
        return True
    kinds = {TYPES[kind.name].kind for kind in (source, target) if kind.name in TYPES}
    return "interface" in kinds and source != STRING and not is_value_type(target)


def best_common(unit: Unit, values: list[Expr]) -> Type | None:
    """Return the one type among those of `values` that all others convert to, or None."""
    kinds = [value.type for value in values if value.type not in (NULL, NEVER, DEFAULT, LAMBDA)]
    for kind in dict.fromkeys(kinds):
        if all(cost(unit, value, kind) < _IMPOSSIBLE for value in values):
            return kind
    return None


def no_value() -> object:
    """Raise what reading an empty Nullable raises.

    Raises:
        CsException: InvalidOperationException, always.
    """
    raise raised("InvalidOperationException", "Nullable object must have a value.")
