"""Who may call a region: keys compared in constant time, tokens judged by form and audience.

Not modelled: signature and expiry of a token, and role assignments; a local region has no directory to ask.
"""

import base64
import binascii
import hmac
import json
from collections.abc import Mapping

from sinbin.foundry.account import AccountConfig
from sinbin.foundry.replies.errors import key_disabled, wrong_key, wrong_token

AUDIENCES = ("https://cognitiveservices.azure.com", "https://ai.azure.com")
"""Source: https://learn.microsoft.com/azure/ai-foundry/openai/how-to/managed-identity, read 2026-11-29."""


def authenticate(account: AccountConfig, headers: Mapping[str, str]) -> None:
    """Let a request in by its headers: a key, or a token as bearer; `/openai/v1` clients send the key as bearer.

    Raises:
        WireError: it shows neither, or one that is not accepted.
    """
    key = headers.get("api-key") or headers.get("ocp-apim-subscription-key")
    scheme, _, bearer = headers.get("authorization", "").partition(" ")
    bearer = bearer.strip() if scheme.lower() == "bearer" else ""
    if not key and bearer.count(".") == 2:
        if audience_of(bearer) not in AUDIENCES:
            raise wrong_token()
        return
    shown = key or bearer
    if not shown:
        raise wrong_key()
    if not account.local_auth:
        raise key_disabled()
    # Every key is compared, so that the time taken does not tell which one was near.
    matches = [hmac.compare_digest(shown.encode(), known.encode()) for known in account.keys]
    if not any(matches):
        raise wrong_key()


def audience_of(token: str) -> str | None:
    """Return the audience in a token without a slash at its end; None = `token` is no JSON web token."""
    payload = token.split(".")[1]
    try:
        claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    except (ValueError, binascii.Error):
        return None
    audience = claims.get("aud") if isinstance(claims, dict) else None
    return audience.rstrip("/") if isinstance(audience, str) else None


def make_token(audience: str) -> str:
    """Return an unsigned token for `audience`: what a local managed identity shows to a local region."""
    parts = ({"alg": "none", "typ": "JWT"}, {"aud": audience})
    return (
        ".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts) + "."
    )
