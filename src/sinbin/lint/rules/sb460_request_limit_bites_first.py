"""SB460: request limit that is used up long before the token limit."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.nodes import Node
from sinbin.lint.rule import StackRule

_TOKENS_PER_REQUEST = 1_500
"""More than an ordinary chat completion takes. Source: assumed."""


class RequestLimitBitesFirst(StackRule):
    """Request limit that is used up long before the token limit.

    ## Why
    With few requests and many tokens allowed, ordinary calls meet the request limit while most of the token
    limit is unused: consumers are told that they have tokens they cannot spend.

    ## Bad
    ```yaml
    {name: web, tokensPerMinute: 20000, requestsPerMinute: 5}
    ```

    ## Good
    ```yaml
    {name: web, tokensPerMinute: 20000, requestsPerMinute: 60}
    ```

    ## Fix
    Allow more requests, or leave `requestsPerMinute` out. Azure itself gives 6 requests per minute for 1,000
    tokens.
    """

    id = "SB460"
    name = "request-limit-bites-first"
    severity = Severity.WARNING
    source = "Derived: https://learn.microsoft.com/azure/ai-foundry/openai/how-to/quota"

    def check(self, gateway: Node, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        consumers = gateway.get("consumers")
        for consumer in consumers.items() if consumers else ():
            tokens, requests = consumer.number("tokensPerMinute"), consumer.number("requestsPerMinute")
            if tokens and requests and tokens / requests > _TOKENS_PER_REQUEST:
                yield Problem(
                    consumer.get("requestsPerMinute") or consumer,
                    f"{requests:g} requests per minute are used up before {tokens:,.0f} tokens,"
                    f" unless each takes {tokens / requests:,.0f}",
                    f"allow {tokens * 6 / 1000:,.0f} requests per minute, or leave requestsPerMinute out",
                )
