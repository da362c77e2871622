"""Between HTTP on the wire and HTTP as policies see it: header lines, and which of them go on."""

from collections.abc import Iterable
from functools import lru_cache

from sinbin.gateway.messages import Headers
from sinbin.local.http.messages import Header

_HOP_BY_HOP = frozenset(
    {
        *("connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection"),
        *("te", "trailer", "transfer-encoding", "upgrade"),
    }
)
"""Headers that speak of one connection and end with it.

Source: https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1, read 2026-11-29.
"""
_MEASURED = frozenset({"content-length", "expect"})
"""Headers that who sends the message writes anew."""
_NOT_TO_CALLER_WITH_LENGTH = _HOP_BY_HOP | {"date"}
_NOT_TO_CALLER = _NOT_TO_CALLER_WITH_LENGTH | {"content-length"}
_NOT_TO_BACKEND = _HOP_BY_HOP | _MEASURED | {"host"}


def read_headers(lines: Iterable[Header]) -> Headers:
    """Return header lines as policies read them, without those that end with the connection."""
    headers = Headers()
    fields = headers.fields
    listed = None
    repeated: dict[str, list[str]] = {}
    for raw_name, raw_value in lines:
        name, value = _text(raw_name), raw_value.decode("latin-1")
        if name in _HOP_BY_HOP:
            listed = value if name == "connection" else listed
            continue
        if name not in fields:
            fields[name] = (name, (value,))
        elif name in repeated:
            repeated[name].append(value)
        else:
            repeated[name] = [*fields[name][1], value]
    for name, values in repeated.items():
        fields[name] = (name, tuple(values))
    if listed is not None:
        for name in listed.lower().split(","):
            fields.pop(name.strip(), None)
    return headers


def to_backend(headers: Headers, host: bytes) -> list[Header]:
    """Return the header lines of a request for the backend `host`."""
    return [(b"host", host), *_lines(headers, _NOT_TO_BACKEND)]


def to_caller(headers: Headers, *, keep_length: bool) -> list[Header]:
    """Return the header lines of a reply; its length stays only when its body goes by untouched."""
    return _lines(headers, _NOT_TO_CALLER_WITH_LENGTH if keep_length else _NOT_TO_CALLER)


def _lines(headers: Headers, dropped: frozenset[str]) -> list[Header]:
    return [(_name(name), _value(value)) for name, value in headers if name.lower() not in dropped]


@lru_cache(maxsize=1024)
def _text(name: bytes) -> str:
    return name.decode("latin-1")


@lru_cache(maxsize=1024)
def _name(name: str) -> bytes:
    return name.encode("latin-1", "replace")


def _value(value: str) -> bytes:
    """Return a value that is one line: a policy may put anything into a header, also what a caller sent."""
    if "\n" in value or "\r" in value:
        value = " ".join(value.splitlines())
    return value.encode("latin-1", "replace")
