"""`sinbin rules`: lists the lint rules, explains one, writes their pages."""

import json
from pathlib import Path

import click

from sinbin.errors import EXIT_FINDINGS, EXIT_OK, UsageError

_Path = click.Path(path_type=Path)


@click.command()
@click.argument("rule_id", metavar="[ID]", required=False)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--rules", "rules_folder", type=_Path, help="Folder of your own rules; its code is run.")
@click.option("--write", "folder", type=_Path, help="Write a page per rule into this folder.")
@click.option("--check", is_flag=True, help="With --write: change nothing, exit 1 when a page is out of date.")
def command(*, rule_id: str | None, form: str, rules_folder: Path | None, folder: Path | None, check: bool) -> int:
    """List the rules, or explain the one with this ID."""
    from sinbin.lint.engine import load_rules  # noqa: PLC0415
    from sinbin.lint.page import page_of, stale_pages, summary_of, write_pages  # noqa: PLC0415

    rules = load_rules(rules_folder)
    if folder is not None:
        stale = stale_pages(folder, rules)
        if check:
            for name in stale:
                click.echo(f"{folder / name}: out of date; run `sinbin rules --write {folder}`", err=True)
            return EXIT_FINDINGS if stale else EXIT_OK
        write_pages(folder, rules)
        click.echo(f"{folder}: {len(stale)} pages changed", err=True)
        return EXIT_OK
    if rule_id:
        chosen = [rule for rule in rules if rule_id.lower() in (rule.id.lower(), rule.name)]
        if not chosen:
            raise UsageError(f'there is no rule "{rule_id}"; `sinbin rules` lists them')
        rules = tuple(chosen)
    if form == "json":
        entries = [
            {
                "id": rule.id,
                "name": rule.name,
                "severity": rule.severity.label,
                "summary": summary_of(rule),
                "source": rule.source,
            }
            for rule in rules
        ]
        click.echo(json.dumps({"rules": entries}, indent=2, ensure_ascii=False))
    elif rule_id:
        click.echo(page_of(rules[0]), nl=False)
    else:
        for rule in rules:
            click.echo(f"{rule.id}  {rule.severity.label:<7}  {rule.name:<40}  {summary_of(rule)}")
    return EXIT_OK
