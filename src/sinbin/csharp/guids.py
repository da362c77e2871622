"""System.Guid."""

import re
from typing import Any, ClassVar

from sinbin.csharp.exceptions import argument_null, raised
from sinbin.csharp.types import Type
from sinbin.csharp.values import CsObject

_FORMS = re.compile(
    r"[{(]?([0-9a-fA-F]{8})-([0-9a-fA-F]{4})-([0-9a-fA-F]{4})-([0-9a-fA-F]{4})-([0-9a-fA-F]{12})[)}]?|([0-9a-fA-F]{32})"
)


class Guid(CsObject):
    """A Guid by its 32 hexadecimal digits."""

    __slots__ = ("digits",)
    cs_type: ClassVar[Type] = Type("Guid")

    def __init__(self, digits: str) -> None:
        self.digits = digits.lower()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Guid) and self.digits == other.digits

    def __hash__(self) -> int:
        return hash(self.digits)

    def __lt__(self, other: Any) -> bool:
        return bool(self.digits < other.digits)

    def __gt__(self, other: Any) -> bool:
        return bool(self.digits > other.digits)

    def cs_text(self) -> str:
        """Return the "D" format."""
        return self.cs_format("D")

    def cs_format(self, form: str) -> str:
        """Return the format D, N, B or P.

        Raises:
            CsException: FormatException.
        """
        d = self.digits
        dashed = f"{d[:8]}-{d[8:12]}-{d[12:16]}-{d[16:20]}-{d[20:]}"
        forms = {"D": dashed, "N": d, "B": f"{{{dashed}}}", "P": f"({dashed})"}
        if form.upper() not in forms:
            raise raised(
                "FormatException", 'Format string can be only "D", "d", "N", "n", "P", "p", "B", "b", "X" or "x".'
            )
        return forms[form.upper()]

    @property
    def order(self) -> bytes:
        """The bytes in the order of ToByteArray: the first three groups little-endian."""
        raw = bytes.fromhex(self.digits)
        return raw[3::-1] + raw[5:3:-1] + raw[7:5:-1] + raw[8:]


def parse_guid(text: str | None) -> Guid:
    """Return `Guid.Parse(text)`.

    Raises:
        CsException: FormatException, ArgumentNullException.
    """
    if text is None:
        raise argument_null("input")
    match = _FORMS.fullmatch(text.strip())
    if match is None:
        raise raised("FormatException", _complaint(text.strip()))
    return Guid("".join(part for part in match.groups() if part))


def _complaint(text: str) -> str:
    if len(text) in {32, 36, 38} and re.fullmatch(r"[\w{}()-]+", text) and ("-" in text) == (len(text) > 32):
        return "Guid string should only contain hexadecimal characters."
    return "Guid should contain 32 digits with 4 dashes (xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx)."
