"""SB115: a policy more often than it may stand in its section or document."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.nodes import Element
from sinbin.policy.placement import has_alternatives, place


class PolicyRepeated(PolicyRule):
    """A policy more often than it may stand in its section or document.

    ## Why
    Policies such as `cors`, `cache-lookup` or `jsonp` may stand once per section, `rate-limit` and `quota`
    once per document. The second is refused, or never runs.

    ## Bad
    ```xml
    <inbound>
      <base />
      <rate-limit calls="10" renewal-period="60" />
      <rate-limit calls="100" renewal-period="300" />
    </inbound>
    ```

    ## Good
    ```xml
    <inbound>
      <base />
      <rate-limit calls="10" renewal-period="60" />
      <rate-limit-by-key calls="100" renewal-period="300" counter-key="@(context.Subscription.Id)" />
    </inbound>
    ```

    ## Fix
    Keep one, or use the variant that may be repeated.
    """

    id = "SB115"
    name = "policy-repeated"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/api-management-policies"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each repetition on the same path; alternatives of `choose` or of a template exclude each other."""
        seen: dict[tuple[str, str | None], Element] = {}
        for placed in place(subject).all:
            policy = placed.policy
            if policy is None or policy.once is None or _is_alternative(placed.element):
                continue
            section = placed.section if policy.once == "section" else None
            first = seen.setdefault((policy.name, section), placed.element)
            if first is not placed.element:
                unit = placed.section or "fragment" if policy.once == "section" else "document"
                message = f"`{policy.name}` stands in this {unit} already, in line {first.position.line}"
                yield Problem(placed.element, message, "keep one of them")


def _is_alternative(element: Element) -> bool:
    return any(around.name in {"when", "otherwise"} or has_alternatives(around) for around in element.ancestors())
