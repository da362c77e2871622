"""The issuer of callers' tokens on this machine: it stands in for every issuer that deployed policies trust.

No key set is fetched, so a token of the real Entra is good nowhere here. What `validate-azure-ad-token` and
`validate-jwt` read from an OpenID address is answered with the issuer's own key, and it signs what they accept.
The key is made when it is first needed and lives as long as the process.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key

from sinbin.gateway.policies.validate_azure_ad_token import openid_url
from sinbin.policy.nodes import Element
from sinbin.policy.parser import parse_text

_WELL_KNOWN = "/.well-known/openid-configuration"
_KEY_ID = "sinbin-local"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """What a policy asks of a token, as far as it is written as text."""

    url: str
    """Address of the OpenID configuration."""
    issuer: str
    audiences: tuple[str, ...] = ()
    applications: tuple[str, ...] = ()
    claims: tuple[tuple[str, Any], ...] = ()
    """Required claims with a value that passes."""


def trusts(texts: Iterable[str], named_values: Mapping[str, str]) -> tuple[Trust, ...]:
    """Return what the policies with these texts ask of tokens, each once, in their order."""
    found: list[Trust] = []
    for text in texts:
        if "<validate-" not in text:
            continue
        for name, value in named_values.items():
            text = text.replace("{{" + name + "}}", value)  # noqa: PLW2901
        document = parse_text(text)
        for element in document.named("validate-azure-ad-token", "validate-jwt"):
            found += (one for one in _trusts(element) if one not in found)
    return tuple(found)


def _trusts(element: Element) -> Iterator[Trust]:
    if element.name == "validate-azure-ad-token":
        tenant = element.literal("tenant-id")
        if tenant is not None:
            yield _trust(element, openid_url(tenant), _issuer_at(openid_url(tenant)))
        return
    issuers = list(_texts(element, "issuers"))
    for config in _children(element, "openid-config"):
        if (url := config.literal("url")) is not None:
            yield _trust(element, url, issuers[0] if issuers else _issuer_at(url))


def _issuer_at(url: str) -> str:
    """Return whose OpenID configuration is at `url`."""
    return url.removesuffix(_WELL_KNOWN)


def _trust(element: Element, url: str, issuer: str) -> Trust:
    return Trust(
        url=url,
        issuer=issuer,
        audiences=tuple(_texts(element, "audiences")),
        applications=tuple(_texts(element, "client-application-ids")),
        claims=tuple(_claims(element)),
    )


def _children(element: Element, name: str) -> Iterator[Element]:
    return (child for child in element.elements if child.name == name)


def _texts(element: Element, holder: str) -> Iterator[str]:
    for one in _children(element, holder):
        yield from (child.text.strip() for child in one.elements)


def _claims(element: Element) -> Iterator[tuple[str, Any]]:
    for holder in _children(element, "required-claims"):
        for claim in holder.elements:
            values = [value.text.strip() for value in claim.elements] or [_KEY_ID]
            if claim.get("match") == "any":
                values = values[:1]
            separator = claim.get("separator")
            whole: Any = values[0] if len(values) == 1 else values
            yield claim.get("name") or "", whole if separator is None else separator.join(values)


class LocalIssuer:
    """Keys, OpenID documents and tokens."""

    @cached_property
    def _key(self) -> RSAPrivateKey:
        return generate_private_key(public_exponent=65537, key_size=2048)

    def documents(self, trusted: Iterable[Trust]) -> tuple[tuple[str, str], ...]:
        """Return the texts by URL with which policies take this issuer for theirs."""
        found: dict[str, str] = {}
        for url in {one.url: None for one in trusted}:
            issuer = _issuer_at(url)
            keys = f"{issuer}/discovery/keys"
            # Not an issuer that a policy names: others that read the same document may name none.
            found[url] = json.dumps({"issuer": issuer, "jwks_uri": keys})
            found[keys] = json.dumps({"keys": [self._public]})
        return tuple(found.items())

    @cached_property
    def _public(self) -> dict[str, Any]:
        key: dict[str, Any] = jwt.algorithms.RSAAlgorithm.to_jwk(self._key.public_key(), as_dict=True)
        return key | {"kid": _KEY_ID, "use": "sig", "alg": "RS256"}

    def token(self, claims: Mapping[str, Any]) -> str:
        """Return a signed token with `claims`."""
        return jwt.encode(dict(claims), self._key, algorithm="RS256", headers={"kid": _KEY_ID})


def claims_for(trust: Trust, caller: str, now: float, lifetime_s: float) -> dict[str, Any]:
    """Return claims that `trust` accepts, for a caller whose token is made at `now` (Unix time, s)."""
    application = caller if not trust.applications or caller in trust.applications else trust.applications[0]
    return {
        "iss": trust.issuer,
        "aud": trust.audiences[0] if trust.audiences else application,
        "sub": caller,
        "azp": application,
        "appid": application,
        "iat": int(now),
        "nbf": int(now),
        "exp": int(now + lifetime_s),
        **dict(trust.claims),
    }
