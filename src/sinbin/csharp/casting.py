"""Tests and casts at run time: `x is T`, `(T)x` and `x as T` for a value whose static type is wider."""

from collections.abc import Callable
from decimal import Decimal
from functools import cache
from typing import Any

from sinbin.csharp.exceptions import CsException, null_reference, raised
from sinbin.csharp.registry import TYPES, all_bases
from sinbin.csharp.types import BOOL, DECIMAL, DOUBLE, INT, NUMERIC, OBJECT, REAL, STRING, Type, is_open
from sinbin.csharp.values import Char, Query, full_name, type_of


def is_value_type(kind: Type) -> bool:
    """Tell whether `kind` is a value type: never null, boxed when it becomes an object."""
    if kind in NUMERIC or kind in {BOOL, Type("char")} or kind.name in {"()", "?"}:
        return True
    definition = TYPES.get(kind.name)
    return definition is not None and definition.kind in {"struct", "enum"}


@cache
def assignable(source: Type, target: Type) -> bool:
    """Tell whether a reference of type `source` is one of type `target`, with covariance of sequences."""
    if target in (OBJECT, source) or target in all_bases(source):
        return True
    return any(
        base.name == target.name
        and len(base.args) == len(target.args)
        and all(map(_covariant, base.args, target.args))
        for base in all_bases(source)
        if base.name
        in {"IEnumerable", "IReadOnlyCollection", "IReadOnlyList", "[]", "IGrouping", "IOrderedEnumerable"}
    )


def _covariant(source: Type, target: Type) -> bool:
    return source == target or (
        not is_value_type(source) and not is_value_type(target) and assignable(source, target)
    )


class _Nobody:
    """A type that no value has."""


# Types that nothing derives from and that one Python type alone stands for: one comparison tells.
SEALED: dict[Type, type] = {STRING: str, INT: int, BOOL: bool, DOUBLE: float, DECIMAL: Decimal}


@cache
def instance_test(kind: Type) -> Callable[[Any], bool]:
    """Return the test `value is kind`; null is an instance of nothing."""
    if kind.name == "?":
        return instance_test(kind.args[0])
    if (sealed := SEALED.get(kind)) is not None:
        return lambda value: type(value) is sealed

    def test(value: Any) -> bool:
        return value is not None and assignable(type_of(value), kind)

    return test


@cache
def caster(kind: Type) -> Callable[[Any], Any]:
    """Return the cast `(kind)value` from object or a base: InvalidCastException, and for a value type null fails too."""  # noqa: E501
    test = instance_test(kind)
    takes_null = not is_value_type(kind) or kind.name == "?"
    sealed = SEALED.get(kind, _Nobody)

    def cast(value: Any) -> Any:
        if type(value) is sealed:
            return value
        if value is None:
            if takes_null:
                return None
            raise null_reference()
        if test(value):
            return value
        raise bad_cast(value, kind)

    return cast


def bad_cast(value: Any, kind: Type) -> CsException:
    """Return the InvalidCastException of .NET for a value and a wanted type."""
    return raised(
        "InvalidCastException",
        f"Unable to cast object of type '{full_name(type_of(value))}' to type '{full_name(kind)}'.",
    )


def default_value(kind: Type) -> Any:
    """Return `default(kind)`."""
    if kind in NUMERIC:
        return Decimal(0) if kind == DECIMAL else 0.0 if kind in REAL else 0
    if kind == BOOL:
        return False
    if kind == Type("char"):
        return "\0"
    if kind.name == "()":
        return tuple(default_value(arg) for arg in kind.args)
    definition = TYPES.get(kind.name)
    if definition is not None and definition.kind in {"struct", "enum"} and not is_open(kind):
        make: Callable[[], Any] = definition.default  # the family says what an all-zero value is
        return make()
    return None


def children_of(token: Any) -> Any:
    """Return a JToken as a sequence: a JObject seen as a JToken goes through its properties, not through pairs."""
    return None if token is None else Query(token.children)


def same_object(left: Any, right: Any) -> bool:
    """Tell whether two references are one: every boxing makes a new object, so boxed values never are."""
    return left is right and not isinstance(left, int | float | Decimal | Char)
