"""System.Linq.Enumerable: operators that give sequences. Each is deferred: it runs when it is enumerated.

Source: https://learn.microsoft.com/dotnet/api/system.linq.enumerable, read 2026-11-29
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import Any

from sinbin.csharp.casting import caster, default_value, instance_test
from sinbin.csharp.exceptions import out_of_range
from sinbin.csharp.library.comparing import StringComparer
from sinbin.csharp.linq_order import group_by, group_result, join_items, order, source_of, then
from sinbin.csharp.registry import declare, with_runtime, with_types
from sinbin.csharp.types import Type
from sinbin.csharp.values import Query

Items = Iterable[Any]
Test = Callable[..., bool]


def _where(items: Items | None, test: Test) -> Query:
    source = source_of(items)
    return Query(lambda: filter(test, source))


def _where_indexed(items: Items | None, test: Test) -> Query:
    source = source_of(items)
    return Query(lambda: (item for index, item in enumerate(source) if test(item, index)))


def _select(items: Items | None, make: Callable[..., Any]) -> Query:
    source = source_of(items)
    return Query(lambda: map(make, source))


def _select_indexed(items: Items | None, make: Callable[..., Any]) -> Query:
    source = source_of(items)
    return Query(lambda: (make(item, index) for index, item in enumerate(source)))


def _select_many(items: Items | None, make: Callable[..., Any], join: Callable[..., Any] | None = None) -> Query:
    source = source_of(items)
    if join is None:
        return Query(lambda: chain.from_iterable(map(make, source)))
    return Query(lambda: (join(item, inner) for item in source for inner in make(item)))


def _skip(items: Items | None, count: int) -> Query:
    source = source_of(items)
    return Query(lambda: islice(source, max(count, 0), None))


def _take(items: Items | None, count: int) -> Query:
    source = source_of(items)
    return Query(lambda: islice(source, max(count, 0)))


def _take_last(items: Items | None, count: int) -> Query:
    source = source_of(items)
    return Query(lambda: iter(list(source)[-count:] if count > 0 else []))


def _skip_last(items: Items | None, count: int) -> Query:
    source = source_of(items)
    return Query(lambda: iter(list(source)[: -count or None] if count > 0 else list(source)))


def _take_while(items: Items | None, test: Test) -> Query:
    source = source_of(items)

    def run() -> Iterator[Any]:
        for item in source:
            if not test(item):
                return
            yield item

    return Query(run)


def _skip_while(items: Items | None, test: Test) -> Query:
    source = source_of(items)

    def run() -> Iterator[Any]:
        dropping = True
        for item in source:
            dropping = dropping and test(item)
            if not dropping:
                yield item

    return Query(run)


def _fold(comparer: StringComparer | None) -> Callable[[Any], Any]:
    return (lambda item: item) if comparer is None else (lambda item: item if item is None else comparer.key(item))


def _distinct(items: Items | None, comparer: StringComparer | None = None) -> Query:
    source, fold = source_of(items), _fold(comparer)

    def run() -> Iterator[Any]:
        seen = set()
        for item in source:
            key = fold(item)
            if key not in seen:
                seen.add(key)
                yield item

    return Query(run)


def _union(items: Items | None, other: Items | None) -> Query:
    return _distinct(_concat(items, other))


def _intersect(items: Items | None, other: Items | None) -> Query:
    source, second = source_of(items, "first"), source_of(other, "second")

    def run() -> Iterator[Any]:
        wanted = set(second)
        for item in source:
            if item in wanted:
                wanted.discard(item)
                yield item

    return Query(run)


def _except(items: Items | None, other: Items | None) -> Query:
    source, second = source_of(items, "first"), source_of(other, "second")

    def run() -> Iterator[Any]:
        seen = set(second)
        for item in source:
            if item not in seen:
                seen.add(item)
                yield item

    return Query(run)


def _concat(items: Items | None, other: Items | None) -> Query:
    source, second = source_of(items, "first"), source_of(other, "second")
    return Query(lambda: chain(source, second))


def _append(items: Items | None, value: Any) -> Query:
    source = source_of(items)
    return Query(lambda: chain(source, (value,)))


def _prepend(items: Items | None, value: Any) -> Query:
    source = source_of(items)
    return Query(lambda: chain((value,), source))


def _reverse(items: Items | None) -> Query:
    source = source_of(items)
    return Query(lambda: reversed(list(source)))


def _zip(items: Items | None, other: Items | None, join: Callable[..., Any]) -> Query:
    source, second = source_of(items, "first"), source_of(other, "second")
    return Query(lambda: (join(a, b) for a, b in zip(source, second, strict=False)))


@with_types
def _default_if_empty(types: tuple[Type, ...], items: Items | None, *fallback: Any) -> Query:
    source = source_of(items)
    value = fallback[0] if fallback else default_value(types[-1])
    return Query(lambda: iter(list(source) or [value]))


@with_types
def _cast(types: tuple[Type, ...], items: Items | None) -> Query:
    source, cast = source_of(items), caster(types[-1])
    return Query(lambda: map(cast, source))


@with_types
def _of_type(types: tuple[Type, ...], items: Items | None) -> Query:
    source, test = source_of(items), instance_test(types[-1])
    return Query(lambda: filter(test, source))


@with_runtime
def _range(rt: Any, start: int, count: int) -> Query:
    if count < 0 or start + count - 1 > 2**31 - 1:
        raise out_of_range("count")

    def run() -> Iterator[int]:
        for value in range(start, start + count):
            rt.tick()
            yield value

    return Query(run)


@with_runtime
def _repeat(rt: Any, value: Any, count: int) -> Query:
    if count < 0:
        raise out_of_range("count")

    def run() -> Iterator[Any]:
        for _ in range(count):
            rt.tick()
            yield value

    return Query(run)


declare(
    "IOrderedEnumerable",
    "System.Linq.IOrderedEnumerable",
    {},
    kind="interface",
    generics="T",
    bases="IEnumerable<T>",
)
declare(
    "IGrouping",
    "System.Linq.IGrouping",
    {"K Key": "{0}.key"},
    kind="interface",
    generics="K, T",
    bases="IEnumerable<T>",
)
_S = "this IEnumerable<T> source"
declare(
    "Enumerable",
    "System.Linq.Enumerable",
    {
        f"static IEnumerable<T>! Where<T>({_S}, Func<T, bool> predicate)": _where,
        f"static IEnumerable<T>! Where<T>({_S}, Func<T, int, bool> predicate)": _where_indexed,
        f"static IEnumerable<R>! Select<T, R>({_S}, Func<T, R> selector)": _select,
        f"static IEnumerable<R>! Select<T, R>({_S}, Func<T, int, R> selector)": _select_indexed,
        f"static IEnumerable<R>! SelectMany<T, R>({_S}, Func<T, IEnumerable<R>> selector)": _select_many,
        f"static IEnumerable<R>! SelectMany<T, U, R>({_S}, Func<T, IEnumerable<U>> collectionSelector, Func<T, U, R> resultSelector)": _select_many,
        f"static IEnumerable<T>! Skip<T>({_S}, int count)": _skip,
        f"static IEnumerable<T>! Take<T>({_S}, int count)": _take,
        f"static IEnumerable<T>! SkipLast<T>({_S}, int count)": _skip_last,
        f"static IEnumerable<T>! TakeLast<T>({_S}, int count)": _take_last,
        f"static IEnumerable<T>! TakeWhile<T>({_S}, Func<T, bool> predicate)": _take_while,
        f"static IEnumerable<T>! SkipWhile<T>({_S}, Func<T, bool> predicate)": _skip_while,
        f"static IEnumerable<T>! Distinct<T>({_S})": _distinct,
        f"static IEnumerable<T>! Distinct<T>({_S}, IEqualityComparer<T> comparer)": _distinct,
        "static IEnumerable<T>! Union<T>(this IEnumerable<T> first, IEnumerable<T> second)": _union,
        "static IEnumerable<T>! Intersect<T>(this IEnumerable<T> first, IEnumerable<T> second)": _intersect,
        "static IEnumerable<T>! Except<T>(this IEnumerable<T> first, IEnumerable<T> second)": _except,
        "static IEnumerable<T>! Concat<T>(this IEnumerable<T> first, IEnumerable<T> second)": _concat,
        f"static IEnumerable<T>! Append<T>({_S}, T element)": _append,
        f"static IEnumerable<T>! Prepend<T>({_S}, T element)": _prepend,
        f"static IEnumerable<T>! Reverse<T>({_S})": _reverse,
        "static IEnumerable<R>! Zip<T, U, R>(this IEnumerable<T> first, IEnumerable<U> second, Func<T, U, R> resultSelector)": _zip,
        f"static IEnumerable<T>! DefaultIfEmpty<T>({_S})": _default_if_empty,
        f"static IEnumerable<T>! DefaultIfEmpty<T>({_S}, T defaultValue)": _default_if_empty,
        f"static IEnumerable<T>! AsEnumerable<T>({_S})": "{0}",
        "static IEnumerable<R>! Cast<R>(this IEnumerable<object> source)": _cast,
        "static IEnumerable<R>! OfType<R>(this IEnumerable<object> source)": _of_type,
        "static IEnumerable<int>! Range(int start, int count)": _range,
        "static IEnumerable<T>! Repeat<T>(T element, int count)": _repeat,
        "static IEnumerable<T>! Empty<T>()": lambda: Query(lambda: iter(())),
        f"static IOrderedEnumerable<T>! OrderBy<T, K>({_S}, Func<T, K> keySelector)": order(False),
        f"static IOrderedEnumerable<T>! OrderBy<T, K>({_S}, Func<T, K> keySelector, IComparer<K> comparer)": order(
            False
        ),
        f"static IOrderedEnumerable<T>! OrderByDescending<T, K>({_S}, Func<T, K> keySelector)": order(True),
        f"static IOrderedEnumerable<T>! OrderByDescending<T, K>({_S}, Func<T, K> keySelector, IComparer<K> comparer)": order(
            True
        ),
        "static IOrderedEnumerable<T>! ThenBy<T, K>(this IOrderedEnumerable<T> source, Func<T, K> keySelector)": then(
            False
        ),
        "static IOrderedEnumerable<T>! ThenByDescending<T, K>(this IOrderedEnumerable<T> source, Func<T, K> keySelector)": then(
            True
        ),
        f"static IEnumerable<IGrouping<K, T>>! GroupBy<T, K>({_S}, Func<T, K> keySelector)": group_by,
        f"static IEnumerable<IGrouping<K, E>>! GroupBy<T, K, E>({_S}, Func<T, K> keySelector, Func<T, E> elementSelector)": group_by,
        f"static IEnumerable<R>! GroupBy<T, K, R>({_S}, Func<T, K> keySelector, Func<K, IEnumerable<T>, R> resultSelector)": group_result,
        "static IEnumerable<R>! Join<T, U, K, R>(this IEnumerable<T> outer, IEnumerable<U> inner, Func<T, K> outerKeySelector, Func<U, K> innerKeySelector, Func<T, U, R> resultSelector)": join_items,
    },
    kind="static",
)
