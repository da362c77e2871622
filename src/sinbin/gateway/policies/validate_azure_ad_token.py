"""validate-azure-ad-token: who may call, by a token of an Entra tenant."""

from typing import ClassVar

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
from sinbin.gateway.failures import PolicyFailure
from sinbin.gateway.jwt_validation import Expectation, validate
from sinbin.gateway.reading import Node
from sinbin.gateway.registry import REFERENCE, Policy
from sinbin.gateway.shape import Attribute, Shape

ENTRA = "https://login.microsoftonline.com"


def openid_url(tenant: str) -> str:
    """Return where a tenant says which keys it signs with."""
    return f"{ENTRA}/{tenant}/v2.0/.well-known/openid-configuration"


class ValidateEntraToken(Policy):
    """Refuses requests without a token of the Entra tenant for one of the given applications or audiences."""

    names: ClassVar = ("validate-azure-ad-token",)
    sections = frozenset({"inbound"})
    shape = Shape(
        attributes={**SOURCES, "tenant-id": Attribute("text", required=True)},
        children={
            "client-application-ids": Shape(children={"application-id": TEXTS}),
            "audiences": Shape(children={"audience": TEXTS}),
            "required-claims": CLAIMS,
        },
        refused={"authentication-endpoint": "only the global endpoint of Entra is known"},
    )
    source = REFERENCE.format("validate-azure-ad-token")
    assumed = (
        *ASSUMED,
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
            keys, issuer = document_keys(documents, openid_url(tenant(context)))
            expected = Expectation(
                texts_of(node, "audiences", "audience", context),
                (issuer, f"https://sts.windows.net/{tenant(context)}/") if issuer else (),
                claims_of(node, context),
            )
            claims = validate(token, keys, expected, context.unix_now)
            applications = texts_of(node, "client-application-ids", "application-id", context)
            if applications and not set(applications) & {claims.get("appid"), claims.get("azp")}:
                raise PolicyFailure("TokenClaimValueNotAllowed", "JWT claim azp has no allowed value.")

        return checked(node, check)
