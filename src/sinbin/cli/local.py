"""`sinbin local`: a local Azure that `pulumi up -s local` deploys to."""

import json
import shlex
from pathlib import Path
from typing import Any

import click

from sinbin.cli import Commands
from sinbin.errors import SinbinError, UsageError, extra

STATE = click.option(
    "--state",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(".sinbin/local"),
    show_default=True,
    help="Folder that holds everything.",
)
FORMAT = click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)


@click.group(name="local", cls=Commands, package="sinbin.cli._local")
def command() -> None:
    """Run Azure on this machine: resource manager, Foundry, API Management, and the Pulumi provider."""


@command.command()
@STATE
@click.option("--purge", is_flag=True, help="Remove its state as well, and the state of the stacks in it.")
def down(state: Path, purge: bool) -> None:
    """Stop it; the state stays, unless --purge."""
    folder = folder_of(state)
    click.echo("stopped" if folder.stop() else "nothing runs", err=True)
    if purge:
        click.echo(folder.purge(), err=True)


@command.command()
@STATE
@FORMAT
def status(state: Path, form: str) -> None:
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
    for gateway in report["gateways"]:
        _show_gateway(gateway)
    for heading in ("resources", "refused"):
        click.echo(f"{heading}: {'none' if not report[heading] else ''}".rstrip())
        for name, count in report[heading].items():
            click.echo(f"  {count:4} {name}")


@command.command()
@STATE
@FORMAT
def env(state: Path, form: str) -> None:
    """Print the exports with which plain `pulumi up -s local` works on it."""
    running = running_in(state)
    from sinbin.local.environment import exports  # noqa: PLC0415

    variables = exports(folder_of(state), running) | _path_of_engine()
    lines = [f"export {name}={shlex.quote(value)}" for name, value in variables.items()]
    click.echo(json.dumps(variables, indent=2) if form == "json" else "\n".join(lines))


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


def ask(running: Any, path: str) -> Any:
    """Return what the local Azure says of itself below `/sinbin/`.

    Raises:
        SinbinError: it has no such thing.
    """
    import httpx  # noqa: PLC0415 - only commands that ask need it

    answer = httpx.get(f"http://127.0.0.1:{running.ports['arm']}/sinbin/{path}", trust_env=False)
    said = answer.json()
    if answer.status_code == 404:
        raise SinbinError(said["error"]["message"])
    answer.raise_for_status()
    return said


def folder_of(state: Path) -> Any:
    """Return the folder of a local Azure.

    Raises:
        MissingExtraError: the packages of the local Azure are not installed.
    """
    with extra("local", "`sinbin local`"):
        from sinbin.local.state_dir import StateDir  # noqa: PLC0415
    return StateDir(state)


def _path_of_engine() -> dict[str, str]:
    """Return the PATH on which `pulumi` is the one that sinbin fetched or built; nothing when the user has one."""
    from sinbin.engine.cli import find_cli  # noqa: PLC0415

    cli = find_cli(Path("tools/pulumi"))
    return {} if cli is None or cli.origin == "path" else cli.environment()


def running_in(state: Path) -> Any:
    """Return what runs from a folder.

    Raises:
        UsageError: nothing does.
    """
    folder = folder_of(state)
    running = folder.running()
    if running is None:
        raise UsageError(f"nothing runs from {folder.path}; start it with `sinbin local up{again(state)}`")
    return running


def again(state: Path) -> str:
    """Return the words that name `state` again in a command to type, empty for the usual folder."""
    return "" if state == Path(".sinbin/local") else f" --state {shlex.quote(str(state))}"
