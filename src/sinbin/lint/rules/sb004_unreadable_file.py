"""SB004: a file that cannot be read."""

from sinbin.lint.finding import Severity
from sinbin.lint.rule import ToolRule


class UnreadableFile(ToolRule):
    """A file is not what its name says: broken JSON or YAML, or no text at all.

    ## Why
    Nothing in it can be judged, and Azure will refuse it as well.

    ## Bad
    ```json
    {"type": "Microsoft.ApiManagement/service/backends" "name": "aoai-a"}
    ```

    ## Good
    ```json
    {"type": "Microsoft.ApiManagement/service/backends", "name": "aoai-a"}
    ```

    ## Fix
    Mend the file at the place named. Files must be UTF-8 (policies may be UTF-16 with a byte-order mark).
    """

    id = "SB004"
    name = "unreadable-file"
    severity = Severity.ERROR
    source = "https://www.rfc-editor.org/rfc/rfc8259"
