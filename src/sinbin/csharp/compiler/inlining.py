"""An expression within other generated code: written out where it is one Python expression, called otherwise."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

_MOST_BRACKETS = 100
"""Python nests 200 of them, and the code around needs its own."""
_OWN_SCOPE = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Surroundings(Protocol):
    """The generated code around an expression."""

    @property
    def known(self) -> Mapping[str, str]:
        """What is known of the context already, by its Python attributes: `operation.id`."""

    def bind(self, value: object, hint: str) -> str:
        """Return a name for `value` that begins with `hint`."""

    def fresh(self, hint: str) -> str:
        """Return a name that is not taken yet."""


def written_out(python: str, names: Mapping[str, Any], context: str, around: Surroundings) -> str | None:
    """Return what the generated function `python` returns as an expression; None when it does more than return.

    Args:
        python: the function's source.
        names: what it knows by name.
        context: the name of the context in the code around.
        around: the code around.
    """
    function = ast.parse(python).body[0]
    assert isinstance(function, ast.FunctionDef)
    [*before, last] = function.body
    if before or not isinstance(last, ast.Return) or last.value is None or python.count("(") > _MOST_BRACKETS:
        return None
    if any(isinstance(node, _OWN_SCOPE) for node in ast.walk(last.value)):
        return None
    return ast.unparse(_Move(names, around, {"ctx": context}).visit(last.value))


@dataclass(slots=True)
class _Move(ast.NodeTransformer):
    """Gives names their form in the code around, and what is known its value."""

    names: Mapping[str, Any]
    around: Surroundings
    moved: dict[str, str]

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        known = self.around.known.get(ast.unparse(node).removeprefix("ctx."))
        return self.generic_visit(node) if known is None else ast.Constant(known)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        name = node.id
        if name not in self.moved:
            if name in self.names:
                hint = name.rstrip("_0123456789") or "name"
                self.moved[name] = self.around.bind(self.names[name], hint)
            else:
                self.moved[name] = name if name in self.names["__builtins__"] else self.around.fresh("value")
        return ast.Name(self.moved[name], node.ctx)
