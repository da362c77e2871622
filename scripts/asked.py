"""How a script that looks for what a machine may lack tells what it found: `check.sh` goes by the exit code."""

import sys
from collections.abc import Callable

from sinbin.errors import EXIT_INPUT, EXIT_OK, SinbinError


def tell(find: Callable[[], str]) -> int:
    """Print what `find` returns, or why it is not to be had; return the exit code, 0 or 2."""
    try:
        print(find())
    except SinbinError as error:
        print(f"error: {error}", file=sys.stderr)
        return EXIT_INPUT
    return EXIT_OK
