"""`sinbin local status`: what runs, what is in it, and what it refused."""

import json
from pathlib import Path
from typing import Any

import click

from sinbin.cli.local import FORMAT, STATE, ask, folder_of


@click.command(name="status")
@STATE
@FORMAT
def command(state: Path, form: str) -> None:
    """Say what runs, what is in it, and what it refused."""
    folder = folder_of(state)
    running = folder.running()
    report: dict[str, Any] = {"running": running is not None}
    if running is not None:
        report |= {
            "pid": running.pid,
            "ports": running.ports,
            **ask(running, "status"),
            **ask(running, "gateways"),
        }
    if form == "json":
        click.echo(json.dumps(report, indent=2))
        return
    if running is None:
        click.echo(f"nothing runs from {folder.path}")
        return
    click.echo(f"process {running.pid}, " + ", ".join(f"{name} on {port}" for name, port in running.ports.items()))
    click.echo(f"the page: http://127.0.0.1:{running.ports['page']}/")
    for gateway in report["gateways"]:
        _show_gateway(gateway)
    for heading in ("resources", "refused"):
        click.echo(f"{heading}: {'none' if not report[heading] else ''}".rstrip())
        for name, count in report[heading].items():
            click.echo(f"  {count:4} {name}")


def _show_gateway(gateway: dict[str, Any]) -> None:
    click.echo(f"gateway {gateway['service'] or '(no service is deployed yet)'} on {gateway['url']}")
    for number, instance in enumerate(gateway["instances"], 1):
        for name, breaker in instance["breakers"].items():
            if breaker["open"]:
                click.echo(f"  {name} sits out for {breaker['secondsLeft']:.0f} s more (instance {number})")
    meanwhile = "what was there before goes on" if gateway["instances"] else "callers get 503"
    for problem in gateway["refused"]:
        click.echo(f"  refused, {meanwhile}: {problem}")
    for remark in gateway["notModelled"]:
        click.echo(f"  {remark}")
