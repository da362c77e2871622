"""Errors that a user can cause.

    SinbinError            the input or the environment is wrong: one clear message, exit code 2
    ├── SettingsError      a stack file does not describe a gateway
    ├── UsageError         a command was called with words that do not go together
    └── MissingExtraError  an optional part of sinbin is not installed

Anything else that reaches the command line is a fault of sinbin itself: traceback, exit code 70.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

EXIT_OK = 0
EXIT_FINDINGS = 1
EXIT_INPUT = 2
EXIT_FAULT = 70


class SinbinError(Exception):
    """The user's input or environment is wrong; the message says where, what, and what to do."""


class UsageError(SinbinError):
    """A command was called with words that do not go together."""


class SettingsError(SinbinError):
    """A stack file does not describe a gateway; one line per problem, all of them at once."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


class MissingExtraError(SinbinError):
    """An optional part of sinbin is not installed."""


@contextmanager
def extra(name: str, purpose: str) -> Iterator[None]:
    """Turn a failing import inside the block into advice to install the extra `name`.

    Args:
        name: the extra, as in `pip install "sinbin[name]"`.
        purpose: what needs it, for the message, e.g. "`sinbin plan`".

    Raises:
        MissingExtraError: a module of another package could not be imported.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.partition(".")[0] == "sinbin":
            raise
        raise MissingExtraError(
            f"{purpose} needs the package that holds `{error.name}`, which is not installed; "
            f'install it with: pip install "sinbin[{name}]"'
        ) from error
