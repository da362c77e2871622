"""JObject, JArray and JProperty.

A parsed document stays plain Python (`dict`, `list`, `str`, …) until a policy looks at a part of it: containers
wrap a child the first time it is asked for.
"""

from collections.abc import Iterator
from typing import Any

from sinbin.csharp.collections import KeyValue
from sinbin.csharp.exceptions import argument_null, out_of_range, raised
from sinbin.csharp.jsonnet.tokens import (
    ARRAY,
    BOOLEAN,
    FLOAT,
    INTEGER,
    NULL,
    OBJECT,
    PROPERTY,
    STRING,
    JContainer,
    JToken,
    JValue,
)
from sinbin.csharp.types import Type
from sinbin.csharp.values import EnumValue, to_text

_INDEX = "Index was out of range. Must be non-negative and less than the size of the collection."


class JProperty(JContainer):
    """A name and a value; inside an object it reads and writes that object."""

    __slots__ = ("name", "own")
    cs_type = Type("JProperty")

    def __init__(self, name: str | None, value: JToken | None = None, parent: "JObject | None" = None) -> None:
        if name is None:
            raise argument_null("name")
        self.parent = parent
        self.name = name
        self.own: JToken | None = None
        if parent is None:
            self.own = adopt(value, self)

    @property
    def kind(self) -> EnumValue:
        """JTokenType.Property."""
        return PROPERTY

    @property
    def value(self) -> JToken:
        """The value."""
        found = self.parent.get(self.name) if isinstance(self.parent, JObject) else self.own
        return found if found is not None else JValue(None, NULL)

    def assign(self, value: JToken | None) -> JToken | None:
        """Store a value."""
        if isinstance(self.parent, JObject):
            self.parent.set(self.name, value)
        else:
            self.own = adopt(value, self)
        return value

    def children(self) -> Iterator[JToken]:
        """Yield the value."""
        yield self.value

    def replace_child(self, child: JToken, new: JToken) -> None:
        """Store another value."""
        del child
        self.assign(new)

    def clone(self) -> "JProperty":
        """Return a copy without a parent."""
        return JProperty(self.name, self.value.clone())

    def plain(self) -> Any:
        """Return the property itself: it is no JSON of its own."""
        return self


class JObject(JContainer):
    """An object: names and values in order."""

    __slots__ = ("raw",)
    cs_type = Type("JObject")

    def __init__(self, raw: dict[str, Any] | None = None) -> None:
        self.parent = None
        self.raw: dict[str, Any] = {} if raw is None else raw

    @property
    def kind(self) -> EnumValue:
        """JTokenType.Object."""
        return OBJECT

    def get(self, name: str) -> JToken | None:
        """Return the value called `name`, or None."""
        found = self.raw.get(name)
        if isinstance(found, JToken):
            return found
        if found is None and name not in self.raw:
            return None
        token = self.raw[name] = wrap(found, self)
        return token

    def set(self, name: str | None, value: JToken | None) -> JToken | None:
        """Store a value under `name`."""
        if name is None:
            raise argument_null("propertyName")
        old = self.raw.get(name)
        if isinstance(old, JToken) and old is not value:
            old.parent = None
        if not (isinstance(old, JToken) and old is value):
            self.raw[name] = adopt(value, self)
        return value

    def item(self, key: Any) -> JToken | None:
        """Return the value of a name; else ArgumentException for a key that is no text."""
        if key is None:
            raise argument_null("key")
        if type(key) is not str:
            raise raised(
                "ArgumentException",
                f"Accessed JObject values with invalid key value: {_shown(key)}. Object property name expected.",
            )
        return self.get(key)

    def tokens(self) -> Iterator[tuple[str, JToken]]:
        """Yield names and values."""
        for name in list(self.raw):
            token = self.get(name)
            if token is not None:
                yield name, token

    def __iter__(self) -> Iterator[Any]:
        """Yield KeyValuePairs, as `foreach` over a JObject does."""
        return map(KeyValue, self.tokens())

    def children(self) -> Iterator[JToken]:
        """Yield the properties."""
        return (JProperty(name, parent=self) for name in list(self.raw))

    def remove_child(self, child: JToken) -> None:
        """Remove a property, or the property of a value."""
        name = child.name if isinstance(child, JProperty) else self.name_of(child)
        self.raw.pop(name, None)
        child.parent = None

    def replace_child(self, child: JToken, new: JToken) -> None:
        """Put another value under a value's name."""
        self.set(self.name_of(child), new)

    def name_of(self, child: JToken) -> str:
        """Return the name under which a value stands."""
        return next(name for name, token in self.raw.items() if token is child)

    def clone(self) -> "JObject":
        """Return a deep copy."""
        made = JObject({name: _clone(value) for name, value in self.raw.items()})
        for value in made.raw.values():
            if isinstance(value, JToken):
                value.parent = made
        return made

    def plain(self) -> dict[str, Any]:
        """Return a dict of plain values."""
        return {name: value.plain() if isinstance(value, JToken) else value for name, value in self.raw.items()}


class JArray(JContainer):
    """An array."""

    __slots__ = ("raw",)
    cs_type = Type("JArray")

    def __init__(self, raw: list[Any] | None = None) -> None:
        self.parent = None
        self.raw: list[Any] = [] if raw is None else raw

    @property
    def kind(self) -> EnumValue:
        """JTokenType.Array."""
        return ARRAY

    def at(self, index: int) -> JToken:
        """Return the item at `index`; else ArgumentOutOfRangeException."""
        if not 0 <= index < len(self.raw):
            raise out_of_range("index", _INDEX)
        found = self.raw[index]
        if isinstance(found, JToken):
            return found
        token = self.raw[index] = wrap(found, self)
        return token

    def set(self, index: int, value: JToken | None) -> JToken | None:
        """Store an item at `index`."""
        if not 0 <= index < len(self.raw):
            wrong = "is less than 0" if index < 0 else "is equal to or greater than Count"
            raise out_of_range("index", f"Index {wrong}.")
        self.raw[index] = adopt(value, self)
        return value

    def item(self, key: Any) -> JToken:
        """Return the item at an index; else ArgumentException for a key that is no int."""
        if type(key) is not int:
            raise raised(
                "ArgumentException",
                f"Accessed JArray values with invalid key value: {_shown(key)}. Int32 array index expected.",
            )
        return self.at(key)

    def children(self) -> Iterator[JToken]:
        """Yield the items."""
        return (self.at(index) for index in range(len(self.raw)))

    def __len__(self) -> int:
        return len(self.raw)

    def index(self, child: JToken | None) -> int:
        """Return where a token stands, or -1."""
        return next((index for index, value in enumerate(self.raw) if value is child), -1)

    def insert(self, index: int, value: JToken | None) -> None:
        """Put an item before `index`."""
        if not 0 <= index <= len(self.raw):
            raise out_of_range("index", "Index must be within the bounds of the List.")
        self.raw.insert(index, adopt(value, self))

    def remove_child(self, child: JToken) -> None:
        """Remove an item."""
        del self.raw[self.index(child)]
        child.parent = None

    def replace_child(self, child: JToken, new: JToken) -> None:
        """Put another item into an item's place."""
        self.raw[self.index(child)] = adopt(new, self)
        child.parent = None

    def clone(self) -> "JArray":
        """Return a deep copy."""
        made = JArray([_clone(value) for value in self.raw])
        for value in made.raw:
            if isinstance(value, JToken):
                value.parent = made
        return made

    def plain(self) -> list[Any]:
        """Return a list of plain values."""
        return [value.plain() if isinstance(value, JToken) else value for value in self.raw]


def _clone(value: Any) -> Any:
    if isinstance(value, JToken):
        return value.clone()
    if isinstance(value, dict):
        return {name: _clone(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_clone(inner) for inner in value]
    return value


def wrap(raw: Any, parent: JContainer | None = None) -> JToken:
    """Return plain Python as a token."""
    token: JToken
    kind = type(raw)
    if kind is str:
        token = JValue(raw, STRING)
    elif kind is dict:
        token = JObject(raw)
    elif kind is list:
        token = JArray(raw)
    elif raw is None:
        token = JValue(None, NULL)
    elif kind is bool:
        token = JValue(raw, BOOLEAN)
    elif kind is int:
        token = JValue(raw, INTEGER)
    elif kind is float:
        token = JValue(raw, FLOAT)
    else:
        token = raw
    token.parent = parent
    return token


def adopt(value: JToken | None, parent: JContainer) -> JToken:
    """Return the token that goes into `parent`: a copy when it already stands somewhere, a null for null."""
    if value is None:
        value = JValue(None, NULL)
    elif value.parent is not None:
        value = value.clone()
    value.parent = parent
    return value


def _shown(key: Any) -> str:
    return f'"{key}"' if type(key) is str else to_text(key)
