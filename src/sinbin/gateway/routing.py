"""Which API and operation a request is for, and on whose subscription it comes."""

import hashlib
import hmac
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import unquote

from sinbin.gateway.configuration import Api, GatewayConfiguration, Operation, Subscription
from sinbin.gateway.context import Context
from sinbin.gateway.failures import PolicyFailure

_PARAMETER = re.compile(r"\{(\*?)([^{}]*)\}")
_REMEMBERED = 1024
"""Matches kept: callers ask for few paths, and for the same ones again and again."""


class Matched(NamedTuple):
    """An operation and what its URL template's parameters stand for; no operation for a pass-through API."""

    api: Api
    operation: Operation | None
    parameters: dict[str, str]
    path: str
    """Path below the API's, with a leading slash."""


@dataclass(frozen=True, slots=True)
class _Route:
    operation: Operation
    pattern: re.Pattern[str]
    fixed: int
    """Characters outside parameters: the more, the better the match."""
    query: frozenset[str]


class Router:
    """The APIs and operations of a configuration.

    The API with the longest matching path wins, then the operation with the most fixed characters (assumed for
    operations; Azure documents no order).
    """

    def __init__(self, apis: Iterable[Api]) -> None:
        self._apis = sorted(apis, key=lambda api: -len(api.path.strip("/")))
        self._routes = {api.name: _routes(api) for api in self._apis}
        self._matched: dict[tuple[str, str], Matched] = {}

    def match(self, method: str, path: str) -> Matched:
        """Return what `method` and `path` (without its query) are for.

        Raises:
            PolicyFailure: no API or no operation matches: 404 `OperationNotFound`.
        """
        known = self._matched.get((method, path))
        if known is None:
            known = self._match(method, path)
            if len(self._matched) >= _REMEMBERED:
                self._matched.clear()
            self._matched[method, path] = known
        return known

    def _match(self, method: str, path: str) -> Matched:
        for api in self._apis:
            prefix = f"/{api.path.strip('/')}" if api.path.strip("/") else ""
            if path != prefix and not path.startswith(f"{prefix}/"):
                continue
            below = path[len(prefix) :] or "/"
            if not api.operations:
                return Matched(api, None, {}, below)
            for route in self._routes[api.name]:
                if route.operation.method not in {method, "*"}:
                    continue
                found = route.pattern.fullmatch(below)
                if found:
                    parameters = {name: unquote(value or "") for name, value in found.groupdict().items()}
                    return Matched(api, route.operation, _renamed(route.operation, parameters), below)
            break
        raise PolicyFailure(
            "OperationNotFound",
            "Unable to match incoming request to an operation.",
            source="configuration",
            status=404,
            shown="Resource not found",
        )


def _routes(api: Api) -> list[_Route]:
    routes = []
    for operation in api.operations:
        template, _, query = operation.url_template.partition("?")
        pattern, fixed, end = "", 0, 0
        for index, parameter in enumerate(_PARAMETER.finditer(template)):
            literal = template[end : parameter.start()]
            pattern += (
                re.escape(literal) + f"(?P<p{index}>{'.*' if parameter[1] or parameter[2] == '*' else '[^/]+'})"
            )
            fixed += len(literal)
            end = parameter.end()
        tail = template[end:]
        wild = tail.endswith("/*")
        pattern += re.escape(tail.removesuffix("/*")) + ("(?:/.*)?" if wild else "/?")
        fixed += len(tail)
        routes.append(_Route(operation, re.compile(pattern, re.IGNORECASE), fixed, frozenset(query.split("&"))))
    return sorted(routes, key=lambda route: -route.fixed)


def _renamed(operation: Operation, parameters: dict[str, str]) -> dict[str, str]:
    template = operation.url_template.partition("?")[0]
    names = [parameter[2] for parameter in _PARAMETER.finditer(template)]
    return {name: parameters[f"p{index}"] for index, name in enumerate(names)}


class SubscriptionKeys:
    """Who a subscription key belongs to.

    Keys are found by their digest and then compared in constant time: how long it takes tells nothing of a key.
    """

    def __init__(self, configuration: GatewayConfiguration) -> None:
        self._by_digest = {
            _digest(key.encode()): (key.encode(), subscription)
            for subscription in configuration.subscriptions
            for key in subscription.keys
        }
        self._products = {product.name: product for product in configuration.products}

    def admit(self, context: Context, api: Api) -> None:
        """Put subscription and product into `context`.

        Raises:
            PolicyFailure: the API needs a subscription and the request has no key, or one that does not open it.
        """
        if context.subscription is None:
            context.subscription = self._subscription(context, api)
        if context.subscription is not None and context.subscription.product is not None:
            context.product = self._products.get(context.subscription.product)

    def _subscription(self, context: Context, api: Api) -> Subscription | None:
        key = _key(context, api)
        if key is None:
            if not api.subscription_required:
                return None
            raise _unauthorized(
                api,
                "SubscriptionKeyNotFound",
                "Access denied due to missing subscription key. "
                "Make sure to include subscription key when making requests to an API.",
            )
        subscription = self._owner(key)
        if subscription is None or not subscription.active or not self._opens(subscription, api):
            if not api.subscription_required:
                return None
            raise _unauthorized(
                api,
                "SubscriptionKeyInvalid",
                "Access denied due to invalid subscription key. "
                "Make sure to provide a valid key for an active subscription.",
            )
        return subscription

    def _owner(self, key: str) -> Subscription | None:
        shown = key.encode()
        known, subscription = self._by_digest.get(_digest(shown), (b"", None))
        return subscription if hmac.compare_digest(known, shown) else None

    def _opens(self, subscription: Subscription, api: Api) -> bool:
        if subscription.api is not None:
            return subscription.api == api.name
        product = None if subscription.product is None else self._products.get(subscription.product)
        if product is None:
            return subscription.product is None
        return product.apis is None or api.name in product.apis


def _digest(key: bytes) -> bytes:
    return hashlib.sha256(key).digest()


def _key(context: Context, api: Api) -> str | None:
    headers = context.original.headers
    for name in api.key_headers:
        if (found := headers.get(name)) is not None:
            return found
    query = context.original_url.query_values(api.key_query)
    if query:
        return query[0]
    if api.key_bearer:
        scheme, _, token = (headers.get("Authorization") or "").partition(" ")
        if scheme.lower() == "bearer" and token:
            return token.strip()
    return None


def _unauthorized(api: Api, reason: str, message: str) -> PolicyFailure:
    challenge = f'AzureApiManagementKey realm="https://gateway/{api.path.strip("/")}",name="{api.key_headers[0]}",type="header"'
    return PolicyFailure(
        reason, message, source="authorization", status=401, headers=(("WWW-Authenticate", challenge),)
    )
