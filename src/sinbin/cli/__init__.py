"""The command line: `sinbin COMMAND`, one module of this package per command.

A command is a module with an attribute `command`; the module's name is the command's name (an underscore
becomes a hyphen); a name that begins with an underscore is none. Modules import what is heavy inside the
command, so that `sinbin --help` stays quick.
"""

import gc
import importlib
import io
import os
import pkgutil
import sys
import traceback
from typing import Any

import click

from sinbin import __version__
from sinbin.errors import EXIT_FAULT, EXIT_INPUT, EXIT_OK, SinbinError

_OBJECTS_BETWEEN_COLLECTIONS = 50_000


class Commands(click.Group):
    """Finds commands by the names of the modules in a package, beside those that are added to it."""

    def __init__(self, name: str | None = None, *, package: str = __name__, **attributes: Any) -> None:
        super().__init__(name, **attributes)
        self._package = package

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names of the commands."""
        path = importlib.import_module(self._package).__path__
        found = {module.name.replace("_", "-") for module in pkgutil.iter_modules(path) if module.name[0] != "_"}
        return sorted(found | self.commands.keys())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name, None if there is none."""
        added = super().get_command(ctx, cmd_name)
        if added is not None or cmd_name not in self.list_commands(ctx):
            return added
        module = importlib.import_module(f"{self._package}.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="sinbin")
def _sinbin() -> None:
    """Deploy, judge, rehearse and read an AI gateway on Azure API Management.

    A region that answers 429 goes to the sin bin: it sits out for a minute while the others play on.
    """


def main() -> None:
    """Run the command line and exit: 0 fine, 1 findings, 2 the input is wrong, 70 a fault of sinbin."""
    # A command makes many objects that live until it ends: looking for garbage among them is work for nothing.
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    # A terminal that cannot show a character gets its escape: no reason to lose the whole answer.
    # One that was closed (`>&-`) is nowhere to write to, no reason to fail.
    sys.stdout, sys.stderr = sys.stdout or io.StringIO(), sys.stderr or io.StringIO()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        # Not `_sinbin.main`, which would answer a closed pipe with 1, the code of findings.
        with _sinbin.make_context("sinbin", sys.argv[1:]) as context:
            code = _sinbin.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as error:
        code = error.exit_code
    except click.ClickException as error:
        error.show()
        code = EXIT_INPUT
    except (click.Abort, KeyboardInterrupt):
        click.echo("stopped", err=True)
        code = 130
    except BrokenPipeError:
        # The reader of our output went away (`sinbin … | head`): not a fault, and nothing left to say.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = EXIT_OK
    except SinbinError as error:
        click.echo(f"error: {error}", err=True)
        code = EXIT_INPUT
    except OSError as error:
        what = f"{error.filename}: " if error.filename else ""
        click.echo(f"error: {what}{(error.strerror or str(error)).lower()}", err=True)
        code = EXIT_INPUT
    except Exception:  # noqa: BLE001
        traceback.print_exc()
        click.echo(
            "error: this is a fault of sinbin, not of your input; please report it with the lines above",
            err=True,
        )
        code = EXIT_FAULT
    sys.exit(code if isinstance(code, int) else 0)
