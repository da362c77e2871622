"""A scenario's gateway, if any, and its regions as servers on this machine, for as long as a load test takes.

What `sinbin simulate` runs on a virtual clock runs here over HTTP: a policy with the scenario's routing, breakers
and retries in front of regions with its quotas and latencies.
"""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from sinbin.errors import SinbinError
from sinbin.foundry.account import AccountConfig, DeploymentConfig
from sinbin.foundry.latency import LogNormal, RegionLatency
from sinbin.foundry.quota import QuotaOptions
from sinbin.gateway.configuration import Api, Backend, GatewayConfiguration, PolicySource, Pool
from sinbin.gateway.effects import TransportErrorKind
from sinbin.gateway.gateway import Gateway
from sinbin.loadtest.target import Target
from sinbin.local.clock import Clock
from sinbin.local.foundry.servers import RegionServers
from sinbin.local.gateway.destinations import Destinations
from sinbin.local.gateway.effects import Effects
from sinbin.local.gateway.handler import GatewayHandler
from sinbin.local.gateway.traces import Traces
from sinbin.local.http.client import HttpClient
from sinbin.local.http.server import HttpServer
from sinbin.local.loop import LoopThread
from sinbin.local.ports import bind
from sinbin.settings.resilience import circuit_breaker
from sinbin.simulate.scenario import GatewayRetry, GatewaySetup, Latency, Region, Scenario
from sinbin.topology import PoolMember

_POOL, _DEPLOYMENT, _KEY = "pool", "chat", "rehearsal"
_MINUTE_S = 60
_CHATS = "http://127.0.0.1:{port}/openai/v1/chat/completions"


@contextmanager
def rehearse(scenario: Scenario, speed: float = 1.0, seed: int = 0) -> Iterator[Target]:
    """Serve the gateway of `scenario` while the block runs, and yield where.

    Args:
        scenario: whose gateway and regions are served.
        speed: how many times faster than the wall's their clock runs.
        seed: of all chance; the regions' minutes begin at instants of their own, as in a simulation.

    Raises:
        SinbinError: it has what cannot be served so.
    """
    _check(scenario)
    clock = Clock(speed)
    thread = LoopThread("rehearsal")
    client = HttpClient()
    regions = _Regions(scenario, speed, seed)
    try:
        thread.call(regions.start())
        if scenario.gateway is None:
            urls = tuple((name, _CHATS.format(port=regions.port(name))) for name in scenario.regions)
            yield Target(urls[0][1], _DEPLOYMENT, _KEY, "", (), speed, urls)
            return
        listener = bind(0)
        port = listener.getsockname()[1]
        began = clock.now()
        handler = GatewayHandler(
            f"http://127.0.0.1:{port}",
            Effects(client, Destinations(regions), clock),
            lambda: clock.now() - began,
            random.Random(f"{seed}/gateway"),  # noqa: S311 - not for secrets
            Traces(),
        )
        handler.gateway = Gateway(_configuration(scenario.gateway), scenario.gateway.instances)
        server = HttpServer(handler)
        thread.call(server.start(listener))
        try:
            yield Target(_CHATS.format(port=port), _DEPLOYMENT, _KEY, "", (("x-sinbin-trace", "1"),), speed)
        finally:
            thread.call(server.stop())
    finally:
        thread.call(regions.stop())
        thread.loop.call_soon_threadsafe(client.close)
        thread.stop()


def _check(scenario: Scenario) -> None:
    if scenario.warm_up_seconds or any(region.quota_at_start < 1 for region in scenario.regions.values()):
        raise SinbinError(f"{scenario.name}: warmUpSeconds and quotaAtStart cannot be rehearsed; leave them out")
    if scenario.faults:
        raise SinbinError(f"{scenario.name}: its faults cannot be rehearsed; begin them with `sinbin local fault`")


class _Regions:
    """The regions of a scenario, each a server with a clock of its own."""

    def __init__(self, scenario: Scenario, speed: float, seed: int) -> None:
        phases = random.Random(f"{seed}/phase")  # noqa: S311 - not for secrets
        length = _reply_tokens(scenario)
        self._servers = {}
        self._accounts = {}
        for name, region in scenario.regions.items():
            # Where its full minutes lie has nothing to do with when a run begins.
            own = Clock(speed, begins=phases.random() * _MINUTE_S)
            self._servers[name] = RegionServers(own, seed, first_port=0)
            self._accounts[name] = _account(name, region, length)

    async def start(self) -> None:
        """Listen."""
        for name, servers in self._servers.items():
            await servers.apply({name: self._accounts[name]})

    async def stop(self) -> None:
        """End all servers."""
        for servers in self._servers.values():
            await servers.stop()

    def port(self, account: str) -> int | None:
        """Return where `account` listens, None when there is no such region."""
        return self._servers[account].ports[account] if account in self._servers else None

    def connect(self, account: str) -> TransportErrorKind | None:
        """Return None: every region can be connected to."""
        del account
        return None


def _reply_tokens(scenario: Scenario) -> int:
    """Return how long replies are that nothing cuts short; regions here make all of them alike."""
    lengths = [one.max_tokens or one.completion_tokens for one in scenario.load.traffic() if one.share]
    known = [length for length in lengths if isinstance(length, int)]
    if len(known) < len(lengths):
        raise SinbinError(f"{scenario.name}: replies whose length varies cannot be rehearsed; name maxTokens")
    return max(known)


def _account(name: str, region: Region, reply_tokens: int) -> AccountConfig:
    options = QuotaOptions(requests_limiter=region.limiter, tokens_limiter=region.limiter)
    deployment = DeploymentConfig(
        name=_DEPLOYMENT,
        model=region.model,
        version="1",
        sku="Standard" if region.provisioned_units is None else "ProvisionedManaged",
        capacity=region.provisioned_units or 1,
        requests_per_minute=region.requests_per_minute,
        tokens_per_minute=region.tokens_per_minute,
        options=options,
    )
    return AccountConfig(
        name=name,
        location=region.location or name,
        keys=(_KEY,),
        local_auth=True,
        deployments={_DEPLOYMENT: deployment},
        latency=_latency(region.gateway_latency or region.latency),
        reply_tokens=reply_tokens,
    )


def _latency(latency: Latency) -> RegionLatency:
    pace = latency.per_token_ms / 1000
    return RegionLatency(
        reply=LogNormal(latency.median_ms / 1000, latency.p95_ms / 1000),
        per_token=LogNormal(pace, pace) if pace else None,
        refusal=LogNormal(latency.refusal_median_ms / 1000, latency.refusal_p95_ms / 1000),
    )


def _configuration(setup: GatewaySetup) -> GatewayConfiguration:
    backend = partial(Backend, circuit_breaker=circuit_breaker(setup.circuit_breaker))
    members = tuple(
        PoolMember(backend=name, priority=member.priority, weight=member.weight)
        for name, member in setup.pool.items()
    )
    policy = PolicySource(text=_policy(setup), name="rehearsal")
    return GatewayConfiguration(
        backends=tuple(backend(name=name, url=f"https://{name}.openai.azure.com/openai") for name in setup.pool),
        pools=(Pool(name=_POOL, members=members),),
        apis=(Api(name="openai", path="openai", policy=policy),),
    )


def _policy(setup: GatewaySetup) -> str:
    cap = setup.requests_per_minute
    limit = f'<rate-limit-by-key calls="{cap}" renewal-period="60" counter-key="all" />' if cap else ""
    buffers = "true" if setup.retry is None or setup.retry.buffer_request_body else "false"
    forward = f'<forward-request timeout="60" buffer-request-body="{buffers}" buffer-response="false" />'
    retry = forward if setup.retry is None else _retry(setup.retry, forward)
    return (
        f'<policies><inbound>{limit}<set-backend-service backend-id="{_POOL}" /></inbound>'
        f"<backend>{retry}</backend><outbound /><on-error /></policies>"
    )


def _retry(retry: GatewayRetry, forward: str) -> str:
    spans = [text.partition("-") for text in retry.retry_on]
    status = "context.Response.StatusCode"
    tests = " || ".join(f"({status} >= {low} && {status} <= {high or low})" for low, _, high in spans)
    times = {"delta": retry.delta_seconds, "max-interval": retry.max_interval_seconds}
    more = "".join(f' {name}="{value}"' for name, value in times.items() if value is not None)
    fast = "true" if retry.first_fast_retry else "false"
    condition = f"@(context.Response != null && ({tests}))"
    return (
        f'<retry condition="{condition}" count="{retry.count}" interval="{retry.interval_seconds}"{more} '
        f'first-fast-retry="{fast}">{forward}</retry>'
    )
