"""What must hold between values of the settings: references, duplicates, what a tier can do.

The checks read the raw object, not the validated one, so that they still speak when some other value has the
wrong shape: whoever mends a stack file sees every problem at once. A part of the wrong shape is passed over
here; the schema has already named it.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from sinbin import naming
from sinbin.settings.regions import known_regions

Path = tuple[str | int, ...]
Problem = tuple[Path, str]

_ZONAL_TIERS = ("Premium", "PremiumV2")
_MULTI_REGION_TIERS = ("Premium",)
# Source: https://learn.microsoft.com/azure/api-management/api-management-features, read 2026-11-29.
_LARGEST_CAPACITY = {"Developer": 1, "Basic": 2, "Standard": 4}
_POOL_MEMBERS = 30
"""Source: https://learn.microsoft.com/azure/api-management/backends, read 2026-11-29."""


def check_settings(raw: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield every problem between values of `raw`, with the path of the value that has to change."""
    yield from _check_lists(raw)
    yield from _check_gateway(_mapping(raw.get("apiManagement")), raw)
    regions = [name for _, region in _items(raw, "regions") if isinstance(name := region.get("location"), str)]
    for index, model in _items(raw, "models"):
        yield from _check_model(("models", index), model, regions)
    yield from _check_retries(raw)
    yield from _check_consumers(raw, regions)
    identity = _mapping(raw.get("identity"))
    if _mapping(identity.get("entra")).get("audiences") == []:
        yield ("identity", "entra", "audiences"), "is empty; list at least one audience that a token may be for"
    if identity.get("callers") == "entra" and "entra" not in identity:
        yield ("identity",), 'callers "entra" needs entra: {tenant, audiences}'
    if identity.get("callers", "subscriptionKey") == "subscriptionKey" and "entra" in identity:
        yield ("identity", "entra"), 'is only read with callers: "entra"'
    monitoring = _mapping(raw.get("monitoring"))
    if monitoring.get("alerts") and monitoring.get("applicationInsights") is False:
        yield ("monitoring", "alerts"), "need applicationInsights: true, which holds the figures they watch"


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _items(raw: Mapping[str, Any], key: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    value = raw.get(key)
    for index, item in enumerate(value if isinstance(value, list) else ()):
        yield index, _mapping(item)


def _names(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _check_lists(raw: Mapping[str, Any]) -> Iterator[Problem]:
    """Lists that must not be empty, and names that must be given once."""
    for key, name, what in (
        ("regions", "location", "region"),
        ("models", "alias", "model"),
        ("consumers", "name", "consumer"),
    ):
        if raw.get(key) == []:
            yield (key,), f"is empty; list at least one {what}"
        seen: dict[str, int] = {}
        for index, item in _items(raw, key):
            value = item.get(name)
            if not isinstance(value, str):
                continue
            slug = naming.slug(value)
            if slug in seen:
                yield (
                    (key, index, name),
                    f'"{value}" is taken by {key}.{seen[slug]}; give every {what} a name of its own',
                )
            seen.setdefault(slug, index)


def _check_gateway(gateway: Mapping[str, Any], raw: Mapping[str, Any]) -> Iterator[Problem]:
    tier = gateway.get("tier")
    if not isinstance(tier, str):
        return
    capacity, largest = gateway.get("capacity", 1), _LARGEST_CAPACITY.get(tier)
    if largest is not None and isinstance(capacity, int) and capacity > largest:
        yield ("apiManagement", "capacity"), f"{capacity} is more than tier {tier} takes; at most {largest}"
    if capacity == 0 and tier != "Consumption":
        yield ("apiManagement", "capacity"), f"tier {tier} needs at least 1 unit"
    if gateway.get("zones") and tier not in _ZONAL_TIERS:
        yield (
            ("apiManagement", "zones"),
            f"tier {tier} has no availability zones; they need {' or '.join(_ZONAL_TIERS)}",
        )
    places: list[tuple[Path, Mapping[str, Any]]] = [(("apiManagement",), gateway)]
    if gateway.get("additionalLocations") and tier not in _MULTI_REGION_TIERS:
        yield ("apiManagement", "additionalLocations"), f"tier {tier} runs in one region; several need Premium"
    places += [
        (("apiManagement", "additionalLocations", index), place)
        for index, place in _items(gateway, "additionalLocations")
    ]
    for path, place in places:
        region = known_regions().get(str(place.get("location")))
        if place.get("zones") and region and not region.availability_zones:
            yield (*path, "zones"), f"{region.name} has no availability zones"
    if tier == "Consumption":
        for index, model in _items(raw, "models"):
            if model.get("circuitBreaker", {}) is not None:
                yield (
                    ("models", index, "circuitBreaker"),
                    "tier Consumption has no circuit breakers; write circuitBreaker: null",
                )
        for index, consumer in _items(raw, "consumers"):
            for key in ("tokensPerMinute", "tokenQuota"):
                if key in consumer:
                    yield (
                        ("consumers", index, key),
                        "tier Consumption has no token limits; remove it or take another tier",
                    )


def _check_model(path: Path, model: Mapping[str, Any], regions: list[str]) -> Iterator[Problem]:
    if model.get("deployments") == []:
        yield (*path, "deployments"), "is empty; list at least one deployment of the model"
    breaker = model.get("circuitBreaker")
    if breaker == [] or (isinstance(breaker, Mapping) and "rules" in breaker):
        yield (
            (*path, "circuitBreaker"),
            (
                "Azure refuses an empty list of breaker rules, and takes one rule only; "
                "give its keys here, or write circuitBreaker: null to leave the breaker out"
            ),
        )
    deployed: set[str] = set()
    members = 0
    for index, deployment in _items(model, "deployments"):
        named = _names(deployment.get("regions")) if "regions" in deployment else regions
        for place, name in enumerate(named):
            if "regions" in deployment and name not in regions:
                yield (*path, "deployments", index, "regions", place), _not_a_region(name, regions)
        if deployment.get("regions") == []:
            yield (*path, "deployments", index, "regions"), "is empty; leave it out for every region"
        deployed |= set(named)
        members += len(named)
    if members > _POOL_MEMBERS:
        yield (*path, "deployments"), f"make {members} backends; a pool holds at most {_POOL_MEMBERS}"
    routing = _mapping(model.get("routing"))
    weights = routing.get("weights")
    if isinstance(weights, Mapping):
        for name in weights:
            if name not in deployed:
                yield (*path, "routing", "weights", str(name)), _not_a_region(str(name), sorted(deployed))
        missing = sorted(deployed - set(weights))
        if missing:
            yield (
                (*path, "routing", "weights"),
                f"{', '.join(missing)} has none; every region of the model needs a weight",
            )
    single = routing.get("region")
    if isinstance(single, str) and single not in deployed:
        yield (*path, "routing", "region"), _not_a_region(single, sorted(deployed))


def _check_retries(raw: Mapping[str, Any]) -> Iterator[Problem]:
    """One policy serves all aliases: a pause that grows is an attribute of its retry, so all must share it."""
    retries = [model.get("retry", {}) for _, model in _items(raw, "models")]
    if all(retry == retries[0] for retry in retries):
        return
    for index, retry in enumerate(retries):
        if _mapping(retry).get("deltaSeconds") is not None:
            yield (
                ("models", index, "retry", "deltaSeconds"),
                "needs the same retry on every model; give all the same, or a fixed interval here",
            )


def _check_consumers(raw: Mapping[str, Any], regions: list[str]) -> Iterator[Problem]:
    aliases = {alias: model for _, model in _items(raw, "models") if isinstance(alias := model.get("alias"), str)}
    segmented = {
        alias for alias, model in aliases.items() if _mapping(model.get("routing")).get("strategy") == "segmented"
    }
    known = known_regions()
    segments = sorted({known[name].segment for name in regions if name in known})
    for index, consumer in _items(raw, "consumers"):
        path: Path = ("consumers", index)
        models = _names(consumer.get("models"))
        if consumer.get("models") == []:
            yield (*path, "models"), "is empty; list the aliases this consumer may call"
        for place, alias in enumerate(models):
            if alias not in aliases:
                yield (
                    (*path, "models", place),
                    f'"{alias}" is no alias of this stack; known: {", ".join(aliases) or "none"}',
                )
        zone = consumer.get("dataZone")
        wants = sorted(segmented & set(models))
        if wants and zone is None:
            yield path, f"needs dataZone (one of {', '.join(segments)}), because {wants[0]} is routed by data zone"
        if isinstance(zone, str) and zone not in segments:
            yield (*path, "dataZone"), f'"{zone}" has no region in this stack; known: {", ".join(segments)}'


def _not_a_region(name: str, allowed: list[str]) -> str:
    return f'"{name}" is no region of this list; known: {", ".join(allowed) or "none"}'
