"""Parameters of the policy of the inference API."""

import math
from typing import Annotated, Literal, Self

from pydantic import Field, computed_field, model_validator

from policy_templates.names import Alias, Name
from sinbin.policy.render import TemplateParams
from sinbin.topology import Route, Topology


class RetryParams(TemplateParams):
    """Retries around the forward; attempts = count + 1."""

    count: Annotated[int, Field(ge=1, le=50)]
    interval_s: Annotated[int, Field(ge=0)]
    delta_s: Annotated[int, Field(ge=1)] | None = None
    max_interval_s: Annotated[int, Field(ge=1)] | None = None
    first_fast_retry: bool = False


class TargetParams(TemplateParams):
    """Where the requests of one segment go; the segment is empty for an alias that is not segmented."""

    segment: str = ""
    kind: Literal["pool", "backend"]
    backend: Name


class TripParams(TemplateParams):
    """How long a backend of the alias sits out once its breaker trips."""

    seconds: Annotated[int, Field(ge=1)]
    accept_retry_after: bool = True


class RouteParams(TemplateParams):
    """An alias and its targets."""

    alias: Alias
    targets: Annotated[tuple[TargetParams, ...], Field(min_length=1)]
    retry: RetryParams | None = None
    trip: TripParams | None = None
    responses_deployment: Name | Literal[""] = ""


class EntraParams(TemplateParams):
    """Tokens that callers have to show."""

    tenant: Annotated[str, Field(pattern=r"^[A-Za-z0-9.-]+$", description="Id or domain of the tenant.")]
    audiences: tuple[Annotated[str, Field(pattern=r"^[A-Za-z0-9:/._-]+$")], ...]


class InferenceApi(TemplateParams):
    """Route an alias to its pool, retry where another region can help, and say why when none can."""

    routes: Annotated[tuple[RouteParams, ...], Field(min_length=1)]
    responses_backend: Name | None = None
    entra: EntraParams | None = None
    token_metrics: bool = True
    routing_headers: Annotated[
        bool,
        Field(description="Consumers that may see it are told in `x-gateway-tried` which backends were called."),
    ] = False
    timeout_s: Annotated[int, Field(ge=1, le=240, description="Wait for the headers of an answer, seconds.")] = 120
    api_version: Annotated[
        str, Field(pattern=r"^\d{4}-\d{2}-\d{2}(-preview)?$", description="Sent where the caller names none.")
    ] = "2024-10-21"

    @model_validator(mode="after")
    def _growing_pauses_are_shared(self) -> Self:
        growing = [route.alias for route in self.routes if route.retry and route.retry.delta_s]
        if self.retry_mode == "mixed" and growing:
            raise ValueError(
                f"aliases that retry differently cannot have growing pauses (delta): {', '.join(growing)}"
            )
        return self

    @computed_field  # type: ignore[prop-decorator]
    @property
    def retry_mode(self) -> Literal["none", "same", "mixed"]:
        """Whether no alias retries, all retry alike, or each has its own way."""
        ways = {route.retry for route in self.routes}
        if ways == {None}:
            return "none"
        return "same" if len(ways) == 1 else "mixed"

    @computed_field  # type: ignore[prop-decorator]
    @property
    def retry_after_counts(self) -> bool:
        """Whether every breaker takes the Retry-After of a reply for the time to sit out."""
        return all(route.trip is None or route.trip.accept_retry_after for route in self.routes)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def retry(self) -> RetryParams | None:
        """The way in which all aliases retry."""
        return self.routes[0].retry if self.retry_mode == "same" else None


def from_topology(topology: Topology) -> InferenceApi:
    """Return the parameters that `topology` means."""
    return InferenceApi(
        routes=tuple(_route(topology, route) for route in topology.routes),
        responses_backend=topology.responses_backend,
        entra=EntraParams(tenant=topology.entra.tenant, audiences=topology.entra.audiences)
        if topology.entra
        else None,
        token_metrics=topology.monitoring.application_insights,
        routing_headers=any(consumer.routing_headers for consumer in topology.consumers),
    )


def _trip(topology: Topology, route: Route) -> TripParams | None:
    """Return the trip of the alias's breakers; they are all alike."""
    members = {pool.name: [member.backend for member in pool.members] for pool in topology.pools}
    names = {name for _, target in route.targets for name in members.get(target, [target])}
    for backend in topology.backends:
        if backend.name in names and backend.circuit_breaker is not None:
            breaker = backend.circuit_breaker
            return TripParams(
                seconds=max(1, math.ceil(breaker.trip_duration_s)), accept_retry_after=breaker.accept_retry_after
            )
    return None


def _route(topology: Topology, route: Route) -> RouteParams:
    pools = {pool.name for pool in topology.pools}
    return RouteParams(
        alias=route.alias,
        targets=tuple(
            TargetParams(segment=segment, kind="pool" if target in pools else "backend", backend=target)
            for segment, target in route.targets
        ),
        retry=RetryParams(
            count=route.retry.count,
            interval_s=route.retry.interval_s,
            delta_s=route.retry.delta_s,
            max_interval_s=route.retry.max_interval_s,
            first_fast_retry=route.retry.first_fast_retry,
        )
        if route.retry
        else None,
        trip=_trip(topology, route),
        responses_deployment=route.responses_deployment or "",
    )
