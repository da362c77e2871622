"""The URL of a request as policies change it: host, path and query apart, put together when it is sent."""

from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import parse_qsl, quote_plus, urlsplit

# Parameters are few, and the same ones again and again.
_quoted = lru_cache(maxsize=1024)(quote_plus)


@lru_cache(maxsize=1024)
def _parsed(query: str) -> tuple[tuple[str, str], ...]:
    return tuple(parse_qsl(query, keep_blank_values=True))


def _joined(pairs: Iterable[tuple[str, list[str]]]) -> str:
    return "&".join([f"{_quoted(name)}={_quoted(value)}" for name, values in pairs for value in values])


def is_absolute(text: str) -> bool:
    """Return whether `text` is a URL with a host."""
    try:
        return bool(urlsplit(text).netloc)
    except ValueError:
        return False


class Url:
    """A URL in parts; the query is read when somebody asks for it."""

    __slots__ = ("_pairs", "_query", "host", "path", "scheme")

    def __init__(self, scheme: str, host: str, path: str, query: str = "") -> None:
        self.scheme = scheme
        self.host = host
        self.path = path
        self._query: str | None = query
        """The query as text; None = a parameter was changed since."""
        self._pairs: dict[str, list[str]] | None = None

    @classmethod
    def parse(cls, text: str) -> "Url":
        """Return the parts of `text`, which is absolute, or a path with a query.

        Raises:
            ValueError: it is neither.
        """
        if text.startswith("/"):
            path, _, query = text.partition("?")
            return cls("https", "", path, query)
        parts = urlsplit(text)
        return cls(parts.scheme, parts.netloc, parts.path or "/", parts.query)

    def copy(self) -> "Url":
        """Return an independent copy."""
        return Url(self.scheme, self.host, self.path, self.query_string)

    @property
    def pairs(self) -> dict[str, list[str]]:
        """The values of each query parameter, in order; change it with `set_query`."""
        if self._pairs is None:
            self._pairs = {}
            if self._query:
                for name, value in _parsed(self._query):
                    self._pairs.setdefault(name, []).append(value)
        return self._pairs

    def set_query(self, name: str, values: list[str] | None) -> None:
        """Replace the parameter `name` by `values`; None removes it. Names are compared without their case."""
        if self._query == "":
            self._pairs = None
            self._query = _joined([(name, values or [])])
            return
        pairs = self.pairs
        for known in [known for known in pairs if known.lower() == name.lower()]:
            if values is not None and values is not pairs[known]:
                pairs[known] = values
                values = pairs[known]
                name = known
            elif values is None:
                del pairs[known]
        if values is not None:
            pairs[name] = values
        self._query = None

    def query_values(self, name: str) -> list[str]:
        """Return the values of the parameter `name`, empty when it is absent."""
        lowered = name.lower()
        query = self._query
        if self._pairs is None and query is not None and "%" not in query and lowered not in query.lower():
            return []
        for known, values in self.pairs.items():
            if known.lower() == lowered:
                return values
        return []

    @property
    def query_string(self) -> str:
        """The query without its question mark."""
        if self._query is None:
            self._query = _joined(self.pairs.items())
        return self._query

    @property
    def path_and_query(self) -> str:
        """Path and query as they stand in a request line."""
        query = self.query_string
        return f"{self.path}?{query}" if query else self.path

    def __str__(self) -> str:
        return f"{self.scheme}://{self.host}{self.path_and_query}"
