"""Refusing an expression when it is loaded: every reason at once, each with its place."""

from dataclasses import dataclass
from typing import Literal

from sinbin.errors import SinbinError

Reason = Literal["syntax", "type-not-allowed", "member-not-allowed", "not-modelled", "type-error"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One reason to refuse an expression.

    Attributes:
        reason: `syntax`; `type-not-allowed` and `member-not-allowed`, which API Management refuses as well;
            `not-modelled`, which it may accept; `type-error`, what no C# compiler takes.
        start: character offset in the expression's source.
        end: offset behind the last character.
        line: line of `start`, from 1.
        column: column of `start`, from 1.
        message: what is wrong.
    """

    reason: Reason
    start: int
    end: int
    line: int
    column: int
    message: str


class ExpressionRefusedError(SinbinError):
    """An expression cannot be evaluated faithfully, so it is not loaded at all."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        self.problems = problems
        super().__init__("\n".join(f"{p.line}:{p.column}: {p.message}" for p in problems))
