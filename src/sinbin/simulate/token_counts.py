"""The distribution of a number of tokens that varies: log-normal, by its median and 95th percentile."""

import math

from sinbin.simulate.loads import TokenCount, Tokens
from sinbin.simulate.streams import normal

_Z95 = normal(0.95)


def token_spread(tokens: Tokens) -> float:
    """Return the standard deviation of the logarithm."""
    return math.log(tokens.p95 / tokens.median) / _Z95


def mean_tokens(count: TokenCount) -> float:
    """Return the mean of `count`."""
    if not isinstance(count, Tokens):
        return float(count)
    return count.median * math.exp(token_spread(count) ** 2 / 2)
