import re
from typing import Any

from sinbin.local.control_plane.plane import DEFAULT_SUBSCRIPTION, DEFAULT_TENANT

GROUP = "/resourceGroups/rg"
ACCOUNT = f"{GROUP}/providers/Microsoft.CognitiveServices/accounts/acc"
ID = f"/subscriptions/{DEFAULT_SUBSCRIPTION}{ACCOUNT}"
LOCATIONS = "/providers/Microsoft.CognitiveServices/locations"


def account(**properties: Any) -> dict[str, Any]:
    return {
        "location": "UK South",
        "kind": "AIServices",
        "sku": {"name": "S0"},
        "identity": {"type": "SystemAssigned"},
        "properties": {"customSubDomainName": "acc", "disableLocalAuth": True, **properties},
    }


def deployment(
    capacity: int = 60, sku: str = "Standard", model: str = "gpt-4.1-mini", version: str = "2025-04-14"
) -> dict[str, Any]:
    return {
        "sku": {"name": sku, "capacity": capacity},
        "properties": {"model": {"format": "OpenAI", "name": model, "version": version}},
    }


def group(azure):
    azure.put(GROUP, {"location": "uksouth"})


def with_account(azure, **properties):
    group(azure)
    azure.put(ACCOUNT, account(**properties))


def test_an_account_shows_what_was_asked_and_what_azure_adds(azure):
    group(azure)
    shown = azure.put(ACCOUNT, account())
    assert re.fullmatch(r"[0-9a-f-]{36}", shown["identity"].pop("principalId"))
    assert re.fullmatch(r"[0-9a-f]{32}", shown["properties"].pop("internalId"))
    assert shown == {
        "id": ID,
        "name": "acc",
        "type": "Microsoft.CognitiveServices/accounts",
        "location": "uksouth",
        "kind": "AIServices",
        "sku": {"name": "S0"},
        "identity": {"type": "SystemAssigned", "tenantId": DEFAULT_TENANT},
        "etag": '"00000001-0000-0000-0000-000000000000"',
        "properties": {
            "customSubDomainName": "acc",
            "disableLocalAuth": True,
            "publicNetworkAccess": "Enabled",
            "endpoint": "https://acc.cognitiveservices.azure.com/",
            "endpoints": {
                "OpenAI Language Model Instance API": "https://acc.openai.azure.com/",
                "AI Foundry API": "https://acc.services.ai.azure.com/",
                "Azure OpenAI Legacy API - Latest moniker": "https://acc.cognitiveservices.azure.com/",
            },
            "dateCreated": "2027-01-15T08:01:00.0000000Z",
            "provisioningState": "Succeeded",
        },
    }


def test_a_write_that_takes_a_while_is_announced_and_can_be_polled(azure):
    group(azure)
    answer = azure.send("PUT", ACCOUNT, account())
    assert (answer.status, answer.body["properties"]["provisioningState"]) == (201, "Creating")
    poll = answer.headers["Azure-AsyncOperation"].partition(DEFAULT_SUBSCRIPTION)[2].partition("?")[0]
    operation = poll.rpartition("/")[2]
    assert azure.send("GET", poll).body == {"name": operation, "status": "InProgress"}
    azure.clock.now += 10
    assert azure.send("GET", poll).body == {"name": operation, "status": "Succeeded"}
    assert azure.send("GET", ACCOUNT).body["properties"]["provisioningState"] == "Succeeded"


def test_the_principal_of_an_account_stays_the_same(azure):
    with_account(azure)
    before = azure.send("GET", ACCOUNT).body["identity"]
    assert azure.put(ACCOUNT, {**account(), "tags": {"a": "b"}})["identity"] == before


def test_rate_limits_come_with_the_end_of_the_provisioning(azure):
    with_account(azure)
    path = f"{ACCOUNT}/deployments/chat"
    assert "rateLimits" not in azure.send("PUT", path, deployment()).body["properties"]
    azure.clock.now += 10
    assert azure.send("GET", path).body["properties"]["rateLimits"] == [
        {"key": "request", "renewalPeriod": 10, "count": 10},
        {"key": "token", "renewalPeriod": 60, "count": 60_000},
    ]


def test_parallel_deployments_in_one_account_collide(azure):
    with_account(azure)
    azure.send("PUT", f"{ACCOUNT}/deployments/one", deployment())
    assert azure.error("PUT", f"{ACCOUNT}/deployments/two", deployment()) == (
        409,
        "RequestConflict",
        f"Another operation is being performed on the parent resource '{ID}'. Please try again later.",
    )
    assert azure.plane.store.counters() == {"RequestConflict": 1}


def test_quota_is_counted_over_the_accounts_of_a_region(azure):
    with_account(azure)
    azure.put(f"{GROUP}/providers/Microsoft.CognitiveServices/accounts/acc2", account(customSubDomainName="acc2"))
    azure.put(f"{ACCOUNT}/deployments/one", deployment(300))
    other = f"{GROUP}/providers/Microsoft.CognitiveServices/accounts/acc2/deployments/one"
    assert azure.error("PUT", other, deployment(200)) == (
        400,
        "InsufficientQuota",
        (
            "This operation require 200 new capacity in quota Tokens Per Minute (thousands) - gpt-4.1-mini - Standard, "
            "which is bigger than the current available capacity 150. The current quota usage is 300 and the quota limit is "
            "450 for quota Tokens Per Minute (thousands) - gpt-4.1-mini - Standard."
        ),
    )
    azure.put(other, deployment(150))
    usages = azure.send("GET", f"{LOCATIONS}/uksouth/usages").body["value"]
    [mini] = [usage for usage in usages if usage["name"]["value"] == "OpenAI.Standard.gpt-4.1-mini"]
    assert mini == {
        "name": {
            "value": "OpenAI.Standard.gpt-4.1-mini",
            "localizedValue": "Tokens Per Minute (thousands) - gpt-4.1-mini",
        },
        "unit": "Count",
        "currentValue": 450.0,
        "limit": 450.0,
    }


def test_a_deployment_that_only_changes_does_not_count_twice(azure):
    with_account(azure)
    azure.put(f"{ACCOUNT}/deployments/one", deployment(300))
    assert azure.put(f"{ACCOUNT}/deployments/one", deployment(400))["sku"] == {"name": "Standard", "capacity": 400}


def test_models_and_skus_that_are_not_offered_are_refused(azure):
    with_account(azure)
    path = f"{ACCOUNT}/deployments/one"
    assert azure.error("PUT", path, deployment(sku="Global-Standard")) == (
        400,
        "InvalidResourceProperties",
        (
            "The specified SKU 'Global-Standard' for model 'gpt-4.1-mini 2025-04-14' is not supported in this region; "
            "offered: Standard, DataZoneStandard, GlobalStandard, ProvisionedManaged, DataZoneProvisionedManaged, "
            "GlobalProvisionedManaged."
        ),
    )
    assert azure.error("PUT", path, deployment(version="2025-04-15")) == (
        400,
        "DeploymentModelNotSupported",
        (
            "The model 'Format:OpenAI,Name:gpt-4.1-mini,Version:2025-04-15' of account deployment is not supported; "
            "known version: 2025-04-14."
        ),
    )


def test_keys_are_shown_only_while_local_authentication_is_on(azure):
    with_account(azure, disableLocalAuth=False)
    keys = azure.send("POST", f"{ACCOUNT}/listKeys").body
    assert sorted(keys) == ["key1", "key2"]
    assert all(re.fullmatch(r"[0-9a-f]{32}", key) for key in keys.values())
    azure.put(ACCOUNT, account())
    assert azure.error("POST", f"{ACCOUNT}/listKeys") == (
        400,
        "BadRequest",
        "Failed to list key. disableLocalAuth is set to be true",
    )


def test_a_subdomain_is_taken_once_in_the_world_and_by_the_deleted(azure):
    with_account(azure)
    taken = "Please pick a different name. The subdomain name 'acc' is not available as it's already used by a resource."
    other = f"{GROUP}/providers/Microsoft.CognitiveServices/accounts/other"
    assert azure.error("PUT", other, account()) == (409, "CustomDomainInUse", taken)
    azure.send("DELETE", ACCOUNT)
    azure.clock.now += 60
    assert azure.error("PUT", other, account()) == (409, "CustomDomainInUse", taken)


def test_a_deleted_account_is_restored_purged_or_in_the_way(azure):
    with_account(azure)
    assert azure.send("DELETE", ACCOUNT).status == 202
    azure.clock.now += 60
    assert azure.error("PUT", ACCOUNT, account()) == (
        409,
        "FlagMustBeSetForRestore",
        (
            f"An existing resource with ID '{ID}' has been soft-deleted. To restore the resource, you must specify 'restore' "
            "to be 'true' in the property. If you don't want to restore existing resource, please purge it first."
        ),
    )
    deleted = azure.send("GET", "/providers/Microsoft.CognitiveServices/deletedAccounts").body["value"]
    assert [entry["id"].partition(DEFAULT_SUBSCRIPTION)[2] for entry in deleted] == [
        f"{LOCATIONS}/uksouth/resourceGroups/rg/deletedAccounts/acc"
    ]
    azure.put(ACCOUNT, account(restore=True))
    azure.send("DELETE", ACCOUNT)
    azure.clock.now += 60
    assert azure.send("DELETE", f"{LOCATIONS}/uksouth/resourceGroups/rg/deletedAccounts/acc").status == 200
    azure.put(ACCOUNT, account())


def test_a_deleted_account_is_forgotten_after_two_days(azure):
    with_account(azure)
    azure.send("DELETE", ACCOUNT)
    azure.clock.now += 48 * 3600 + 61
    azure.put(ACCOUNT, account())


def test_an_account_with_deployments_stays_but_goes_with_its_group(azure):
    with_account(azure)
    azure.put(f"{ACCOUNT}/deployments/one", deployment())
    assert azure.error("DELETE", ACCOUNT) == (
        409,
        "CannotDeleteResource",
        (
            "Cannot delete resource while nested resources exist. Some existing nested resource IDs include: "
            "'accounts/deployments/one'. Please delete all nested resources before deleting this resource."
        ),
    )
    assert azure.send("DELETE", GROUP).status == 202
    azure.clock.now += 60
    assert azure.error("GET", GROUP) == (404, "ResourceGroupNotFound", "Resource group 'rg' could not be found.")
    assert azure.plane.store.select() == []
