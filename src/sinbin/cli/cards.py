"""`sinbin cards`: published load-test runs, printed and simulated."""

import json
import os
from pathlib import Path

import click

from sinbin.errors import EXIT_FINDINGS, EXIT_OK, SinbinError, UsageError
from sinbin.simulate.bounds import CARD_RUNS

_CARDS = Path("docs/data/run-cards.json")


@click.command(short_help="Simulate published load-test runs.")
@click.argument("cards", required=False, type=click.Path(path_type=Path, dir_okay=False))
@click.option("--runs", type=click.IntRange(1, 10_000), default=CARD_RUNS, show_default=True, help="Replications.")
@click.option("--workers", type=click.IntRange(1, 512), help="Processes; all cores unless said otherwise.")
@click.option("--format", "form", type=click.Choice(["markdown", "json"]), default="markdown", show_default=True)
def command(*, cards: Path | None, runs: int, workers: int | None, form: str) -> int:
    """Simulate the run CARDS (JSON; those of the project here unless named): printed, simulated, difference.

    All cards of the project take about half a minute on two cores; fewer --runs take less.

    Exit code 1 when a card does not come out as printed and nothing is known that speaks against it.
    """
    from sinbin.simulate.progress import progress_bar  # noqa: PLC0415
    from sinbin.simulate.run_card_page import page, read_cards, simulate_cards  # noqa: PLC0415
    from sinbin.simulate.run_cards import ODDITIES  # noqa: PLC0415

    path = cards or _shipped()
    read = read_cards(path)
    with progress_bar(len(read["cards"]) * runs, "replications") as done:
        rows = simulate_cards(read, runs=runs, workers=workers or os.cpu_count() or 1, done=done)
    if form == "json":
        click.echo(json.dumps([row.as_json() for row in rows], indent=2))
    else:
        click.echo(page(rows, str(read.get("source", path))), nl=False)
    return EXIT_OK if all(row.within or row.name in ODDITIES for row in rows) else EXIT_FINDINGS


def _shipped() -> Path:
    from sinbin.engine.project import find_project  # noqa: PLC0415

    try:
        path = find_project(Path.cwd()).root / _CARDS
    except SinbinError as error:
        raise UsageError(f"name a file of run cards: sinbin cards FILE.json ({error})") from error
    if not path.is_file():
        raise UsageError(f"{path}: this project has no run cards; name a file of them: sinbin cards FILE.json")
    return path
