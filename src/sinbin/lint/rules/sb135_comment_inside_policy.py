"""SB135: a comment inside a policy element."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.nodes import Comment
from sinbin.policy.placement import place


class CommentInsidePolicy(PolicyRule):
    """A comment inside a policy element.

    ## Why
    Comments inside policies are not supported and may disappear when the document is saved. Between policies
    they stay.

    ## Bad
    ```xml
    <set-header name="a"><!-- for tracing --><value>b</value></set-header>
    ```

    ## Good
    ```xml
    <!-- for tracing --><set-header name="a"><value>b</value></set-header>
    ```

    ## Fix
    Move the comment in front of the policy.
    """

    id = "SB135"
    name = "comment-inside-policy"
    severity = Severity.NOTE
    source = "https://github.com/microsoft/vscode-apimanagement/blob/main/src/constants.ts"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield every comment in an element that holds no policies; bodies keep theirs."""
        for placed in place(subject).all:
            spec = placed.spec
            if spec is None or spec.content in {"policies", "any"} or placed.around is None:
                continue
            if any(child.content == "policies" for child in spec.children.values()):
                continue
            for child in placed.element.children:
                if isinstance(child, Comment):
                    message = f"this comment inside `{spec.name}` may disappear when the document is saved"
                    yield Problem(child, message, "put it between policies")
