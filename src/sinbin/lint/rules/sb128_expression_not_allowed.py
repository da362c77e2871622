"""SB128: a policy expression where the reference allows none."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place


class ExpressionNotAllowed(PolicyRule):
    """A policy expression where the reference allows none.

    ## Why
    Some values are read when the document is saved, not when a request comes: the id of a fragment, the name
    of a variable, the numbers of `rate-limit`. An expression there is refused or taken as text.

    ## Bad
    ```xml
    <include-fragment fragment-id="@(context.Product.Id)" />
    ```

    ## Good
    ```xml
    <choose>
      <when condition="@(context.Product.Id == &quot;batch&quot;)">
        <include-fragment fragment-id="batch" />
      </when>
    </choose>
    ```

    ## Fix
    Write the value itself, or a named value; use the variant by key for limits that differ.
    """

    id = "SB128"
    name = "expression-not-allowed"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/api-management-policy-expressions"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield every attribute with an expression that may have none."""
        for placed in place(subject).all:
            if placed.spec is None:
                continue
            for attribute in placed.element.attributes:
                known = placed.spec.attributes.get(attribute.name) if attribute.expressions else None
                if known is not None and known.expression is False:
                    message = f"`{attribute.name}` of `{placed.spec.name}` takes no policy expression"
                    yield Problem(attribute, message, "write the value itself, or a named value")
