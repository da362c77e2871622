"""Between tokens and values of .NET: casts, `Value<T>`, `ToObject<T>`, `FromObject`."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from sinbin.csharp.casting import default_value, is_value_type
from sinbin.csharp.collections import CsDict
from sinbin.csharp.conversion import change_type
from sinbin.csharp.exceptions import CsException, argument_null, raised
from sinbin.csharp.jsonnet.containers import JArray, JObject, JProperty, adopt
from sinbin.csharp.jsonnet.tokens import (
    BOOLEAN,
    BYTES,
    DATE,
    FLOAT,
    GUID,
    INTEGER,
    NULL,
    STRING,
    TIMESPAN,
    URI,
    JContainer,
    JToken,
    JValue,
)
from sinbin.csharp.registry import all_bases
from sinbin.csharp.types import BYTE, OBJECT, Type
from sinbin.csharp.types import STRING as TEXT
from sinbin.csharp.values import (
    Anonymous,
    Array,
    Char,
    CsList,
    EnumValue,
    Int64,
    UInt64,
    full_name,
    to_text,
    type_of,
)

_NUMBERS = {INTEGER, FLOAT, STRING, BOOLEAN}
_TAKES: dict[str, set[EnumValue]] = {
    "string": {INTEGER, FLOAT, STRING, BOOLEAN, DATE, BYTES, GUID, TIMESPAN, URI},
    "bool": _NUMBERS,
    "DateTime": {DATE, STRING},
    "DateTimeOffset": {DATE, STRING},
    "TimeSpan": {STRING, TIMESPAN},
    "Guid": {STRING, GUID, BYTES},
    "Uri": {STRING, URI},
    "char": {INTEGER, FLOAT, STRING},
}
_NAMES = {"string": "String", "bool": "Boolean", "char": "Char", "int": "Int32", "long": "Int64", "double": "Double",  # noqa: E501
          "decimal": "Decimal", "float": "Single", "short": "Int16", "ushort": "UInt16", "uint": "UInt32",
          "ulong": "UInt64", "byte": "Byte", "sbyte": "SByte"}  # fmt: skip


def explicit(kind: Type) -> Callable[[JToken | None], Any]:
    """Return the cast `(kind)token`."""
    inner = kind.args[0] if kind.name == "?" else kind
    takes_null = kind.name == "?" or not is_value_type(kind)
    as_it_is = STRING if kind == TEXT else None

    def cast(token: JToken | None) -> Any:
        if type(token) is JValue and token.tag is as_it_is and token.value is not None:
            return token.value
        if token is None:
            if takes_null:
                return None
            raise argument_null("value")
        value = token.value if isinstance(token, JProperty) else token
        if isinstance(value, JValue) and takes_null and value.value is None:
            return None
        if not isinstance(value, JValue) or value.tag not in _TAKES.get(inner.name, _NUMBERS):
            what = value.kind.cs_text() if not isinstance(value, JValue) else value.tag.cs_text()
            raise raised("ArgumentException", f"Can not convert {what} to {_NAMES.get(inner.name, inner.name)}.")
        return change_type(value.value, inner, from_json=True)

    return cast


def boxed_value(token: JValue) -> Any:
    """Return `JValue.Value`: an integer of JSON is an Int64."""
    value = token.value
    if type(value) is int:
        return Int64(value) if value < 2**63 else UInt64(value)
    return value


def convert_token(token: JToken | None, kind: Type) -> Any:
    """Return what `token.Value<kind>()` gives.

    Raises:
        CsException: InvalidCastException, FormatException, OverflowException.
    """
    if token is None:
        return default_value(kind)
    if kind in all_bases(token.cs_type):
        return token
    if not isinstance(token, JValue):
        raise raised(
            "InvalidCastException", f"Cannot cast {full_name(token.cs_type)} to {full_name(Type('JToken'))}."
        )
    if kind == OBJECT:
        return boxed_value(token)
    inner = kind.args[0] if kind.name == "?" else kind
    if token.value is None and (kind.name == "?" or not is_value_type(kind)):
        return None
    if token.value is None:
        raise raised("InvalidCastException", "Null object cannot be converted to a value type.")
    return change_type(token.value, inner)


def to_object(token: JToken, kind: Type) -> Any:
    """Return `token.ToObject<kind>()`, for the types that a policy can name."""
    if kind == OBJECT:
        return boxed_value(token) if isinstance(token, JValue) else token
    if kind in all_bases(token.cs_type):
        return token
    if isinstance(token, JProperty):
        token = token.value
    if kind.name in {"List", "[]", "IEnumerable", "IList", "ICollection", "IReadOnlyList", "HashSet"}:
        if isinstance(token, JValue) and token.value is None:
            return None
        if not isinstance(token, JArray):
            raise _bad(token, kind)
        make = Array if kind.name == "[]" else CsList
        return make([to_object(child, kind.args[0]) for child in token.children()], kind.args[0])
    if kind.name in {"Dictionary", "IDictionary"}:
        if not isinstance(token, JObject):
            raise _bad(token, kind)
        made = CsDict(Type("Dictionary", kind.args))
        for name, value in token.tokens():
            made.set(name, to_object(value, kind.args[1]))
        return made
    if isinstance(token, JContainer):
        raise _bad(token, kind)
    try:
        return explicit(kind)(token)
    except CsException as error:
        if error.short_name == "ArgumentException" and isinstance(token, JValue) and token.value is None:
            raise raised(
                "JsonSerializationException",
                f"Error converting value {{null}} to type '{full_name(kind)}'. Path ''.",
            ) from None
        raise


def _bad(token: JToken, kind: Type) -> CsException:
    what = "JSON object" if isinstance(token, JObject) else "JSON array" if isinstance(token, JArray) else "value"
    return raised(
        "JsonSerializationException", f"Cannot deserialize the current {what} into type '{full_name(kind)}'."
    )


_TAGS: dict[type, EnumValue] = {bool: BOOLEAN, str: STRING, Char: STRING, float: FLOAT, Decimal: FLOAT}


def new_value(value: Any) -> JValue:
    """Return `new JValue(value)` for a simple value."""
    if value is None:
        return JValue(None, NULL)
    if isinstance(value, EnumValue):
        return JValue(int(value), INTEGER)
    tag = _TAGS.get(type(value))
    if tag is not None:
        return JValue(str(value) if isinstance(value, Char) else value, tag)
    if isinstance(value, int):
        return JValue(int(value), INTEGER)
    if isinstance(value, float):
        return JValue(value, FLOAT)
    kinds = {"DateTime": DATE, "DateTimeOffset": DATE, "TimeSpan": TIMESPAN, "Guid": GUID, "Uri": URI}
    named = kinds.get(type_of(value).name)
    if named is None:
        raise raised(
            "ArgumentException", f"Could not determine JSON object type for type {full_name(type_of(value))}."
        )
    return JValue(value, named)


def from_object(value: Any) -> JToken:
    """Return `JToken.FromObject(value)`.

    Raises:
        CsException: ArgumentNullException, ArgumentException for what has no JSON form here.
    """
    if value is None:
        raise argument_null("o")
    return _from(value)


def _from(value: Any) -> JToken:
    if value is None:
        return JValue(None, NULL)
    if isinstance(value, JToken):
        return value
    if isinstance(value, CsDict):
        made = JObject()
        for key, inner in value:
            made.set(to_text(key), _from(inner))
        return made
    if isinstance(value, Anonymous):
        made = JObject()
        for label, inner in zip(value.cs_type.labels, value, strict=True):
            made.set(label, _from(inner))
        return made
    if isinstance(value, Array) and value.elem == BYTE:
        return JValue(value, BYTES)
    if type(value) is tuple:
        made = JObject()
        for index, inner in enumerate(value, start=1):
            made.set(f"Item{index}", _from(inner))
        return made
    if type_of(value).name == "KeyValuePair":
        made = JObject()
        made.set("Key", _from(value[0]))
        made.set("Value", _from(value[1]))
        return made
    if not isinstance(value, str) and hasattr(value, "__iter__"):
        found = JArray()
        for inner in value:
            found.insert(len(found), _from(inner))
        return found
    return new_value(value)


def add_content(container: JContainer, content: Any) -> None:
    """Add to a container what `new JObject(content)` and `Add(content)` take: tokens, values, sequences of them.

    Raises:
        CsException: ArgumentException for what does not go into the container.
    """
    if isinstance(content, JObject | JArray | JValue | JProperty):
        _add_token(container, content)
    elif content is not None and not isinstance(content, str) and hasattr(content, "__iter__"):
        for inner in content:
            add_content(container, inner)
    else:
        _add_token(container, new_value(content))


def _add_token(container: JContainer, token: JToken) -> None:
    if isinstance(container, JArray):
        container.insert(len(container), token)
    elif isinstance(container, JObject) and isinstance(token, JProperty):
        if token.name in container.raw:
            raise raised(
                "ArgumentException",
                f"Can not add property {token.name} to {full_name(container.cs_type)}. Property with the same name already exists on object.",  # noqa: E501
            )
        container.raw[token.name] = adopt(token.value, container)
        token.parent = container
    else:
        raise raised(
            "ArgumentException", f"Can not add {full_name(token.cs_type)} to {full_name(container.cs_type)}."
        )
