"""Requests and heads as bytes: what server and client share."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from email.utils import formatdate
from functools import lru_cache
from http import HTTPStatus

Header = tuple[bytes, bytes]

_HTTP2_OFFER = re.compile(rb"\r\nupgrade: *h2c\r\n", re.IGNORECASE)


@dataclass(slots=True)
class HttpRequest:
    """A request with its whole body; header names are in lower case, in the order of the wire."""

    method: str = ""
    target: str = ""
    """Path and query as they were sent."""
    headers: list[Header] = field(default_factory=list)
    body: bytes = b""
    http_version: str = "1.1"
    keep_alive: bool = True
    upgrade: bool = False
    """The caller asks for another protocol (WebSocket)."""

    @property
    def path(self) -> str:
        """The target before its query, still percent-encoded."""
        return self.target.partition("?")[0]

    @property
    def query(self) -> str:
        """The target after the first question mark."""
        return self.target.partition("?")[2]

    def header(self, name: bytes) -> bytes | None:
        """Return the first header called `name` (lower case)."""
        for known, value in self.headers:
            if known == name:
                return value
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much, and how long, a caller may take; seconds on the wall."""

    head_bytes: int = 64 * 1024
    body_bytes: int = 64 * 1024 * 1024
    head_s: float = 30.0
    """For a request line and headers, once their first byte is there."""
    body_s: float = 120.0
    idle_s: float = 75.0
    """Between requests on one connection."""
    connections: int = 2_000


@lru_cache(maxsize=256)
def status_line(status: int, reason: str | None = None) -> bytes:
    """Return the first line of a response; `reason` None stands for the usual phrase of the status."""
    if reason is None:
        try:
            reason = HTTPStatus(status).phrase
        except ValueError:
            reason = "Unknown"
    # A policy may compute the reason: whatever it is, the line stays one line.
    phrase = "".join(char if char.isprintable() else " " for char in reason).encode("latin-1", "replace")
    return b"HTTP/1.1 %d %b\r\n" % (status, phrase)


def encode_head(first_line: bytes, headers: Iterable[Header]) -> bytes:
    """Return a first line and headers with the empty line after them.

    Raises:
        ValueError: a name or value holds a line break, which would make headers of its own.
    """
    lines = [first_line]
    for name, value in headers:
        lines.append(name + b": " + value + b"\r\n")
    lines.append(b"\r\n")
    head = b"".join(lines)
    if head.count(b"\n") != len(lines) or head.count(b"\r") != len(lines):
        raise ValueError("a header holds a line break")
    return head


def decline_http2(data: bytes) -> bytes:
    """Return the head in `data` without an offer to go on in HTTP/2: the parser would take the body for HTTP/2."""
    end = data.find(b"\r\n\r\n")
    head = data if end < 0 else data[: end + 2]
    return _HTTP2_OFFER.sub(b"\r\n", head, count=1) + data[len(head) :]


class DateLine:
    """The current `date` header, made once a second."""

    def __init__(self) -> None:
        self._second = -1
        self._header: Header = (b"date", b"")

    def at(self, seconds: float) -> Header:
        """Return the header for `seconds` since 1970."""
        second = int(seconds)
        if second != self._second:
            self._second = second
            self._header = (b"date", formatdate(second, usegmt=True).encode())
        return self._header
