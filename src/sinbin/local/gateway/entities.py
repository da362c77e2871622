"""Single entities of API Management, from the body that the control plane keeps to what the gateway takes."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sinbin.durations import parse_duration
from sinbin.gateway.configuration import (
    Api,
    Backend,
    Credentials,
    Example,
    Operation,
    PolicySource,
    Pool,
    Product,
    Subscription,
    example_text,
)
from sinbin.local.control_plane.store import Record
from sinbin.topology import CircuitBreaker, PoolMember, StatusRange

_UNUSED = {
    "Single": ("proxy", "tls", "properties"),
    "Pool": ("circuitBreaker", "credentials"),
}
"""Properties of a backend that change what Azure does and that the gateway does not have."""
_UNUSED_CREDENTIALS = ("certificate", "certificateIds")


def backend(record: Record, region: str) -> Backend:
    """Return a backend of type Single; `region` is where the account behind its address is."""
    properties = record.properties
    given: Mapping[str, Any] = properties.get("credentials") or {}
    headers = [*_pairs(given.get("header"))]
    if (authorization := given.get("authorization")) is not None:
        headers.append(("Authorization", f"{authorization['scheme']} {authorization['parameter']}"))
    identity = given.get("managedIdentity")
    return Backend(
        name=record.name,
        url=properties["url"],
        region=properties.get("azureRegion") or region,
        circuit_breaker=_breaker(properties.get("circuitBreaker")),
        credentials=Credentials(
            headers=tuple(headers),
            query=tuple(_pairs(given.get("query"))),
            managed_identity_resource=identity["resource"] if identity else None,
        ),
    )


def pool(record: Record) -> Pool:
    """Return a backend of type Pool."""
    given = record.properties["pool"]
    session = (given.get("sessionAffinity") or {}).get("sessionId") or {}
    return Pool(
        name=record.name,
        members=tuple(
            PoolMember(
                backend=_last_name(member["id"]),
                priority=_or(member.get("priority"), 1),
                weight=_or(member.get("weight"), 1),
            )
            for member in given["services"]
        ),
        affinity_cookie=session.get("name"),
        failure_response_status=(given.get("failureResponse") or {}).get("statusCode"),
    )


def not_modelled(record: Record) -> Iterator[str]:
    """Yield what a backend says that the gateway does not do, one sentence each."""
    properties = record.properties
    for name in _UNUSED[properties["type"]]:
        if properties.get(name):
            yield f"backend {record.name}: {name} is not modelled, the local gateway goes on without it"
    for name in _UNUSED_CREDENTIALS:
        if (properties.get("credentials") or {}).get(name):
            yield f"backend {record.name}: credentials.{name} is not modelled, no certificate is shown"


def api(
    record: Record, policy: PolicySource | None, operations: Iterable[tuple[Record, PolicySource | None]]
) -> Api:
    """Return an API with its policy and its operations with theirs."""
    properties = record.properties
    names = properties["subscriptionKeyParameterNames"]
    return Api(
        name=record.name,
        path=properties["path"],
        display_name=properties["displayName"],
        service_url=properties.get("serviceUrl"),
        operations=tuple(
            Operation(
                name=operation.name,
                method=operation.properties["method"].upper(),
                url_template=operation.properties["urlTemplate"],
                display_name=operation.properties["displayName"],
                policy=its,
                examples=tuple(_examples(operation.properties)),
            )
            for operation, its in operations
        ),
        subscription_required=properties["subscriptionRequired"],
        websocket=properties.get("type") == "websocket",
        key_headers=(names.get("header") or "Ocp-Apim-Subscription-Key",),
        key_query=names.get("query") or "subscription-key",
        key_bearer=True,
        policy=policy,
    )


def _examples(properties: Mapping[str, Any]) -> Iterator[Example]:
    for response in properties.get("responses") or ():
        for representation in response.get("representations") or ():
            for example in (representation.get("examples") or {}).values():
                yield Example(
                    status=response["statusCode"],
                    content_type=representation["contentType"],
                    body=example_text(example.get("value")),
                )


def product(record: Record, apis: Iterable[str], policy: PolicySource | None) -> Product:
    """Return a product that opens `apis`."""
    return Product(
        name=record.name, display_name=record.properties["displayName"], apis=tuple(apis), policy=policy
    )


def subscription(record: Record) -> Subscription:
    """Return a subscription with its keys."""
    properties = record.properties
    scope = properties["scope"][len(record.parent) :].strip("/")  # below the id of the service
    kind, _, name = scope.partition("/")
    return Subscription(
        id=record.name,
        keys=tuple(
            key for name in ("primaryKey", "secondaryKey") if (key := record.secrets[f"properties.{name}"])
        ),
        display_name=properties["displayName"],
        product=name if kind == "products" else None,
        api=(name or None) if kind == "apis" else None,
        active=properties["state"] == "active",
    )


def _breaker(given: Mapping[str, Any] | None) -> CircuitBreaker | None:
    if given is None:
        return None
    [rule] = given["rules"]
    condition = rule["failureCondition"]
    count, percentage = condition.get("count"), condition.get("percentage")
    return CircuitBreaker(
        failure_count=count,
        failure_percentage=None if count is not None else percentage,
        interval_s=parse_duration(condition["interval"]),
        trip_duration_s=parse_duration(rule["tripDuration"]),
        status_ranges=tuple(
            StatusRange(low=codes["min"], high=codes["max"]) for codes in condition.get("statusCodeRanges") or ()
        ),
        error_reasons=tuple(condition.get("errorReasons") or ()),
        accept_retry_after=bool(rule.get("acceptRetryAfter")),
        failure_response_status=(rule.get("failureResponse") or {}).get("statusCode"),
    )


def _pairs(values: Mapping[str, Iterable[str]] | None) -> Iterator[tuple[str, str]]:
    for name, texts in (values or {}).items():
        for text in texts:
            yield name, text


def _last_name(resource_id: str) -> str:
    return resource_id.rpartition("/")[2]


def _or(value: int | None, default: int) -> int:
    return default if value is None else value
