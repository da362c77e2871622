"""What is judged together: the resources of one file or one plan, and how they refer to each other."""

from dataclasses import dataclass, field
from functools import cached_property

from sinbin.lint.nodes import Node
from sinbin.lint.resource import ACCOUNT, API, BACKEND, DEPLOYMENT, Resource, account_of, member_name


@dataclass(frozen=True)
class Member:
    """A member of a pool, and its backend where the file holds it."""

    node: Node
    name: str | None
    backend: Resource | None

    @property
    def priority(self) -> float:
        """Lower goes first; without one a member stands beside those of priority 1."""
        value = self.node.number("priority")
        return 1 if value is None else value


@dataclass(frozen=True)
class Estate:
    """The resources of one file or one plan."""

    resources: tuple[Resource, ...]
    root: Node
    _named: dict[tuple[str, str], Resource] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        for resource in self.resources:
            if resource.name:
                self._named.setdefault((resource.type, resource.name.lower()), resource)

    def of_type(self, *types: str) -> tuple[Resource, ...]:
        """Return the resources of these types, in file order."""
        return tuple(resource for resource in self.resources if resource.type in types)

    def backend(self, name: str) -> Resource | None:
        """Return the backend or pool called `name`."""
        return self._named.get((BACKEND, name.lower()))

    @cached_property
    def pools(self) -> tuple[Resource, ...]:
        """The pools."""
        return tuple(backend for backend in self.of_type(BACKEND) if backend.pool)

    @cached_property
    def single_backends(self) -> tuple[Resource, ...]:
        """The backends that are no pools."""
        return tuple(backend for backend in self.of_type(BACKEND) if not backend.pool)

    @cached_property
    def apis(self) -> tuple[Resource, ...]:
        """The APIs."""
        return self.of_type(API)

    @cached_property
    def accounts(self) -> tuple[Resource, ...]:
        """The Foundry and Azure OpenAI accounts."""
        return self.of_type(ACCOUNT)

    @cached_property
    def deployments(self) -> tuple[Resource, ...]:
        """The model deployments."""
        return self.of_type(DEPLOYMENT)

    def members(self, pool: Resource) -> tuple[Member, ...]:
        """Return the members of `pool`, in file order."""
        services = pool.get("pool", "services")
        names = [(node, member_name(node)) for node in (services.items() if services else ())]
        return tuple(Member(node, name, self.backend(name) if name else None) for node, name in names)

    def operations(self, api: Resource) -> tuple[Node, ...]:
        """Return the URL templates of the operations of `api`, where the file holds them."""
        inline = api.get("operations") or api.node.get("operations")
        found = []
        for entry in inline.items() if inline else ():
            template = entry if isinstance(entry.value, str) else entry.get("urlTemplate")
            template = template or entry.get("properties", "urlTemplate")
            if template is not None and isinstance(template.value, str):
                found.append(template)
        for operation in self.of_type(f"{API}/operations"):
            owner = operation.node.text("name") or ""
            template = operation.get("urlTemplate")
            if template is not None and (len(self.apis) == 1 or f"{api.name}/" in owner):
                found.append(template)
        return tuple(found)

    def deployments_behind(self, backend: Resource) -> tuple[Resource, ...]:
        """Return the model deployments that requests through `backend` can reach, as far as the file tells."""
        url = backend.properties.text("url") or ""
        account = account_of(url)
        if account is None:
            return ()
        in_account = [d for d in self.deployments if account_name(d) == account]
        _, marker, rest = url.partition("/deployments/")
        wanted = rest.partition("/")[0]
        return tuple(d for d in in_account if not marker or d.name == wanted)


def account_name(deployment: Resource) -> str | None:
    """Return the account of a model deployment."""
    named = deployment.node.text("account") or deployment.node.text("accountName")
    if named:
        return named
    segments = (deployment.node.text("name") or "").split("/")
    if len(segments) > 1:
        return segments[0]
    identity = (deployment.node.text("id") or "").split("/")
    lowered = [part.lower() for part in identity]
    return identity[lowered.index("accounts") + 1] if "accounts" in lowered[:-1] else None
