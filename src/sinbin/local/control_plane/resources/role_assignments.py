"""Role assignments, on anything. Whether a principal exists is not checked: the directory is not modelled."""

import re

from sinbin.local.control_plane.errors import ArmError
from sinbin.local.control_plane.resource import Draft, ResourceType, Scene
from sinbin.local.control_plane.resources.foundry_accounts import timestamp

_GUID = r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_ROLES = {
    "8e3af657-a8ff-443c-a75c-2fe8c4bcb635": "Owner",
    "b24988ac-6180-42a0-ab88-20f7382dd24c": "Contributor",
    "acdd72a7-3385-48ef-bd42-f606fba81ae7": "Reader",
    "5e0bd9bd-7b93-4f28-af87-19fc36ad61bd": "Cognitive Services OpenAI User",
    "a001fd3d-188f-4b5d-821b-7da978bf7442": "Cognitive Services OpenAI Contributor",
    "a97b65f3-24c7-4388-baec-2e87135dc908": "Cognitive Services User",
    "25fbc0a9-bd7c-42a3-aa1a-3b75d497ee68": "Cognitive Services Contributor",
    "bba48692-92b0-4667-a9ad-c31c7b334ac2": "Cognitive Services Usages Reader",
    "3913510d-42f4-4e42-8a64-420c390055eb": "Monitoring Metrics Publisher",
    "43d0d8ad-25c7-4714-9337-8ba259a9fe05": "Monitoring Reader",
    "312a565d-c81f-4fd8-895a-4e21e48d571c": "API Management Service Contributor",
    "71522526-b88f-4d52-b57f-d31fc3546d0d": "API Management Service Reader Role",
}
"""The built-in roles that a gateway meets; any other is refused by its id.

Source: https://learn.microsoft.com/azure/role-based-access-control/built-in-roles, read 2026-11-29.
"""


class RoleAssignment(ResourceType):
    """A role that a principal has on a scope; the name is a GUID that the caller chooses."""

    type = "Microsoft.Authorization/roleAssignments"
    model = "azure.mgmt.authorization.v2022_04_01.models:RoleAssignmentCreateParameters"
    label = "Role assignment"
    api_versions = ("2022-04-01",)
    extension = True
    keeps_state = False
    methods = frozenset({"GET", "PUT", "DELETE", "LIST"})

    def check_name(self, name: str) -> None:
        if re.fullmatch(_GUID, name) is None:
            raise ArmError(400, "InvalidRoleAssignmentId", f"The role assignment ID '{name}' must be a GUID.")

    def check(self, scene: Scene, draft: Draft) -> None:
        principal, role = draft.properties["principalId"], draft.properties["roleDefinitionId"]
        if re.fullmatch(_GUID, principal) is None:
            raise ArmError(400, "InvalidPrincipalId", f"The principal ID '{principal}' must be a GUID.")
        guid = role.rpartition("/")[2].lower()
        pattern = rf"(/subscriptions/[^/]+)?/providers/Microsoft\.Authorization/roleDefinitions/{_GUID}"
        if re.fullmatch(pattern, role, re.IGNORECASE) is None:
            raise ArmError(
                400, "BadRequestFormat", f"The role definition ID '{role}' is no id of a role definition."
            )
        if guid not in _ROLES:
            raise ArmError(
                400,
                "RoleDefinitionDoesNotExist",
                f"The specified role definition with ID '{guid}' does not exist; known: "
                f"{', '.join(_ROLES.values())}.",
            )
        subscription = "/".join(draft.id.split("/")[:3])
        wanted = f"{subscription}/providers/Microsoft.Authorization/roleDefinitions/{guid}"
        draft.properties["roleDefinitionId"] = wanted
        if draft.existing is not None and (
            draft.existing.properties["principalId"] != principal
            or draft.existing.properties["roleDefinitionId"] != wanted
        ):
            raise ArmError(
                400,
                "RoleAssignmentUpdateNotPermitted",
                "Tenant ID, application ID, principal ID, and scope are not allowed to be updated.",
            )
        for other in scene.store.select(self.type, parent=draft.parent):
            same = (other.properties["principalId"], other.properties["roleDefinitionId"]) == (principal, wanted)
            if same and other.id.lower() != draft.id.lower():
                raise ArmError(
                    409,
                    "RoleAssignmentExists",
                    f"The role assignment already exists. The ID of the existing role assignment is {other.name}.",
                )

    def fill(self, scene: Scene, draft: Draft) -> dict[str, str]:
        old = draft.existing.properties if draft.existing else {}
        draft.properties.setdefault("principalType", "User")
        draft.properties.update(
            scope=draft.parent,
            createdOn=old.get("createdOn") or timestamp(scene.now),
            updatedOn=timestamp(scene.now),
        )
        return {}
