"""The state of one request while policies work on it."""

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sinbin.gateway.answer import LastError, Recorded, StreamWatcher
from sinbin.gateway.messages import Headers, HttpRequest, HttpResponse
from sinbin.gateway.url import Url

if TYPE_CHECKING:
    from sinbin.gateway.configuration import Api, Backend, Operation, Product, Subscription
    from sinbin.gateway.instance import GatewayInstance
    from sinbin.gateway.trace import Trace


class MutableRequest:
    """The request as policies have left it so far; its URL's path is the one below the API's own path."""

    __slots__ = ("body", "body_gone", "headers", "method", "url")

    def __init__(self, method: str, url: Url, headers: Headers, body: bytes | None) -> None:
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.body_gone = False
        """An unbuffered forward, or a read without preserveContent, has used the stream of the body up."""


class Context:
    """What `context` stands for, and what the gateway itself keeps about one request.

    `now` is true at every moment: it is set whenever the driver resumes the request.
    """

    __slots__ = (
        "abandoned",
        "after_response",
        "api",
        "at_end",
        "attempts",
        "backend",
        "base_url",
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
        "recorded",
        "reply_headers",
        "request",
        "request_id",
        "response",
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
        self.request = MutableRequest(original.method, self.original_url, original.headers, original.body)
        """Headers are shared with `original` until a policy writes: see `writable_headers`."""
        self.response: HttpResponse | None = None
        self.variables: dict[str, Any] = {}
        self.api: Api | None = None
        self.operation: Operation | None = None
        self.product: Product | None = None
        self.subscription: Subscription | None = None
        self.matched: dict[str, str] = {}
        self.target: str | None = None
        """Backend or pool that set-backend-service chose."""
        self.base_url: str | None = None
        """URL that set-backend-service chose, or the API's own."""
        self.backend: Backend | None = None
        """The backend of the last forward."""
        self.attempts = 0
        self.last_error: LastError | None = None
        self.recorded: list[Recorded] = []
        self.watchers: list[StreamWatcher] = []
        self.reply_headers: list[tuple[str, Callable[[], str | None]]] = []
        """Headers that limits put on the reply, asked for when it is complete."""
        self.after_response: list[Callable[[Context], None]] = []
        """Run once when the backend's reply is there, before outbound."""
        self.at_end: list[Callable[[Context], None]] = []
        """Run once when the pipeline is over, whatever happened."""
        self.cookies: list[str] = []
        self.abandoned = False
        """The caller went away before there was a reply."""
        self.counted: set[tuple[str, str]] = set()
        """Quota keys that this request has counted on."""
        self.semantic_key: tuple[str, str, str] | None = None
        """Cache key of the messages that the semantic cache has missed."""
        self.request_id: str | None = None
        self.view: Any = None
        """What expressions see, made when the first one runs."""

    def writable_headers(self) -> Headers:
        """Return the request's headers, now a copy of its own: what the caller sent stays as it was."""
        request = self.request
        if request.headers is self.original.headers:
            request.headers = request.headers.copy()
        return request.headers

    @property
    def unix_now(self) -> float:
        """Seconds since 1970 (UTC)."""
        return self.now + self.instance.epoch_s

    def note(self, text: str) -> None:
        """Add `text` to the trace; call it only when `trace` is there."""
        assert self.trace is not None
        self.trace.note(self.now, text)
