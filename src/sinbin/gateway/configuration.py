"""What a gateway is configured with, as plain data: a topology, a policy test and the local server all fill it.

GatewayConfiguration
├── apis            path, operations, whether a subscription is needed
├── products, subscriptions, users
├── backends, pools
├── policies        one document per scope, fragments, named values
└── tier, region …  what `context.Deployment` says
"""

import json
from dataclasses import dataclass, field
from typing import Any, Literal

from sinbin.topology import Backend as TopologyBackend
from sinbin.topology import BackendPool, CircuitBreaker, PoolMember, Tier

DEFAULT_EPOCH_S = 1_767_225_600.0
"""2026-01-01T00:00:00Z: what `now = 0` stands for unless the driver says otherwise."""

ScopeKind = Literal["global", "workspace", "product", "api", "operation"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """What the gateway adds to every request for a backend."""

    headers: tuple[tuple[str, str], ...] = ()
    query: tuple[tuple[str, str], ...] = ()
    managed_identity_resource: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Backend:
    """A single backend."""

    name: str
    url: str
    region: str = ""
    circuit_breaker: CircuitBreaker | None = None
    credentials: Credentials = Credentials()

    @classmethod
    def of(cls, backend: TopologyBackend) -> "Backend":
        """Return the gateway's view of a backend of a topology: called with the gateway's managed identity."""
        return cls(
            name=backend.name,
            url=backend.url,
            region=backend.region,
            circuit_breaker=backend.circuit_breaker,
            credentials=Credentials(managed_identity_resource="https://cognitiveservices.azure.com"),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """A pool of backends."""

    name: str
    members: tuple[PoolMember, ...]
    affinity_cookie: str | None = None
    failure_response_status: int | None = None
    """Status while every member sits out; None = Azure's 503."""

    @classmethod
    def of(cls, pool: BackendPool) -> "Pool":
        """Return the gateway's view of a pool of a topology."""
        return cls(name=pool.name, members=pool.members, affinity_cookie=pool.affinity_cookie)


def example_text(value: Any) -> str:
    """Return the text of an example: a text as it is, anything else as JSON."""
    return value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """An example in the description of an operation: what mock-response answers."""

    status: int
    content_type: str
    body: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """An operation of an API: method and URL template below the API's path, e.g. `/deployments/{id}/chat`."""

    name: str
    method: str
    url_template: str
    display_name: str = ""
    policy: "PolicySource | None" = None
    examples: tuple[Example, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicySource:
    """The text of a policy document and the name that messages call it by (a path)."""

    text: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Api:
    """An API. Without operations every method and path below `path` matches (a pass-through API)."""

    name: str
    path: str
    display_name: str = ""
    service_url: str | None = None
    operations: tuple[Operation, ...] = ()
    subscription_required: bool = False
    key_headers: tuple[str, ...] = ("Ocp-Apim-Subscription-Key",)
    """Names of the header that may hold the key; Azure takes one, the first one that is there wins."""
    key_query: str = "subscription-key"
    key_bearer: bool = False
    """The key is also taken from `Authorization: Bearer …` (what OpenAI clients of the v1 shape send)."""
    websocket: bool = False
    """A WebSocket API: its one operation is the handshake, GET `/`; then its messages go by unseen."""
    policy: PolicySource | None = None
    operation_policy: PolicySource | None = None
    """The operation scope's document of an API that has no operations."""


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """The developer who owns a subscription."""

    id: str
    email: str = ""
    first_name: str = ""
    last_name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Product:
    """A product: the APIs it opens and the policy that applies to its subscriptions."""

    name: str
    display_name: str = ""
    apis: tuple[str, ...] | None = None
    """Names of its APIs; None = all."""
    policy: PolicySource | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscription:
    """A subscription and its keys. Without a product it is API-scoped (`api`) or opens all APIs.

    The product's policy runs only for subscriptions that have a product.
    Source: learn.microsoft.com/azure/api-management (product policy note), read 2026-11-29
    """

    id: str
    keys: tuple[str, ...]
    display_name: str = ""
    product: str | None = None
    api: str | None = None
    user: User | None = None
    active: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayConfiguration:
    """Everything a gateway instance needs to answer requests."""

    backends: tuple[Backend, ...] = ()
    pools: tuple[Pool, ...] = ()
    apis: tuple[Api, ...] = ()
    products: tuple[Product, ...] = ()
    subscriptions: tuple[Subscription, ...] = ()
    policy: PolicySource | None = None
    """The global document; None = Azure's default, which forwards."""
    workspace_policy: PolicySource | None = None
    """The document of the workspace that all APIs are in; None = they are in no workspace."""
    fragments: tuple[tuple[str, PolicySource], ...] = ()
    named_values: tuple[tuple[str, str], ...] = ()
    tier: Tier = "Developer"
    region: str = "uksouth"
    service_name: str = "sinbin"
    epoch_s: float = DEFAULT_EPOCH_S
    """Unix time (s) at `now = 0`."""
    openid_documents: tuple[tuple[str, str], ...] = ()
    """Text by URL: what the URLs of openid-config elements and their key sets answer; nothing is fetched."""
    certificates: tuple[tuple[str, str], ...] = field(default=())
    """PEM text of certificates by id, for `issuer-signing-keys`."""

    @property
    def v2(self) -> bool:
        """Whether the tier counts rates with token buckets (v2) instead of sliding windows."""
        return self.tier.endswith("V2")
