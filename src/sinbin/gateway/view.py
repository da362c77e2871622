"""What expressions see as `context`: the request at hand, always as it is at this moment.

The classes have the attributes of those in `sinbin.csharp.context`, read from the gateway's own state when an
expression asks for them; what cannot change during a request is made once.
"""

import random
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeVar, cast

from sinbin.csharp import context as cs
from sinbin.csharp.certificates import Certificate, read_certificate
from sinbin.csharp.dates import DateTime, TimeSpan, from_unix
from sinbin.csharp.guids import Guid
from sinbin.csharp.runtime import REQUEST_STEPS
from sinbin.csharp.types import Type
from sinbin.csharp.values import CsObject
from sinbin.gateway import shown
from sinbin.gateway.context import Context, MutableRequest
from sinbin.gateway.failures import PolicyFailure
from sinbin.gateway.messages import Headers, HttpResponse
from sinbin.gateway.replies import reason_phrase
from sinbin.gateway.request_id import request_id

_Own = TypeVar("_Own")
_Shown = TypeVar("_Shown")


def _texts(headers: Headers) -> cs.Texts:
    """Return `headers` for expressions: the same fields, not a copy."""
    texts = cs.Texts()
    # Expressions only read: tuples of values will do where lists are declared.
    texts.items = cast("dict[str, tuple[str, list[str]]]", headers.fields)
    return texts


class _RequestBody(cs.Body):
    """The request's body; read without preserveContent it is gone for the backend too."""

    __slots__ = ("_request",)

    def __init__(self, request: MutableRequest) -> None:
        super().__init__(request.body or b"")
        self._request = request

    def read(self, *, keep: bool) -> bytes:
        """Return the bytes as an expression reads them."""
        if keep:
            return self.data
        self._request.body = b""
        return super().read(keep=False)


class RequestView(CsObject):
    """`context.Request`."""

    cs_type: ClassVar[Type] = Type("IRequest")
    __slots__ = ("_body", "_body_of", "_context")
    private_endpoint_connection = None

    def __init__(self, context: Context) -> None:
        self._context = context
        self._body: cs.Body | None = None
        self._body_of: bytes | None = None

    @property
    def method(self) -> str:
        """The method as policies have left it."""
        return self._context.request.method

    @property
    def url(self) -> cs.Url:
        """The URL below the API's path, as policies have left it."""
        return cs.Url(str(self._context.request.url))

    @property
    def original_url(self) -> cs.Url:
        """The URL that the caller asked for."""
        return cs.Url(str(self._context.original_url))

    @property
    def headers(self) -> cs.Texts:
        """The headers as policies have left them."""
        return _texts(self._context.request.headers)

    @property
    def body(self) -> cs.Body | None:
        """The body as policies have left it; null when there is none."""
        request = self._context.request
        if request.body is None:
            return None
        if self._body is None or self._body_of is not request.body:
            self._body, self._body_of = _RequestBody(request), request.body
        return self._body

    @property
    def matched_parameters(self) -> Mapping[str, str]:
        """The parameters of the operation's URL template."""
        return self._context.matched

    @property
    def ip_address(self) -> str:
        """The caller's address."""
        return self._context.original.client_ip

    @property
    def foundry_deployment(self) -> str | None:
        """The model deployment that the request is for."""
        return shown.requested_deployment(self._context)

    @property
    def certificate(self) -> Certificate | None:
        """The caller's certificate."""
        text = self._context.original.client_certificate
        return None if text is None else read_certificate(text)


class ResponseView(CsObject):
    """`context.Response`, and what send-request leaves in a variable."""

    cs_type: ClassVar[Type] = Type("IResponse")
    __slots__ = ("_body", "_body_of", "http")

    def __init__(self, response: HttpResponse) -> None:
        self.http = response
        self._body: cs.Body | None = None
        self._body_of: object = None

    @property
    def status_code(self) -> int:
        """The status."""
        return self.http.status

    @property
    def status_reason(self) -> str:
        """The reason phrase."""
        return reason_phrase(self.http.status) if self.http.reason is None else self.http.reason

    @property
    def headers(self) -> cs.Texts:
        """The headers."""
        return _texts(self.http.headers)

    @property
    def body(self) -> cs.Body | None:
        """The body; null when there is none."""
        body = self.http.body
        if body is None:
            return None
        if not isinstance(body, bytes):
            raise PolicyFailure("StreamedBody", "the reply is relayed as it comes, its body cannot be read")
        if self._body is None or self._body_of is not body:
            self._body, self._body_of = cs.Body(body), body
        return self._body


class ContextView(CsObject):
    """`context`."""

    cs_type: ClassVar[Type] = Type("Context")
    __slots__ = ("_context", "_response", "request", "rng", "steps_left", "traces", "variables")

    def __init__(self, context: Context) -> None:
        self._context = context
        self.request = RequestView(context)
        self.variables: dict[str, Any] = context.variables
        self.rng: random.Random = context.rng
        self.traces: list[str] = []
        self.steps_left = REQUEST_STEPS
        self._response: ResponseView | None = None

    @property
    def now(self) -> float:
        """Seconds since 1970 (UTC)."""
        return self._context.unix_now

    @property
    def response(self) -> ResponseView | None:
        """The reply, null as long as there is none."""
        response = self._context.response
        if response is None:
            return None
        shown = self._response
        if shown is None or shown.http is not response:
            shown = self._response = ResponseView(response)
        return shown

    @property
    def subscription(self) -> cs.Subscription | None:
        """The subscription of the caller."""
        return self._made(self._context.subscription, shown.subscription)

    @property
    def user(self) -> cs.User | None:
        """The owner of the subscription."""
        subscription = self._context.subscription
        return None if subscription is None else self._made(subscription.user, shown.user)

    @property
    def product(self) -> cs.Product | None:
        """The product of the subscription."""
        return self._made(self._context.product, shown.product)

    @property
    def api(self) -> cs.Api:
        """The API."""
        return self._made(self._context.api, shown.api) or cs.Api()

    @property
    def operation(self) -> cs.Operation:
        """The operation; of an API without operations one that matches everything."""
        found = self._made(self._context.operation, shown.operation)
        return found or cs.Operation(method=self._context.original.method, url_template="/*")

    @property
    def deployment(self) -> cs.Deployment:
        """The gateway's service and region."""
        return self._made(self._context.instance.configuration, shown.deployment) or cs.Deployment()

    def _made(self, own: _Own | None, make: Callable[[_Own], _Shown]) -> _Shown | None:
        """Return what expressions see of a part of the configuration, made when it is first asked for."""
        if own is None:
            return None
        made = self._context.instance.made
        found: _Shown | None = made.get(id(own))
        if found is None:
            found = made[id(own)] = make(own)
        return found

    @property
    def last_error(self) -> cs.LastError | None:
        """What stopped the request."""
        own = self._context.last_error
        if own is None:
            return None
        return cs.LastError(
            source=own.source,
            reason=own.reason,
            message=own.message,
            section=own.section,
            scope=own.scope,
            path=own.path,
            policy_id=own.policy_id,
        )

    @property
    def backend(self) -> cs.Backend | None:
        """The backend of the last forward."""
        own = self._context.backend
        if own is None or not own.name:
            return None
        return cs.Backend(id=own.name, azure_region=own.region)

    @property
    def workspace(self) -> cs.Named | None:
        """The workspace; none is modelled beyond its policy."""
        return None

    @property
    def request_id(self) -> Guid:
        """The id of the request."""
        return Guid(request_id(self._context).replace("-", ""))

    @property
    def timestamp(self) -> DateTime:
        """When the request came in, UTC."""
        context = self._context
        return from_unix(context.started_at + context.instance.epoch_s)

    @property
    def elapsed(self) -> TimeSpan:
        """How long ago that was."""
        return TimeSpan(round((self._context.now - self._context.started_at) * 1_000_000) * 10)
