"""The shape of the object `sinbin:gateway`: camelCase in YAML, Azure's own nouns, unknown keys refused.

Only what one value may be on its own is said here; what must hold between values is in `checks`.
Defaults are the field's known-good ones: a sin bin that trips on the first 429 for a minute and honours
Retry-After, a priority list in speed order, no pause between attempts, pinned model versions.
"""

import re
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, Strict, field_validator, model_validator
from pydantic.alias_generators import to_camel

from sinbin.durations import parse_duration
from sinbin.settings.regions import offered
from sinbin.topology import NO_REPLY_REASONS, Period, Tier, Traffic

if TYPE_CHECKING:
    from sinbin.topology import Topology

_Int = Annotated[int, Strict()]
_Bool = Annotated[bool, Strict()]

_STATUS = re.compile(r"(\d{3})(?:-(\d{3}))?")
_LOWEST_STATUS, _HIGHEST_STATUS = 200, 599


def _duration(value: str) -> str:
    parse_duration(value)
    return value


def _status_range(value: str) -> str:
    match = _STATUS.fullmatch(value)
    low, high = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not _LOWEST_STATUS <= low <= high <= _HIGHEST_STATUS:
        raise ValueError('is no status code or range from 200 to 599; write for example "429" or "500-599"')
    return value


def _matching(pattern: str, meaning: str) -> AfterValidator:
    def check(value: str) -> str:
        if not re.fullmatch(pattern, value):
            raise ValueError(meaning)
        return value

    return AfterValidator(check)


RegionName = Annotated[str, AfterValidator(offered)]
Duration = Annotated[str, AfterValidator(_duration)]
StatusCodes = Annotated[str, AfterValidator(_status_range)]
Email = Annotated[str, _matching(r"[^@\s]+@[^@\s]+\.[^@\s]+", "is no e-mail address")]
PublisherName = Annotated[
    str, _matching(r"(?=.*\S).{1,100}", "must be 1 to 100 characters, not all of them spaces")
]
ModelVersion = Annotated[str, _matching(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", "is no version of a model")]
Slug = Annotated[
    str, _matching(r"[a-z][a-z0-9-]{0,30}[a-z0-9]", "must be 2 to 32 lower-case letters, digits and hyphens")
]
Alias = Annotated[
    str,
    _matching(
        r"[A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9])?",
        "must be 1 to 64 letters, digits, dots, underscores and hyphens, with a letter or digit at both ends",
    ),
]
Audience = Annotated[str, _matching(r"[A-Za-z0-9:/._-]{1,255}", "must be an application id or its URI")]
Zone = Literal["1", "2", "3"]
Sku = Literal[
    "Standard",
    "GlobalStandard",
    "DataZoneStandard",
    "ProvisionedManaged",
    "GlobalProvisionedManaged",
    "DataZoneProvisionedManaged",
]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True)


class Publisher(_Strict):
    """Whom the API Management service names as its publisher."""

    name: PublisherName
    email: Email


class AdditionalLocation(_Strict):
    """A further region where the gateway runs (Premium tiers)."""

    location: RegionName
    capacity: Annotated[_Int, Field(ge=1, le=31)] = 1
    zones: tuple[Zone, ...] = ()


class ApiManagementSettings(_Strict):
    """The API Management service."""

    tier: Tier
    capacity: Annotated[_Int, Field(ge=0, le=31)] = 1
    location: RegionName
    publisher: Publisher
    zones: tuple[Zone, ...] = ()
    additional_locations: tuple[AdditionalLocation, ...] = ()


class RegionSettings(_Strict):
    """One Foundry region; their order is the default priority order."""

    location: RegionName


class ModelSettings(_Strict):
    """Which model is deployed; the version is pinned on purpose."""

    format: Literal["OpenAI"] = "OpenAI"
    name: Alias
    version: ModelVersion
    upgrade: Literal["NoAutoUpgrade", "OnceCurrentVersionExpired", "OnceNewDefaultVersionAvailable"] = (
        "NoAutoUpgrade"
    )


class DeploymentSettings(_Strict):
    """A deployment of the model, in every region unless `regions` says otherwise."""

    sku: Sku
    tokens_per_minute: Annotated[_Int, Field(ge=1000, multiple_of=1000)] | None = None
    capacity_units: Annotated[_Int, Field(ge=1)] | None = None
    regions: tuple[RegionName, ...] | None = None
    priority: Annotated[_Int, Field(ge=1, le=100)] = 1
    name: Slug | None = None

    @model_validator(mode="after")
    def _one_capacity(self) -> "DeploymentSettings":
        wanted, other = "tokensPerMinute", "capacityUnits"
        if "Provisioned" in self.sku:
            wanted, other = other, wanted
        given = {"tokensPerMinute": self.tokens_per_minute, "capacityUnits": self.capacity_units}
        if given[wanted] is None or given[other] is not None:
            raise ValueError(f"sku {self.sku} takes {wanted}, and no {other}")
        return self


class RoutingSettings(_Strict):
    """How the requests of an alias are shared between its regions."""

    strategy: Literal["priority", "weighted", "even", "single", "segmented"] = "priority"
    weights: dict[RegionName, Annotated[_Int, Field(ge=1, le=100)]] | None = None
    region: RegionName | None = None
    by: Literal["dataZone"] | None = None

    @model_validator(mode="after")
    def _keys_of_the_strategy(self) -> "RoutingSettings":
        takes = {"weighted": "weights", "single": "region", "segmented": "by"}.get(self.strategy)
        for key in ("weights", "region", "by"):
            given = getattr(self, key) is not None
            if given and key != takes:
                raise ValueError(f'strategy "{self.strategy}" takes no {key}')
            if not given and key == takes:
                raise ValueError(f'strategy "{self.strategy}" needs {key}')
        return self


class CircuitBreakerSettings(_Strict):
    """The one circuit breaker rule of every backend of the alias."""

    count: Annotated[_Int, Field(ge=1, le=10_000)] | None = None
    percentage: Annotated[_Int, Field(ge=1, le=100)] | None = None
    interval: Duration = "PT1M"
    trip_duration: Duration = "PT1M"
    status_codes: Annotated[tuple[StatusCodes, ...], Field(max_length=10)] = ("429", "500-599")
    error_reasons: Annotated[tuple[str, ...], Field(max_length=10)] = NO_REPLY_REASONS
    """What counts when no reply comes. Azure takes any text; that it compares with these names is assumed."""
    accept_retry_after: _Bool = True

    @field_validator("status_codes")
    @classmethod
    def _some_codes(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not value:
            raise ValueError(
                "is empty, so nothing would ever trip; to switch the breaker off write circuitBreaker: null"
            )
        return value

    @model_validator(mode="after")
    def _one_threshold(self) -> "CircuitBreakerSettings":
        if self.count is not None and self.percentage is not None:
            raise ValueError("takes count or percentage, not both")
        return self


class RetrySettings(_Strict):
    """Retries around the forward; attempts = count + 1."""

    count: Annotated[_Int, Field(ge=1, le=50)] = 2
    interval_seconds: Annotated[_Int, Field(ge=0, le=240)] = 0
    delta_seconds: Annotated[_Int, Field(ge=1, le=240)] | None = None
    max_interval_seconds: Annotated[_Int, Field(ge=1, le=240)] | None = None
    first_fast_retry: _Bool = True

    @model_validator(mode="after")
    def _delta_before_maximum(self) -> "RetrySettings":
        if self.max_interval_seconds is not None and self.delta_seconds is None:
            raise ValueError("maxIntervalSeconds needs deltaSeconds")
        return self


class AliasSettings(_Strict):
    """An alias, the only name of a model that a caller knows, and what stands behind it."""

    alias: Alias
    model: ModelSettings
    deployments: tuple[DeploymentSettings, ...]
    routing: RoutingSettings = RoutingSettings()
    circuit_breaker: CircuitBreakerSettings | None = CircuitBreakerSettings()
    retry: RetrySettings | None = RetrySettings()


class TokenQuotaSettings(_Strict):
    """Tokens in a fixed period that begins at its start in UTC."""

    tokens: Annotated[_Int, Field(ge=1)]
    period: Period


class ConsumerSettings(_Strict):
    """A team or application that calls; `dataZone` says where its segmented requests stay.

    With `routingHeaders` its answers say in `x-gateway-tried` which backends were called, for load tests.
    """

    name: Slug
    traffic: Traffic = "interactive"
    models: tuple[str, ...]
    tokens_per_minute: Annotated[_Int, Field(ge=1)] | None = None
    requests_per_minute: Annotated[_Int, Field(ge=1)] | None = None
    token_quota: TokenQuotaSettings | None = None
    data_zone: str | None = None
    routing_headers: _Bool = False


class EntraSettings(_Strict):
    """The tenant and audiences of a caller's token."""

    tenant: Annotated[str, _matching(r"[A-Za-z0-9.-]{1,253}", "must be the id or a domain of a tenant")]
    audiences: tuple[Audience, ...]


class IdentitySettings(_Strict):
    """How callers prove who they are; a subscription key always says which consumer they are."""

    callers: Literal["subscriptionKey", "entra"] = "subscriptionKey"
    entra: EntraSettings | None = None


class AlertSettings(_Strict):
    """When to write to whom."""

    refused_share: Annotated[float, Field(gt=0, lt=1)]
    email: Email


class MonitoringSettings(_Strict):
    """What is observed."""

    application_insights: _Bool = True
    alerts: AlertSettings | None = None


class Settings(_Strict):
    """The object `sinbin:gateway`."""

    workload: Slug
    environment: Annotated[str, _matching(r"[a-z][a-z0-9]{1,9}", "must be 2 to 10 lower-case letters and digits")]
    location: RegionName
    name_suffix: (
        Annotated[str, _matching(r"[a-z0-9]{1,8}", "must be 1 to 8 lower-case letters and digits")] | None
    ) = None
    tags: dict[str, str] = {}
    protect: _Bool = False
    api_management: ApiManagementSettings
    regions: tuple[RegionSettings, ...]
    models: tuple[AliasSettings, ...]
    consumers: tuple[ConsumerSettings, ...]
    identity: IdentitySettings = IdentitySettings()
    monitoring: MonitoringSettings = MonitoringSettings()

    def to_topology(self) -> "Topology":
        """Return the Topology these settings mean; the same settings always give the same names."""
        from sinbin.settings.build import build_topology  # noqa: PLC0415

        return build_topology(self)
