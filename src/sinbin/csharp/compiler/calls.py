"""Calls: the Python code that calls a method, an indexer, a delegate or a local function."""

from collections.abc import Sequence
from typing import Any

from sinbin.csharp.casting import is_value_type
from sinbin.csharp.compiler import access, conversions, lambdas
from sinbin.csharp.compiler.expr import GROUP, LAMBDA, Expr, Place
from sinbin.csharp.compiler.names import resolve_type
from sinbin.csharp.compiler.numeric import constant
from sinbin.csharp.compiler.overloads import Argument, Match, choose, fit
from sinbin.csharp.compiler.unit import Unit, expression
from sinbin.csharp.metering import metered
from sinbin.csharp.registry import Linear, Member, Parameter, find_members
from sinbin.csharp.syntax import Node
from sinbin.csharp.types import ERROR, STRING, Type, substitute
from sinbin.csharp.values import Array


def read_arguments(unit: Unit, nodes: Sequence[Node]) -> list[Argument] | None:
    """Compile arguments; None when one of them has failed."""
    arguments = []
    for node in nodes:
        name = node.get("name")
        inner = node.parts[-1]
        if node.has("ref"):
            unit.refuse(node, "`ref` arguments are not supported", "not-modelled")
            return None
        if node.has("out"):
            arguments.append(Argument(node, None, name.text if name else None, inner))
            continue
        arguments.append(Argument(node, unit.compile(inner), name.text if name else None))
    return None if any(a.value is not None and a.value.failed for a in arguments) else arguments


@expression("invocation_expression")
def compile_invocation(unit: Unit, node: Node) -> Expr:
    """`f(x)`: a method, a local function, or a delegate."""
    function = node.fields["function"][0]
    nodes = [part for part in node.fields["arguments"][0].parts if part.kind == "argument"]
    if function.kind == "identifier":
        if function.text == "nameof" and len(nodes) == 1:
            return constant(node, STRING, nodes[0].parts[-1].text.rpartition(".")[2])
        local = unit.lookup(function.text)
        if local is not None and local.function is not None:
            return _call_local(unit, node, local.python, local.function, nodes)
    target = unit.compile(function)
    arguments = read_arguments(unit, nodes)
    if target.failed or arguments is None:
        return Expr("None", ERROR, node)
    if target.type == GROUP:
        return call_group(unit, node, target, arguments)
    shape = lambdas.delegate_shape(target.type)
    if shape is None:
        return unit.refuse(node, f"`{function.text}` is no method")
    return _call_shape(unit, node, access.nonnull_code(unit, target), shape, arguments)


def _call_local(
    unit: Unit, node: Node, name: str, shape: tuple[tuple[Type, ...], Type], nodes: Sequence[Node]
) -> Expr:
    arguments = read_arguments(unit, nodes)
    if arguments is None:
        return Expr("None", ERROR, node)
    return _call_shape(unit, node, name, shape, arguments)


def _call_shape(
    unit: Unit, node: Node, code: str, shape: tuple[tuple[Type, ...], Type], arguments: list[Argument]
) -> Expr:
    takes, returns = shape
    if len(takes) != len(arguments) or any(a.value is None or a.name for a in arguments):
        return unit.refuse(node, f"{len(takes)} arguments are wanted here, not {len(arguments)}")
    values = [
        conversions.require(unit, a.value, kind) for a, kind in zip(arguments, takes, strict=True) if a.value
    ]
    if any(value.failed for value in values):
        return Expr("None", ERROR, node)
    called = f"rt.calling({code})" if unit.metered else code
    return Expr(f"{called}({', '.join(value.code for value in values)})", returns, node)


def call_group(unit: Unit, node: Node, target: Expr, arguments: list[Argument]) -> Expr:
    """Call the method of a group that fits the arguments."""
    receiver = target.receiver
    match = choose(unit, target, arguments)
    if match is None or receiver is None:
        name = target.group[0][1].name
        given = ", ".join(str(a.value.type) if a.value else "out" for a in arguments)
        return unit.refuse(node, f"no overload of `{name}` takes ({given})")
    return _call(unit, node, match, receiver)


def choose_for_delegate(unit: Unit, group: Expr, takes: tuple[Type, ...]) -> tuple[str, Type] | None:
    """Return code and result type of the method of a group that takes parameters of these types."""
    names = [unit.fresh("p") for _ in takes]
    arguments = [
        Argument(group.node, Expr(name, kind, group.node)) for name, kind in zip(names, takes, strict=True)
    ]
    with unit.trial():
        match = choose(unit, group, arguments)
    if match is None or group.receiver is None:
        return None
    called = _call(unit, group.node, match, group.receiver)
    return f"(lambda {', '.join(names)}: {called.code})", called.type


def _call(unit: Unit, node: Node, match: Match, receiver: Expr) -> Expr:
    member = match.member
    code = None
    if not member.static and not member.extension:
        # What object declares takes a value in its box, so that it knows its type.
        held = conversions.boxed(unit, receiver, receiver.type) if member.owner.name == "object" else receiver
        code = held.code if receiver.type.name == "?" else access.nonnull_code(unit, held)
    values = argument_codes(unit, match)
    if values is None:
        return Expr("None", ERROR, node)
    generics = tuple(
        match.bindings[name] for name in (*member.owner.generics, *member.generics) if name in match.bindings
    )
    called = call_code(unit, member, code, values, generics)
    returns = substitute(member.returns, match.bindings)
    if match.outs:
        called = _store_outs(unit, match, called)
    return Expr(called, returns, node, nonnull=member.nonnull)


def argument_codes(unit: Unit, match: Match) -> list[str] | None:
    """Return the Python arguments of a call, converted and in the order of the parameters."""
    codes = []
    for parameter, slot in zip(match.member.parameters, match.slots, strict=True):
        kind = substitute(parameter.type, match.bindings)
        if parameter.out:
            continue
        if slot is None:
            codes.append(_default_code(unit, parameter, kind))
        elif isinstance(slot, list):
            inner = kind.args[0]
            values = [conversions.require(unit, argument.value, inner) for argument in slot if argument.value]
            if any(value.failed for value in values):
                return None
            items = ", ".join(value.code for value in values)
            codes.append(f"{unit.bind(Array)}([{items}], {unit.bind(inner, 'type')})")
        elif slot.value is not None:
            value = conversions.require(unit, slot.value, kind)
            if value.failed:
                return None
            codes.append(value.code)
    return codes


def _default_code(unit: Unit, parameter: Parameter, kind: Type) -> str:
    if parameter.default in {"null", "default"}:
        return "None" if not is_value_type(kind) else conversions.default(unit, unit.parsed.root, kind).code  # type: ignore[arg-type]
    return {"true": "True", "false": "False"}.get(str(parameter.default), str(parameter.default))


def _store_outs(unit: Unit, match: Match, called: str) -> str:
    from sinbin.csharp.compiler.places import compile_place  # noqa: PLC0415  (places are built on calls)

    whole = unit.fresh()
    writes = [f"({whole} := {called})"]
    for index, (argument, kind) in enumerate(match.outs, start=1):
        target = argument.out
        if target is None or target.text == "_":
            continue
        if target.kind == "declaration_expression":
            written = target.fields["type"][0]
            declared = kind if written.kind == "implicit_type" else resolve_type(unit, written)
            name = target.get("name")
            if name is None or name.text == "_":
                continue
            local = unit.declare(name, name.text, declared, late=True)
            if declared != kind and declared is not ERROR:
                unit.refuse(target, f"the out value is `{kind}`, not `{declared}`")
            target = name
            del local
        place = compile_place(unit, target)
        if place is None:
            continue
        if place.read.type != kind:
            unit.refuse(target, f"the out value is `{kind}`, not `{place.read.type}`")
        writes += [*place.setup, place.write(f"{whole}[{index}]")]
    return f"({', '.join(writes)}, {whole}[0])[-1]"


def call_code(
    unit: Unit, member: Member, receiver: str | None, values: list[str], generics: tuple[Type, ...]
) -> str:
    """Return the Python code that calls a member."""
    given = values if receiver is None else [receiver, *values]
    implementation: Any = member.implementation
    takes_types = takes_runtime = False
    if isinstance(implementation, str) and (not unit.metered or not isinstance(implementation, Linear)):
        return implementation.format(*given, rt="rt", T=unit.bind(generics[-1], "type") if generics else "")
    trees = getattr(implementation, "tree_places", ())
    if isinstance(implementation, str):
        implementation = unit.written_out(implementation, len(given))
    if getattr(implementation, "makes_for_types", False):
        implementation = implementation(generics)
    if getattr(implementation, "needs_types", False):
        takes_types, given = True, [unit.bind(generics, "types"), *given]
    takes_runtime = getattr(implementation, "needs_runtime", False)
    if unit.metered and callable(implementation) and not getattr(implementation, "constant_time", False):
        first = takes_types + (receiver is not None)
        lazy = tuple(
            first + place for place, one in enumerate(member.parameters) if one.type.name == "IEnumerable"
        )
        implementation = metered(implementation, lazy, takes_runtime=takes_runtime, trees=trees)
        takes_runtime = True
    if takes_runtime:
        given = ["rt", *given]
    hint = member.name.partition(" ")[0]
    return f"{unit.bind(implementation, hint)}({', '.join(given)})"


def call_indexer(unit: Unit, node: Node, receiver: Expr, nodes: Sequence[Node]) -> Expr:
    """Return `receiver[…]` through an indexer."""
    arguments = read_arguments(unit, nodes)
    if arguments is None:
        return Expr("None", ERROR, node)
    match = _indexer(unit, receiver.type, "this", arguments)
    if match is None:
        given = ", ".join(str(a.value.type) for a in arguments if a.value)
        return unit.refuse(node, f"`{receiver.type}` has no indexer for ({given})")
    return _call(unit, node, match, receiver)


def _indexer(unit: Unit, kind: Type, key: str, arguments: list[Argument]) -> Match | None:
    found = [fit(unit, base, member, arguments) for base, member in find_members(kind, key) if not member.static]
    return min((match for match in found if match), key=lambda match: match.cost, default=None)


def indexer_place(unit: Unit, node: Node, held: Expr, nodes: Sequence[Node], setup: list[str]) -> Place | None:
    """Return `held[…]` as something to assign to."""
    arguments = read_arguments(unit, nodes)
    if arguments is None:
        return None
    for argument in arguments:
        if (
            argument.value is not None
            and not argument.value.is_const
            and argument.value.type not in (LAMBDA, GROUP)
        ):
            name = unit.fresh()
            setup.append(f"({name} := {argument.value.code})")
            argument.value = Expr(name, argument.value.type, argument.node, nonnull=argument.value.nonnull)
    reader = _indexer(unit, held.type, "this", arguments)
    writer = None
    for base, member in find_members(held.type, "set this"):
        # The last parameter of a setter is the value.
        short = Member(
            member.owner, member.kind, member.name, member.returns, member.implementation, member.parameters
        )
        match = fit(unit, base, short, arguments)
        if match is not None and (writer is None or match.cost < writer.cost):
            writer = match
    if writer is None:
        unit.refuse(node, f"the elements of `{held.type}` cannot be assigned to")
        return None
    codes = argument_codes(unit, writer)
    kind = substitute(writer.member.returns, writer.bindings)
    read = _call(unit, node, reader, held) if reader else Expr("None", kind, node)
    chosen, base_args = writer.member, writer.base.args
    return Place(
        Expr(read.code, kind, node),
        lambda value: call_code(unit, chosen, held.code, [*(codes or []), value], base_args),
        setup,
    )
