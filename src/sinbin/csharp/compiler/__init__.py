"""Compiling an expression: C# in, one Python function out.

    compiled = compile_expression(parse_expression(source, "expression"))
    compiled.evaluate(context)

The compiler gives every piece its static type, as C# does, and writes Python source for it: types decide between
integer and real division, overloads, boxing and conversions once, so that nothing of it is left for run time.
The source is made of the compiler's own words and of constants it has read itself; no text of the policy gets
into it, and it runs without builtins (docs/adr tells why source and not nested closures).

    unit.py          the state of one compilation, and the registry of syntax
    names literals operators unary access calls lambdas creation patterns places   expressions
    statements loops trying                                                         statements
    conversions      between static types
"""

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sinbin.csharp import library
from sinbin.csharp.assignment import unassigned_reads
from sinbin.csharp.compiler import conversions
from sinbin.csharp.compiler.expr import GROUP, LAMBDA, STATIC
from sinbin.csharp.compiler.inlining import Surroundings, written_out
from sinbin.csharp.compiler.unit import Unit
from sinbin.csharp.context import Context
from sinbin.csharp.exceptions import CsException, StepsExceededError, null_reference, raised
from sinbin.csharp.parse import Kind, ParsedExpression, parse_expression
from sinbin.csharp.refusal import ExpressionRefusedError, Problem
from sinbin.csharp.runtime import DEFAULT_MAX_STEPS, Runtime, run_counted
from sinbin.csharp.types import ERROR, NULL, OBJECT, VOID, Type

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")
library.load()

# What generated code may use of Python: no way to import, open or introspect anything.
BUILTINS = {
    name: getattr(__import__("builtins"), name)
    for name in [
        "len",
        "int",
        "float",
        "str",
        "bool",
        "repr",
        "ord",
        "chr",
        "type",
        "isinstance",
        "abs",
        "tuple",
        "list",
        "min",
        "max",
        "round",
        "any",
        "all",
        "next",
        "map",
        "filter",
    ]
}


@dataclass(frozen=True, slots=True)
class CompiledExpression:
    """An expression ready to run.

    Attributes:
        parsed: what it was compiled from.
        type: the static type of its result; `object` when a block returns several.
        python: the generated source, for those who debug the compiler.
    """

    parsed: ParsedExpression
    type: Type
    python: str
    _run: Callable[[Context, Runtime | None], Any]
    _max_steps: int
    _needs_runtime: bool

    def evaluate(self, context: Context) -> Any:
        """Return the value for `context`, boxed (see sinbin.csharp.values).

        Raises:
            CsException: an exception of .NET that the expression does not catch.
            StepsExceededError: it takes more steps than allowed.
        """
        try:
            if self._needs_runtime:
                return run_counted(self._run, context, self._max_steps)
            return self._run(context, None)
        except PYTHON_ERRORS as error:
            raise thrown(error) from error

    def code(self, context: str, around: Surroundings) -> str:
        """Return Python that gives the value within other generated code.

        What it raises has to go through `thrown`.

        Args:
            context: the name of the context there.
            around: the other code.
        """
        if self._needs_runtime:
            run = around.bind(self._run, "run")
            return f"{around.bind(run_counted, 'run_counted')}({run}, {context}, {self._max_steps})"
        written = written_out(self.python, self._run.__globals__, context, around)
        return f"{around.bind(self._run, 'run')}({context}, None)" if written is None else written


PYTHON_ERRORS = (RecursionError, AttributeError, TypeError, MemoryError)
"""What Python raises in an expression where .NET throws an exception of its own."""


def thrown(error: Exception) -> CsException:
    """Return the exception of .NET for one of `PYTHON_ERRORS` that an expression has raised.

    Raises:
        Exception: `error` itself, a fault of ours.
    """
    if isinstance(error, RecursionError):
        return raised("InsufficientExecutionStackException")
    if isinstance(error, MemoryError):
        return raised("OutOfMemoryException")
    # A null argument that a member of .NET would have stumbled over; anything else is a fault of ours.
    if "NoneType" not in str(error):
        raise error
    return null_reference()


def compile_expression(parsed: ParsedExpression, *, max_steps: int = DEFAULT_MAX_STEPS) -> CompiledExpression:
    """Compile an expression.

    Args:
        parsed: the expression.
        max_steps: turns of loops and items of sequences it may take before StepsExceededError.

    Raises:
        ExpressionRefusedError: it is no C#, uses what API Management does not allow, or what is not modelled;
            lists everything found.
    """
    if parsed.root is None:
        raise ExpressionRefusedError(
            tuple(Problem("syntax", p.start, p.end, *parsed.position(p.start), p.message) for p in parsed.errors)
        )
    unit = Unit(parsed)
    try:
        kind = _write(unit)
        if parsed.kind == "block" and not unit.problems:
            for name in unassigned_reads(parsed.root):
                unit.refuse(name, f"`{name.text}` may be read here before it has a value")
        if unit.problems:
            raise ExpressionRefusedError(tuple(sorted(unit.problems, key=lambda problem: problem.start)))
        source = "def main(ctx, rt):\n" + "\n".join("  " * indent + line for indent, line in unit.lines)
        code = compile(source, "<policy expression>", "exec")
    except (RecursionError, MemoryError, SyntaxError):
        # Python nests blocks and brackets less deep than C#.
        raise ExpressionRefusedError(
            (_whole(parsed, "nested too deep; put parts of it into variables"),)
        ) from None
    unit.env |= {"__builtins__": BUILTINS, "Decimal": Decimal}
    exec(code, unit.env)  # noqa: S102  (source written by this package; see the docstring above)
    # The clock, chance and the count of steps are made for those that use them.
    needs_runtime = "rt." in source or "(rt" in source.partition("\n")[2]
    return CompiledExpression(parsed, kind, source, unit.env["main"], max_steps, needs_runtime)


def compile_source(source: str, kind: Kind, *, max_steps: int = DEFAULT_MAX_STEPS) -> CompiledExpression:
    """Parse and compile in one go; see `compile_expression`."""
    return compile_expression(parse_expression(source, kind), max_steps=max_steps)


def problems_of(parsed: ParsedExpression) -> tuple[Problem, ...]:
    """Return why an expression is refused, as `compile_expression` tells it; nothing when it compiles."""
    try:
        compile_expression(parsed)
    except ExpressionRefusedError as refused:
        return refused.problems
    return ()


def _whole(parsed: ParsedExpression, message: str) -> Problem:
    return Problem("not-modelled", 0, len(parsed.source), 1, 1, message)


def _write(unit: Unit) -> Type:
    """Write the body of the function; return the static type of the result."""
    root = unit.parsed.root
    if root is None:
        return ERROR
    if unit.parsed.kind == "block":
        unit.frames[-1].returns = OBJECT
        if unit.statement(root):
            unit.refuse(root, "not all code paths return a value")
        kinds = {value.type for value in unit.frames[-1].returned}
        return kinds.pop() if len(kinds) == 1 else OBJECT
    value = unit.compile(root)
    if value.type in (VOID, STATIC, LAMBDA, GROUP):
        unit.refuse(root, "the expression has no value")
    boxed = conversions.require(unit, value, OBJECT)
    unit.emit(f"return {boxed.code}")
    return OBJECT if value.type == NULL else value.type


__all__ = [
    "BUILTINS",
    "PYTHON_ERRORS",
    "CompiledExpression",
    "CsException",
    "ExpressionRefusedError",
    "Problem",
    "StepsExceededError",
    "compile_expression",
    "compile_source",
    "problems_of",
    "thrown",
]
