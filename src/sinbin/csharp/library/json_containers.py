"""Newtonsoft.Json.Linq: JObject, JArray, JProperty, JValue."""

from collections.abc import Iterable
from typing import Any

from sinbin.csharp.exceptions import argument_null, raised
from sinbin.csharp.formatting import format_value
from sinbin.csharp.jsonnet import tokens as t
from sinbin.csharp.jsonnet.containers import JArray, JObject, JProperty
from sinbin.csharp.jsonnet.convert import add_content, boxed_value, from_object, new_value
from sinbin.csharp.jsonnet.reader import parse
from sinbin.csharp.jsonnet.tokens import JToken, JValue
from sinbin.csharp.library.comparing import COMPARERS
from sinbin.csharp.registry import Linear, declare, whole_trees
from sinbin.csharp.values import Query


def _make_object(content: Iterable[Any] = ()) -> JObject:
    made = JObject()
    for item in content if isinstance(content, list) else (content,):
        add_content(made, item)
    return made


def _copy(other: JToken | None) -> JToken:
    if other is None:
        raise argument_null("other")
    return other.clone()


def _add_property(target: JObject, name: str | None, value: JToken | None) -> None:
    add_content(target, JProperty(name, value))


def _get_value(target: JObject, name: str | None, comparison: Any = 4) -> JToken | None:
    if name is None:
        return None
    found = target.get(name)
    if found is None:
        comparer = COMPARERS[comparison]
        found = next((value for key, value in target.tokens() if comparer.equal(key, name)), None)
    return found


def _try_get(target: JObject, name: str, comparison: Any = 4) -> tuple[bool, JToken | None]:
    found = _get_value(target, name, comparison)
    return found is not None, found


def _property(target: JObject, name: str) -> JProperty | None:
    return JProperty(name, parent=target) if name in target.raw else None


def _remove_name(target: JObject, name: str | None) -> bool:
    if name is None or name not in target.raw:
        return False
    value = target.raw.pop(name)
    if isinstance(value, JToken):
        value.parent = None
    return True


declare(
    "JObject",
    "Newtonsoft.Json.Linq.JObject",
    {
        "new()": JObject,
        "new(JObject other)": whole_trees(_copy, 0),
        "new(object content)": whole_trees(_make_object, 0),
        "new(params object[] content)": whole_trees(_make_object, 0),
        "JToken this[string propertyName]": "{0}.get({1})",
        "set JToken this[string propertyName]": Linear("{0}.set({1}, {2})", 2),
        "int Count": "len({0}.raw)",
        "void Add(string propertyName, JToken value)": whole_trees(_add_property, 2),
        "void Add(object content)": whole_trees(add_content, 1),
        "bool Remove(string propertyName)": _remove_name,
        "bool ContainsKey(string propertyName)": "({1} in {0}.raw)",
        "JToken GetValue(string propertyName)": _get_value,
        "JToken GetValue(string propertyName, StringComparison comparison)": _get_value,
        "bool TryGetValue(string propertyName, out JToken value)": _try_get,
        "bool TryGetValue(string propertyName, StringComparison comparison, out JToken value)": _try_get,
        "JProperty Property(string name)": _property,
        "IEnumerable<JProperty>! Properties()": lambda target: Query(target.children),
        "IEnumerable<JToken>! PropertyValues()": lambda target: Query(lambda: (v for _, v in target.tokens())),
        "static JObject! Parse(string json)": lambda text: parse(text, "JObject"),
        "static JObject! FromObject(object o)": lambda value: _wanted(from_object(value), JObject),
        "JToken! DeepClone()": Linear("{0}.clone()", 0),
    },
    bases="IEnumerable<KeyValuePair<string, JToken>>; JContainer",
)


def _wanted(token: JToken, kind: type[JToken]) -> JToken:
    if isinstance(token, kind):
        return token
    what = "Object" if kind is JObject else "Array"
    del what
    raise raised(
        "ArgumentException", f"Object serialized to {token.kind.cs_text()}. {kind.cs_type.name} instance expected."
    )


def _make_array(content: Any = ()) -> JArray:
    made = JArray()
    for item in content if isinstance(content, list) else (content,):
        add_content(made, item)
    return made


def _array_remove(target: JArray, token: JToken | None) -> bool:
    found = target.index(token)
    if found < 0 or token is None:
        return False
    target.remove_child(token)
    return True


def _array_remove_at(target: JArray, index: int) -> None:
    target.remove_child(target.at(index))


declare(
    "JArray",
    "Newtonsoft.Json.Linq.JArray",
    {
        "new()": JArray,
        "new(JArray other)": whole_trees(_copy, 0),
        "new(object content)": whole_trees(_make_array, 0),
        "new(params object[] content)": whole_trees(_make_array, 0),
        "JToken this[int index]": "{0}.at({1})",
        "set JToken this[int index]": Linear("{0}.set({1}, {2})", 2),
        "int Count": "len({0}.raw)",
        "void Add(JToken item)": Linear("{0}.insert(len({0}), {1})", 1),
        "void Add(object content)": whole_trees(add_content, 1),
        "void Insert(int index, JToken item)": Linear("{0}.insert({1}, {2})", 2),
        "void Clear()": "{0}.raw.clear()",
        "bool Contains(JToken item)": Linear("({0}.index({1}) >= 0)"),
        "int IndexOf(JToken item)": Linear("{0}.index({1})"),
        "bool Remove(JToken item)": _array_remove,
        "void RemoveAt(int index)": _array_remove_at,
        "static JArray! Parse(string json)": lambda text: parse(text, "JArray"),
        "static JArray! FromObject(object o)": lambda value: _wanted(from_object(value), JArray),
    },
    bases="JContainer; IList<JToken>",
)


def _make_property(name: str | None, content: Any) -> JProperty:
    return JProperty(name, _as_token(content))


declare(
    "JProperty",
    "Newtonsoft.Json.Linq.JProperty",
    {
        "new(string name, object content)": whole_trees(_make_property, 1),
        "new(string name, params object[] content)": whole_trees(_make_property, 1),
        "string! Name": "{0}.name",
        "JToken! Value": "{0}.value",
        "set JToken Value": Linear("{0}.assign({1})", 1),
    },
    bases="JContainer",
)


def _as_token(content: Any) -> JToken:
    if content is None or isinstance(content, JToken):
        return content if content is not None else new_value(None)
    if not isinstance(content, str) and hasattr(content, "__iter__"):
        return _make_array(content)
    return new_value(content)


def _formatted(token: JValue, form: str) -> str:
    return format_value(token.value, form)


def _string_value(text: str | None) -> JValue:
    return JValue(text, t.STRING)


declare(
    "JValue",
    "Newtonsoft.Json.Linq.JValue",
    {
        **{
            f"new({name} value)": new_value
            for name in ("long", "double", "bool", "decimal", "char", "DateTime", "Guid", "TimeSpan")
        },
        "new(string value)": _string_value,
        "new(object value)": new_value,
        "object Value": boxed_value,
        "static JValue! CreateNull()": lambda: new_value(None),
        "static JValue! CreateString(string value)": _string_value,
        "string! ToString(string format)": _formatted,
    },
    bases="JToken",
)
