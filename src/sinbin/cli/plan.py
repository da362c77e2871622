"""`sinbin plan`: what a stack would create, with no engine, no cloud and no login."""

import json
from dataclasses import asdict
from pathlib import Path

import click

from sinbin.errors import extra


@click.command(short_help="Show what a stack would create.")
@click.option("-s", "--stack", required=True, help="The environment: prod of stacks/Pulumi.prod.yaml.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(stack: str, form: str) -> None:
    """Show every resource and policy that a stack would create.

    Runs the project's Pulumi program inside this process: no engine, no cloud, no login, no provider plugin.
    Secrets read "[secret]"; what only Azure knows, such as a principal, stands in brackets.
    """
    from sinbin.engine.plan_text import plan_text  # noqa: PLC0415
    from sinbin.engine.project import find_project  # noqa: PLC0415

    project = find_project(Path.cwd())
    with extra("deploy", "`sinbin plan`"):
        from sinbin.engine.plan import plan_stack  # noqa: PLC0415

        plan = plan_stack(project, stack)
    if form == "text":
        click.echo(plan_text(plan))
        return
    document = {
        "stack": plan.stack,
        "resources": [asdict(item) for item in plan.resources],
        "policies": [asdict(item) for item in plan.policies],
    }
    click.echo(json.dumps(document, indent=2))
