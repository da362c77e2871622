"""Requests and responses as expressions see them: address, headers, body."""

import codecs
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar
from urllib.parse import parse_qsl, urlsplit

from sinbin.csharp.certificates import Certificate
from sinbin.csharp.types import STRING, Type
from sinbin.csharp.uris import PORTS, Uri
from sinbin.csharp.utf16 import to_utf16
from sinbin.csharp.values import Array, CsObject


class Texts(CsObject):
    """Names without regard to case, each with its values: headers, query parameters.

    In C# an `IReadOnlyDictionary<string, string[]>`.
    """

    __slots__ = ("items",)
    cs_type: ClassVar[Type] = Type("IReadOnlyDictionary", (STRING, Type("[]", (STRING,))))

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        self.items: dict[str, tuple[str, list[str]]] = {}
        for name, value in pairs:
            self.append(name, value)

    def append(self, name: str, value: str) -> None:
        """Add a value behind those that `name` has."""
        entry = self.items.get(name.lower())
        if entry is None:
            self.items[name.lower()] = (name, [value])
        else:
            entry[1].append(value)

    def set(self, name: str, values: Iterable[str]) -> None:
        """Give `name` these values and no others."""
        self.items[name.lower()] = (name, list(values))

    def remove(self, name: str) -> None:
        """Remove `name`, if it is there."""
        self.items.pop(name.lower(), None)

    def joined(self, name: str, default: str | None = None) -> str | None:
        """Return the values of `name` with commas between them; `default` when there are none."""
        entry = self.items.get(name) or self.items.get(name.lower())
        if entry is None:
            return default
        values = entry[1]
        return values[0] if len(values) == 1 else ",".join(values)

    def values_of(self, name: str) -> list[str] | None:
        """Return the values of `name`, or None."""
        entry = self.items.get(name.lower())
        return None if entry is None else entry[1]

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield every name with each of its values, in order."""
        for name, values in self.items.values():
            for value in values:
                yield name, value

    def copy(self) -> "Texts":
        """Return a copy that changes on its own."""
        made = Texts()
        made.items = {key: (name, list(values)) for key, (name, values) in self.items.items()}
        return made

    def __contains__(self, name: str) -> bool:
        return name.lower() in self.items

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[tuple[str, Array]]:
        return ((name, Array(values, STRING)) for name, values in self.items.values())


class Body(CsObject):
    """A message body: read once, unless the policy asks to keep it.

    Once read without `preserveContent: true`, it reads as an empty text and is forwarded as nothing.
    Source: https://learn.microsoft.com/azure/api-management/set-body-policy, read 2026-11-29; that a second read
    gives an empty text is assumed.

    Attributes:
        data: the bytes, or what makes them when they are first wanted.
        consumed: whether it has been read without being kept.
    """

    __slots__ = ("_data", "consumed")
    cs_type: ClassVar[Type] = Type("IMessageBody")

    def __init__(self, data: bytes | Callable[[], bytes]) -> None:
        self._data = data
        self.consumed = False

    @property
    def data(self) -> bytes:
        """The bytes; none once the body has been consumed."""
        if self.consumed:
            return b""
        if not isinstance(self._data, bytes):
            self._data = self._data()
        return self._data

    def read(self, *, keep: bool) -> bytes:
        """Return the bytes as an expression reads them."""
        data = self.data
        if not keep:
            self.consumed = True
        return data

    def text(self, *, keep: bool) -> str:
        """Return the text (UTF-8, a byte order mark left out)."""
        data = self.read(keep=keep)
        return (
            data.decode()
            if data.isascii()
            else to_utf16(data.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace"))
        )


class Url(CsObject):
    """An address, taken apart when a part of it is read."""

    cs_type: ClassVar[Type] = Type("IUrl")

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _parts(self) -> Any:
        return urlsplit(self.text)

    def check(self) -> None:
        """Do nothing if it is an address.

        Raises:
            ValueError: it is none.
        """
        _ = self._parts.port

    @property
    def scheme(self) -> str:
        """`https`."""
        return str(self._parts.scheme)

    @property
    def host(self) -> str:
        """The host, in lower case."""
        return self._parts.hostname or ""

    @property
    def port(self) -> int:
        """The port; the scheme's own when none is written."""
        return self._parts.port or PORTS.get(self.scheme, -1)

    @property
    def path(self) -> str:
        """The path with its leading slash."""
        return str(self._parts.path)

    @property
    def query_string(self) -> str:
        """The query with its `?`, or an empty text."""
        return f"?{self._parts.query}" if self._parts.query else ""

    @cached_property
    def query(self) -> Texts:
        """The query's parameters."""
        return Texts(parse_qsl(self._parts.query, keep_blank_values=True))

    def uri(self) -> Uri:
        """The address as a System.Uri."""
        return Uri(self.text)

    def cs_text(self) -> str:
        """Return the whole address."""
        return self.text


@dataclass(slots=True)
class Request(CsObject):
    """The request, as the policies have changed it so far."""

    cs_type: ClassVar[Type] = Type("IRequest")
    method: str = "GET"
    url: Url = field(default_factory=lambda: Url("https://localhost/"))
    original_url: Url | None = None
    headers: Texts = field(default_factory=Texts)
    body: Body | None = None
    matched_parameters: dict[str, str] = field(default_factory=dict)
    ip_address: str = "127.0.0.1"
    foundry_deployment: str | None = None
    private_endpoint_connection: None = None
    """No request comes over a private endpoint here."""
    certificate: Certificate | None = None
    """What the caller showed in the TLS handshake."""


@dataclass(slots=True)
class Response(CsObject):
    """A response: of the backend, or of a send-request in a variable."""

    cs_type: ClassVar[Type] = Type("IResponse")
    status_code: int = 200
    status_reason: str = "OK"
    headers: Texts = field(default_factory=Texts)
    body: Body | None = None
