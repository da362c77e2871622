"""The limits that Azure shows on every model deployment, and which of them binds first.

Source of the shape of `rateLimits`: https://learn.microsoft.com/rest/api/aiservices/accountmanagement/deployments,
read 2026-11-29. Requests are counted over 10 seconds, tokens over 60; a provisioned deployment may show requests
alone, a deployment that is being created shows nothing.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from azure.mgmt.cognitiveservices import CognitiveServicesManagementClient

from sinbin.live.clients import told_plainly
from sinbin.topology import Topology


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimits:
    """The limits of one deployment; None means that Azure does not say, not that there is none."""

    region: str
    deployment: str
    tokens_per_minute: float | None
    requests_per_minute: float | None

    @property
    def break_even_tokens(self) -> float | None:
        """Tokens per request at which both limits bind at once: tokens bind above, requests below."""
        if not self.tokens_per_minute or not self.requests_per_minute:
            return None
        return self.tokens_per_minute / self.requests_per_minute

    def binds_first(self, tokens_per_request: int) -> str | None:
        """Return `tokens` or `requests`; None when a limit is unknown.

        At the point where both bind, requests are named: they are counted over the shorter time.
        """
        even = self.break_even_tokens
        if even is None:
            return None
        return "tokens" if tokens_per_request > even else "requests"

    def sustained_requests_per_minute(self, tokens_per_request: int) -> float | None:
        """Return how many requests of that size a minute takes; None when a limit is unknown."""
        if self.tokens_per_minute is None or self.requests_per_minute is None:
            return None
        return min(self.requests_per_minute, self.tokens_per_minute / tokens_per_request)


def read_rate_limits(client: CognitiveServicesManagementClient, topology: Topology) -> Iterator[RateLimits]:
    """Yield the limits of every deployment that is there, account by account.

    Raises:
        SinbinError: an account is not there, or Azure cannot be read.
    """
    for account in topology.accounts:
        pages: list[Any] = []
        with told_plainly(f"Foundry account {account.name} in {topology.resource_group}"):
            # The raw answers: the client's models know one spelling of `rateLimits` and drop any other.
            found = client.deployments.list(
                topology.resource_group,
                account.name,
                raw_response_hook=lambda answer, pages=pages: pages.append(answer.http_response.json()),
            )
            for _ in found:
                pass
        for deployment in (item for page in pages for item in page.get("value", ())):
            yield parse_rate_limits(account.region, deployment["name"], deployment.get("properties") or {})


def parse_rate_limits(region: str, deployment: str, properties: Mapping[str, Any]) -> RateLimits:
    """Return the limits in the ARM `properties` of a deployment, whatever case their names are in."""
    rules = next((value for key, value in properties.items() if key.lower() == "ratelimits"), None)
    found: dict[str, float] = {}
    for rule in rules or ():
        lower = {key.lower(): value for key, value in rule.items()}
        if lower.get("key") and lower.get("count") is not None and lower.get("renewalperiod"):
            found[str(lower["key"]).lower()] = lower["count"] * 60 / lower["renewalperiod"]
    return RateLimits(
        region=region,
        deployment=deployment,
        tokens_per_minute=found.get("token"),
        requests_per_minute=found.get("request"),
    )
