"""What calls of the library cost an expression that repeats itself, in steps of its budget.

A step (`sinbin.csharp.runtime`) is about a quarter of a microsecond. A call costs four steps, and one for 64
characters, eight items of a collection or one node of a JSON or XML tree that it reads or makes; two items of a
new collection are a step, and a sequence that is enumerated later is counted item by item then. What takes the
same time however large its operands are is marked `constant_time` and costs nothing, as do templates that are not
`Linear` (see `sinbin.csharp.registry`): the turn of a loop or the call of a delegate around them is counted.
"""

from collections.abc import Callable, Iterator, Sized
from functools import cache
from itertools import compress
from typing import TYPE_CHECKING, Any

from sinbin.csharp.collections import CsDict, CsQueue, CsSet, CsStack
from sinbin.csharp.exceptions import EXCEPTIONS, raised
from sinbin.csharp.jsonnet.containers import JArray, JObject, JProperty
from sinbin.csharp.library.chars import StringBuilder
from sinbin.csharp.library.xml import XDocument, XElement
from sinbin.csharp.linq_order import Ordered
from sinbin.csharp.values import Array, CsList, Query

if TYPE_CHECKING:
    from sinbin.csharp.runtime import Runtime

_DEEPEST = 1000
"""Sequences on top of each other; each takes a piece of the C stack when it is enumerated."""
_CALL = 4
"""Steps for any call."""
_TIMED_OUT = 500_000
"""Steps for a regular expression that was given up after a second."""


class Counted(Query):
    """A sequence whose items are counted as they are taken."""

    __slots__ = ("items", "ticks")

    def __init__(self, items: Any, ticks: Iterator[bool]) -> None:
        self.items = items
        self.ticks = ticks
        self.depth = items.depth if isinstance(items, Query) else 0

    def __iter__(self) -> Iterator[Any]:
        return compress(self.items, self.ticks)


class CountedCollection(Counted):
    """A collection whose items are counted as they are taken; its length is known."""

    __slots__ = ()

    def __len__(self) -> int:
        return len(self.items)


def _items(items: Sized) -> int:
    return len(items) >> 3


def _made(items: CsList) -> int:
    return len(items) * 8 if items.elem.name == "Match" else len(items) >> 1


def _elements(element: XElement) -> int:
    return sum(1 for _ in element.node.iter())


def _builder(builder: StringBuilder) -> int:
    # Pieces have to be put together first; one that is whole is only read.
    return builder.size >> (6 if len(builder.parts) > 1 else 12)


def nodes(token: Any, most: int) -> int:
    """Return how many nodes a JSON tree has, or a number above `most` when there are more."""
    found, waiting = 0, [token]
    while waiting and found <= most:
        value = waiting.pop()
        found += 1
        if isinstance(value, JProperty):
            value = value.value
        if isinstance(value, JObject | JArray):
            value = value.raw
        if isinstance(value, dict):
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
    return found


_WEIGHTS: dict[type, Callable[[Any], int]] = {
    **dict.fromkeys((CsList, Array, CsDict, CsSet, CsQueue, CsStack, JArray), _items),
    StringBuilder: _builder,
    **dict.fromkeys((XElement, XDocument), _elements),
}
_TIMEOUT = EXCEPTIONS["RegexMatchTimeoutException"]


@cache
def metered(
    function: Callable[..., Any], lazy: tuple[int, ...], *, takes_runtime: bool, trees: tuple[int, ...]
) -> Callable[..., Any]:
    """Return `function` with the runtime as its first argument, which pays for what it does.

    Args:
        function: carries out a member.
        lazy: the places of arguments that are sequences, which are paid for as they are enumerated.
        takes_runtime: whether it wants the runtime itself.
        trees: the places of arguments that are JSON trees of which it goes through the whole.
    """

    def call(rt: "Runtime", *given: Any) -> Any:
        cost, depth = _CALL, 0
        args: Any = given
        for place, value in enumerate(given):
            kind = type(value)
            if trees:
                cost += nodes(value, rt.steps) if place in trees else 0
            elif kind is not Query and place not in lazy:
                if kind is str:
                    cost += len(value) >> 6
                elif kind in _WEIGHTS:
                    cost += _WEIGHTS[kind](value)
            elif value is not None:
                args = list(args)
                args[place] = count(value, rt.ticks)
                if isinstance(value, Query) and value.depth > depth:
                    depth = value.depth
        rt.spend(cost)
        try:
            result = function(rt, *args) if takes_runtime else function(*args)
        except _TIMEOUT:
            rt.spend(_TIMED_OUT)
            raise
        kind = type(result)
        if kind is str:
            if len(result) > 63:
                rt.spend(len(result) >> 6)
        elif kind in _WEIGHTS:
            # Making an item takes longer than going over it.
            rt.spend(_made(result) if isinstance(result, CsList) else _WEIGHTS[kind](result))
        elif isinstance(result, Query):
            result.depth = depth + 1
            if depth >= _DEEPEST:
                raise raised("InsufficientExecutionStackException")
        return result

    return call


def count(items: Any, ticks: Iterator[bool]) -> Any:
    """Return a sequence that takes a tick for each of its items; one that has to be known as it is stays."""
    if isinstance(items, Counted | Ordered):
        return items
    return CountedCollection(items, ticks) if isinstance(items, Sized) else Counted(items, ticks)
