"""`sinbin engine`: which Pulumi CLI is used, and getting one where there is none."""

import json
from pathlib import Path

import click

from sinbin.errors import EXIT_FINDINGS, EXIT_OK, extra


@click.command(short_help="Find the Pulumi CLI, or install or build it.")
@click.option("--find", "only_find", is_flag=True, help="Only look; exit 1 when there is none.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(only_find: bool, form: str) -> int:
    """Print which Pulumi CLI is used; install or build one when there is none.

    In this order: `pulumi` on PATH, one that sinbin got before, the official installer, a build from the Go module
    proxy (needs Go). What sinbin gets stays in `~/.cache/sinbin` or in `SINBIN_CACHE`.
    """
    from sinbin.engine.project import find_project  # noqa: PLC0415

    with extra("deploy", "`sinbin engine`"):
        from sinbin.engine.cli import find_cli, get_cli  # noqa: PLC0415

    tools = find_project(Path.cwd()).root / "tools" / "pulumi"
    cli = find_cli(tools) if only_find else get_cli(tools, lambda line: click.echo(line, err=True))
    if cli is None:
        click.echo("there is no fitting Pulumi CLI on this machine; `sinbin engine` gets one", err=True)
        return EXIT_FINDINGS
    if form == "json":
        click.echo(json.dumps({"executable": str(cli.executable), "version": cli.version, "origin": cli.origin}))
    else:
        click.echo(f"{cli.executable}  {cli.version}  ({cli.origin})")
    return EXIT_OK
