"""What must hold between the values of a scenario."""

from collections.abc import Iterator

from sinbin.foundry.models import known_models, model_facts
from sinbin.simulate.load_size import too_large
from sinbin.simulate.loads import DiurnalLoad, Tokens, TraceLoad
from sinbin.simulate.scenario import Latency, Scenario

Problem = tuple[str, str]
"""Path of the value, and what is wrong with it."""


def check_scenario(scenario: Scenario) -> Iterator[Problem]:
    """Yield every problem of `scenario`."""
    if not scenario.regions:
        yield "regions", "is empty; list at least one region"
        return
    yield from _regions(scenario)
    yield from _load(scenario)
    if scenario.gateway is not None:
        yield from _pool(scenario)
    else:
        yield from _client(scenario)
    yield from _warm_up(scenario)
    yield from check_faults(scenario)


def _warm_up(scenario: Scenario) -> Iterator[Problem]:
    if not scenario.warm_up_seconds:
        return
    lasts = getattr(scenario.load, "duration_seconds", None)
    if lasts is None:
        yield "warmUpSeconds", f'is for loads with durationSeconds; one of kind "{scenario.load.kind}" has none'
    elif scenario.warm_up_seconds >= lasts:
        got = f"{lasts:g} (got {scenario.warm_up_seconds:g})"
        yield "warmUpSeconds", f"must be less than load.durationSeconds {got}"


def check_faults(scenario: Scenario) -> Iterator[Problem]:
    """Yield every problem of the faults of `scenario`."""
    for index, fault in enumerate(scenario.faults):
        yield from _known(scenario, f"faults.{index}.region", fault.region)
        if fault.to_seconds <= fault.from_seconds:
            yield (
                f"faults.{index}.toSeconds",
                f"must be more than fromSeconds {fault.from_seconds:g} (got {fault.to_seconds:g})",
            )


def _known(scenario: Scenario, path: str, region: str) -> Iterator[Problem]:
    if region not in scenario.regions:
        yield path, f'unknown region "{region}"; the scenario has {", ".join(scenario.regions)}'


def _regions(scenario: Scenario) -> Iterator[Problem]:
    for name, region in scenario.regions.items():
        for key, latency in (("latency", region.latency), ("gatewayLatency", region.gateway_latency)):
            if latency is not None:
                yield from _latency(f"regions.{name}.{key}", latency)
        if region.model not in known_models():
            yield f"regions.{name}.model", f'sinbin knows no facts about "{region.model}"'
        elif region.provisioned_units is not None and model_facts(region.model).input_tokens_per_ptu is None:
            yield f"regions.{name}.provisionedUnits", f'model "{region.model}" is not offered provisioned'


def _latency(path: str, latency: Latency) -> Iterator[Problem]:
    if latency.p95_ms < latency.median_ms:
        yield f"{path}.p95Ms", f"must be at least medianMs {latency.median_ms:g} (got {latency.p95_ms:g})"
    if latency.refusal_p95_ms < latency.refusal_median_ms:
        yield (
            f"{path}.refusalP95Ms",
            f"must be at least refusalMedianMs {latency.refusal_median_ms:g} (got {latency.refusal_p95_ms:g})",
        )


def _load(scenario: Scenario) -> Iterator[Problem]:
    load = scenario.load
    too_many = too_large(load)
    if too_many is not None:
        yield "load", too_many
    names = [traffic.name for traffic in load.mix]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield "load.mix", f'names "{name}" more than once'
    if load.mix and not any(traffic.share for traffic in load.mix):
        yield "load.mix", "has shares that are all 0; give at least one kind of request a share"
    for index, traffic in enumerate(load.traffic()):
        where = f"load.mix.{index}" if load.mix else "load"
        for key, count in (
            ("promptTokens", traffic.prompt_tokens),
            ("completionTokens", traffic.completion_tokens),
        ):
            if isinstance(count, Tokens) and count.p95 < count.median:
                yield f"{where}.{key}.p95", f"must be at least median {count.median} (got {count.p95})"
    if isinstance(load, DiurnalLoad) and load.peak_requests_per_second < load.trough_requests_per_second:
        least = f"{load.trough_requests_per_second:g} (got {load.peak_requests_per_second:g})"
        yield "load.peakRequestsPerSecond", f"must be at least troughRequestsPerSecond {least}"
    if isinstance(load, TraceLoad):
        if not load.times:
            yield "load.times", "is empty; list at least one arrival"
        if list(load.times) != sorted(load.times):
            yield "load.times", "must be in order of time"


def _pool(scenario: Scenario) -> Iterator[Problem]:
    assert scenario.gateway is not None
    if scenario.gateway.policy == "template" and not scenario.gateway.fits_template:
        yield (
            "gateway.policy",
            'must be bare (got "template"), because gateway.retry says what our template does not do',
        )
    pool = scenario.gateway.pool
    if not pool:
        yield "gateway.pool", "is empty; list at least one region"
    for region in pool:
        yield from _known(scenario, f"gateway.pool.{region}", region)
    if pool and not any(member.weight for member in pool.values()):
        yield "gateway.pool", "has weights that are all 0; give at least one region a weight"


def _client(scenario: Scenario) -> Iterator[Problem]:
    client = scenario.client
    if client.pick == "weighted":
        if client.weights is None and len(scenario.regions) > 1:
            yield "client.weights", 'is missing; pick "weighted" needs a weight per region'
    elif client.weights is not None:
        yield "client.weights", f'is not used by pick "{client.pick}"; remove it, or pick "weighted"'
    if client.order is not None and client.pick != "in-order":
        yield "client.order", f'is not used by pick "{client.pick}"; remove it, or pick "in-order"'
    for region in client.weights or ():
        yield from _known(scenario, f"client.weights.{region}", region)
    if client.weights is not None and not any(client.weights.values()):
        yield "client.weights", "are all 0; give at least one region a weight"
    for region in client.order or ():
        yield from _known(scenario, "client.order", region)
    if client.order is not None and len(set(client.order)) < len(client.order):
        yield "client.order", "names a region more than once"
