"""A stack as a scenario: its topology and its own policy documents under a load."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from pydantic import ConfigDict

from sinbin.errors import SinbinError
from sinbin.foundry.models import requests_per_minute
from sinbin.gateway.configuration import (
    Api,
    Backend,
    GatewayConfiguration,
    Operation,
    PolicySource,
    Pool,
    Product,
    Subscription,
)
from sinbin.simulate.assumed import StackBased, of_a_load
from sinbin.simulate.compiled_gateway import Caller, Deployed
from sinbin.simulate.latencies import known_latency
from sinbin.simulate.scenario import Latency, Region, Scenario
from sinbin.topology import Consumer, ModelDeployment, Route, Topology

API = "openai"
_OWN_REPLY_S = 0.012
_OF_A_REQUEST = ("promptTokens", "completionTokens", "maxTokens", "stream")
"""Keys of a load that each kind of request has for itself."""


class Policy(Protocol):
    """A rendered policy: the text of one product, API or fragment."""

    @property
    def scope(self) -> str:
        """`product`, `api` or `fragment`."""

    @property
    def path(self) -> str:
        """File name, the scope and the entity: `product-web.xml`."""

    @property
    def text(self) -> str:
        """The document."""


class OperationShape(Protocol):
    """An operation of the API."""

    id: str
    method: Literal["GET", "POST", "DELETE"]
    url_template: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """What a stack deploys."""

    topology: Topology
    policies: Sequence[Policy]
    operations: Sequence[OperationShape]
    named_values: Mapping[str, str]


class StackScenario(StackBased):
    """A scenario whose gateway is the one that a stack deploys."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    deployed: Deployed


def stack_scenario(
    stack: Stack,
    load: Mapping[str, Any],
    *,
    alias: str | None = None,
    consumer: str | None = None,
    latency: Latency | None = None,
) -> StackScenario:
    """Return the scenario of `load` on `stack`.

    Args:
        stack: what is deployed.
        load: a load as in a scenario file. Without a `consumer` its mix is not used: consumers that may call the
            alias have equal shares.
        alias: which alias is called; None = the first.
        consumer: the one that sends everything, the whole mix of the load; None = all.
        latency: how long every region takes; None = as measured, see `latencies`.

    Raises:
        SinbinError: the stack has no such alias or consumer, or nobody may call it.
    """
    topology = stack.topology
    route = find_route(topology, alias)
    consumers = callers_of(topology, route, consumer)
    sizes = {key: load[key] for key in _OF_A_REQUEST if key in load}
    kinds = [{"name": one.name, "share": 1, **sizes} for one in consumers]
    senders = [(one.name, caller_of(one, route)) for one in consumers]
    if consumer is not None and "mix" in load:
        kinds = load["mix"]
        senders = [(kind["name"], caller_of(consumers[0], route)) for kind in kinds]
    names = [one.name for one in consumers]
    return StackScenario.model_validate(
        {
            "name": f"{topology.environment}: {route.alias}",
            "regions": alias_regions(topology, route, latency),
            "assumed": of_a_load(load, names),
            "load": {**load, "mix": kinds},
            "deployed": deployed_stack(stack, senders, consumers),
        }
    )


def deployed_stack(
    stack: Stack,
    senders: Sequence[tuple[str, Caller]],
    consumers: Iterable[Consumer],
    own_reply_s: float = _OWN_REPLY_S,
) -> Deployed:
    """Return the gateway that `stack` deploys for `consumers`; `senders` says who sends each kind of request."""
    return Deployed(
        _configuration(stack, consumers),
        tuple(senders),
        stack.topology.gateway.home.capacity or 1,
        own_reply_s,
    )


def region_backends(topology: Topology, region: str, scenario: Scenario) -> list[str]:
    """Return the backends of `scenario` that are in the Azure region `region`.

    Raises:
        SinbinError: there are none.
    """
    found = [one.name for one in topology.backends if one.region == region and one.name in scenario.regions]
    if not found:
        known = sorted({one.region for one in topology.backends if one.name in scenario.regions})
        raise SinbinError(f'unknown region "{region}"; the alias is deployed in {", ".join(known)}')
    return found


def alias_regions(topology: Topology, route: Route, latency: Latency | None) -> dict[str, Region]:
    """Return the backends of `route` as regions of a scenario, by name."""
    targets = {member.backend for _, target in route.targets for member in topology.target_backends(target)}
    return {
        backend.name: _region(_deployment(topology, backend.account, backend.deployment), latency)
        for backend in topology.backends
        if backend.deployment is not None and backend.name in targets
    }


def find_route(topology: Topology, alias: str | None) -> Route:
    """Return the route of `alias`, the first one for None.

    Raises:
        SinbinError: there is no such alias.
    """
    for route in topology.routes:
        if alias in (None, route.alias):
            return route
    known = ", ".join(route.alias for route in topology.routes)
    raise SinbinError(f'the stack has no alias "{alias}" (it has: {known})')


def callers_of(topology: Topology, route: Route, name: str | None) -> list[Consumer]:
    """Return the consumers that may call `route`, only the one called `name` if it is given.

    Raises:
        SinbinError: there are none, or that one is not among them.
    """
    consumers = [one for one in topology.consumers if route.alias in one.aliases]
    if not consumers:
        raise SinbinError(f'alias "{route.alias}": no consumer may call it; add it to the models of one')
    chosen = [one for one in consumers if name in (None, one.name)]
    if not chosen:
        known = ", ".join(one.name for one in consumers)
        raise SinbinError(f'no consumer "{name}" may call the alias "{route.alias}" (these may: {known})')
    return chosen


def _deployment(topology: Topology, account: str, name: str | None) -> ModelDeployment:
    return next(one for one in topology.deployments if one.account == account and one.name == name)


def _region(deployment: ModelDeployment, latency: Latency | None) -> Region:
    requests = requests_per_minute(deployment.model.name, deployment.sku, deployment.capacity)
    return Region(
        requests_per_minute=requests or 1,
        tokens_per_minute=deployment.tokens_per_minute or 1,
        latency=latency or known_latency(deployment.region, deployment.model.name),
        provisioned_units=deployment.capacity if deployment.provisioned else None,
        model=deployment.model.name,
        location=deployment.region,
    )


def caller_of(consumer: Consumer, route: Route) -> Caller:
    """Return how `consumer` knocks at the gateway to call `route`."""
    return Caller(
        Subscription(id=consumer.name, keys=(consumer.name,), product=consumer.name),
        f"/{API}/deployments/{route.alias}/chat/completions?api-version=2025-06-01",
    )


def _configuration(stack: Stack, consumers: Iterable[Consumer]) -> GatewayConfiguration:
    topology = stack.topology
    documents = {
        (policy.scope, policy.path.removeprefix(f"{policy.scope}-").removesuffix(".xml")): PolicySource(
            text=policy.text, name=policy.path
        )
        for policy in stack.policies
    }
    return GatewayConfiguration(
        backends=tuple(Backend.of(backend) for backend in topology.backends),
        pools=tuple(Pool.of(pool) for pool in topology.pools),
        apis=(
            Api(
                name=API,
                path=API,
                operations=tuple(
                    Operation(name=one.id, method=one.method, url_template=one.url_template)
                    for one in stack.operations
                ),
                subscription_required=True,
                policy=documents.get(("api", API)),
            ),
        ),
        products=tuple(Product(name=one.name, policy=documents.get(("product", one.name))) for one in consumers),
        policy=None,
        fragments=tuple((name, source) for (scope, name), source in documents.items() if scope == "fragment"),
        named_values=tuple(stack.named_values.items()),
        tier=topology.gateway.tier,
        region=topology.gateway.home.location,
        service_name=topology.gateway.name,
    )
