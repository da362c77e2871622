"""SB178: a metric dimension that is new for every request."""

import re
from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place

_UNIQUE = re.compile(r"context\.RequestId|context\.Timestamp|DateTime\.(?:Utc)?Now|Guid\.NewGuid")


class MetricPerRequest(PolicyRule):
    """A metric dimension that is new for every request.

    ## Why
    Azure Monitor keeps 50,000 active time series per region and subscription. A dimension that never repeats
    uses them up.

    ## Bad
    ```xml
    <dimension name="request" value="@(context.RequestId.ToString())" />
    ```

    ## Good
    ```xml
    <dimension name="Product ID" />
    ```

    ## Fix
    Use a dimension with few values; put the request id into a log.
    """

    id = "SB178"
    name = "metric-per-request"
    severity = Severity.NOTE
    source = "https://learn.microsoft.com/azure/api-management/llm-emit-token-metric-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each dimension made of a request id or a time."""
        for placed in place(subject).named("dimension"):
            value = placed.element.attribute("value")
            if value is not None and placed.spec is not None and (found := _UNIQUE.search(value.value)):
                message = f"`{found[0]}` makes a new time series for every request"
                yield Problem(value, message, "use a dimension with few values")
