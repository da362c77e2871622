"""`sinbin local`: a local Azure that `pulumi up -s local` deploys to."""

import json
import shlex
from pathlib import Path
from typing import Any

import click

from sinbin.cli import Commands
from sinbin.errors import SinbinError, UsageError, extra

ANSWER_S = 5.0
"""Within which the local Azure answers a question about itself."""


def default_state() -> Path:
    """Return the usual folder: in the project that the current folder is in, else in the current folder."""
    from sinbin.local.state_dir import DEFAULT  # noqa: PLC0415

    return _project() / DEFAULT


def _project() -> Path:
    from sinbin.engine.project import project_root  # noqa: PLC0415

    return project_root(Path.cwd()) or Path.cwd()


STATE = click.option(
    "--state",
    type=click.Path(path_type=Path, file_okay=False),
    default=default_state,
    show_default=".sinbin/local in the project",
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
def env(state: Path, form: str) -> None:
    """Print the exports with which plain `pulumi up -s local` works on it."""
    running = running_in(state)
    from sinbin.local.environment import exports  # noqa: PLC0415

    variables = exports(folder_of(state), running) | _path_of_engine()
    lines = [f"export {name}={shlex.quote(value)}" for name, value in variables.items()]
    click.echo(json.dumps(variables, indent=2) if form == "json" else "\n".join(lines))


def request(running: Any, service: str, path: str, method: str = "GET", **more: Any) -> Any:
    """Return the answer of a service of the local Azure.

    Raises:
        SinbinError: it gives none.
    """
    import httpx  # noqa: PLC0415 - only commands that ask need it

    url = f"http://127.0.0.1:{running.ports[service]}{path}"
    try:
        return httpx.request(method, url, trust_env=False, timeout=ANSWER_S, **more)
    except httpx.TransportError as error:
        raise SinbinError(
            f"the local Azure (process {running.pid}) does not answer; end it with `sinbin local down`"
        ) from error


def ask(running: Any, path: str) -> Any:
    """Return what the local Azure says of itself below `/sinbin/`.

    Raises:
        SinbinError: it has no such thing, refuses what was asked for, or does not answer.
    """
    answer = request(running, "arm", f"/sinbin/{path}")
    said = answer.json()
    if answer.status_code in (400, 404):
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

    cli = find_cli(_project() / "tools/pulumi")
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
    return "" if state.absolute() == default_state() else f" --state {shlex.quote(str(state))}"
