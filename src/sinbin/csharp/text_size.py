"""How long a text may be."""

from sinbin.csharp.exceptions import raised

MAX_TEXT = 2**26
"""Code units; beyond it OutOfMemoryException, so that a policy cannot exhaust the host."""


def checked_size(size: int) -> None:
    """Do nothing if a text of `size` code units may be made.

    Raises:
        CsException: OutOfMemoryException.
    """
    if size > MAX_TEXT:
        raise raised("OutOfMemoryException")


def checked_text(text: str) -> str:
    """Return `text` if it is not longer than any policy needs.

    Raises:
        CsException: OutOfMemoryException.
    """
    if len(text) > MAX_TEXT:
        raise raised("OutOfMemoryException")
    return text
