"""Encodings, hashes, BitConverter.

Source: https://learn.microsoft.com/dotnet/api/system.text.encoding and .../system.security.cryptography, read 2026-11-29
"""

import hashlib
import hmac
import struct
from typing import Any, ClassVar

from sinbin.csharp.exceptions import argument_null, raised
from sinbin.csharp.registry import Implementation, Linear, declare, with_runtime
from sinbin.csharp.types import BYTE, Type
from sinbin.csharp.utf16 import from_utf16, to_utf16
from sinbin.csharp.values import Array, CsObject


class Encoding(CsObject):
    """A text encoding, by Python's name for it."""

    __slots__ = ("codec", "web_name")
    cs_type: ClassVar[Type] = Type("Encoding")

    def __init__(self, codec: str, web_name: str) -> None:
        self.codec = codec
        self.web_name = web_name

    def encode(self, text: str | None) -> Array:
        """Return the bytes of a text; what the encoding lacks becomes `?`."""
        if text is None:
            raise argument_null("s")
        return Array(from_utf16(text).encode(self.codec, "replace"), BYTE)

    def decode(self, data: list[int] | None, index: int = 0, count: int | None = None) -> str:
        """Return the text of bytes; what is no text becomes U+FFFD, or `?` in ASCII."""
        if data is None:
            raise argument_null("bytes")
        raw = bytes(data)
        piece = raw[index:] if count is None else raw[index : index + count]
        text = to_utf16(piece.decode(self.codec, "replace"))
        return text.replace("\ufffd", "?") if self.codec == "ascii" else text


UTF8 = Encoding("utf-8", "utf-8")
_ENCODINGS = {
    "UTF8": UTF8, "ASCII": Encoding("ascii", "us-ascii"), "Unicode": Encoding("utf-16-le", "utf-16"),
    "BigEndianUnicode": Encoding("utf-16-be", "utf-16BE"), "UTF32": Encoding("utf-32-le", "utf-32"), "Default": UTF8,
}  # fmt: skip


def _get(name: str) -> Encoding:
    wanted = {
        **{e.web_name.lower(): e for e in _ENCODINGS.values()},
        "iso-8859-1": Encoding("latin-1", "iso-8859-1"),
    }
    found = wanted.get(name.lower())
    if found is None:
        raise raised("ArgumentException", f"'{name}' is not a supported encoding name. (Parameter 'name')")
    return found


declare(
    "Encoding",
    "System.Text.Encoding",
    {
        **{f"static Encoding! {name}": encoding for name, encoding in _ENCODINGS.items()},
        "static Encoding! GetEncoding(string name)": _get,
        "byte[]! GetBytes(string s)": Linear("{0}.encode({1})"),
        "int GetByteCount(string s)": Linear("len({0}.encode({1}))"),
        "string! GetString(byte[] bytes)": Linear("{0}.decode({1})"),
        "string! GetString(byte[] bytes, int index, int count)": Linear("{0}.decode({1}, {2}, {3})"),
        "string! WebName": "{0}.web_name",
    },
    bases="object",
)


class Hash(CsObject):
    """A hash algorithm, keyed or not."""

    __slots__ = ("algorithm", "cs_type", "key")

    def __init__(self, name: str, algorithm: str, key: bytes | None = None) -> None:
        self.cs_type = Type(name)  # type: ignore[misc]
        self.algorithm = algorithm
        self.key = key

    def compute(self, data: list[int] | None) -> Array:
        """Return the hash of bytes."""
        if data is None:
            raise argument_null("buffer")
        raw = bytes(data)
        if self.key is None:
            return Array(hashlib.new(self.algorithm, raw, usedforsecurity=False).digest(), BYTE)
        return Array(hmac.new(self.key, raw, self.algorithm).digest(), BYTE)


def _maker(name: str, algorithm: str) -> Any:
    return lambda: Hash(name, algorithm)


def _keyed(name: str, algorithm: str) -> Any:
    def make(key: list[int] | None) -> Hash:
        if key is None:
            raise argument_null("key")
        return Hash(name, algorithm, bytes(key))

    return make


_SPACE = "System.Security.Cryptography"
declare(
    "HashAlgorithm",
    f"{_SPACE}.HashAlgorithm",
    {"byte[]! ComputeHash(byte[] buffer)": Linear("{0}.compute({1})"), "void Dispose()": "None",
     "int HashSize": lambda algorithm: len(algorithm.compute([])) * 8},
    bases="IDisposable; object",
)  # fmt: skip
for _name in ("MD5", "SHA1", "SHA256", "SHA384", "SHA512"):
    declare(
        _name,
        f"{_SPACE}.{_name}",
        {f"static {_name}! Create()": _maker(_name, _name.lower())},
        bases="HashAlgorithm",
    )
    if _name != "MD5":
        declare(
            f"{_name}Managed",
            f"{_SPACE}.{_name}Managed",
            {"new()": _maker(f"{_name}Managed", _name.lower())},
            bases=_name,
        )
    declare(
        f"HMAC{_name}",
        f"{_SPACE}.HMAC{_name}",
        {"new(byte[] key)": _keyed(f"HMAC{_name}", _name.lower())},
        bases="HMAC",
    )
declare("HMAC", f"{_SPACE}.HMAC", {}, bases="HashAlgorithm")


def _hex(data: list[int] | None) -> str:
    if data is None:
        raise argument_null("value")
    return "-".join(f"{byte:02X}" for byte in data)


_FORMS = {"int": ("Int32", "<i"), "long": ("Int64", "<q"), "short": ("Int16", "<h"), "uint": ("UInt32", "<I"),
          "ulong": ("UInt64", "<Q"), "ushort": ("UInt16", "<H"), "double": ("Double", "<d"), "float": ("Single", "<f"),
          "bool": ("Boolean", "<?")}  # fmt: skip


def _pack(form: str) -> Any:
    return lambda value: Array(struct.pack(form, value), BYTE)


def _unpack(form: str) -> Any:
    def read(data: list[int], start: int) -> Any:
        if start < 0 or start + struct.calcsize(form) > len(data):
            raise raised(
                "ArgumentException",
                "Destination array is not long enough to copy all the items in the collection. Check array index and length. (Parameter 'value')",
            )
        return struct.unpack_from(form, bytes(data), start)[0]

    return read


_members: dict[str, Implementation] = {}
for _kind, (_word, _form) in _FORMS.items():
    _members[f"static byte[]! GetBytes({_kind} value)"] = _pack(_form)
    _members[f"static {_kind} To{_word}(byte[] value, int startIndex)"] = _unpack(_form)
declare(
    "BitConverter",
    "System.BitConverter",
    {
        **_members,
        "static string! ToString(byte[] value)": _hex,
        "static string! ToString(byte[] value, int startIndex, int length)": lambda d, s, n: _hex(d[s : s + n]),
        "static bool IsLittleEndian": "True",
    },
    bases="object",
)


@with_runtime
def _fill(rt: Any, generator: Any, data: list[int]) -> None:
    del generator
    data[:] = rt.rng.randbytes(len(data))


declare(
    "RNGCryptoServiceProvider",
    f"{_SPACE}.RNGCryptoServiceProvider",
    {"new()": object, "void GetBytes(byte[] data)": _fill, "void Dispose()": "None"},
    bases="IDisposable; object",
)
