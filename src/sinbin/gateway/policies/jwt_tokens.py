"""validate-jwt and validate-azure-ad-token: who may call, by token."""

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicNumbers

from sinbin.gateway.blocks import Step
from sinbin.gateway.compiler import SectionCompiler
from sinbin.gateway.context import Context
from sinbin.gateway.failures import PolicyFailure
from sinbin.gateway.jwt_validation import Expectation, RequiredClaim, SigningKey, keys_of_jwks, validate
from sinbin.gateway.reading import Node
from sinbin.gateway.registry import REFERENCE, Policy
from sinbin.gateway.shape import Attribute, Shape, Text

_TEXT = Shape(text=Text(), repeated=True, required=True)
_CLAIMS = Shape(
    children={
        "claim": Shape(
            attributes={
                "name": Attribute("text", required=True),
                "match": Attribute("text", default="all", choices=("all", "any")),
                "separator": Attribute("text"),
            },
            children={"value": Shape(text=Text(), repeated=True)},
            required=True,
            repeated=True,
        )
    }
)
_KEY_REFUSED = {"output-token-variable-name": "expressions do not know the type Jwt of a validated token"}
_SOURCES = {
    "header-name": Attribute("text"),
    "query-parameter-name": Attribute("text"),
    "token-value": Attribute("text"),
    "failed-validation-httpcode": Attribute("integer", default=401, low=100, high=599),
    "failed-validation-error-message": Attribute("text"),
}
_ASSUMED = ("Messages of a refused token, save that of a missing one, are assumed; the reasons are documented.",)
ENTRA = "https://login.microsoftonline.com"


def _token(context: Context, node: Node) -> str:
    """Return the token of the request, the scheme before it taken off."""
    token = _find_token(context, node)
    if token is None:
        raise PolicyFailure("TokenNotPresent", "JWT not present.")
    return token


def _find_token(context: Context, node: Node) -> str | None:
    if node.has("token-value"):
        text: str | None = node.value("token-value").read(context)
    elif node.has("query-parameter-name"):
        values = context.request.url.query_values(node.value("query-parameter-name").read(context))
        text = values[0] if values else None
    else:
        header = node.value("header-name").read(context) or "Authorization"
        text = context.request.headers.get(header)
    if not text:
        return None
    scheme, _, rest = text.strip().partition(" ")
    if (
        rest
        and node.has("require-scheme")
        and scheme.lower() != node.value("require-scheme").read(context).lower()
    ):
        return None
    return rest.strip() or scheme


def _claims(node: Node, context: Context) -> tuple[RequiredClaim, ...]:
    holder = node.one("required-claims")
    return tuple(
        RequiredClaim(
            claim.value("name").read(context),
            tuple(value.text.read(context) for value in claim.all("value")),
            claim.value("match").read(context) == "any",
            claim.value("separator").read(context),
        )
        for claim in (holder.all("claim") if holder else ())
    )


def _texts(node: Node, parent: str, child: str, context: Context) -> tuple[str, ...]:
    holder = node.one(parent)
    return tuple(one.text.read(context) for one in holder.all(child)) if holder else ()


def _checked(node: Node, check: Callable[[Context, str], Any]) -> Step:
    """Return the step that runs `check` on the token and answers what the element says when it fails."""
    status, message = node.value("failed-validation-httpcode"), node.value("failed-validation-error-message")

    def run(context: Context) -> None:
        try:
            check(context, _token(context, node))
        except PolicyFailure as failure:
            shown = message.read(context) or failure.message
            raise PolicyFailure(
                failure.reason, failure.message, status=status.read(context), shown=shown
            ) from failure

    return Step(plain=run)


def _document_keys(documents: dict[str, str], url: str) -> tuple[list[SigningKey], str | None]:
    """Return the keys and the issuer of the OpenID configuration at `url`, as far as they were given."""
    try:
        configuration = json.loads(documents[url])
        return keys_of_jwks(documents[configuration["jwks_uri"]]), configuration.get("issuer")
    except (KeyError, ValueError, TypeError):
        return [], None


class ValidateJwt(Policy):
    """Refuses requests without a token that is signed with a known key and says what is required."""

    names: ClassVar = ("validate-jwt",)
    sections = frozenset({"inbound"})
    shape = Shape(
        attributes={
            **_SOURCES,
            "require-expiration-time": Attribute("boolean", default=True),
            "require-signed-tokens": Attribute("boolean", default=True),
            "require-scheme": Attribute("text"),
            "clock-skew": Attribute("number", default=0, low=0),
        },
        children={
            "openid-config": Shape(
                attributes={
                    "url": Attribute("text", required=True),
                    "validate-connectivity": Attribute("boolean", note="Documents are given, nothing is fetched."),
                },
                repeated=True,
            ),
            "issuer-signing-keys": Shape(
                children={
                    "key": Shape(
                        attributes={name: Attribute("text") for name in ("id", "certificate-id", "n", "e")},
                        text=Text(required=False),
                        required=True,
                        repeated=True,
                    )
                }
            ),
            "audiences": Shape(children={"audience": _TEXT}),
            "issuers": Shape(children={"issuer": _TEXT}),
            "required-claims": _CLAIMS,
        },
        refused=_KEY_REFUSED,
    )
    source = REFERENCE.format("validate-jwt")
    assumed = _ASSUMED
    differs = (
        "Encrypted tokens (decryption-keys) are refused.",
        "Nothing is fetched: OpenID documents are given.",
    )

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:
        """Return the step that validates."""
        if sum(node.has(name) for name in ("header-name", "query-parameter-name", "token-value")) != 1:
            node.refuse("takes exactly one of header-name, query-parameter-name and token-value")
        holder = node.one("issuer-signing-keys")
        keys = [_written_key(key, compiler) for key in (holder.all("key") if holder else ())]
        own = [key for key in keys if key is not None]
        urls = [config.value("url").read for config in node.all("openid-config")]
        if not holder and not urls and node.value("require-signed-tokens").constant is not False:
            node.refuse("needs an <openid-config> or <issuer-signing-keys>")
        documents = dict(compiler.loader.openid_documents)

        def check(context: Context, token: str) -> None:
            found, issuers = list(own), list(_texts(node, "issuers", "issuer", context))
            for url in urls:
                more, issuer = _document_keys(documents, url(context))
                found += more
                if issuer is not None and not node.one("issuers"):
                    issuers.append(issuer)
            validate(token, found, _expectation(node, context, issuers), context.unix_now)

        return _checked(node, check)


def _expectation(node: Node, context: Context, issuers: Sequence[str]) -> Expectation:
    return Expectation(
        _texts(node, "audiences", "audience", context),
        tuple(issuers),
        _claims(node, context),
        node.value("require-expiration-time").read(context),
        node.value("require-signed-tokens").read(context),
        node.value("clock-skew").read(context),
    )


def _written_key(node: Node, compiler: SectionCompiler) -> SigningKey | None:
    """Return a key of the policy itself: a base64 secret, modulus and exponent, or a certificate."""
    identity, certificate = node.constant("id"), node.constant("certificate-id")
    modulus, exponent = node.constant("n"), node.constant("e")
    try:
        if certificate is not None:
            pem = compiler.loader.certificates[certificate]
            return SigningKey(identity, x509.load_pem_x509_certificate(pem.encode()).public_key(), symmetric=False)
        if modulus is not None and exponent is not None:
            numbers = RSAPublicNumbers(_number(exponent), _number(modulus))
            return SigningKey(identity, numbers.public_key(), symmetric=False)
        if node.text.known and node.text.constant:
            return SigningKey(identity, base64.b64decode(node.text.constant, validate=True), symmetric=True)
    except KeyError:
        node.refuse(f'names the certificate "{certificate}", which is not there')
    except (ValueError, binascii.Error):
        node.refuse("holds no key: a base64 secret, n and e, or certificate-id is expected")
    else:
        node.refuse("needs a base64 secret, n and e, or certificate-id, without an expression")
    return None


def _number(text: str) -> int:
    return int.from_bytes(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


class ValidateEntraToken(Policy):
    """Refuses requests without a token of the Entra tenant for one of the given applications or audiences."""

    names: ClassVar = ("validate-azure-ad-token",)
    sections = frozenset({"inbound"})
    shape = Shape(
        attributes={**_SOURCES, "tenant-id": Attribute("text", required=True)},
        children={
            "client-application-ids": Shape(children={"application-id": _TEXT}),
            "audiences": Shape(children={"audience": _TEXT}),
            "required-claims": _CLAIMS,
        },
        refused={**_KEY_REFUSED, "authentication-endpoint": "only the global endpoint of Entra is known"},
    )
    source = REFERENCE.format("validate-azure-ad-token")
    assumed = (
        *_ASSUMED,
        (
            f"The keys are those of the document given for {ENTRA}/<tenant>/v2.0/.well-known/"
            "openid-configuration; without it no token is good."
        ),
    )
    differs = ("backend-application-ids and decryption-keys are refused.",)

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:
        """Return the step that validates."""
        if node.one("client-application-ids") is None and node.one("audiences") is None:
            node.refuse("needs <client-application-ids> or <audiences>")
        tenant, documents = node.value("tenant-id").read, dict(compiler.loader.openid_documents)

        def check(context: Context, token: str) -> None:
            url = f"{ENTRA}/{tenant(context)}/v2.0/.well-known/openid-configuration"
            keys, issuer = _document_keys(documents, url)
            expected = Expectation(
                _texts(node, "audiences", "audience", context),
                (issuer, f"https://sts.windows.net/{tenant(context)}/") if issuer else (),
                _claims(node, context),
            )
            claims = validate(token, keys, expected, context.unix_now)
            applications = _texts(node, "client-application-ids", "application-id", context)
            if applications and not set(applications) & {claims.get("appid"), claims.get("azp")}:
                raise PolicyFailure("TokenClaimValueNotAllowed", "JWT claim azp has no allowed value.")

        return _checked(node, check)
