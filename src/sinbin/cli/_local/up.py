"""`sinbin local up`: start a local Azure."""

import difflib
import re
from pathlib import Path

import click

from sinbin.cli._number import Number
from sinbin.cli.local import STATE, again, folder_of
from sinbin.errors import UsageError, extra


@click.command(name="up")
@STATE
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
    "--regions-port",
    type=click.IntRange(0, 65535),
    default=4682,
    show_default=True,
    help="Of the server that `sinbin local regions` asks; 0 = any, for the regions themselves too.",
)
@click.option(
    "--page-port", type=click.IntRange(0, 65535), default=4683, show_default=True, help="Of the page; 0 = any."
)
@click.option(
    "--speed",
    type=Number(0.001, 100_000),
    default=1.0,
    show_default=True,
    help="How many times faster time passes in gateways and regions: at 60 a minute passes in one.",
)
@click.option(
    "--gateway-port", type=click.IntRange(0, 65535), default=4690, show_default=True,
    help="Of the first API Management service, others take the ports after it; 0 = any.",
)  # fmt: skip
@click.option(
    "--gateway-instances", type=click.IntRange(1, 100), default=1, show_default=True,
    help="Unsynchronised instances of every gateway, which answer in turn.",
)  # fmt: skip
@click.option(
    "--policy-delay", type=Number(0, 3600), default=0.0, show_default=True,
    help="Seconds until a change reaches the gateways; in Azure it may take two minutes.",
)  # fmt: skip
@click.option("--trace", is_flag=True, help="Keep a trace of every request, not only of those that ask for it.")
@click.option(
    "--provisioning", type=Number(0, 3600), default=0.2, show_default=True,
    help="Seconds that a model deployment takes; slower resources take a multiple.",
)  # fmt: skip
@click.option(
    "--quota", multiple=True, metavar="NAME=UNITS",
    help="Limit of a quota in every region, e.g. OpenAI.Standard.gpt-4.1-mini=60 (thousand tokens per minute).",
)  # fmt: skip
def command(  # noqa: PLR0917  # one argument per option
    state: Path,
    foreground: bool,
    port: int,
    provider_port: int,
    regions_port: int,
    page_port: int,
    speed: float,
    gateway_port: int,
    gateway_instances: int,
    policy_delay: float,
    trace: bool,
    provisioning: float,
    quota: tuple[str, ...],
) -> None:
    """Start it; the state of an earlier run is there again."""
    with extra("local", "`sinbin local`"):
        from sinbin.local import azure  # noqa: PLC0415
        from sinbin.local.state_dir import AlreadyRunningError  # noqa: PLC0415
    options = azure.Options(
        arm_port=port,
        provider_port=provider_port,
        regions_port=regions_port,
        page_port=page_port,
        speed=speed,
        gateway_port=gateway_port,
        gateway_instances=gateway_instances,
        policy_delay_s=policy_delay,
        trace_all=trace,
        provisioning_s=provisioning,
        quota=_quotas(quota),
    )
    folder = folder_of(state)
    if foreground:
        azure.run(folder, options, lambda running: _say(running.ports))
        return
    try:
        running = azure.start(folder, options)
    except AlreadyRunningError as other:
        running = other.running
        click.echo(f"already running as process {running.pid}", err=True)
    _say(running.ports)
    click.echo(f'for pulumi: eval "$(sinbin local env{again(state)})"', err=True)
    click.echo(
        f"for the OpenAI client: base_url http://127.0.0.1:{running.ports['gateway']}/openai/v1, "
        f"api_key $(sinbin local key CONSUMER{again(state)})",
        err=True,
    )


def _quotas(texts: tuple[str, ...]) -> dict[str, int]:
    """Return the limits by the name of the quota.

    Raises:
        UsageError: a text is not NAME=UNITS, names no quota that there is, or one that was named before.
    """
    from sinbin.local.control_plane import quota  # noqa: PLC0415 - only here

    known = {name.lower(): name for name, _, _ in quota.names()}
    limits: dict[str, int] = {}
    for text in texts:
        name, _, units = text.partition("=")
        if not re.fullmatch("[0-9]{1,9}", units):
            raise UsageError(
                f'--quota "{text}": write NAME=UNITS with at most nine digits, for example '
                "OpenAI.Standard.gpt-4.1-mini=60"
            )
        if name not in known.values():
            near = [known[found] for found in difflib.get_close_matches(name.lower(), known)]
            raise UsageError(
                f'--quota "{text}": there is no quota "{name}"; '
                + (f"near it: {', '.join(near)}" if near else f"there are: {', '.join(known.values())}")
            )
        if name in limits:
            raise UsageError(f'--quota "{text}": {name} is limited twice; say it once')
        limits[name] = int(units)
    return limits


def _say(ports: dict[str, int]) -> None:
    click.echo(
        f"gateway on http://127.0.0.1:{ports['gateway']}, control plane on http://127.0.0.1:{ports['arm']}, "
        f"provider on port {ports['provider']}, regions on http://127.0.0.1:{ports['regions']}\n"
        f"look at it, and make regions fail: http://127.0.0.1:{ports['page']}/",
        err=True,
    )
