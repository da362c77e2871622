import pytest

from sinbin.local.control_plane.plane import DEFAULT_SUBSCRIPTION

ROOT = f"/subscriptions/{DEFAULT_SUBSCRIPTION}"
GROUP = "/resourceGroups/rg"
NAME = "11111111-1111-1111-1111-111111111111"
OTHER = "22222222-2222-2222-2222-222222222222"
ASSIGNMENT = f"{GROUP}/providers/Microsoft.Authorization/roleAssignments/{NAME}"
ROLE = "/providers/Microsoft.Authorization/roleDefinitions/5e0bd9bd-7b93-4f28-af87-19fc36ad61bd"
INSIGHTS = f"{GROUP}/providers/Microsoft.Insights"
WORKSPACE = f"{GROUP}/providers/Microsoft.OperationalInsights/workspaces/logs"


@pytest.fixture
def group(azure):
    azure.put(GROUP, {"location": "uksouth"})
    return azure


def assignment(principal=OTHER, role=ROLE):
    return {
        "properties": {"principalId": principal, "roleDefinitionId": role, "principalType": "ServicePrincipal"}
    }


def test_a_role_assignment_shows_its_scope_and_the_full_id_of_its_role(group):
    assert group.put(ASSIGNMENT, assignment()) == {
        "id": ROOT + ASSIGNMENT,
        "name": NAME,
        "type": "Microsoft.Authorization/roleAssignments",
        "properties": {
            "principalId": OTHER,
            "principalType": "ServicePrincipal",
            "roleDefinitionId": ROOT + ROLE,
            "scope": ROOT + GROUP,
            "createdOn": "2027-01-15T08:01:00.0000000Z",
            "updatedOn": "2027-01-15T08:01:00.0000000Z",
        },
    }
    assert group.send("PUT", ASSIGNMENT, assignment()).status == 200


def test_a_role_is_assigned_once_and_never_moved(group):
    group.put(ASSIGNMENT, assignment())
    assert group.error("PUT", ASSIGNMENT.replace(NAME, OTHER), assignment()) == (
        409,
        "RoleAssignmentExists",
        f"The role assignment already exists. The ID of the existing role assignment is {NAME}.",
    )
    assert group.error("PUT", ASSIGNMENT, assignment(principal=NAME)) == (
        400,
        "RoleAssignmentUpdateNotPermitted",
        "Tenant ID, application ID, principal ID, and scope are not allowed to be updated.",
    )


@pytest.mark.parametrize(
    ("name", "body", "code"),
    [
        ("mine", assignment(), "InvalidRoleAssignmentId"),
        (NAME, assignment(principal="me"), "InvalidPrincipalId"),
        (NAME, assignment(role="Owner"), "BadRequestFormat"),
        (NAME, assignment(role=f"{ROLE[:-12]}000000000000"), "RoleDefinitionDoesNotExist"),
        (NAME, {"properties": {"principalId": OTHER}}, "InvalidRequestContent"),
    ],
)
def test_a_role_assignment_that_azure_refuses_is_refused(group, name, body, code):
    assert group.error("PUT", ASSIGNMENT.replace(NAME, name), body)[:2] == (400, code)


def test_a_role_assignment_goes_with_what_it_is_on(group):
    group.put(WORKSPACE, {"location": "uksouth"})
    on_workspace = f"{WORKSPACE}/providers/Microsoft.Authorization/roleAssignments/{NAME}"
    group.versions = {"roleAssignments": "2022-04-01", **group.versions}
    group.put(on_workspace, assignment())
    listed = group.send("GET", f"{GROUP}/providers/Microsoft.Authorization/roleAssignments").body["value"]
    assert [one["id"] for one in listed] == [ROOT + on_workspace]
    assert group.send("DELETE", WORKSPACE).status == 202
    group.clock.now += 60
    assert group.send("GET", f"{GROUP}/providers/Microsoft.Authorization/roleAssignments").body == {"value": []}


def test_application_insights_needs_its_workspace_and_keeps_its_key(group):
    body = {
        "location": "uksouth",
        "kind": "web",
        "properties": {"Application_Type": "web", "WorkspaceResourceId": ROOT + WORKSPACE},
    }
    assert group.error("PUT", f"{INSIGHTS}/components/app", body) == (
        400,
        "BadRequest",
        f"The workspace '{ROOT}{WORKSPACE}' does not exist.",
    )
    group.put(WORKSPACE, {"location": "uksouth"})
    first = group.put(f"{INSIGHTS}/components/app", body)["properties"]
    again = group.put(f"{INSIGHTS}/components/app", {**body, "tags": {"a": "b"}})["properties"]
    assert again == first
    key, app = first["InstrumentationKey"], first["AppId"]
    assert first["ConnectionString"] == (
        f"InstrumentationKey={key};IngestionEndpoint=https://uksouth.in.applicationinsights.azure.com/;"
        f"ApplicationId={app}"
    )


def test_an_alert_watches_and_tells_what_is_there(group):
    rule = {
        "location": "uksouth",
        "properties": {
            "scopes": [ROOT + WORKSPACE],
            "criteria": {"allOf": [{"query": "requests", "timeAggregation": "Count", "operator": "GreaterThan"}]},
            "windowSize": "PT5M",
            "evaluationFrequency": "PT10M",
        },
    }
    path = f"{INSIGHTS}/scheduledQueryRules/refused"
    assert group.error("PUT", path, rule) == (
        400,
        "BadRequest",
        f"The resource '{ROOT}{WORKSPACE}' does not exist.",
    )
    group.put(WORKSPACE, {"location": "uksouth"})
    assert group.error("PUT", path, rule) == (
        400,
        "BadRequest",
        "The window size PT5M is shorter than the frequency PT10M.",
    )
    rule["properties"]["evaluationFrequency"] = "PT5M"
    assert group.put(path, rule)["properties"] == rule["properties"]
