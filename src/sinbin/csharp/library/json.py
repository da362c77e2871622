"""Newtonsoft.Json: JsonConvert, and the extension methods of Newtonsoft.Json.Linq."""

from collections.abc import Iterable
from typing import Any

from sinbin.csharp.exceptions import argument_null, raised
from sinbin.csharp.jsonnet.convert import convert_token, from_object, new_value, to_object
from sinbin.csharp.jsonnet.reader import parse
from sinbin.csharp.jsonnet.tokens import JToken
from sinbin.csharp.jsonnet.writer import write
from sinbin.csharp.registry import declare, whole_trees, with_types
from sinbin.csharp.types import OBJECT, Type
from sinbin.csharp.values import Query


@with_types
def _value_of(types: tuple[Type, ...], token: Any) -> Any:
    if token is None:
        raise argument_null("value")
    if not isinstance(token, JToken):
        raise raised("ArgumentException", "Source value must be a JToken.")
    return convert_token(token, types[-1])


@with_types
def _deserialize(types: tuple[Type, ...], text: str | None) -> Any:
    return to_object(parse(text, parameter="value"), types[-1])


def _serialize(value: Any, form: int = 0) -> str:
    return write(new_value(None) if value is None else from_object(value), indented=form == 1)


declare(
    "JsonConvert",
    "Newtonsoft.Json.JsonConvert",
    {
        "static string! SerializeObject(object value)": whole_trees(_serialize, 0),
        "static string! SerializeObject(object value, Formatting formatting)": whole_trees(_serialize, 0),
        "static object DeserializeObject(string value)": lambda text: to_object(
            parse(text, parameter="value"), OBJECT
        ),
        "static T DeserializeObject<T>(string value)": _deserialize,
    },
    bases="object",
)


@with_types
def _values_of(types: tuple[Type, ...], items: Iterable[JToken], *key: Any) -> Query:
    if key:
        return Query(
            lambda: (
                convert_token(item.item(key[0]), types[-1]) for item in items if item.item(key[0]) is not None
            )
        )
    return Query(lambda: (convert_token(child, types[-1]) for item in items for child in item.children()))


def _all_children(items: Iterable[JToken]) -> Query:
    return Query(lambda: (child for item in items for child in item.children()))


declare(
    "Extensions",
    "Newtonsoft.Json.Linq.Extensions",
    {
        "static U Value<U>(this JToken value)": _value_of,
        "static IEnumerable<U>! Values<U>(this IEnumerable<JToken> source)": _values_of,
        "static IEnumerable<U>! Values<U>(this IEnumerable<JToken> source, object key)": _values_of,
        "static IEnumerable<JToken>! Values(this IEnumerable<JToken> source, object key)":
            lambda items, key: Query(lambda: (item.item(key) for item in items if item.item(key) is not None)),
        "static IEnumerable<JToken>! Children(this IEnumerable<JToken> source)": _all_children,
    },
    kind="static",
)  # fmt: skip
