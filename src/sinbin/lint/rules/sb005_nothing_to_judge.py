"""SB005: a file that holds nothing sinbin knows."""

from sinbin.lint.finding import Severity
from sinbin.lint.rule import ToolRule


class NothingToJudge(ToolRule):
    """A file was named on the command line, but holds no policy, resource or stack.

    ## Why
    Its silence would look like praise. Files that are only found in a folder are passed over without a word.

    ## Bad
    ```console
    $ sinbin lint main.bicep
    ```

    ## Good
    ```console
    $ az bicep build --file main.bicep
    $ sinbin lint main.json
    ```

    ## Fix
    Name a policy (XML), an ARM template or resource (JSON), or a stack file (`Pulumi.<environment>.yaml`). Bicep
    and Terraform are not read: build the template, or print the deployed resource with `az … show`.
    """

    id = "SB005"
    name = "nothing-to-judge"
    severity = Severity.WARNING
    source = "Derived: a linter must say what it did not look at"
