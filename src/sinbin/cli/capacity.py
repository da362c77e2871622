"""`sinbin capacity`: which limit binds, what to buy, how to route."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sinbin.cli._load import load_options
from sinbin.cli._number import Number
from sinbin.errors import UsageError

if TYPE_CHECKING:
    from sinbin.simulate.consumer_limits import Allowance
    from sinbin.simulate.scenario import Scenario
    from sinbin.simulate.sizing import Lost

_File = click.Path(path_type=Path, dir_okay=False)


@click.command(short_help="Plan quota: what binds, what to buy, how to route.")
@click.argument("scenario", required=False, type=_File)
@click.option("-s", "--stack", help="Plan for this environment instead: prod of stacks/Pulumi.prod.yaml.")
@load_options
@click.option("--target", type=Number(1, 100), default=99.9, show_default=True, help="Success, %.")
@click.option("--survive/--no-survive", default=True, show_default=True, help="Reach it with one region lost.")
@click.option("--search", is_flag=True, help="Try routings too, and say which is best and why.")
@click.option("--runs", type=click.IntRange(1, 10_000), default=5, show_default=True, help="Replications.")
@click.option("--workers", type=click.IntRange(1, 512), help="Processes; all cores unless said otherwise.")
@click.option("--prices", type=_File, help="Price list (JSON); the one that comes with sinbin unless named.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(
    *,
    scenario: Path | None,
    target: float,
    survive: bool,
    search: bool,
    runs: int,
    workers: int | None,
    prices: Path | None,
    form: str,
    **options: Any,
) -> None:
    """Say for a load (a SCENARIO, or a stack and --rps) which limit binds where and what reaches the target.

    Consumers of a stack, each with an equal share of the load, are held to their own limits too. Everything is
    simulated as it is in the long run: a full minute of quota at the start decides nothing.
    """
    from sinbin.simulate.capacity_plan import plan  # noqa: PLC0415
    from sinbin.simulate.cost import load_prices  # noqa: PLC0415
    from sinbin.simulate.plan_tables import print_plan  # noqa: PLC0415
    from sinbin.simulate.progress import progress_bar  # noqa: PLC0415
    from sinbin.simulate.tables import stdout_console  # noqa: PLC0415

    if (scenario is None) == (options["stack"] is None):
        raise UsageError("name either a scenario file or a stack: sinbin capacity chat.yaml, or -s prod --rps 20")
    known = load_prices(prices)
    if scenario is not None:
        deployed, limits = _with_cap(scenario)
        wanted, groups = _of_file(deployed)
    else:
        deployed, limits = _as_deployed(options)
        wanted, groups = _of_stack(options)
    cases: list[Lost] = [(), *groups] if survive and len(groups) > 1 else [()]
    with progress_bar(0, "replications") as done:
        found = plan(
            wanted,
            cases,
            deployed=deployed,
            limits=limits,
            target_pct=target,
            runs=runs,
            workers=workers or os.cpu_count() or 1,
            prices=known,
            search_routings=search,
            done=done,
        )
    if form == "json":
        click.echo(json.dumps(found.as_json(), indent=2))
        return
    print_plan(found, stdout_console())


def _with_cap(path: Path) -> "tuple[Scenario, list[Allowance]]":
    from sinbin.simulate.consumer_limits import cap  # noqa: PLC0415
    from sinbin.simulate.scenario_file import load_scenario  # noqa: PLC0415

    scenario = load_scenario(path)
    return scenario, cap(scenario)


def _of_file(scenario: "Scenario") -> "tuple[Scenario, list[Lost]]":
    from sinbin.simulate.consumer_limits import without_cap  # noqa: PLC0415

    return without_cap(scenario), [(region,) for region in scenario.regions]


def _of_stack(options: dict[str, Any]) -> "tuple[Scenario, list[Lost]]":
    from sinbin.cli.simulate import read_stack  # noqa: PLC0415
    from sinbin.simulate.stack_load import load_of  # noqa: PLC0415
    from sinbin.simulate.stack_routing import routing_scenario  # noqa: PLC0415

    topology = read_stack(options["stack"]).topology
    scenario = routing_scenario(topology, load_of(options), alias=options["alias"])
    where = {one.name: one.region for one in topology.backends if one.name in scenario.regions}
    return scenario, [
        tuple(name for name, at in where.items() if at == region) for region in dict.fromkeys(where.values())
    ]


def _as_deployed(options: dict[str, Any]) -> "tuple[Scenario, list[Allowance]]":
    """Return the load on the stack with its policies, and what its consumers' limits let through."""
    from sinbin.cli.simulate import read_stack  # noqa: PLC0415
    from sinbin.simulate.capacity import demand_of  # noqa: PLC0415
    from sinbin.simulate.consumer_limits import allowances  # noqa: PLC0415
    from sinbin.simulate.stack import callers_of, find_route, stack_scenario  # noqa: PLC0415
    from sinbin.simulate.stack_load import load_of  # noqa: PLC0415

    stack = read_stack(options["stack"])
    scenario = stack_scenario(stack, load_of(options), alias=options["alias"])
    consumers = callers_of(stack.topology, find_route(stack.topology, options["alias"]), None)
    return scenario, allowances(consumers, demand_of(scenario), scenario.deployed.instances)
