"""Ways to write a report down, one module each; the module's name is the word behind `--format`.

A reporter is a function `render(report, *, colour)` that returns the whole output; `report.findings` are sorted.
"""

import importlib
import pkgutil
from collections.abc import Callable

from sinbin.lint.engine import Report


def formats() -> tuple[str, ...]:
    """Return the names of the reporters."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))


def render(name: str, report: Report, *, colour: bool = False) -> str:
    """Return `report` in the format `name`, ending in a line break unless empty."""
    reporter: Callable[..., str] = importlib.import_module(f"{__name__}.{name}").render
    return reporter(report, colour=colour)
