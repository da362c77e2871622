"""Backends of API Management: single ones with a circuit breaker, and pools of them."""

from collections.abc import Iterator, Mapping
from typing import Any

from sinbin.durations import parse_duration
from sinbin.local.control_plane import policy_text
from sinbin.local.control_plane.entity import SERVICES, Entity, entity_reference
from sinbin.local.control_plane.errors import validation_error
from sinbin.local.control_plane.resource import Draft, Scene
from sinbin.local.control_plane.store import Record

_POOL_SIZE = 30
_RULES = 1
"""The definition allows 15 rules, the service takes one.

Source: https://learn.microsoft.com/azure/api-management/backends, read 2026-11-29.
"""


class Backend(Entity):
    """Where requests go; a pool has members instead of an address.

    Source: refusals quoted in https://github.com/Azure/bicep/issues/14097 (address of a pool),
    https://learn.microsoft.com/azure/api-management/backends (one rule, 30 members, no pool in a pool),
    read 2026-11-29. Wording of the other refusals: assumed.
    """

    type = f"{SERVICES}/backends"
    model = "azure.mgmt.apimanagement.models:BackendContract"
    label = "Backend"

    def check(self, scene: Scene, draft: Draft) -> None:
        kind = draft.properties.setdefault("type", "Single")
        reasons = [*_pool(scene, draft)] if kind == "Pool" else [*_single(draft)]
        reasons += _breaker(draft.properties)
        if reasons:
            raise validation_error(reasons[0][0], "\n".join(message for _, message in reasons))

    def check_delete(self, scene: Scene, record: Record, query: Mapping[str, str]) -> None:
        del query
        pools = [
            other.id
            for other in scene.store.select(self.type, parent=record.parent)
            for member in (other.properties.get("pool") or {}).get("services") or ()
            if member["id"].lower() == record.id.lower()
        ]
        used_by = [*pools, *policy_text.users(scene, record.parent, "backends", record.name)]
        if used_by:
            raise validation_error(
                "backendId",
                f"Backend '{record.name}' can't be deleted, because it is used by {', '.join(used_by)}",
            )


def _single(draft: Draft) -> Iterator[tuple[str, str]]:
    for name in ("url", "protocol"):
        if draft.properties.get(name) is None:
            yield name, f"{name.capitalize()} is required for a backend of type Single"
    if draft.properties.get("pool") is not None:
        yield "pool", "Pool is not supported for a backend of type Single"


def _pool(scene: Scene, draft: Draft) -> Iterator[tuple[str, str]]:
    for name in ("url", "protocol"):
        if draft.properties.get(name) is not None:
            yield name, f"{name.capitalize()} is not supported for backend pool"
    members = (draft.properties.get("pool") or {}).get("services") or []
    if not 1 <= len(members) <= _POOL_SIZE:
        yield "pool.services", f"A backend pool has 1 to {_POOL_SIZE} services, and this one has {len(members)}"
    for index, member in enumerate(members):
        where = f"pool.services[{index}].id"
        found = entity_reference(scene, draft.parent, "backends", member["id"])
        if found is None:
            yield where, f"Backend with id '{member['id']}' could not be found"
        elif found.id.lower() == draft.id.lower() or found.properties["type"] == "Pool":
            yield where, f"Backend '{found.name}' is a pool; only backends of type Single can be in a pool"
        else:
            member["id"] = found.id


def _breaker(properties: dict[str, Any]) -> Iterator[tuple[str, str]]:
    breaker = properties.get("circuitBreaker")
    if breaker is None:
        return
    rules = breaker.get("rules") or []
    if len(rules) != _RULES:
        yield "circuitBreaker.rules", f"A circuit breaker has exactly one rule, and this one has {len(rules)}"
    for index, rule in enumerate(rules):
        path = f"circuitBreaker.rules[{index}]"
        condition = rule.get("failureCondition") or {}
        if condition.get("count") is None and condition.get("percentage") is None:
            yield f"{path}.failureCondition", "A rule needs the count or the percentage of failures that trips it"
        for where, text in (
            (f"{path}.failureCondition.interval", condition.get("interval")),
            (f"{path}.tripDuration", rule.get("tripDuration")),
        ):
            try:
                parse_duration(text or "")
            except ValueError as error:
                yield where, f"{where.rpartition('.')[2]}: {error}"
        for codes in condition.get("statusCodeRanges") or ():
            if codes.get("min") is None or codes.get("max") is None or codes["min"] > codes["max"]:
                yield (
                    f"{path}.failureCondition.statusCodeRanges",
                    f"The range from {codes.get('min')} to {codes.get('max')} holds no status code",
                )
