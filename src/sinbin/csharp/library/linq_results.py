"""System.Linq.Enumerable: operators that give one value or a collection, and so run at once.

Source: https://learn.microsoft.com/dotnet/api/system.linq.enumerable, read 2026-11-29
"""

from collections.abc import Callable, Iterable, Sized
from decimal import Decimal
from typing import Any

from sinbin.csharp.casting import default_value
from sinbin.csharp.collections import CsDict, CsSet
from sinbin.csharp.exceptions import argument_null, out_of_range, raised
from sinbin.csharp.library.comparing import StringComparer, compare_values
from sinbin.csharp.linq_order import source_of
from sinbin.csharp.numbers import decimal_binary, divide_double, to_single, within
from sinbin.csharp.registry import TYPES, Implementation, for_types, with_types
from sinbin.csharp.types import DECIMAL, DOUBLE, FLOAT, INT, LONG, STRING, Type, nullable
from sinbin.csharp.values import Array, CsList, equals

Items = Iterable[Any]
_EMPTY, _NO_MATCH = "Sequence contains no elements", "Sequence contains no matching element"
_MANY, _MANY_MATCH = "Sequence contains more than one element", "Sequence contains more than one matching element"


def _chosen(items: Items | None, test: Callable[[Any], bool] | None) -> Items:
    source = source_of(items)
    return source if test is None else filter(test, source)


def _first(items: Items | None, test: Any = None) -> Any:
    for item in _chosen(items, test):
        return item
    raise raised("InvalidOperationException", _EMPTY if test is None else _NO_MATCH)


def _last(items: Items | None, test: Any = None) -> Any:
    found = list(_chosen(items, test))
    if not found:
        raise raised("InvalidOperationException", _EMPTY if test is None else _NO_MATCH)
    return found[-1]


def _single(items: Items | None, test: Any = None) -> Any:
    found = list(_chosen(items, test))
    if not found:
        raise raised("InvalidOperationException", _EMPTY if test is None else _NO_MATCH)
    if len(found) > 1:
        raise raised("InvalidOperationException", _MANY if test is None else _MANY_MATCH)
    return found[0]


@with_types
def _first_or_default(types: tuple[Type, ...], items: Items | None, test: Any = None) -> Any:
    for item in _chosen(items, test):
        return item
    return default_value(types[-1])


@with_types
def _last_or_default(types: tuple[Type, ...], items: Items | None, test: Any = None) -> Any:
    found = list(_chosen(items, test))
    return found[-1] if found else default_value(types[-1])


@with_types
def _single_or_default(types: tuple[Type, ...], items: Items | None, test: Any = None) -> Any:
    found = list(_chosen(items, test))
    if len(found) > 1:
        raise raised("InvalidOperationException", _MANY if test is None else _MANY_MATCH)
    return found[0] if found else default_value(types[-1])


def _element_at(items: Items | None, index: int) -> Any:
    found = list(source_of(items))
    if not 0 <= index < len(found):
        raise out_of_range(
            "index", "Index was out of range. Must be non-negative and less than the size of the collection."
        )
    return found[index]


@with_types
def _element_at_or_default(types: tuple[Type, ...], items: Items | None, index: int) -> Any:
    found = list(source_of(items))
    return found[index] if 0 <= index < len(found) else default_value(types[-1])


def _any(items: Items | None, test: Any = None) -> bool:
    return any(True for _ in _chosen(items, test))


def _all(items: Items | None, test: Callable[[Any], bool]) -> bool:
    return all(map(test, source_of(items)))


def _count(items: Items | None, test: Any = None) -> int:
    source = _chosen(items, test)
    return len(source) if isinstance(source, Sized) else sum(1 for _ in source)


@for_types
def _contains(types: tuple[Type, ...]) -> Callable[[Items | None, Any], bool]:
    if types[-1] == STRING:
        # Texts are equal when Python says so; other values may differ by their type alone.
        return lambda items, value: value in source_of(items)
    return lambda items, value: any(equals(item, value) for item in source_of(items))


def _contains_by(items: Items | None, value: Any, comparer: StringComparer | None) -> bool:
    equal = equals if comparer is None else comparer.equal
    return any(equal(item, value) for item in source_of(items))


def _sequence_equal(items: Items | None, other: Items | None) -> bool:
    first, second = list(source_of(items, "first")), list(source_of(other, "second"))
    return len(first) == len(second) and all(map(equals, first, second))


def _aggregate(items: Items | None, step: Callable[..., Any]) -> Any:
    source = iter(source_of(items))
    for total in source:
        for item in source:
            total = step(total, item)  # noqa: PLW2901  (the first item starts the total)
        return total
    raise raised("InvalidOperationException", _EMPTY)


def _aggregate_from(items: Items | None, seed: Any, step: Callable[..., Any], result: Any = None) -> Any:
    for item in source_of(items):
        seed = step(seed, item)
    return seed if result is None else result(seed)


@with_types
def _to_list(types: tuple[Type, ...], items: Items | None) -> CsList:
    return CsList(source_of(items), types[-1])


@with_types
def _to_array(types: tuple[Type, ...], items: Items | None) -> Array:
    return Array(source_of(items), types[-1])


@with_types
def _to_set(types: tuple[Type, ...], items: Items | None, comparer: StringComparer | None = None) -> CsSet:
    return CsSet(types[-1], source_of(items), comparer)


@with_types
def _to_dictionary(
    types: tuple[Type, ...], items: Items | None, key: Any, make: Any = None, comparer: Any = None
) -> CsDict:
    if isinstance(make, StringComparer):
        make, comparer = None, make
    source_type, key_type, *rest = types
    made = CsDict(Type("Dictionary", (key_type, rest[0] if rest else source_type)), comparer=comparer)
    for item in source_of(items):
        name = key(item)
        if name is None:
            raise argument_null("key")
        made.add(name, make(item) if make else item)
    return made


def _numbers(items: Items | None, make: Any) -> list[Any]:
    source = source_of(items)
    return list(source if make is None else map(make, source))


def _sum(kind: Type) -> Callable[..., Any]:
    def total(items: Items | None, make: Any = None) -> Any:
        values = [value for value in _numbers(items, make) if value is not None]
        if kind == DECIMAL:
            result = Decimal(0)
            for value in values:
                result = decimal_binary("+", result, value)
            return result
        if kind in (INT, LONG):
            running = 0
            for value in values:
                running = within(running + value, kind)
            return running
        real = 0.0
        for value in values:
            real += value
        return to_single(real) if kind == FLOAT else real

    return total


def _average(kind: Type, *, may_be_empty: bool = False) -> Callable[..., Any]:
    def mean(items: Items | None, make: Any = None) -> Any:
        values = [value for value in _numbers(items, make) if value is not None]
        if not values:
            if may_be_empty:
                return None
            raise raised("InvalidOperationException", _EMPTY)
        if kind == DECIMAL:
            return decimal_binary("/", _sum(DECIMAL)(values), Decimal(len(values)))
        return divide_double(float(_sum(LONG if kind in (INT, LONG) else DOUBLE)(values)), len(values))

    return mean


def _extreme(sign: int, *, may_be_empty: bool) -> Callable[..., Any]:
    def find(items: Items | None, make: Any = None) -> Any:
        values = [value for value in _numbers(items, make) if value is not None]
        if not values:
            if may_be_empty:
                return None
            raise raised("InvalidOperationException", _EMPTY)
        best = values[0]
        for value in values[1:]:
            if compare_values(value, best) * sign > 0:
                best = value
        return best

    return find


_S = "this IEnumerable<T> source"
_members: dict[str, Implementation] = {
    f"static int Count<T>({_S})": _count,
    f"static int Count<T>({_S}, Func<T, bool> predicate)": _count,
    f"static long LongCount<T>({_S})": _count,
    f"static bool Any<T>({_S})": _any,
    f"static bool Any<T>({_S}, Func<T, bool> predicate)": _any,
    f"static bool All<T>({_S}, Func<T, bool> predicate)": _all,
    f"static bool Contains<T>({_S}, T value)": _contains,
    f"static bool Contains<T>({_S}, T value, IEqualityComparer<T> comparer)": _contains_by,
    "static bool SequenceEqual<T>(this IEnumerable<T> first, IEnumerable<T> second)": _sequence_equal,
    f"static T ElementAt<T>({_S}, int index)": _element_at,
    f"static T ElementAtOrDefault<T>({_S}, int index)": _element_at_or_default,
    f"static T Aggregate<T>({_S}, Func<T, T, T> func)": _aggregate,
    f"static A Aggregate<T, A>({_S}, A seed, Func<A, T, A> func)": _aggregate_from,
    f"static R Aggregate<T, A, R>({_S}, A seed, Func<A, T, A> func, Func<A, R> resultSelector)": _aggregate_from,
    f"static List<T>! ToList<T>({_S})": _to_list,
    f"static T[]! ToArray<T>({_S})": _to_array,
    f"static HashSet<T>! ToHashSet<T>({_S})": _to_set,
    f"static HashSet<T>! ToHashSet<T>({_S}, IEqualityComparer<T> comparer)": _to_set,
    f"static Dictionary<K, T>! ToDictionary<T, K>({_S}, Func<T, K> keySelector)": _to_dictionary,
    f"static Dictionary<K, T>! ToDictionary<T, K>({_S}, Func<T, K> keySelector, IEqualityComparer<K> comparer)": _to_dictionary,
    f"static Dictionary<K, E>! ToDictionary<T, K, E>({_S}, Func<T, K> keySelector, Func<T, E> elementSelector)": _to_dictionary,
    f"static Dictionary<K, E>! ToDictionary<T, K, E>({_S}, Func<T, K> keySelector, Func<T, E> elementSelector, IEqualityComparer<K> comparer)": _to_dictionary,
}
for _name, _run in {
    "First": _first, "Last": _last, "Single": _single, "FirstOrDefault": _first_or_default,
    "LastOrDefault": _last_or_default, "SingleOrDefault": _single_or_default,
}.items():  # fmt: skip
    _members[f"static T {_name}<T>({_S})"] = _run
    _members[f"static T {_name}<T>({_S}, Func<T, bool> predicate)"] = _run
for _kind in (INT, LONG, DOUBLE, FLOAT, DECIMAL):
    _mean = _kind if _kind in (FLOAT, DECIMAL) else DOUBLE
    for _type, _result, _empty in ((_kind, _mean, False), (nullable(_kind), nullable(_mean), True)):
        _members[f"static {_type} Sum(this IEnumerable<{_type}> source)"] = _sum(_kind)
        _members[f"static {_type} Sum<T>({_S}, Func<T, {_type}> selector)"] = _sum(_kind)
        _members[f"static {_result} Average(this IEnumerable<{_type}> source)"] = _average(
            _kind, may_be_empty=_empty
        )
        _members[f"static {_result} Average<T>({_S}, Func<T, {_type}> selector)"] = _average(
            _kind, may_be_empty=_empty
        )
        for _word, _sign in (("Max", 1), ("Min", -1)):
            _find = _extreme(_sign, may_be_empty=_empty)
            _members[f"static {_type} {_word}(this IEnumerable<{_type}> source)"] = _find
            _members[f"static {_type} {_word}<T>({_S}, Func<T, {_type}> selector)"] = _find
for _word, _sign in (("Max", 1), ("Min", -1)):
    _members[f"static T {_word}<T>({_S})"] = _extreme(_sign, may_be_empty=False)
    _members[f"static R {_word}<T, R>({_S}, Func<T, R> selector)"] = _extreme(_sign, may_be_empty=False)

TYPES["Enumerable"].declared.update(_members)
