"""What an ARM path names: a subscription, a resource group, a resource, a list of resources, or an action.

    /subscriptions/{s}/resourceGroups/{g}/providers/{namespace}/{type}/{name}/{type}/{name}
    {any of these}/providers/{namespace}/{type}/{name}             an extension of it

Paths compare without regard to case; names keep the case they were written in.
"""

from dataclasses import dataclass

from sinbin.local.control_plane.errors import ArmError

RESOURCES = "Microsoft.Resources"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmPath:
    """A path, taken apart.

    `types` and `names` are equally long for one resource; a list or an action has one more of `types`.
    """

    text: str
    scope: str
    """The resource that an extension extends; otherwise the resource group, the subscription, or ""."""
    subscription: str | None
    resource_group: str | None
    namespace: str
    types: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def is_instance(self) -> bool:
        """Whether the path names one resource."""
        return len(self.types) == len(self.names)

    @property
    def type(self) -> str:
        """The full type, e.g. `Microsoft.ApiManagement/service/backends`."""
        return "/".join((self.namespace, *self.types))

    @property
    def name(self) -> str:
        """The last name."""
        return self.names[-1]

    @property
    def parent(self) -> str:
        """Path of what the resource (or the list, or the action) is in; its scope if it is at the top."""
        if self.is_instance:
            return self.text.rsplit("/", 2)[0] if len(self.names) > 1 else self.scope
        return self.text.rsplit("/", 1)[0] if self.names else self.scope


def parse(path: str) -> ArmPath:
    """Return the parts of `path`, whose escapes are resolved.

    Raises:
        ArmError: the path is none of ARM's.
    """
    segments = path.strip("/").split("/")
    if not all(segments) or segments[0].lower() not in {"subscriptions", "providers"}:
        raise ArmError(404, "InvalidRequestUri", f"The request URI '{path}' is not valid.")
    subscription = segments[1] if segments[0].lower() == "subscriptions" and len(segments) > 1 else None
    in_group = len(segments) > 3 and segments[2].lower() == "resourcegroups"
    resource_group = segments[3] if in_group and subscription is not None else None
    text = "/" + "/".join(segments)
    at = max((i for i, segment in enumerate(segments) if segment.lower() == "providers"), default=None)
    if at is None:
        return ArmPath(
            text=text,
            scope="" if len(segments) < 3 else "/" + "/".join(segments[:2]),
            subscription=subscription,
            resource_group=resource_group,
            namespace=RESOURCES,
            types=tuple(segments[2::2]) or ("subscriptions",),
            names=tuple(segments[3::2]) or ((subscription,) if subscription and len(segments) == 2 else ()),
        )
    rest = segments[at + 1 :]
    if len(rest) < 2:
        raise ArmError(404, "InvalidRequestUri", f"The request URI '{path}' is not valid.")
    return ArmPath(
        text=text,
        scope="/" + "/".join(segments[:at]) if at else "",
        subscription=subscription,
        resource_group=resource_group,
        namespace=rest[0],
        types=tuple(rest[1::2]),
        names=tuple(rest[2::2]),
    )
