"""Attribute values and texts: known when the document is loaded, or computed for each request."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sinbin.csharp.types import BOOL
from sinbin.gateway.context import Context
from sinbin.gateway.expressions import CompiledExpression, Function, failed, to_text
from sinbin.gateway.shape import Kind

if TYPE_CHECKING:
    from sinbin.gateway.writing import Writer


@dataclass(frozen=True, slots=True)
class Value:
    """A value: `constant` when it is `known`, otherwise what `read` returns for the request at hand."""

    read: Callable[[Context], Any]
    known: bool
    constant: Any = None
    function: Function | None = None
    """The expression that gives the value, when what it returns needs no conversion."""

    @classmethod
    def of(cls, constant: Any) -> "Value":
        """Return the value that is `constant` for every request."""
        return cls(lambda _: constant, known=True, constant=constant)

    @classmethod
    def expression(cls, compiled: CompiledExpression, kind: Kind) -> "Value":
        """Return the value of `kind` that an expression gives."""
        function = compiled.function
        fits = kind == "any" or (kind == "boolean" and function is not None and function.type == BOOL)
        return cls(_reader(compiled.run, kind), known=False, function=function if fits else None)

    def code(self, writer: "Writer") -> str:
        """Return Python for the value; the line that `writer` writes next does nothing but use it."""
        if self.known:
            return repr(self.constant)
        if self.function is None:
            return f"{writer.bind(self.read, 'read')}(context)"
        return writer.expression(self.function)


def parse_literal(text: str, kind: Kind) -> Any:
    """Return what the literal `text` stands for.

    Raises:
        ValueError: `text` is no such literal; the message says what would be.
    """
    if kind in {"text", "any"}:
        return text
    stripped = text.strip()
    if kind == "boolean":
        if stripped.lower() not in {"true", "false"}:
            raise ValueError(f'"{text}" is neither true nor false')
        return stripped.lower() == "true"
    try:
        return int(stripped) if kind == "integer" else _finite(stripped)
    except ValueError as error:
        raise ValueError(f'"{text}" is no {"whole number" if kind == "integer" else "number"}') from error


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def _reader(run: Callable[[Context], Any], kind: Kind) -> Callable[[Context], Any]:
    """Return `run` with what it returns made a value of `kind`; the usual type takes no detour."""
    if kind == "any":
        return run
    if kind == "text":
        return lambda context: to_text(run(context))
    usual = _USUAL[kind]

    def read(context: Context) -> Any:
        value = run(context)
        return value if type(value) is usual else convert(value, kind)

    return read


_USUAL = {"boolean": bool, "integer": int, "number": float}


def convert(value: Any, kind: Kind) -> Any:
    """Return what an expression's `value` stands for where a value of `kind` is needed.

    Raises:
        PolicyFailure: it cannot stand for one.
    """
    if kind == "any":
        return value
    if kind == "text":
        return to_text(value)
    if kind == "boolean" and isinstance(value, bool):
        return value
    if kind == "integer" and isinstance(value, int) and not isinstance(value, bool):
        return value
    if kind == "number" and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    try:
        return parse_literal(to_text(value), kind)
    except ValueError as error:
        raise failed(str(error)) from error
