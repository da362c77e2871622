"""Policy expressions as functions of the request's context: the seam to `sinbin.csharp`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sinbin.gateway.context import Context


@dataclass(frozen=True, slots=True)
class ExpressionProblem:
    """Something that an expression says and that is refused on load; `offset` counts characters of its code."""

    offset: int
    message: str


@dataclass(frozen=True, slots=True)
class CompiledExpression:
    """An expression ready to run, or what is wrong with it."""

    run: Callable[[Context], Any]
    problems: tuple[ExpressionProblem, ...] = ()


def compile_expression(code: str, *, block: bool) -> CompiledExpression:
    """Return the compiled `code`, the C# between the brackets of `@(…)` or, with `block`, of `@{…}`."""
    return CompiledExpression(lambda _: None, (ExpressionProblem(0, f"expressions are not known: {code}{block}"),))


def to_text(value: Any) -> str:
    """Return what `ToString()` gives for a value of an expression."""
    return str(value)


def to_json(value: Any) -> Any:
    """Return a value of a variable as JSON holds it."""
    return value
