"""`sinbin local token`: a token with which a consumer calls a local gateway that asks for one."""

from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import click

from sinbin.cli._number import Number
from sinbin.cli.local import STATE, ask, running_in
from sinbin.errors import UsageError


@click.command(name="token")
@click.argument("consumer")
@STATE
@click.option("--service", help="The API Management service, where there are several.")
@click.option("--issuer", help="Whose token, where policies trust several.")
@click.option("--audience", help="For whom the token is; default: the first one that the policy accepts.")
@click.option(
    "--claim", "claims", multiple=True, metavar="NAME=VALUE", help="Another claim; VALUE is JSON or text."
)
@click.option("--lifetime", type=Number(min=0), help="Seconds on the gateway's clock; default: an hour.")
def command(consumer: str, state: Path, claims: tuple[str, ...], **given: Any) -> None:
    """Print a token for CONSUMER (its subject and application) that the deployed policies accept.

    The local gateway stands in for Entra, and for any other issuer that policies trust; its tokens are good on
    this machine only, until it is stopped.
    """
    for claim in claims:
        if not claim.partition("=")[0] or "=" not in claim:
            raise UsageError(f"--claim {claim}: is not NAME=VALUE")
    query = [("consumer", consumer), *(("claim", claim) for claim in claims)]
    query += [(name, str(value)) for name, value in given.items() if value is not None]
    click.echo(ask(running_in(state), f"token?{urlencode(query)}")["token"])
