"""X.509 certificates as .NET shows them: names, dates, fingerprints. Nothing is trusted and no chain is built."""

import base64
import binascii
import hashlib
from functools import lru_cache
from typing import Any, ClassVar

from sinbin.csharp.dates import LOCAL, UNIX_EPOCH_TICKS, DateTime
from sinbin.csharp.types import BYTE, Type
from sinbin.csharp.utf16 import to_utf16
from sinbin.csharp.values import Array, CsObject

_SHORT = {
    "2.5.4.3": "CN", "2.5.4.4": "SN", "2.5.4.5": "SERIALNUMBER", "2.5.4.6": "C", "2.5.4.7": "L", "2.5.4.8": "S",
    "2.5.4.9": "STREET", "2.5.4.10": "O", "2.5.4.11": "OU", "2.5.4.12": "T", "2.5.4.42": "G",
    "0.9.2342.19200300.100.1.25": "DC", "1.2.840.113549.1.9.1": "E",
}  # fmt: skip
_PEM = "-----BEGIN CERTIFICATE-----"


class DistinguishedName(CsObject):
    """The name of a subject or an issuer."""

    __slots__ = ("text",)
    cs_type: ClassVar[Type] = Type("X500DistinguishedName")

    def __init__(self, text: str) -> None:
        self.text = text


class Certificate(CsObject):
    """A certificate without its private key."""

    __slots__ = ("_read", "der")
    cs_type: ClassVar[Type] = Type("X509Certificate2")

    def __init__(self, data: bytes) -> None:
        """Take a certificate in DER, or as PEM text.

        Raises:
            ValueError: it is none.
        """
        # Needed by policies that look at certificates only, and slow to load.
        from cryptography import x509  # noqa: PLC0415
        from cryptography.hazmat.primitives.serialization import Encoding  # noqa: PLC0415

        pem = data.lstrip().startswith(_PEM.encode())
        self._read = x509.load_pem_x509_certificate(data) if pem else x509.load_der_x509_certificate(data)
        self.der = self._read.public_bytes(Encoding.DER)

    @classmethod
    def from_text(cls, text: str) -> "Certificate":
        """Return the certificate in PEM or base64 `text`.

        Raises:
            ValueError: it is none.
        """
        try:
            return cls(text.encode() if _PEM in text else base64.b64decode(text, validate=True))
        except binascii.Error as error:
            raise ValueError(str(error)) from error

    @property
    def thumbprint(self) -> str:
        """SHA-1 of the whole, in capital hexadecimal."""
        return hashlib.sha1(self.der, usedforsecurity=False).hexdigest().upper()

    @property
    def subject(self) -> str:
        """The subject, its last part first, as .NET writes it."""
        return _name(self._read.subject)

    @property
    def issuer(self) -> str:
        """The issuer in the same form."""
        return _name(self._read.issuer)

    @property
    def serial_number(self) -> str:
        """The serial number in capital hexadecimal, whole bytes."""
        text = f"{self._read.serial_number:X}"
        return text if len(text) % 2 == 0 else f"0{text}"

    @property
    def version(self) -> int:
        """1 or 3."""
        return self._read.version.value + 1

    @property
    def not_before(self) -> DateTime:
        """When it begins to be good."""
        return _moment(self._read.not_valid_before_utc)

    @property
    def not_after(self) -> DateTime:
        """When it ends to be good."""
        return _moment(self._read.not_valid_after_utc)

    def is_current(self, now: float) -> bool:
        """Return whether `now` (s since 1970, UTC) lies between its dates."""
        return self._read.not_valid_before_utc.timestamp() <= now <= self._read.not_valid_after_utc.timestamp()

    @property
    def raw(self) -> Array:
        """The certificate's bytes."""
        return Array(self.der, BYTE)

    def simple_name(self, *, of_issuer: bool) -> str:
        """Return the common name, or the last part of a name without one."""
        name = self._read.issuer if of_issuer else self._read.subject
        parts = [(one.oid.dotted_string, str(one.value)) for one in name]
        common = [value for oid, value in parts if _SHORT.get(oid) == "CN"]
        return to_utf16(common[0] if common else parts[-1][1] if parts else "")


read_certificate = lru_cache(maxsize=64)(Certificate.from_text)
"""As `Certificate.from_text`; callers show the same ones again and again."""


def _moment(when: Any) -> DateTime:
    # The wall clock of a gateway is UTC; .NET gives local times here.
    return DateTime(UNIX_EPOCH_TICKS + int(when.timestamp()) * 10_000_000, LOCAL)


def _name(name: Any) -> str:
    parts = [(one.oid.dotted_string, str(one.value)) for one in name]
    return to_utf16(
        ", ".join(f"{_SHORT.get(oid, f'OID.{oid}')}={_quoted(value)}" for oid, value in reversed(parts))
    )


def _quoted(value: str) -> str:
    if any(char in value for char in ',+="\n<>#;') or value != value.strip():
        return '"' + value.replace('"', '""') + '"'
    return value
