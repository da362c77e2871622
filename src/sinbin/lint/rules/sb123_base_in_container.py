"""SB123: `<base />` inside a container."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place


class BaseInContainer(PolicyRule):
    """`<base />` inside a container.

    ## Why
    `<base />` is documented directly inside a section. Inside `choose` or `retry` its behaviour is not
    documented; inside `retry` it repeats whatever the broader scope does.

    ## Bad
    ```xml
    <inbound><choose><when condition="@(context.Product != null)"><base /></when></choose></inbound>
    ```

    ## Good
    ```xml
    <inbound>
      <base />
      <choose>
        <when condition="@(context.Product != null)">
          <set-variable name="a" value="b" />
        </when>
      </choose>
    </inbound>
    ```

    ## Fix
    Put `<base />` directly into the section.
    """

    id = "SB123"
    name = "base-in-container"
    severity = Severity.WARNING
    source = "Derived: the reference calls base a section-level element"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield every base that is not directly in a section."""
        for placed in place(subject).named("base"):
            around = placed.around
            if around is None or placed.section is None or around.element.name == placed.section:
                continue
            message = f"`<base />` stands inside `{around.element.name}`, which is not documented"
            yield Problem(placed.element, message, f"put it directly into {placed.section}")
