"""SB117: a policy document below the global scope that leaves a section out."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import SECTIONS, Document, DocumentKind


class SectionMissing(PolicyRule):
    """A policy document below the global scope that leaves a section out.

    ## Why
    Documents often leave out `backend` or `on-error`. What that means (nothing at all, or what is inherited)
    is not documented.

    ## Bad
    ```xml
    <policies><inbound><base /></inbound></policies>
    ```

    ## Good
    ```xml
    <policies>
      <inbound>
        <base />
      </inbound>
      <backend>
        <base />
      </backend>
      <outbound>
        <base />
      </outbound>
      <on-error>
        <base />
      </on-error>
    </policies>
    ```

    ## Fix
    Write all four sections, each with `<base />`.
    """

    id = "SB117"
    name = "section-missing"
    severity = Severity.NOTE
    source = "Derived: the reference does not say what a missing section means"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:
        """Yield the sections that are not there, together."""
        root = subject.root
        if subject.kind is not DocumentKind.POLICIES or root is None or context.scope in {"global", "fragment"}:
            return
        missing = [name for name in SECTIONS if subject.section(name) is None]
        if missing and not any("{" in text.value for text in root.texts):
            yield Problem(
                root, f"the document has no {', '.join(missing)}", "add what is missing, with `<base />` in it"
            )
