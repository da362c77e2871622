"""How a policy stops a request."""

from collections.abc import Sequence
from dataclasses import dataclass

from sinbin.errors import SinbinError


@dataclass(frozen=True, slots=True)
class Place:
    r"""Where a policy stands: what `context.LastError` says of it, and where it is written.

    `path` is made of names and positions from 1, e.g. `choose[3]\when[2]`.
    """

    scope: str
    section: str
    path: str
    policy_id: str
    name: str
    file: str
    line: int


class PolicyFailure(Exception):  # noqa: N818 (an ordinary outcome of a policy, not a fault of the program)
    """A policy refuses the request or cannot do its work: the pipeline goes on at on-error.

    Args:
        source: `context.LastError.Source`; empty = the name of the policy that raises it.
        reason: `context.LastError.Reason`.
        message: `context.LastError.Message`, and the message of the default reply unless `shown` is given.
        status: status of the reply unless on-error changes it.
        headers: headers of that reply.
        shown: message of the default reply where Azure hides the true one.
    """

    def __init__(
        self,
        reason: str,
        message: str,
        *,
        source: str = "",
        status: int = 500,
        headers: tuple[tuple[str, str], ...] = (),
        shown: str | None = None,
    ) -> None:
        self.reason = reason
        self.message = message
        self.source = source
        self.status = status
        self.headers = headers
        self.shown = message if shown is None else shown
        self.place: Place | None = None
        self.keeps_response = False
        """`context.Response` stays what it is: the backend's own reply is the error."""
        super().__init__(message)


class Finished(Exception):  # noqa: N818 (return-response is no error)
    """The reply is complete, nothing more of the pipeline runs."""


@dataclass(frozen=True, slots=True)
class LoadProblem:
    """Something in a policy document that a gateway refuses when the document is loaded."""

    file: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


class PolicyLoadError(SinbinError):
    """A policy document is refused: one line per problem, all of them at once."""

    def __init__(self, problems: Sequence[LoadProblem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))
