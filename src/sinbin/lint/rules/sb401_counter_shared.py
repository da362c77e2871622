"""SB401: two limits that count on one key."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.effective import Judged
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import EffectivePolicyRule
from sinbin.policy.effective import Step

_FAMILIES = (
    ("rate-limit-by-key",),
    ("quota-by-key",),
    ("llm-token-limit", "azure-openai-token-limit"),
)
_LIMITS = ("calls", "renewal-period", "bandwidth", "tokens-per-minute", "token-quota", "token-quota-period")


class CounterShared(EffectivePolicyRule):
    """Two limits that count on one key.

    ## Why
    A counter belongs to its key, over all scopes. Two limits of different size with the same key count every
    request twice, or behave unpredictably in the v2 tiers.

    ## Bad
    ```xml
    <!-- product: 10 per minute -->
    <rate-limit-by-key calls="10" renewal-period="60" counter-key="@(context.Subscription.Id)" />
    <!-- API: 100 per minute -->
    <rate-limit-by-key calls="100" renewal-period="60" counter-key="@(context.Subscription.Id)" />
    ```

    ## Good
    ```xml
    <rate-limit-by-key calls="10" renewal-period="60" counter-key="@("product-" + context.Subscription.Id)" />
    <rate-limit-by-key calls="100" renewal-period="60" counter-key="@("api-" + context.Subscription.Id)" />
    ```

    ## Fix
    Give each limit a key of its own, for example with a prefix.
    """

    id = "SB401"
    name = "counter-shared"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/llm-token-limit-policy"

    def check(self, subject: Judged, context: Context) -> Iterator[Problem]:
        """Yield each own limit whose key another scope, or in a v2 tier this one, counts on with other numbers."""
        for family in _FAMILIES:
            seen: dict[str, Step] = {}
            for _, step in subject.named(*family):
                key = " ".join((step.element.get("counter-key") or "").split())
                if not key or any(around.name in {"when", "otherwise"} for around in step.element.ancestors()):
                    continue
                first = seen.setdefault(key, step)
                same_document = first.element.source is step.element.source
                if (
                    first is step
                    or _numbers(first) == _numbers(step)
                    or (same_document and "V2" not in context.tier)
                ):
                    continue
                own = next((one for one in (step, first) if subject.is_own(one)), None)
                if own is not None:
                    other = first if own is step else step
                    message = (
                        f"`{own.name}` counts on the key of the one in line {other.element.position.line} of "
                        f"{other.element.source.path}, with other limits"
                    )
                    yield Problem(subject.where(own), message, "give each limit a key of its own")


def _numbers(step: Step) -> tuple[str | None, ...]:
    return tuple(step.element.get(name) for name in _LIMITS)
