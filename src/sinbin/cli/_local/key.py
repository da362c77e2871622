"""`sinbin local key`: the key with which a consumer calls the local gateway."""

from pathlib import Path

import click

from sinbin.cli.local import STATE, folder_of, running_in
from sinbin.errors import SinbinError


@click.command(name="key")
@click.argument("consumer")
@STATE
@click.option("--service", help="The API Management service, where there are several.")
@click.option("--secondary", is_flag=True, help="The second key of the subscription instead.")
def command(consumer: str, state: Path, service: str | None, secondary: bool) -> None:
    """Print the key of CONSUMER (a subscription), for example for OPENAI_API_KEY."""
    running_in(state)
    click.echo(read_key(state, consumer, service, secondary=secondary))


def read_key(state: Path, consumer: str, service: str | None = None, *, secondary: bool = False) -> str:
    """Return the key of `consumer` in the local Azure of the folder `state`.

    Raises:
        SinbinError: there is no such consumer, or several services have it.
    """
    from sinbin.local.control_plane.store import Store  # noqa: PLC0415 - only here

    store = Store(folder_of(state).database)
    try:
        subscriptions = store.select("Microsoft.ApiManagement/service/subscriptions")
    finally:
        store.close()
    found = {
        (record.parent.rpartition("/")[2], record.name): record
        for record in subscriptions
        if service is None or record.parent.lower().endswith(f"/{service.lower()}")
    }
    matching = [record for (_, name), record in found.items() if name == consumer]
    if len(matching) > 1:
        services = ", ".join(sorted(owner for owner, name in found if name == consumer))
        raise SinbinError(f'consumer "{consumer}": several services have it; choose with --service: {services}')
    if not matching:
        known = ", ".join(sorted({name for _, name in found})) or "none"
        raise SinbinError(f'there is no consumer "{consumer}" in the local Azure; there are: {known}')
    return matching[0].secrets["properties.secondaryKey" if secondary else "properties.primaryKey"]
