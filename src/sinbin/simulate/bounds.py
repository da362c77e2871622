"""How large an experiment may be, and how often it is run."""

MOST_REQUESTS = 100_000_000
"""Requests of one run.

The routing program simulates 41,000 to 115,000 requests a second, the compiled policies of a stack about 3,000:
a run of this size takes from a quarter of an hour to most of a day. What is larger is a slip of the keyboard.
Source: `benchmarks/simulate_speed.py` on two cores shared with other work, 2026-11-29.
"""
MOST_TOKENS = 2_000_000
"""Tokens of one prompt or reply: no model of today has a context of more than about a million."""
CARD_RUNS = 40
"""Replications of a run card: runs at 6 requests/s vary by about 1 point, so the mean of 40 is known to 0.3."""
