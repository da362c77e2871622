"""The options of `sinbin loadtest`, and where its load goes."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sinbin.cli._number import POSITIVE
from sinbin.cli.local import STATE, again, ask, running_in
from sinbin.errors import UsageError
from sinbin.loadtest.loads import KINDS
from sinbin.simulate.bounds import MOST_TOKENS

if TYPE_CHECKING:
    from sinbin.loadtest.target import Target
    from sinbin.topology import Topology

Command = TypeVar("Command", bound=Callable[..., Any])
_TOKENS = click.IntRange(1, MOST_TOKENS)
_COUNT = click.IntRange(1, 1_000_000)

_OPTIONS = (
    click.option("-s", "--stack", required=True, help="The environment: prod of stacks/Pulumi.prod.yaml."),
    click.option("--kind", type=click.Choice(KINDS), default="steady", show_default=True, help="Of load."),
    click.option(
        "--rate", type=POSITIVE, default=2.0, show_default=True, help="Requests per second; not of a burst."
    ),
    click.option("--duration", type=POSITIVE, default=60.0, show_default=True, help="Seconds; not of a burst."),
    click.option("--requests", type=_COUNT, default=200, show_default=True, help="Of a burst."),
    click.option("--callers", type=click.IntRange(1, 5000), default=20, show_default=True, help="That send."),
    click.option("--prompt-tokens", type=_TOKENS, default=20, show_default=True, help="Of a request."),
    click.option("--max-tokens", type=_TOKENS, default=5, show_default=True, help="Of a reply, at most."),
    click.option("--alias", help="The alias that is called; the first unless named."),
    click.option("--consumer", help="Who calls; the first that may unless named."),
    click.option("--azure", is_flag=True, help="Send it to Azure, not to the local Azure."),
    click.option("--yes", is_flag=True, help="Go ahead although it costs money."),
    click.option("--url", help="Address of the gateway in Azure, where it has a domain of its own."),
    click.option("--prices", type=click.Path(path_type=Path, dir_okay=False), help="Price list (JSON)."),
    STATE,
)


def loadtest_options(command: Command) -> Command:
    """Add the options that say which load goes where."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def find_target(topology: "Topology", alias: str, consumer: str, options: Mapping[str, Any]) -> "Target":
    """Return the gateway that the load goes to.

    Raises:
        SinbinError: the local Azure does not run or has no such gateway, or there is no key.
    """
    return _in_azure(topology, alias, options) if options["azure"] else _local(topology, alias, consumer, options)


def _in_azure(topology: "Topology", alias: str, options: Mapping[str, Any]) -> "Target":
    from sinbin.loadtest.target import KEY, TOKEN, Target, chat_url  # noqa: PLC0415

    url = chat_url(options["url"] or f"https://{topology.gateway.name}.azure-api.net")
    key, token = os.environ.get(KEY, ""), os.environ.get(TOKEN, "")
    if not key:
        raise UsageError(f"there is no key for {url}; put the subscription key of the caller into {KEY}")
    if topology.entra is not None and not token:
        raise UsageError(f"the gateway wants a token beside the key; put one into {TOKEN}")
    return Target(url, alias, key, token)


def _local(topology: "Topology", alias: str, consumer: str, options: Mapping[str, Any]) -> "Target":
    from sinbin.cli._local.key import read_key  # noqa: PLC0415
    from sinbin.loadtest.target import TOKEN, Target, chat_url  # noqa: PLC0415

    if options["url"]:
        raise UsageError("--url names a gateway in Azure; add --azure")
    state, name = options["state"], topology.gateway.name
    found = ask(running_in(state), "gateways")
    urls = {one["service"]: one["url"] for one in found["gateways"] if one["service"]}
    if name not in urls:
        known = ", ".join(urls) or "none"
        raise UsageError(
            f"the local Azure has no gateway {name} (it has: {known}); deploy it: "
            f'eval "$(sinbin local env{again(state)})" and pulumi up -s {topology.environment}'
        )
    return Target(
        chat_url(urls[name]),
        alias,
        read_key(state, consumer, name),
        os.environ.get(TOKEN, ""),
        (("x-sinbin-trace", "1"),),
        found["speed"],
    )
