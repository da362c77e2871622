"""An expression within other generated code: written out where it is one Python expression, called otherwise."""

import ast
from collections.abc import Callable, Mapping
from typing import Any

_MOST_BRACKETS = 100
"""Python nests 200 of them, and the code around needs its own."""
_OWN_SCOPE = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def written_out(
    python: str,
    names: Mapping[str, Any],
    context: str,
    bind: Callable[[Any, str], str],
    fresh: Callable[[str], str],
) -> str | None:
    """Return what the generated function `python` returns as an expression; None when it does more than return.

    Args:
        python: the function's source.
        names: what it knows by name.
        context: the name of the context in the code around.
        bind: gives an object a name in the code around.
        fresh: gives a name that is not taken yet in the code around.
    """
    function = ast.parse(python).body[0]
    assert isinstance(function, ast.FunctionDef)
    [*before, last] = function.body
    if before or not isinstance(last, ast.Return) or last.value is None or python.count("(") > _MOST_BRACKETS:
        return None
    renamed = {"ctx": context}
    for node in ast.walk(last.value):
        if isinstance(node, _OWN_SCOPE):
            return None
        if isinstance(node, ast.Name):
            if node.id in names:
                node.id = bind(names[node.id], node.id.rstrip("_0123456789") or "name")
            elif node.id not in names["__builtins__"]:
                if node.id not in renamed:
                    renamed[node.id] = fresh("value")
                node.id = renamed[node.id]
    return ast.unparse(last.value)
