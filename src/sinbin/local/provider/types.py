"""The resource types of azure-native that the local provider has, and where each lives in ARM.

A token that is not here is refused by name. Names, inputs and api-versions are those of pulumi-azure-native 3.29;
the shape of a body comes from the control plane's own type, so an input is never listed twice.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from sinbin.local.control_plane import resources
from sinbin.local.control_plane.resource import TYPES, ResourceType

assert resources.__path__  # importing the package registers the types

_GROUP = "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}"
_ACCOUNT = _GROUP + "/providers/Microsoft.CognitiveServices/accounts/{accountName}"


@dataclass(frozen=True, kw_only=True)
class PulumiType:
    """A resource type as the program names it."""

    token: str
    path: str
    """The ARM path; its `{words}` are inputs, and a change of one forces a replacement."""
    api_version: str
    flat: bool = True
    """Inputs hold the members of `properties` beside the others; otherwise `properties` is one input."""
    replace_on: frozenset[str] = field(default_factory=frozenset)
    """Further inputs that Azure can't change in place."""
    secrets: frozenset[str] = field(default_factory=frozenset)
    """Inputs and outputs that are secret whatever the program says."""
    secret_if: tuple[str, str] | None = None
    """An input (a flag) and the property that is secret while it is set."""
    naming: Literal["random", "copy", "uuid"] = "random"
    """What the last name of the path is when the program leaves it out."""
    text_format: bool = False
    """A policy: read back in the format in which it was written."""
    renames: Mapping[str, str] = field(default_factory=dict)
    """ARM's names of inputs that azure-native calls otherwise than in lower camel case."""
    unmodelled: frozenset[str] = field(default_factory=frozenset)
    """Inputs of azure-native that are refused: the official models, or the control plane, do not have them."""

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """Inputs that are part of the path, in its order, without the subscription."""
        words = re.findall(r"\{(\w+)\}", self.path)
        return tuple(word for word in words if word != "subscriptionId")

    @cached_property
    def kind(self) -> ResourceType:
        """The type as the control plane has it."""
        _, _, tail = self.path.rpartition("/providers/")
        if "/providers/" not in self.path:
            return TYPES["microsoft.resources/resourcegroups"]
        namespace, *rest = tail.split("/")
        return TYPES["/".join((namespace, *rest[::2])).lower()]


_SERVICE = _GROUP + "/providers/Microsoft.ApiManagement/service/{serviceName}"
_KEYS = frozenset({"primaryKey", "secondaryKey"})


def _entity(name: str, path: str, **more: Any) -> PulumiType:
    """Return a type inside an API Management service."""
    return PulumiType(
        token=f"azure-native:apimanagement:{name}",
        path=_SERVICE + path,
        api_version="2024-05-01",
        **{"naming": "copy", **more},
    )


_TYPES = [
    PulumiType(token="azure-native:resources:ResourceGroup", path=_GROUP, api_version="2024-03-01"),
    PulumiType(
        token="azure-native:cognitiveservices:Account", path=_ACCOUNT, api_version="2025-06-01", flat=False
    ),
    PulumiType(
        token="azure-native:cognitiveservices:Deployment",
        path=_ACCOUNT + "/deployments/{deploymentName}",
        api_version="2025-06-01",
        flat=False,
    ),
    _entity("ApiManagementService", "", naming="random"),
    _entity("Backend", "/backends/{backendId}"),
    _entity(
        "Api",
        "/apis/{apiId}",
        renames={
            "apiType": "type",
            "soapApiType": "apiType",
            "translateRequiredQueryParametersConduct": "translateRequiredQueryParameters",
        },
    ),
    _entity("ApiOperation", "/apis/{apiId}/operations/{operationId}"),
    _entity("Policy", "/policies/{policyId}", text_format=True),
    _entity("ApiPolicy", "/apis/{apiId}/policies/{policyId}", text_format=True),
    _entity("ApiOperationPolicy", "/apis/{apiId}/operations/{operationId}/policies/{policyId}", text_format=True),
    _entity("ProductPolicy", "/products/{productId}/policies/{policyId}", text_format=True),
    _entity("PolicyFragment", "/policyFragments/{id}", text_format=True),
    _entity("NamedValue", "/namedValues/{namedValueId}", secret_if=("secret", "value")),
    _entity("Product", "/products/{productId}"),
    _entity("ProductApi", "/products/{productId}/apis/{apiId}"),
    _entity("ProductApiLink", "/products/{productId}/apiLinks/{apiLinkId}"),
    _entity(
        "Subscription",
        "/subscriptions/{sid}",
        secrets=_KEYS,
        unmodelled=frozenset({"appType", "notify"}),
    ),
    _entity("Logger", "/loggers/{loggerId}", secrets=frozenset({"credentials"})),
    _entity("Diagnostic", "/diagnostics/{diagnosticId}"),
    _entity("ApiDiagnostic", "/apis/{apiId}/diagnostics/{diagnosticId}"),
    PulumiType(
        token="azure-native:authorization:RoleAssignment",
        path="/{scope}/providers/Microsoft.Authorization/roleAssignments/{roleAssignmentName}",
        api_version="2022-04-01",
        replace_on=frozenset({"principalId", "roleDefinitionId", "principalType"}),
        naming="uuid",
    ),
    PulumiType(
        token="azure-native:operationalinsights:Workspace",
        path=_GROUP + "/providers/Microsoft.OperationalInsights/workspaces/{workspaceName}",
        api_version="2023-09-01",
    ),
    PulumiType(
        token="azure-native:applicationinsights:Component",
        path=_GROUP + "/providers/Microsoft.Insights/components/{resourceName}",
        api_version="2020-02-02",
        secrets=frozenset({"connectionString", "instrumentationKey"}),
    ),
    PulumiType(
        token="azure-native:monitor:ActionGroup",
        path=_GROUP + "/providers/Microsoft.Insights/actionGroups/{actionGroupName}",
        api_version="2024-10-01-preview",
        unmodelled=frozenset({"identity", "incidentReceivers"}),
    ),
    PulumiType(
        token="azure-native:monitor:ScheduledQueryRule",
        path=_GROUP + "/providers/Microsoft.Insights/scheduledQueryRules/{ruleName}",
        api_version="2025-01-01-preview",
    ),
]

PULUMI_TYPES: dict[str, PulumiType] = {entry.token: entry for entry in _TYPES}
"""Every type by its token."""
