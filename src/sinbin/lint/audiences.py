"""Which token audience the services of Azure take.

Source: https://learn.microsoft.com/azure/api-management/authentication-managed-identity-policy, read 2026-11-29;
for Foundry projects https://learn.microsoft.com/azure/ai-foundry, read 2026-11-29.
"""

import re

_COGNITIVE = ("https://cognitiveservices.azure.com", "https://ai.azure.com")
_BY_SUFFIX: dict[str, tuple[str, ...]] = {
    ".openai.azure.com": _COGNITIVE,
    ".cognitiveservices.azure.com": _COGNITIVE,
    ".services.ai.azure.com": _COGNITIVE,
    ".openai.azure.us": ("https://cognitiveservices.azure.us",),
    ".cognitiveservices.azure.us": ("https://cognitiveservices.azure.us",),
    ".openai.azure.cn": ("https://cognitiveservices.azure.cn",),
    ".vault.azure.net": ("https://vault.azure.net",),
    ".blob.core.windows.net": ("https://storage.azure.com",),
    ".queue.core.windows.net": ("https://storage.azure.com",),
    ".table.core.windows.net": ("https://storage.azure.com",),
    ".search.windows.net": ("https://search.azure.com",),
    "management.azure.com": ("https://management.azure.com", "https://management.core.windows.net"),
    "graph.microsoft.com": ("https://graph.microsoft.com", "00000003-0000-0000-c000-000000000000"),
    "an Azure OpenAI backend": _COGNITIVE,
}
KNOWN = frozenset(
    audience for audiences in _BY_SUFFIX.values() for audience in audiences if audience.startswith("https://")
)
"""Every audience of the table, without a slash at its end."""

_HOST = re.compile(r"https?://([A-Za-z0-9.\-]+)")


def host_of(url: str) -> str | None:
    """Return the host of a URL that is written out; None of an expression or a placeholder."""
    match = _HOST.match(url.strip())
    return match[1].lower() if match and not url.strip()[match.end() :].startswith("{") else None


def audiences_of(host: str) -> tuple[str, ...]:
    """Return the audiences that `host` takes, the usual one first; none when the host is not known."""
    for suffix, audiences in _BY_SUFFIX.items():
        if host == suffix or (suffix.startswith(".") and host.endswith(suffix)):
            return audiences
    return ()
