"""Numbers on the command line: finite, and inside a range that the message names."""

import math
from typing import Any

import click


class Number(click.FloatRange):
    """A float inside a range; nan and the infinities, which Python reads as numbers too, are none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return `value` as a finite float inside the range."""
        number = float(click.FLOAT.convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number in the range {self._describe_range()}.", param, ctx)
        return float(super().convert(number, param, ctx))


POSITIVE = Number(min=0, min_open=True)
