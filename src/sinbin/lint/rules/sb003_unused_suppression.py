"""SB003: a suppression that suppresses nothing."""

from sinbin.lint.finding import Severity
from sinbin.lint.rule import ToolRule


class UnusedSuppression(ToolRule):
    """A suppression stands where the rule finds nothing.

    ## Why
    The fault was mended, or the rule's id is misspelt. Left in place, the comment will hide the next fault.

    ## Bad
    ```xml
    <!-- sinbin: ignore[SB101] GET only -->
    <set-header name="x-region" exists-action="override"><value>uksouth</value></set-header>
    ```

    ## Good
    ```xml
    <set-header name="x-region" exists-action="override"><value>uksouth</value></set-header>
    ```

    ## Fix
    Remove the suppression, or correct the id.
    """

    id = "SB003"
    name = "unused-suppression"
    severity = Severity.WARNING
    source = "Derived: what suppresses nothing today may hide something tomorrow"
