"""Who sends how much, and when: the loads of a scenario."""

from typing import Annotated, Literal

from pydantic import Field

from sinbin.simulate.bounds import MOST_TOKENS
from sinbin.simulate.part import Bool, Int, NotNegative, Part, Positive


class Tokens(Part):
    """A number of tokens that varies, a log-normal by its median and 95th percentile."""

    median: Annotated[Int, Field(ge=1, le=MOST_TOKENS)]
    p95: Annotated[Int, Field(ge=1, le=MOST_TOKENS)]


TokenCount = Annotated[Int, Field(ge=0, le=MOST_TOKENS)] | Tokens


class Traffic(Part):
    """One kind of request in a mix."""

    name: Annotated[str, Field(min_length=1)]
    share: NotNegative
    prompt_tokens: TokenCount = 20
    completion_tokens: TokenCount = 5
    max_tokens: Annotated[Int, Field(ge=1, le=MOST_TOKENS)] | None = None
    stream: Bool = False


class AnyLoad(Part):
    """What every load has, of whatever kind."""

    callers: Annotated[Int, Field(ge=1, le=1_000_000)] = 20
    prompt_tokens: TokenCount = 20
    completion_tokens: TokenCount = 5
    max_tokens: Annotated[Int, Field(ge=1, le=MOST_TOKENS)] | None = None
    stream: Bool = False
    mix: tuple[Traffic, ...] = ()
    """Kinds of request by share; empty = one kind, as the load itself says."""

    def traffic(self) -> tuple[Traffic, ...]:
        """Return the kinds of request, at least one."""
        return self.mix or (
            Traffic(
                name="all",
                share=1,
                prompt_tokens=self.prompt_tokens,
                completion_tokens=self.completion_tokens,
                max_tokens=self.max_tokens,
                stream=self.stream,
            ),
        )


class SteadyLoad(AnyLoad):
    """One request per slot of 1/rate, at a random instant inside its slot (k6's constant arrival rate)."""

    kind: Literal["steady"]
    requests_per_second: Positive
    duration_seconds: Positive


class PoissonLoad(AnyLoad):
    """Independent arrivals at a constant mean rate."""

    kind: Literal["poisson"]
    requests_per_second: Positive
    duration_seconds: Positive


class BurstyLoad(AnyLoad):
    """Poisson arrivals that change between a quiet and a busy rate; both states last an exponential time."""

    kind: Literal["bursty"]
    quiet_requests_per_second: NotNegative
    burst_requests_per_second: Positive
    quiet_seconds: Positive
    burst_seconds: Positive
    duration_seconds: Positive


class DiurnalLoad(AnyLoad):
    """Poisson arrivals whose rate follows the day: a cosine between trough and peak."""

    kind: Literal["diurnal"]
    trough_requests_per_second: NotNegative
    peak_requests_per_second: Positive
    peak_at_seconds: NotNegative = 43_200
    period_seconds: Positive = 86_400
    duration_seconds: Positive = 86_400


class BurstLoad(AnyLoad):
    """`requests` in all, shared by `callers` that send the next as soon as the last is answered (closed loop)."""

    kind: Literal["burst"]
    requests: Annotated[Int, Field(ge=1)]


class ClosedLoad(AnyLoad):
    """`callers` that send, wait for the answer, think, and send again until the time is over (closed loop)."""

    kind: Literal["closed"]
    think_seconds: NotNegative = 0
    """Mean of the exponential pause between an answer and the next request."""
    duration_seconds: Positive


class TraceLoad(AnyLoad):
    """Recorded arrivals: seconds since the start, in order."""

    kind: Literal["trace"]
    times: tuple[NotNegative, ...]


Load = Annotated[
    SteadyLoad | PoissonLoad | BurstyLoad | DiurnalLoad | BurstLoad | ClosedLoad | TraceLoad,
    Field(discriminator="kind"),
]
