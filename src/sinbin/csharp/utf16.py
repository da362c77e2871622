"""Texts between Python and .NET: .NET counts UTF-16 code units."""


def to_utf16(text: str) -> str:
    """Return a Python text as .NET holds it: one character per UTF-16 code unit."""
    if text.isascii() or max(text) <= "\uffff":
        return text
    return "".join(c if c <= "\uffff" else _pair(c) for c in text)


def _pair(character: str) -> str:
    code = ord(character) - 0x10000
    return chr(0xD800 + (code >> 10)) + chr(0xDC00 + (code & 0x3FF))


def from_utf16(text: str) -> str:
    """Return a text of .NET as Python writes it: surrogate pairs joined, lone ones replaced by U+FFFD."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
