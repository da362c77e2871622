"""SB127: none of several attributes of which one is needed, or half of a pair."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import attribute_names, place


class AttributesIncomplete(PolicyRule):
    """None of several attributes of which one is needed, or half of a pair.

    ## Why
    A token limit needs `tokens-per-minute`, or `token-quota` together with its period. `set-backend-service`
    needs a URL or an id, `quota` calls or bandwidth.

    ## Bad
    ```xml
    <llm-token-limit counter-key="@(context.Subscription.Id)" token-quota="100000" />
    ```

    ## Good
    ```xml
    <llm-token-limit counter-key="@(context.Subscription.Id)" token-quota="100000" token-quota-period="Daily" />
    ```

    ## Fix
    Add what is missing.
    """

    id = "SB127"
    name = "attributes-incomplete"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/llm-token-limit-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each element with none of a group, or a part of a pair."""
        for placed in place(subject).all:
            spec = placed.spec
            if spec is None or placed.element.get("dapr-app-id"):
                continue
            if not (spec.exactly_one or spec.at_least_one or spec.together):
                continue
            present = attribute_names(placed)
            for group in (*spec.exactly_one, *spec.at_least_one):
                if not present & set(group):
                    listed = " nor ".join(f"`{name}`" for name in group)
                    yield Problem(placed.element, f"`{spec.name}` has neither {listed}", "add one of them")
            for group in spec.together:
                missing = [name for name in group if name not in present]
                if missing and len(missing) < len(group):
                    there = next(name for name in group if name in present)
                    message = f"`{spec.name}` has `{there}` without `{missing[0]}`"
                    yield Problem(placed.element, message, f"add `{missing[0]}`")
