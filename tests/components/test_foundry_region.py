from components.foundry_region import FoundryRegion, FoundryRegionArgs
from sinbin.topology import FoundryAccount, Model, ModelDeployment

MINI = Model(format="OpenAI", name="gpt-4.1-mini", version="2025-04-14", upgrade="NoAutoUpgrade")
URN = "urn:pulumi:test::sinbin::sinbin:components:FoundryRegion$azure-native:"


def deployment(name, capacity):
    return ModelDeployment(
        name=name,
        logical_name=f"uksouth-{name}",
        account="chat-uksouth",
        region="uksouth",
        model=MINI,
        sku="Standard",
        capacity=capacity,
        tokens_per_minute=capacity * 1000,
    )


def program(*deployments):
    def run():
        FoundryRegion(
            "uksouth",
            FoundryRegionArgs(
                account=FoundryAccount(
                    name="chat-uksouth", region="uksouth", subdomain="chat-uksouth", deployments=deployments
                ),
                resource_group_name="rg",
                caller_principal_id="principal",
                tags={"owner": "platform"},
            ),
        )

    return run


def test_the_account_takes_no_keys_and_has_a_subdomain_of_its_own(declare):
    account = declare(program()).one("cognitiveservices:Account")
    assert account.urn == URN + "cognitiveservices:Account::uksouth"
    assert account.parent == "sinbin:components:FoundryRegion::uksouth"
    assert account.inputs == {
        "accountName": "chat-uksouth",
        "resourceGroupName": "rg",
        "location": "uksouth",
        "kind": "AIServices",
        "sku": {"name": "S0"},
        "identity": {"type": "SystemAssigned"},
        "properties": {
            "customSubDomainName": "chat-uksouth",
            "disableLocalAuth": True,
            "publicNetworkAccess": "Enabled",
        },
        "tags": {"owner": "platform"},
    }


def test_a_deployment_says_which_model_and_how_much_of_it(declare):
    deployed = declare(program(deployment("mini", 60))).one("cognitiveservices:Deployment")
    assert deployed.urn == URN + "cognitiveservices:Deployment::uksouth-mini"
    assert deployed.inputs == {
        "accountName": "chat-uksouth",
        "resourceGroupName": "rg",
        "deploymentName": "mini",
        "sku": {"name": "Standard", "capacity": 60},
        "properties": {
            "model": {"format": "OpenAI", "name": "gpt-4.1-mini", "version": "2025-04-14"},
            "versionUpgradeOption": "NoAutoUpgrade",
        },
    }


def test_deployments_of_one_account_wait_for_each_other(declare):
    declared = declare(program(deployment("a", 1), deployment("b", 2), deployment("c", 3)))
    urns = {name: declared.one("Deployment", f"uksouth-{name}").urn for name in "abc"}
    waits = {
        name: sorted(set(declared.one("Deployment", f"uksouth-{name}").depends_on) & set(urns.values()))
        for name in "abc"
    }
    assert waits == {"a": [], "b": [urns["a"]], "c": [urns["b"]]}


def test_the_gateway_may_call_the_models_and_nothing_else(declare):
    account = "/subscriptions/[subscription]/resourceGroups/rg/providers/Microsoft.CognitiveServices/accounts/chat-uksouth"
    assignment = declare(program()).one("RoleAssignment")
    assert assignment.urn == URN + "authorization:RoleAssignment::uksouth-openai-user"
    assert assignment.inputs == {
        "scope": account,
        "roleAssignmentName": "d3166978-2ed9-5155-8e8e-44c537038f78",
        "roleDefinitionId": "/subscriptions/[subscription]/providers/Microsoft.Authorization/roleDefinitions/"
        "5e0bd9bd-7b93-4f28-af87-19fc36ad61bd",
        "principalId": "principal",
        "principalType": "ServicePrincipal",
    }
