"""The options that describe a load on a stack, for every command that puts one there."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from sinbin.cli._number import POSITIVE
from sinbin.simulate.bounds import MOST_TOKENS

Command = TypeVar("Command", bound=Callable[..., Any])
_TOKENS = click.IntRange(1, MOST_TOKENS)

_OPTIONS = (
    click.option("--rps", type=POSITIVE, help="Requests per second."),
    click.option("--duration", type=POSITIVE, default=300.0, show_default=True, help="Seconds."),
    click.option("--prompt-tokens", type=_TOKENS, default=200, show_default=True, help="Of a request."),
    click.option("--completion-tokens", type=_TOKENS, default=50, show_default=True, help="Of a reply."),
    click.option("--max-tokens", type=_TOKENS, help="What callers name as the most; nothing unless given."),
    click.option("--alias", help="The alias that is called; the first unless named."),
)


def load_options(command: Command) -> Command:
    """Add the options that describe a load on a stack."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
