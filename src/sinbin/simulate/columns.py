"""The columns of results side by side, the same on the terminal and in a report."""

Column = tuple[str, str, str]
"""Key of the figure, heading, unit."""

COMPARED: tuple[Column, ...] = (
    ("success_pct", "success", "%"),
    ("goodput_rps", "goodput", ""),
    ("calls_per_request", "calls/request", ""),
    ("refused_calls", "refused", ""),
    ("failed_calls", "failed", ""),
    ("sit_outs", "sit-outs", ""),
    ("median_ms", "median", "ms"),
    ("p95_ms", "p95", "ms"),
    ("cost_usd", "cost", "USD"),
    ("cost_usd_per_1000_answers", "1,000 answers", "USD"),
)
"""Of scenarios."""
OF_A_REGION: tuple[Column, ...] = (
    ("goodput_rps", "req/s", ""),
    ("calls", "calls", ""),
    ("refused_calls", "refused", ""),
    ("failed_calls", "failed", ""),
    ("sit_outs", "sit-outs", ""),
    ("median_ms", "median", "ms"),
    ("p95_ms", "p95", "ms"),
    ("cost_usd", "cost", "USD"),
)
OF_A_KIND: tuple[Column, ...] = (
    ("requests", "requests", ""),
    ("success_pct", "success", "%"),
    ("goodput_rps", "req/s", ""),
    ("median_ms", "median", "ms"),
    ("p95_ms", "p95", "ms"),
)
"""Of kinds of request."""
