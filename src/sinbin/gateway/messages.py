"""HTTP requests and replies as the gateway sees them: plain data, no sockets.

A body is `bytes`, nothing (None), or a stream that the driver opened and only the driver can read.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

SEPARATE_HEADERS = frozenset(
    {
        "user-agent",
        "www-authenticate",
        "proxy-authenticate",
        "cookie",
        "set-cookie",
        "warning",
        "date",
        "expires",
        "if-modified-since",
        "if-unmodified-since",
        "last-modified",
        "retry-after",
    }
)
"""Headers whose values are sent one by one; all others are joined with commas.

Source: learn.microsoft.com/azure/api-management/set-header-policy, read 2026-11-29
"""


class BodyStream(Protocol):
    """A reply's body that is still arriving; opaque to the gateway, read by the driver that made it."""


class Headers:
    """Header fields by name, whatever its case; a name may hold several values."""

    __slots__ = ("fields",)

    fields: dict[str, tuple[str, tuple[str, ...]]]
    """By name in lower case: the name as it was written and its values."""

    def __init__(self, fields: Mapping[str, str] | Iterable[tuple[str, str]] = ()) -> None:
        self.fields = {}
        for name, value in fields.items() if isinstance(fields, Mapping) else fields:
            self.add(name, value)

    def copy(self) -> "Headers":
        """Return an independent copy."""
        copied = Headers.__new__(Headers)
        copied.fields = self.fields.copy()
        return copied

    def add(self, name: str, value: str) -> None:
        """Append one value to the field `name`."""
        key = name.lower()
        known = self.fields.get(key)
        self.fields[key] = (name, (value,)) if known is None else (known[0], (*known[1], value))

    def set(self, name: str, *values: str) -> None:
        """Replace the field `name` by `values`; without any the field is removed."""
        if values:
            self.fields[name.lower()] = (name, values)
        else:
            self.fields.pop(name.lower(), None)

    def remove(self, name: str) -> None:
        """Remove the field `name` if it is there."""
        self.fields.pop(name.lower(), None)

    def get(self, name: str, default: str | None = None) -> str | None:
        """Return the values of `name` joined with commas, or `default`."""
        known = self.fields.get(name.lower())
        if known is None:
            return default
        values = known[1]
        return values[0] if len(values) == 1 else ",".join(values)

    def values(self, name: str) -> tuple[str, ...]:
        """Return the values of `name` one by one, empty when it is absent."""
        known = self.fields.get(name.lower())
        return () if known is None else known[1]

    def names(self) -> list[str]:
        """Return the names as they were first written, in order."""
        return [name for name, _ in self.fields.values()]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name.lower() in self.fields

    def __len__(self) -> int:
        return len(self.fields)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Iterate over the header lines as they are sent."""
        for key, (name, values) in self.fields.items():
            if len(values) == 1:
                yield name, values[0]
            elif key in SEPARATE_HEADERS:
                for value in values:
                    yield name, value
            else:
                yield name, ",".join(values)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Headers):
            return NotImplemented
        mine = {key: values for key, (_, values) in self.fields.items()}
        return mine == {key: values for key, (_, values) in other.fields.items()}

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Headers({list(self)!r})"


@dataclass(slots=True)
class HttpRequest:
    """A request: what a caller sent, or what goes to a backend. `url` is absolute, or path and query."""

    method: str
    url: str
    headers: Headers = field(default_factory=Headers)
    body: bytes | None = None
    client_ip: str = "127.0.0.1"
    client_certificate: str | None = None
    """PEM text of what the caller showed in the TLS handshake."""


@dataclass(slots=True)
class HttpResponse:
    """A reply; `reason` None stands for the usual phrase of the status."""

    status: int
    headers: Headers = field(default_factory=Headers)
    body: "bytes | BodyStream | None" = None
    reason: str | None = None

    def json(self) -> Any:
        """Return the body as a JSON value.

        Raises:
            ValueError: the body is no JSON text, or is still a stream.
        """
        if not isinstance(self.body, bytes):
            raise ValueError("the reply has no body that was read")  # noqa: TRY004 (callers expect one kind)
        return json.loads(self.body)


def json_response(status: int, value: Any, headers: Mapping[str, str] | None = None) -> HttpResponse:
    """Return a reply whose body is `value` as compact JSON."""
    fields = Headers(headers or {})
    fields.set("Content-Type", "application/json")
    return HttpResponse(status, fields, json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode())
