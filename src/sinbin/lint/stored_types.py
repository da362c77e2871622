"""What comes out of a context variable: the stored type decides, a cast converts nothing."""

import re

from sinbin.lint.finding import Edit
from sinbin.lint.variables import Read, Variables

_ANYTHING = frozenset({"object", "dynamic", "var"})
_LITERAL_FORMS = {"int": r"-?\d+", "bool": r"true|false", "double": r"-?\d+\.\d+"}


def fits(stored: str, wanted: str) -> bool:
    """Whether a value stored as `stored` can be read as `wanted`.

    Unboxing takes the exact type or its nullable form; classes of JSON are read as each other where the one is the
    other's base. Source: C# specification, 10.3.7 unboxing conversions.
    """
    stored, wanted = stored.removesuffix("?"), wanted.removesuffix("?")
    if stored == wanted or wanted in _ANYTHING or stored in _ANYTHING:
        return True
    json_types = {"JObject", "JArray", "JToken", "JValue", "JContainer"}
    if stored in json_types and wanted in json_types:
        return True
    plain = {
        "string",
        "int",
        "long",
        "bool",
        "double",
        "char",
        "decimal",
        "float",
        "short",
        "byte",
        "Guid",
        "DateTime",
    }
    known = plain | json_types | {"TimeSpan", "IResponse"}
    # Only a pair of types that are both known to be different is a fault.
    return not (stored in known and wanted in known)


def repair(variables: Variables, read: Read) -> tuple[Edit, ...]:
    """Return the edit that makes the literal an expression of the type that every reader takes; else nothing."""
    writes = variables.writes.get(read.name, ())
    value = writes[0].value if len(writes) == 1 else None
    if value is None or value.expressions or read.type not in _LITERAL_FORMS:
        return ()
    text = value.value
    readers = variables.reads_of(read.name)
    if any(other.type != read.type for other in readers) or not re.fullmatch(_LITERAL_FORMS[read.type], text):
        return ()
    if readers[0] is not read:
        return ()  # one edit mends them all
    return (Edit(value.value_start, value.value_end, f"@({text})"),)
