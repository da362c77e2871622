"""Credentials in headers are read as API Management's helpers read them."""

import base64
import json

import pytest

from sinbin.csharp.certificates import Certificate
from sinbin.csharp.compiler import compile_source
from sinbin.csharp.context import Context
from sinbin.csharp.messages import Request, Texts
from sinbin.csharp.results import to_json


def part(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


CLAIMS = {
    "iss": "https://sts.test/",
    "aud": ["a", "b"],
    "sub": "me",
    "exp": 1_700_000_000,
    "roles": ["r1", "r2"],
    "oid": "o",
}
TOKEN = f"{part({'alg': 'RS256', 'typ': 'JWT'})}.{part(CLAIMS)}.c2ln"
HEADER = 'context.Request.Headers.GetValueOrDefault("Authorization", "")'


CERTIFICATE = (
    "MIIBfDCCASOgAwIBAgIGChssPU5fMAoGCCqGSM49BAMCMCkxEDAOBgNVBAoMB0NvbnRvc28xFTATBgNVBAMMDENvbnRvc28gUm9v"
    "dDAgFw0yMDAxMDIwMzA0MDVaGA8yMDUwMDEwMjAzMDQwNVowYDELMAkGA1UEBhMCR0IxDTALBgNVBAgMBEtlbnQxFTATBgNVBAoM"
    "DENvbnRvc28sIEx0ZDENMAsGA1UECwwEQ2hhdDEcMBoGA1UEAwwTY2xpZW50LmNvbnRvc28udGVzdDBZMBMGByqGSM49AgEGCCqG"
    "SM49AwEHA0IABNUtsQmiK6RKaJtqM4zzPfdoufsBGUXkeeZ5db7y/jvCy+7Pa7cjVb6KjjBcGupTXyCeAwYbc/3eMBJ1RCweo40w"
    "CgYIKoZIzj0EAwIDRwAwRAIgbq37CvvCdKdCWP/e8i6Do4Dvyg+8DmuZmOQ2Dbu3oDkCIHH0YkU3w25JEUSm7qA/vJ05MA5n5VZ0"
    "M5Ue5b2Oy6jd"
)
"""Of CN=client.contoso.test, good from 2020-01-02 to 2050-01-02."""


def evaluate(expression, authorization):
    request = Request(headers=Texts([("Authorization", authorization)]))
    return to_json(compile_source(expression, "expression").evaluate(Context(request=request)))


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        (f"{HEADER}.AsJwt().Issuer", "https://sts.test/"),
        (f"{HEADER}.AsJwt()?.Subject", "me"),
        (f'{HEADER}.AsJwt()?.Claims.GetValueOrDefault("roles", "none")', "r1,r2"),
        (f'{HEADER}.AsJwt()?.Claims.GetValueOrDefault("nope", "none")', "none"),
        (f'{HEADER}.AsJwt().Claims["roles"][1]', "r2"),
        (f'{HEADER}.AsJwt().Audiences.Contains("b")', True),
        (f"{HEADER}.AsJwt().ExpirationTime", "2023-11-14T22:13:20.0000000Z"),
        (f"{HEADER}.AsJwt().Algorithm", "RS256"),
        (f'{HEADER}.TryParseJwt(out Jwt jwt) ? jwt.Claims.GetValueOrDefault("oid", "") : "no"', "o"),
        (f"{HEADER}.AsBasic() == null", True),
    ],
)
def test_a_bearer_token_is_taken_apart(expression, value):
    assert evaluate(expression, f"Bearer {TOKEN}") == value


@pytest.mark.parametrize(
    "authorization", ["", "Bearer", "Bearer x.y.z", "Bearer a.b", "Basic !!", "Basic bm9jb2xvbg=="]
)
def test_what_is_no_credential_gives_null(authorization):
    assert evaluate(f"{HEADER}.AsJwt() == null && {HEADER}.AsBasic() == null", authorization) is True


def test_basic_credentials_are_taken_apart():
    header = "Basic " + base64.b64encode(b"user:pass:word").decode()
    assert evaluate(f'{HEADER}.AsBasic().UserId + "|" + {HEADER}.AsBasic().Password', header) == "user|pass:word"


@pytest.mark.parametrize(("now", "good"), [(1_577_000_000, False), (1_700_000_000, True), (2_600_000_000, False)])
def test_a_certificate_verifies_between_its_dates(now, good):
    context = Context(now=now, request=Request(certificate=Certificate.from_text(CERTIFICATE)))
    source = "context.Request.Certificate.Verify() && context.Request.Certificate.VerifyNoRevocation()"
    assert compile_source(source, "expression").evaluate(context) is good


def test_a_caller_without_a_certificate_has_none():
    assert (
        compile_source('context.Request.Certificate?.Subject ?? "none"', "expression").evaluate(Context())
        == "none"
    )


@pytest.mark.parametrize(
    "text", ["", "AAAA", "no base64", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"]
)
def test_what_is_no_certificate_is_refused(text):
    with pytest.raises(ValueError):
        Certificate.from_text(text)
