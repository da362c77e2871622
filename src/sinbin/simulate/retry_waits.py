"""How long the gateway's retry waits before each retry."""

from sinbin.simulate.scenario import GatewayRetry


def retry_wait(retry: GatewayRetry, number: int, chance: float) -> float:
    """Return the seconds before retry `number` (from 1); `chance` is 0 to 1.

    Source: learn.microsoft.com/azure/api-management/retry-policy, read 2026-11-29.
    """
    if retry.first_fast_retry and number == 1:
        return 0.0
    interval, delta, most = retry.interval_seconds, retry.delta_seconds, retry.max_interval_seconds
    if delta is None:
        return interval
    if most is None:
        return interval + (number - 1) * delta
    return min(most, interval + (2.0 ** (number - 1) - 1) * delta * (0.8 + 0.4 * chance))
