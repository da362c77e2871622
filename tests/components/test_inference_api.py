import pytest

from components.inference_api import InferenceApi, InferenceApiArgs
from policy_templates import NamedValue, RenderedPolicy

URN = "urn:pulumi:test::sinbin::sinbin:components:InferenceApi$azure-native:apimanagement:"
PLACE = {"resourceGroupName": "rg", "serviceName": "gateway"}
POLICIES = (
    RenderedPolicy(scope="fragment", name="model", text="<fragment />"),
    RenderedPolicy(scope="api", name="openai", text="<policies />"),
    RenderedPolicy(scope="product", name="web", text="<policies>web</policies>"),
)


@pytest.fixture
def api(declare, place, grant):
    def program():
        InferenceApi(
            "openai",
            InferenceApiArgs(
                policies=POLICIES,
                named_values=[NamedValue(name="audience", value="https://cognitiveservices.azure.com")],
                backends=[grant()],
                logger_id="/loggers/applicationinsights",
                **place,
            ),
        )

    return declare(program)


def test_callers_reach_it_with_the_key_header_of_the_openai_client(api):
    assert api.one("apimanagement:Api").urn == URN + "Api::openai"
    assert api.one("apimanagement:Api").inputs == PLACE | {
        "apiId": "openai",
        "displayName": "OpenAI",
        "path": "openai",
        "protocols": ["https"],
        "subscriptionRequired": True,
        "subscriptionKeyParameterNames": {"header": "api-key", "query": "subscription-key"},
    }


def test_it_takes_the_dated_shapes_and_the_v1_shapes(api):
    operations = [item.inputs for item in api.resources if item.type.endswith("ApiOperation")]
    assert sorted((item["method"], item["urlTemplate"]) for item in operations) == [
        ("DELETE", "/v1/responses/{response-id}"),
        ("GET", "/v1/models"),
        ("GET", "/v1/responses/{response-id}"),
        ("GET", "/v1/responses/{response-id}/input_items"),
        ("POST", "/deployments/{deployment-id}/chat/completions"),
        ("POST", "/deployments/{deployment-id}/completions"),
        ("POST", "/deployments/{deployment-id}/embeddings"),
        ("POST", "/v1/chat/completions"),
        ("POST", "/v1/embeddings"),
        ("POST", "/v1/responses"),
    ]


def test_a_parameter_in_a_path_is_declared(api):
    assert api.one("ApiOperation", "chat-completions").inputs == PLACE | {
        "apiId": "openai",
        "operationId": "chat-completions",
        "displayName": "Chat completions",
        "method": "POST",
        "urlTemplate": "/deployments/{deployment-id}/chat/completions",
        "templateParameters": [{"name": "deployment-id", "type": "string", "required": True}],
    }


def test_the_policy_comes_after_everything_it_names(api):
    policy = api.one("ApiPolicy")
    assert policy.inputs == PLACE | {
        "apiId": "openai",
        "policyId": "policy",
        "format": "rawxml",
        "value": "<policies />",
    }
    assert {
        "urn:pulumi:test::sinbin::azure-native:resources:ResourceGroup::grant",
        URN + "NamedValue::audience",
        URN + "PolicyFragment::model",
    } <= set(policy.depends_on)


def test_fragments_and_named_values_are_written(api):
    assert api.one("PolicyFragment").inputs == PLACE | {"id": "model", "format": "rawxml", "value": "<fragment />"}
    assert api.one("NamedValue").inputs == PLACE | {
        "namedValueId": "audience",
        "displayName": "audience",
        "value": "https://cognitiveservices.azure.com",
        "secret": False,
    }


def test_diagnostics_never_look_into_a_body(api):
    no_body = {"body": {"bytes": 0}, "headers": []}
    pipeline = {"request": no_body, "response": no_body}
    assert api.one("ApiDiagnostic").inputs == PLACE | {
        "apiId": "openai",
        "diagnosticId": "applicationinsights",
        "loggerId": "/loggers/applicationinsights",
        "alwaysLog": "allErrors",
        "sampling": {"samplingType": "fixed", "percentage": 100},
        "verbosity": "information",
        "httpCorrelationProtocol": "W3C",
        "logClientIp": False,
        "metrics": True,
        "frontend": pipeline,
        "backend": pipeline,
    }


def test_without_a_logger_there_are_no_diagnostics(declare, place):
    def program():
        InferenceApi(
            "openai",
            InferenceApiArgs(policies=POLICIES, named_values=[], backends=[], logger_id=None, **place),
        )

    assert declare(program).names("ApiDiagnostic") == []
