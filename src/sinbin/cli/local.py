"""`sinbin local`: a local Azure that `pulumi up -s local` deploys to."""

import json
import shlex
from pathlib import Path
from typing import Any

import click

from sinbin.errors import UsageError, extra

_STATE = click.option(
    "--state",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(".sinbin/local"),
    show_default=True,
    help="Folder that holds everything.",
)
_FORMAT = click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)


@click.group(name="local")
def command() -> None:
    """Run Azure on this machine: resource manager, Foundry, API Management, and the Pulumi provider."""


@command.command()
@_STATE
@click.option("--foreground", is_flag=True, help="Serve in this process until it is interrupted.")
@click.option("--port", type=click.IntRange(0, 65535), default=4680, show_default=True, help="Of ARM; 0 = any.")
@click.option(
    "--provider-port",
    type=click.IntRange(0, 65535),
    default=4681,
    show_default=True,
    help="Of the provider; 0 = any.",
)
@click.option(
    "--provisioning", type=click.FloatRange(0, 3600), default=0.2, show_default=True,
    help="Seconds that a model deployment takes; slower resources take a multiple.",
)  # fmt: skip
@click.option(
    "--quota", multiple=True, metavar="NAME=UNITS",
    help="Limit of a quota in every region, e.g. OpenAI.Standard.gpt-4.1-mini=60 (thousand tokens per minute).",
)  # fmt: skip
def up(  # noqa: PLR0917  # one argument per option
    state: Path, foreground: bool, port: int, provider_port: int, provisioning: float, quota: tuple[str, ...]
) -> None:
    """Start it; the state of an earlier run is there again."""
    with extra("local", "`sinbin local`"):
        from sinbin.local import azure  # noqa: PLC0415
    options = azure.Options(
        arm_port=port, provider_port=provider_port, provisioning_s=provisioning, quota=dict(map(_quota, quota))
    )
    folder = _folder(state)
    if foreground:
        azure.run(folder, options, lambda running: _say(running.ports))
        return
    running = folder.running()
    if running is not None:
        click.echo(f"already running as process {running.pid}", err=True)
    else:
        running = azure.start(folder, options)
    _say(running.ports)
    click.echo(f'for pulumi: eval "$(sinbin local env{_again(state)})"', err=True)


@command.command()
@_STATE
@click.option("--purge", is_flag=True, help="Remove its state as well, and the state of the stacks in it.")
def down(state: Path, purge: bool) -> None:
    """Stop it; the state stays, unless --purge."""
    folder = _folder(state)
    click.echo("stopped" if folder.stop() else "nothing runs", err=True)
    if purge:
        folder.purge()
        click.echo(f"removed {folder.path}", err=True)


@command.command()
@_STATE
@_FORMAT
def status(state: Path, form: str) -> None:
    """Say what runs, what is in it, and what it refused."""
    folder = _folder(state)
    running = folder.running()
    report: dict[str, Any] = {"running": running is not None}
    if running is not None:
        import httpx  # noqa: PLC0415

        answer = httpx.get(f"http://127.0.0.1:{running.ports['arm']}/sinbin/status", trust_env=False)
        report |= {"pid": running.pid, "ports": running.ports, **answer.raise_for_status().json()}
    if form == "json":
        click.echo(json.dumps(report, indent=2))
        return
    if running is None:
        click.echo(f"nothing runs from {folder.path}")
        return
    click.echo(f"process {running.pid}, " + ", ".join(f"{name} on {port}" for name, port in running.ports.items()))
    for heading in ("resources", "refused"):
        click.echo(f"{heading}: {'none' if not report[heading] else ''}".rstrip())
        for name, count in report[heading].items():
            click.echo(f"  {count:4} {name}")


@command.command()
@_STATE
@_FORMAT
def env(state: Path, form: str) -> None:
    """Print the exports with which plain `pulumi up -s local` works on it."""
    folder = _folder(state)
    running = folder.running()
    if running is None:
        raise UsageError(f"nothing runs from {folder.path}; start it with `sinbin local up{_again(state)}`")
    from sinbin.local.environment import exports  # noqa: PLC0415

    variables = exports(folder, running) | _path_of_engine()
    lines = [f"export {name}={shlex.quote(value)}" for name, value in variables.items()]
    click.echo(json.dumps(variables, indent=2) if form == "json" else "\n".join(lines))


def _folder(state: Path) -> Any:
    with extra("local", "`sinbin local`"):
        from sinbin.local.state_dir import StateDir  # noqa: PLC0415
    return StateDir(state)


def _path_of_engine() -> dict[str, str]:
    """Return the PATH on which `pulumi` is the one that sinbin fetched or built; nothing when the user has one."""
    from sinbin.engine.cli import find_cli  # noqa: PLC0415

    cli = find_cli(Path("tools/pulumi"))
    return {} if cli is None or cli.origin == "path" else cli.environment()


def _quota(text: str) -> tuple[str, int]:
    name, _, units = text.partition("=")
    if not units.isdigit() or name.count(".") < 1:
        raise UsageError(f'--quota "{text}": write NAME=UNITS, for example OpenAI.Standard.gpt-4.1-mini=60')
    return name, int(units)


def _say(ports: dict[str, int]) -> None:
    click.echo(f"control plane on http://127.0.0.1:{ports['arm']}, provider on port {ports['provider']}", err=True)


def _again(state: Path) -> str:
    return "" if state == Path(".sinbin/local") else f" --state {shlex.quote(str(state))}"
