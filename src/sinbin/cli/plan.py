"""`sinbin plan`: what a stack would create, with no engine, no cloud and no login."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sinbin.errors import EXIT_FAULT, EXIT_FINDINGS, EXIT_OK, extra

if TYPE_CHECKING:
    from sinbin.engine.plan import Plan
    from sinbin.engine.project import Project
    from sinbin.lint.configuration import Configuration
    from sinbin.lint.engine import Report


@click.command(short_help="Show what a stack would create.")
@click.option("-s", "--stack", required=True, help="The environment: prod of stacks/Pulumi.prod.yaml.")
@click.option(
    "--lint/--no-lint", "judging", default=True, help="Judge it as `sinbin lint -s` does.", show_default=True
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(stack: str, judging: bool, form: str) -> int:
    """Show every resource and policy that a stack would create.

    Runs the project's Pulumi program inside this process: no engine, no cloud, no login, no provider plugin.
    Secrets read "[secret]"; what only Azure knows, such as a principal, stands in brackets. The JSON has the key
    "findings" only when the plan was judged.

    Exit code 0: nothing to object to; 1: findings that `sinbin lint` fails on; 2: the settings are wrong.
    """
    from sinbin.engine.plan_text import plan_text  # noqa: PLC0415
    from sinbin.engine.project import find_project  # noqa: PLC0415

    project = find_project(Path.cwd())
    with extra("deploy", "`sinbin plan`"):
        from sinbin.engine.plan import plan_stack  # noqa: PLC0415

        plan = plan_stack(project, stack)
    configuration, report = _judge(project, plan) if judging else (None, None)
    if form == "json":
        click.echo(json.dumps(_document(plan, report), indent=2, ensure_ascii=False))
    else:
        click.echo(plan_text(plan))
        if report is not None:
            click.echo("\nfindings" + ("" if report.findings else ": none"))
            for item in report.findings:
                click.echo(f"  {item.path}:{item.line}: {item.rule} [{item.severity.label}] {item.message}")
    if report is None or configuration is None:
        return EXIT_OK
    if report.crashed:
        return EXIT_FAULT
    return EXIT_FINDINGS if report.at_least(configuration.fail_on) else EXIT_OK


def _document(plan: "Plan", report: "Report | None") -> dict[str, object]:
    """Return the JSON form; resources come first, so that the line of a finding is a line of what is printed."""
    document: dict[str, object] = {
        "resources": [asdict(item) for item in plan.resources],
        "policies": [asdict(item) for item in plan.policies],
        "stack": plan.stack,
    }
    if report is not None:
        document["findings"] = [item.as_dict() for item in report.findings]
    return document


def _judge(project: "Project", plan: "Plan") -> "tuple[Configuration, Report]":
    from sinbin.lint.baseline import read_baseline  # noqa: PLC0415
    from sinbin.lint.configuration import read_configuration  # noqa: PLC0415
    from sinbin.lint.context import Facts  # noqa: PLC0415
    from sinbin.lint.engine import load_rules  # noqa: PLC0415
    from sinbin.lint.plan_documents import plan_documents  # noqa: PLC0415
    from sinbin.lint.run import lint  # noqa: PLC0415
    from sinbin.lint.sources import read_paths  # noqa: PLC0415

    configuration = read_configuration(Path.cwd())
    documents = (
        *read_paths((project.stack_folder / f"Pulumi.{plan.stack}.yaml",), Facts()),
        *plan_documents(
            plan.stack,
            plan.topology.gateway.tier,
            [asdict(item) for item in plan.resources],
            [(item.path, item.scope, item.text) for item in plan.policies],
        ),
    )
    forgiven = read_baseline(configuration.baseline) if configuration.baseline else None
    return configuration, lint(documents, load_rules(configuration.rules), configuration, forgiven)
