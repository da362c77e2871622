"""Members and elements: `a.b`, `a[b]`, `a?.b`, read and written."""

from sinbin.csharp.allowed import is_allowed_member, is_allowed_type
from sinbin.csharp.casting import is_value_type
from sinbin.csharp.compiler import calls, conversions, overloads
from sinbin.csharp.compiler.expr import GROUP, LAMBDA, STATIC, Expr, Place
from sinbin.csharp.compiler.names import known_type, qualified_type, resolve_type
from sinbin.csharp.compiler.numeric import constant
from sinbin.csharp.compiler.unit import Unit, expression
from sinbin.csharp.exceptions import throw_null_reference
from sinbin.csharp.library.arrays import get_element, set_element
from sinbin.csharp.registry import TYPES, Member, extensions, find_members
from sinbin.csharp.syntax import Node
from sinbin.csharp.types import DEFAULT, ERROR, INT, NULL, VOID, Type, nullable, substitute


@expression("member_access_expression", "qualified_name")
def compile_member(unit: Unit, node: Node) -> Expr:
    """`a.b`: a property, a constant, a field of a tuple, or the methods of that name."""
    named = qualified_type(node)
    if named is not None and unit.lookup(node.text.partition(".")[0]) is None:
        return Expr("None", STATIC, node, static=named)
    name = node.get("name") or node.parts[-1]
    unknown = _unknown_type(unit, node)
    if unknown is not None:
        return unit.refuse(node, f"the type `{unknown}` is not allowed in policy expressions", "type-not-allowed")
    receiver = unit.compile(node.get("expression") or node.parts[0])
    return member_of(unit, node, receiver, name)


def _unknown_type(unit: Unit, node: Node) -> str | None:
    """Return the full name of a type that is not known, for `System.IO.File.Exists`."""
    names = "".join(node.text.split()).split(".")
    if (
        names[0] not in {"System", "Newtonsoft", "Microsoft"}
        or unit.lookup(names[0]) is not None
        or len(names) < 2
    ):
        return None
    if any(known_type(".".join(names[:count])) for count in range(2, len(names) + 1)):
        return None
    return ".".join(names[:-1]) if len(names) > 2 else ".".join(names)


def member_of(unit: Unit, node: Node, receiver: Expr, name: Node) -> Expr:
    """Return the member `name` of a compiled receiver."""
    generics = None
    if name.kind == "generic_name":
        listed = next(part for part in name.parts if part.kind == "type_argument_list")
        generics = tuple(resolve_type(unit, part) for part in listed.parts)
        if ERROR in generics:
            return Expr("None", ERROR, node)
    return named_member(
        unit, node, receiver, name, name.text.partition("<")[0].strip().removeprefix("@"), generics
    )


def named_member(
    unit: Unit, node: Node, receiver: Expr, name: Node, text: str, generics: tuple[Type, ...] | None = None
) -> Expr:
    """Return the member called `text`, which stands at `name`."""
    if receiver.failed:
        return receiver
    if receiver.type in (NULL, VOID, LAMBDA, GROUP, DEFAULT):
        return unit.refuse(node, f"{receiver.type} has no members")
    labelled = _labelled(receiver, text, node)
    if labelled is not None:
        return labelled
    static = receiver.type == STATIC
    owner = receiver.static if static and receiver.static else receiver.type
    found = [
        (base, member)
        for base, member in find_members(owner, text)
        if member.static == static and not member.extension
    ]
    if owner.name == "[]":
        # An array hides the members of the interfaces that it implements.
        found = [(base, member) for base, member in found if base.name in {"[]", "Array", "object"}]
    if static:
        found += [(owner, member) for _, member in find_members(owner, text) if member.extension]
    properties = [member for _, member in found if member.kind == "property"]
    if properties and generics is None:
        return _property(unit, node, receiver, found[0][0], properties[0])
    methods = [(base, member) for base, member in found if member.kind == "method"]
    if not static:
        methods += [(owner, member) for member in extensions().get(text, ())]
    if methods:
        return Expr("", GROUP, node, receiver=receiver, group=methods, generics=generics)
    return _no_member(unit, name, owner, text, static=static)


def _labelled(receiver: Expr, text: str, node: Node) -> Expr | None:
    """Return an element of a tuple or a property of an anonymous object."""
    kind = receiver.type
    if kind.name not in {"()", "new"}:
        return None
    if text in kind.labels:
        index = kind.labels.index(text)
    elif (
        kind.name == "()"
        and text.startswith("Item")
        and text[4:].isdigit()
        and 1 <= int(text[4:]) <= len(kind.args)
    ):
        index = int(text[4:]) - 1
    else:
        return None
    return Expr(f"{receiver.code}[{index}]", kind.args[index], node)


def _no_member(unit: Unit, name: Node, owner: Type, text: str, *, static: bool) -> Expr:
    definition = TYPES.get(owner.name)
    full = definition.full if definition else owner.name
    other = [m for _, m in find_members(owner, text) if not m.extension]
    if other:
        how = f"an instance of `{owner}`" if static else f"the type `{owner}`, not a value"
        return unit.refuse(name, f"`{text}` is a member of {how}")
    if is_allowed_type(full) and not is_allowed_member(full, text):
        return unit.refuse(name, f"`{owner}.{text}` is not allowed in policy expressions", "member-not-allowed")
    return unit.refuse(name, f"`{owner}` has no member `{text}`, or it is not modelled", "not-modelled")


def nonnull_code(unit: Unit, value: Expr) -> str:
    """Return code for a receiver that fails with NullReferenceException when it is null."""
    if value.nonnull or value.type == STATIC or (is_value_type(value.type) and value.type.name != "?"):
        return value.code
    temp = unit.fresh()
    return f"({temp} if ({temp} := {value.code}) is not None else {unit.bind(throw_null_reference)}())"


def _property(unit: Unit, node: Node, receiver: Expr, base: Type, member: Member) -> Expr:
    bindings = overloads.owner_bindings(base, member)
    kind = substitute(member.returns, bindings)
    implementation = member.implementation
    if not isinstance(implementation, str) and not callable(implementation):
        if isinstance(implementation, int | float) and not hasattr(implementation, "cs_type"):
            return constant(node, kind, implementation)
        return Expr(unit.bind(implementation), kind, node, nonnull=True)
    if receiver.type.name == "?":  # noqa: SIM108
        # A Nullable's own members (HasValue, Value) take null as well.
        code = receiver.code
    else:
        code = nonnull_code(unit, receiver)
    made = calls.call_code(unit, member, None if member.static else code, [], base.args)
    return Expr(made, kind, node, nonnull=member.nonnull)


@expression("conditional_access_expression")
def compile_conditional_access(unit: Unit, node: Node) -> Expr:
    """`a?.b`: null when `a` is null, and then nothing of `b` is evaluated."""
    receiver = unit.compile(node.fields["condition"][0])
    if receiver.failed:
        return receiver
    if receiver.type == STATIC or (is_value_type(receiver.type) and receiver.type.name != "?"):
        return unit.refuse(node, f"`?.` needs something that may be null, not `{receiver.type}`")
    temp = unit.fresh()
    inner = receiver.type.args[0] if receiver.type.name == "?" else receiver.type
    unit.receivers.append(Expr(temp, inner, node, nonnull=True))
    value = unit.compile(node.fields["body"][0])
    unit.receivers.pop()
    if value.failed:
        return value
    kind = value.type
    if is_value_type(kind) and kind.name != "?":
        kind = nullable(kind)
    return Expr(f"(None if ({temp} := {receiver.code}) is None else {value.code})", kind, node)


@expression("binding_receiver")
def compile_receiver(unit: Unit, node: Node) -> Expr:
    """The value before `?.`."""
    receiver = unit.receivers[-1]
    return Expr(receiver.code, receiver.type, node, nonnull=True)


@expression("element_access_expression")
def compile_element(unit: Unit, node: Node) -> Expr:
    """`a[b]`: an array's element or an indexer."""
    receiver = unit.compile(node.fields["expression"][0])
    arguments = _subscript(node)
    if receiver.failed:
        return receiver
    if receiver.type.name == "[]":
        if len(arguments) != 1:
            return unit.refuse(node, "this array has one dimension")
        index = _index(unit, arguments[0])
        code = f"{unit.bind(get_element)}({nonnull_code(unit, receiver)}, {index.code})"
        return Expr(code, receiver.type.args[0], node)
    return calls.call_indexer(unit, node, receiver, arguments)


def _subscript(node: Node) -> tuple[Node, ...]:
    return tuple(part for part in node.fields["subscript"][0].parts if part.kind == "argument")


def _index(unit: Unit, argument: Node) -> Expr:
    return conversions.require(unit, unit.compile(argument.parts[-1]), INT, "the index")


def element_place(unit: Unit, node: Node) -> Place | None:
    """Return `a[b]` as something to assign to."""
    receiver = unit.compile(node.fields["expression"][0])
    arguments = _subscript(node)
    if receiver.failed:
        return None
    holder = unit.fresh()
    held = Expr(holder, receiver.type, receiver.node, nonnull=True)
    setup = [f"({holder} := {nonnull_code(unit, receiver)})"]
    if receiver.type.name == "[]":
        index = unit.fresh()
        setup.append(f"({index} := {_index(unit, arguments[0]).code})")
        read = Expr(f"{unit.bind(get_element)}({holder}, {index})", receiver.type.args[0], node)
        setter = unit.bind(set_element)
        return Place(read, lambda value: f"{setter}({holder}, {index}, {value})", setup)
    return calls.indexer_place(unit, node, held, arguments, setup)


def member_place(unit: Unit, node: Node) -> Place | None:
    """Return `a.b` as something to assign to."""
    receiver = unit.compile(node.fields["expression"][0])
    name = node.fields["name"][0]
    if receiver.failed:
        return None
    setters = find_members(receiver.type, f"set {name.text}")
    if not setters:
        if receiver.type.name == "Context" or find_members(receiver.type, name.text):
            unit.refuse(node, f"`{name.text}` of `{receiver.type}` cannot be assigned to")
        else:
            unit.refuse(
                name, f"`{receiver.type}` has no member `{name.text}`, or it is not modelled", "not-modelled"
            )
        return None
    base, member = setters[0]
    holder = unit.fresh()
    held = Expr(holder, receiver.type, receiver.node, nonnull=True)
    setup = [f"({holder} := {nonnull_code(unit, receiver)})"]
    getter = find_members(receiver.type, name.text)
    kind = substitute(member.returns, overloads.owner_bindings(base, member))
    read = member_of(unit, node, held, name) if getter else Expr("None", kind, node)
    return Place(
        Expr(read.code, kind, node), lambda value: calls.call_code(unit, member, holder, [value], base.args), setup
    )
