"""Newtonsoft.Json.Linq: JToken, its casts, JContainer."""

from typing import Any

from sinbin.csharp.exceptions import argument_null, raised
from sinbin.csharp.jsonnet import tokens as t
from sinbin.csharp.jsonnet.containers import JArray, JObject, JProperty
from sinbin.csharp.jsonnet.convert import add_content, convert_token, explicit, from_object, new_value, to_object
from sinbin.csharp.jsonnet.edit import after, before, deep_equals, descendants, merge, next_token, path_of, root_of
from sinbin.csharp.jsonnet.path import missing, select
from sinbin.csharp.jsonnet.reader import parse
from sinbin.csharp.jsonnet.tokens import JContainer, JToken, JValue
from sinbin.csharp.jsonnet.writer import write
from sinbin.csharp.library.comparing import declare_enum
from sinbin.csharp.registry import Linear, declare, whole_trees, with_types
from sinbin.csharp.types import STRING, Type, nullable, parse_type
from sinbin.csharp.values import Query, to_text

Formatting = declare_enum("Formatting", "Newtonsoft.Json.Formatting", {"None": 0, "Indented": 1})


def _text(token: JToken, form: int) -> str:
    return write(token, indented=form == 1)


def _select_one(token: JToken, path: str | None, error: bool = False) -> JToken | None:
    if path is None:
        raise argument_null("path")
    found = list(select(token, path))
    if len(found) > 1:
        raise raised("JsonException", "Path returned multiple tokens.")
    if not found and error:
        raise raised("JsonException", missing(token, path))
    return found[0] if found else None


@with_types
def _to_object(types: tuple[Type, ...], token: JToken) -> Any:
    return to_object(token, types[-1])


@with_types
def _value_at(types: tuple[Type, ...], token: JToken, key: Any) -> Any:
    return convert_token(token.item(key), types[-1])


@with_types
def _values(types: tuple[Type, ...], token: JToken) -> Query:
    if isinstance(token, JValue):
        raise raised("InvalidOperationException", "Cannot access child value on Newtonsoft.Json.Linq.JValue.")
    return Query(lambda: (convert_token(child, types[-1]) for child in token.children()))


@with_types
def _children(types: tuple[Type, ...], token: JToken) -> Query:
    return Query(lambda: (child for child in token.children() if types[-1] in (child.cs_type, Type("JToken"))))


def _first(token: JToken) -> JToken | None:
    if isinstance(token, JValue):
        raise raised("InvalidOperationException", "Cannot access child value on Newtonsoft.Json.Linq.JValue.")
    return next(token.children(), None)


def _last(token: JToken) -> JToken | None:
    _first(token)
    return next(reversed(list(token.children())), None)


def _set(token: JToken, key: Any, value: JToken | None) -> JToken | None:
    if isinstance(token, JObject):
        if type(key) is not str:
            raise raised(
                "ArgumentException",
                f"Set JObject values with invalid key value: {to_text(key)}. Object property name expected.",
            )
        return token.set(key, value)
    if isinstance(token, JArray):
        if type(key) is not int:
            raise raised(
                "ArgumentException",
                f'Set JArray values with invalid key value: "{to_text(key)}". Int32 array index expected.',
            )
        return token.set(key, value)
    raise raised("InvalidOperationException", f"Cannot set child value on {_full(token)}.")


def _full(token: JToken) -> str:
    return f"Newtonsoft.Json.Linq.{token.cs_type.name}"


def _remove(token: JToken) -> None:
    if token.parent is None:
        raise raised("InvalidOperationException", "The parent is missing.")
    token.parent.remove_child(token)


def _replace(token: JToken, value: JToken) -> None:
    if token.parent is None:
        raise raised("InvalidOperationException", "The parent is missing.")
    token.parent.replace_child(token, value)


def _select_all(token: JToken, path: str) -> Query:
    return Query(lambda: select(token, path))


def _add_first(container: JArray, content: Any) -> None:
    container.insert(0, from_object(content))


def _parent(token: JToken) -> JContainer | None:
    if isinstance(token.parent, JObject) and not isinstance(token, JProperty):
        return JProperty(token.parent.name_of(token), parent=token.parent)
    return token.parent


_CASTS = ["bool", "int", "long", "short", "ushort", "uint", "ulong", "byte", "sbyte", "double", "float", "decimal", "char",
          "DateTime", "DateTimeOffset", "TimeSpan", "Guid"]  # fmt: skip
_conversions: dict[str, Any] = {
    "explicit string(JToken value)": explicit(STRING),
    "explicit Uri(JToken value)": explicit(Type("Uri")),
}
for _name in _CASTS:
    _kind = parse_type(_name)
    _conversions[f"explicit {_name}(JToken value)"] = explicit(_kind)
    _conversions[f"explicit {_name}?(JToken value)"] = explicit(nullable(_kind))
    _conversions[f"implicit JToken({_name} value)"] = new_value
    _conversions[f"implicit JToken({_name}? value)"] = new_value
_conversions["implicit JToken(string value)"] = lambda text: JValue(text, t.STRING)
_conversions["implicit JToken(Uri value)"] = new_value
_conversions["implicit JToken(byte[] value)"] = from_object

declare("JTokenType", "Newtonsoft.Json.Linq.JTokenType",
        {f"static JTokenType {name}": t.JTokenType(value) for name, value in t.JTokenType.members.items()},  # type: ignore[attr-defined]
        kind="enum", bases="Enum", default=lambda: t.JTokenType(0))  # fmt: skip
declare(
    "JToken",
    "Newtonsoft.Json.Linq.JToken",
    {
        **_conversions,
        "JToken this[object key]": "{0}.item({1})",
        "set JToken this[object key]": whole_trees(_set, 2),
        "JTokenType! Type": "{0}.kind",
        "bool HasValues": lambda token: next(token.children(), None) is not None,
        "JContainer Parent": _parent,
        "JToken Root": root_of,
        "JToken First": _first,
        "JToken Last": _last,
        "JToken Next": next_token,
        "JToken Previous": lambda token: next_token(token, -1),
        "string! Path": path_of,
        "JToken SelectToken(string path)": whole_trees(_select_one, 0),
        "JToken SelectToken(string path, bool errorWhenNoMatch)": whole_trees(_select_one, 0),
        "IEnumerable<JToken>! SelectTokens(string path)": whole_trees(_select_all, 0),
        "IEnumerable<JToken>! Children()": lambda token: Query(token.children),
        "IEnumerable<T>! Children<T>()": _children,
        "IEnumerable<T>! Values<T>()": whole_trees(_values, 1),
        "T Value<T>(object key)": _value_at,
        "T ToObject<T>()": whole_trees(_to_object, 1),
        "JToken! DeepClone()": Linear("{0}.clone()", 0),
        "void Remove()": _remove,
        "void Replace(JToken value)": whole_trees(_replace, 1),
        "void AddAfterSelf(object content)": whole_trees(after, 1),
        "void AddBeforeSelf(object content)": whole_trees(before, 1),
        "string! ToString()": Linear("{0}.cs_text()", 0),
        "string! ToString(Formatting formatting)": whole_trees(_text, 0),
        "static JToken! Parse(string json)": parse,
        "static JToken! FromObject(object o)": whole_trees(from_object, 0),
        "static bool DeepEquals(JToken t1, JToken t2)": whole_trees(deep_equals, 0, 1),
    },
    bases="IEnumerable<JToken>; object",
)
declare(
    "JContainer",
    "Newtonsoft.Json.Linq.JContainer",
    {
        "int Count": lambda container: sum(1 for _ in container.children()),
        "void Add(object content)": whole_trees(add_content, 1),
        "void AddFirst(object content)": whole_trees(_add_first, 1),
        "void RemoveAll()": "{0}.raw.clear()",
        "IEnumerable<JToken>! Descendants()": whole_trees(
            lambda container: Query(lambda: descendants(container)), 0
        ),
        "void Merge(object content)": whole_trees(merge, 0, 1),
    },
    bases="JToken",
)
