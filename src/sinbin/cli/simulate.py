"""`sinbin simulate`: what a load would get from a gateway or a client."""

import json
import os
import sys
from pathlib import Path

import click

from sinbin.errors import SinbinError, UsageError

_File = click.Path(path_type=Path, dir_okay=False)


@click.command(short_help="Predict what a load gets, from a scenario or a stack.")
@click.argument("scenarios", nargs=-1, type=_File)
@click.option("--runs", type=click.IntRange(1, 100_000), default=10, show_default=True, help="Replications.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the first replication.")
@click.option("--workers", type=click.IntRange(1, 512), help="Processes; all cores unless said otherwise.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--prices", type=_File, help="Price list (JSON); the one that comes with sinbin unless named.")
@click.option("--trace", type=_File, help="Write every event of the first replication (CSV).")
def command(
    *,
    scenarios: tuple[Path, ...],
    runs: int,
    seed: int,
    workers: int | None,
    form: str,
    prices: Path | None,
    trace: Path | None,
) -> None:
    """Simulate SCENARIO files on a virtual clock; several are shown side by side.

    Every figure comes with a 95 % confidence interval over the replications. The same seed gives the same
    figures on every machine and on any number of cores.
    """
    from rich.console import Console  # noqa: PLC0415

    from sinbin.simulate.cost import load_prices  # noqa: PLC0415
    from sinbin.simulate.progress import progress_bar  # noqa: PLC0415
    from sinbin.simulate.replications import replicate  # noqa: PLC0415
    from sinbin.simulate.scenario_file import load_scenarios  # noqa: PLC0415
    from sinbin.simulate.tables import print_comparison, print_result  # noqa: PLC0415

    if not scenarios:
        raise UsageError("nothing to simulate was named; name a scenario file: sinbin simulate chat.yaml")
    known = load_prices(prices)
    wanted = load_scenarios(scenarios)
    if trace is not None:
        _write_trace(trace, wanted[0], seed)
    with progress_bar(runs * len(wanted), "replications") as done:
        results = replicate(
            wanted, runs=runs, seed=seed, workers=workers or os.cpu_count() or 1, prices=known, done=done
        )
    if form == "json":
        documents = [result.as_json() for result in results]
        click.echo(json.dumps(documents[0] if len(documents) == 1 else documents, indent=2))
        return
    console = Console(width=None if sys.stdout.isatty() else 110)
    for result in results:
        print_result(result, console)
    if len(results) > 1:
        print_comparison(results, console)


def _write_trace(path: Path, scenario: object, seed: int) -> None:
    from sinbin.simulate.run import run  # noqa: PLC0415
    from sinbin.simulate.scenario import Scenario  # noqa: PLC0415
    from sinbin.simulate.trace import TraceWriter  # noqa: PLC0415

    assert isinstance(scenario, Scenario)
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            run(scenario, seed, TraceWriter(file))
    except OSError as error:
        raise SinbinError(f"{path}: cannot be written: {error.strerror}") from error
