"""`token?consumer=…`: a token for a caller, which the deployed policies accept."""

import json
import math
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs

from sinbin.local.gateway.issuer import LocalIssuer, Trust, claims_for

LIFETIME_S = 3600.0
NO_TOKENS = (
    "no deployed policy checks tokens of an issuer that it names as text; callers need no token "
    "(`sinbin local key` prints their keys)"
)


def answer_token(
    query: str, trusted: Mapping[str, tuple[Trust, ...]], issuer: LocalIssuer, now: float
) -> tuple[int, Any]:
    """Return status and body of the answer to a request for a token.

    Args:
        query: `consumer`, and where there is a choice `service`, `issuer`, `audience`; `lifetime` (s) and any
            number of `claim` (`NAME=VALUE`, VALUE as JSON or plain text).
        trusted: what each service asks of tokens.
        issuer: who signs.
        now: Unix time (s) on the gateways' clock.
    """
    given = parse_qs(query)
    asked_s = given.get("lifetime", [str(LIFETIME_S)])[0]
    lifetime_s = _seconds(asked_s)
    if not math.isfinite(lifetime_s):
        wrong = f"lifetime={asked_s}: is no number of seconds; write for example lifetime=60"
        return 400, {"error": {"message": wrong}}
    service, wanted, audience = (given.get(name, [None])[0] for name in ("service", "issuer", "audience"))
    found = [
        one
        for name, asked in trusted.items()
        if service is None or name.lower() == service.lower()
        for one in asked
        if wanted is None or one.issuer == wanted
    ]
    if audience is not None:
        found = [one for one in found if not one.audiences or audience in one.audiences]
    if (why := _why_not(found, trusted, service)) is not None:
        return 404, {"error": {"message": why}}
    claims = claims_for(found[0], given.get("consumer", [""])[0], now, lifetime_s)
    if audience is not None:
        claims["aud"] = audience
    for text in given.get("claim", ()):
        name, _, value = text.partition("=")
        claims[name] = _value(value)
    return 200, {"token": issuer.token(claims), "claims": claims}


def _why_not(found: list[Trust], trusted: Mapping[str, tuple[Trust, ...]], service: str | None) -> str | None:
    """Return why none of `found` can be chosen, or None when one can."""
    known = sorted(
        {
            (one.issuer, audience)
            for asked in trusted.values()
            for one in asked
            for audience in one.audiences or ("any",)
        }
    )
    if not known:
        return NO_TOKENS
    if service is not None and service.lower() not in {name.lower() for name in trusted}:
        return f'there is no service "{service}" here; there are: {", ".join(sorted(trusted))}'
    listed = "; ".join(f"{issuer} for {audience}" for issuer, audience in known)
    if not found:
        return f"no deployed policy accepts such a token; accepted are: {listed}"
    if len({one.issuer for one in found}) > 1:
        return f"several issuers are trusted; choose with --issuer: {listed}"
    return None


def _seconds(text: str) -> float:
    """Return the number that `text` is, nan when it is none."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
