"""How large an experiment may be, and how often it is run."""

MOST_REQUESTS = 100_000_000
"""Requests of one run.

Direct callers are simulated at 140,000 to 400,000 requests a second, the routing program at 140,000, the compiled
policies of a stack at some thousands: a run of this size takes from minutes to most of a day. What is larger is a
slip of the keyboard. Source: `benchmarks/simulate_speed.py` on one core, CPU time, 2026-11-30.
"""
MOST_TOKENS = 2_000_000
"""Tokens of one prompt or reply: no model of today has a context of more than about a million."""
CARD_RUNS = 40
"""Replications of a run card: runs at 6 requests/s vary by about 1 point, so the mean of 40 is known to 0.3."""
