"""Names: of types, of variables, of `context`."""

from functools import cache

from sinbin.csharp.allowed import is_allowed_type
from sinbin.csharp.compiler.expr import STATIC, Expr
from sinbin.csharp.compiler.unit import Unit, expression
from sinbin.csharp.registry import TYPES
from sinbin.csharp.syntax import Node
from sinbin.csharp.types import ERROR, KEYWORDS, VOID, Type, array, nullable

_ALIASES = {
    "String": "string", "Object": "object", "Boolean": "bool", "Char": "char", "Decimal": "decimal",
    "Double": "double", "Single": "float", "Int16": "short", "Int32": "int", "Int64": "long", "SByte": "sbyte",
    "Byte": "byte", "UInt16": "ushort", "UInt32": "uint", "UInt64": "ulong",
}  # fmt: skip


@cache
def _namespaces() -> frozenset[str]:
    """Return every namespace, and every beginning of one, that holds a known type."""
    found: set[str] = set()
    for definition in TYPES.values():
        parts = definition.full.split(".")[:-1]
        found.update(".".join(parts[: count + 1]) for count in range(len(parts)))
    return frozenset(found)


def known_type(name: str) -> Type | None:
    """Return the type with this C# name, without arguments, or None."""
    short = name.rpartition(".")[2]
    if "." in name and name.rpartition(".")[0] not in _namespaces():
        return None
    short = _ALIASES.get(short, short)
    if short in KEYWORDS:
        return KEYWORDS[short]
    return Type(short) if short in TYPES else None


def resolve_type(unit: Unit, node: Node) -> Type:
    """Return the type that a type node names; refuse it, and return ERROR, when it is not available."""
    match node.kind:
        case "predefined_type":
            return KEYWORDS.get(node.text) or _unknown(unit, node, node.text)
        case "nullable_type":
            inner = resolve_type(unit, node.parts[0])
            return inner if inner is ERROR else nullable(inner)
        case "array_type":
            rank = node.get("rank") or node.children[-1]
            if rank.has(","):
                unit.refuse(node, "arrays of several dimensions are not supported", "not-modelled")
                return ERROR
            inner = resolve_type(unit, node.get("type") or node.children[0])
            return inner if inner is ERROR else array(inner)
        case "tuple_type":
            parts = [(part.get("type") or part.children[0], part.get("name")) for part in node.parts]
            kinds = tuple(resolve_type(unit, part) for part, _ in parts)
            labels = tuple(name.text if name else "" for _, name in parts)
            return ERROR if ERROR in kinds else Type("()", kinds, labels if any(labels) else ())
        case "identifier" | "qualified_name" | "generic_name" | "alias_qualified_name":
            return _named(unit, node)
    unit.refuse(node, f"`{node.text}` names no type that is supported here", "not-modelled")
    return ERROR


def _named(unit: Unit, node: Node) -> Type:
    generic = (
        node if node.kind == "generic_name" else next((p for p in node.parts if p.kind == "generic_name"), None)
    )
    name = "".join(node.text.partition("<")[0].split())
    arguments: tuple[Type, ...] = ()
    if generic is not None:
        listed = next(part for part in generic.parts if part.kind == "type_argument_list")
        arguments = tuple(resolve_type(unit, part) for part in listed.parts)
        if ERROR in arguments:
            return ERROR
    if name in {"Nullable", "System.Nullable"} and len(arguments) == 1:
        return nullable(arguments[0])
    found = known_type(name)
    if found is None:
        return _unknown(unit, node, name)
    if found.name in KEYWORDS:
        return found
    definition = TYPES[found.name]
    if definition.kind != "delegate" and found.name != "Tuple" and len(definition.generics) != len(arguments):
        if found.name in {"IEnumerable", "IList", "ICollection"} and not arguments:
            return Type(found.name, (KEYWORDS["object"],))
        unit.refuse(node, f"`{name}` takes {len(definition.generics)} type arguments, not {len(arguments)}")
        return ERROR
    return Type(found.name, arguments)


def _unknown(unit: Unit, node: Node, name: str) -> Type:
    if is_allowed_type(name):
        unit.refuse(node, f"the type `{name}` is not modelled", "not-modelled")
    else:
        unit.refuse(node, f"the type `{name}` is not allowed in policy expressions", "type-not-allowed")
    return ERROR


@expression("identifier")
def compile_identifier(unit: Unit, node: Node) -> Expr:
    """A variable, a local function, `context`, or a type."""
    name = node.text.removeprefix("@")
    local = unit.lookup(name)
    if local is not None:
        if local.constant is not None:
            known = local.constant
            return Expr(known.code, local.type, node, known.const, known.nonnull)
        if local.function is not None:
            return unit.refuse(node, "a local function as a value is not supported", "not-modelled")
        code = f"{local.python}[0]" if local.cell else local.python
        return Expr(code, local.type, node)
    if name == "context":
        return Expr("ctx", Type("Context"), node, nonnull=True)
    kind = known_type(name)
    if kind is not None and kind != VOID:
        return Expr("None", STATIC, node, static=kind)
    if is_allowed_type(name):
        return unit.refuse(node, f"the type `{name}` is not modelled", "not-modelled")
    if name[:1].isupper():
        return unit.refuse(
            node, f"`{name}` is no variable here, and no type that policy expressions allow", "type-not-allowed"
        )
    return unit.refuse(node, f"there is no variable `{name}` here")


@expression("predefined_type", "generic_name", "nullable_type")
def compile_type_name(unit: Unit, node: Node) -> Expr:
    """A type as the left side of a static member: `int.Parse`, `List<int>`."""
    kind = resolve_type(unit, node)
    return Expr("None", ERROR if kind is ERROR else STATIC, node, static=kind)


def qualified_type(node: Node) -> Type | None:
    """Return the type when a chain of names is its full name, such as `System.Text.Encoding`."""
    text = "".join(node.text.split())
    if not text.replace(".", "").replace("_", "").isalnum():
        return None
    return known_type(text) if text.rpartition(".")[0] in _namespaces() else None
