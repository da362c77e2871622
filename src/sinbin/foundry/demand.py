"""What quotas speak of: a request's demand, its reservation, a refusal, and how a deployment counts."""

import math
from dataclasses import dataclass
from typing import Literal

from sinbin.foundry.limiters import DEFAULT_LIMITER, Hold

Limit = Literal["requests", "tokens", "utilization"]

NEVER_RETRY_AFTER_S = 86_400
"""Retry-After of a request that is larger than the whole limit and so can never be admitted.

Source: https://github.com/jasonacox/TinyLLM/issues/17 and
https://github.com/vanderschaarlab/climb/issues/1 (a limit of 30,000 tokens), read 2026-11-29.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaOptions:
    """How a deployment counts, where documents and reports disagree."""

    requests_limiter: str = DEFAULT_LIMITER
    tokens_limiter: str = DEFAULT_LIMITER
    retry_after: Literal["window", "refill", "next"] = "window"
    """What a 429 asks for: the seconds that are left of the minute of `now`, the seconds until the whole minute's
    amount is there again, or the seconds until the next request would be admitted. Not for PTU, see there.

    Source: observed 2026-11-02: "usually what remains of the quota window". The refused calls that Azure Monitor
    counted behind a breaker (4, 4, and 12 where three failures trip it, in five minutes) are four trips; trips of
    a whole minute, which "refill" gives as well, leave time for two or three.
    """
    reserve_without_max_tokens: int | Literal["context"] | None = None
    """Tokens reserved when the caller names no maximum; "context" = the model's context length, at most the whole
    limit, since such a request is not refused on its own account; None = as `models.json` says."""
    request_header: Literal["per-minute", "per-10s"] = "per-minute"
    """What `x-ratelimit-limit-requests` counts.

    Source: https://learn.microsoft.com/answers/questions/2265464 (per 10 s), a reply of gpt-5-nano recorded in
    October 2025 (per minute), read 2026-11-29.
    """
    reset_headers: bool = True
    """A 429 carries `x-ratelimit-reset-requests` and `-tokens` in whole seconds."""
    responses_without_limits: bool = False
    """The Responses API answers limit and remaining -1, reset 0, and no Retry-After.

    Source: https://github.com/openai/openai-dotnet/issues/838, read 2026-11-29.
    """


@dataclass(frozen=True, slots=True)
class Demand:
    """What is known of a request when it arrives."""

    prompt_tokens: int
    max_tokens: int | None = None
    """Most tokens of one reply, None = the caller names no maximum (or there is no reply text to speak of)."""
    choices: int = 1
    """Replies asked for: `n`, or `best_of`."""


@dataclass(slots=True)
class Reservation:
    """What an admitted request holds until it is settled or released."""

    hold: Hold | None
    closed: bool = False

    def close(self) -> Hold | None:
        """Return the hold, once.

        Raises:
            ValueError: the reservation is closed already.
        """
        if self.closed:
            raise ValueError("a reservation is settled or released once")
        self.closed = True
        return self.hold


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is not admitted, and the seconds after which it may be tried again."""

    limit: Limit
    retry_after_s: float

    def headers(self) -> dict[str, str]:
        """Return Retry-After in whole seconds and `retry-after-ms`."""
        milliseconds = max(1, math.ceil(self.retry_after_s * 1000 - 1e-6))
        return {"retry-after": str(math.ceil(milliseconds / 1000)), "retry-after-ms": str(milliseconds)}


@dataclass(frozen=True, slots=True)
class Gauge:
    """How full one limit is: `used` of `limit` per `window_s` seconds."""

    limit_name: Limit
    used: float
    limit: float
    window_s: float
