"""SB333: policy with raw C# sent in the format `xml`."""

import xml.parsers.expat
from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Edit, Problem, Severity
from sinbin.lint.resource import POLICY_TYPES, Resource, is_policy_text
from sinbin.lint.rule import ResourceRule


class RawPolicySentAsXml(ResourceRule):
    r"""Policy with raw C# sent in the format `xml`.

    ## Why
    `xml` means that the text is an XML document: quotes, `<` and `&&` inside expressions must be escaped. It is
    also what the API assumes when `format` is left out. A raw text is refused with "An error occurred while
    parsing EntityName" or with an end tag that names a C# type.

    ## Bad
    ```json
    {
      "format": "xml",
      "value": "<policies><inbound><set-variable name=\"a\" value=\"@(true && false)\" /></inbound></policies>"
    }
    ```

    ## Good
    ```json
    {
      "format": "rawxml",
      "value": "<policies><inbound><set-variable name=\"a\" value=\"@(true && false)\" /></inbound></policies>"
    }
    ```

    ## Fix
    Send `rawxml` with the text as it is, or `xml` with every entity escaped. Do not mix the two.
    """

    id = "SB333"
    name = "raw-policy-sent-as-xml"
    severity = Severity.ERROR
    source = "https://github.com/hashicorp/terraform-provider-azurerm/issues/7288"
    types = POLICY_TYPES

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        form, value = resource.get("format"), resource.get("value")
        if value is None or not isinstance(value.value, str) or not is_policy_text(value):
            return
        if form is not None and (not form.known or form.value not in ("xml", None)):
            return
        parser = xml.parsers.expat.ParserCreate()
        try:
            parser.Parse(value.value.lstrip("\ufeff"), True)
        except (xml.parsers.expat.ExpatError, ValueError) as error:
            yield Problem(
                form or value,
                f"the text is no well-formed XML ({error}), so it cannot be sent as `xml`"
                + ("" if form else ", the format that holds when none is given"),
                "send it as `rawxml`",
                (Edit(form.start, form.end, '"rawxml"'),) if form is not None else (),
            )
