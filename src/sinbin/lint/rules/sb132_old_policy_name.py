"""SB132: a policy under its old name."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Edit, Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.nodes import Element
from sinbin.policy.placement import place


class OldPolicyName(PolicyRule):
    """A policy under its old name.

    ## Why
    The reference documents the `azure-openai-*` policies as `llm-*` now. Both names work.

    ## Bad
    ```xml
    <azure-openai-token-limit counter-key="a" tokens-per-minute="1000" estimate-prompt-tokens="true" />
    ```

    ## Good
    ```xml
    <llm-token-limit counter-key="a" tokens-per-minute="1000" estimate-prompt-tokens="true" />
    ```

    ## Fix
    Rename the element.
    """

    id = "SB132"
    name = "old-policy-name"
    severity = Severity.NOTE
    source = "https://learn.microsoft.com/azure/api-management/llm-token-limit-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield every policy under an old name."""
        for placed in place(subject).all:
            name = placed.element.name
            if placed.policy is None or not name.startswith("azure-openai-"):
                continue
            new = name.replace("azure-openai-", "llm-")
            yield Problem(
                placed.element, f"`{name}` is now `{new}`", f"write `{new}`", _rename(placed.element, new)
            )


def _rename(element: Element, new: str) -> tuple[Edit, ...]:
    edits = [Edit(element.start + 1, element.name_end, new)]
    if element.close_start is not None:
        start = element.close_start + len("</")
        edits.append(Edit(start, start + len(element.name), new))
    return tuple(edits)
