"""Order and equality as .NET's default comparers see them."""

from collections.abc import Callable
from functools import cmp_to_key
from typing import Any

from sinbin.csharp.exceptions import raised
from sinbin.csharp.registry import declare
from sinbin.csharp.types import Type
from sinbin.csharp.values import CsObject, EnumValue

# The invariant culture: letters without regard to case first, then lower before upper; punctuation before digits
# before letters. Source: observed with .NET (ICU); enough for the ASCII of policies.
_ORDER = {c: i for i, c in enumerate("_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789")}


def compare_culture(left: str | None, right: str | None, *, ignore_case: bool = False) -> int:
    """Return the sign of a comparison of texts in the invariant culture."""
    if left is None or right is None:
        return (left is not None) - (right is not None)
    if left == right:
        return 0
    first, second = _weights(left), _weights(right)
    if first != second:
        return -1 if first < second else 1
    if ignore_case:
        return 0
    for a, b in zip(left, right, strict=False):
        if a != b:
            return -1 if a.islower() else 1
    return (len(left) > len(right)) - (len(left) < len(right))


def _weights(text: str) -> list[tuple[int, str]]:
    return [(_ORDER.get(c, -1 if c.isspace() else 100), c.lower()) for c in text]


def compare_ordinal(left: str | None, right: str | None, *, ignore_case: bool = False) -> int:
    """Return a comparison by UTF-16 code units: the difference of the first that differ, else of the lengths."""
    if left is None or right is None:
        return (left is not None) - (right is not None)
    if ignore_case:
        left, right = left.upper(), right.upper()
    for a, b in zip(left, right, strict=False):
        if a != b:
            return ord(a) - ord(b)
    return len(left) - len(right)


def compare_values(left: Any, right: Any) -> int:
    """Return the sign of `Comparer<T>.Default.Compare`.

    Raises:
        CsException: ArgumentException for what has no order.
    """
    if left is None or right is None:
        return (left is not None) - (right is not None)
    if isinstance(left, str) and isinstance(right, str):
        if len(left) == len(right) == 1 and type(left) is not str:
            return (left > right) - (left < right)
        return compare_culture(left, right)
    try:
        if left != left or right != right:
            return int(left == left) - int(right == right)
        return int(left > right) - int(left < right)
    except TypeError:
        raise raised("ArgumentException", "At least one object must implement IComparable.") from None


sort_key = cmp_to_key(compare_values)


class StringComparer(CsObject):
    """A way to compare texts."""

    __slots__ = ("compare", "key")
    cs_type = Type("StringComparer")

    def __init__(self, compare: Callable[[str, str], int], key: Callable[[str], str]) -> None:
        self.compare = compare
        self.key = key

    def equal(self, left: str | None, right: str | None) -> bool:
        """Tell whether two texts are the same in this way."""
        if left is None or right is None:
            return left is right
        return self.key(left) == self.key(right)


ORDINAL = StringComparer(compare_ordinal, str)
ORDINAL_IGNORE_CASE = StringComparer(lambda a, b: compare_ordinal(a, b, ignore_case=True), str.upper)
CULTURE = StringComparer(compare_culture, str)
CULTURE_IGNORE_CASE = StringComparer(lambda a, b: compare_culture(a, b, ignore_case=True), str.upper)

declare(
    "StringComparer",
    "System.StringComparer",
    {
        "static StringComparer Ordinal": ORDINAL,
        "static StringComparer OrdinalIgnoreCase": ORDINAL_IGNORE_CASE,
        "static StringComparer InvariantCulture": CULTURE,
        "static StringComparer InvariantCultureIgnoreCase": CULTURE_IGNORE_CASE,
        "static StringComparer CurrentCulture": CULTURE,
        "static StringComparer CurrentCultureIgnoreCase": CULTURE_IGNORE_CASE,
        "bool Equals(string x, string y)": lambda comparer, x, y: comparer.equal(x, y),
        "int Compare(string x, string y)": lambda comparer, x, y: comparer.compare(x, y),
        "int GetHashCode(string obj)": lambda comparer, text: hash(comparer.key(text)) & 0x7FFFFFFF,
    },
    bases="IEqualityComparer<string>; IComparer<string>",
)
declare("IEqualityComparer", "System.Collections.Generic.IEqualityComparer", {}, kind="interface", generics="T")
declare("IComparer", "System.Collections.Generic.IComparer", {}, kind="interface", generics="T")


def declare_enum(name: str, full: str, members: dict[str, int], *, flags: bool = False) -> type[EnumValue]:
    """Declare an enum and return its class."""
    made = EnumValue.define(name, members, flags=flags)
    constants: dict[str, Any] = {f"static {name} {member}": made(value) for member, value in members.items()}
    declare(name, full, {**constants, "bool HasFlag(object flag)": lambda value, flag: value & flag == flag}, kind="enum",
            bases="Enum", default=lambda: made(0))  # fmt: skip
    return made


StringComparison = declare_enum(
    "StringComparison",
    "System.StringComparison",
    {"CurrentCulture": 0, "CurrentCultureIgnoreCase": 1, "InvariantCulture": 2, "InvariantCultureIgnoreCase": 3,
     "Ordinal": 4, "OrdinalIgnoreCase": 5},
)  # fmt: skip
COMPARERS = (CULTURE, CULTURE_IGNORE_CASE, CULTURE, CULTURE_IGNORE_CASE, ORDINAL, ORDINAL_IGNORE_CASE)
