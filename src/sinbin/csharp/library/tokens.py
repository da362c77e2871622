"""Credentials in headers: AsBasic, TryParseBasic, AsJwt, TryParseJwt.

A token is read, not verified: that is what validate-jwt is for. `Encrypt` and `Decrypt` are
not modelled. Source: https://learn.microsoft.com/azure/api-management/api-management-policy-expressions, read 2026-11-29
"""

import base64
import binascii
import json
from typing import Any, ClassVar

from sinbin.csharp.collections import CsDict
from sinbin.csharp.dates import DateTime, from_unix
from sinbin.csharp.registry import declare
from sinbin.csharp.types import STRING, Type, array
from sinbin.csharp.utf16 import to_utf16
from sinbin.csharp.values import Array, CsObject


class Basic(CsObject):
    """The user and the password of basic authentication."""

    __slots__ = ("password", "user")
    cs_type: ClassVar[Type] = Type("BasicAuthCredentials")

    def __init__(self, user: str, password: str) -> None:
        self.user = user
        self.password = password


class Jwt(CsObject):
    """A JSON web token's header and claims."""

    __slots__ = ("claims", "header")
    cs_type: ClassVar[Type] = Type("Jwt")

    def __init__(self, header: dict[str, Any], claims: dict[str, Any]) -> None:
        self.header = header
        self.claims = claims

    def text(self, name: str) -> str | None:
        """Return a claim as a text, or None."""
        value = self.claims.get(name)
        return None if value is None else _text(value)

    def texts(self, name: str) -> list[str]:
        """Return a claim's values as texts; none when it is not there."""
        value = self.claims.get(name)
        return [] if value is None else [_text(item) for item in (value if isinstance(value, list) else [value])]

    def time(self, name: str) -> DateTime | None:
        """Return a claim in seconds since 1970 as a time."""
        value = self.claims.get(name)
        return from_unix(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _text(value: Any) -> str:
    return to_utf16(value if isinstance(value, str) else json.dumps(value, separators=(",", ":")))


def as_basic(text: str | None) -> Basic | None:
    """Return the credentials of an Authorization header, or null."""
    scheme, _, rest = (text or "").strip().partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        user, colon, password = base64.b64decode(rest.strip(), validate=True).decode("utf-8").partition(":")
    except (binascii.Error, ValueError):
        return None
    return Basic(to_utf16(user), to_utf16(password)) if colon else None


def as_jwt(text: str | None) -> Jwt | None:
    """Return the token of an Authorization header, with or without `Bearer`, or null."""
    token = (text or "").strip()
    if token[:7].lower() == "bearer ":
        token = token[7:].strip()
    parts = token.split(".")
    if len(parts) != 3:
        return None
    try:
        header, claims = (
            json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))) for part in parts[:2]
        )
    except (binascii.Error, ValueError):
        return None
    return Jwt(header, claims) if isinstance(header, dict) and isinstance(claims, dict) else None


def _all_claims(jwt: Jwt) -> CsDict:
    made = CsDict(Type("Dictionary", (STRING, array(STRING))))
    for name in jwt.claims:
        made.set(name, Array(jwt.texts(name), STRING))
    return made


def _claim(claims: CsDict, name: str, default: str | None = None) -> str | None:
    pair = claims.items.get(name)
    return default if pair is None else ",".join(pair[1])


declare(
    "BasicAuthCredentials",
    "BasicAuthCredentials",
    {"string! UserId": "{0}.user", "string! Password": "{0}.password"},
    bases="object",
)
declare(
    "JwtClaims",
    "System.Collections.Generic.IReadOnlyDictionary",
    {
        "string GetValueOrDefault(string claimName)": _claim,
        "string GetValueOrDefault(string claimName, string defaultValue)": _claim,
    },
    bases="IReadOnlyDictionary<string, string[]>; object",
)
declare(
    "Jwt",
    "Jwt",
    {
        "string Algorithm": lambda jwt: jwt.header.get("alg"),
        "string Type": lambda jwt: jwt.header.get("typ"),
        "IEnumerable<string>! Audiences": lambda jwt: Array(jwt.texts("aud"), STRING),
        "JwtClaims! Claims": _all_claims,
        "DateTime? ExpirationTime": "{0}.time('exp')",
        "DateTime? NotBefore": "{0}.time('nbf')",
        "DateTime? IssuedAt": "{0}.time('iat')",
        "string Id": "{0}.text('jti')",
        "string Issuer": "{0}.text('iss')",
        "string Subject": "{0}.text('sub')",
    },
    bases="object",
)
declare(
    "CredentialExtensions",
    "CredentialExtensions",
    {
        "static BasicAuthCredentials AsBasic(this string input)": as_basic,
        "static bool TryParseBasic(this string input, out BasicAuthCredentials result)":
            lambda text: ((found := as_basic(text)) is not None, found),
        "static Jwt AsJwt(this string input)": as_jwt,
        "static bool TryParseJwt(this string input, out Jwt result)":
            lambda text: ((found := as_jwt(text)) is not None, found),
    },
    kind="static",
)  # fmt: skip
