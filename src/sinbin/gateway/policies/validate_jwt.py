"""validate-jwt: who may call, by token."""

import base64
import binascii
from collections.abc import Sequence
from typing import ClassVar

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicNumbers

from sinbin.gateway.blocks import Step
from sinbin.gateway.caller_token import (
    ASSUMED,
    CLAIMS,
    SOURCES,
    TEXTS,
    checked,
    claims_of,
    document_keys,
    texts_of,
)
from sinbin.gateway.compiler import SectionCompiler
from sinbin.gateway.context import Context
from sinbin.gateway.jwt_validation import Expectation, SigningKey, validate
from sinbin.gateway.reading import Node
from sinbin.gateway.registry import REFERENCE, Policy
from sinbin.gateway.shape import Attribute, Shape, Text


class ValidateJwt(Policy):
    """Refuses requests without a token that is signed with a known key and says what is required."""

    names: ClassVar = ("validate-jwt",)
    sections = frozenset({"inbound"})
    shape = Shape(
        attributes={
            **SOURCES,
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
            "audiences": Shape(children={"audience": TEXTS}),
            "issuers": Shape(children={"issuer": TEXTS}),
            "required-claims": CLAIMS,
        },
    )
    source = REFERENCE.format("validate-jwt")
    assumed = ASSUMED
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
            found, issuers = list(own), list(texts_of(node, "issuers", "issuer", context))
            for url in urls:
                more, issuer = document_keys(documents, url(context))
                found += more
                if issuer is not None and not node.one("issuers"):
                    issuers.append(issuer)
            validate(token, found, _expectation(node, context, issuers), context.unix_now)

        return checked(node, check)


def _expectation(node: Node, context: Context, issuers: Sequence[str]) -> Expectation:
    return Expectation(
        texts_of(node, "audiences", "audience", context),
        tuple(issuers),
        claims_of(node, context),
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
