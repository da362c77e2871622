"""Tokens of the gateway's managed identity: stand-ins that say what they are for."""

from functools import lru_cache


@lru_cache
def managed_identity_token(resource: str, client_id: str | None = None) -> str:
    """Return the token of the system identity, or of the user-assigned one `client_id`, for `resource`.

    No identity provider is asked: the text names the audience, so that a test or a local backend can check it.
    """
    who = client_id or "system"
    return f"managed-identity/{who}/{resource.rstrip('/')}"
