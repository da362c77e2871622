"""How long a region takes: distributions fitted from the median and the 95th percentile.

Times are seconds. A log-normal fits because response times cannot be negative and have a long right tail, and
the two figures that load tests publish determine it.
"""

import math
import random
from dataclasses import dataclass, field
from statistics import NormalDist

_Z95 = NormalDist().inv_cdf(0.95)


@dataclass(frozen=True, slots=True)
class LogNormal:
    """A log-normal time by its median and 95th percentile; equal figures give a constant."""

    median_s: float
    p95_s: float
    sigma: float = field(init=False)
    """Standard deviation of the logarithm."""

    def __post_init__(self) -> None:
        if not 0 < self.median_s <= self.p95_s:
            raise ValueError(
                f"a latency needs 0 < median <= 95th percentile, not {self.median_s:g} s and {self.p95_s:g} s"
            )
        object.__setattr__(self, "sigma", math.log(self.p95_s / self.median_s) / _Z95)

    def draw(self, rng: random.Random) -> float:
        """Return one time; takes exactly one normal draw, so that streams of chance stay aligned."""
        return self.median_s * math.exp(self.sigma * rng.gauss(0.0, 1.0))


DEFAULT_REPLY = LogNormal(0.297, 0.434)
"""Source: observed 2026-11-02, gpt-4.1-mini with answers of about 5 tokens, called directly in UK South."""

KNOWN_REPLIES = {
    "uksouth": DEFAULT_REPLY,
    "swedencentral": LogNormal(0.365, 0.675),
    "westeurope": LogNormal(0.481, 0.982),
}
"""By location, as seen from a laptop in Great Britain.

Source: observed 2026-11-02, gpt-4.1-mini with answers of about 5 tokens, called directly.
"""

DEFAULT_PACE = LogNormal(0.011, 0.015)
"""For each token after the first: 90 tokens a second, the target for gpt-4.1-mini on provisioned units.

Source: https://learn.microsoft.com/azure/ai-foundry/openai/how-to/provisioned-throughput-onboarding,
read 2026-11-29; that pay-as-you-go is as quick, and the spread, are assumed.
"""
_MEASURED_TOKENS = 5

DEFAULT_REFUSAL = LogNormal(0.17, 0.2)
"""Source: assumed; 150 to 200 ms reproduces the published retry runs, where retries must not hit one instant."""


@dataclass(frozen=True, slots=True)
class RegionLatency:
    """How long one region takes to answer, as seen from where the callers are."""

    reply: LogNormal = DEFAULT_REPLY
    """Until the first token; until the whole reply when `per_token` is None."""
    per_token: LogNormal | None = None
    """For each completion token after that; drawn once per request, since a slow server stays slow for a reply."""
    refusal: LogNormal = DEFAULT_REFUSAL
    """Until an error reply such as a 429."""

    def draw(self, rng: random.Random, completion_tokens: int = 0) -> "Timing":
        """Return the timing of one reply of `completion_tokens`."""
        first = self.reply.draw(rng)
        pace = self.per_token.draw(rng) if self.per_token is not None else 0.0
        return Timing(first, pace, completion_tokens)


@dataclass(frozen=True, slots=True)
class Timing:
    """When the tokens of one reply arrive, in seconds after the request."""

    first_s: float
    pace_s: float
    completion_tokens: int

    @property
    def total_s(self) -> float:
        """Until the last token, and so until a reply that is not streamed."""
        return self.first_s + self.pace_s * max(0, self.completion_tokens - 1)


def known_latency(location: str) -> RegionLatency:
    """Return the speed of a location that was measured; of any other, that of UK South (assumed).

    The measured replies of about five tokens are taken apart into the first token and the pace of the others.
    """
    whole = KNOWN_REPLIES.get(location, DEFAULT_REPLY)
    others_s = DEFAULT_PACE.median_s * (_MEASURED_TOKENS - 1)
    return RegionLatency(
        reply=LogNormal(whole.median_s - others_s, whole.p95_s - others_s), per_token=DEFAULT_PACE
    )
