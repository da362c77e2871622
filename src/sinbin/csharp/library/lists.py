"""List<T> and the interfaces of sequences.

Source: https://learn.microsoft.com/dotnet/api/system.collections.generic.list-1, read 2026-11-29
"""

from collections.abc import Callable, Iterable
from functools import cmp_to_key
from typing import Any

from sinbin.csharp.exceptions import argument_null, out_of_range, raised
from sinbin.csharp.library.comparing import compare_values, sort_key
from sinbin.csharp.registry import Linear, constant_time, declare, with_types
from sinbin.csharp.types import Type
from sinbin.csharp.values import Array, CsList, equals

_INDEX = "Index was out of range. Must be non-negative and less than the size of the collection."
_FIXED = "Collection was of a fixed size."


@with_types
def _new(types: tuple[Type, ...], source: Iterable[Any] | None) -> CsList:
    if source is None:
        raise argument_null("collection")
    return CsList(source, types[0])


@with_types
def _new_empty(types: tuple[Type, ...], capacity: int = 0) -> CsList:
    if capacity < 0:
        raise out_of_range("capacity", "Non-negative number required.")
    return CsList((), types[0])


@constant_time
def _get(items: list[Any], index: int) -> Any:
    if 0 <= index < len(items):
        return items[index]
    if isinstance(items, Array):
        raise raised("IndexOutOfRangeException")
    raise out_of_range("index", _INDEX)


@constant_time
def _set(items: list[Any], index: int, value: Any) -> Any:
    if not 0 <= index < len(items):
        raise out_of_range("index", _INDEX)
    items[index] = value
    return value


@constant_time
def _add(items: list[Any], value: Any) -> None:
    if isinstance(items, Array):
        raise raised("NotSupportedException", _FIXED)
    items.append(value)


def _add_range(items: list[Any], source: Iterable[Any] | None) -> None:
    if source is None:
        raise argument_null("collection")
    items.extend(list(source))


def _insert(items: list[Any], index: int, value: Any) -> None:
    if not 0 <= index <= len(items):
        raise out_of_range("index", "Index must be within the bounds of the List.")
    items.insert(index, value)


def _index_of(items: list[Any], value: Any) -> int:
    return next((index for index, item in enumerate(items) if equals(item, value)), -1)


def _remove(items: list[Any], value: Any) -> bool:
    index = _index_of(items, value)
    if index >= 0:
        del items[index]
    return index >= 0


def _remove_at(items: list[Any], index: int) -> None:
    if not 0 <= index < len(items):
        raise out_of_range("index", _INDEX)
    del items[index]


def _range(items: list[Any], index: int, count: int) -> None:
    if index < 0 or count < 0:
        raise out_of_range("index" if index < 0 else "count", "Non-negative number required.")
    if index + count > len(items):
        raise raised("ArgumentException", "Offset and length were out of bounds for the array or count is greater than the number of elements from index to the end of the source collection.")  # fmt: skip


def _remove_range(items: list[Any], index: int, count: int) -> None:
    _range(items, index, count)
    del items[index : index + count]


def _get_range(items: CsList, index: int, count: int) -> CsList:
    _range(items, index, count)
    return CsList(items[index : index + count], items.elem)


def _remove_all(items: list[Any], match: Callable[[Any], bool]) -> int:
    kept = [item for item in items if not match(item)]
    removed = len(items) - len(kept)
    items[:] = kept
    return removed


def _find(items: list[Any], match: Callable[[Any], bool]) -> Any:
    return next(filter(match, items), None)


def _find_index(items: list[Any], match: Callable[[Any], bool]) -> int:
    return next((index for index, item in enumerate(items) if match(item)), -1)


def _for_each(items: list[Any], action: Callable[[Any], Any]) -> None:
    size = len(items)
    for item in items:
        action(item)
        if len(items) != size:
            raise raised(
                "InvalidOperationException", "Collection was modified; enumeration operation may not execute."
            )


def _sort(items: list[Any]) -> None:
    # List<T>.Sort is unstable; texts and numbers that compare equal are the same anyway.
    items.sort(key=sort_key)


def _sort_by(items: list[Any], comparison: Callable[[Any, Any], int]) -> None:
    items.sort(key=cmp_to_key(comparison))


def _contains(items: Iterable[Any], value: Any) -> bool:
    return any(equals(item, value) for item in items)


@with_types
def _convert_all(types: tuple[Type, ...], items: list[Any], convert: Callable[[Any], Any]) -> CsList:
    return CsList(map(convert, items), types[-1])


def _binary_search(items: list[Any], value: Any) -> int:
    low, high = 0, len(items) - 1
    while low <= high:
        middle = (low + high) // 2
        order = compare_values(items[middle], value)
        if order == 0:
            return middle
        low, high = (middle + 1, high) if order < 0 else (low, middle - 1)
    return ~low


declare("IEnumerable", "System.Collections.Generic.IEnumerable", {}, kind="interface", generics="T")
declare("IReadOnlyCollection", "System.Collections.Generic.IReadOnlyCollection", {"int Count": "len({0})"},
        kind="interface", generics="T", bases="IEnumerable<T>")  # fmt: skip
declare("ICollection", "System.Collections.Generic.ICollection", {
    "int Count": "len({0})",
    "void Add(T item)": _add,
    "void Clear()": "{0}.clear()",
    "bool Contains(T item)": _contains,
    "bool Remove(T item)": _remove,
}, kind="interface", generics="T", bases="IEnumerable<T>")  # fmt: skip
declare("IList", "System.Collections.Generic.IList", {
    "T this[int index]": _get,
    "set T this[int index]": _set,
    "int IndexOf(T item)": _index_of,
    "void Insert(int index, T item)": _insert,
    "void RemoveAt(int index)": _remove_at,
}, kind="interface", generics="T", bases="ICollection<T>")  # fmt: skip
declare("IReadOnlyList", "System.Collections.Generic.IReadOnlyList", {"T this[int index]": _get},
        kind="interface", generics="T", bases="IReadOnlyCollection<T>")  # fmt: skip
declare(
    "List",
    "System.Collections.Generic.List",
    {
        "new()": _new_empty,
        "new(int capacity)": _new_empty,
        "new(IEnumerable<T> collection)": _new,
        "T this[int index]": _get,
        "set T this[int index]": _set,
        "int Count": "len({0})",
        "int Capacity": "max(4, len({0}))",
        "void Add(T item)": "{0}.append({1})",
        "void AddRange(IEnumerable<T> collection)": _add_range,
        "void Insert(int index, T item)": _insert,
        "void Clear()": "{0}.clear()",
        "bool Contains(T item)": _contains,
        "int IndexOf(T item)": _index_of,
        "int LastIndexOf(T item)": lambda items, value: next(
            (i for i in range(len(items) - 1, -1, -1) if equals(items[i], value)), -1
        ),
        "bool Remove(T item)": _remove,
        "void RemoveAt(int index)": _remove_at,
        "void RemoveRange(int index, int count)": _remove_range,
        "int RemoveAll(Predicate<T> match)": _remove_all,
        "List<T>! GetRange(int index, int count)": _get_range,
        "T Find(Predicate<T> match)": _find,
        "T FindLast(Predicate<T> match)": lambda items, match: _find(list(reversed(items)), match),
        "int FindIndex(Predicate<T> match)": _find_index,
        "List<T>! FindAll(Predicate<T> match)": lambda items, match: CsList(filter(match, items), items.elem),
        "bool Exists(Predicate<T> match)": Linear("any(map({1}, {0}))"),
        "bool TrueForAll(Predicate<T> match)": Linear("all(map({1}, {0}))"),
        "List<R>! ConvertAll<R>(Converter<T, R> converter)": _convert_all,
        "void ForEach(Action<T> action)": _for_each,
        "void Reverse()": Linear("{0}.reverse()"),
        "void Sort()": _sort,
        "void Sort(Comparison<T> comparison)": _sort_by,
        "int BinarySearch(T item)": _binary_search,
        "T[]! ToArray()": lambda items: Array(items, items.elem),
    },
    generics="T",
    bases="IList<T>; IReadOnlyList<T>; object",
)
