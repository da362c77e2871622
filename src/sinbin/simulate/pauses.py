"""How long a client waits before it tries again."""

from collections.abc import Callable

from sinbin.simulate.request_source import Request, pause_chance
from sinbin.simulate.scenario import Client, ExponentialPause

_FIRST_BACKOFF_S, _LONGEST_BACKOFF_S, _SHORTENED_BY = 0.5, 8.0, 0.25
"""What a client that obeys Retry-After does without one: 0.5 s, doubled each time, up to a quarter less by chance.

Source: openai-python 3.3.1.
"""

Pauses = Callable[[int, float | None, Request], float | None]
"""`(retry, retry_after_s, request)` → seconds before that retry, the first is 0; None = give up.

`retry_after_s` is what the last reply asked for, None without one.
"""


def make_pauses(client: Client) -> Pauses:
    """Return how `client` waits."""
    pause = client.pause
    if pause == "retry-after":
        most = client.max_retry_after_seconds

        def retry_after(retry: int, seconds: float | None, request: Request) -> float | None:
            if seconds is None:
                wait: float = min(_FIRST_BACKOFF_S * 2**retry, _LONGEST_BACKOFF_S)
                return wait * (1 - _SHORTENED_BY * pause_chance(request, retry))
            return seconds if seconds <= most else None

        return retry_after
    if isinstance(pause, ExponentialPause):
        first, jitter = pause.exponential, pause.jitter

        def exponential(retry: int, _seconds: float | None, request: Request) -> float:
            wait: float = first * 2**retry
            return wait * (0.5 + pause_chance(request, retry)) if jitter else wait

        return exponential
    # The last of a list repeats when there are more retries than pauses.
    waits = pause if isinstance(pause, tuple) else (float(pause),)
    return lambda retry, _seconds, _request: waits[min(retry, len(waits) - 1)]
