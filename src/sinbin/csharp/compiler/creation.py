"""Making values: `new T(…) { … }`, arrays, anonymous objects, tuples."""

from sinbin.csharp.casting import default_value
from sinbin.csharp.compiler import access, calls, conversions, overloads
from sinbin.csharp.compiler.conversions import require
from sinbin.csharp.compiler.expr import STATIC, Expr
from sinbin.csharp.compiler.names import resolve_type
from sinbin.csharp.compiler.unit import Unit, expression
from sinbin.csharp.library.arrays import new_array
from sinbin.csharp.registry import TYPES, find_members
from sinbin.csharp.syntax import Node
from sinbin.csharp.types import ERROR, INT, NULL, VOID, Type, array, substitute
from sinbin.csharp.values import Anonymous, Array


@expression("object_creation_expression")
def compile_new(unit: Unit, node: Node) -> Expr:
    """`new T(…) { … }`."""
    kind = resolve_type(unit, node.fields["type"][0])
    listed = node.get("arguments")
    arguments = calls.read_arguments(
        unit, [part for part in listed.parts if part.kind == "argument"] if listed else []
    )
    if kind is ERROR or arguments is None:
        return Expr("None", ERROR, node)
    made = _construct(unit, node, kind, arguments)
    initializer = node.get("initializer")
    if made.failed or initializer is None:
        return made
    return _initialized(unit, node, made, initializer)


def _construct(unit: Unit, node: Node, kind: Type, arguments: list[overloads.Argument]) -> Expr:
    definition = TYPES.get(kind.name)
    if definition is not None and definition.kind == "delegate" and len(arguments) == 1 and arguments[0].value:
        return require(unit, arguments[0].value, kind)
    constructors = definition.members.get("new", []) if definition else []
    found = [overloads.fit(unit, kind, member, arguments) for member in constructors]
    match = min(
        (candidate for candidate in found if candidate), key=lambda candidate: candidate.cost, default=None
    )
    if match is None:
        if definition is not None and definition.kind == "struct" and not arguments:
            return conversions.default(unit, node, kind)
        given = ", ".join(str(a.value.type) if a.value else "out" for a in arguments)
        why = "takes" if constructors else "can be made here, let alone from"
        return unit.refuse(node, f"no constructor of `{kind}` {why} ({given})", "not-modelled")
    values = calls.argument_codes(unit, match)
    if values is None:
        return Expr("None", ERROR, node)
    return Expr(calls.call_code(unit, match.member, None, values, kind.args), kind, node, nonnull=True)


def _initialized(unit: Unit, node: Node, made: Expr, initializer: Node) -> Expr:
    """Fill an object right after it has been made."""
    temp = unit.fresh()
    held = Expr(temp, made.type, node, nonnull=True)
    steps = [f"({temp} := {made.code})"]
    for part in initializer.parts:
        step = _initializer_step(unit, held, part)
        if step is None:
            return Expr("None", ERROR, node)
        steps += step
    return Expr(f"({', '.join(steps)}, {temp})[-1]", made.type, node, nonnull=True)


def _initializer_step(unit: Unit, held: Expr, part: Node) -> list[str] | None:
    if part.kind == "assignment_expression":
        left, right = part.fields["left"][0], part.fields["right"][0]
        if left.kind == "element_binding_expression":
            nodes = [inner for inner in left.parts if inner.kind == "argument"]
            setup: list[str] = []
            place = calls.indexer_place(unit, left, held, nodes, setup)
            if place is None:
                return None
            value = require(unit, unit.compile(right), place.read.type)
            return None if value.failed else [*setup, place.write(value.code)]
        setters = find_members(held.type, f"set {left.text}")
        if not setters:
            unit.refuse(left, f"`{held.type}` has no property `{left.text}` that can be set", "not-modelled")
            return None
        base, member = setters[0]
        value = require(
            unit, unit.compile(right), substitute(member.returns, overloads.owner_bindings(base, member))
        )
        return None if value.failed else [calls.call_code(unit, member, held.code, [value.code], base.args)]
    inner = part.parts if part.kind == "initializer_expression" else (part,)
    group = access.named_member(unit, part, held, part, "Add")
    if group.failed:
        return None
    arguments = [overloads.Argument(node, unit.compile(node)) for node in inner]
    if any(argument.value is None or argument.value.failed for argument in arguments):
        return None
    called = calls.call_group(unit, part, group, arguments)
    return None if called.failed else [called.code]


@expression("array_creation_expression")
def compile_array(unit: Unit, node: Node) -> Expr:
    """`new T[n]`, `new T[] { … }`."""
    written = node.fields["type"][0]
    rank = written.get("rank") or written.children[-1]
    inner = written.fields["type"][0]
    if rank.has(",") or (
        inner.kind == "array_type" and any(p.parts for p in inner.walk() if p.kind == "array_rank_specifier")
    ):
        return unit.refuse(
            node, "write arrays of arrays one by one: `new T[n][]` is not supported", "not-modelled"
        )
    element = resolve_type(unit, inner)
    if element is ERROR:
        return Expr("None", ERROR, node)
    initializer = next((part for part in node.parts if part.kind == "initializer_expression"), None)
    if initializer is not None:
        return array_of(unit, node, element, initializer)
    if not rank.parts:
        return unit.refuse(node, "the array needs a length or values")
    length = require(unit, unit.compile(rank.parts[0]), INT, "the length")
    if length.failed:
        return length
    if length.is_const and length.const < 0:
        return unit.refuse(node, "an array cannot have a negative size")
    filler = unit.bind(default_value(element)) if default_value(element) is not None else "None"
    code = f"{unit.bind(new_array)}({length.code}, {unit.bind(element, 'type')}, {filler})"
    code = f"rt.made({code})" if unit.metered else code
    return Expr(code, array(element), node, nonnull=True)


def array_of(unit: Unit, node: Node, element: Type, initializer: Node) -> Expr:
    """Return the array that `{ a, b }` makes."""
    values = []
    for part in initializer.parts:
        if part.kind == "initializer_expression" and element.name == "[]":
            values.append(array_of(unit, part, element.args[0], part))
        else:
            values.append(require(unit, unit.compile(part), element))
    failed = next((value for value in values if value.failed), None)
    if failed is not None:
        return failed
    items = ", ".join(value.code for value in values)
    return Expr(f"{unit.bind(Array)}([{items}], {unit.bind(element, 'type')})", array(element), node, nonnull=True)


@expression("implicit_array_creation_expression")
def compile_implicit_array(unit: Unit, node: Node) -> Expr:
    """`new[] { … }`: of the type that all values convert to."""
    initializer = next(part for part in node.parts if part.kind == "initializer_expression")
    values = [unit.compile(part) for part in initializer.parts]
    failed = next((value for value in values if value.failed), None)
    if failed is not None:
        return failed
    kind = conversions.best_common(unit, values)
    if kind is None:
        return unit.refuse(node, "the values have no common type")
    converted = [require(unit, value, kind) for value in values]
    items = ", ".join(value.code for value in converted)
    return Expr(f"{unit.bind(Array)}([{items}], {unit.bind(kind, 'type')})", array(kind), node, nonnull=True)


@expression("anonymous_object_creation_expression")
def compile_anonymous(unit: Unit, node: Node) -> Expr:
    """`new { a = 1, b.c }`."""
    children = [child for child in node.children if child.kind not in {"new", "{", "}"}]
    entries: list[list[Node]] = [[]]
    for child in children:
        if child.kind == ",":
            entries.append([])
        else:
            entries[-1].append(child)
    labels, values = [], []
    for entry in filter(None, entries):
        named = len(entry) == 3
        value = unit.compile(entry[-1])
        if value.failed:
            return value
        if value.type in (NULL, VOID, STATIC):
            return unit.refuse(entry[-1], "a property of an anonymous type needs a value with a type")
        if not named and entry[0].kind not in {
            "identifier",
            "member_access_expression",
            "conditional_access_expression",
        }:
            return unit.refuse(entry[0], "this property of the anonymous type needs a name")
        labels.append(entry[0].text if named else entry[0].text.rpartition(".")[2])
        values.append(value)
    kind = Type("new", tuple(value.type for value in values), tuple(labels))
    items = "".join(f"{conversions.boxed(unit, value, value.type).code}, " for value in values)
    return Expr(f"{unit.bind(Anonymous)}({unit.bind(kind, 'type')}, ({items}))", kind, node, nonnull=True)


@expression("tuple_expression")
def compile_tuple(unit: Unit, node: Node) -> Expr:
    """`(a, b)`; the elements take the names that are written or that their values have."""
    values = [unit.compile(part.parts[-1]) for part in node.parts]
    failed = next((value for value in values if value.failed), None)
    if failed is not None:
        return failed
    if any(value.type in (NULL, VOID, STATIC) for value in values):
        return unit.refuse(node, "an element of the tuple has no type")
    labels = []
    for part in node.parts:
        name, inner = part.get("name"), part.parts[-1]
        labels.append(name.text if name else inner.text.rpartition(".")[2] if inner.kind in _NAMING else "")
    kind = Type("()", tuple(value.type for value in values), tuple(labels) if any(labels) else ())
    return Expr(f"({''.join(f'{value.code}, ' for value in values)})", kind, node, nonnull=True)


_NAMING = {"identifier", "member_access_expression"}
