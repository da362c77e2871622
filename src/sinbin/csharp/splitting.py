"""string.Split, and what white space is."""

from sinbin.csharp.exceptions import out_of_range
from sinbin.csharp.types import STRING
from sinbin.csharp.values import Array

# Char.IsWhiteSpace: what Trim() takes away.
WHITE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f"
    "\u205f\u3000"
)


def _cut(text: str, separators: list[str], limit: int) -> list[str]:
    """Cut `text` at any of the separators, the first that fits at each place, into at most `limit` pieces."""
    if len(separators) == 1:
        return text.split(separators[0], limit - 1 if limit < len(text) + 1 else -1)
    pieces: list[str] = []
    start = at = 0
    while at < len(text) and len(pieces) < limit - 1:
        hit = next((s for s in separators if text.startswith(s, at)), None)
        if hit is None:
            at += 1
        else:
            pieces.append(text[start:at])
            at = start = at + len(hit)
    return [*pieces, text[start:]]


def split(text: str, separators: list[str | None] | None, count: int = 2**31 - 1, options: int = 0) -> Array:
    """Return `text.Split(…)`; no separators mean white space."""
    if count < 0:
        raise out_of_range("count", "Non-negative number required.")
    if count == 0:
        return Array((), STRING)
    drop_empty = bool(options & 1)
    kept = [separator for separator in separators or () if separator]
    if not kept:
        kept = list(WHITE) if not separators else []
    if not kept:
        pieces = [text]
    elif drop_empty:
        pieces = _keep_rest(text, kept, count) if count < len(text) else _cut(text, kept, 2**31)
    else:
        pieces = _cut(text, kept, count)
    return Array([piece for piece in pieces if piece or not drop_empty], STRING)


def _keep_rest(text: str, separators: list[str], count: int) -> list[str]:
    """Split off `count - 1` pieces that are not empty; what is left, without leading separators, is the last."""
    pieces: list[str] = []
    rest = text
    while len(pieces) < count - 1 and rest:
        piece, rest = ([*_cut(rest, separators, 2), ""])[:2]
        if piece:
            pieces.append(piece)
    while (hit := next((s for s in separators if rest.startswith(s)), None)) is not None:
        rest = rest[len(hit) :]
    return [*pieces, rest] if rest else pieces
