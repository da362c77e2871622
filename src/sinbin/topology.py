"""What a gateway should be, as plain data: no Pulumi output, no SDK object, no path.

A stack file becomes a `Topology`, a live Azure becomes a `Topology`, and everything else consumes it.

    Topology
    ├── gateway      the API Management service
    ├── accounts     one Foundry account per region
    │   └── deployments    a model with its capacity
    ├── backends     one per model deployment, with its circuit breaker
    ├── pools        the backends of an alias, with priorities and weights
    ├── routes       from an alias to its pools, with the retry around them
    ├── consumers    who calls, and what they may use
    └── identity, monitoring

Times are seconds, limits are per minute, names are final Azure names.
"""

from dataclasses import dataclass
from typing import Literal

Tier = Literal["Developer", "Basic", "Standard", "Premium", "BasicV2", "StandardV2", "PremiumV2", "Consumption"]
Traffic = Literal["interactive", "batch"]
Period = Literal["Hourly", "Daily", "Weekly", "Monthly", "Yearly"]


NO_REPLY_REASONS = ("BackendConnectionFailure", "Timeout")
"""Why a backend gave no reply at all, in the words of `context.LastError.Reason`.

Source: https://learn.microsoft.com/azure/api-management/api-management-error-handling-policies, read 2026-11-29
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusRange:
    """HTTP status codes from `low` to `high`, both included."""

    low: int
    high: int

    def __contains__(self, status: int) -> bool:
        return self.low <= status <= self.high


@dataclass(frozen=True, slots=True, kw_only=True)
class CircuitBreaker:
    """When a backend goes to the sin bin, and for how long; API Management takes one rule per backend.

    Exactly one of `failure_count` and `failure_percentage` is set.
    """

    failure_count: int | None
    failure_percentage: int | None = None
    interval_s: float
    trip_duration_s: float
    status_ranges: tuple[StatusRange, ...]
    error_reasons: tuple[str, ...] = ()
    accept_retry_after: bool
    """The Retry-After of the reply that trips the breaker replaces `trip_duration_s`."""
    failure_response_status: int | None = None
    """Status while the circuit is open; None = Azure's 503."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """Retries around the forward: attempts = `count` + 1."""

    count: int
    interval_s: int
    delta_s: int | None = None
    max_interval_s: int | None = None
    first_fast_retry: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A model and the version that is deployed of it."""

    format: str
    name: str
    version: str
    upgrade: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelDeployment:
    """A model in one account with its capacity.

    `capacity` is in Azure's units: 1,000 tokens per minute for a pay-as-you-go SKU, PTU for a provisioned one.
    """

    name: str
    logical_name: str
    account: str
    region: str
    model: Model
    sku: str
    capacity: int
    tokens_per_minute: int | None
    """None for a provisioned SKU, whose throughput depends on the traffic."""

    @property
    def provisioned(self) -> bool:
        """Whether the capacity is bought in advance (PTU)."""
        return "Provisioned" in self.sku


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundryAccount:
    """A Foundry account (kind AIServices) of one region."""

    name: str
    region: str
    subdomain: str
    deployments: tuple[ModelDeployment, ...]
    """In the order in which they are created: one after the other, Azure refuses parallel ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Backend:
    """A backend of API Management in front of exactly one model deployment."""

    name: str
    region: str
    account: str
    deployment: str | None
    """None for a backend that keeps conversation state (Responses) and so serves the account as a whole."""
    url: str
    circuit_breaker: CircuitBreaker | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolMember:
    """A backend in a pool: lower priority first, weight relative to its equals."""

    backend: str
    priority: int
    weight: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BackendPool:
    """Backends that share the requests of one alias (and of one segment of it)."""

    name: str
    members: tuple[PoolMember, ...]
    affinity_cookie: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """Where the requests for an alias go.

    `targets` maps a segment to the name of a pool (or of a single backend); an alias that is not segmented has
    the one segment "" (empty).
    """

    alias: str
    targets: tuple[tuple[str, str], ...]
    retry: Retry | None
    responses_deployment: str | None
    """Deployment that answers the stateful Responses API for the alias; None = not in the home region."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenQuota:
    """Tokens allowed in a period that begins at the period's start in UTC."""

    tokens: int
    period: Period


@dataclass(frozen=True, slots=True, kw_only=True)
class Consumer:
    """A team or application that calls the gateway; it gets a product and a subscription of its own."""

    name: str
    traffic: Traffic
    aliases: tuple[str, ...]
    tokens_per_minute: int | None
    requests_per_minute: int | None
    token_quota: TokenQuota | None
    segment: str = ""
    routing_headers: bool = False
    """Answers to it name the backends that were called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayLocation:
    """A region where the gateway itself runs."""

    location: str
    capacity: int
    zones: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiManagement:
    """The API Management service."""

    name: str
    tier: Tier
    home: GatewayLocation
    additional: tuple[GatewayLocation, ...]
    publisher_name: str
    publisher_email: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntraIdentity:
    """Callers show a token of this tenant for one of these audiences."""

    tenant: str
    audiences: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Alerts:
    """Tell `email` when more than `refused_share` (0..1) of the requests are answered 429 or 503."""

    refused_share: float
    email: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Monitoring:
    """What is observed."""

    application_insights: bool
    alerts: Alerts | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Topology:
    """One environment of one gateway."""

    workload: str
    environment: str
    location: str
    resource_group: str
    tags: tuple[tuple[str, str], ...]
    protect: bool
    gateway: ApiManagement
    accounts: tuple[FoundryAccount, ...]
    backends: tuple[Backend, ...]
    pools: tuple[BackendPool, ...]
    routes: tuple[Route, ...]
    responses_backend: str | None
    """The one backend that keeps Responses state; None when no alias is deployed in the home region."""
    consumers: tuple[Consumer, ...]
    entra: EntraIdentity | None
    """None = callers show a subscription key."""
    monitoring: Monitoring

    @property
    def deployments(self) -> tuple[ModelDeployment, ...]:
        """Every model deployment, region by region."""
        return tuple(deployment for account in self.accounts for deployment in account.deployments)

    def backend(self, name: str) -> Backend:
        """Return the backend called `name`.

        Raises:
            KeyError: there is none.
        """
        for backend in self.backends:
            if backend.name == name:
                return backend
        raise KeyError(name)

    def target_backends(self, target: str) -> tuple[PoolMember, ...]:
        """Return the members of the pool `target`, or the single backend of that name as a pool of one."""
        for pool in self.pools:
            if pool.name == target:
                return pool.members
        return (PoolMember(backend=self.backend(target).name, priority=1, weight=1),)
