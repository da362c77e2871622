"""Arrays, and the element access that lists share with them."""

from collections.abc import Iterable, Iterator
from typing import Any

from sinbin.csharp.exceptions import argument_null, raised
from sinbin.csharp.registry import declare, with_types
from sinbin.csharp.types import Type
from sinbin.csharp.values import Array, CsList, equals

_LONGEST = 2**23
"""Items of an array, each of which takes eight bytes here; beyond it OutOfMemoryException."""
_CHANGED = "Collection was modified; enumeration operation may not execute."


def get_element(items: list[Any], index: int) -> Any:
    """Return an array's element.

    Raises:
        CsException: IndexOutOfRangeException.
    """
    if 0 <= index < len(items):
        return items[index]
    raise raised("IndexOutOfRangeException")


def set_element(items: list[Any], index: int, value: Any) -> Any:
    """Store an array's element and return it.

    Raises:
        CsException: IndexOutOfRangeException.
    """
    if 0 <= index < len(items):
        items[index] = value
        return value
    raise raised("IndexOutOfRangeException")


def new_array(length: int, elem: Type, filler: Any) -> Array:
    """Return an array of `length` default values.

    Raises:
        CsException: OverflowException for a negative length, OutOfMemoryException for one beyond reason.
    """
    if length < 0:
        raise raised("OverflowException")
    if length > _LONGEST:
        raise raised("OutOfMemoryException", "Array dimensions exceeded supported range.")
    return Array([filler] * length, elem)


def enumerate_list(items: Any) -> Iterator[Any]:
    """Yield a collection's items; a change of its size in between is an InvalidOperationException."""
    if items is None:
        raise raised("NullReferenceException")
    size = len(items)
    try:
        for item in items:
            yield item
            if len(items) != size:
                raise raised("InvalidOperationException", _CHANGED)
    except RuntimeError:
        raise raised("InvalidOperationException", _CHANGED) from None


def index_of(items: Iterable[Any] | None, value: Any) -> int:
    """Return the first index of an equal item, or -1."""
    if items is None:
        raise argument_null("array")
    return next((index for index, item in enumerate(items) if equals(item, value)), -1)


def last_index_of(items: list[Any], value: Any) -> int:
    """Return the last index of an equal item, or -1."""
    return next((index for index in range(len(items) - 1, -1, -1) if equals(items[index], value)), -1)


def _reverse(items: CsList) -> None:
    items.reverse()


@with_types
def _empty(types: tuple[Type, ...]) -> Array:
    return Array((), types[-1])


@with_types
def _convert_all(types: tuple[Type, ...], items: list[Any], convert: Any) -> Array:
    return Array(map(convert, items), types[-1])


def _copy(source: list[Any], target: list[Any], length: int) -> None:
    if length < 0:
        raise raised("ArgumentOutOfRangeException", "Non-negative number required. (Parameter 'length')")
    if length > len(source) or length > len(target):
        raise raised("ArgumentException", "Source array was not long enough. Check the source index, length, and the array's lower bounds. (Parameter 'sourceArray')")  # fmt: skip
    target[:length] = source[:length]


declare(
    "Array",
    "System.Array",
    {
        "int Length": "len({0})",
        "long LongLength": "len({0})",
        "int Rank": "1",
        "object Clone()": lambda items: Array(items, items.elem),
        "static int IndexOf<T>(T[] array, T value)": index_of,
        "static int LastIndexOf<T>(T[] array, T value)": last_index_of,
        "static void Reverse<T>(T[] array)": _reverse,
        "static T[]! Empty<T>()": _empty,
        "static bool Exists<T>(T[] array, Predicate<T> match)": lambda items, match: any(map(match, items)),
        "static T Find<T>(T[] array, Predicate<T> match)": lambda items, match: next(filter(match, items), None),
        "static R[]! ConvertAll<T, R>(T[] array, Converter<T, R> converter)": _convert_all,
        "static void Copy<T>(T[] sourceArray, T[] destinationArray, int length)": _copy,
    },
)
