"""Values of .NET in Python, and what every value can do: its type, its text, equality.

    int → int   bool → bool   double → float   string → str (UTF-16 code units)   decimal → Decimal   null → None

A value of another numeric type, a char or an enum member carries its type only where C# would box it: there it
is an instance of one of the classes below. Everything else is an object of a class with `cs_type`.
"""

import decimal
from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar, Self

from sinbin.csharp.exceptions import CsException
from sinbin.csharp.numbers import format_decimal, format_double, format_single
from sinbin.csharp.types import (
    BOOL,
    BYTE,
    CHAR,
    DECIMAL,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    OBJECT,
    SBYTE,
    SHORT,
    STRING,
    UINT,
    ULONG,
    USHORT,
    Type,
    array,
    sequence,
)


class Int64(int):
    """A boxed long."""

    cs_type: ClassVar[Type] = LONG


class Int16(int):
    """A boxed short."""

    cs_type: ClassVar[Type] = SHORT


class SByte(int):
    """A boxed sbyte."""

    cs_type: ClassVar[Type] = SBYTE


class Byte(int):
    """A boxed byte."""

    cs_type: ClassVar[Type] = BYTE


class UInt16(int):
    """A boxed ushort."""

    cs_type: ClassVar[Type] = USHORT


class UInt32(int):
    """A boxed uint."""

    cs_type: ClassVar[Type] = UINT


class UInt64(int):
    """A boxed ulong."""

    cs_type: ClassVar[Type] = ULONG


class Single(float):
    """A boxed float."""

    cs_type: ClassVar[Type] = FLOAT


class Char(str):
    """A boxed char: one UTF-16 code unit."""

    __slots__ = ()
    cs_type: ClassVar[Type] = CHAR


class EnumValue(int):
    """A member of an enum; it carries its type always. Made by the enum's `define`."""

    cs_type: ClassVar[Type]
    names: ClassVar[dict[int, str]]
    flags: ClassVar[bool] = False

    @classmethod
    def define(cls, name: str, members: dict[str, int], *, flags: bool = False) -> "type[EnumValue]":
        """Return the enum `name` with its members."""
        names = {value: member for member, value in reversed(members.items())}
        return type(name, (cls,), {"cs_type": Type(name), "names": names, "flags": flags, "members": members})

    def cs_text(self) -> str:
        """Return the member's name; of flags, the names that make it up; else the number."""
        name = self.names.get(int(self))
        if name is None and self.flags:
            parts = [member for value, member in sorted(self.names.items()) if value and value & self == value]
            return ", ".join(parts) if parts else str(int(self))
        return str(int(self)) if name is None else name


class CsObject:
    """An object with identity: equal to itself alone, as a class of .NET is unless it says otherwise."""

    __slots__ = ()
    cs_type: ClassVar[Type]

    def cs_text(self) -> str:
        """Return `ToString()`; by default the type's full name."""
        return full_name(type_of(self))


class CsList(list[Any]):
    """List<T> and T[] (Array); `elem` is T. Compared by identity."""

    __slots__ = ("elem",)
    __eq__ = object.__eq__
    __ne__ = object.__ne__
    __hash__ = object.__hash__  # type: ignore[assignment]

    def __init__(self, items: Iterable[Any] = (), elem: Type = OBJECT) -> None:
        super().__init__(items)
        self.elem = elem

    @property
    def cs_type(self) -> Type:
        """`List<T>`."""
        return Type("List", (self.elem,))


class Array(CsList):
    """T[]: an array of fixed length."""

    __slots__ = ()

    @property
    def cs_type(self) -> Type:
        """`T[]`."""
        return array(self.elem)


class Query:
    """A deferred IEnumerable<T>: each enumeration starts anew."""

    __slots__ = ("depth", "elem", "make")
    elem: Type

    def __init__(self, make: Callable[[], Iterator[Any]]) -> None:
        self.make = make
        self.depth = 0
        """How many sequences it stands on, where that is counted."""

    def __iter__(self) -> Iterator[Any]:
        return self.make()

    @property
    def cs_type(self) -> Type:
        """`IEnumerable<T>`, of objects when the query does not know."""
        return sequence(OBJECT)


class Anonymous(tuple[Any, ...]):  # noqa: SLOT001  (each holds its type)
    """An object of an anonymous type: values in order; equal by value."""

    cs_type: Type

    def __new__(cls, kind: Type, values: Iterable[Any]) -> Self:
        """Make the object of type `kind` from the values of its properties."""
        made = super().__new__(cls, values)
        made.cs_type = kind
        return made

    def cs_text(self) -> str:
        """Return `{ a = 1, b = x }`."""
        return (
            "{ " + ", ".join(f"{k} = {to_text(v)}" for k, v in zip(self.cs_type.labels, self, strict=True)) + " }"
        )


BOXES: dict[Type, Callable[[Any], Any]] = {
    LONG: Int64, SHORT: Int16, SBYTE: SByte, BYTE: Byte, USHORT: UInt16, UINT: UInt32, ULONG: UInt64,
    FLOAT: Single, CHAR: Char,
}  # fmt: skip

_PLAIN: dict[type, Type] = {int: INT, bool: BOOL, float: DOUBLE, str: STRING, decimal.Decimal: DECIMAL}


def type_of(value: Any) -> Type:
    """Return the .NET type of a boxed value that is not null."""
    kind = _PLAIN.get(type(value))
    if kind is not None:
        return kind
    if isinstance(value, CsException):
        return Type(value.short_name)
    if type(value) is tuple:
        return Type("()", tuple(OBJECT if item is None else type_of(item) for item in value))
    found: Type | None = getattr(value, "cs_type", None)
    if found is None:
        return Type("Func", (OBJECT,)) if callable(value) else OBJECT
    return found


_FULL_NAMES = {
    INT: "System.Int32", LONG: "System.Int64", SHORT: "System.Int16", SBYTE: "System.SByte", BYTE: "System.Byte",
    USHORT: "System.UInt16", UINT: "System.UInt32", ULONG: "System.UInt64", FLOAT: "System.Single",
    DOUBLE: "System.Double", DECIMAL: "System.Decimal", BOOL: "System.Boolean", CHAR: "System.Char",
    STRING: "System.String", OBJECT: "System.Object",
}  # fmt: skip


def full_name(kind: Type) -> str:
    """Return `Type.FullName`, without the assembly names that .NET puts into generic arguments."""
    from sinbin.csharp.registry import TYPES  # noqa: PLC0415  (the registry is built on values)

    plain = _FULL_NAMES.get(kind)
    if plain is not None:
        return plain
    args = ",".join(full_name(arg) for arg in kind.args)
    match kind.name:
        case "[]":
            return f"{full_name(kind.args[0])}[]"
        case "?":
            return f"System.Nullable`1[{args}]"
        case "()":
            return f"System.ValueTuple`{len(kind.args)}[{args}]"
        case "new":
            return f"<>f__AnonymousType0`{len(kind.args)}[{args}]"
    definition = TYPES.get(kind.name)
    name = definition.full if definition else kind.name
    return f"{name}`{len(kind.args)}[{args}]" if kind.args else name


def _bool_text(value: bool) -> str:
    return "True" if value else "False"


_TEXT: dict[type, Callable[[Any], str]] = {
    str: str, Char: str.__str__, int: int.__repr__, bool: _bool_text, float: format_double, Single: format_single,
    decimal.Decimal: format_decimal,
    **dict.fromkeys((Int64, Int16, SByte, Byte, UInt16, UInt32, UInt64), int.__repr__),
}  # fmt: skip


def to_text(value: Any) -> str:
    """Return what `ToString()` gives, and an empty text for null (as concatenation and formatting do)."""
    if value is None:
        return ""
    known = _TEXT.get(type(value))
    if known is not None:
        return known(value)
    own = getattr(value, "cs_text", None)
    if own is not None:
        text: str = own()
        return text
    if isinstance(value, CsException):
        return f"{value.type_name}: {value.message}"
    if type(value) is tuple:
        return f"({', '.join(map(to_text, value))})"
    return full_name(type_of(value))


def equals(left: Any, right: Any) -> bool:
    """Return `object.Equals(left, right)`: equal by value only within one type."""
    if left is None or right is None:
        return left is right
    if isinstance(left, int | float) and isinstance(right, int | float) and type(left) is not type(right):
        return False
    if isinstance(left, str) and isinstance(right, str) and type(left) is not type(right):
        return False
    if isinstance(left, float) and left != left and right != right:
        return True
    return bool(left == right)
