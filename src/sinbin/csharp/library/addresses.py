"""System.Net.IPAddress, with the members that policies may use.

Source: https://learn.microsoft.com/dotnet/api/system.net.ipaddress, read 2026-11-30
"""

import ipaddress
from typing import ClassVar

from sinbin.csharp.exceptions import argument_null, raised
from sinbin.csharp.library.comparing import declare_enum
from sinbin.csharp.library.numerics import attempt
from sinbin.csharp.registry import declare
from sinbin.csharp.types import BYTE, Type
from sinbin.csharp.values import Array, CsObject

AddressFamily = declare_enum(
    "AddressFamily", "System.Net.Sockets.AddressFamily", {"InterNetwork": 2, "InterNetworkV6": 23}
)
_V4 = 4


class IpAddress(CsObject):
    """An address; equal addresses are equal, though two of them are never the same object."""

    __slots__ = ("value",)
    cs_type: ClassVar[Type] = Type("IPAddress")

    def __init__(self, value: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IpAddress) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)

    def cs_text(self) -> str:
        """Return the address in its usual form."""
        if isinstance(self.value, ipaddress.IPv6Address) and self.value.ipv4_mapped is not None:
            return f"::ffff:{self.value.ipv4_mapped}"
        return str(self.value)


def _parse(text: str | None) -> IpAddress:
    if text is None:
        raise argument_null("ipString")
    try:
        if ":" in text:
            # In a URL an IPv6 address stands in brackets.
            plain = text[1:-1] if text.startswith("[") and text.endswith("]") else text
            return IpAddress(ipaddress.IPv6Address(plain))
        return IpAddress(ipaddress.IPv4Address(_v4_number(text)))
    except ValueError:
        raise raised("FormatException", "An invalid IP address was specified.") from None


def _v4_number(text: str) -> int:
    """Return the number that one to four parts stand for: the last one fills the bytes that are left."""
    parts = [_part(part) for part in text.split(".")]
    *heads, last = parts
    if len(parts) > _V4 or any(part > 255 for part in heads) or last >= 256 ** (5 - len(parts)):
        raise ValueError(text)
    return sum(part << 8 * (3 - place) for place, part in enumerate(heads)) + last


def _part(text: str) -> int:
    if not text.isascii() or not text.isalnum():
        raise ValueError(text)
    if text[:2].lower() == "0x":
        return int(text, 16)
    return int(text, 8 if len(text) > 1 and text[0] == "0" else 10)


def _family(address: IpAddress) -> int:
    return AddressFamily(2 if address.value.version == _V4 else 23)


declare(
    "IPAddress",
    "System.Net.IPAddress",
    {
        "static IPAddress! Parse(string ipString)": _parse,
        "static bool TryParse(string ipString, out IPAddress address)": attempt(_parse, None),
        "static bool IsLoopback(IPAddress address)": lambda address: address.value.is_loopback,
        "AddressFamily AddressFamily": _family,
        "byte[]! GetAddressBytes()": lambda address: Array(address.value.packed, BYTE),
        "bool Equals(object comparand)": "({0} == {1})",
        "int GetHashCode()": "({0}.value.__hash__() & 0x7FFFFFFF)",
        "string! ToString()": "{0}.cs_text()",
    },
    bases="object",
)
