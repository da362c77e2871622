"""The resource types of azure-native that the local provider has, and where each lives in ARM.

A token that is not here is refused by name. Names, inputs and api-versions are those of pulumi-azure-native 3.29;
the shape of a body comes from the control plane's own type, so an input is never listed twice.
"""

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

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
    naming: Literal["random", "copy", "uuid"] = "random"
    """What the last name of the path is when the program leaves it out."""
    text_format: bool = False
    """A policy: read back in the format in which it was written."""

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


_TYPES = [
    PulumiType(
        token="azure-native:resources:ResourceGroup",
        path=_GROUP,
        api_version="2024-03-01",
    ),
    PulumiType(
        token="azure-native:cognitiveservices:Account",
        path=_ACCOUNT,
        api_version="2025-06-01",
        flat=False,
    ),
    PulumiType(
        token="azure-native:cognitiveservices:Deployment",
        path=_ACCOUNT + "/deployments/{deploymentName}",
        api_version="2025-06-01",
        flat=False,
    ),
]

PULUMI_TYPES: dict[str, PulumiType] = {entry.token: entry for entry in _TYPES}
"""Every type by its token."""
