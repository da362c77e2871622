"""SB002: a suppression that does not say why."""

from sinbin.lint.finding import Severity
from sinbin.lint.rule import ToolRule


class SuppressionWithoutReason(ToolRule):
    """A suppression gives no reason, and so suppresses nothing.

    ## Why
    Whoever reads the policy in a year has to know whether the exception still holds.

    ## Bad
    ```xml
    <!-- sinbin: ignore[SB101] -->
    ```

    ## Good
    ```xml
    <!-- sinbin: ignore[SB101] the backend only answers GET, there is no body to send again -->
    ```

    ## Fix
    Write the reason behind the bracket; in pyproject.toml, as `reason = "…"`.
    """

    id = "SB002"
    name = "suppression-without-reason"
    severity = Severity.ERROR
    source = "Derived: an exception without a reason cannot be reviewed"
