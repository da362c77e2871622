"""The official azure-mgmt clients against a real server."""

import pytest
from azure.core.exceptions import HttpResponseError
from azure.mgmt.apimanagement import ApiManagementClient
from azure.mgmt.apimanagement import models as apim
from azure.mgmt.cognitiveservices import CognitiveServicesManagementClient
from azure.mgmt.cognitiveservices import models as foundry
from azure.mgmt.loganalytics import LogAnalyticsManagementClient
from azure.mgmt.resource.resources import ResourceManagementClient
from azure.mgmt.resource.resources import models as resources


@pytest.fixture
def group(client_options):
    with ResourceManagementClient(**client_options) as client:
        client.resource_groups.create_or_update("rg", resources.ResourceGroup(location="uksouth"))
        yield client


def test_a_region_is_deployed_read_and_taken_down(group, client_options):
    with CognitiveServicesManagementClient(**client_options) as client:
        account = client.accounts.begin_create(
            "rg",
            "acc",
            foundry.Account(
                location="uksouth",
                kind="AIServices",
                sku=foundry.Sku(name="S0"),
                identity=foundry.Identity(type="SystemAssigned"),
                properties=foundry.AccountProperties(custom_sub_domain_name="acc", disable_local_auth=True),
            ),
        ).result()
        assert (account.properties.provisioning_state, account.properties.endpoint) == (
            "Succeeded",
            "https://acc.cognitiveservices.azure.com/",
        )
        deployment = client.deployments.begin_create_or_update(
            "rg",
            "acc",
            "chat",
            foundry.Deployment(
                sku=foundry.Sku(name="Standard", capacity=60),
                properties=foundry.DeploymentProperties(
                    model=foundry.DeploymentModel(format="OpenAI", name="gpt-4.1-mini", version="2025-04-14")
                ),
            ),
        ).result()
        limits = [(limit.key, limit.renewal_period, limit.count) for limit in deployment.properties.rate_limits]
        assert limits == [("request", 10, 10), ("token", 60, 60_000)]
        assert [one.name for one in client.deployments.list("rg", "acc")] == ["chat"]
        used = {usage.name.value: usage.current_value for usage in client.usages.list("uksouth")}
        assert used["OpenAI.Standard.gpt-4.1-mini"] == 60
        offered = {(model.model.name, model.model.version) for model in client.models.list("uksouth")}
        assert ("gpt-4.1-mini", "2025-04-14") in offered
        assert [one.name for one in client.accounts.list()] == ["acc"]
        assert [one.name for one in group.resources.list_by_resource_group("rg")] == ["acc"]
        client.deployments.begin_delete("rg", "acc", "chat").result()
        client.accounts.begin_delete("rg", "acc").result()
        assert [one.name for one in client.deleted_accounts.list()] == ["acc"]
        client.deleted_accounts.begin_purge("uksouth", "rg", "acc").result()
        assert list(client.deleted_accounts.list()) == []
    group.resource_groups.begin_delete("rg").result()
    assert list(group.resource_groups.list()) == []


def test_a_gateway_is_deployed_read_and_taken_down(group, client_options):
    with ApiManagementClient(**client_options) as client:
        service = client.api_management_service.begin_create_or_update(
            "rg",
            "apim",
            apim.ApiManagementServiceResource(
                location="uksouth",
                sku=apim.ApiManagementServiceSkuProperties(name="Developer", capacity=1),
                identity=apim.ApiManagementServiceIdentity(type="SystemAssigned"),
                publisher_name="Contoso",
                publisher_email="api@contoso.com",
            ),
        ).result()
        assert (service.provisioning_state, service.gateway_url) == ("Succeeded", "https://apim.azure-api.net")
        backend = apim.BackendContract(url="https://acc.openai.azure.com", protocol="http")
        client.backend.create_or_update("rg", "apim", "east", backend)
        tag = client.backend.get("rg", "apim", "east", cls=lambda raw, _, __: raw.http_response.headers["ETag"])
        client.backend.update(
            "rg", "apim", "east", if_match=tag, parameters=apim.BackendUpdateParameters(title="East")
        )
        with pytest.raises(HttpResponseError) as refused:
            client.backend.delete("rg", "apim", "east", if_match=tag)
        assert (refused.value.status_code, refused.value.error.code) == (412, "PreconditionFailed")
        assert client.backend.get_entity_tag("rg", "apim", "east")
        assert [(one.name, one.title) for one in client.backend.list_by_service("rg", "apim")] == [
            ("east", "East")
        ]
        api = client.api.begin_create_or_update(
            "rg", "apim", "openai", apim.ApiCreateOrUpdateParameter(display_name="OpenAI", path="openai")
        ).result()
        assert api.subscription_key_parameter_names.header == "Ocp-Apim-Subscription-Key"
        text = "<policies><inbound><base /></inbound></policies>"
        client.api_policy.create_or_update(
            "rg", "apim", "openai", "policy", apim.PolicyContract(value=text, format="rawxml")
        )
        assert client.api_policy.get("rg", "apim", "openai", "policy").value == text
        value = client.named_value.begin_create_or_update(
            "rg", "apim", "n", apim.NamedValueCreateContract(display_name="n", value="hidden", secret=True)
        ).result()
        assert (value.value, client.named_value.list_value("rg", "apim", "n").value) == (None, "hidden")
        client.api_management_service.begin_delete("rg", "apim").result()
        assert [one.name for one in client.deleted_services.list_by_subscription()] == ["apim"]


def test_other_families_are_read_by_their_clients(group, client_options):
    with LogAnalyticsManagementClient(**client_options) as client:
        workspace = client.workspaces.begin_create_or_update("rg", "logs", {"location": "uksouth"}).result()
        assert (workspace.properties.provisioning_state, workspace.properties.retention_in_days) == (
            "Succeeded",
            30,
        )


def test_a_refusal_reaches_the_client_with_code_and_message(group, client_options):
    with (
        CognitiveServicesManagementClient(**client_options) as client,
        pytest.raises(HttpResponseError) as refused,
    ):
        client.deployments.begin_create_or_update("rg", "nowhere", "chat", foundry.Deployment())
    assert (refused.value.status_code, refused.value.error.code, refused.value.error.message) == (
        404,
        "ParentResourceNotFound",
        (
            "Failed to perform 'write' on resource(s) of type 'accounts/deployments', because the parent resource "
            f"'/subscriptions/{client_options['subscription_id']}/resourceGroups/rg/providers/Microsoft.CognitiveServices"
            "/accounts/nowhere' could not be found."
        ),
    )
