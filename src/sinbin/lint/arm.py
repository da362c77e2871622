"""Finds the ARM resources in a JSON file, whatever tool wrote it.

Taken are: one resource, a list, an ARM template (nested resources and nested deployments included), what
`az … show` and `az … list` print, a Pulumi plan, and bundles such as `{"backend": …, "api": …}`. A value that does
not say its type is recognised by its name in the bundle or by its shape.
"""

import re
from collections.abc import Iterator, Mapping

from sinbin.lint.nodes import Node
from sinbin.lint.resource import (
    ACCOUNT,
    API,
    BACKEND,
    DEPLOYMENT,
    NAMED_VALUE,
    ROLE_ASSIGNMENT,
    SERVICE,
    Resource,
    is_policy_text,
    last_name,
)

_BUNDLE_KEYS: Mapping[str, str] = {
    "backend": BACKEND,
    "backends": BACKEND,
    "pool": BACKEND,
    "pools": BACKEND,
    "api": API,
    "apis": API,
    "account": ACCOUNT,
    "accounts": ACCOUNT,
    "deployment": DEPLOYMENT,
    "deployments": DEPLOYMENT,
    "namedvalue": NAMED_VALUE,
    "namedvalues": NAMED_VALUE,
    "named_values": NAMED_VALUE,
    "service": SERVICE,
    "apim": SERVICE,
    "diagnostic": f"{SERVICE}/diagnostics",
    "diagnostics": f"{SERVICE}/diagnostics",
    "policy": f"{API}/policies",
    "policies": f"{API}/policies",
    "roleassignments": ROLE_ASSIGNMENT,
}
_NO_RESOURCES = frozenset({"resources", "usages", "catalogue", "models", "parameters", "variables", "outputs"})
"""Parts of a bundle or template that describe no resource, or that are visited on their own."""
_PULUMI_TYPES: Mapping[str, str] = {
    "apimanagement:apimanagementservice": SERVICE,
    "apimanagement:backend": BACKEND,
    "apimanagement:api": API,
    "apimanagement:apipolicy": f"{API}/policies",
    "apimanagement:apioperationpolicy": f"{API}/operations/policies",
    "apimanagement:productpolicy": f"{SERVICE}/products/policies",
    "apimanagement:policy": f"{SERVICE}/policies",
    "apimanagement:policyfragment": f"{SERVICE}/policyfragments",
    "apimanagement:namedvalue": NAMED_VALUE,
    "apimanagement:diagnostic": f"{SERVICE}/diagnostics",
    "apimanagement:apidiagnostic": f"{API}/diagnostics",
    "apimanagement:subscription": f"{SERVICE}/subscriptions",
    "apimanagement:product": f"{SERVICE}/products",
    "cognitiveservices:account": ACCOUNT,
    "cognitiveservices:deployment": DEPLOYMENT,
    "authorization:roleassignment": ROLE_ASSIGNMENT,
}
_PULUMI_NAMES = ("backendId", "apiId", "namedValueId", "deploymentName", "accountName", "id", "serviceName")
_ARM_ID_PART = re.compile(r"/providers/([^/]+)((?:/[^/]+/[^/]+)+)/?$", re.IGNORECASE)


def find_resources(root: Node) -> Iterator[Resource]:
    """Yield the resources in `root`, in the order in which they are written."""
    yield from _visit(root, hint=None, parent="", planned=False)


def _visit(node: Node, hint: str | None, parent: str, planned: bool) -> Iterator[Resource]:
    for entry in node.items():
        yield from _visit(entry, hint, parent, planned)
    if not isinstance(node.value, dict):
        return
    template = _is_template(node)
    planned = planned or template
    kind = None if template else _type_of(node, hint, parent)
    if kind is not None:
        inputs = node.get("inputs")
        body = inputs or node
        properties = body.get("properties")
        flat = properties is None or not isinstance(properties.value, dict)
        yield Resource(
            kind,
            _name(node),
            body,
            body if flat or properties is None else properties,
            planned or inputs is not None,
            node if inputs else None,
        )
        if nested := node.get("properties", "template"):
            yield from _visit(nested, None, "", planned=True)
    if children := node.get("resources"):
        for child in children.items() or children.members().values():
            yield from _visit(child, None, kind or "", planned)
    if kind is None and not template:
        for key, member in node.members().items():
            if key.lower() not in _NO_RESOURCES:
                yield from _visit(member, _BUNDLE_KEYS.get(key.lower()), "", planned)


def _is_template(node: Node) -> bool:
    schema = node.text("$schema") or ""
    return "deploymentTemplate.json" in schema or (
        node.get("resources") is not None and node.get("type") is None and node.get("contentVersion") is not None
    )


def _type_of(node: Node, hint: str | None, parent: str) -> str | None:
    kind = _written_type(node, hint, parent)
    # A backend of a workspace is a backend; the policy of a workspace is not that of the service.
    return re.sub("/workspaces/(?!policies$)", "/", kind) if kind else None


def _written_type(node: Node, hint: str | None, parent: str) -> str | None:
    kind = node.text("type") or ""
    if kind.startswith("azure-native:"):
        _, module, name = kind.split(":", 2) if kind.count(":") == 2 else ("", "", "")
        return _PULUMI_TYPES.get(f"{module.partition('/')[0]}:{name}".lower(), kind.lower())
    if "/" in kind:
        # `az … show` of a flattened resource keeps `type`; a template may give `type@version`.
        return kind.partition("@")[0].lower()
    if kind and parent and node.get("name"):
        return f"{parent}/{kind.lower()}"
    if match := _ARM_ID_PART.search(node.text("id") or ""):
        parts = match[2].strip("/").split("/")
        return "/".join([match[1], *parts[::2]]).lower()
    return _type_by_shape(node) or hint


def _type_by_shape(node: Node) -> str | None:
    properties = node.get("properties") or node
    if properties.get("model", "name") or (node.get("sku", "capacity") and properties.get("model")):
        return DEPLOYMENT
    backend_keys = (("circuitBreaker",), ("pool", "services"))
    if any(properties.get(*keys) for keys in backend_keys) or (
        properties.get("url") and properties.get("protocol")
    ):
        return BACKEND
    value = properties.get("value")
    text = value.value if value is not None and is_policy_text(value) else ""
    if "<policies" in str(text):
        return f"{API}/policies"
    if "<fragment" in str(text):
        return f"{SERVICE}/policyfragments"
    if properties.get("path") and (properties.get("subscriptionRequired") or properties.get("serviceUrl")):
        return API
    if node.text("kind") in ("AIServices", "OpenAI", "CognitiveServices"):
        return ACCOUNT
    if properties.get("displayName") and (properties.get("secret") or properties.get("keyVault")):
        return NAMED_VALUE
    return None


def _name(node: Node) -> str | None:
    inputs = node.get("inputs")
    if inputs is not None:
        for key in _PULUMI_NAMES:
            if name := inputs.text(key):
                return name
    return last_name(node.get("name"))
