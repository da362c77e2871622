"""SB177: a metric with more custom dimensions than are kept."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place

_MAX_CUSTOM = 5
# Source: https://learn.microsoft.com/azure/api-management/llm-emit-token-metric-policy, read 2026-11-29.
_DEFAULTS = frozenset(
    {
        "API ID",
        "Operation ID",
        "Product ID",
        "User ID",
        "Subscription ID",
        "Location",
        "Gateway ID",
        "Backend ID",
    }
)


class MetricDimensions(PolicyRule):
    """A metric with more custom dimensions than are kept.

    ## Why
    A metric takes at most five custom dimensions. Default dimensions such as `API ID` do not count.

    ## Bad
    ```xml
    <llm-emit-token-metric>
      <dimension name="a" value="1" />
      <!-- … b to e … -->
      <dimension name="f" value="6" />
    </llm-emit-token-metric>
    ```

    ## Good
    ```xml
    <llm-emit-token-metric>
      <dimension name="API ID" />
      <dimension name="consumer" value="@(context.Product.Id)" />
    </llm-emit-token-metric>
    ```

    ## Fix
    Keep five.
    """

    id = "SB177"
    name = "metric-dimensions"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/llm-emit-token-metric-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield the sixth custom dimension, and each custom one without a value."""
        for placed in place(subject).policies(
            "llm-emit-token-metric", "azure-openai-emit-token-metric", "emit-metric"
        ):
            dimensions = [child for child in placed.element.elements if child.name == "dimension"]
            custom = [one for one in dimensions if one.attribute("value") is not None]
            if len(custom) > _MAX_CUSTOM:
                message = f"`{placed.element.name}` has {len(custom)} custom dimensions; {_MAX_CUSTOM} are kept"
                yield Problem(custom[_MAX_CUSTOM], message, f"keep {_MAX_CUSTOM}")
            for one in dimensions:
                name = one.literal("name")
                if one.attribute("value") is None and name and name not in _DEFAULTS:
                    known = ", ".join(sorted(_DEFAULTS))
                    yield Problem(
                        one, f'the dimension "{name}" has no value', f"add value; only {known} need none"
                    )
