"""llm-token-limit and azure-openai-token-limit: so many tokens per minute and per period."""

import calendar
from datetime import UTC, datetime, timedelta
from typing import ClassVar

from sinbin.gateway.blocks import Step, calling
from sinbin.gateway.compiler import SectionCompiler
from sinbin.gateway.context import Context
from sinbin.gateway.failures import PolicyFailure
from sinbin.gateway.limit_outputs import Outputs, whole_seconds
from sinbin.gateway.reading import Node
from sinbin.gateway.registry import REFERENCE, Policy
from sinbin.gateway.shape import Attribute, Shape
from sinbin.gateway.token_account import TokenAccount
from sinbin.gateway.tokens import is_streamed, prompt_tokens

WINDOW_S = 60.0
PERIODS = ("Hourly", "Daily", "Weekly", "Monthly", "Yearly")

_NAME = Attribute("text", expression=False)


def period_bounds(period: str, unix_now: float) -> tuple[float, float]:
    """Return when the period that holds `unix_now` began and when it ends (s since 1970), cut in UTC.

    A week begins on Monday (assumed).
    """
    now = datetime.fromtimestamp(unix_now, UTC)
    hour = now.replace(minute=0, second=0, microsecond=0)
    day = hour.replace(hour=0)
    if period == "Hourly":
        start, length = hour, timedelta(hours=1)
    elif period == "Daily":
        start, length = day, timedelta(days=1)
    elif period == "Weekly":
        start, length = day - timedelta(days=day.weekday()), timedelta(days=7)
    elif period == "Monthly":
        start, length = day.replace(day=1), timedelta(days=calendar.monthrange(day.year, day.month)[1])
    else:
        start, length = day.replace(month=1, day=1), timedelta(days=365 + calendar.isleap(day.year))
    return start.timestamp(), (start + length).timestamp()


class TokenLimit(Policy):
    """Refuses model calls when the tokens of a key are used up, and counts what calls use.

    The prompt is estimated before the call when `estimate-prompt-tokens` says so, and for every streamed call;
    otherwise the call that crosses the limit passes and later ones are refused.
    """

    names: ClassVar = ("llm-token-limit", "azure-openai-token-limit")
    sections = frozenset({"inbound"})
    in_consumption = False
    shape = Shape(
        attributes={
            "counter-key": Attribute("text", required=True),
            "tokens-per-minute": Attribute("integer", low=1),
            "token-quota": Attribute("integer", low=1),
            "token-quota-period": Attribute("text", choices=PERIODS),
            "estimate-prompt-tokens": Attribute("boolean", default=False),
            "retry-after-header-name": _NAME,
            "retry-after-variable-name": _NAME,
            "remaining-quota-tokens-header-name": _NAME,
            "remaining-quota-tokens-variable-name": _NAME,
            "remaining-tokens-header-name": _NAME,
            "remaining-tokens-variable-name": _NAME,
            "tokens-consumed-header-name": _NAME,
            "tokens-consumed-variable-name": _NAME,
        },
        refused={
            "prompt-type": "only the editor schema knows it",
            "ignore-prompt": "only the editor schema knows it",
        },
    )
    source = REFERENCE.format("llm-token-limit")
    assumed = (
        "A prompt is estimated as one token per four characters.",
        (
            "A call that ends without a reply, or with an error that reports no usage, gives its estimate back; "
            "a call that its caller gave up keeps it."
        ),
        'The reason is "TokenLimitExceeded", or "TokenQuotaExceeded" for the period.',
        "A week begins on Monday.",
    )

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:  # noqa: ARG003
        """Return the step that checks, reserves the estimate and arranges the settlement."""
        has_rate, has_quota = node.has("tokens-per-minute"), node.has("token-quota")
        if has_quota != node.has("token-quota-period"):
            node.refuse("needs token-quota and token-quota-period together")
        elif not has_rate and not has_quota:
            node.refuse("needs tokens-per-minute, or token-quota with token-quota-period")
        estimates, quota = node.value("estimate-prompt-tokens").read, node.value("token-quota").read
        rate, period = node.value("tokens-per-minute").read, node.value("token-quota-period").read
        outputs = Outputs(node, "retry-after", "remaining-quota-tokens", "remaining-tokens", "tokens-consumed")

        def limit(context: Context, key: str) -> None:
            now = context.now
            request = context.request_object()
            estimate = prompt_tokens(request) if is_streamed(request) or estimates(context) else 0
            account = TokenAccount(context, outputs, estimate)
            needed = estimate or 1
            if has_rate:
                counter = context.instance.rate(("tokens", key), rate(context), WINDOW_S, now)
                left = counter.left(now)
                if left < needed:
                    raise _rate_exceeded(outputs, context, counter.wait(now, needed))
                account.counter = counter
                outputs.tell(context, "remaining-tokens", int(left) - estimate)
            if has_quota:
                _check_quota(context, account, (key, period(context)), quota(context), needed)
            account.open()

        return calling(limit, node.value("counter-key"))


def _rate_exceeded(outputs: Outputs, context: Context, wait_s: float) -> PolicyFailure:
    message = f"Token limit is exceeded. Try again in {whole_seconds(wait_s)} seconds."
    return outputs.refusal(context, status=429, reason="TokenLimitExceeded", message=message, wait_s=wait_s)


def _check_quota(context: Context, account: TokenAccount, key: tuple[str, str], limit: int, needed: int) -> None:
    start, end = period_bounds(key[1], context.unix_now)
    counter = context.instance.token_quotas.counter(key, limit, context.unix_now, end)
    left = counter.left(start)
    if left < needed:
        wait = end - context.unix_now
        message = f"Token quota is exceeded. Try again in {whole_seconds(wait)} seconds."
        raise account.outputs.refusal(
            context, status=403, reason="TokenQuotaExceeded", message=message, wait_s=wait
        )
    account.quota, account.period_start = counter, start
    account.outputs.tell(context, "remaining-quota-tokens", int(left) - account.estimate)
