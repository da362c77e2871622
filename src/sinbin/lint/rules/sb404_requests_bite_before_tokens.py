"""SB404: a request limit that is reached long before the token limit."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.effective import Judged
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import EffectivePolicyRule
from sinbin.policy.effective import Step

# A long prompt with its documents; whoever sends more on average knows it.
_LONG_REQUEST = 4000


class RequestsBiteBeforeTokens(EffectivePolicyRule):
    """A request limit that is reached long before the token limit.

    ## Why
    The smaller limit is the one that holds. With 10 requests and 100,000 tokens per minute a caller would need
    10,000 tokens per request to use what it was promised.

    ## Bad
    ```xml
    <rate-limit calls="10" renewal-period="60" />
    <llm-token-limit counter-key="a" tokens-per-minute="100000" estimate-prompt-tokens="true" />
    ```

    ## Good
    ```xml
    <rate-limit calls="600" renewal-period="60" />
    <llm-token-limit counter-key="a" tokens-per-minute="100000" estimate-prompt-tokens="true" />
    ```

    ## Fix
    Raise the request limit, or lower the token limit. Azure OpenAI itself grants 6 requests per minute for
    each 1,000 tokens per minute.
    """

    id = "SB404"
    name = "requests-bite-before-tokens"
    severity = Severity.WARNING
    source = "Derived: tokens per minute divided by requests per minute is what a request may use on average"

    def check(self, subject: Judged, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each request limit that leaves more than a long prompt's tokens per request."""
        tokens = [
            (step, number)
            for _, step in subject.named("llm-token-limit", "azure-openai-token-limit")
            if (number := _number(step, "tokens-per-minute"))
        ]
        for _, step in subject.named("rate-limit", "rate-limit-by-key"):
            calls, period = _number(step, "calls"), _number(step, "renewal-period")
            for limit, per_minute in tokens:
                if not calls or not period or not (subject.is_own(step) or subject.is_own(limit)):
                    continue
                needed = per_minute * period / calls / 60
                if needed > _LONG_REQUEST:
                    shown = f"{per_minute:,} tokens per minute"
                    message = (
                        f"{calls:,} calls per {period} s are used up long before {shown}: "
                        f"a request would need {needed:,.0f} tokens"
                    )
                    yield Problem(
                        subject.where(step), message, "raise the request limit, or lower the token limit"
                    )


def _number(step: Step, name: str) -> int | None:
    value = (step.element.literal(name) or "").strip()
    return int(value) if value.isdecimal() and len(value) < 12 else None
