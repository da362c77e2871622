"""One ARM resource, whatever form it came in."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from sinbin.lint.finding import Located
from sinbin.lint.nodes import Node

SERVICE = "microsoft.apimanagement/service"
BACKEND = f"{SERVICE}/backends"
API = f"{SERVICE}/apis"
DIAGNOSTICS = (f"{SERVICE}/diagnostics", f"{API}/diagnostics")
POLICY_TYPES = (
    f"{SERVICE}/policies",
    f"{SERVICE}/workspaces/policies",
    f"{SERVICE}/products/policies",
    f"{API}/policies",
    f"{API}/operations/policies",
    f"{SERVICE}/policyfragments",
)
NAMED_VALUE = f"{SERVICE}/namedvalues"
ACCOUNT = "microsoft.cognitiveservices/accounts"
DEPLOYMENT = f"{ACCOUNT}/deployments"
ROLE_ASSIGNMENT = "microsoft.authorization/roleassignments"

_MODEL_HOST = re.compile(
    r"([a-z0-9-]+)\.(openai|cognitiveservices|services\.ai)\.azure\.(com|us|cn)", re.IGNORECASE
)
_MODEL_DOMAIN = re.compile(
    r"\.(?:(?:openai|cognitiveservices|services\.ai)\.azure\.(?:com|us|cn)|api\.cognitive\.microsoft\.com)\b",
    re.IGNORECASE,
)
_COMPUTED = re.compile(r"\[\s*(concat|format|resourceId)\s*\((.*)\)\s*\]", re.IGNORECASE | re.DOTALL)
_LAST_LITERAL = re.compile(r"(?:^|,)\s*'([^']+)'\s*$")
_FORMAT = re.compile(r"\s*'([^']*)'")


@dataclass(frozen=True, slots=True)
class Resource:
    """An ARM resource: an `az … show` answer, an entry of a template, a line of a plan."""

    type: str
    """Full type in lower case: `microsoft.apimanagement/service/backends`."""
    name: str | None
    """Last segment of the name; None when a template computes that or the file does not say it."""
    node: Node
    """The resource as a whole; of a line of a plan, its inputs."""
    properties: Node
    """`properties`, or the resource itself where a tool flattens it."""
    planned: bool = False
    """Whether it stands in a template or a plan, that is, is still to be created."""
    pulumi: Node | None = None
    """The line of the Pulumi plan that it is, with its type token and its logical name."""

    @property
    def label(self) -> str:
        """What to call it in a message: the name in quotes, or `this backend`; a pool says that it is one."""
        kind = "pool" if self.pool else self.type.rpartition("/")[2].removesuffix("s")
        if self.name is None:
            return f"this {kind}"
        return f"pool `{self.name}`" if self.pool else f"`{self.name}`"

    @property
    def place(self) -> Located:
        """Where to point when something is missing: the name, else the resource's first line."""
        return (self.pulumi or self.node).get("name") or self.node

    def get(self, *keys: str) -> Node | None:
        """Return the property at the path `keys`."""
        return self.properties.get(*keys)

    @property
    def pool(self) -> bool:
        """Whether it is a backend of type pool."""
        if self.type != BACKEND:
            return False
        kind = self.properties.text("type")
        return kind.lower() == "pool" if kind else self.get("pool") is not None


def is_policy_text(value: Node) -> bool:
    """Whether `value` is the text of a policy, with named values and placeholders in it or not."""
    return isinstance(value.value, str) and value.value.lstrip("\ufeff \t\r\n").startswith("<")


def model_host(url: str) -> str | None:
    """Return the host of `url` when it is an Azure OpenAI or Foundry account, else None."""
    host = urlsplit(url).hostname or ""
    return host if _MODEL_HOST.fullmatch(host) else None


def account_of(url: str) -> str | None:
    """Return the custom subdomain (usually the name) of the account that `url` belongs to."""
    host = model_host(url)
    return host.partition(".")[0] if host else None


def names_model_host(url: Node | None) -> bool:
    """Whether `url` leads to an Azure OpenAI or Foundry account, also where a template computes the account."""
    return url is not None and isinstance(url.value, str) and _MODEL_DOMAIN.search(url.value) is not None


def last_name(name: Node | None) -> str | None:
    """Return the last segment of a name or an id; None where a template computes that segment itself.

    `[concat(parameters('apim'), '/chat')]`, `[format('{0}/{1}', parameters('apim'), 'chat')]` and
    `[resourceId('Microsoft.ApiManagement/service/backends', parameters('apim'), 'chat')]` all end in `chat`.
    """
    if name is None or not isinstance(name.value, str):
        return None
    if name.known:
        return name.value.rstrip("/").rpartition("/")[2]
    computed = _COMPUTED.fullmatch(name.value)
    if computed is None:
        return None
    function, arguments = computed[1].lower(), computed[2]
    last = _LAST_LITERAL.search(arguments)
    if function == "format":
        form = _FORMAT.match(arguments)
        segment = form[1].rpartition("/")[2] if form else "{"
        if "{" not in segment:
            return segment
        ends_so = segment == f"{{{form[1].count('{') - 1}}}" if form else False
        return last[1] if last and ends_so else None
    if last is None or (function == "concat" and "/" not in last[1]):
        return None
    return last[1].rpartition("/")[2]


def member_name(member: Node) -> str | None:
    """Return the backend's name in the id of a pool's member (`/backends/NAME` or a full ARM id)."""
    return last_name(member.get("id")) or None
