"""XML entities: decoding them, and mapping a decoded character back to where it was written.

Only the five entities of XML and character references are known; nothing is ever expanded from a document type.
"""

import re
from bisect import bisect_right

_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
ENTITY = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6}));")


def _decode_one(match: re.Match[str]) -> str:
    if match[1]:
        return _NAMED[match[1]]
    number = int(match[2]) if match[2] else int(match[3], 16)
    # XML has no such characters: the reference stays as it was written.
    if number == 0 or number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
        return match[0]
    return chr(number)


def decode(raw: str) -> str:
    """Return `raw` with its entities replaced; an unknown entity and a bare `&` stay as they are."""
    return ENTITY.sub(_decode_one, raw) if "&" in raw else raw


class OffsetMap:
    """Maps an index of a decoded text to the offset in the source that it was written at."""

    __slots__ = ("_decoded", "_source", "_start")

    def __init__(self, raw: str, start: int) -> None:
        self._start = start
        self._decoded: list[int] = []
        self._source: list[int] = []
        shrink = 0
        for match in ENTITY.finditer(raw):
            saved = len(match[0]) - len(_decode_one(match))
            if saved:
                shrink += saved
                self._decoded.append(match.end() - shrink)
                self._source.append(match.end())

    def offset(self, index: int) -> int:
        """Return the source offset of the decoded character at `index`."""
        at = bisect_right(self._decoded, index)
        if at == 0:
            return self._start + index
        return self._start + self._source[at - 1] + index - self._decoded[at - 1]
