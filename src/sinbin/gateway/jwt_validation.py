"""Checking a JSON Web Token with keys that are given: nothing is fetched, and the time is an argument."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import jwt
from jwt.types import Options

from sinbin.gateway.failures import PolicyFailure

ALGORITHMS = ["HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384"]
"""Algorithms that a key may be used with; `none` is never one of them."""


# The library would compare times with the wall clock; everything but the signature is checked here.
_NO_CHECKS: Options = {
    "verify_exp": False,
    "verify_nbf": False,
    "verify_iat": False,
    "verify_aud": False,
    "verify_iss": False,
}


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A key that tokens may be signed with; `id` is compared with the token's `kid` when both have one."""

    id: str | None
    key: Any
    symmetric: bool


@dataclass(frozen=True, slots=True)
class RequiredClaim:
    """A claim that must be there, with all (or any) of `values`; without values any value will do."""

    name: str
    values: tuple[str, ...] = ()
    match_any: bool = False
    separator: str | None = None


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a token must fulfil."""

    audiences: tuple[str, ...] = ()
    issuers: tuple[str, ...] = ()
    claims: tuple[RequiredClaim, ...] = ()
    require_expiration: bool = True
    require_signature: bool = True
    clock_skew_s: float = 0.0


def keys_of_jwks(text: str) -> list[SigningKey]:
    """Return the signing keys of a JSON Web Key Set; keys of a kind that is not known are left out.

    Raises:
        ValueError: the text is no key set.
    """
    document = json.loads(text)
    if not isinstance(document, dict) or not isinstance(document.get("keys"), list):
        raise ValueError("it has no list `keys`")  # noqa: TRY004 (a document's fault, like those of the parser)
    found = []
    for entry in document["keys"]:
        try:
            key = jwt.PyJWK(entry, algorithm=None if "alg" in entry else _algorithm(entry))
        except (jwt.PyJWTError, TypeError, ValueError):
            continue
        found.append(SigningKey(entry.get("kid"), key.key, symmetric=entry.get("kty") == "oct"))
    return found


def _algorithm(entry: Mapping[str, Any]) -> str:
    return {"oct": "HS256", "EC": "ES256"}.get(str(entry.get("kty")), "RS256")


def validate(token: str, keys: Sequence[SigningKey], expected: Expectation, unix_now: float) -> dict[str, Any]:
    """Return the claims of `token` when it fulfils `expected` at `unix_now`.

    Raises:
        PolicyFailure: it does not; the reason is one of those that the error-handling page lists for validate-jwt.
    """
    claims = _signed_claims(token, keys, expected)
    _check_times(claims, expected, unix_now)
    audience = claims.get("aud")
    audiences = audience if isinstance(audience, list) else [audience]
    if expected.audiences and not set(expected.audiences) & {str(one) for one in audiences}:
        raise PolicyFailure("TokenAudienceNotAllowed", f"JWT audience is not allowed: {audience}.")
    if expected.issuers and claims.get("iss") not in expected.issuers:
        raise PolicyFailure("TokenIssuerNotAllowed", f"JWT issuer is not allowed: {claims.get('iss')}.")
    for claim in expected.claims:
        _check_claim(claims, claim)
    return claims


def _signed_claims(token: str, keys: Sequence[SigningKey], expected: Expectation) -> dict[str, Any]:
    try:
        header = jwt.get_unverified_header(token)
        if not expected.require_signature and header.get("alg") == "none":
            return dict(jwt.decode(token, options={**_NO_CHECKS, "verify_signature": False}))
        candidates = _candidates(keys, header)
        if not candidates:
            raise PolicyFailure("TokenSignatureKeyNotFound", f"no key for the JWT's kid: {header.get('kid')}.")
        for candidate in candidates:
            try:
                return dict(jwt.decode(token, candidate.key, algorithms=_allowed(candidate), options=_NO_CHECKS))
            except (jwt.InvalidSignatureError, jwt.InvalidKeyError, TypeError):
                continue
            except jwt.InvalidAlgorithmError:
                continue
    except jwt.PyJWTError as error:
        raise PolicyFailure("JwtInvalid", f"Invalid JWT: {error}.") from error
    raise PolicyFailure("TokenSignatureInvalid", "JWT signature is invalid.")


def _candidates(keys: Iterable[SigningKey], header: Mapping[str, Any]) -> list[SigningKey]:
    kid = header.get("kid")
    return [key for key in keys if key.id is None or kid is None or key.id == kid]


def _allowed(key: SigningKey) -> list[str]:
    # A public key must never be taken for the secret of a symmetric algorithm.
    return [name for name in ALGORITHMS if name.startswith("HS") == key.symmetric]


def _check_times(claims: Mapping[str, Any], expected: Expectation, unix_now: float) -> None:
    expires, not_before = claims.get("exp"), claims.get("nbf")
    if expires is None:
        if expected.require_expiration:
            raise PolicyFailure("JwtInvalid", "JWT has no expiration time.")
    elif not isinstance(expires, int | float) or unix_now > expires + expected.clock_skew_s:
        raise PolicyFailure("TokenExpired", "JWT has expired.")
    if isinstance(not_before, int | float) and unix_now < not_before - expected.clock_skew_s:
        raise PolicyFailure("JwtInvalid", "JWT is not valid yet.")


def _check_claim(claims: Mapping[str, Any], required: RequiredClaim) -> None:
    if required.name not in claims:
        raise PolicyFailure("TokenClaimNotFound", f"JWT claim {required.name} is missing.")
    found = claims[required.name]
    if isinstance(found, str) and required.separator:
        found = found.split(required.separator)
    present = {_claim_text(one) for one in (found if isinstance(found, list) else [found])}
    wanted = set(required.values)
    if wanted and not (wanted & present if required.match_any else wanted <= present):
        raise PolicyFailure("TokenClaimValueNotAllowed", f"JWT claim {required.name} has no allowed value.")


def _claim_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
