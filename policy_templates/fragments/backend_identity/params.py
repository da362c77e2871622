"""Parameters of the fragment that hides which region answered."""

from sinbin.policy.render import TemplateParams

HEADERS = (
    "apim-request-id",
    "azureml-model-session",
    "x-ms-client-request-id",
    "x-ms-deployment-name",
    "x-ms-rai-invoked",
    "x-ms-region",
    "x-ms-spillover-error",
    "x-ms-spillover-from-deployment",
    "x-ratelimit-limit-requests",
    "x-ratelimit-limit-tokens",
    "x-ratelimit-remaining-requests",
    "x-ratelimit-remaining-tokens",
    "x-ratelimit-reset-requests",
    "x-ratelimit-reset-tokens",
)
"""Headers of a real Azure OpenAI reply that name the region or its own counters.

Source: recorded reply of October 2025 in the tests of envoyproxy/ai-gateway, read 2026-11-29.
"""


class BackendIdentity(TemplateParams):
    """Remove headers that say which region answered, and that region's own counters."""

    headers: tuple[str, ...] = HEADERS
