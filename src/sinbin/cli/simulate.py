"""`sinbin simulate`: what a load would get from a gateway or a client."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sinbin.cli._load import load_options
from sinbin.cli._policies import with_policies
from sinbin.errors import SinbinError, UsageError

if TYPE_CHECKING:
    from sinbin.simulate.scenario import Scenario
    from sinbin.simulate.stack import Stack

_FAULT = (
    "From second FROM to TO, e.g. outage:uksouth:120:240. KIND is outage (VALUE: the status, else 503), quota "
    "(VALUE: the share that is left) or slow (VALUE: how many times slower). May be given several times."
)
_File = click.Path(path_type=Path, dir_okay=False)


@click.command(short_help="Predict what a load gets, from a scenario or a stack.")
@click.argument("scenarios", nargs=-1, type=_File)
@click.option("-s", "--stack", help="Simulate this environment instead: prod of stacks/Pulumi.prod.yaml.")
@load_options
@click.option("--routing-only", is_flag=True, help="Leave policies out: pools, breakers and retries.")
@click.option("--fault", "faults", multiple=True, metavar="KIND:REGION:FROM:TO[:VALUE]", help=_FAULT)
@click.option("--runs", type=click.IntRange(1, 100_000), default=10, show_default=True, help="Replications.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the first replication.")
@click.option("--workers", type=click.IntRange(1, 512), help="Processes; all cores unless said otherwise.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--html", type=_File, help="Write a report with pictures: one file.")
@click.option(
    "--pictures", type=click.Path(path_type=Path, file_okay=False), help="Write the pictures here, as SVG and PNG."
)
@click.option("--prices", type=_File, help="Price list (JSON); the one that comes with sinbin unless named.")
@click.option("--trace", type=_File, help="Write every event of the first replication (CSV).")
def command(
    *,
    scenarios: tuple[Path, ...],
    faults: tuple[str, ...],
    runs: int,
    seed: int,
    workers: int | None,
    form: str,
    html: Path | None,
    pictures: Path | None,
    prices: Path | None,
    trace: Path | None,
    **options: Any,
) -> None:
    """Simulate SCENARIO files, or a stack under a load, on a virtual clock; several are shown side by side.

    Every figure comes with a 95 % confidence interval over the replications. The same seed gives the same
    figures on every machine and on any number of cores.
    """
    from sinbin.simulate.cost import load_prices  # noqa: PLC0415
    from sinbin.simulate.progress import announce, progress_bar  # noqa: PLC0415
    from sinbin.simulate.replications import replicate  # noqa: PLC0415
    from sinbin.simulate.report.files import check_places, load_png, write_report  # noqa: PLC0415
    from sinbin.simulate.tables import print_comparison, print_prices, print_result, stdout_console  # noqa: PLC0415

    check_places((html, pictures, trace))
    if pictures is not None:
        load_png()
    known = load_prices(prices)
    wanted = _wanted(scenarios, faults, options)
    if not options["routing_only"]:
        wanted = with_policies(wanted, seed)
    announce(wanted, runs)
    if trace is not None:
        _write_trace(trace, wanted[0], seed)
    with progress_bar(runs * len(wanted), "replications") as done:
        results = replicate(
            wanted, runs=runs, seed=seed, workers=workers or os.cpu_count() or 1, prices=known, done=done
        )
    write_report(results, known, html, pictures)
    if form == "json":
        documents = [result.as_json() for result in results]
        click.echo(json.dumps(documents[0] if len(documents) == 1 else documents, indent=2))
        return
    console = stdout_console()
    for result in results:
        print_result(result, console)
    if len(results) > 1:
        print_comparison(results, console)
    print_prices(results, known, console)


def read_stack(name: str) -> "Stack":
    """Return what the stack `name` of the project here deploys.

    Raises:
        SinbinError: there is no project or no such stack, or it does not describe a gateway.
    """
    from sinbin.engine.plan import render_policies  # noqa: PLC0415
    from sinbin.engine.project import find_project  # noqa: PLC0415
    from sinbin.simulate.stack import Stack  # noqa: PLC0415

    project = find_project(Path.cwd())
    topology = project.settings(name).to_topology()
    values = project.module("policy_templates.rendered").named_values(topology)
    return Stack(
        topology=topology,
        policies=render_policies(project, topology),
        operations=project.module("policy_templates.inference_api.operations").OPERATIONS,
        named_values={value.name: value.value for value in values},
    )


def _wanted(paths: tuple[Path, ...], faults: tuple[str, ...], options: dict[str, Any]) -> "list[Scenario]":
    from sinbin.simulate.scenario_file import load_scenarios, with_faults  # noqa: PLC0415
    from sinbin.simulate.stack import region_backends, stack_scenario  # noqa: PLC0415
    from sinbin.simulate.stack_load import fault_of, load_of, spread_faults  # noqa: PLC0415
    from sinbin.simulate.stack_routing import routing_scenario  # noqa: PLC0415

    read = [fault_of(text) for text in faults]
    name = options["stack"]
    if bool(paths) == bool(name):
        raise UsageError("name either scenario files or a stack: sinbin simulate chat.yaml, or -s prod --rps 20")
    if not name:
        return [with_faults(scenario, read) for scenario in load_scenarios(paths)]
    stack, load = read_stack(name), load_of(options)
    scenario: Scenario
    if options["routing_only"]:
        scenario = routing_scenario(stack.topology, load, alias=options["alias"])
    else:
        scenario = stack_scenario(stack, load, alias=options["alias"])
    spread = spread_faults(read, lambda region: region_backends(stack.topology, region, scenario))
    return [with_faults(scenario, spread)]


def _write_trace(path: Path, scenario: "Scenario", seed: int) -> None:
    from sinbin.simulate.run import run  # noqa: PLC0415
    from sinbin.simulate.trace import TraceWriter  # noqa: PLC0415

    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            run(scenario, seed, TraceWriter(file))
    except OSError as error:
        raise SinbinError(f"{path}: cannot be written: {error.strerror}") from error
