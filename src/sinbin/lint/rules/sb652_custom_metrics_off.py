"""SB652: application Insights diagnostics without custom metrics."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import DIAGNOSTICS, Resource
from sinbin.lint.rule import ResourceRule


class CustomMetricsOff(ResourceRule):
    """Application Insights diagnostics without custom metrics.

    ## Why
    `llm-emit-token-metric` and `emit-metric` need `metrics: true` in the diagnostics (and custom metrics with
    dimensions in Application Insights). Otherwise they run and nothing arrives.

    ## Bad
    ```json
    {
      "type": "Microsoft.ApiManagement/service/diagnostics",
      "name": "applicationinsights",
      "properties": {"loggerId": "/loggers/insights"}
    }
    ```

    ## Good
    ```json
    {
      "type": "Microsoft.ApiManagement/service/diagnostics",
      "name": "applicationinsights",
      "properties": {"loggerId": "/loggers/insights", "metrics": true}
    }
    ```

    ## Fix
    Set `metrics` to true.
    """

    id = "SB652"
    name = "custom-metrics-off"
    severity = Severity.NOTE
    source = "https://learn.microsoft.com/azure/api-management/llm-emit-token-metric-policy"
    types = DIAGNOSTICS

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        insights = (resource.name or "").lower() == "applicationinsights"
        node = resource.get("metrics")
        if insights and (node is None or node.known) and not resource.properties.flag("metrics"):
            yield Problem(
                node or resource.place,
                f"{resource.label} drops the token metrics that policies emit",
                "set `metrics` to true",
            )
