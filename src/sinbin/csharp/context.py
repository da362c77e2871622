"""`context`: what an expression sees of the request, and what the gateway fills in.

The classes hold plain Python; library/context.py gives their members C# names and types.
Source: https://learn.microsoft.com/azure/api-management/api-management-policy-expressions#ContextVariables, read
2026-11-29. `GraphQL`, `Tracing` and `PrivateEndpointConnection` are not modelled.
"""

import random
from dataclasses import dataclass, field
from typing import Any, ClassVar

from sinbin.csharp.certificates import Certificate
from sinbin.csharp.dates import DateTime, TimeSpan, from_unix
from sinbin.csharp.guids import Guid
from sinbin.csharp.messages import Body, Request, Response, Texts, Url
from sinbin.csharp.runtime import REQUEST_STEPS
from sinbin.csharp.types import Type
from sinbin.csharp.values import CsObject


@dataclass(slots=True)
class Named(CsObject):
    """Something with an id and a name: a workspace, a group."""

    cs_type: ClassVar[Type] = Type("IWorkspace")
    id: str = ""
    name: str = ""


@dataclass(slots=True)
class Group(Named):
    """A group of users."""

    cs_type: ClassVar[Type] = Type("IGroup")


@dataclass(slots=True)
class Subscription(CsObject):
    """The subscription whose key came with the request."""

    cs_type: ClassVar[Type] = Type("ISubscription")
    id: str = ""
    name: str = ""
    key: str = ""
    primary_key: str = ""
    secondary_key: str = ""
    created_date: DateTime = field(default_factory=lambda: DateTime(0))
    start_date: DateTime | None = None
    end_date: DateTime | None = None


@dataclass(slots=True)
class Product(CsObject):
    """The product through which the API is called."""

    cs_type: ClassVar[Type] = Type("IProduct")
    id: str = ""
    name: str = ""
    approval_required: bool = False
    groups: list[Group] = field(default_factory=list)
    state: str = "Published"
    subscription_required: bool = True
    subscriptions_limit: int | None = None


@dataclass(slots=True)
class Api(CsObject):
    """The API."""

    cs_type: ClassVar[Type] = Type("IApi")
    id: str = ""
    name: str = ""
    path: str = ""
    revision: str = "1"
    version: str = ""
    is_current_revision: bool = True
    service_url: Url | None = None


@dataclass(slots=True)
class Operation(CsObject):
    """The operation."""

    cs_type: ClassVar[Type] = Type("IOperation")
    id: str = ""
    name: str = ""
    method: str = "GET"
    url_template: str = "/"


@dataclass(slots=True)
class Deployment(CsObject):
    """The gateway's service and region."""

    cs_type: ClassVar[Type] = Type("IDeployment")
    region: str = ""
    service_name: str = ""
    service_id: str = ""
    gateway_id: str = "managed"
    gateway_instance_id: str = ""
    certificates: dict[str, Certificate] = field(default_factory=dict)


@dataclass(slots=True)
class User(CsObject):
    """The user to whom the subscription belongs."""

    cs_type: ClassVar[Type] = Type("IUser")
    id: str = ""
    email: str = ""
    first_name: str = ""
    last_name: str = ""
    note: str = ""
    groups: list[Group] = field(default_factory=list)
    registration_date: DateTime = field(default_factory=lambda: DateTime(0))


@dataclass(slots=True)
class LastError(CsObject):
    """The error that ended the regular sections."""

    cs_type: ClassVar[Type] = Type("ILastError")
    source: str = ""
    reason: str = ""
    message: str = ""
    section: str = ""
    scope: str = ""
    path: str = ""
    policy_id: str = ""


@dataclass(slots=True)
class Backend(CsObject):
    """The backend that was chosen."""

    cs_type: ClassVar[Type] = Type("IBackend")
    id: str = ""
    type: str = "Single"
    azure_region: str = ""


@dataclass(slots=True)
class Context(CsObject):
    """All of `context`.

    Attributes:
        now: seconds since 1970-01-01 UTC; what DateTime.UtcNow reads.
        rng: the source of chance; what Random and Guid.NewGuid draw from.
        started: when the request came in, in seconds since 1970-01-01 UTC; None means `now`.
        elapsed_seconds: time since then; None means `now - started`.
        variables: boxed values (see sinbin.csharp.values) by name.
        traces: what `context.Trace` was called with.
        steps_left: what expressions that count their steps may still take for this request.
    """

    cs_type: ClassVar[Type] = Type("Context")
    now: float = 0.0
    rng: random.Random = field(default_factory=lambda: random.Random(0))  # noqa: S311
    request: Request = field(default_factory=Request)
    response: Response | None = None
    variables: dict[str, Any] = field(default_factory=dict)
    subscription: Subscription | None = None
    product: Product | None = None
    api: Api = field(default_factory=Api)
    operation: Operation = field(default_factory=Operation)
    deployment: Deployment = field(default_factory=Deployment)
    user: User | None = None
    last_error: LastError | None = None
    backend: Backend | None = None
    workspace: Named | None = None
    request_id: Guid = field(default_factory=lambda: Guid("0" * 32))
    started: float | None = None
    elapsed_seconds: float | None = None
    traces: list[str] = field(default_factory=list)
    steps_left: int = REQUEST_STEPS

    @property
    def timestamp(self) -> DateTime:
        """When the request came in, UTC."""
        return from_unix(self.now if self.started is None else self.started)

    @property
    def elapsed(self) -> TimeSpan:
        """How long ago that was."""
        seconds = self.elapsed_seconds
        if seconds is None:
            seconds = self.now - (self.now if self.started is None else self.started)
        return TimeSpan(round(seconds * 1_000_000) * 10)


__all__ = [
    "Api",
    "Backend",
    "Body",
    "Context",
    "Deployment",
    "Group",
    "LastError",
    "Named",
    "Operation",
    "Product",
    "Request",
    "Response",
    "Subscription",
    "Texts",
    "Url",
    "User",
]
