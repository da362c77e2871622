"""One experiment as plain data: regions, load, gateway or client, faults. What a run card describes.

A scenario is a frozen pydantic model, camelCase in YAML, with the unit in every name. What one value may be on
its own is said here; what must hold between values is in `checks`.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from sinbin.foundry.limiters import DEFAULT_LIMITER, LIMITERS
from sinbin.settings.schema import CircuitBreakerSettings, RetrySettings, StatusCodes
from sinbin.simulate.loads import Load
from sinbin.simulate.part import Bool, Int, NotNegative, Part, Positive


def _limiter(name: str) -> str:
    if name not in LIMITERS:
        raise ValueError(f"is no limiter; choose {', '.join(sorted(LIMITERS))}")
    return name


LimiterName = Annotated[str, AfterValidator(_limiter)]


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
    quota_at_start: Annotated[float, Field(ge=0, le=1)] = 1
    """Share of a minute's quota that is left when the run begins; 1 = as after a minute without a request."""
    provisioned_units: Annotated[Int, Field(ge=1)] | None = None
    """PTU: admits by utilisation, and costs by the hour, the quota is not used; None = pay-as-you-go."""
    model: str = "gpt-4.1-mini"
    location: str | None = None
    """The Azure region, where the name says more than that."""

    @model_validator(mode="before")
    @classmethod
    def _without_quota(cls, raw: Any) -> Any:
        if not isinstance(raw, Mapping) or raw.get("provisionedUnits") is None:
            return raw
        return {"requestsPerMinute": 1, "tokensPerMinute": 1} | dict(raw)


class Member(Part):
    """A region in the gateway's pool: lower priority first, weight relative to its equals."""

    priority: Annotated[Int, Field(ge=0, le=100)] = 1
    weight: Annotated[Int, Field(ge=0, le=100)] = 1


RETRIED = ("429", "500-599")
"""Statuses that our template tries again."""


class GatewayRetry(RetrySettings):
    """Retries in the gateway's policy; attempts = count + 1."""

    retry_on: tuple[StatusCodes, ...] = RETRIED
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
    policy: Literal["template", "bare"] | None = None
    """What runs in the gateway: our own template, or a policy that forwards and retries and does nothing else.

    None = the template, or a bare one where `retry` says what the template does not: `retryOn`, a body that is not
    buffered.
    """
    own_reply_ms: Positive = 12
    """Time of a reply that the gateway gives itself.

    Source: observed 2026-11-02, a run in which every call was refused by the gateway took about 12 ms a call.
    """

    @property
    def bare(self) -> bool:
        """Whether the policy is a bare one, not our template."""
        return self.policy == "bare" if self.policy is not None else not self.fits_template

    @property
    def fits_template(self) -> bool:
        """Whether our template can do what `retry` says."""
        return self.retry is None or (self.retry.retry_on == RETRIED and self.retry.buffer_request_body)


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
    warm_up_seconds: NotNegative = 0
    """The first seconds of the run, in which nothing is counted: what it began with is forgotten by then."""
    faults: tuple[Fault, ...] = ()
