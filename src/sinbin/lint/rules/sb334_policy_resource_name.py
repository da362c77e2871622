"""SB334: policy resource that is not called `policy`, or has an unknown format."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import POLICY_TYPES, Resource
from sinbin.lint.rule import ResourceRule

_FRAGMENT_FORMATS = ("xml", "rawxml")
_FORMATS = (*_FRAGMENT_FORMATS, "xml-link", "rawxml-link")


class PolicyResourceName(ResourceRule):
    """Policy resource that is not called `policy`, or has an unknown format.

    ## Why
    There is one policy per scope, and its resource name is always `policy`; its format is one of `xml`,
    `rawxml`, `xml-link`, `rawxml-link` (of a fragment only the first two). Anything else is refused at
    deployment.

    ## Bad
    ```json
    {
      "type": "Microsoft.ApiManagement/service/apis/policies",
      "name": "apim/chat/main",
      "properties": {"format": "raw", "value": "<policies />"}
    }
    ```

    ## Good
    ```json
    {
      "type": "Microsoft.ApiManagement/service/apis/policies",
      "name": "apim/chat/policy",
      "properties": {"format": "rawxml", "value": "<policies />"}
    }
    ```

    ## Fix
    Name the resource `policy` and choose one of the formats.
    """

    id = "SB334"
    name = "policy-resource-name"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/templates/microsoft.apimanagement/service/apis/policies"
    types = POLICY_TYPES

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        fragment = resource.type.endswith("fragments")
        name = resource.node.get("name")
        if (
            not fragment
            and name is not None
            and name.known
            and resource.pulumi is None
            and resource.name != "policy"
        ):
            yield Problem(name, f"a policy's resource is called `policy`, not `{resource.name}`", "rename it")
        form = resource.get("format")
        allowed = _FRAGMENT_FORMATS if fragment else _FORMATS
        if form is not None and form.value is not None and form.known and form.value not in allowed:
            yield Problem(form, f"there is no format {form.shown}", f"use one of {', '.join(allowed)}")
