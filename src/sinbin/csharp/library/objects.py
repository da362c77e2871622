"""What everything has: object, Nullable, exceptions, enums, tuples, delegates, System.Type."""

import re
from typing import Any

from sinbin.csharp.casting import default_value
from sinbin.csharp.exceptions import EXCEPTIONS, CsException, argument_null, raised
from sinbin.csharp.parsing import parse_integer
from sinbin.csharp.registry import TYPES, declare, with_types
from sinbin.csharp.runtime_types import RuntimeType
from sinbin.csharp.types import INT, Type
from sinbin.csharp.values import EnumValue, equals, full_name, to_text, type_of


def _get_type(value: Any) -> RuntimeType:
    return RuntimeType.of(type_of(value))


def _no_value() -> Any:
    raise raised("InvalidOperationException", "Nullable object must have a value.")


@with_types
def _value_or_default(types: tuple[Type, ...], value: Any) -> Any:
    return default_value(types[0]) if value is None else value


def _hash(value: Any) -> int:
    return ((hash(value) + 2**31) & 0xFFFFFFFF) - 2**31


declare(
    "object",
    "System.Object",
    {
        "string ToString()": to_text,
        "bool Equals(object obj)": equals,
        "int GetHashCode()": _hash,
        "Type! GetType()": _get_type,
        "static bool Equals(object objA, object objB)": equals,
        "static bool ReferenceEquals(object objA, object objB)": "({0} is {1})",
        "new()": object,
    },
)
declare(
    "Type",
    "System.Type",
    {
        "string! FullName": "{0}.cs_text()",
        "string! Name": "{0}.name",
        "string! Namespace": lambda kind: full_name(kind.kind).partition("`")[0].rpartition(".")[0],
        "static bool operator ==(Type left, Type right)": "({0} is {1})",
        "static bool operator !=(Type left, Type right)": "({0} is not {1})",
    },
    bases="object",
)
declare(
    "?",
    "System.Nullable",
    {
        "bool HasValue": "({0} is not None)",
        "T Value": lambda value: _no_value() if value is None else value,
        "T GetValueOrDefault()": _value_or_default,
        "T GetValueOrDefault(T defaultValue)": lambda value, other: other if value is None else value,
        "string! ToString()": to_text,
    },
    kind="struct",
    generics="T",
)
declare("IDisposable", "System.IDisposable", {"void Dispose()": "None"}, kind="interface")


def _new(name: str) -> Any:
    made = EXCEPTIONS[name]
    return lambda message=None, inner=None: made(message, inner)


def _new_argument(name: str) -> Any:
    def make(message: str | None = None, parameter: str | None = None) -> CsException:
        if parameter is not None:
            return EXCEPTIONS[name](f"{message or EXCEPTIONS[name].default_message} (Parameter '{parameter}')")
        return EXCEPTIONS[name](message)

    return make


def _new_for_parameter(name: str) -> Any:
    """ArgumentNullException and ArgumentOutOfRangeException take the parameter's name first."""

    def make(parameter: str | None = None, message: str | None = None) -> CsException:
        text = message or EXCEPTIONS[name].default_message
        return EXCEPTIONS[name](text if parameter is None else f"{text} (Parameter '{parameter}')")

    return make


def _root(error: CsException) -> CsException:
    while error.inner is not None:
        error = error.inner
    return error


for _name, _class in EXCEPTIONS.items():
    _base = _class.__mro__[1].__name__
    _members: dict[str, Any] = {}
    if _name in {"ArgumentNullException", "ArgumentOutOfRangeException"}:
        _members = {"new()": _new_for_parameter(_name), "new(string paramName)": _new_for_parameter(_name),
                    "new(string paramName, string message)": _new_for_parameter(_name)}  # fmt: skip
    else:
        _members = {"new()": _new(_name), "new(string message)": _new(_name),
                    "new(string message, Exception innerException)": _new(_name)}  # fmt: skip
        if _name == "ArgumentException":
            _members["new(string message, string paramName)"] = _new_argument(_name)
    declare(
        _name,
        _class.type_name,
        _members,
        bases="object" if _name == "Exception" else _base.replace("CsException", "Exception"),
    )
TYPES["Exception"].declared.update(
    {
        "string! Message": "{0}.message",
        "Exception InnerException": "{0}.inner",
        "string StackTrace": "None",
        "string Source": "None",
        "Exception GetBaseException()": _root,
    }
)


@with_types
def _parse_enum(types: tuple[Type, ...], text: str, ignore_case: bool = False) -> Any:
    found = _find_enum(types[-1], text, ignore_case=ignore_case)
    if found is None:
        raise raised("ArgumentException", f"Requested value '{text}' was not found.")
    return found


@with_types
def _try_parse_enum(types: tuple[Type, ...], text: str, ignore_case: bool = False) -> tuple[bool, Any]:
    found = None if text is None else _find_enum(types[-1], text, ignore_case=ignore_case)
    return found is not None, found if found is not None else TYPES[types[-1].name].default()


_NUMBER = re.compile("[+-]?[0-9]+")


def _find_enum(kind: Type, text: str | None, *, ignore_case: bool) -> EnumValue | None:
    if text is None:
        raise argument_null("value")
    made = type(TYPES[kind.name].default())
    stripped = text.strip()
    if _NUMBER.fullmatch(stripped):
        return made(parse_integer(stripped, INT))  # type: ignore[no-any-return]
    total = 0
    for part in stripped.split(","):
        name = part.strip()
        hit = next(
            (v for k, v in made.members.items() if k == name or (ignore_case and k.lower() == name.lower())), None
        )
        if hit is None:
            return None
        total |= hit
    return made(total)  # type: ignore[no-any-return]


def _cast_enum(kind: RuntimeType, text: str, ignore_case: bool = False) -> Any:
    return _parse_enum((kind.kind,), text, ignore_case)


declare(
    "Enum",
    "System.Enum",
    {
        "static object Parse(Type enumType, string value, bool ignoreCase = false)": _cast_enum,
        "static T Parse<T>(string value, bool ignoreCase = false)": _parse_enum,
        "static bool TryParse<T>(string value, out T result)": _try_parse_enum,
        "static bool TryParse<T>(string value, bool ignoreCase, out T result)": _try_parse_enum,
    },
    bases="object",
)
for _delegate in ("Func", "Action", "Predicate", "Comparison", "Converter", "MatchEvaluator"):
    _space = "System.Text.RegularExpressions" if _delegate == "MatchEvaluator" else "System"
    declare(_delegate, f"{_space}.{_delegate}", {}, kind="delegate")
declare("()", "System.ValueTuple", {"bool Equals(object obj)": equals, "string! ToString()": to_text,
                                    "int GetHashCode()": _hash}, kind="struct")  # fmt: skip
declare(
    "new",
    "<>f__AnonymousType0",
    {"bool Equals(object obj)": equals, "string! ToString()": to_text},
    bases="object",
)


_SINGLES = ", ".join
declare(
    "Tuple",
    "System.Tuple",
    {
        f"static ({_SINGLES(f'T{n}' for n in range(1, count + 1))}) Create<{_SINGLES(f'T{n}' for n in range(1, count + 1))}>"
        f"({_SINGLES(f'T{n} item{n}' for n in range(1, count + 1))})": lambda *items: items
        for count in range(2, 8)
    },
    bases="object",
)
