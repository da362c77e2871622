"""SB506: a backend that is called without TLS."""

import re
from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.nodes import Attribute
from sinbin.policy.placement import place

_LOCAL = re.compile(
    r"http://(?:localhost|127\.|10\.|192\.168\.|\[::1\]|[\w\-]+(?=[:/]|$)|[^/]*\.(?:local|internal|test|svc)(?=[:/]|$))",
    re.IGNORECASE,
)


class PlainHttp(PolicyRule):
    """A backend that is called without TLS.

    ## Why
    Prompts, answers and tokens cross the network in clear.

    ## Bad
    ```xml
    <set-backend-service base-url="http://api.example.com" />
    ```

    ## Good
    ```xml
    <set-backend-service base-url="https://api.example.com" />
    ```

    ## Fix
    Write `https`.
    """

    id = "SB506"
    name = "plain-http"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/security/benchmark/azure/baselines/api-management-security-baseline"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each URL with plain http, save those that do not leave the machine or the cluster."""
        for placed in place(subject).named("set-backend-service", "set-url", "openid-config", "proxy"):
            for valued in placed.element.valued():
                name = valued.name if isinstance(valued, Attribute) else "text"
                if placed.spec is None or name not in {"base-url", "url", "text"} or valued.expressions:
                    continue
                value = valued.value.strip()
                if value.lower().startswith("http://") and not _LOCAL.match(value):
                    yield Problem(valued, f'"{value[:60]}" is called without TLS', "write https")
