"""System.Uri."""

from typing import ClassVar
from urllib.parse import quote, unquote, urlsplit

from sinbin.csharp.exceptions import argument_null, raised
from sinbin.csharp.types import Type
from sinbin.csharp.values import CsObject

PORTS = {"http": 80, "https": 443, "ftp": 21, "ws": 80, "wss": 443}
_SAFE = "!#$&'()*+,/:;=?@[]~%"


class Uri(CsObject):
    """An absolute Uri, taken apart when it is made."""

    __slots__ = ("fragment", "host", "original", "path", "port", "query", "scheme", "user")
    cs_type: ClassVar[Type] = Type("Uri")

    def __init__(self, text: str | None) -> None:
        if text is None:
            raise argument_null("uriString")
        self.original = text
        stripped = text.strip()
        if not stripped:
            raise raised("UriFormatException", "Invalid URI: The URI is empty.")
        try:
            parts = urlsplit(stripped)
            port = parts.port
        except ValueError:
            raise raised("UriFormatException", "Invalid URI: Invalid port specified.") from None
        if not parts.scheme:
            raise raised("UriFormatException")
        if not parts.hostname and parts.scheme in PORTS:
            raise raised("UriFormatException", "Invalid URI: The hostname could not be parsed.")
        self.scheme = parts.scheme.lower()
        self.user = parts.netloc.rpartition("@")[0]
        self.host = (parts.hostname or "").lower()
        self.port = PORTS.get(self.scheme, -1) if port is None else port
        self.path = quote(_without_dots(parts.path or ("/" if parts.netloc else "")), safe=_SAFE)
        self.query = f"?{quote(parts.query, safe=_SAFE)}" if parts.query else ""
        self.fragment = f"#{quote(parts.fragment, safe=_SAFE)}" if parts.fragment else ""

    @property
    def authority(self) -> str:
        """Host, and the port when it is not the scheme's own."""
        return self.host if self.port in {-1, PORTS.get(self.scheme)} else f"{self.host}:{self.port}"

    @property
    def absolute(self) -> str:
        """The whole address, escaped."""
        user = f"{self.user}@" if self.user else ""
        middle = f"//{user}{self.authority}" if self.host or self.scheme == "file" else ""
        return f"{self.scheme}:{middle}{self.path}{self.query}{self.fragment}"

    def cs_text(self) -> str:
        """Return ToString(): the address, unescaped where that changes nothing."""
        return unquote(self.absolute) if "%" in self.absolute and "%2" not in self.absolute else self.absolute

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Uri) and self.absolute.partition("#")[0] == other.absolute.partition("#")[0]

    def __hash__(self) -> int:
        return hash(self.absolute.partition("#")[0])


def _without_dots(path: str) -> str:
    if "/." not in path:
        return path
    kept: list[str] = []
    parts = path.split("/")
    for index, part in enumerate(parts):
        if part == "..":
            if len(kept) > 1:
                kept.pop()
        elif part != ".":
            kept.append(part)
            continue
        if index == len(parts) - 1:
            kept.append("")
    return "/".join(kept)
