"""The context variables that policies of broader scopes and fragments set, where they are known."""

import re
from functools import lru_cache

from sinbin.lint.context import Context

_SETTING = re.compile(r"""(?:<set-variable\s[^>]*?\bname|[\w-]*variable-name)\s*=\s*["']([^"'{}]+)["']""")


def inherited_variables(context: Context) -> frozenset[str]:
    """Return the names that the parents and fragments in `context` set."""
    names: frozenset[str] = frozenset()
    for text in (*context.parents.values(), *(context.fragments or {}).values()):
        names |= _set_in(text)
    return names


@lru_cache(maxsize=64)
def _set_in(text: str) -> frozenset[str]:
    return frozenset(_SETTING.findall(text))
