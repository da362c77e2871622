"""Policy expressions as functions of the request's context: the seam to `sinbin.csharp`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sinbin.csharp.compiler import (
    PYTHON_ERRORS,
    CsException,
    ExpressionRefusedError,
    StepsExceededError,
    compile_source,
    thrown,
)
from sinbin.csharp.compiler import CompiledExpression as Function
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
    function: Function | None = None
    """What runs it from within a section, see `sinbin.gateway.writing`."""
    problems: tuple[ExpressionProblem, ...] = ()


def compile_expression(code: str, *, block: bool) -> CompiledExpression:
    """Return the compiled `code`, the C# between the brackets of `@(…)` or, with `block`, of `@{…}`."""
    try:
        compiled = compile_source(code, "block" if block else "expression")
    except ExpressionRefusedError as refused:
        problems = tuple(ExpressionProblem(problem.start, problem.message) for problem in refused.problems)
        return CompiledExpression(lambda _: None, problems=problems)
    # The view has the attributes of a `sinbin.csharp.context.Context`, read when they are asked for.
    evaluate: Callable[[Any], Any] = compiled.evaluate

    def run(context: Context) -> Any:
        try:
            return evaluate(view_of(context))
        except (CsException, StepsExceededError) as error:
            raise failed(_message(error)) from error

    return CompiledExpression(run, compiled)


def view_of(context: Context) -> ContextView:
    """Return what expressions see of `context`."""
    view: ContextView | None = context.view
    if view is None:
        view = context.view = ContextView(context)
    return view


STOPPED = (PolicyFailure, CsException, StepsExceededError, *PYTHON_ERRORS)
"""What stops a section in which expressions are run without `CompiledExpression.run` around them."""


def failure_of(error: Exception, *, in_expression: bool) -> PolicyFailure:
    """Return the failure that an error of `STOPPED` is.

    Raises:
        Exception: `error` itself, when neither a policy nor an expression means it: a fault of ours.
    """
    if isinstance(error, PolicyFailure):
        return error
    if not in_expression:
        raise error
    failure = failed(_message(error if isinstance(error, CsException | StepsExceededError) else thrown(error)))
    failure.__cause__ = error
    return failure


def _message(error: CsException | StepsExceededError) -> str:
    return error.message if isinstance(error, CsException) else str(error)


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


__all__ = [
    "EXPRESSION_FAILURE",
    "STOPPED",
    "CompiledExpression",
    "Function",
    "compile_expression",
    "failed",
    "failure_of",
    "to_json",
    "to_text",
    "view_of",
]
