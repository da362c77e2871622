"""Headers and variables by which limits tell what is used, left, and when to come back."""

import math
from collections.abc import Callable

from sinbin.gateway.context import Context
from sinbin.gateway.failures import PolicyFailure
from sinbin.gateway.reading import Node


def whole_seconds(wait_s: float) -> int:
    """Return a wait as Retry-After says it: whole seconds, rounded up, at least 1 (assumed)."""
    # A wait computed from sums of floats may be a hair above the whole second that is meant.
    return max(1, math.ceil(wait_s - 1e-6))


def clock_text(seconds: int) -> str:
    """Return seconds as hh:mm:ss, the way quota messages say them."""
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


class Outputs:
    """Where a limit element wants its figures: pairs of a header and a variable, each of them optional."""

    __slots__ = ("_names", "wanted")

    def __init__(self, node: Node, *figures: str) -> None:
        """Read `<figure>-header-name` and `<figure>-variable-name` of `node` for each of `figures`."""
        self._names = {
            figure: (self._name(node, f"{figure}-header-name"), self._name(node, f"{figure}-variable-name"))
            for figure in figures
        }

    def tell(self, context: Context, figure: str, value: int) -> None:
        """Set the variable now, and the header when the reply is complete."""
        header, variable = self._names[figure]
        if variable:
            context.variables[variable] = value
        if header:
            text = str(value)
            context.reply_headers.append((header, lambda: text))

    def tell_later(self, context: Context, figure: str, value: Callable[[], int | None]) -> None:
        """Set the header from what `value` returns when the reply is complete, unless that is None."""
        header, _ = self._names[figure]
        if header:
            context.reply_headers.append((header, lambda: None if (found := value()) is None else str(found)))

    def set_variable(self, context: Context, figure: str, value: int) -> None:
        """Set the variable alone."""
        _, variable = self._names[figure]
        if variable:
            context.variables[variable] = value

    def refusal(
        self,
        context: Context,
        *,
        status: int,
        reason: str,
        message: str,
        wait_s: float,
        shown: str | None = None,
    ) -> PolicyFailure:
        """Return the failure of an exceeded limit, its Retry-After under the name that the element asks for."""
        seconds = whole_seconds(wait_s) if math.isfinite(wait_s) else None
        header, variable = self._names["retry-after"]
        if seconds is None:
            return PolicyFailure(reason, message, status=status, shown=shown)
        if variable:
            context.variables[variable] = seconds
        headers = ((header or "Retry-After", str(seconds)),)
        return PolicyFailure(reason, message, status=status, headers=headers, shown=shown)

    @staticmethod
    def _name(node: Node, attribute: str) -> str | None:
        try:
            name = node.constant(attribute)
        except KeyError:
            return None
        return None if name is None else str(name)
