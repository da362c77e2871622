"""Texts that look like keys, tokens and connection strings."""

import re

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


def looks_secret(text: str) -> bool:
    """Whether `text` has the shape of a key, a token or a connection string."""
    return _SHAPES.search(text.strip()) is not None
