"""The resource types that the local control plane knows, one module per family.

Importing this package registers them all; a new type is a new class in one of the modules (or a new module).
"""

import importlib
import pkgutil

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")
