"""Texts that look like keys, tokens and connection strings."""

import re
from functools import lru_cache

_SHAPES = re.compile(
    r"""(?x)
    ^[0-9a-f]{32}$                                     # keys of Azure AI services and API Management
    | ^[A-Za-z0-9+/]{43}=$ | ^[A-Za-z0-9+/]{86}==$     # keys of storage, Event Hubs, Cosmos DB
    | ^[A-Za-z0-9]{80,90}$                             # newer keys of Azure AI services
    | ^sk-[A-Za-z0-9_-]{20,}$                          # keys of OpenAI
    | ^eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$   # JSON web tokens
    | (?i:AccountKey|SharedAccessKey|Password|pwd|sig)=[^;&\s]{8,}
    | -----BEGIN\ [A-Z\ ]*PRIVATE\ KEY-----
    """
)


_PIECES = re.compile(r"""[^\s"'<>&;,=?]{20,}|(?<==)[^;&\s"']{8,}""")


@lru_cache(maxsize=8)
def masked(line: str) -> str:
    """Return `line` with everything in it that looks secret replaced by dots, character by character."""

    def mask(match: re.Match[str]) -> str:
        piece = match[0]
        before = line[: match.start()][-40:]
        named = re.search(r"(?i)(AccountKey|SharedAccessKey|Password|pwd|sig)=$", before) is not None
        return "•" * len(piece) if named or looks_secret(piece) else piece

    return _PIECES.sub(mask, line)


def looks_secret(text: str) -> bool:
    """Whether `text` has the shape of a key, a token or a connection string."""
    return _SHAPES.search(text.strip()) is not None
