"""Between HTTP on the wire and HTTP as policies see it: header lines, and which of them go on."""

from collections.abc import Iterable

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
_NOT_TO_CALLER = _HOP_BY_HOP | {"content-length", "date"}
_NOT_TO_BACKEND = _HOP_BY_HOP | _MEASURED | {"host"}


def read_headers(lines: Iterable[Header]) -> Headers:
    """Return header lines as policies read them, without those that end with the connection."""
    headers = Headers()
    fields = headers.fields
    listed = None
    for raw_name, raw_value in lines:
        name, value = raw_name.decode("latin-1"), raw_value.decode("latin-1")
        if name in _HOP_BY_HOP:
            listed = value if name == "connection" else listed
            continue
        known = fields.get(name)
        fields[name] = (name, (value,)) if known is None else (known[0], (*known[1], value))
    if listed is not None:
        for name in listed.lower().split(","):
            fields.pop(name.strip(), None)
    return headers


def to_backend(headers: Headers, host: bytes) -> list[Header]:
    """Return the header lines of a request for the backend `host`."""
    lines = [(b"host", host)]
    lines.extend((_name(name), _value(value)) for name, value in headers if name.lower() not in _NOT_TO_BACKEND)
    return lines


def to_caller(headers: Headers, *, keep_length: bool) -> list[Header]:
    """Return the header lines of a reply; its length stays only when its body goes by untouched."""
    lines = []
    for name, value in headers:
        lowered = name.lower()
        if lowered not in _NOT_TO_CALLER or (keep_length and lowered == "content-length"):
            lines.append((_name(name), _value(value)))
    return lines


def _name(name: str) -> bytes:
    return name.encode("latin-1", "replace")


def _value(value: str) -> bytes:
    """Return a value that is one line: a policy may put anything into a header, also what a caller sent."""
    if "\n" in value or "\r" in value:
        value = " ".join(value.splitlines())
    return value.encode("latin-1", "replace")
