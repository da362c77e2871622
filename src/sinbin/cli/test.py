"""`sinbin test`: unit tests for policies."""

from pathlib import Path

import click

from sinbin.errors import EXIT_FINDINGS


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--format", "form", type=click.Choice(["text", "json", "junit"]), default="text", show_default=True)
@click.pass_context
def command(ctx: click.Context, files: tuple[Path, ...], form: str) -> None:
    """Run the policy tests in FILES (YAML) on a virtual clock.

    A file names policy documents, backends, pools and cases: requests, what the backends answer to each
    attempt, and what is expected of the reply. Only what `expect` names is compared. A failing case shows what
    came instead and what the gateway did, step by step.
    """
    from sinbin.gateway.testing import report, run, suite  # noqa: PLC0415

    results = [result for file in files for result in run.run_suite(suite.load_suite(file))]
    write = {"text": report.as_text, "json": report.as_json, "junit": report.as_junit}[form]
    click.echo(write(results))
    ctx.exit(0 if all(result.passed for result in results) else EXIT_FINDINGS)
