from components.api_gateway import ApiGateway, ApiGatewayArgs
from sinbin.topology import ApiManagement, GatewayLocation


def program(**changes):
    given = {
        "name": "gateway",
        "tier": "Premium",
        "home": GatewayLocation(location="uksouth", capacity=3, zones=("1", "2", "3")),
        "additional": (GatewayLocation(location="swedencentral", capacity=1),),
        "publisher_name": "Contoso",
        "publisher_email": "api@contoso.com",
        **changes,
    }
    args = ApiGatewayArgs(gateway=ApiManagement(**given), resource_group_name="rg", tags={"owner": "platform"})

    def run():
        ApiGateway("gateway", args)

    return run


# What the SDK adds to every service, whether asked or not.
DEFAULTS = {
    "developerPortalStatus": "Enabled",
    "disableGateway": False,
    "enableClientCertificate": False,
    "legacyPortalStatus": "Enabled",
    "natGatewayState": "Disabled",
    "restore": False,
    "virtualNetworkType": "None",
}


def test_a_premium_service_has_zones_and_further_locations(declare):
    service = declare(program()).one("ApiManagementService")
    assert service.urn == (
        "urn:pulumi:test::sinbin::sinbin:components:ApiGateway$azure-native:apimanagement:ApiManagementService::gateway"
    )
    assert service.inputs == DEFAULTS | {
        "serviceName": "gateway",
        "resourceGroupName": "rg",
        "location": "uksouth",
        "sku": {"name": "Premium", "capacity": 3},
        "zones": ["1", "2", "3"],
        "additionalLocations": [
            {
                "location": "swedencentral",
                "sku": {"name": "Premium", "capacity": 1},
                "disableGateway": False,
                "natGatewayState": "Disabled",
            }
        ],
        "publisherName": "Contoso",
        "publisherEmail": "api@contoso.com",
        "identity": {"type": "SystemAssigned"},
        "tags": {"owner": "platform"},
    }


def test_a_service_without_zones_names_none(declare):
    home = GatewayLocation(location="uksouth", capacity=1)
    inputs = declare(program(tier="Developer", home=home, additional=())).one("ApiManagementService").inputs
    assert not {"zones", "additionalLocations"} & inputs.keys()
    assert inputs["sku"] == {"name": "Developer", "capacity": 1}
