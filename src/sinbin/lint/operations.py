"""Which operations of the OpenAI interface keep state in the account that answered."""

import re

_STATEFUL = re.compile(
    r"/(responses|assistants|threads|files|batches|vector_stores|uploads|fine_tuning|conversations)\b",
    re.IGNORECASE,
)


def is_stateful(url_template: str) -> bool:
    """Whether later calls must reach the account that answered the first.

    Source: https://learn.microsoft.com/azure/ai-foundry/openai/how-to/responses, read 2026-11-29
    """
    return _STATEFUL.search(url_template) is not None
