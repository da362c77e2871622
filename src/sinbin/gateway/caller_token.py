"""What validate-jwt and validate-azure-ad-token have in common: where the token is, what a refusal says."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from sinbin.csharp.library.tokens import as_jwt
from sinbin.gateway.blocks import Step
from sinbin.gateway.context import Context
from sinbin.gateway.failures import PolicyFailure
from sinbin.gateway.jwt_validation import RequiredClaim, SigningKey, keys_of_jwks
from sinbin.gateway.reading import Node
from sinbin.gateway.shape import Attribute, Shape, Text

TEXTS = Shape(text=Text(), repeated=True, required=True)
CLAIMS = Shape(
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
SOURCES = {
    "header-name": Attribute("text"),
    "query-parameter-name": Attribute("text"),
    "token-value": Attribute("text"),
    "failed-validation-httpcode": Attribute("integer", default=401, low=100, high=599),
    "failed-validation-error-message": Attribute("text"),
    "output-token-variable-name": Attribute("text", expression=False),
}
ASSUMED = ("Messages of a refused token, save that of a missing one, are assumed; the reasons are documented.",)


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


def claims_of(node: Node, context: Context) -> tuple[RequiredClaim, ...]:
    """Return the claims that `required-claims` asks for."""
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


def texts_of(node: Node, parent: str, child: str, context: Context) -> tuple[str, ...]:
    """Return the texts of the `child` elements inside `parent`."""
    holder = node.one(parent)
    return tuple(one.text.read(context) for one in holder.all(child)) if holder else ()


def checked(node: Node, check: Callable[[Context, str], Any]) -> Step:
    """Return the step that runs `check` on the token and answers what the element says when it fails.

    A token that passes goes into the variable that the element names, as a Jwt.
    """
    variable = node.constant("output-token-variable-name")
    status, message = node.value("failed-validation-httpcode"), node.value("failed-validation-error-message")

    def run(context: Context) -> None:
        try:
            token = _token(context, node)
            check(context, token)
        except PolicyFailure as failure:
            shown = message.read(context) or failure.message
            raise PolicyFailure(
                failure.reason, failure.message, status=status.read(context), shown=shown
            ) from failure
        if variable is not None:
            context.variables[variable] = as_jwt(token)

    return Step(plain=run)


def document_keys(documents: Mapping[str, str], url: str) -> tuple[list[SigningKey], str | None]:
    """Return the keys and the issuer of the OpenID configuration at `url`, as far as they were given."""
    try:
        configuration = json.loads(documents[url])
        return keys_of_jwks(documents[configuration["jwks_uri"]]), configuration.get("issuer")
    except (KeyError, ValueError, TypeError):
        return [], None
