"""The .NET types and members that API Management allows in a policy expression: data, with its source."""

import json
from functools import cache
from pathlib import Path


@cache
def allowed_types() -> dict[str, frozenset[str] | None]:
    """Return full type name → its allowed members; None means all of them."""
    document = json.loads(Path(__file__).with_name("allowed.json").read_text("utf-8"))
    return {
        f"{namespace}.{name}" if namespace else name: None if members == "all" else frozenset(members)
        for namespace, types in document["types"].items()
        for name, members in types.items()
    }


@cache
def _by_short_name() -> dict[str, str]:
    return {full.rpartition(".")[2]: full for full in allowed_types()}


def is_allowed_type(name: str) -> bool:
    """Tell whether the type `name`, short or full, is allowed."""
    return name in allowed_types() or ("." not in name and name in _by_short_name())


def is_allowed_member(type_name: str, member: str) -> bool:
    """Tell whether `member` of the type `type_name` (short or full) is allowed; a constructor is `(ctor)`."""
    full = type_name if type_name in allowed_types() else _by_short_name().get(type_name)
    if full is None:
        return False
    members = allowed_types()[full]
    return members is None or member in members
