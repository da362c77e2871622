"""The options of `sinbin loadtest`, what they describe, and where it is sent."""

import os
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from sinbin.cli._number import POSITIVE, Number
from sinbin.cli.local import STATE, again, ask, running_in
from sinbin.errors import UsageError, extra
from sinbin.loadtest.loads import KINDS
from sinbin.simulate.bounds import MOST_TOKENS

if TYPE_CHECKING:
    from sinbin.loadtest.target import Target
    from sinbin.simulate.scenario import Scenario
    from sinbin.topology import Topology

Command = TypeVar("Command", bound=Callable[..., Any])
_TOKENS = click.IntRange(1, MOST_TOKENS)
_COUNT = click.IntRange(1, 1_000_000)

_OPTIONS = (
    click.option("-s", "--stack", help="The environment: prod of stacks/Pulumi.prod.yaml."),
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
    STATE,
    click.option(
        "--speed",
        type=Number(0.1, 1000),
        default=1.0,
        show_default=True,
        help="Of the clock of a scenario's gateway; a local Azure has its own.",
    ),
)
_OF_A_STACK = (
    *("kind", "rate", "duration", "requests", "callers", "prompt_tokens", "max_tokens"),
    *("alias", "consumer", "azure", "yes", "url", "state"),
)
"""Parameters that a scenario file leaves nothing to say for."""
Gateway = Callable[[], AbstractContextManager["Target"]]
"""Makes the gateway ready to be sent to, for as long as the block runs."""


def loadtest_options(command: Command) -> Command:
    """Add the options that say which load goes where."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def of_stack(options: Mapping[str, Any]) -> "tuple[Scenario, Gateway]":
    """Return the load on a stack as a scenario, and the gateway that it goes to.

    Raises:
        SinbinError: the stack does not describe a gateway, or nobody may call the alias.
    """
    from sinbin.cli.simulate import read_stack  # noqa: PLC0415
    from sinbin.loadtest.loads import load_of  # noqa: PLC0415
    from sinbin.simulate.stack import callers_of, find_route, stack_scenario  # noqa: PLC0415

    if options["speed"] != 1:
        raise UsageError(
            "--speed is for scenario files; a local Azure is made faster with `sinbin local up --speed`"
        )
    deployed = read_stack(options["stack"])
    topology, kind = deployed.topology, options["kind"]
    alias = find_route(topology, options["alias"]).alias
    caller = callers_of(topology, find_route(topology, alias), options["consumer"])[0].name
    scenario = stack_scenario(deployed, load_of(kind, options), alias=alias, consumer=caller)
    named = scenario.model_copy(update={"name": f"{scenario.name}, {kind}, {caller}"})
    return named, lambda: nullcontext(_find_target(topology, alias, caller, options))


def of_file(path: Path, options: Mapping[str, Any], context: click.Context) -> "tuple[Scenario, Gateway]":
    """Return the scenario of a file, and its own gateway on this machine.

    Raises:
        SinbinError: the file describes none, or options speak of a stack's load.
    """
    from sinbin.simulate.scenario_file import load_scenario  # noqa: PLC0415

    for name in _OF_A_STACK:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise UsageError(
                f"a scenario file says itself what is sent where; leave --{name.replace('_', '-')} out"
            )
    with extra("local", "a load test of a scenario"):
        from sinbin.loadtest.rehearsal import rehearse  # noqa: PLC0415
    scenario = load_scenario(path)
    return scenario, lambda: rehearse(scenario, options["speed"])


def _find_target(topology: "Topology", alias: str, consumer: str, options: Mapping[str, Any]) -> "Target":
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
    from sinbin.loadtest.differences import sitting_out  # noqa: PLC0415
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
        begins=sitting_out(next(one for one in found["gateways"] if one["service"] == name)),
    )
