"""The API Management services in the local control plane, as gateways are configured by."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from sinbin.gateway.configuration import GatewayConfiguration, PolicySource
from sinbin.local.control_plane.entity import SERVICES
from sinbin.local.control_plane.policy_text import POLICY_TYPES
from sinbin.local.control_plane.quota import ACCOUNTS
from sinbin.local.control_plane.resources.apis import APIS
from sinbin.local.control_plane.resources.products import PRODUCTS, SUBSCRIPTIONS
from sinbin.local.control_plane.store import Record, Store
from sinbin.local.gateway import entities
from sinbin.local.gateway.issuer import LocalIssuer, Trust, trusts


@dataclass(frozen=True, slots=True, kw_only=True)
class DeployedGateway:
    """What one service has to do, and what it says that the local gateway does not do."""

    configuration: GatewayConfiguration
    not_modelled: tuple[str, ...] = ()
    trusts: tuple[Trust, ...] = ()
    """What its policies ask of callers' tokens."""


def deployed_gateways(store: Store, now: float, epoch_s: float, issuer: LocalIssuer) -> dict[str, DeployedGateway]:
    """Return the services that serve at `now`, by name.

    Args:
        store: the state of the control plane.
        now: seconds on the clock of the control plane, which is the wall's.
        epoch_s: Unix time (s) at the zero of the gateways' clock.
        issuer: who stands in for the issuers of callers' tokens.
    """
    return {
        record.name: _gateway(store, record, epoch_s, issuer)
        for record in store.select(SERVICES)
        if serves(record, now)
    }


def serves(record: Record, now: float) -> bool:
    """Return whether a service answers callers at `now`: it is made, and is not being deleted."""
    # The control plane settles a state when it is next asked; until then only the time tells.
    if record.state == "Deleting":
        return False
    return record.state in {"Succeeded", "Updating"} or record.ready_at <= now


def _gateway(store: Store, service: Record, epoch_s: float, issuer: LocalIssuer) -> DeployedGateway:
    inside: dict[str, list[Record]] = {}
    for record in store.select(under=service.id):
        inside.setdefault(record.type, []).append(record)
    policies = {
        record.parent.lower(): _source(service, record)
        for kind in POLICY_TYPES
        for record in inside.get(kind, ())
        if kind != f"{SERVICES}/policyFragments"
    }
    fragments = tuple(
        (record.name, _source(service, record)) for record in inside.get(f"{SERVICES}/policyFragments", ())
    )
    named_values = tuple(
        (record.properties["displayName"], record.secrets["properties.value"])
        for record in inside.get(f"{SERVICES}/namedValues", ())
    )
    sources = [*policies.values(), *(source for _, source in fragments)]
    trusted = trusts((source.text for source in sources), dict(named_values))
    backends = inside.get(f"{SERVICES}/backends", [])
    locations = _locations(store)
    configuration = GatewayConfiguration(
        backends=tuple(
            entities.backend(record, locations.get(_subdomain(record.properties["url"]), ""))
            for record in backends
            if record.properties["type"] != "Pool"
        ),
        pools=tuple(entities.pool(record) for record in backends if record.properties["type"] == "Pool"),
        apis=tuple(
            entities.api(
                record,
                policies.get(record.id.lower()),
                [
                    (operation, policies.get(operation.id.lower()))
                    for operation in inside.get(f"{APIS}/operations", ())
                    if operation.parent.lower() == record.id.lower()
                ],
            )
            for record in inside.get(APIS, ())
        ),
        products=tuple(
            entities.product(record, _apis_of(record, inside), policies.get(record.id.lower()))
            for record in inside.get(PRODUCTS, ())
        ),
        subscriptions=tuple(entities.subscription(record) for record in inside.get(SUBSCRIPTIONS, ())),
        policy=policies.get(service.id.lower()),
        fragments=fragments,
        named_values=named_values,
        tier=service.body["sku"]["name"],
        region=service.location or "",
        service_name=service.name,
        epoch_s=epoch_s,
        openid_documents=issuer.documents(trusted),
    )
    return DeployedGateway(configuration=configuration, not_modelled=tuple(_not_modelled(inside)), trusts=trusted)


def _source(service: Record, record: Record) -> PolicySource:
    """Return the text of a policy, named as messages call it: its id below the service."""
    name = record.id[len(service.id) + 1 :].removesuffix("/policies/policy")
    return PolicySource(text=record.properties["value"], name=f"{service.name}/{name}")


def _apis_of(product: Record, inside: dict[str, list[Record]]) -> list[str]:
    links = [*inside.get(f"{PRODUCTS}/apis", ()), *inside.get(f"{PRODUCTS}/apiLinks", ())]
    return [
        str(link.properties["apiId"]).rpartition("/")[2]
        for link in links
        if link.parent.lower() == product.id.lower()
    ]


def _locations(store: Store) -> dict[str, str]:
    """Return the region of each Foundry account by the first word of its address."""
    return {
        str(record.properties.get("customSubDomainName") or record.name).lower(): record.location or ""
        for record in store.select(ACCOUNTS)
    }


def _subdomain(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").partition(".")[0]
    except ValueError:
        return ""  # no URL at all; sending to it will fail, and say so


def _not_modelled(inside: dict[str, list[Record]]) -> Iterator[str]:
    for record in inside.get(f"{SERVICES}/backends", ()):
        yield from entities.not_modelled(record)
    for record in inside.get(PRODUCTS, ()):
        if record.properties.get("subscriptionRequired") is False:
            yield f"product {record.name}: subscriptionRequired false is not modelled, its APIs ask for a key"
    for record in inside.get(APIS, ()):
        if (kind := record.properties.get("type") or "http") not in {"http", "websocket"}:
            yield f"API {record.name}: the type {kind} is not modelled, it is served as an HTTP API"
