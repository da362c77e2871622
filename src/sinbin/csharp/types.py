"""The types of C# as the compiler sees them: a name and its arguments, `List<int>` or `string[]`."""

import re
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Type:
    """A type by its short C# name; equal types are equal values.

    Attributes:
        name: `int`, `JObject`, `List`; `[]` for an array, `?` for Nullable, `()` for a tuple,
            `new` for an anonymous type, `!T` for a type parameter.
        args: type arguments, element types.
        labels: the names of an anonymous type's properties or of a tuple's elements.
    """

    name: str
    args: "tuple[Type, ...]" = ()
    labels: tuple[str, ...] = ()

    def __str__(self) -> str:
        match self.name:
            case "[]":
                return f"{self.args[0]}[]"
            case "?":
                return f"{self.args[0]}?"
            case "()":
                return f"({', '.join(map(str, self.args))})"
            case "new":
                pairs = zip(self.args, self.labels, strict=True)
                return f"<anonymous type: {', '.join(f'{arg} {label}' for arg, label in pairs)}>"
        name = self.name.removeprefix("!")
        return f"{name}<{', '.join(map(str, self.args))}>" if self.args else name


INT, LONG, SHORT, SBYTE = Type("int"), Type("long"), Type("short"), Type("sbyte")
UINT, ULONG, USHORT, BYTE = Type("uint"), Type("ulong"), Type("ushort"), Type("byte")
FLOAT, DOUBLE, DECIMAL = Type("float"), Type("double"), Type("decimal")
BOOL, CHAR, STRING, OBJECT, VOID = Type("bool"), Type("char"), Type("string"), Type("object"), Type("void")
# Types that only the compiler knows: of `null`, of a place already refused, of `throw`, of a bare `default`.
NULL, ERROR, NEVER, DEFAULT = Type("null"), Type("error"), Type("never"), Type("default")

INTEGRAL: dict[Type, tuple[int, int]] = {
    SBYTE: (-(2**7), 2**7 - 1),
    BYTE: (0, 2**8 - 1),
    SHORT: (-(2**15), 2**15 - 1),
    USHORT: (0, 2**16 - 1),
    INT: (-(2**31), 2**31 - 1),
    UINT: (0, 2**32 - 1),
    LONG: (-(2**63), 2**63 - 1),
    ULONG: (0, 2**64 - 1),
}
REAL = frozenset({FLOAT, DOUBLE})
NUMERIC = frozenset({*INTEGRAL, *REAL, DECIMAL})

# To what a numeric type converts without a cast, nearest first. Source: C# specification, 10.2.3
WIDENING: dict[Type, tuple[Type, ...]] = {
    SBYTE: (SHORT, INT, LONG, FLOAT, DOUBLE, DECIMAL),
    BYTE: (SHORT, USHORT, INT, UINT, LONG, ULONG, FLOAT, DOUBLE, DECIMAL),
    SHORT: (INT, LONG, FLOAT, DOUBLE, DECIMAL),
    USHORT: (INT, UINT, LONG, ULONG, FLOAT, DOUBLE, DECIMAL),
    INT: (LONG, FLOAT, DOUBLE, DECIMAL),
    UINT: (LONG, ULONG, FLOAT, DOUBLE, DECIMAL),
    LONG: (FLOAT, DOUBLE, DECIMAL),
    ULONG: (FLOAT, DOUBLE, DECIMAL),
    CHAR: (USHORT, INT, UINT, LONG, ULONG, FLOAT, DOUBLE, DECIMAL),
    FLOAT: (DOUBLE,),
}

KEYWORDS = {
    name: Type(name)
    for name in (
        [
            "int",
            "long",
            "short",
            "sbyte",
            "uint",
            "ulong",
            "ushort",
            "byte",
            "float",
            "double",
            "decimal",
            "bool",
            "char",
            "string",
            "object",
            "void",
        ]
    )
}


def array(element: Type) -> Type:
    """Return `element[]`."""
    return Type("[]", (element,))


def nullable(value: Type) -> Type:
    """Return `value?` for a value type."""
    return Type("?", (value,))


def sequence(element: Type) -> Type:
    """Return `IEnumerable<element>`."""
    return Type("IEnumerable", (element,))


def substitute(kind: Type, bindings: dict[str, Type]) -> Type:
    """Return `kind` with its type parameters replaced; those not in `bindings` stay."""
    if kind.name.startswith("!"):
        return bindings.get(kind.name[1:], kind)
    if not kind.args:
        return kind
    return Type(kind.name, tuple(substitute(arg, bindings) for arg in kind.args), kind.labels)


def is_open(kind: Type) -> bool:
    """Tell whether `kind` still holds a type parameter."""
    return kind.name.startswith("!") or any(is_open(arg) for arg in kind.args)


_TOKEN = re.compile(r"\s*([\w.]+|\[\]|[<>(),?])")


@cache
def parse_type(text: str, parameters: frozenset[str] = frozenset()) -> Type:
    """Return the type that a declaration writes as `text`; names in `parameters` are type parameters."""
    tokens = _TOKEN.findall(text)
    kind, rest = _read(tokens, parameters)
    if rest:
        raise ValueError(f"{text!r} is no type: {rest} is left over")
    return kind


def _read(tokens: list[str], parameters: frozenset[str]) -> tuple[Type, list[str]]:
    head, *rest = tokens
    args: list[Type] = []
    if head == "(" or (rest and rest[0] == "<"):
        name = "()" if head == "(" else head
        rest = rest if head == "(" else rest[1:]
        while True:
            arg, rest = _read(rest, parameters)
            args.append(arg)
            closing, *rest = rest
            if closing in {")", ">"}:
                break
    else:
        name = f"!{head}" if head in parameters else head
    kind = Type(name, tuple(args))
    while rest and rest[0] in {"[]", "?"}:
        kind = Type(rest[0], (kind,))
        rest = rest[1:]
    return kind, rest
