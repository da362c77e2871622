"""System.Security.Cryptography.X509Certificates: what a policy reads of a certificate.

Source: https://learn.microsoft.com/dotnet/api/system.security.cryptography.x509certificates, read 2026-11-30
"""

from typing import Any

from sinbin.csharp.certificates import Certificate, DistinguishedName
from sinbin.csharp.exceptions import argument_null, raised
from sinbin.csharp.library.comparing import declare_enum
from sinbin.csharp.registry import declare, with_runtime
from sinbin.csharp.values import Array

_SPACE = "System.Security.Cryptography.X509Certificates"
NameType = declare_enum(
    "X509NameType",
    f"{_SPACE}.X509NameType",
    {"SimpleName": 0, "EmailName": 1, "UpnName": 2, "DnsName": 3, "DnsFromAlternativeName": 4, "UrlName": 5},
)
ContentType = declare_enum(
    "X509ContentType",
    f"{_SPACE}.X509ContentType",
    {"Unknown": 0, "Cert": 1, "SerializedCert": 2, "Pfx": 3, "SerializedStore": 4, "Pkcs7": 5, "Authenticode": 6},
)


def _new(data: list[int] | None) -> Certificate:
    if not data:
        raise argument_null("rawData") if data is None else _unreadable()
    try:
        return Certificate(bytes(data))
    except ValueError:
        raise _unreadable() from None


def _unreadable() -> Exception:
    return raised("CryptographicException", "Cannot find the requested object.")


@with_runtime
def _verify(rt: Any, certificate: Certificate) -> bool:
    return certificate.is_current(rt.now)


def _name_info(certificate: Certificate, kind: int, of_issuer: bool) -> str:
    if kind != 0:
        raise raised("NotSupportedException", "only X509NameType.SimpleName is read")
    return certificate.simple_name(of_issuer=of_issuer)


def _export(certificate: Certificate, kind: int) -> Array:
    if kind != 1:
        raise raised("CryptographicException", "only X509ContentType.Cert is written: there is no private key")
    return certificate.raw


declare("X500DistinguishedName", f"{_SPACE}.X500DistinguishedName", {"string! Name": "{0}.text"}, bases="object")
declare(
    "X509Certificate",
    f"{_SPACE}.X509Certificate",
    {
        "string! Subject": "{0}.subject",
        "string! Issuer": "{0}.issuer",
        "string! GetCertHashString()": "{0}.thumbprint",
        "string! GetSerialNumberString()": "{0}.serial_number",
        "byte[]! GetRawCertData()": "{0}.raw",
        "byte[]! Export(X509ContentType contentType)": _export,
        "void Dispose()": "None",
    },
    bases="IDisposable; object",
)
declare(
    "X509Certificate2",
    f"{_SPACE}.X509Certificate2",
    {
        "new(byte[] rawData)": _new,
        "string! Thumbprint": "{0}.thumbprint",
        "X500DistinguishedName! SubjectName": lambda one: DistinguishedName(one.subject),
        "X500DistinguishedName! IssuerName": lambda one: DistinguishedName(one.issuer),
        "string! SerialNumber": "{0}.serial_number",
        "string! FriendlyName": "''",
        "DateTime NotBefore": "{0}.not_before",
        "DateTime NotAfter": "{0}.not_after",
        "int Version": "{0}.version",
        "bool HasPrivateKey": "False",
        "byte[]! RawData": "{0}.raw",
        "string! GetNameInfo(X509NameType nameType, bool forIssuer)": _name_info,
        "bool Verify()": _verify,
    },
    bases="X509Certificate",
)
declare(
    "CertificateExtensions",
    "CertificateExtensions",
    {"static bool VerifyNoRevocation(this X509Certificate2 certificate)": _verify},
    kind="static",
)
