"""`sinbin loadtest`: a load sent by k6 to the local Azure or to Azure, measured as the simulator predicts."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sinbin.cli._loadtest import loadtest_options, of_file, of_stack
from sinbin.errors import EXIT_FINDINGS, UsageError

if TYPE_CHECKING:
    from sinbin.simulate.cost import Prices
    from sinbin.simulate.results import Result

_File = click.Path(path_type=Path, dir_okay=False)


@click.command(short_help="Send a load to a gateway with k6, and measure.")
@click.argument("scenario_file", metavar="[SCENARIO]", required=False, type=_File)
@loadtest_options
@click.option(
    "--require", "wanted", multiple=True, metavar="'FIGURE>=N'", help="Fail (exit 1) unless it is reached."
)
@click.option("--compare", is_flag=True, help="Simulate the same load too, side by side.")
@click.option("--runs", type=click.IntRange(1, 100_000), default=10, show_default=True, help="Of the simulation.")
@click.option("--prices", type=_File, help="Price list (JSON); the one that comes with sinbin unless named.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.pass_context
def command(
    context: click.Context,
    /,
    *,
    scenario_file: Path | None,
    wanted: tuple[str, ...],
    compare: bool,
    runs: int,
    prices: Path | None,
    form: str,
    **options: Any,
) -> None:
    """Send a load to the gateway of a stack with k6: on this machine, or with --azure where it costs money.

    The figures are the simulator's, and with --compare what it predicts stands beside what was measured. The key
    of the local gateway is looked up; that of one in Azure is read from the variable SINBIN_LOADTEST_KEY.

    With a SCENARIO instead of a stack its own gateway and regions are served on this machine while the test runs.

    Figures of --require: success_pct, goodput_rps, calls_per_request, refused_calls, median_ms, p95_ms, and
    share_pct:BACKEND; for example --require 'success_pct>=99' --require 'p95_ms<=1500'. Unquoted, the shell takes
    < and > for itself.
    """
    from sinbin.loadtest.differences import differences  # noqa: PLC0415
    from sinbin.loadtest.estimate import estimate  # noqa: PLC0415
    from sinbin.loadtest.k6 import find_k6  # noqa: PLC0415
    from sinbin.loadtest.requirements import read_requirement  # noqa: PLC0415
    from sinbin.loadtest.run import run_load  # noqa: PLC0415
    from sinbin.simulate.cost import load_prices  # noqa: PLC0415
    from sinbin.simulate.progress import progress_bar  # noqa: PLC0415
    from sinbin.simulate.replications import replicate  # noqa: PLC0415

    if (scenario_file is None) == (options["stack"] is None):
        raise UsageError("name either a stack or a scenario file: sinbin loadtest -s local, or chat.yaml")
    k6 = find_k6()
    known = load_prices(prices)
    scenario, gateway = of_stack(options) if scenario_file is None else of_file(scenario_file, options, context)
    size = estimate(scenario, known)
    where = "in Azure, which costs money" if options["azure"] else "on this machine, which costs nothing; in Azure"
    click.echo(f"{scenario.name}: {where}: {size.sentence(known)}", err=True)
    if options["azure"] and not options["yes"]:
        raise UsageError("this load would be sent to Azure and paid for; add --yes to send it")
    with gateway() as target:
        requirements = [read_requirement(text, scenario.regions, target.speed) for text in wanted]
        faster = "" if target.speed == 1 else f", {target.speed:g} times as fast as the wall's clock"
        click.echo(f"sending to {target.url}{faster}", err=True)
        with progress_bar(round(size.requests), "requests") as done:
            measured = run_load(scenario, target, k6, known, requirements=requirements, done=done)
    for remark in measured.remarks:
        click.echo(f"remark: {remark}", err=True)
    simulated = None
    if compare:
        [simulated] = replicate([scenario], runs=runs, workers=os.cpu_count() or 1, prices=known)
        for why in differences(measured.result, simulated, target):
            click.echo(f"may differ: {why}", err=True)
    _show(measured.result, simulated, known, form)
    for line in measured.missed:
        click.echo(line, err=True)
    if measured.missed:
        context.exit(EXIT_FINDINGS)


def _show(measured: "Result", simulated: "Result | None", prices: "Prices", form: str) -> None:
    from sinbin.loadtest.result import renamed  # noqa: PLC0415
    from sinbin.simulate import tables  # noqa: PLC0415

    if form == "json":
        found = measured.as_json()
        both = found if simulated is None else {"simulated": simulated.as_json(), "measured": found}
        click.echo(json.dumps(both, indent=2))
        return
    console = tables.stdout_console()
    tables.print_result(measured, console)
    if simulated is not None:
        tables.print_comparison([renamed(simulated, "simulated"), renamed(measured, "measured")], console)
        tables.print_assumptions(simulated, console)
    tables.print_prices([measured], prices, console)
