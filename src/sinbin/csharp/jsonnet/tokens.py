"""JToken and JValue."""

from collections.abc import Iterator
from typing import Any, ClassVar

from sinbin.csharp.exceptions import raised
from sinbin.csharp.types import Type
from sinbin.csharp.values import CsObject, EnumValue, to_text

JTokenType = EnumValue.define(
    "JTokenType",
    {name: number for number, name in enumerate(
        ["None", "Object", "Array", "Constructor", "Property", "Comment", "Integer", "Float", "String", "Boolean", "Null", "Undefined", "Date", "Raw", "Bytes", "Guid", "Uri", "TimeSpan"],  # noqa: E501
    )},
)  # fmt: skip
OBJECT, ARRAY, PROPERTY = JTokenType(1), JTokenType(2), JTokenType(4)
INTEGER, FLOAT, STRING, BOOLEAN, NULL = (JTokenType(number) for number in range(6, 11))
UNDEFINED, DATE, RAW, BYTES, GUID, URI, TIMESPAN = (JTokenType(number) for number in range(11, 18))


class JToken(CsObject):
    """A piece of JSON."""

    __slots__ = ("parent",)
    cs_type: ClassVar[Type] = Type("JToken")
    parent: "JContainer | None"

    @property
    def kind(self) -> EnumValue:
        """The JTokenType."""
        raise NotImplementedError

    def children(self) -> Iterator["JToken"]:
        """Yield the tokens directly inside: properties of an object, items of an array."""
        return iter(())

    def __iter__(self) -> Iterator["JToken"]:
        return self.children()

    def item(self, key: Any) -> "JToken | None":  # noqa: ARG002
        """Return `this[key]`.

        Raises:
            CsException: InvalidOperationException where there are no children.
        """
        raise raised("InvalidOperationException", f"Cannot access child value on {_full(self)}.")

    def clone(self) -> "JToken":
        """Return a deep copy without a parent."""
        raise NotImplementedError

    def plain(self) -> Any:
        """Return the token as plain Python, tokens of special types left as they are."""
        raise NotImplementedError


class JContainer(JToken):
    """A token with children."""

    __slots__ = ()
    cs_type = Type("JContainer")

    def remove_child(self, child: JToken) -> None:
        """Take a child out."""
        raise NotImplementedError

    def replace_child(self, child: JToken, new: JToken) -> None:
        """Put another token into a child's place."""
        raise NotImplementedError

    def cs_text(self) -> str:
        """Return indented JSON."""
        from sinbin.csharp.jsonnet.writer import write  # noqa: PLC0415

        return write(self, indented=True)


class JValue(JToken):
    """A value: `value` is a Python value as in sinbin.csharp.values, an Int64 as a plain int."""

    __slots__ = ("tag", "value")
    cs_type = Type("JValue")

    def __init__(self, value: Any, tag: EnumValue) -> None:
        self.parent = None
        self.value = value
        self.tag = tag

    @property
    def kind(self) -> EnumValue:
        """The JTokenType."""
        return self.tag

    def clone(self) -> "JValue":
        """Return a copy."""
        return JValue(self.value, self.tag)

    def plain(self) -> Any:
        """Return the plain value, or the token itself when JSON has no such value."""
        return self.value if self.value is None or self.tag in _PLAIN_KINDS else self

    def cs_text(self) -> str:
        """Return the value's own text, empty for null."""
        return "" if self.value is None else to_text(self.value)


_PLAIN_KINDS = {INTEGER, FLOAT, STRING, BOOLEAN, NULL}


def _full(token: JToken) -> str:
    return f"Newtonsoft.Json.Linq.{token.cs_type.name}"
