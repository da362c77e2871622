"""The state of one request while policies work on it."""

import random
from collections.abc import Callable, Hashable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sinbin.gateway.answer import LastError, Recorded, StreamWatcher
from sinbin.gateway.messages import Headers, HttpRequest, HttpResponse
from sinbin.gateway.tokens import Usage, parse_object, usage_of
from sinbin.gateway.url import Url

if TYPE_CHECKING:
    from sinbin.gateway.configuration import Api, Backend, Operation, Product, Subscription
    from sinbin.gateway.instance import GatewayInstance
    from sinbin.gateway.trace import Trace


CacheKey = tuple[Hashable, ...]
_NONE: Mapping[str, Any] = MappingProxyType({})
_NOBODY: frozenset[tuple[str, str]] = frozenset()


class MutableRequest:
    """The request as policies have left it so far; its URL's path is the one below the API's own path."""

    __slots__ = ("body", "body_gone", "headers", "headers_shared", "method", "url")

    def __init__(self, method: str, url: Url, headers: Headers, body: bytes | None) -> None:
        self.method = method
        self.url = url
        self.headers = headers
        self.headers_shared = True
        """Somebody else holds `headers` too, so they must be copied before they are changed."""
        self.body = body
        self.body_gone = False
        """An unbuffered forward, or a read without preserveContent, has used the stream of the body up."""


class Context:
    """What `context` stands for, and what the gateway itself keeps about one request.

    `now` is true at every moment: it is set whenever the driver resumes the request.
    """

    __slots__ = (
        "_parsed",
        "_parsed_body",
        "_usage",
        "_usage_of",
        "abandoned",
        "after_response",
        "api",
        "at_end",
        "attempts",
        "backend",
        "base_url",
        "cache_key",
        "cookies",
        "counted",
        "instance",
        "last_error",
        "matched",
        "now",
        "operation",
        "original",
        "original_url",
        "product",
        "reads_reply",
        "recorded",
        "reply_headers",
        "request",
        "request_id",
        "response",
        "retries",
        "rng",
        "semantic_key",
        "started_at",
        "subscription",
        "target",
        "trace",
        "variables",
        "view",
        "watchers",
    )

    def __init__(
        self,
        instance: "GatewayInstance",
        original: HttpRequest,
        now: float,
        rng: random.Random,
        trace: "Trace | None",
    ) -> None:
        self.instance = instance
        self.original = original
        self.now = now
        self.started_at = now
        self.rng = rng
        self.trace = trace
        self.original_url = Url.parse(original.url)
        if not self.original_url.host:
            service = instance.configuration.service_name
            self.original_url.host = original.headers.get("Host") or f"{service}.azure-api.net"
        self.request = MutableRequest(original.method, self.original_url, original.headers, original.body)
        self.response: HttpResponse | None = None
        self.variables: dict[str, Any] = {}
        self.api: Api | None = None
        self.operation: Operation | None = None
        self.product: Product | None = None
        self.subscription: Subscription | None = None
        self.matched: Mapping[str, str] = _NONE
        self.target: str | None = None
        """Backend or pool that set-backend-service chose."""
        self.base_url: str | None = None
        """URL that set-backend-service chose, or the API's own."""
        self.backend: Backend | None = None
        """The backend of the last forward."""
        self.attempts = 0
        self.retries = 0
        self.last_error: LastError | None = None
        self.reads_reply = False
        """Some policy looks at the body of the reply, so it is read to its end before it is relayed."""
        self.recorded: list[Recorded] = []
        self.watchers: list[StreamWatcher] = []
        self.reply_headers: list[tuple[str, Callable[[], str | None]]] = []
        """Headers that limits put on the reply, asked for when it is complete."""
        self.after_response: list[Callable[[Context], None]] = []
        """Run once when the backend's reply is there, before outbound."""
        self.at_end: list[Callable[[Context], None]] = []
        """Run once when the pipeline is over, whatever happened."""
        self.cookies: Sequence[str] = ()
        self._parsed_body: bytes | None = None
        self._parsed: Mapping[str, Any] = _NONE
        self._usage_of: bytes | None = None
        self._usage: Usage | None = None
        self.abandoned = False
        """The caller went away before there was a reply."""
        self.counted: frozenset[tuple[str, str]] = _NOBODY
        """Quota keys that this request has counted on."""
        self.semantic_key: tuple[str, str, str] | None = None
        """Cache key of the messages that the semantic cache has missed."""
        self.cache_key: CacheKey | None = None
        """Cache key of the GET that cache-lookup has missed."""
        self.request_id: str | None = None
        self.view: Any = None
        """What expressions see, made when the first one runs."""

    def enter(self, api: "Api", operation: "Operation | None", parameters: Mapping[str, str], path: str) -> None:
        """Note what the request is for: `path` is the one below the API's."""
        self.api, self.operation, self.matched = api, operation, parameters
        asked = self.original_url
        self.request.url = Url(asked.scheme, asked.host, path, asked.query_string)
        self.base_url = api.service_url

    def writable_headers(self) -> Headers:
        """Return the request's headers for a change; what the caller sent and a backend got stays as it was."""
        request = self.request
        if request.headers_shared:
            request.headers = request.headers.copy()
            request.headers_shared = False
        return request.headers

    def request_object(self) -> Mapping[str, Any]:
        """Return the JSON object in the request's body, an empty one when there is none; not to be changed."""
        body = self.request.body
        if self._parsed_body is not body:
            self._parsed_body, self._parsed = body, parse_object(body)
        return self._parsed

    @property
    def unix_now(self) -> float:
        """Seconds since 1970 (UTC)."""
        return self.now + self.instance.epoch_s

    def usage(self) -> Usage | None:
        """Return the tokens that the reply reports, None when it reports none or is still arriving."""
        reply = self.response
        body = None if reply is None else reply.body
        if not isinstance(body, bytes):
            return None
        if self._usage_of is not body:
            self._usage_of, self._usage = body, usage_of(body)
        return self._usage

    def let_go(self) -> None:
        """Break the circles of references, so that a finished request is freed without the garbage collector."""
        self.view = None
        self.after_response.clear()
        self.at_end.clear()

    def note(self, text: str) -> None:
        """Add `text` to the trace; call it only when `trace` is there."""
        assert self.trace is not None
        self.trace.note(self.now, text)
