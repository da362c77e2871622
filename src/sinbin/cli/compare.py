"""`sinbin compare`: gateway against client, by the rule of the published tests."""

import json
import os
import sys
from pathlib import Path

import click

_File = click.Path(path_type=Path, dir_okay=False)


@click.command(short_help="Say whether the gateway or the client wins.")
@click.argument("pair", nargs=-1, required=True, type=_File)
@click.option("--runs", type=click.IntRange(1, 100_000), default=10, show_default=True, help="Replications.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the first replication.")
@click.option("--workers", type=click.IntRange(1, 512), help="Processes; all cores unless said otherwise.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(*, pair: tuple[Path, ...], runs: int, seed: int, workers: int | None, form: str) -> None:
    """Simulate a PAIR with the same requests: two files, gateway then client, or one that describes both.

    The one with more than 2 points more success, or a 95th percentile more than 50 ms faster, wins.
    """
    from rich.console import Console  # noqa: PLC0415

    from sinbin.errors import UsageError  # noqa: PLC0415
    from sinbin.simulate.compare import judge, pair_of  # noqa: PLC0415
    from sinbin.simulate.progress import progress_bar  # noqa: PLC0415
    from sinbin.simulate.replications import replicate  # noqa: PLC0415
    from sinbin.simulate.scenario_file import load_scenarios  # noqa: PLC0415
    from sinbin.simulate.tables import print_comparison  # noqa: PLC0415

    scenarios = load_scenarios(pair)
    if len(scenarios) > 2:
        raise UsageError(f"compare takes two scenarios, or one that describes both sides (got {len(scenarios)})")
    if len(scenarios) == 1:
        scenarios = list(pair_of(scenarios[0], str(pair[0])))
    with progress_bar(runs * 2, "replications") as done:
        gateway, client = replicate(
            scenarios, runs=runs, seed=seed, workers=workers or os.cpu_count() or 1, done=done
        )
    verdict = judge(gateway, client)
    if form == "json":
        click.echo(json.dumps(verdict.as_json(), indent=2))
        return
    print_comparison([gateway, client], Console(width=None if sys.stdout.isatty() else 110))
    click.echo(verdict.sentence)
    if not verdict.certain:
        click.echo("the confidence intervals touch the rule's limits; more --runs make it certain", err=True)
