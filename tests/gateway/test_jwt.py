"""Tokens of callers: which are good, and why another one is not."""

import base64
import hmac
import json

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from sinbin.gateway.configuration import DEFAULT_EPOCH_S, Api, Backend, GatewayConfiguration, PolicySource
from sinbin.gateway.failures import PolicyLoadError
from sinbin.gateway.gateway import Gateway
from sinbin.gateway.messages import Headers, HttpRequest
from sinbin.gateway.testing.driver import Driver

KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER = rsa.generate_private_key(public_exponent=65537, key_size=2048)
SECRET = "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3JldC0="
NOW = int(DEFAULT_EPOCH_S)
URL = "https://login.microsoftonline.com/contoso/v2.0/.well-known/openid-configuration"
JWK = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(KEY.public_key())) | {"kid": "1", "use": "sig"}
DOCUMENTS = (
    (URL, json.dumps({"issuer": "https://issuer.test", "jwks_uri": "https://keys.test"})),
    ("https://keys.test", json.dumps({"keys": [JWK, {"kty": "unknown"}]})),
)
CLAIMS = {
    "aud": "api",
    "iss": "https://issuer.test",
    "exp": NOW + 60,
    "roles": ["a", "b"],
    "scp": "read write",
    "azp": "app",
}

JWT = f"""<validate-jwt header-name="Authorization" clock-skew="5"><openid-config url="{URL}" />
<audiences><audience>api</audience></audiences><required-claims><claim name="roles" match="any"><value>a</value><value>c</value></claim>
<claim name="scp" separator=" "><value>read</value></claim></required-claims></validate-jwt>"""
ENTRA = """<validate-azure-ad-token tenant-id="contoso" failed-validation-httpcode="403" failed-validation-error-message="not you">
<client-application-ids><application-id>app</application-id></client-application-ids></validate-azure-ad-token>"""
SYMMETRIC = f"""<validate-jwt header-name="x-token" require-expiration-time="false"><issuer-signing-keys><key>{SECRET}</key></issuer-signing-keys></validate-jwt>"""


def driver(policy):
    source = PolicySource(
        name="api.xml",
        text=f'<policies><inbound>{policy}<set-backend-service backend-id="a" /></inbound></policies>',
    )
    api = Api(name="api", path="", policy=source)
    return Driver(
        Gateway(
            GatewayConfiguration(
                backends=(Backend(name="a", url="http://a.test"),), apis=(api,), openid_documents=DOCUMENTS
            )
        )
    )


def ask(policy, token, header="Authorization", now=0.0):
    run = driver(policy)
    run.now = now
    return run.run(HttpRequest("GET", "/x", Headers({header: token} if token else {})))


def signed(key=KEY, kid="1", algorithm="RS256", **claims):
    return jwt.encode({**CLAIMS, **claims}, key, algorithm=algorithm, headers={"kid": kid})


@pytest.mark.parametrize(
    ("policy", "token", "header"),
    [
        (JWT, f"Bearer {signed()}", "Authorization"),
        (ENTRA, f"Bearer {signed()}", "Authorization"),
        (SYMMETRIC, jwt.encode({}, b"secret-secret-secret-secret-secret-", algorithm="HS256"), "x-token"),
    ],
    ids=["jwt", "entra", "symmetric"],
)
def test_a_good_token_lets_its_caller_in(policy, token, header):
    assert ask(policy, token, header).response.status == 200


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ('((Jwt)context.Variables["token"]).Issuer', "https://issuer.test"),
        ('((Jwt)context.Variables["token"]).Claims.GetValueOrDefault("azp", "none")', "app"),
        ('((Jwt)context.Variables["token"]).Claims["roles"].Contains("b").ToString()', "True"),
        ('context.Variables.GetValueOrDefault<Jwt>("token")?.Claims.GetValueOrDefault("oid", "none")', "none"),
        ('string.Join("|", ((Jwt)context.Variables["token"]).Audiences)', "api"),
        ('(((Jwt)context.Variables["token"]).ExpirationTime - context.Timestamp).ToString()', "00:01:00"),
        (
            'context.Request.Headers.GetValueOrDefault("Authorization", "").AsJwt()?.Claims["scp"].First()',
            "read write",
        ),
    ],
)
@pytest.mark.parametrize("element", [JWT, ENTRA], ids=["jwt", "entra"])
def test_expressions_read_the_token_that_was_validated(element, expression, value):
    kept = element.replace(" ", ' output-token-variable-name="token" ', 1)
    ran = ask(f'{kept}<set-variable name="seen" value="@({expression})" />', f"Bearer {signed()}")
    assert ran.answer.variables["seen"] == value


def test_a_refused_token_is_in_no_variable():
    kept = JWT.replace(" ", ' output-token-variable-name="token" ', 1)
    assert ask(kept, f"Bearer {signed(OTHER)}").answer.variables == {}


@pytest.mark.parametrize(
    ("token", "reason"),
    [
        (None, "TokenNotPresent"),
        ("nonsense", "JwtInvalid"),
        (signed(OTHER), "TokenSignatureInvalid"),
        (signed(kid="2"), "TokenSignatureKeyNotFound"),
        (signed(aud="else"), "TokenAudienceNotAllowed"),
        (signed(iss="https://evil.test"), "TokenIssuerNotAllowed"),
        (signed(exp=NOW - 6), "TokenExpired"),
        (signed(nbf=NOW + 6), "JwtInvalid"),
        (jwt.encode({**CLAIMS, "exp": None}, KEY, algorithm="RS256", headers={"kid": "1"}), "JwtInvalid"),
        (signed(roles=["c2"]), "TokenClaimValueNotAllowed"),
        (signed(scp="write"), "TokenClaimValueNotAllowed"),
        (jwt.encode({k: v for k, v in CLAIMS.items() if k != "scp"}, KEY, algorithm="RS256", headers={"kid": "1"}), "TokenClaimNotFound"),
        (jwt.encode(CLAIMS, None, algorithm="none"), "TokenSignatureInvalid"),
    ],
)  # fmt: skip
def test_a_bad_token_is_refused_with_the_documented_reason(token, reason):
    ran = ask(JWT, token and f"Bearer {token}")
    assert (ran.response.status, ran.answer.last_error.reason, ran.backends) == (401, reason, [])


def test_the_public_key_is_not_taken_for_the_secret_of_a_symmetric_algorithm():
    public = KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    parts = [
        base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=")
        for part in ({"alg": "HS256", "kid": "1"}, CLAIMS)
    ]
    signature = base64.urlsafe_b64encode(hmac.digest(public, b".".join(parts), "sha256")).rstrip(b"=")
    forged = b".".join([*parts, signature]).decode()
    assert ask(JWT, f"Bearer {forged}").answer.last_error.reason == "TokenSignatureInvalid"


def test_the_time_is_the_gateways_own():
    assert ask(JWT, f"Bearer {signed()}", now=65.0).response.status == 200
    assert ask(JWT, f"Bearer {signed()}", now=66.0).answer.last_error.reason == "TokenExpired"


def test_an_entra_token_of_another_application_is_answered_as_the_policy_says():
    ran = ask(ENTRA, f"Bearer {signed(azp='other')}")
    assert (ran.response.status, ran.response.json()) == (403, {"statusCode": 403, "message": "not you"})


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ('<validate-jwt header-name="a" token-value="b"><openid-config url="u" /></validate-jwt>', "takes exactly one of header-name, query-parameter-name and token-value"),
        ('<validate-jwt header-name="a" />', "needs an <openid-config> or <issuer-signing-keys>"),
        ('<validate-jwt header-name="a"><issuer-signing-keys><key>!</key></issuer-signing-keys></validate-jwt>', "holds no key: a base64 secret, n and e, or certificate-id is expected"),
        ('<validate-azure-ad-token tenant-id="t" />', "needs <client-application-ids> or <audiences>"),
        ('<validate-azure-ad-token tenant-id="t" authentication-endpoint="e"><audiences><audience>a</audience></audiences></validate-azure-ad-token>', "is not modelled"),
    ],
)  # fmt: skip
def test_what_cannot_be_checked_is_refused_on_load(policy, message):
    with pytest.raises(PolicyLoadError) as refused:
        driver(policy)
    assert [problem.message for problem in refused.value.problems if message in problem.message]
    assert len(refused.value.problems) == 1
