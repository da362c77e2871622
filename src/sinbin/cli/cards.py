"""`sinbin cards`: published load-test runs, printed and simulated."""

import json
import os
from pathlib import Path

import click

from sinbin.errors import EXIT_FINDINGS, EXIT_OK


@click.command(short_help="Simulate published load-test runs.")
@click.argument("cards", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--runs", type=click.IntRange(1, 10_000), default=10, show_default=True, help="Of a steady run.")
@click.option("--workers", type=click.IntRange(1, 512), help="Processes; all cores unless said otherwise.")
@click.option("--format", "form", type=click.Choice(["markdown", "json"]), default="markdown", show_default=True)
def command(*, cards: Path, runs: int, workers: int | None, form: str) -> int:
    """Simulate the run CARDS (JSON) and show what was printed, what is simulated, and the difference.

    Exit code 1 when a card does not come out as printed and nothing is known that speaks against it.
    """
    from sinbin.simulate.progress import progress_bar  # noqa: PLC0415
    from sinbin.simulate.run_card_page import page, read_cards, simulate_cards  # noqa: PLC0415
    from sinbin.simulate.run_cards import ODDITIES  # noqa: PLC0415

    read = read_cards(cards)
    with progress_bar(len(read["cards"]), "cards") as done:
        rows = simulate_cards(read, runs=runs, workers=workers or os.cpu_count() or 1, done=done)
    if form == "json":
        click.echo(json.dumps([row.as_json() for row in rows], indent=2))
    else:
        click.echo(page(rows, str(read.get("source", cards))), nl=False)
    return EXIT_OK if all(row.within or row.name in ODDITIES for row in rows) else EXIT_FINDINGS
