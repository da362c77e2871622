"""The .NET that policies may use, one module per family; each declares its types and members (see registry.py).

To add a member, add one line to its type's `declare(…)`, and a function when a template does not do.
"""

import importlib
import pkgutil


def load() -> None:
    """Import every family, so that its types are known to the compiler."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
