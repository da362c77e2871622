"""SB167: a Liquid filter under its usual name."""

import re
from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Place, Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place

# No tag holds another's opening: a file of nothing but openings is read once, not once for each.
_TAG = re.compile(r"\{\{(?:(?!\{\{|\}\}).)*\}\}|\{%(?:(?!\{%|%\}).)*%\}", re.DOTALL)
_FILTER = re.compile(r"\|\s*(\w+)")
# Source: https://learn.microsoft.com/azure/api-management/set-body-policy, read 2026-11-29.
_FILTERS = frozenset(
    [
        "Abs",
        "Append",
        "AtLeast",
        "AtMost",
        "Capitalize",
        "Compact",
        "Currency",
        "Date",
        "Default",
        "DividedBy",
        "Downcase",
        "Escape",
        "First",
        "H",
        "Join",
        "Last",
        "Lstrip",
        "Map",
        "Minus",
        "Modulo",
        "NewlineToBr",
        "Plus",
        "Prepend",
        "Remove",
        "RemoveFirst",
        "Replace",
        "ReplaceFirst",
        "Round",
        "Rstrip",
        "Size",
        "Slice",
        "Sort",
        "Split",
        "Strip",
        "StripHtml",
        "StripNewlines",
        "Times",
        "Truncate",
        "TruncateWords",
        "Uniq",
        "Upcase",
        "UrlDecode",
        "UrlEncode",
    ]
)


class LiquidFilterName(PolicyRule):
    """A Liquid filter under its usual name.

    ## Why
    Liquid in `set-body` uses C# names: `Upcase`, `DividedBy`. A filter in the usual spelling (`upcase`,
    `divided_by`) is ignored.

    ## Bad
    ```xml
    <set-body template="liquid">{{ body.name | strip_html }}</set-body>
    ```

    ## Good
    ```xml
    <set-body template="liquid">{{ body.name | StripHtml }}</set-body>
    ```

    ## Fix
    Write the filter in PascalCase.
    """

    id = "SB167"
    name = "liquid-filter-name"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/set-body-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each filter that is known under another spelling."""
        for placed in place(subject).named("set-body"):
            if placed.element.get("template") != "liquid":
                continue
            for text in placed.element.texts:
                for tag in _TAG.finditer(subject.source.code, text.value_start, text.value_end):
                    for match in _FILTER.finditer(subject.source.code, *tag.span()):
                        name = match[1]
                        right = "".join(word.capitalize() for word in name.split("_"))
                        if name != right and right in _FILTERS:
                            where = Place(match.span(1), text.path)
                            yield Problem(where, f"Liquid has no filter `{name}` here", f"write `{right}`")
