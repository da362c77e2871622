"""SB006: a stack file that does not describe a gateway."""

from sinbin.lint.finding import Severity
from sinbin.lint.rule import ToolRule


class InvalidSettings(ToolRule):
    """A stack file does not describe a gateway: an unknown key, a wrong type, values that do not go together.

    ## Why
    `pulumi up` and `sinbin plan` refuse the file before they make anything.

    ## Bad
    ```yaml
    circuitBreaker: {rules: []}
    ```

    ## Good
    ```yaml
    circuitBreaker: null
    ```

    ## Fix
    Change the value that the message names; it says what is allowed there.
    """

    id = "SB006"
    name = "invalid-settings"
    severity = Severity.ERROR
    source = "Derived: the schema of the settings, sinbin.settings"
