"""The provider over real gRPC, with a control plane over real HTTP behind it."""

from typing import Any

import grpc
import pytest
from google.protobuf.empty_pb2 import Empty
from google.protobuf.json_format import MessageToDict
from pulumi.runtime.proto import plugin_pb2, provider_pb2, provider_pb2_grpc
from pulumi.runtime.rpc import UNKNOWN

from sinbin.local.control_plane.plane import DEFAULT_SUBSCRIPTION, DEFAULT_TENANT
from sinbin.local.provider.server import ProviderService
from sinbin.local.provider.values import read, write

GROUP = "azure-native:resources:ResourceGroup"
ACCOUNT = "azure-native:cognitiveservices:Account"
DEPLOYMENT = "azure-native:cognitiveservices:Deployment"
SERVICE = "azure-native:apimanagement:ApiManagementService"
BACKEND = "azure-native:apimanagement:Backend"
NAMED_VALUE = "azure-native:apimanagement:NamedValue"
ROOT = f"/subscriptions/{DEFAULT_SUBSCRIPTION}/resourceGroups/rg"
IN_SERVICE = {"resourceGroupName": "rg", "serviceName": "apim"}
BACKEND_ID = f"{ROOT}/providers/Microsoft.ApiManagement/service/apim/backends/east"
BACKEND_INPUTS: dict[str, Any] = {
    **IN_SERVICE,
    "backendId": "east",
    "type": "Single",
    "url": "https://acc.openai.azure.com",
    "protocol": "http",
    "circuitBreaker": {
        "rules": [
            {
                "name": "sin-bin",
                "failureCondition": {
                    "count": 1,
                    "interval": "PT1M",
                    "statusCodeRanges": [{"min": 429, "max": 429}],
                },
                "tripDuration": "PT1M",
            }
        ]
    },
}
ACCOUNT_INPUTS: dict[str, Any] = {
    "resourceGroupName": "rg",
    "accountName": "acc",
    "location": "uksouth",
    "kind": "AIServices",
    "sku": {"name": "S0"},
    "identity": {"type": "SystemAssigned"},
    "properties": {"customSubDomainName": "acc"},
}


class Engine:
    """What the Pulumi engine asks, with plain values."""

    def __init__(self, channel: grpc.Channel) -> None:
        self.stub = provider_pb2_grpc.ResourceProviderStub(channel)
        self.stub.Configure(provider_pb2.ConfigureRequest(args=write({"location": "uksouth"})))

    def check(self, token: str, inputs: dict[str, Any]) -> tuple[dict[str, Any], list[tuple[str, str]]]:
        answer = self.stub.Check(
            provider_pb2.CheckRequest(
                urn=urn(token), news=write(inputs), randomSeed=bytes(range(32)), name="r", type=token
            )
        )
        return MessageToDict(answer.inputs), [(failure.property, failure.reason) for failure in answer.failures]

    def create(self, token: str, inputs: dict[str, Any], *, preview: bool = False) -> tuple[str, dict[str, Any]]:
        answer = self.stub.Create(
            provider_pb2.CreateRequest(urn=urn(token), properties=write(inputs), type=token, preview=preview)
        )
        return answer.id, MessageToDict(answer.properties)

    def diff(self, token: str, old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
        answer = self.stub.Diff(
            provider_pb2.DiffRequest(urn=urn(token), old_inputs=write(old), news=write(new), type=token, id="/x")
        )
        return MessageToDict(answer)

    def read(self, token: str, resource_id: str, inputs: dict[str, Any], outputs: dict[str, Any]) -> Any:
        return self.stub.Read(
            provider_pb2.ReadRequest(
                urn=urn(token), id=resource_id, inputs=write(inputs), properties=write(outputs), type=token
            )
        )

    def delete(self, token: str, resource_id: str) -> None:
        self.stub.Delete(provider_pb2.DeleteRequest(urn=urn(token), id=resource_id, type=token))

    def refusal(self, call: str, request: Any) -> str:
        with pytest.raises(grpc.RpcError) as refused:
            getattr(self.stub, call)(request)
        details: str = refused.value.details()
        return details


def urn(token: str) -> str:
    return f"urn:pulumi:dev::p::sinbin:components:Thing${token}::r"


@pytest.fixture
def engine(live):
    provider = ProviderService(live, DEFAULT_SUBSCRIPTION, 0)
    with grpc.insecure_channel(f"127.0.0.1:{provider.start()}") as channel:
        yield Engine(channel)
    provider.stop()


@pytest.fixture
def group(engine):
    engine.create(GROUP, {"resourceGroupName": "rg", "location": "uksouth"})
    return engine


@pytest.fixture
def service(group):
    group.create(
        SERVICE,
        {
            **IN_SERVICE,
            "location": "uksouth",
            "sku": {"name": "Developer", "capacity": 1},
            "publisherName": "Contoso",
            "publisherEmail": "api@contoso.com",
        },
    )
    return group


def test_a_created_resource_has_the_id_and_the_outputs_of_arm(service):
    assert service.create(BACKEND, BACKEND_INPUTS) == (
        BACKEND_ID,
        {
            **{
                key: value for key, value in BACKEND_INPUTS.items() if key in {"url", "protocol", "circuitBreaker"}
            },
            "name": "east",
            "type": "Microsoft.ApiManagement/service/backends",
            "azureApiVersion": "2024-05-01",
        },
    )


def test_a_creation_that_is_done_again_adopts_what_is_there(service, http):
    first = service.create(BACKEND, BACKEND_INPUTS)
    assert service.create(BACKEND, BACKEND_INPUTS) == first
    assert http.get("/sinbin/status").json()["resources"]["Microsoft.ApiManagement/service/backends"] == 1


def test_check_fills_in_the_location_and_a_name(engine):
    assert engine.check(GROUP, {}) == ({"location": "uksouth", "resourceGroupName": "r00010203"}, [])


def test_check_finds_everything_that_is_wrong(engine):
    inputs = {
        "serviceName": "apim",
        "backendId": "pool",
        "type": "Pool",
        "pool": {"services": [{"id": "/backends/a", "weight": 900}, {"id": "/backends/b", "colour": "red"}]},
        "circutBreaker": {},
        "protocol": "grpc",
    }
    assert engine.check(BACKEND, inputs) == (
        inputs,
        [
            (
                "circutBreaker",
                (
                    "unexpected property `circutBreaker`; known: backendId, circuitBreaker, credentials, description, pool, "
                    "properties, protocol, proxy, resourceGroupName, resourceId, serviceName, title, tls, type, url"
                ),
            ),
            ("pool.services[0].weight", "The value must be between 0 and 100, and it is 900"),
            (
                "pool.services[1].colour",
                "Could not find member 'colour' on object of type 'BackendPoolItem'",
            ),
            ("protocol", "Error converting value \"grpc\" to type 'BackendProtocol'; allowed: http, soap"),
            ("resourceGroupName", "missing required property `resourceGroupName`"),
        ],
    )


def test_check_takes_what_is_not_known_yet(engine):
    inputs = {**BACKEND_INPUTS, "serviceName": UNKNOWN, "url": UNKNOWN, "circuitBreaker": UNKNOWN}
    assert engine.check(BACKEND, inputs) == (inputs, [])


def test_a_change_of_weight_is_exactly_that(engine):
    def pool(weight: int) -> dict[str, Any]:
        members = [{"id": "/backends/a", "weight": 90}, {"id": "/backends/b", "weight": weight}]
        return {**IN_SERVICE, "backendId": "pool", "type": "Pool", "pool": {"services": members}}

    assert engine.diff(BACKEND, pool(10), pool(20)) == {
        "changes": "DIFF_SOME",
        "diffs": ["pool"],
        "detailedDiff": {"pool.services[1].weight": {"kind": "UPDATE", "inputDiff": True}},
        "hasDetailedDiff": True,
    }
    assert engine.diff(BACKEND, pool(10), pool(10)) == {"changes": "DIFF_NONE", "hasDetailedDiff": True}


def test_a_change_that_needs_a_new_resource_is_named(engine):
    renamed = {**BACKEND_INPUTS, "backendId": "west"}
    assert engine.diff(BACKEND, BACKEND_INPUTS, renamed) == {
        "changes": "DIFF_SOME",
        "diffs": ["backendId"],
        "replaces": ["backendId"],
        "detailedDiff": {"backendId": {"kind": "UPDATE_REPLACE", "inputDiff": True}},
        "hasDetailedDiff": True,
    }
    # The new account has the path of the old one, so the old one has to go first.
    moved = {**ACCOUNT_INPUTS, "location": "westeurope"}
    assert engine.diff(ACCOUNT, ACCOUNT_INPUTS, moved)["deleteBeforeReplace"] is True


def test_in_a_preview_what_azure_adds_stays_unknown(engine):
    assert engine.create(ACCOUNT, ACCOUNT_INPUTS, preview=True) == (
        "",
        {key: value for key, value in ACCOUNT_INPUTS.items() if key not in {"identity", "properties"}},
    )


def test_in_the_preview_of_an_update_the_identity_keeps_its_principal(group):
    account_id, outputs = group.create(ACCOUNT, ACCOUNT_INPUTS)
    changed = {**ACCOUNT_INPUTS, "tags": {"a": "b"}}
    answer = group.stub.Update(
        provider_pb2.UpdateRequest(
            urn=urn(ACCOUNT), id=account_id, olds=write(outputs), news=write(changed), preview=True, type=ACCOUNT
        )
    )
    shown = MessageToDict(answer.properties)
    assert (shown["identity"], shown["tags"]) == (outputs["identity"], {"a": "b"})
    assert outputs["identity"]["tenantId"] == DEFAULT_TENANT


def test_a_refresh_carries_drift_into_the_inputs_and_nothing_else(service, http):
    backend_id, outputs = service.create(BACKEND, BACKEND_INPUTS)
    drifted = {"properties": {"title": "East", "url": "https://other", "protocol": "http"}}
    http.put(backend_id, params={"api-version": "2024-05-01"}, json=drifted)
    answer = service.read(BACKEND, backend_id, BACKEND_INPUTS, outputs)
    expected = {key: value for key, value in BACKEND_INPUTS.items() if key != "circuitBreaker"}
    assert MessageToDict(answer.inputs) == {**expected, "title": "East", "url": "https://other"}
    again = service.read(BACKEND, backend_id, MessageToDict(answer.inputs), MessageToDict(answer.properties))
    assert (again.inputs, again.properties) == (answer.inputs, answer.properties)


def test_an_import_takes_the_inputs_from_what_is_there(service):
    backend_id, _ = service.create(BACKEND, BACKEND_INPUTS)
    answer = service.read(BACKEND, backend_id, {}, {})
    assert (answer.id, MessageToDict(answer.inputs)) == (
        backend_id,
        BACKEND_INPUTS,
    )


def test_a_resource_that_is_gone_has_no_id(service):
    assert service.read(BACKEND, BACKEND_ID, BACKEND_INPUTS, {}).id == ""
    service.delete(BACKEND, BACKEND_ID)


def test_an_id_of_another_type_is_refused(service):
    request = provider_pb2.ReadRequest(urn=urn(BACKEND), id=ROOT, type=BACKEND)
    assert service.refusal("Read", request) == (
        f'"{ROOT}" is no id of {BACKEND}; ids look like /subscriptions/{{subscriptionId}}/resourceGroups/'
        "{resourceGroupName}/providers/Microsoft.ApiManagement/service/{serviceName}/backends/{backendId}"
    )


def test_a_refusal_of_arm_reaches_the_user_with_code_and_message(engine):
    request = provider_pb2.CreateRequest(urn=urn(BACKEND), properties=write(BACKEND_INPUTS), type=BACKEND)
    assert engine.refusal("Create", request) == (
        f"PUT {BACKEND_ID}: 404 ResourceGroupNotFound: Resource group 'rg' could not be found."
    )


def test_types_and_functions_that_are_not_modelled_are_refused_by_name(engine):
    token = "azure-native:compute:VirtualMachine"
    said = engine.refusal("Check", provider_pb2.CheckRequest(urn=urn(token), type=token))
    assert said.startswith(f'resource type "{token}" is not modelled by the local azure-native provider; it has ')
    said = engine.refusal("Invoke", provider_pb2.InvokeRequest(tok="azure-native:compute:getImage"))
    assert said.startswith(
        'function "azure-native:compute:getImage" is not modelled by the local azure-native provider'
    )


def test_secrets_are_marked_whatever_the_program_says(service):
    inputs = {**IN_SERVICE, "namedValueId": "n", "displayName": "n", "value": "hunter2", "secret": True}
    checked, failures = service.check(NAMED_VALUE, inputs)
    assert failures == []
    plain, secret = read(write(inputs))
    assert (plain, secret) == (inputs, set())
    request = provider_pb2.CheckRequest(urn=urn(NAMED_VALUE), news=write(inputs), type=NAMED_VALUE)
    assert read(service.stub.Check(request).inputs) == (inputs, {"value"})
    assert checked["value"] != "hunter2"
    _, outputs = service.create(NAMED_VALUE, inputs)
    assert "value" not in outputs
    keys = provider_pb2.InvokeRequest(
        tok="azure-native:apimanagement:listNamedValue", args=write({**IN_SERVICE, "namedValueId": "n"})
    )
    assert read(getattr(service.stub.Invoke(keys), "return")) == ({"value": "hunter2"}, {"value"})


def test_a_conflict_is_waited_out_and_counted(group, http):
    account_id, _ = group.create(ACCOUNT, ACCOUNT_INPUTS)
    body = {
        "sku": {"name": "Standard", "capacity": 1},
        "properties": {"model": {"format": "OpenAI", "name": "gpt-4.1-mini", "version": "2025-04-14"}},
    }
    http.put(f"{account_id}/deployments/one", params={"api-version": "2025-06-01"}, json=body)
    group.create(DEPLOYMENT, {"resourceGroupName": "rg", "accountName": "acc", "deploymentName": "two", **body})
    report = http.get("/sinbin/status").json()
    assert report["resources"]["Microsoft.CognitiveServices/accounts/deployments"] == 2
    assert report["refused"].keys() == {"RequestConflict"}


def test_the_engine_can_attach_and_cancel(engine):
    assert engine.stub.GetPluginInfo(Empty()).version == "3.29.0"
    assert engine.stub.Attach(plugin_pb2.PluginAttach()) == Empty()
    assert engine.stub.Cancel(Empty()) == Empty()


def test_a_control_plane_that_is_gone_is_one_clear_message():
    provider = ProviderService("http://127.0.0.1:9", DEFAULT_SUBSCRIPTION, 0)
    with grpc.insecure_channel(f"127.0.0.1:{provider.start()}") as channel:
        request = provider_pb2.ReadRequest(urn=urn(GROUP), id=ROOT, type=GROUP)
        said = Engine(channel).refusal("Read", request)
    provider.stop()
    assert said == "the local control plane does not answer: [Errno 111] Connection refused"


def test_a_websocket_api_is_declared_with_the_policy_of_its_handshake(service):
    api = {
        **IN_SERVICE,
        "apiId": "rt",
        "apiType": "websocket",
        "displayName": "rt",
        "path": "openai/v1/realtime",
        "serviceUrl": "wss://acc.openai.azure.com/openai/v1/realtime",
        "protocols": ["wss"],
    }
    resource_id, outputs = service.create("azure-native:apimanagement:Api", api)
    assert (outputs["apiType"], outputs["serviceUrl"]) == ("websocket", api["serviceUrl"])
    policy = {
        **IN_SERVICE,
        "apiId": "rt",
        "operationId": "onHandshake",
        "policyId": "policy",
        "format": "rawxml",
        "value": "<policies><inbound><base /></inbound><backend><base /></backend><outbound><base /></outbound>"
        "<on-error><base /></on-error></policies>",
    }
    policy_id, _ = service.create("azure-native:apimanagement:ApiOperationPolicy", policy)
    assert policy_id == f"{resource_id}/operations/onHandshake/policies/policy"
    service.delete("azure-native:apimanagement:ApiOperationPolicy", policy_id)
    service.delete("azure-native:apimanagement:Api", resource_id)
