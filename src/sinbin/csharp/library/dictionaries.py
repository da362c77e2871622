"""Dictionary, HashSet, Queue, Stack and KeyValuePair.

Source: https://learn.microsoft.com/dotnet/api/system.collections.generic, read 2026-11-29
"""

from collections.abc import Callable, Iterable
from typing import Any

from sinbin.csharp.casting import default_value
from sinbin.csharp.collections import CsDict, CsQueue, CsSet, CsStack, KeyValue
from sinbin.csharp.exceptions import argument_null
from sinbin.csharp.library.comparing import StringComparer
from sinbin.csharp.registry import Linear, constant_time, declare, for_types, with_types
from sinbin.csharp.types import Type
from sinbin.csharp.values import Array, CsList


@with_types
def _new(types: tuple[Type, ...], source: Any = None, comparer: StringComparer | None = None) -> CsDict:
    if isinstance(source, StringComparer):
        source, comparer = None, source
    return CsDict(Type("Dictionary", types[:2]), None if isinstance(source, int) else source, comparer)


@with_types
def _new_from(types: tuple[Type, ...], source: Any, comparer: StringComparer | None = None) -> CsDict:
    if source is None:
        raise argument_null("dictionary")
    made: CsDict = _new(types, source, comparer)
    return made


@for_types
def _try_get(types: tuple[Type, ...]) -> Callable[[CsDict, Any], tuple[bool, Any]]:
    absent = (False, default_value(types[1]))

    @constant_time
    def try_get(items: CsDict, key: Any) -> tuple[bool, Any]:
        pair = items.items.get(items.fold(key))
        return absent if pair is None else (True, pair[1])

    return try_get


@constant_time
@with_types
def _get_or_default(types: tuple[Type, ...], items: CsDict, key: Any) -> Any:
    pair = items.items.get(items.fold(key))
    return default_value(types[1]) if pair is None else pair[1]


@constant_time
def _get_or(items: CsDict, key: Any, fallback: Any) -> Any:
    pair = items.items.get(items.fold(key))
    return fallback if pair is None else pair[1]


@constant_time
def _try_add(items: CsDict, key: Any, value: Any) -> bool:
    if items.has(key):
        return False
    items.add(key, value)
    return True


def _keys(items: CsDict) -> CsList:
    return CsList([pair[0] for pair in items.items.values()], items.cs_type.args[0])


def _values(items: CsDict) -> CsList:
    return CsList([pair[1] for pair in items.items.values()], items.cs_type.args[1])


declare(
    "KeyValuePair",
    "System.Collections.Generic.KeyValuePair",
    {
        "new(K key, V value)": lambda key, value: KeyValue((key, value)),
        "K Key": "{0}[0]",
        "V Value": "{0}[1]",
        "string! ToString()": "{0}.cs_text()",
    },
    kind="struct",
    generics="K, V",
    bases="object",
    default=lambda: KeyValue((None, None)),
)
_READ = {
    "V this[K key]": "{0}.get({1})",
    "bool ContainsKey(K key)": "{0}.has({1})",
    "bool TryGetValue(K key, out V value)": _try_get,
}
_WRITE = {
    "set V this[K key]": "{0}.set({1}, {2})",
    "void Add(K key, V value)": "{0}.add({1}, {2})",
    "bool Remove(K key)": "{0}.remove({1})",
    "void Clear()": "{0}.items.clear()",
}
declare("IReadOnlyDictionary", "System.Collections.Generic.IReadOnlyDictionary",
        {**_READ, "IEnumerable<K>! Keys": _keys, "IEnumerable<V>! Values": _values,
         "V GetValueOrDefault(K key)": _get_or_default, "V GetValueOrDefault(K key, V defaultValue)": _get_or},
        kind="interface", generics="K, V", bases="IReadOnlyCollection<KeyValuePair<K, V>>")  # fmt: skip
declare("IDictionary", "System.Collections.Generic.IDictionary",
        {**_READ, **_WRITE, "ICollection<K>! Keys": _keys, "ICollection<V>! Values": _values},
        kind="interface", generics="K, V", bases="ICollection<KeyValuePair<K, V>>")  # fmt: skip
declare(
    "Dictionary",
    "System.Collections.Generic.Dictionary",
    {
        **_READ,
        **_WRITE,
        "new()": _new,
        "new(int capacity)": _new,
        "new(IDictionary<K, V> dictionary)": _new_from,
        "new(IEqualityComparer<K> comparer)": _new,
        "new(IDictionary<K, V> dictionary, IEqualityComparer<K> comparer)": _new_from,
        "int Count": "len({0})",
        "ICollection<K>! Keys": _keys,
        "ICollection<V>! Values": _values,
        "bool ContainsValue(V value)": lambda items, value: value in _values(items),
        "bool TryAdd(K key, V value)": _try_add,
        "V GetValueOrDefault(K key)": _get_or_default,
        "V GetValueOrDefault(K key, V defaultValue)": _get_or,
    },
    generics="K, V",
    bases="IDictionary<K, V>; IReadOnlyDictionary<K, V>; object",
)


@with_types
def _new_set(types: tuple[Type, ...], source: Any = (), comparer: StringComparer | None = None) -> CsSet:
    if isinstance(source, StringComparer):
        source, comparer = (), source
    if source is None:
        raise argument_null("collection")
    return CsSet(types[0], source, comparer)


def _union(items: CsSet, other: Iterable[Any]) -> None:
    for item in list(other):
        items.add(item)


def _keep(test: Callable[[CsSet, set[Any], Any], bool]) -> Callable[[CsSet, Iterable[Any]], None]:
    def change(items: CsSet, other: Iterable[Any]) -> None:
        others = {items.fold(item) for item in other}
        for folded in [key for key in items.items if not test(items, others, key)]:
            del items.items[folded]

    return change


def _relation(test: Callable[[set[Any], set[Any]], bool]) -> Callable[[CsSet, Iterable[Any]], bool]:
    return lambda items, other: test(set(items.items), {items.fold(item) for item in other})


_SET = {
    "bool Add(T item)": "{0}.add({1})",
    "bool Remove(T item)": "{0}.remove({1})",
    "bool Contains(T item)": "{0}.has({1})",
    "void Clear()": "{0}.items.clear()",
    "int Count": "len({0})",
    "void UnionWith(IEnumerable<T> other)": _union,
    "void IntersectWith(IEnumerable<T> other)": _keep(lambda _, others, key: key in others),
    "void ExceptWith(IEnumerable<T> other)": _keep(lambda _, others, key: key not in others),
    "bool IsSubsetOf(IEnumerable<T> other)": _relation(lambda a, b: a <= b),
    "bool IsSupersetOf(IEnumerable<T> other)": _relation(lambda a, b: a >= b),
    "bool Overlaps(IEnumerable<T> other)": _relation(lambda a, b: bool(a & b)),
    "bool SetEquals(IEnumerable<T> other)": _relation(lambda a, b: a == b),
}
declare("ISet", "System.Collections.Generic.ISet", _SET, kind="interface", generics="T", bases="ICollection<T>")
declare(
    "HashSet",
    "System.Collections.Generic.HashSet",
    {
        **_SET,
        "new()": _new_set,
        "new(IEnumerable<T> collection)": _new_set,
        "new(IEqualityComparer<T> comparer)": _new_set,
        "new(IEnumerable<T> collection, IEqualityComparer<T> comparer)": _new_set,
    },
    generics="T",
    bases="ISet<T>; IReadOnlyCollection<T>; object",
)


@with_types
def _new_queue(types: tuple[Type, ...], source: Any = ()) -> CsQueue:
    return CsQueue(types[0], () if isinstance(source, int) else source)


@with_types
def _new_stack(types: tuple[Type, ...], source: Any = ()) -> CsStack:
    return CsStack(types[0], () if isinstance(source, int) else source)


_LINE = {
    "int Count": "len({0})",
    "T Peek()": "{0}.peek()",
    "void Clear()": "{0}.items.clear()",
    "bool Contains(T item)": Linear("({1} in {0}.items)"),
    "T[]! ToArray()": lambda items: Array(items, items.cs_type.args[0]),
}
declare(
    "Queue",
    "System.Collections.Generic.Queue",
    {**_LINE, "new()": _new_queue, "new(int capacity)": _new_queue, "new(IEnumerable<T> collection)": _new_queue,
     "void Enqueue(T item)": "{0}.items.append({1})", "T Dequeue()": "{0}.take()"},
    generics="T",
    bases="IReadOnlyCollection<T>; object",
)  # fmt: skip
declare(
    "Stack",
    "System.Collections.Generic.Stack",
    {**_LINE, "new()": _new_stack, "new(int capacity)": _new_stack, "new(IEnumerable<T> collection)": _new_stack,
     "void Push(T item)": "{0}.items.appendleft({1})", "T Pop()": "{0}.take()"},
    generics="T",
    bases="IReadOnlyCollection<T>; object",
)  # fmt: skip
