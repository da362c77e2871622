"""SB174: a semantic cache that answers with something else."""

import re
from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place

_NUMBER = re.compile(r"\d*\.?\d+")
_ADVISED = 0.2


class LooseSemanticCache(PolicyRule):
    """A semantic cache that answers with something else.

    ## Why
    The lower `score-threshold`, the more alike two prompts have to be. Above 0.2 callers get answers to other
    questions; start at about 0.05.

    ## Bad
    ```xml
    <llm-semantic-cache-lookup score-threshold="0.8" embeddings-backend-id="embed" … />
    ```

    ## Good
    ```xml
    <llm-semantic-cache-lookup score-threshold="0.05" embeddings-backend-id="embed" … />
    ```

    ## Fix
    Lower the threshold.
    """

    id = "SB174"
    name = "loose-semantic-cache"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/llm-semantic-cache-lookup-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each threshold above the documented advice."""
        for placed in place(subject).policies("llm-semantic-cache-lookup", "azure-openai-semantic-cache-lookup"):
            attribute = placed.element.attribute("score-threshold")
            value = (attribute.literal or "").strip() if attribute is not None else ""
            if attribute is not None and _NUMBER.fullmatch(value) and _ADVISED < float(value) <= 1:
                message = f"`score-threshold` is {value}: prompts that differ get the same answer"
                yield Problem(attribute, message, "start at 0.05; above 0.2 mismatches are likely")
