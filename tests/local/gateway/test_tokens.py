"""Callers' tokens on this machine: who gives them, and that policies judge them as they judge Entra's."""

import time
from dataclasses import replace
from pathlib import Path

import jwt
import pytest

from sinbin.local.gateway.issuer import LocalIssuer, Trust, trusts
from sinbin.local.gateway.tokens import NO_TOKENS, answer_token
from sinbin.settings.load import load_settings
from sinbin.topology import EntraIdentity

TENANT = "contoso.onmicrosoft.com"
ENTRA = f"https://login.microsoftonline.com/{TENANT}/v2.0"
LOCAL = load_settings(Path(__file__).parents[3] / "stacks" / "Pulumi.local.yaml").to_topology()
TOPOLOGY = replace(LOCAL, entra=EntraIdentity(tenant=TENANT, audiences=("api://gateway", "api://other")))
TRUST = Trust(url=f"{ENTRA}/.well-known/openid-configuration", issuer=ENTRA)
JWT = """<policies><inbound><validate-jwt header-name="x-token" output-token-variable-name="t">
<openid-config url="https://id.test/{{realm}}/.well-known/openid-configuration" />
<required-claims><claim name="roles" match="any"><value>reader</value><value>writer</value></claim>
<claim name="scp" separator=" "><value>read</value><value>write</value></claim></required-claims></validate-jwt>
<return-response><set-body>@(((Jwt)context.Variables["t"]).Claims.GetValueOrDefault("scp", ""))</set-body></return-response>
</inbound></policies>"""


@pytest.fixture
def azure(start):
    azure = start(speed=60)
    azure.deploy(TOPOLOGY)
    return azure


def statuses(azure, *tokens):
    with azure.client(headers={"api-key": azure.key("web-chat")}) as client:
        return [
            client.get("/openai/v1/models", headers={"Authorization": f"Bearer {token}"}).status_code
            for token in tokens
        ]


def token(sinbin, *words):
    code, out, err = sinbin("token", *words)
    assert (code, err) == (0, "")
    return out.strip()


def test_the_gateway_takes_the_tokens_that_it_gives_in_entras_place(azure, sinbin):
    good = token(sinbin, "web-chat")
    claims = jwt.decode(good, options={"verify_signature": False})
    lifetime = claims.pop("exp") - claims["iat"]
    assert claims.pop("iat") == claims.pop("nbf")
    assert (claims, lifetime) == (
        {"iss": ENTRA, "aud": "api://gateway", "sub": "web-chat", "azp": "web-chat", "appid": "web-chat"},
        3600,
    )
    other = token(sinbin, "web-chat", "--audience", "api://other", "--claim", 'roles=["a"]')
    assert jwt.decode(other, options={"verify_signature": False})["roles"] == ["a"]
    head, body, signature = good.split(".")
    forged = f"{head}.{body}.{'A' * len(signature)}"
    wrong = token(sinbin, "web-chat", "--claim", "aud=api://elsewhere")
    assert statuses(azure, good, other, forged, wrong, "none") == [200, 200, 401, 401, 401]


def test_a_token_ends_on_the_gateways_clock(azure, sinbin):
    short = token(sinbin, "web-chat", "--lifetime", "30")
    assert statuses(azure, short) == [200]
    time.sleep(1)  # a minute at 60 times the speed
    assert statuses(azure, short) == [401]


def test_any_issuer_that_a_policy_trusts_is_stood_in_for(azure, sinbin):
    azure.put("/namedValues/realm", {"displayName": "realm", "value": "main"})
    azure.make_api("t", JWT)
    azure.settle()
    made = token(sinbin, "me", "--issuer", "https://id.test/main")
    with azure.client() as client:
        reply = client.get("/t/x", headers={"x-token": made})
    assert (reply.status_code, reply.text) == (200, "read write")


def test_policies_that_share_an_openid_address_each_accept_their_own_issuer(azure, sinbin):
    address = "https://id.test/main/.well-known/openid-configuration"
    policy = (
        '<policies><inbound><validate-jwt header-name="x-token"><openid-config url="{}" />{}</validate-jwt>'
        "<return-response /></inbound></policies>"
    )
    for api, issuers in {
        "any": "",
        "one": "<issuers><issuer>https://one.test</issuer></issuers>",
        "two": "<issuers><issuer>https://two.test</issuer></issuers>",
    }.items():
        azure.make_api(api, policy.format(address, issuers))
    azure.settle()
    issuers = ("https://id.test/main", "https://one.test", "https://two.test")
    tokens = [token(sinbin, "me", "--issuer", issuer) for issuer in issuers]
    with azure.client() as client:
        found = {
            api: [client.get(f"/{api}/x", headers={"x-token": one}).status_code for one in tokens]
            for api in ("any", "one", "two")
        }
    assert found == {"any": [200, 401, 401], "one": [401, 200, 401], "two": [401, 401, 200]}


@pytest.mark.parametrize("lifetime", ["abc", "nan", "inf", "1e999"])
def test_a_lifetime_that_is_no_number_of_seconds_is_refused(lifetime):
    assert answer_token(f"consumer=me&lifetime={lifetime}", {"apim": (TRUST,)}, LocalIssuer(), 0) == (
        400,
        {"error": {"message": f"lifetime={lifetime}: is no number of seconds; write for example lifetime=60"}},
    )


def test_what_cannot_be_given_is_said(azure, sinbin):
    assert sinbin("token", "me", "--claim", "=x") == (2, "", "error: --claim =x: is not NAME=VALUE\n")
    listed = f"{ENTRA} for api://gateway; {ENTRA} for api://other"
    assert sinbin("token", "me", "--audience", "x") == (
        2,
        "",
        f"error: no deployed policy accepts such a token; accepted are: {listed}\n",
    )
    assert sinbin("token", "me", "--service", "x") == (
        2,
        "",
        'error: there is no service "x" here; there are: apim\n',
    )
    azure.put("/namedValues/realm", {"displayName": "realm", "value": "main"})
    azure.make_api("t", JWT)
    azure.settle()
    assert sinbin("token", "me")[2] == (
        f"error: several issuers are trusted; choose with --issuer: https://id.test/main for any; {listed}\n"
    )


def test_a_gateway_that_asks_for_no_token_says_so(start, sinbin_for):
    azure = start()
    azure.deploy(LOCAL)
    code, _, said = sinbin_for(azure)("token", "me")
    assert (code, said) == (2, f"error: {NO_TOKENS}\n")


def test_what_a_policy_asks_of_a_token_is_read_from_its_text():
    entra = '<validate-azure-ad-token tenant-id="{{t}}"><client-application-ids><application-id>a</application-id><application-id>b</application-id></client-application-ids></validate-azure-ad-token>'
    computed = '<validate-azure-ad-token tenant-id="@(context.Variables["t"])"><audiences><audience>x</audience></audiences></validate-azure-ad-token>'
    found = trusts([f"<fragment>{entra}{computed}</fragment>", JWT, entra], {"t": "T", "realm": "r"})
    assert found == (
        Trust(
            url="https://login.microsoftonline.com/T/v2.0/.well-known/openid-configuration",
            issuer="https://login.microsoftonline.com/T/v2.0",
            applications=("a", "b"),
        ),
        Trust(
            url="https://id.test/r/.well-known/openid-configuration",
            issuer="https://id.test/r",
            claims=(("roles", "reader"), ("scp", "read write")),
        ),
    )
