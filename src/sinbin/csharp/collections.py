"""The dictionary, set, queue and stack of .NET."""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from sinbin.csharp.exceptions import argument_null, raised
from sinbin.csharp.library.comparing import StringComparer
from sinbin.csharp.types import OBJECT, Type
from sinbin.csharp.values import CsObject, to_text


class KeyValue(tuple[Any, Any]):
    """A KeyValuePair<K, V>."""

    __slots__ = ()

    def cs_text(self) -> str:
        """Return `[key, value]`."""
        return f"[{to_text(self[0])}, {to_text(self[1])}]"

    @property
    def cs_type(self) -> Type:
        """`KeyValuePair` of objects: the pair does not know more."""
        return Type("KeyValuePair", (OBJECT, OBJECT))


class CsDict(CsObject):
    """Dictionary<K, V>: in the order of insertion; a comparer may fold its keys."""

    __slots__ = ("comparer", "cs_type", "items")

    def __init__(self, kind: Type, source: "CsDict | None" = None, comparer: StringComparer | None = None) -> None:
        self.cs_type = kind  # type: ignore[misc]
        self.comparer = comparer
        self.items: dict[Any, tuple[Any, Any]] = {}
        if source is not None:
            for key, value in source:
                self.add(key, value)

    def fold(self, key: Any) -> Any:
        """Return the form of a key under which it is kept.

        Raises:
            CsException: ArgumentNullException for null.
        """
        if key is None:
            raise argument_null("key")
        return key if self.comparer is None else self.comparer.key(key)

    def __iter__(self) -> Iterator[KeyValue]:
        return map(KeyValue, self.items.values())

    def __len__(self) -> int:
        return len(self.items)

    def add(self, key: Any, value: Any) -> None:
        """Add a new key.

        Raises:
            CsException: ArgumentException when the key is there.
        """
        folded = self.fold(key)
        if folded in self.items:
            raise raised(
                "ArgumentException", f"An item with the same key has already been added. Key: {to_text(key)}"
            )
        self.items[folded] = (key, value)

    def get(self, key: Any) -> Any:
        """Return the value of a key.

        Raises:
            CsException: KeyNotFoundException.
        """
        pair = self.items.get(self.fold(key))
        if pair is None:
            raise raised(
                "KeyNotFoundException", f"The given key '{to_text(key)}' was not present in the dictionary."
            )
        return pair[1]

    def set(self, key: Any, value: Any) -> Any:
        """Store a value; a key that is there keeps its place and its spelling."""
        folded = self.fold(key)
        old = self.items.get(folded)
        self.items[folded] = (key if old is None else old[0], value)
        return value

    def remove(self, key: Any) -> bool:
        """Remove a key and tell whether it was there."""
        return self.items.pop(self.fold(key), None) is not None

    def has(self, key: Any) -> bool:
        """Tell whether a key is there."""
        return self.fold(key) in self.items


class CsSet(CsObject):
    """HashSet<T>, in the order of insertion."""

    __slots__ = ("comparer", "cs_type", "items")

    def __init__(self, elem: Type, source: Iterable[Any] = (), comparer: StringComparer | None = None) -> None:
        self.cs_type = Type("HashSet", (elem,))  # type: ignore[misc]
        self.comparer = comparer
        self.items: dict[Any, Any] = {}
        for item in source:
            self.add(item)

    def fold(self, item: Any) -> Any:
        """Return the form of an item under which it is kept."""
        return item if self.comparer is None or item is None else self.comparer.key(item)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items.values())

    def __len__(self) -> int:
        return len(self.items)

    def add(self, item: Any) -> bool:
        """Add an item and tell whether it is new."""
        folded = self.fold(item)
        if folded in self.items:
            return False
        self.items[folded] = item
        return True

    def remove(self, item: Any) -> bool:
        """Remove an item and tell whether it was there."""
        folded = self.fold(item)
        found = folded in self.items
        self.items.pop(folded, None)
        return found

    def has(self, item: Any) -> bool:
        """Tell whether an item is there."""
        return self.fold(item) in self.items


class CsQueue(CsObject):
    """Queue<T>."""

    __slots__ = ("cs_type", "items")
    name = "Queue"

    def __init__(self, elem: Type, source: Iterable[Any] = ()) -> None:
        self.cs_type = Type(self.name, (elem,))  # type: ignore[misc]
        self.items = deque(source)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def take(self) -> Any:
        """Remove and return the next item.

        Raises:
            CsException: InvalidOperationException when there is none.
        """
        if not self.items:
            raise raised("InvalidOperationException", f"{self.name} empty.")
        return self.items.popleft()

    def peek(self) -> Any:
        """Return the next item.

        Raises:
            CsException: InvalidOperationException when there is none.
        """
        if not self.items:
            raise raised("InvalidOperationException", f"{self.name} empty.")
        return self.items[0]


class CsStack(CsQueue):
    """Stack<T>: the last item comes first."""

    __slots__ = ()
    name = "Stack"

    def __init__(self, elem: Type, source: Iterable[Any] = ()) -> None:
        super().__init__(elem)
        self.items.extendleft(source)
