"""Guid and Uri."""

from html import unescape
from typing import Any
from urllib.parse import quote, unquote, unquote_plus, urljoin

from sinbin.csharp.exceptions import CsException, argument_null, raised
from sinbin.csharp.guids import Guid, parse_guid
from sinbin.csharp.library.comparing import compare_values, declare_enum
from sinbin.csharp.library.numerics import attempt
from sinbin.csharp.registry import declare, with_runtime
from sinbin.csharp.types import BYTE, STRING
from sinbin.csharp.uris import PORTS, Uri
from sinbin.csharp.utf16 import from_utf16, to_utf16
from sinbin.csharp.values import Array

EMPTY = Guid("0" * 32)


@with_runtime
def _new_guid(rt: Any) -> Guid:
    # Version 4, RFC 9562, from the context's source of chance.
    bits = rt.rng.getrandbits(128) & ~(0xF000 << 64) & ~(0xC000 << 48) | (0x4000 << 64) | (0x8000 << 48)
    return Guid(f"{bits:032x}")


def _from_bytes(data: list[int]) -> Guid:
    raw = bytes(data)
    if len(raw) != 16:
        raise raised("ArgumentException", "Byte array for GUID must be exactly 16 bytes long. (Parameter 'b')")
    return Guid((raw[3::-1] + raw[5:3:-1] + raw[7:5:-1] + raw[8:]).hex())


declare(
    "Guid",
    "System.Guid",
    {
        "new(string g)": parse_guid,
        "new(byte[] b)": _from_bytes,
        "static Guid! NewGuid()": _new_guid,
        "static Guid Empty": EMPTY,
        "static Guid! Parse(string input)": parse_guid,
        "static bool TryParse(string input, out Guid result)": attempt(parse_guid, EMPTY),
        "byte[]! ToByteArray()": lambda guid: Array(guid.order, BYTE),
        "string! ToString()": "{0}.cs_text()",
        "string! ToString(string format)": lambda guid, form: guid.cs_format(form or "D"),
        "int CompareTo(Guid value)": compare_values,
        "bool Equals(Guid g)": "({0} == {1})",
        "static bool operator ==(Guid a, Guid b)": "({0} == {1})",
        "static bool operator !=(Guid a, Guid b)": "({0} != {1})",
    },
    kind="struct",
    bases="IComparable; object",
    default=lambda: EMPTY,
)

_UNRESERVED = "-_.~"
UriKind = declare_enum("UriKind", "System.UriKind", {"RelativeOrAbsolute": 0, "Absolute": 1, "Relative": 2})
UriPartial = declare_enum("UriPartial", "System.UriPartial", {"Scheme": 0, "Authority": 1, "Path": 2, "Query": 3})


def _escape(text: str | None) -> str:
    if text is None:
        raise argument_null("stringToEscape")
    return quote(from_utf16(text), safe=_UNRESERVED)


def _unescape(text: str | None) -> str:
    if text is None:
        raise argument_null("stringToUnescape")
    return to_utf16(unquote(text))


def _left_part(uri: Uri, part: int) -> str:
    head = f"{uri.scheme}://"
    if part == 0:
        return head
    authority = f"{head}{uri.authority}"
    return authority if part == 1 else authority + uri.path + (uri.query if part == 3 else "")


def _relative(base: Uri, relative: str) -> Uri:
    return Uri(urljoin(base.absolute, relative))


def _try_create(text: str | None, kind: int) -> tuple[bool, Uri | None]:
    try:
        return (True, Uri(text)) if kind != 2 else (False, None)
    except CsException:
        return False, None


declare(
    "Uri",
    "System.Uri",
    {
        "new(string uriString)": Uri,
        "new(Uri baseUri, string relativeUri)": _relative,
        "static bool TryCreate(string uriString, UriKind uriKind, out Uri result)": _try_create,
        "static bool IsWellFormedUriString(string uriString, UriKind uriKind)": lambda text, kind: _try_create(
            text, kind
        )[0],
        "static string! EscapeDataString(string stringToEscape)": _escape,
        "static string! UnescapeDataString(string stringToUnescape)": _unescape,
        "string! Scheme": "{0}.scheme",
        "string! Host": "{0}.host",
        "string! DnsSafeHost": "{0}.host",
        "int Port": "{0}.port",
        "string! Authority": "{0}.authority",
        "string! AbsolutePath": "{0}.path",
        "string! LocalPath": lambda uri: to_utf16(unquote(uri.path)),
        "string! PathAndQuery": lambda uri: uri.path + uri.query,
        "string! Query": "{0}.query",
        "string! Fragment": "{0}.fragment",
        "string! AbsoluteUri": "{0}.absolute",
        "string! OriginalString": "{0}.original",
        "string! UserInfo": "{0}.user",
        "bool IsAbsoluteUri": "True",
        "bool IsDefaultPort": lambda uri: uri.port == PORTS.get(uri.scheme, -1),
        "bool IsLoopback": lambda uri: uri.host in {"localhost", "127.0.0.1", "::1"},
        "string[]! Segments": lambda uri: Array(
            [part for part in uri.path.replace("/", "/\n").split("\n") if part], STRING
        ),
        "string! GetLeftPart(UriPartial part)": _left_part,
        "string! ToString()": "{0}.cs_text()",
        "static bool operator ==(Uri uri1, Uri uri2)": "({0} == {1})",
        "static bool operator !=(Uri uri1, Uri uri2)": "({0} != {1})",
    },
    bases="object",
)
declare(
    "WebUtility",
    "System.Net.WebUtility",
    {
        "static string UrlEncode(string value)": lambda t: (
            None if t is None else quote(from_utf16(t), safe="-_.!*() ").replace(" ", "+")
        ),
        "static string UrlDecode(string value)": lambda t: None if t is None else to_utf16(unquote_plus(t)),
        "static string HtmlEncode(string value)": lambda t: None if t is None else _html(t),
        "static string HtmlDecode(string value)": lambda t: None if t is None else _plain(t),
    },
    bases="object",
)


def _html(text: str) -> str:
    marks = {"<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;", "&": "&amp;"}
    return "".join(marks.get(c) or (f"&#{ord(c)};" if "\xa0" <= c <= "\xff" else c) for c in text)


def _plain(text: str) -> str:
    return to_utf16(unescape(text))
