"""Policy expressions as functions of the request's context: the seam to `sinbin.csharp`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sinbin.csharp.compiler import CsException, ExpressionRefusedError, StepsExceededError, compile_source
from sinbin.csharp.jsonnet.tokens import JContainer, JValue
from sinbin.csharp.utf16 import from_utf16
from sinbin.csharp.values import to_text as cs_text
from sinbin.gateway.context import Context
from sinbin.gateway.failures import PolicyFailure
from sinbin.gateway.view import ContextView

EXPRESSION_FAILURE = "ExpressionValueEvaluationFailure"
"""Source: https://learn.microsoft.com/azure/api-management/api-management-error-handling-policies, 2026-11-29"""


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
    try:
        compiled = compile_source(code, "block" if block else "expression")
    except ExpressionRefusedError as refused:
        problems = tuple(ExpressionProblem(problem.start, problem.message) for problem in refused.problems)
        return CompiledExpression(lambda _: None, problems)
    # The view has the attributes of a `sinbin.csharp.context.Context`, read when they are asked for.
    evaluate: Callable[[Any], Any] = compiled.evaluate

    def run(context: Context) -> Any:
        view = context.view
        if view is None:
            view = context.view = ContextView(context)
        try:
            return evaluate(view)
        except CsException as error:
            raise failed(error.message) from error
        except StepsExceededError as error:
            raise failed(str(error)) from error

    return CompiledExpression(run)


def failed(message: str) -> PolicyFailure:
    """Return the failure of an expression that threw, or gave a value that is of no use."""
    return PolicyFailure(EXPRESSION_FAILURE, f"Expression evaluation failed. {message}")


def to_text(value: Any) -> str:
    """Return a value of an expression as it stands in a header, a body, a URL; null is an empty text."""
    text = value if isinstance(value, str) else cs_text(value)
    return text if text.isascii() else from_utf16(text)


def to_json(value: Any) -> Any:
    """Return a value of a variable as JSON holds it; what JSON has no form for becomes its text."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        # A boxed long is an int of a class of its own.
        return float(value) if isinstance(value, float) else int(value)
    if isinstance(value, JContainer | JValue):
        return value.plain()
    if isinstance(value, list):
        return [to_json(item) for item in value]
    return to_text(value)


__all__ = ["EXPRESSION_FAILURE", "CompiledExpression", "compile_expression", "failed", "to_json", "to_text"]
