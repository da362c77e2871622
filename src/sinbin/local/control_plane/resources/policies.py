"""Policies at every scope, and policy fragments."""

from collections.abc import Mapping
from typing import Any, ClassVar

from sinbin.local.control_plane import policy_text
from sinbin.local.control_plane.entity import SERVICES, Entity
from sinbin.local.control_plane.errors import validation_error
from sinbin.local.control_plane.resource import Draft, Scene
from sinbin.local.control_plane.store import Record


class _PolicyText(Entity):
    """Something that holds the text of a policy; a GET gives it as xml, unless it asks for rawxml."""

    scope: ClassVar[str]
    options = frozenset({"format"})

    def check(self, scene: Scene, draft: Draft) -> None:
        text = draft.properties.get("value")
        if text is None:
            raise validation_error("value", "Value is required")
        form = draft.properties.setdefault("format", "xml")
        policy_text.check(scene, draft.id, text, form, self.scope)

    def show(self, scene: Scene, record: Record, query: Mapping[str, str]) -> dict[str, Any]:
        body = super().show(scene, record, query)
        wanted = query.get("format", "xml")
        if wanted not in {"xml", "rawxml"}:
            raise validation_error("format", f"The format '{wanted}' is not modelled; ask for xml or rawxml")
        text, written = body["properties"]["value"], body["properties"]["format"]
        body["properties"] |= {"value": policy_text.convert(text, written, wanted), "format": wanted}
        return body


class _Policy(_PolicyText):
    model = "azure.mgmt.apimanagement.models:PolicyContract"
    label = "Policy"
    name_pattern = "policy"


class GlobalPolicy(_Policy):
    """The policy of all APIs."""

    type = f"{SERVICES}/policies"
    scope = "global"


class ProductPolicy(_Policy):
    """The policy of a product."""

    type = f"{SERVICES}/products/policies"
    scope = "product"


class ApiPolicy(_Policy):
    """The policy of an API."""

    type = f"{SERVICES}/apis/policies"
    scope = "api"


class OperationPolicy(_Policy):
    """The policy of an operation."""

    type = f"{SERVICES}/apis/operations/policies"
    scope = "operation"


class PolicyFragment(_PolicyText):
    """A piece of policy that other policies include."""

    type = f"{SERVICES}/policyFragments"
    model = "azure.mgmt.apimanagement.models:PolicyFragmentContract"
    label = "Policy fragment"
    name_pattern = r"(\w+)|(\w[\w\-]+\w)"
    scope = "fragment"

    def check_delete(self, scene: Scene, record: Record, query: Mapping[str, str]) -> None:
        del query
        used_by = policy_text.users(scene, record.parent, "policyFragments", record.name)
        if used_by:
            raise validation_error(
                "id",
                f"Policy fragment '{record.name}' can't be deleted, because it is used by {', '.join(used_by)}",
            )
