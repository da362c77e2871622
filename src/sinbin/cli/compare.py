"""`sinbin compare`: gateway against client, by the rule of the published tests."""

import json
import os
from pathlib import Path

import click

from sinbin.cli._policies import with_policies

_File = click.Path(path_type=Path, dir_okay=False)


@click.command(short_help="Say whether the gateway or the client wins.")
@click.argument("pairs", nargs=-1, required=True, type=_File)
@click.option("--runs", type=click.IntRange(1, 100_000), default=10, show_default=True, help="Replications.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the first replication.")
@click.option("--workers", type=click.IntRange(1, 512), help="Processes; all cores unless said otherwise.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(*, pairs: tuple[Path, ...], runs: int, seed: int, workers: int | None, form: str) -> None:
    """Simulate PAIRS with the same requests: files that describe both sides, or gateway and client in turn.

    The one with more than 2 points more success, or a 95th percentile more than 50 ms faster, wins. Two gateways,
    or two clients, are shown side by side by `sinbin simulate A.yaml B.yaml`.
    """
    from sinbin.simulate.compare import judge, pairs_of  # noqa: PLC0415
    from sinbin.simulate.cost import load_prices  # noqa: PLC0415
    from sinbin.simulate.progress import announce, progress_bar  # noqa: PLC0415
    from sinbin.simulate.replications import replicate  # noqa: PLC0415
    from sinbin.simulate.scenario_file import load_scenarios  # noqa: PLC0415
    from sinbin.simulate.tables import print_comparison, print_prices, stdout_console  # noqa: PLC0415

    known = pairs_of(load_scenarios(pairs), [str(path) for path in pairs])
    sides = with_policies([side for pair in known for side in pair], seed)
    announce(sides, runs)
    with progress_bar(runs * len(sides), "replications") as done:
        results = replicate(sides, runs=runs, seed=seed, workers=workers or os.cpu_count() or 1, done=done)
    verdicts = [judge(*results[index : index + 2]) for index in range(0, len(results), 2)]
    if form == "json":
        documents = [verdict.as_json() for verdict in verdicts]
        click.echo(json.dumps(documents[0] if len(documents) == 1 else documents, indent=2))
        return
    console = stdout_console()
    print_comparison(results, console)
    print_prices(results, load_prices(), console)
    for verdict in verdicts:
        click.echo(f"{verdict.gateway.scenario.name} and {verdict.client.scenario.name}: {verdict.sentence}")
        if not verdict.certain:
            click.echo("  the confidence intervals touch the rule's limits; more --runs make it certain", err=True)
