"""SB302: pool that has a URL, protocol, credentials or TLS settings of its own."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.removal import removals
from sinbin.lint.resource import BACKEND, Resource
from sinbin.lint.rule import ResourceRule

_OF_MEMBERS = ("url", "protocol", "credentials", "tls", "proxy")


class PoolWithUrl(ResourceRule):
    """Pool that has a URL, protocol, credentials or TLS settings of its own.

    ## Why
    A pool is a list of backends; the address and the credentials are the members'. The published schema
    declares `url` and `protocol` as required for every backend, but the service refuses them for a pool: "Url
    is not supported for backend pool".

    ## Bad
    ```json
    {"type": "Pool", "url": "http://localhost", "protocol": "http", "pool": {"services": []}}
    ```

    ## Good
    ```json
    {"type": "Pool", "pool": {"services": []}}
    ```

    ## Fix
    Remove the members named. Where a tool insists on the schema, switch off its schema check for this resource.
    """

    id = "SB302"
    name = "pool-with-url"
    severity = Severity.ERROR
    source = "https://github.com/Azure/bicep/issues/14097"
    types = (BACKEND,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        if not resource.pool:
            return
        edits = removals(_OF_MEMBERS, resource.properties)
        for key in _OF_MEMBERS:
            node = resource.get(key)
            if node is not None:
                yield Problem(
                    node.key_place,
                    f"{resource.label} has `{key}`, which the service refuses for a pool",
                    f"remove `{key}`; it belongs to the members",
                    edits[key],
                )
