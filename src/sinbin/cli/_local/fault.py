"""`sinbin local fault`: make a region fail, and let it be well again."""

from pathlib import Path
from typing import Any

import click

from sinbin.cli._number import Number
from sinbin.cli.local import STATE, request, running_in
from sinbin.errors import SinbinError, UsageError

KINDS = (
    *("status", "content-filter", "delay", "reset-before-headers", "reset-in-body", "slow-stream"),
    *("dns", "tls", "region-down", "quota"),
)


@click.command(name="fault")
@click.argument("region")
@click.argument("kind", type=click.Choice(KINDS), required=False)
@STATE
@click.option("--clear", is_flag=True, help="End the region's faults instead.")
@click.option("--deployment", help="Only calls to this deployment.")
@click.option("--status", type=int, help="Of `status`: what to answer, 400 to 599.")
@click.option(
    "--retry-after", type=Number(min=0), help="Of `status`: seconds to ask for; without it none are asked for."
)
@click.option("--delay", type=Number(min=0), help="Of `delay` and `slow-stream`: seconds.")
@click.option(
    "--quota-share", type=Number(min=0), help="Of `quota`: the share that is left: 0.5 = halved, 0 = run dry."
)
@click.option("--calls", type=int, help="For the next so many calls.")
@click.option("--for", "for_s", type=Number(min=0), help="For so many seconds.")
@click.option("--share", type=Number(min=0), help="For this share of the calls, 0 to 1.")
def command(region: str, kind: str | None, state: Path, clear: bool, **values: Any) -> None:
    """Make REGION fail: a KIND of fault, until it is cleared unless --calls or --for end it.

    REGION is a name or a location as `sinbin local regions` lists them.
    """
    given = {_JSON_NAMES[name]: value for name, value in values.items() if value is not None}
    if clear == (kind is not None) or (clear and given):
        raise UsageError("say either a kind of fault or --clear; `sinbin local fault --help` lists the kinds")
    running = running_in(state)
    method, body = ("DELETE", None) if clear else ("POST", {"kind": kind} | given)
    path = f"/regions/{region}/faults"
    answer = request(running, "regions", path, method, headers={"x-sinbin": "1"}, json=body)
    said = answer.json()
    if answer.is_error:
        raise SinbinError(_in_options(said["error"]["message"]))
    if clear:
        click.echo(f"{region}: {'faults ended' if said['cleared'] else 'there was no fault'}", err=True)
    else:
        click.echo(f"{region}: fault {said['number']} begun", err=True)


_JSON_NAMES = {
    "deployment": "deployment",
    "status": "status",
    "retry_after": "retryAfterS",
    "delay": "delayS",
    "quota_share": "quotaShare",
    "calls": "calls",
    "for_s": "forS",
    "share": "share",
}


def _in_options(message: str) -> str:
    """Return a message of the service with the names of the options in place of the JSON's."""
    for option, name in _JSON_NAMES.items():
        if name not in ("status", "deployment", "calls", "share"):  # words that mean other things as well
            message = message.replace(name, "--" + option.removesuffix("_s").replace("_", "-"))
    return message
