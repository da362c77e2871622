"""The quota of one model deployment: what it admits, reserves, settles and says in its headers.

    Quota
    ├── PayAsYouGo    requests and tokens per minute, each with its limiter
    └── Provisioned   utilisation of the bought units (PTU), a leaky bucket

A request reserves on arrival, since nobody knows yet how long its reply will be; on completion the reservation
is settled at the true size, on failure it is released. Every reservation is closed exactly once.
"""

import math
from abc import ABC, abstractmethod

from sinbin.foundry.demand import NEVER_RETRY_AFTER_S, Demand, Gauge, QuotaOptions, Refusal, Reservation
from sinbin.foundry.limiters import MINUTE_S, Limiter, TokenBucket, make_limiter
from sinbin.foundry.models import ModelFacts

__all__ = ["Demand", "Gauge", "PayAsYouGo", "Provisioned", "Quota", "QuotaOptions", "Refusal", "Reservation"]


class Quota(ABC):
    """What one deployment admits; `now` is seconds and never goes backwards."""

    @abstractmethod
    def reserve(self, now: float, demand: Demand) -> Reservation | Refusal:
        """Reserve for a request that arrives at `now`, or say why not; a refusal charges nothing."""

    @abstractmethod
    def settle(self, now: float, reservation: Reservation, prompt_tokens: int, completion_tokens: int) -> None:
        """Charge what a finished request has really used in place of its reservation."""

    @abstractmethod
    def release(self, now: float, reservation: Reservation) -> None:
        """Give back the tokens of a request that failed; as a request it stays counted.

        Source: assumed.
        """

    @abstractmethod
    def headers(self, now: float) -> dict[str, str]:
        """Return the headers that every answer of the deployment carries."""

    @abstractmethod
    def refusal_headers(self, now: float, refusal: Refusal) -> dict[str, str]:
        """Return the headers of a 429."""

    @abstractmethod
    def scale(self, now: float, share: float) -> None:
        """Make `share` of the configured amount available from `now` on: 0.5 = quota halved, 1 = as configured."""

    @abstractmethod
    def spend(self, now: float, share: float) -> None:
        """Charge `share` of what each limit holds, as earlier requests would have; 1 = nothing is left."""

    @abstractmethod
    def gauges(self, now: float) -> tuple[Gauge, ...]:
        """Return how full each limit is."""


class PayAsYouGo(Quota):
    """Requests and tokens per minute; both must fit.

    Source: https://learn.microsoft.com/azure/ai-foundry/openai/how-to/quota, read 2026-11-29.
    """

    def __init__(
        self,
        facts: ModelFacts,
        requests_per_minute: float,
        tokens_per_minute: float,
        options: QuotaOptions | None = None,
    ) -> None:
        self.options = options or QuotaOptions()
        self._facts = facts
        self._requests_per_minute = requests_per_minute
        self._tokens_per_minute = tokens_per_minute
        self._share = 1.0
        # A simulation asks for the same demand over and over.
        self._estimated: Demand | None = None
        self._estimation = 0.0
        self.requests: Limiter = make_limiter(self.options.requests_limiter, requests_per_minute)
        self.tokens: Limiter = make_limiter(self.options.tokens_limiter, tokens_per_minute)

    def reserve(self, now: float, demand: Demand) -> Reservation | Refusal:  # noqa: D102 - as in Quota
        if demand is not self._estimated:
            self._estimated, self._estimation = demand, self.estimate(demand)
        tokens = self._estimation
        requests_fit, tokens_fit = self.requests.fits(now, 1), self.tokens.fits(now, tokens)
        if requests_fit and tokens_fit:
            self.requests.charge(now, 1)
            return Reservation(self.tokens.take(now, tokens))
        waits = (
            self._wait(self.requests, now, 1, self._requests_per_minute),
            self._wait(self.tokens, now, tokens, self._tokens_per_minute),
        )
        return Refusal("tokens" if not tokens_fit else "requests", max(waits))

    def settle(  # noqa: D102 - as in Quota
        self, now: float, reservation: Reservation, prompt_tokens: int, completion_tokens: int
    ) -> None:
        hold = reservation.close()
        if hold is not None:
            self.tokens.settle(now, hold, prompt_tokens + completion_tokens)

    def release(self, now: float, reservation: Reservation) -> None:  # noqa: D102 - as in Quota
        hold = reservation.close()
        if hold is not None:
            self.tokens.settle(now, hold, 0)

    def headers(self, now: float) -> dict[str, str]:  # noqa: D102 - as in Quota
        share = 6 if self.options.request_header == "per-10s" else 1
        limit = math.ceil(self.requests.per_minute / share)
        return {
            "x-ratelimit-limit-requests": str(limit),
            "x-ratelimit-limit-tokens": str(math.floor(self.tokens.per_minute)),
            "x-ratelimit-remaining-requests": str(min(limit, _whole(self.requests.remaining(now)))),
            "x-ratelimit-remaining-tokens": str(_whole(self.tokens.remaining(now))),
        }

    def refusal_headers(self, now: float, refusal: Refusal) -> dict[str, str]:  # noqa: D102 - as in Quota
        headers = refusal.headers() | self.headers(now)
        if self.options.reset_headers:
            headers["x-ratelimit-reset-requests"] = str(math.ceil(self.requests.reset(now)))
            headers["x-ratelimit-reset-tokens"] = str(math.ceil(self.tokens.reset(now)))
        return headers

    def configure(self, now: float, requests_per_minute: float, tokens_per_minute: float) -> None:
        """Change what is configured from `now` on; what is charged stays charged."""
        self._requests_per_minute = requests_per_minute
        self._tokens_per_minute = tokens_per_minute
        self.scale(now, self._share)

    def scale(self, now: float, share: float) -> None:  # noqa: D102 - as in Quota
        self._share = share
        self._estimated = None
        self.requests.resize(now, self._requests_per_minute * share)
        self.tokens.resize(now, self._tokens_per_minute * share)

    def spend(self, now: float, share: float) -> None:  # noqa: D102 - as in Quota
        for limiter in (self.requests, self.tokens):
            limiter.used(now)
            limiter.charge(now, share * limiter.limit)

    def gauges(self, now: float) -> tuple[Gauge, ...]:  # noqa: D102 - as in Quota
        return (
            Gauge("requests", self.requests.used(now), self.requests.limit, self.requests.window_s),
            Gauge("tokens", self.tokens.used(now), self.tokens.limit, self.tokens.window_s),
        )

    def estimate(self, demand: Demand) -> float:
        """Return the tokens that a request with `demand` reserves."""
        if demand.max_tokens is not None:
            return demand.prompt_tokens + demand.max_tokens * demand.choices
        reserve = self.options.reserve_without_max_tokens
        if reserve == "context":
            return min(demand.prompt_tokens + self._facts.context_tokens, self.tokens.limit)
        per_reply = self._facts.reserve_without_max_tokens if reserve is None else reserve
        return demand.prompt_tokens + per_reply * demand.choices

    def _wait(self, limiter: Limiter, now: float, amount: float, configured: float) -> float:
        wait = limiter.wait(now, amount)
        if math.isinf(wait):
            # What only a quota that was cut cannot hold is asked to come back as any other.
            return NEVER_RETRY_AFTER_S if amount > configured else MINUTE_S - now % MINUTE_S
        if wait == 0 or self.options.retry_after == "next":
            return min(wait, NEVER_RETRY_AFTER_S)
        return MINUTE_S - now % MINUTE_S if self.options.retry_after == "window" else limiter.reset(now)


class Provisioned(Quota):
    """Utilisation of bought units: requests are admitted while it is below 100 %.

    A request adds its prompt and `max_tokens`, weighed, and is corrected when it finishes; utilisation sinks at
    the rate that the units can serve. Retry-After is the time until it is below 100 %.

    Source: https://learn.microsoft.com/azure/ai-foundry/openai/concepts/provisioned-throughput, read 2026-11-29.
    That 100 % stand for one minute of the units' rate is assumed.
    """

    def __init__(self, facts: ModelFacts, units: int, options: QuotaOptions | None = None) -> None:
        if facts.input_tokens_per_ptu is None:
            raise ValueError(f'model "{facts.name}" is not offered provisioned')
        self.options = options or QuotaOptions()
        self._facts = facts
        self._per_unit = facts.input_tokens_per_ptu
        self._per_minute = float(units * self._per_unit)
        self._share = 1.0
        self._bucket = TokenBucket(self._per_minute)

    def utilization(self, now: float) -> float:
        """Return the utilisation at `now`, 1.0 = 100 %; bursts take it a little above."""
        return self._bucket.used(now) / self._bucket.limit

    def reserve(self, now: float, demand: Demand) -> Reservation | Refusal:  # noqa: D102 - as in Quota
        excess = self._bucket.used(now) - self._bucket.limit
        if excess >= 0:
            return Refusal("utilization", excess * MINUTE_S / self._bucket.per_minute)
        reserve = self.options.reserve_without_max_tokens
        if demand.max_tokens is not None:
            reply = demand.max_tokens
        elif reserve == "context":
            reply = self._facts.max_output_tokens
        else:
            reply = self._facts.reserve_without_max_tokens if reserve is None else reserve
        return Reservation(self._bucket.take(now, self._weigh(demand.prompt_tokens, reply * demand.choices)))

    def settle(  # noqa: D102 - as in Quota
        self, now: float, reservation: Reservation, prompt_tokens: int, completion_tokens: int
    ) -> None:
        hold = reservation.close()
        if hold is not None:
            self._bucket.settle(now, hold, self._weigh(prompt_tokens, completion_tokens))

    def release(self, now: float, reservation: Reservation) -> None:  # noqa: D102 - as in Quota
        hold = reservation.close()
        if hold is not None:
            self._bucket.settle(now, hold, 0)

    def headers(self, now: float) -> dict[str, str]:
        """Return the utilisation as a header. Source: assumed (seen in client logs)."""
        return {"azure-openai-deployment-utilization": f"{self.utilization(now):.1%}"}

    def refusal_headers(self, now: float, refusal: Refusal) -> dict[str, str]:  # noqa: D102 - as in Quota
        return refusal.headers() | self.headers(now)

    def configure(self, now: float, units: int) -> None:
        """Change the number of units from `now` on; utilisation stays what it is in tokens."""
        self._per_minute = float(units * self._per_unit)
        self.scale(now, self._share)

    def scale(self, now: float, share: float) -> None:  # noqa: D102 - as in Quota
        self._share = share
        self._bucket.resize(now, self._per_minute * share)

    def spend(self, now: float, share: float) -> None:  # noqa: D102 - as in Quota
        self._bucket.used(now)
        self._bucket.charge(now, share * self._bucket.limit)

    def gauges(self, now: float) -> tuple[Gauge, ...]:  # noqa: D102 - as in Quota
        return (Gauge("utilization", self._bucket.used(now), self._bucket.limit, MINUTE_S),)

    def _weigh(self, prompt_tokens: int, completion_tokens: int) -> float:
        return prompt_tokens + completion_tokens * self._facts.output_token_weight


def _whole(amount: float) -> int:
    # A sum of floats that should be 3 may come out as 2.9999999.
    return math.floor(amount + 1e-6)
