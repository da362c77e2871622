"""The Foundry accounts that are deployed in the local control plane, as regions are configured by."""

from typing import Any

from sinbin.foundry.account import AccountConfig, DeploymentConfig
from sinbin.foundry.latency import known_latency
from sinbin.local.control_plane.quota import ACCOUNTS, DEPLOYMENTS
from sinbin.local.control_plane.store import Record, Store


def deployed_accounts(store: Store, now: float) -> dict[str, AccountConfig]:
    """Return the accounts that serve at `now`, by the name in their address.

    Args:
        store: the state of the control plane.
        now: seconds on the clock of the control plane, which is the wall's.
    """
    accounts = {}
    for record in store.select(ACCOUNTS):
        if _serves(record, now):
            inside = [child for child in store.select(DEPLOYMENTS, parent=record.id) if _serves(child, now)]
            account = _account(record, inside)
            accounts[account.name] = account
    return accounts


def _serves(record: Record, now: float) -> bool:
    # The control plane settles a state when it is next asked; until then only the time tells.
    done = record.state == "Succeeded" or record.ready_at <= now
    return record.state != "Deleting" and (done or record.state == "Updating")


def _account(record: Record, deployments: list[Record]) -> AccountConfig:
    location = record.location or ""
    return AccountConfig(
        name=record.properties.get("customSubDomainName") or record.name,
        location=location,
        keys=tuple(record.secrets[name] for name in ("key1", "key2") if name in record.secrets),
        local_auth=not record.properties.get("disableLocalAuth", False),
        deployments={deployment.name: _deployment(deployment) for deployment in deployments},
        latency=known_latency(location),
    )


def _deployment(record: Record) -> DeploymentConfig:
    model: dict[str, Any] = record.properties["model"]
    return DeploymentConfig(
        name=record.name,
        model=model["name"],
        version=model["version"],
        sku=record.body["sku"]["name"],
        capacity=record.body["sku"]["capacity"],
        spillover=record.properties.get("spilloverDeploymentName"),
    )
