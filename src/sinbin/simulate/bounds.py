"""How large an experiment may be."""

MOST_REQUESTS = 100_000_000
"""Requests of one run.

A core simulates some ten thousand to some hundred thousand requests a second: a run of this size takes from a
quarter of an hour to hours. What is larger is a slip of the keyboard, and would seem to hang.
Source: measured with `benchmarks/`.
"""
MOST_TOKENS = 2_000_000
"""Tokens of one prompt or reply: no model of today has a context of more than about a million."""
