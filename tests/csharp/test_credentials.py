"""Credentials in headers are read as API Management's helpers read them."""

import base64
import json

import pytest

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
