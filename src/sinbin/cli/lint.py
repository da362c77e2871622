"""`sinbin lint`: judges policies, resources and stack files."""

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sinbin.errors import EXIT_FAULT, EXIT_FINDINGS, EXIT_OK, UsageError, extra
from sinbin.lint.context import SCOPES, TIERS

if TYPE_CHECKING:
    from sinbin.lint.configuration import Configuration
    from sinbin.lint.context import Facts
    from sinbin.lint.document import Document
    from sinbin.lint.engine import Report

_FORMATS = ("text", "json", "sarif", "github", "markdown")
_Path = click.Path(path_type=Path)


@click.command()
@click.argument("paths", nargs=-1, type=_Path)
@click.option("-s", "--stack", help="Judge an environment: settings, planned resources and rendered policies.")
@click.option("--scope", type=click.Choice(SCOPES), help="Where the policies are attached.")
@click.option("--tier", type=click.Choice(TIERS), help="Tier of API Management.")
@click.option("--streams", is_flag=True, help="The APIs answer with server-sent events.")
@click.option("--context", "context_file", type=_Path, help="JSON file of facts about files, by file stem.")
@click.option("--fail-on", type=click.Choice(["error", "warning", "note"]), help="Exit 1 from here on (error).")
@click.option("--format", "form", type=click.Choice(_FORMATS), default="text", show_default=True)
@click.option("--fix", "fixing", is_flag=True, help="Repair what can be repaired safely.")
@click.option("--rules", "rules_folder", type=_Path, help="Folder of your own rules; its code is run.")
@click.option("--baseline", type=_Path, help="Forgive what this file lists.")
@click.option("--write-baseline", type=_Path, help="Write what is found today to this file.")
def command(
    *,
    paths: tuple[Path, ...],
    stack: str | None,
    scope: str | None,
    tier: str | None,
    streams: bool,
    context_file: Path | None,
    fail_on: str | None,
    form: str,
    fixing: bool,
    rules_folder: Path | None,
    baseline: Path | None,
    write_baseline: Path | None,
) -> int:
    """Judge policies (XML), ARM resources and templates (JSON), stack files (YAML) and folders of them.

    Exit code 0: nothing at or above --fail-on; 1: findings; 2: a path or an option is wrong; 70: a rule failed.
    """
    from sinbin.lint.baseline import read_baseline  # noqa: PLC0415
    from sinbin.lint.baseline import write_baseline as write  # noqa: PLC0415
    from sinbin.lint.configuration import read_configuration, severity_of  # noqa: PLC0415
    from sinbin.lint.engine import load_rules  # noqa: PLC0415
    from sinbin.lint.reporters import render  # noqa: PLC0415
    from sinbin.lint.rule import kinds_of  # noqa: PLC0415
    from sinbin.lint.run import MAX_ROUNDS, fix, lint  # noqa: PLC0415
    from sinbin.lint.sources import read_paths  # noqa: PLC0415

    if not paths and not stack:
        raise UsageError("nothing to judge was named; name files or folders, for example: sinbin lint policies/")
    configuration = read_configuration(Path.cwd())
    facts = _facts(configuration, context_file, {"scope": scope, "tier": tier, "streams": streams or None})
    baseline = baseline or configuration.baseline
    forgiven = read_baseline(baseline) if baseline and not write_baseline else None
    planned = _stack_documents(stack, facts) if stack else ()

    def judge() -> "Report":
        documents = (*planned, *(read_paths(paths, facts) if paths else ()))
        kinds = kinds_of(family for document in documents for family in document.families)
        rules = load_rules(rules_folder or configuration.rules, kinds)
        return lint(documents, rules, configuration, forgiven)

    report = judge()
    repaired = 0
    for _ in range(MAX_ROUNDS if fixing else 0):
        made = fix(report)
        if not made:
            break
        repaired += made
        report = judge()
    if fixing:
        click.echo(f"{repaired} finding{'s' if repaired != 1 else ''} repaired", err=True)
    if write_baseline:
        write(write_baseline, report.findings)
        click.echo(f"{write_baseline}: {len(report.findings)} findings written", err=True)
        return EXIT_OK
    click.echo(render(form, report, colour=sys.stdout.isatty()), nl=False)
    if report.crashed:
        return EXIT_FAULT
    threshold = severity_of(fail_on) if fail_on else configuration.fail_on
    return EXIT_FINDINGS if report.at_least(threshold) else EXIT_OK


def _facts(configuration: "Configuration", context_file: Path | None, given: Mapping[str, Any]) -> "Facts":
    from sinbin.lint.context import Facts, read_context_file  # noqa: PLC0415

    file = context_file or configuration.context
    facts = read_context_file(file) if file else Facts()
    if facts.unused:
        click.echo(f"{file}: no rule knows these facts: {', '.join(facts.unused)}", err=True)
    told = {key: value for key, value in given.items() if value is not None}
    # What pyproject.toml says of the tier is a default: a file's own facts and the command line know better.
    return replace(facts, given=told, default={"tier": configuration.tier} if configuration.tier else {})


def _stack_documents(stack: str, facts: "Facts") -> "tuple[Document, ...]":
    """Return the stack file and, where it describes a gateway, the plan of it."""
    from dataclasses import asdict  # noqa: PLC0415

    from sinbin.engine.project import find_project  # noqa: PLC0415
    from sinbin.lint.plan_documents import plan_documents  # noqa: PLC0415
    from sinbin.lint.sources import read_paths  # noqa: PLC0415

    project = find_project(Path.cwd())
    if stack not in project.stacks():
        project.settings(stack)  # refuses with the names that there are
    files = read_paths((project.stack_folder / f"Pulumi.{stack}.yaml",), facts)
    if any(document.readings for document in files):
        return files  # what it would create is not known before these are mended
    with extra("deploy", "`sinbin lint -s`"):
        from sinbin.engine.plan import plan_stack  # noqa: PLC0415

        plan = plan_stack(project, stack)
    policies = [(policy.path, policy.scope, policy.text) for policy in plan.policies]
    resources = [asdict(resource) for resource in plan.resources]
    return (*files, *plan_documents(stack, plan.topology.gateway.tier, resources, policies))
