"""A context from JSON: what `sinbin eval --context` reads.

All keys are optional: request {method, url, headers, body, matchedParameters, ipAddress, certificate (PEM)},
response {statusCode, statusReason, headers, body}, variables, subscription, product, api, operation, user,
deployment, lastError, requestId, timestamp (UTC), elapsed ("c" format).
"""

import json
import random
from collections.abc import Callable
from typing import Any, TypeVar

from sinbin.csharp.certificates import Certificate
from sinbin.csharp.context import (
    Api,
    Context,
    Deployment,
    LastError,
    Operation,
    Product,
    Subscription,
    User,
)
from sinbin.csharp.date_parsing import parse_offset, parse_span
from sinbin.csharp.dates import TICKS_PER_SECOND, UNIX_EPOCH_TICKS
from sinbin.csharp.exceptions import CsException
from sinbin.csharp.guids import parse_guid
from sinbin.csharp.messages import Body, Request, Response, Texts, Url
from sinbin.csharp.results import from_json
from sinbin.errors import SinbinError

T = TypeVar("T")

_TEXTS = {
    "subscription": (Subscription, {"id": "id", "key": "key", "name": "name"}),
    "product": (Product, {"id": "id", "name": "name"}),
    "api": (Api, {"id": "id", "name": "name", "path": "path"}),
    "operation": (Operation, {"id": "id", "name": "name", "method": "method", "urlTemplate": "url_template"}),
    "user": (User, {"id": "id", "email": "email", "firstName": "first_name", "lastName": "last_name"}),
    "deployment": (Deployment, {"region": "region", "serviceName": "service_name"}),
    "lastError": (
        LastError,
        {"source": "source", "reason": "reason", "message": "message", "section": "section", "scope": "scope",
         "path": "path", "policyId": "policy_id"},
    ),
}  # fmt: skip
_ATTRIBUTES = {"lastError": "last_error"}
_KEYS = {"request", "response", "variables", "requestId", "timestamp", "elapsed", *_TEXTS}
_REQUEST = {"method", "url", "headers", "body", "matchedParameters", "ipAddress", "certificate"}
_RESPONSE = {"statusCode", "statusReason", "headers", "body"}


def read_context(document: Any, where: str, *, now: float, rng: random.Random) -> Context:
    """Return the context that a JSON document describes.

    Args:
        document: the parsed JSON.
        where: the file's name, for messages.
        now: seconds since 1970-01-01 UTC, the clock unless the document has a `timestamp`.
        rng: the source of chance.

    Raises:
        SinbinError: the document is no context.
    """
    fields = _object(document, where, _KEYS)
    context = Context(now=now, rng=rng)
    if "request" in fields:
        context.request = _request(_object(fields["request"], f"{where}: request", _REQUEST), where)
    if fields.get("response") is not None:
        context.response = _response(_object(fields["response"], f"{where}: response", _RESPONSE), where)
    variables = _object(fields.get("variables") or {}, f"{where}: variables")
    context.variables = {name: from_json(value) for name, value in variables.items()}
    for name, value in variables.items():
        if isinstance(value, int) and not -(2**63) <= value < 2**63:
            raise SinbinError(f"{where}: variables.{name}: {value} is larger than an Int64")
    for key, (kind, names) in _TEXTS.items():
        if fields.get(key) is not None:
            given = _object(fields[key], f"{where}: {key}", set(names))
            made = kind(**{names[name]: _text(value, f"{where}: {key}.{name}") for name, value in given.items()})
            setattr(context, _ATTRIBUTES.get(key, key), made)
    if "requestId" in fields:
        context.request_id = _read(parse_guid, fields["requestId"], f"{where}: requestId", "a Guid")
    if "timestamp" in fields:
        stamp = _read(parse_offset, fields["timestamp"], f"{where}: timestamp", "a date and time")
        context.started = context.now = (stamp.ticks - UNIX_EPOCH_TICKS) / TICKS_PER_SECOND
    if "elapsed" in fields:
        span = _read(parse_span, fields["elapsed"], f"{where}: elapsed", "a duration such as 00:00:01.5")
        context.elapsed_seconds = span.ticks / TICKS_PER_SECOND
        context.now = context.now + context.elapsed_seconds if "timestamp" in fields else context.now
    return context


def _request(fields: dict[str, Any], where: str) -> Request:
    parameters = _object(fields.get("matchedParameters") or {}, f"{where}: request.matchedParameters")
    return Request(
        method=_text(fields.get("method", "GET"), f"{where}: request.method"),
        url=_url(fields.get("url", "https://localhost/"), f"{where}: request.url"),
        headers=_headers(fields.get("headers"), f"{where}: request.headers"),
        body=_body(fields.get("body")),
        matched_parameters={
            name: _text(value, f"{where}: request.matchedParameters.{name}") for name, value in parameters.items()
        },
        ip_address=_text(fields.get("ipAddress", "127.0.0.1"), f"{where}: request.ipAddress"),
        certificate=_certificate(fields.get("certificate"), f"{where}: request.certificate"),
    )


def _url(value: Any, where: str) -> Url:
    url = Url(_text(value, where))
    try:
        url.check()
    except ValueError as error:
        raise SinbinError(f'{where}: "{value}" is no URL: {error}') from error
    return url


def _response(fields: dict[str, Any], where: str) -> Response:
    status = fields.get("statusCode", 200)
    if not isinstance(status, int) or isinstance(status, bool):
        raise SinbinError(f"{where}: response.statusCode: {json.dumps(status)} is no integer")
    return Response(
        status_code=status,
        status_reason=_text(fields.get("statusReason", ""), f"{where}: response.statusReason"),
        headers=_headers(fields.get("headers"), f"{where}: response.headers"),
        body=_body(fields.get("body")),
    )


def _certificate(value: Any, where: str) -> Certificate | None:
    if value is None:
        return None
    try:
        return Certificate.from_text(_text(value, where))
    except ValueError as error:
        raise SinbinError(f"{where}: is no certificate in PEM or base64: {error}") from error


def _headers(value: Any, where: str) -> Texts:
    made = Texts()
    for name, given in _object(value or {}, where).items():
        values = given if isinstance(given, list) else [given]
        made.set(name, [_text(item, f"{where}.{name}") for item in values])
    return made


def _body(value: Any) -> Body | None:
    """A text is the raw body, anything else its compact JSON; null is no body."""
    if value is None:
        return None
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Body(text.encode("utf-8", "surrogatepass"))


def _object(value: Any, where: str, known: set[str] | None = None) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise SinbinError(f"{where}: an object is wanted here, not {json.dumps(value)}")
    unknown = sorted(set(value) - known) if known is not None else []
    if unknown:
        allowed = ", ".join(sorted(known or ()))
        raise SinbinError(f'{where}: unknown key "{unknown[0]}" (allowed: {allowed})')
    return value


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise SinbinError(f"{where}: a text is wanted here, not {json.dumps(value)}")
    return value


def _read(parse: Callable[[str | None], T], value: Any, where: str, what: str) -> T:
    try:
        return parse(_text(value, where))
    except CsException:
        raise SinbinError(f'{where}: "{value}" is not {what}') from None
