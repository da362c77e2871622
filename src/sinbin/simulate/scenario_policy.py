"""The gateway of a scenario as our own policy template, rendered for it and compiled.

`RoutingProgram` simulates a scenario quickly and decides what the template decides. That is not taken on trust:
the first requests of a run pass through both, and where they part, the compiled policy is what is simulated.
"""

import io
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import zip_longest

from sinbin.settings.resilience import circuit_breaker, retry
from sinbin.simulate.run import run
from sinbin.simulate.scenario import GatewaySetup, Scenario
from sinbin.simulate.stack import OperationShape, Policy, Stack, StackScenario, caller_of, deployed_stack
from sinbin.simulate.trace import TraceWriter
from sinbin.topology import (
    ApiManagement,
    Backend,
    BackendPool,
    Consumer,
    GatewayLocation,
    Monitoring,
    PoolMember,
    Route,
    Topology,
)

ALIAS = "chat"
CHECKED_REQUESTS = 500
"""Requests that pass through both; at some thousands a second of the compiled policy this takes a moment."""
_CONSUMER = "callers"
_POOL = "pool"


@dataclass(frozen=True, slots=True)
class Templates:
    """The policy templates of a project."""

    render: Callable[[Topology], Sequence[Policy]]
    operations: Sequence[OperationShape]
    named_values: Callable[[Topology], Mapping[str, str]]


def scenario_topology(scenario: Scenario) -> Topology:
    """Return the topology that the gateway of `scenario` is: an alias, a pool of its regions, one consumer.

    Raises:
        ValueError: the scenario has no gateway.
    """
    setup = scenario.gateway
    if setup is None:
        raise ValueError("a scenario without a gateway has no policy")
    rule = circuit_breaker(setup.circuit_breaker)
    return Topology(
        workload="scenario",
        environment=scenario.name,
        location="uksouth",
        resource_group="scenario",
        tags=(),
        protect=False,
        gateway=ApiManagement(
            name="scenario",
            tier="Premium",
            home=GatewayLocation(location="uksouth", capacity=setup.instances),
            additional=(),
            publisher_name="",
            publisher_email="",
        ),
        accounts=(),
        backends=tuple(
            Backend(
                name=name,
                region=name,
                account=name,
                deployment=ALIAS,
                url=f"https://{name}.invalid/openai",
                circuit_breaker=rule,
            )
            for name in setup.pool
        ),
        pools=(BackendPool(name=_POOL, members=_members(setup)),),
        routes=(Route(alias=ALIAS, targets=(("", _POOL),), retry=retry(setup.retry), responses_deployment=None),),
        responses_backend=None,
        consumers=(
            Consumer(
                name=_CONSUMER,
                traffic="interactive",
                aliases=(ALIAS,),
                tokens_per_minute=None,
                requests_per_minute=setup.requests_per_minute,
                token_quota=None,
            ),
        ),
        entra=None,
        monitoring=Monitoring(application_insights=False, alerts=None),
    )


def _members(setup: GatewaySetup) -> tuple[PoolMember, ...]:
    return tuple(
        PoolMember(backend=name, priority=member.priority, weight=member.weight)
        for name, member in setup.pool.items()
    )


def compiled_scenario(scenario: Scenario, templates: Templates) -> StackScenario:
    """Return `scenario` with the rendered policy in its gateway.

    Raises:
        SinbinError: a template does not render.
    """
    topology = scenario_topology(scenario)
    setup = scenario.gateway
    assert setup is not None
    stack = Stack(
        topology=topology,
        policies=templates.render(topology),
        operations=templates.operations,
        named_values=templates.named_values(topology),
    )
    [consumer], [route] = topology.consumers, topology.routes
    caller = caller_of(consumer, route)
    senders = [(traffic.name, caller) for traffic in scenario.load.traffic()]
    deployed = deployed_stack(stack, senders, [consumer], own_reply_s=setup.own_reply_ms / 1000)
    return StackScenario(**{name: getattr(scenario, name) for name in Scenario.model_fields}, deployed=deployed)


def policy_scenario(scenario: Scenario, templates: Templates, seed: int = 0) -> tuple[Scenario, str | None]:
    """Return the scenario to simulate in place of `scenario`, and where the quick program parts from the policy.

    That is `scenario` itself where both decide alike, or where no template stands behind its gateway.

    Raises:
        SinbinError: a template does not render, or says something that cannot be simulated.
    """
    if scenario.gateway is None or scenario.gateway.bare or isinstance(scenario, StackScenario):
        return scenario, None
    compiled = compiled_scenario(scenario, templates)
    difference = first_difference(scenario, compiled, seed)
    return (scenario, None) if difference is None else (compiled, difference)


class _EnoughError(Exception):
    pass


class _Decisions(TraceWriter):
    """Keeps what is decided for the first requests."""

    def __init__(self, requests: int) -> None:
        self._requests = requests
        self._file = io.StringIO()
        super().__init__(self._file)
        write = self._write

        def limited(row: tuple[object, ...]) -> None:
            if isinstance(row[1], int) and row[1] > self._requests:
                raise _EnoughError
            write(row)

        self._write = limited  # type: ignore[assignment]

    def lines(self) -> list[str]:
        """Return them, one line each, without the header."""
        return self._file.getvalue().splitlines()[1:]


def decisions(scenario: Scenario, seed: int, requests: int = CHECKED_REQUESTS) -> list[str]:
    """Return what happens to the first `requests` of a replication, one line per event; see `TraceWriter`."""
    kept = _Decisions(requests)
    with suppress(_EnoughError):
        run(scenario, seed, kept)
    return kept.lines()


def first_difference(one: Scenario, other: Scenario, seed: int) -> str | None:
    """Return the first event that is not the same in both, None when there is none."""
    for mine, yours in zip_longest(decisions(one, seed), decisions(other, seed)):
        if mine != yours:
            return f"{mine} against {yours}"
    return None
