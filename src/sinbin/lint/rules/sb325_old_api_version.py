"""SB325: aPI version that is older than what the resource uses."""

import re
from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Located, Problem, Severity
from sinbin.lint.resource import BACKEND, SERVICE, Resource
from sinbin.lint.rule import ResourceRule

_RECOMMENDED = "2024-05-01"
_V2_SINCE = "2023-05-01-preview"
_SINCE = (
    (("circuitBreaker",), "2023-03-01-preview", "`circuitBreaker`"),
    (("pool",), "2023-05-01-preview", "`pool`"),
)
# Source: ARM template reference of 2023-09-01-preview; https://github.com/Azure/bicep-types-az/issues/2281.
_SINCE_IN_LISTS = (
    (("circuitBreaker", "rules"), "acceptRetryAfter"),
    (("pool", "services"), "priority"),
    (("pool", "services"), "weight"),
)
_LISTS_SINCE = "2023-09-01-preview"
_SINCE_BY_KEY = {keys[0]: since for keys, since, _ in _SINCE}
_PULUMI_MODULE = re.compile(r"/v(\d{4})(\d{2})(\d{2})(preview)?:")


def _version(resource: Resource) -> tuple[Located, str] | None:
    """Return where the version is written, and the version; that of a Pulumi type token stands in its module."""
    node = resource.node.get("apiVersion")
    if node is not None and isinstance(node.value, str):
        return (node, node.value) if re.match(r"\d{4}-\d{2}-\d{2}", node.value) else None
    in_type = resource.node.get("type")
    written = re.search(r"@(\d{4}-\d{2}-\d{2}(?:-preview)?)$", str(in_type.value)) if in_type is not None else None
    if in_type is not None and written is not None:
        return in_type, written[1]
    kind = resource.pulumi.get("type") if resource.pulumi else None
    module = _PULUMI_MODULE.search(str(kind.value)) if kind is not None else None
    if kind is None or module is None:
        return None
    return kind, f"{module[1]}-{module[2]}-{module[3]}{'-preview' if module[4] else ''}"


class OldApiVersion(ResourceRule):
    """API version that is older than what the resource uses.

    ## Why
    An old version refuses a property or a tier, or drops the property without a word: the breaker is in the
    template and not in Azure. Tools with an old default version hide it.

    ## Bad
    ```json
    {
      "type": "Microsoft.ApiManagement/service",
      "apiVersion": "2022-09-01-preview",
      "sku": {"name": "StandardV2", "capacity": 1}
    }
    ```

    ## Good
    ```json
    {
      "type": "Microsoft.ApiManagement/service",
      "apiVersion": "2024-05-01",
      "sku": {"name": "StandardV2", "capacity": 1}
    }
    ```

    ## Fix
    Use 2024-05-01 or later; with Pulumi, by the versioned module.
    """

    id = "SB325"
    name = "old-api-version"
    severity = Severity.ERROR
    source = "https://github.com/pulumi/pulumi-azure-native/issues/4510"
    types = (BACKEND, SERVICE)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        written = _version(resource)
        if written is None:
            return
        node, version = written
        for keys, since, what in _SINCE:
            member = resource.get(*keys)
            if member is not None and member.value is not None and version[:10] < since[:10]:
                yield Problem(
                    node, f"{what} needs API version {since} or later, this is {version}", f"use {_RECOMMENDED}"
                )
        for path, name in _SINCE_IN_LISTS:
            entries = resource.get(*path)
            used = entries is not None and any(entry.get(name) is not None for entry in entries.items())
            if used and _SINCE_BY_KEY[path[0]][:10] <= version[:10] < _LISTS_SINCE[:10]:
                yield Problem(
                    node,
                    f"`{name}` needs API version {_LISTS_SINCE} or later, this is {version}",
                    f"use {_RECOMMENDED}",
                )
        tier = resource.node.text("sku", "name") or resource.properties.text("sku", "name") or ""
        if resource.type == SERVICE and tier.endswith("V2") and version[:10] < _V2_SINCE[:10]:
            yield Problem(
                node,
                f"the tier {tier} needs API version {_V2_SINCE} or later, this is {version}",
                f"use {_RECOMMENDED}",
            )
