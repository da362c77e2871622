"""SB001: a rule failed."""

from sinbin.lint.finding import Severity
from sinbin.lint.rule import ToolRule


class RuleCrashed(ToolRule):
    """A rule failed while it judged a file.

    ## Why
    The file was not judged by that rule, so its silence says nothing. The other rules have run. The exit code is
    70: this is a fault of sinbin, or of your own rule when its id begins with SB9.

    ## Bad
    A rule that reads `policy.root.name` of a file without a root element.

    ## Good
    A rule that yields nothing for what it does not understand.

    ## Fix
    Report it with the file, or with the smallest part of it that still shows the fault.
    """

    id = "SB001"
    name = "rule-crashed"
    severity = Severity.ERROR
    source = "Derived: a crash must be seen, and in the same form as everything else"
