"""One experiment as plain data: regions, load, gateway or client, faults. What a run card describes.

A scenario is a frozen pydantic model, camelCase in YAML, with the unit in every name. What one value may be on
its own is said here; what must hold between values is in `checks`.
"""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, Strict
from pydantic.alias_generators import to_camel

from sinbin.foundry.limiters import DEFAULT_LIMITER, LIMITERS
from sinbin.settings.schema import CircuitBreakerSettings, RetrySettings, StatusCodes
from sinbin.simulate.bounds import MOST_TOKENS

Int = Annotated[int, Strict()]
Bool = Annotated[bool, Strict()]
Positive = Annotated[float, Field(gt=0)]
NotNegative = Annotated[float, Field(ge=0)]


def _limiter(name: str) -> str:
    if name not in LIMITERS:
        raise ValueError(f"is no limiter; choose {', '.join(sorted(LIMITERS))}")
    return name


LimiterName = Annotated[str, AfterValidator(_limiter)]


class Part(BaseModel):
    """A piece of a scenario: unknown keys are refused, nothing changes after it was read."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True, allow_inf_nan=False
    )


class Latency(Part):
    """How long a region takes, a log-normal by its median and 95th percentile."""

    median_ms: Positive
    p95_ms: Positive
    per_token_ms: NotNegative = 0
    """For every completion token after the first."""
    refusal_median_ms: Positive = 170
    refusal_p95_ms: Positive = 200


class Region(Part):
    """A model deployment in one region: what it admits and how long it takes."""

    requests_per_minute: Positive
    tokens_per_minute: Positive
    latency: Latency
    gateway_latency: Latency | None = None
    """As seen by a caller behind the gateway; None = `latency`."""
    limiter: LimiterName = DEFAULT_LIMITER
    provisioned_units: Annotated[Int, Field(ge=1)] | None = None
    """PTU: admits by utilisation, and costs by the hour; None = pay-as-you-go."""
    model: str = "gpt-4.1-mini"
    location: str | None = None
    """The Azure region, where the name says more than that."""


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


class Member(Part):
    """A region in the gateway's pool: lower priority first, weight relative to its equals."""

    priority: Annotated[Int, Field(ge=0, le=100)] = 1
    weight: Annotated[Int, Field(ge=0, le=100)] = 1


class GatewayRetry(RetrySettings):
    """Retries in the gateway's policy; attempts = count + 1."""

    retry_on: tuple[StatusCodes, ...] = ("429", "500-599")
    """Statuses that are tried again; the 503 of a pool whose members all sit out counts like any other."""
    buffer_request_body: Bool = True
    """False = the body is gone after the first attempt: the second fails inside the gateway."""


class GatewaySetup(Part):
    """The gateway between callers and regions."""

    pool: dict[str, Member]
    circuit_breaker: CircuitBreakerSettings | None = None
    retry: GatewayRetry | None = None
    requests_per_minute: Annotated[Int, Field(ge=1)] | None = None
    """A cap at the gateway, over all callers."""
    instances: Annotated[Int, Field(ge=1, le=100)] = 1
    """Gateway units; they share no breaker, no turn and no counter."""
    own_reply_ms: Positive = 12
    """Time of a reply that the gateway gives itself.

    Source: observed 2026-11-02, a run in which every call was refused by the gateway took about 12 ms a call.
    """


class ExponentialPause(Part):
    """Doubling pauses: `exponential`, 2 x, 4 x … seconds; with jitter times 0.5 to 1.5, drawn uniformly."""

    exponential: Positive
    jitter: Bool = False


Pause = NotNegative | tuple[NotNegative, ...] | Literal["retry-after"] | ExponentialPause


class Client(Part):
    """How a caller behaves: which region, how often, how long it waits, what it remembers."""

    pick: Literal["weighted", "even", "in-order"] = "weighted"
    weights: dict[str, NotNegative] | None = None
    order: tuple[str, ...] | None = None
    """Regions for `in-order`; None = as the scenario lists them."""
    attempts: Annotated[Int, Field(ge=1, le=100)] = 1
    pause: Pause = 0.0
    cool_down_seconds: Positive | None = None
    """How long a caller leaves a region alone that refused it; None = it remembers nothing."""
    when_all_cooling: Literal["try", "fail"] = "try"
    retry_on: tuple[StatusCodes, ...] = ("429", "500-599")
    """Statuses that are tried again, and that make a region cool down.

    Source: openai-python 3.3.1 retries 429 and every 5xx.
    """
    max_retry_after_seconds: Positive = 120
    """A longer Retry-After makes the caller give up.

    Source: openai-python 2.52.0 changelog, 31 July 2026.
    """


class AnyFault(Part):
    """What every fault has, of whatever kind."""

    region: str
    from_seconds: NotNegative
    to_seconds: Positive


class Outage(AnyFault):
    """The region answers every request with `status`."""

    kind: Literal["outage"]
    status: Annotated[Int, Field(ge=500, le=599)] = 503


class QuotaCut(AnyFault):
    """The region admits only `share` of its quota."""

    kind: Literal["quota"]
    share: Annotated[float, Field(gt=0, le=1)]


class Slowness(AnyFault):
    """Every answer takes `factor` times as long."""

    kind: Literal["slow"]
    factor: Positive


Fault = Annotated[Outage | QuotaCut | Slowness, Field(discriminator="kind")]


class Faults(Part):
    """A list of faults on its own."""

    faults: tuple[Fault, ...]


def statuses(codes: tuple[str, ...]) -> frozenset[int]:
    """Return every status that `codes` name: `429`, `500-599`."""
    spans = [text.partition("-") for text in codes]
    return frozenset(status for low, _, high in spans for status in range(int(low), int(high or low) + 1))


class Scenario(Part):
    """One experiment."""

    name: Annotated[str, Field(min_length=1)]
    regions: dict[str, Region]
    load: Load
    gateway: GatewaySetup | None = None
    """None: callers go straight to the regions."""
    client: Client = Client()
    faults: tuple[Fault, ...] = ()
