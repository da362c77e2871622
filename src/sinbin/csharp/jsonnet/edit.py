"""Tokens in their tree: where they are, what is beside them, merging, comparing."""

import re
from collections.abc import Iterator
from typing import Any

from sinbin.csharp.exceptions import raised
from sinbin.csharp.jsonnet.containers import JArray, JObject, JProperty
from sinbin.csharp.jsonnet.convert import from_object
from sinbin.csharp.jsonnet.tokens import NULL, JToken, JValue


def root_of(token: JToken) -> JToken:
    """Return the topmost token."""
    while token.parent is not None:
        token = token.parent
    return token


def path_of(token: JToken) -> str:
    """Return the path from the root, `a.b[0]['c d']`."""
    steps: list[str] = []
    while token.parent is not None:
        parent = token.parent
        if isinstance(parent, JArray):
            steps.append(f"[{parent.index(token)}]")
        elif isinstance(parent, JObject):
            name = token.name if isinstance(token, JProperty) else parent.name_of(token)
            steps.append(f".{name}" if re.fullmatch(r"[^.\s'/\"\[\]()]+", name) else f"['{name}']")
        token = parent
    return "".join(reversed(steps)).removeprefix(".")


def next_token(token: JToken, distance: int = 1) -> JToken | None:
    """Return the token beside this one, or None."""
    parent = token.parent
    if isinstance(parent, JArray):
        index = parent.index(token) + distance
        return parent.at(index) if 0 <= index < len(parent) else None
    if isinstance(parent, JObject) and isinstance(token, JProperty):
        names = list(parent.raw)
        index = names.index(token.name) + distance
        return JProperty(names[index], parent=parent) if 0 <= index < len(names) else None
    return None


def after(token: JToken, content: Any, distance: int = 1) -> None:
    """Add a token behind this one.

    Raises:
        CsException: InvalidOperationException where there is no array around it.
    """
    parent = token.parent
    if not isinstance(parent, JArray):
        raise raised("InvalidOperationException", "The parent is missing.")
    parent.insert(parent.index(token) + distance, from_object(content))


def before(token: JToken, content: Any) -> None:
    """Add a token before this one."""
    after(token, content, 0)


def descendants(token: JToken) -> Iterator[JToken]:
    """Yield everything under a token, depth first, properties included."""
    for child in token.children():
        yield child
        yield from descendants(child)


def deep_equals(left: JToken | None, right: JToken | None) -> bool:
    """Return whether two tokens hold the same JSON; the order of properties does not count."""
    if left is None or right is None:
        return left is right
    if isinstance(left, JValue) and isinstance(right, JValue):
        return left.kind == right.kind and left.value == right.value
    if isinstance(left, JObject) and isinstance(right, JObject):
        return set(left.raw) == set(right.raw) and all(
            deep_equals(value, right.get(name)) for name, value in left.tokens()
        )
    if isinstance(left, JArray) and isinstance(right, JArray):
        pairs = zip(left.children(), right.children(), strict=False)
        return len(left) == len(right) and all(deep_equals(a, b) for a, b in pairs)
    if isinstance(left, JProperty) and isinstance(right, JProperty):
        return left.name == right.name and deep_equals(left.value, right.value)
    return False


def merge(target: JToken, content: Any) -> None:
    """Merge an object or array into another: objects by name, arrays one behind the other."""
    if isinstance(target, JArray) and isinstance(content, JArray):
        for child in list(content.children()):
            target.insert(len(target), child)
    elif isinstance(target, JObject) and isinstance(content, JObject):
        for name, value in list(content.tokens()):
            old = target.get(name)
            if isinstance(old, JObject | JArray) and isinstance(value, type(old)):
                merge(old, value)
            elif value.kind != NULL or old is None:
                target.set(name, value)
