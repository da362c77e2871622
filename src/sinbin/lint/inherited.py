"""The context variables that policies of broader scopes and fragments set, where they are known."""

import re
from collections.abc import Mapping
from functools import lru_cache

from sinbin.lint.context import Context
from sinbin.policy.document import Document
from sinbin.policy.parser import parse_text

_SETTING = re.compile(r"""(?:<set-variable\s[^>]*?\bname|[\w-]*variable-name)\s*=\s*["']([^"'{}]+)["']""")


def inherited_variables(context: Context) -> frozenset[str]:
    """Return the names that the parents and fragments in `context` set."""
    names: frozenset[str] = frozenset()
    for text in (*context.parents.values(), *(context.fragments or {}).values()):
        names |= _set_in(text)
    return names


def inherited_types(policy: Document, context: Context, name: str) -> frozenset[str | None]:
    """Return how the parents of `policy`, and the fragments that it includes, store the variable `name`.

    A literal is text; the type of an expression is None, unknown.
    """
    included = {element.get("fragment-id") for element in policy.named("include-fragment")}
    texts = [text for fragment, text in (context.fragments or {}).items() if fragment in included]
    stored: frozenset[str | None] = frozenset()
    for text in (*context.parents.values(), *texts):
        stored |= _stored_in(text).get(name, frozenset())
    return stored


@lru_cache(maxsize=64)
def _stored_in(text: str) -> Mapping[str, frozenset[str | None]]:
    found: dict[str, frozenset[str | None]] = {}
    for element in parse_text(text, "inherited.xml").named("set-variable"):
        name, value = element.literal("name"), element.attribute("value")
        if name and value is not None:
            found[name] = found.get(name, frozenset()) | {None if value.expressions else "string"}
    return found


@lru_cache(maxsize=64)
def _set_in(text: str) -> frozenset[str]:
    return frozenset(_SETTING.findall(text))
