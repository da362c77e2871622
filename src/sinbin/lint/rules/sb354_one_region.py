"""SB354: alias that has a single member."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.nodes import Node
from sinbin.lint.rule import StackRule
from sinbin.lint.stack import aliases


class OneRegion(StackRule):
    """Alias that has a single member.

    ## Why
    When that region is full or down, every request is refused: there is nothing to fail over to.

    ## Bad
    ```yaml
    regions: [{location: uksouth}]
    ```

    ## Good
    ```yaml
    regions: [{location: uksouth}, {location: swedencentral}]
    ```

    ## Fix
    Add a region; for a test environment, suppress the finding with that reason.
    """

    id = "SB354"
    name = "one-region"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/ai-foundry/openai/how-to/business-continuity-disaster-recovery"

    def check(self, gateway: Node, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for alias in aliases(gateway):
            if alias.members == 1:
                yield Problem(
                    alias.node.get("alias") or alias.node,
                    f"{alias.name} has a single member, so a refusal has nowhere to go",
                    "deploy it in a second region",
                )
