"""SB326: single backend without a usable URL and protocol, or of an unknown type."""

import re
from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import BACKEND, Resource
from sinbin.lint.rule import ResourceRule

_TYPES = ('"single"', '"pool"')
_URL = re.compile(r"https?://[^/\s]+", re.IGNORECASE)
_LONGEST = 2_000


class BackendWithoutUrl(ResourceRule):
    """Single backend without a usable URL and protocol, or of an unknown type.

    ## Why
    A single backend needs `url` (with a scheme, at most 2,000 characters) and `protocol`; its type is `Single`
    or `Pool`. Anything else is refused.

    ## Bad
    ```json
    {
      "type": "Microsoft.ApiManagement/service/backends",
      "name": "aoai-a",
      "properties": {"type": "Single", "protocol": "http"}
    }
    ```

    ## Good
    ```json
    {
      "type": "Microsoft.ApiManagement/service/backends",
      "name": "aoai-a",
      "properties": {"type": "Single", "protocol": "http", "url": "https://aoai-a.openai.azure.com/openai"}
    }
    ```

    ## Fix
    Add what is missing. `protocol` is `http` also for an https address.
    """

    id = "SB326"
    name = "backend-without-url"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/templates/microsoft.apimanagement/service/backends"
    types = (BACKEND,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        kind = resource.get("type")
        if (
            kind is not None
            and kind is not resource.node.get("type")
            and kind.known
            and kind.shown.lower() not in _TYPES
        ):
            yield Problem(kind, f"there is no backend of type {kind.shown}", "use `Single` or `Pool`")
            return
        if resource.pool or resource.properties is resource.node or not resource.properties.members():
            return
        url = resource.get("url")
        if url is None or url.value in (None, ""):
            yield Problem(
                url or resource.place, f"{resource.label} has no `url`", "add the address of the backend"
            )
        elif isinstance(url.value, str) and url.known and (not _URL.match(url.value) or len(url.value) > _LONGEST):
            yield Problem(
                url, f"{url.shown[:80]} is no absolute URL of up to {_LONGEST} characters", "begin with https://"
            )
        protocol = resource.get("protocol")
        if protocol is None or (protocol.known and protocol.value not in ("http", "soap")):
            yield Problem(
                protocol or resource.place,
                f"{resource.label} has "
                + ("no `protocol`" if protocol is None else f"the protocol {protocol.shown}"),
                'set `protocol` to "http", also for an https address',
            )
