"""Sorted and grouped sequences of LINQ."""

from collections.abc import Callable, Iterable, Iterator
from functools import cmp_to_key
from typing import Any

from sinbin.csharp.exceptions import argument_null
from sinbin.csharp.library.comparing import compare_values
from sinbin.csharp.values import CsObject, Query

Items = Iterable[Any]


def source_of(items: Items | None, name: str = "source") -> Items:
    """Return the sequence.

    Raises:
        CsException: ArgumentNullException when it is null.
    """
    if items is None:
        raise argument_null(name)
    return items


class Ordered(Query):
    """An IOrderedEnumerable: sorted by one key after the other when it is enumerated; stable."""

    __slots__ = ("keys", "source")

    def __init__(self, source: Items, keys: list[tuple[Callable[[Any], Any], bool, Any]]) -> None:
        super().__init__(self.run)
        self.source = source
        self.keys = keys

    def run(self) -> Iterator[Any]:
        """Yield the items in order."""
        items = list(self.source)
        for key, descending, comparer in reversed(self.keys):
            order = cmp_to_key(comparer.compare if comparer else compare_values)
            items.sort(key=lambda item, key=key, order=order: order(key(item)), reverse=descending)  # type: ignore[misc]
        return iter(items)


def order(descending: bool) -> Callable[..., Ordered]:
    """Return OrderBy or OrderByDescending."""
    return lambda items, key, comparer=None: Ordered(source_of(items), [(key, descending, comparer)])


def then(descending: bool) -> Callable[..., Ordered]:
    """Return ThenBy or ThenByDescending."""
    return lambda items, key, comparer=None: Ordered(items.source, [*items.keys, (key, descending, comparer)])


class Grouping(CsObject):
    """An IGrouping: a key and its items."""

    __slots__ = ("items", "key")

    def __init__(self, key: Any) -> None:
        self.key = key
        self.items: list[Any] = []

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items)


def groups_of(
    items: Items, key: Callable[[Any], Any], make: Callable[[Any], Any] | None = None
) -> dict[Any, Grouping]:
    """Return the groups by key, in the order in which their keys first come."""
    found: dict[Any, Grouping] = {}
    for item in items:
        name = key(item)
        group = found.get(name)
        if group is None:
            group = found[name] = Grouping(name)
        group.items.append(make(item) if make else item)
    return found


def group_by(items: Items | None, key: Callable[[Any], Any], make: Callable[[Any], Any] | None = None) -> Query:
    """Return the groups, in the order in which their keys first come."""
    source = source_of(items)
    return Query(lambda: iter(groups_of(source, key, make).values()))


def group_result(items: Items | None, key: Callable[[Any], Any], result: Callable[..., Any]) -> Query:
    """Return what `result` makes of each key and its group."""
    source = source_of(items)
    return Query(lambda: (result(name, group) for name, group in groups_of(source, key).items()))


def join_items(items: Items, inner: Items, key: Any, inner_key: Any, result: Any) -> Query:
    """Return `result` of every pair with equal keys."""

    def run() -> Iterator[Any]:
        groups = groups_of(inner, inner_key)
        for item in items:
            for other in groups.get(key(item), ()):
                yield result(item, other)

    return Query(run)
