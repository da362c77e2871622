"""One replication: a scenario and a seed → a Tally. Pure: equal arguments give equal tallies."""

from collections.abc import Iterator, Sequence

from sinbin.simulate.arrivals import arrival_times
from sinbin.simulate.callers import closed_loop_callers
from sinbin.simulate.compiled_gateway import compiled_instances
from sinbin.simulate.direct_client import make_direct_client
from sinbin.simulate.engine import Process, run_processes
from sinbin.simulate.gateway_client import make_gateway_client
from sinbin.simulate.instances import Instance
from sinbin.simulate.loads import BurstLoad, ClosedLoad, TraceLoad
from sinbin.simulate.request_source import RequestSource
from sinbin.simulate.routing_program import RoutingProgram
from sinbin.simulate.scenario import Scenario
from sinbin.simulate.send import Send
from sinbin.simulate.sites import Site, apply_faults, fault_changes, make_sites
from sinbin.simulate.stack import StackScenario
from sinbin.simulate.streams import stream
from sinbin.simulate.tally import Tally, slot_width
from sinbin.simulate.trace import TraceWriter


def new_tally(scenario: Scenario) -> Tally:
    """Return an empty tally for a replication of `scenario`."""
    load = scenario.load
    duration = load.times[-1] if isinstance(load, TraceLoad) else getattr(load, "duration_seconds", None)
    return Tally(scenario.regions, (kind.name for kind in load.traffic()), slot_width(duration))


def run(scenario: Scenario, seed: int = 0, trace: TraceWriter | None = None) -> Tally:
    """Simulate one replication of `scenario`; `trace` is told of every call, answer and sit-out."""
    load = scenario.load
    tally = new_tally(scenario)
    sites = make_sites(scenario, seed, tally.regions)
    if trace is not None:
        trace.watch(tally, sites)
    source = RequestSource(load, seed, tally)
    send = _sender(scenario, sites, tally)
    processes: list[Process] = []
    changes = _changes(scenario, sites, tally) if scenario.faults or scenario.warm_up_seconds else None
    callers = load.callers
    turn = -1

    def start(now: float) -> Process | None:
        # The caller that has waited longest sends next, as in k6's arrival-rate executors.
        nonlocal turn
        turn += 1
        return send(source.draw(now), turn % callers, False)

    arrivals: Iterator[float] = iter(())
    if isinstance(load, BurstLoad | ClosedLoad):
        processes = closed_loop_callers(load, source, send, stream(seed, "arrivals"))
    else:
        arrivals = arrival_times(load, stream(seed, "arrivals"))
    run_processes(processes, arrivals, start, changes)
    ended = max(tally.unanswered.last_s, *(region.answered.last_s for region in tally.regions.values()))
    tally.elapsed_s = max(0.0, ended - scenario.warm_up_seconds)
    return tally


def _sender(scenario: Scenario, sites: dict[str, Site], tally: Tally) -> Send:
    setup = scenario.gateway
    instances: Sequence[Instance]
    if isinstance(scenario, StackScenario):
        instances = compiled_instances(scenario.deployed, sites, tally)
    elif setup is None:
        return make_direct_client(scenario.client, sites, tally)
    else:
        instances = [RoutingProgram(setup, sites, tally) for _ in range(setup.instances)]
    return make_gateway_client(scenario.client, instances, tally)


def _changes(scenario: Scenario, sites: dict[str, Site], tally: Tally) -> Process:
    """Begin and end faults, and the warm-up."""
    warm = scenario.warm_up_seconds
    for at in sorted({*fault_changes(scenario), *([warm] if warm else [])}):
        yield at
        apply_faults(scenario, sites, at)
        if warm and at == warm:
            tally.clear()
