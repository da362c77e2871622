"""Where a load is sent."""

from dataclasses import dataclass, field

from sinbin.errors import UsageError

KEY = "SINBIN_LOADTEST_KEY"
"""Environment variable with the subscription key; also what k6 reads it from."""
TOKEN = "SINBIN_LOADTEST_TOKEN"  # noqa: S105 - a name
"""Environment variable with a caller's Entra token, for gateways that want one beside the key."""


@dataclass(frozen=True, slots=True)
class Target:
    """A gateway, or the regions without one, and how to knock there."""

    url: str
    """Of chat completions."""
    model: str
    """The alias that is called."""
    key: str = field(repr=False)
    token: str = field(default="", repr=False)
    headers: tuple[tuple[str, str], ...] = ()
    speed: float = 1.0
    """How many times faster than the wall's its clock runs."""
    regions: tuple[tuple[str, str], ...] = ()
    """Name and URL of each region, where callers go straight to them; then `url` counts for nothing."""
    begins: tuple[str, ...] = ()
    """How it differs, when the test begins, from what a prediction begins with; one sentence each."""


def chat_url(gateway: str) -> str:
    """Return where the gateway at `gateway` (`https://host`, without a path) answers chats.

    Raises:
        UsageError: it is no such address.
    """
    scheme, _, rest = gateway.partition("://")
    if scheme not in ("http", "https") or not rest.strip("/") or any(mark in rest for mark in "?#@ "):
        raise UsageError(
            f'--url "{gateway}": is no address of a gateway; write for example https://apim.azure-api.net'
        )
    return f"{gateway.rstrip('/')}/openai/v1/chat/completions"
