"""SB183: a retry count that a comment beside it calls attempts."""

import re
from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.nodes import Comment
from sinbin.policy.placement import place

_ATTEMPTS = re.compile(r"\b(\d+|two|three|four|five)\s+(?:attempts|tries|requests|times)\b", re.IGNORECASE)
_WORDS = {"two": "2", "three": "3", "four": "4", "five": "5"}


class RetryCountAsAttempts(PolicyRule):
    """A retry count that a comment beside it calls attempts.

    ## Why
    `count` is the number of retries after the first attempt: `count="3"` sends up to four requests. Read as
    attempts, it is one too many for every pool.

    ## Bad
    ```xml
    <!-- 3 attempts, one per region -->
    <retry condition="@(a)" count="3" interval="0"><forward-request /></retry>
    ```

    ## Good
    ```xml
    <!-- 3 attempts, one per region -->
    <retry condition="@(a)" count="2" interval="0"><forward-request /></retry>
    ```

    ## Fix
    Lower the count by one, or correct the comment.
    """

    id = "SB183"
    name = "retry-count-as-attempts"
    severity = Severity.NOTE
    source = "https://learn.microsoft.com/azure/api-management/retry-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each count that the comment in front of or inside the retry names as attempts."""
        for placed in place(subject).policies("retry"):
            count = placed.element.attribute("count")
            if count is None or count.literal is None or placed.element.parent is None:
                continue
            siblings = placed.element.parent.children
            before = siblings[: siblings.index(placed.element)][-1:]
            for node in (*before, *placed.element.children):
                if isinstance(node, Comment) and (said := _ATTEMPTS.search(node.text)):
                    number = said[1].lower()
                    if _WORDS.get(number, number) == count.literal.strip():
                        sent = int(count.literal) + 1
                        message = f'a comment says "{said[0]}"; count {sent - 1} sends up to {sent} requests'
                        yield Problem(count, message, "lower the count by one, or correct the comment")
                        break
