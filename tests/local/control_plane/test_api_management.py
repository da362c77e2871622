import copy
from typing import Any

import pytest

from sinbin.local.control_plane.plane import DEFAULT_SUBSCRIPTION

GROUP = "/resourceGroups/rg"
SERVICE = f"{GROUP}/providers/Microsoft.ApiManagement/service/apim"
ID = f"/subscriptions/{DEFAULT_SUBSCRIPTION}{SERVICE}"
SERVICE_BODY: dict[str, Any] = {
    "location": "uksouth",
    "sku": {"name": "Developer", "capacity": 1},
    "identity": {"type": "SystemAssigned"},
    "properties": {"publisherName": "Contoso", "publisherEmail": "api@contoso.com"},
}
RULE = {
    "name": "sin-bin",
    "failureCondition": {"count": 1, "interval": "PT1M", "statusCodeRanges": [{"min": 429, "max": 429}]},
    "tripDuration": "PT1M",
    "acceptRetryAfter": True,
}
BACKEND: dict[str, Any] = {
    "properties": {
        "type": "Single",
        "url": "https://acc.openai.azure.com/openai/deployments/chat",
        "protocol": "http",
        "circuitBreaker": {"rules": [RULE]},
    }
}
ROUTE = """<policies>
  <inbound><base /><set-backend-service backend-id="pool" /></inbound>
  <backend><base /></backend>
  <outbound><base /></outbound>
  <on-error><base /></on-error>
</policies>"""


@pytest.fixture
def service(azure):
    azure.put(GROUP, {"location": "uksouth"})
    azure.put(SERVICE, SERVICE_BODY)
    return azure


def refused(message: str) -> tuple[int, str, str]:
    return (400, "ValidationError", f"One or more fields contain incorrect values:\n{message}")


def backend(**changes: Any) -> dict[str, Any]:
    body = copy.deepcopy(BACKEND)
    body["properties"] |= changes
    return body


def pool(*names: str) -> dict[str, Any]:
    services = [{"id": f"/backends/{name}", "priority": 1, "weight": 50} for name in names]
    return {"properties": {"type": "Pool", "pool": {"services": services}}}


def breaker(**changes: Any) -> dict[str, Any]:
    return backend(circuitBreaker={"rules": [{**RULE, **changes}]})


def policy(text: str, form: str = "rawxml") -> dict[str, Any]:
    return {"properties": {"value": text, "format": form}}


def with_api(azure):
    azure.put(f"{SERVICE}/apis/openai", {"properties": {"displayName": "OpenAI", "path": "openai"}})


def test_a_backend_shows_what_was_asked_under_an_etag(service):
    answer = service.send("PUT", f"{SERVICE}/backends/east", BACKEND)
    assert (answer.status, answer.headers) == (201, {"ETag": '"0000000000000001"'})
    assert answer.body == {
        "id": f"{ID}/backends/east",
        "name": "east",
        "type": "Microsoft.ApiManagement/service/backends",
        **BACKEND,
    }
    assert service.send("PUT", f"{SERVICE}/backends/east", BACKEND).headers == {"ETag": '"0000000000000002"'}


def test_a_write_that_expects_another_state_is_refused(service):
    service.put(f"{SERVICE}/backends/east", BACKEND)
    stale = {"If-Match": '"0000000000000009"'}
    answer = service.send("PUT", f"{SERVICE}/backends/east", BACKEND, stale)
    assert (answer.status, answer.body) == (
        412,
        {
            "error": {
                "code": "PreconditionFailed",
                "message": "Resource was modified since last retrieval. Please re-retrieve and try again.",
            }
        },
    )
    assert service.send("DELETE", f"{SERVICE}/backends/east", None, stale).status == 412
    assert (
        service.send("DELETE", f"{SERVICE}/backends/east", None, {"If-Match": '"0000000000000001"'}).status == 200
    )
    assert service.error("GET", f"{SERVICE}/backends/east") == (404, "ResourceNotFound", "Backend not found.")


def test_a_patch_changes_what_it_names_and_needs_an_etag(service):
    service.put(f"{SERVICE}/backends/east", BACKEND)
    change = {"properties": {"description": "east", "circuitBreaker": None}}
    assert service.send("PATCH", f"{SERVICE}/backends/east", change).body["error"] == {
        "code": "ValidationError",
        "message": "The If-Match header is required; send the ETag or *.",
    }
    shown = service.send("PATCH", f"{SERVICE}/backends/east", change, {"If-Match": "*"}).body
    expected = {key: value for key, value in BACKEND["properties"].items() if key != "circuitBreaker"}
    assert shown["properties"] == {**expected, "description": "east"}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            backend(circuitBreaker={"rules": []}),
            "A circuit breaker has exactly one rule, and this one has 0",
        ),
        (
            backend(circuitBreaker={"rules": [RULE, RULE]}),
            "A circuit breaker has exactly one rule, and this one has 2",
        ),
        (
            breaker(
                failureCondition={"count": 1, "interval": "PT1M", "statusCodeRanges": [{"min": 100, "max": 700}]}
            ),
            (
                "The value must be between 200 and 599, and it is 100. Path "
                "'properties.circuitBreaker.rules[0].failureCondition.statusCodeRanges[0].min'.\n"
                "The value must be between 200 and 599, and it is 700. Path "
                "'properties.circuitBreaker.rules[0].failureCondition.statusCodeRanges[0].max'."
            ),
        ),
        (
            breaker(
                failureCondition={"count": 1, "interval": "PT1M", "statusCodeRanges": [{"min": 503, "max": 500}]}
            ),
            "The range from 503 to 500 holds no status code",
        ),
        (
            breaker(
                failureCondition={
                    "count": 1,
                    "interval": "PT1M",
                    "statusCodeRanges": [{"min": 429, "max": 429}] * 11,
                }
            ),
            (
                "The number of items must be between 0 and 10, and it is 11. Path "
                "'properties.circuitBreaker.rules[0].failureCondition.statusCodeRanges'."
            ),
        ),
        (
            breaker(tripDuration="60"),
            (
                "Error converting value \"60\" to type 'System.TimeSpan'. Path "
                "'properties.circuitBreaker.rules[0].tripDuration'."
            ),
        ),
        (
            breaker(tripDuration="P1M"),
            'tripDuration: "P1M" is no ISO 8601 duration; P…M counts calendar months, write PT1M for minutes',
        ),
        (backend(url=None), "Url is required for a backend of type Single"),
        (
            backend(colour="red", circutBreaker={}),
            (
                "Could not find member 'colour' on object of type 'BackendContract'. Path 'properties.colour'.\n"
                "Could not find member 'circutBreaker' on object of type 'BackendContract'. Path "
                "'properties.circutBreaker'."
            ),
        ),
        (
            backend(protocol="grpc"),
            (
                "Error converting value \"grpc\" to type 'BackendProtocol'; allowed: http, soap. Path "
                "'properties.protocol'."
            ),
        ),
    ],
)
def test_a_backend_that_azure_refuses_is_refused(service, body, message):
    assert service.error("PUT", f"{SERVICE}/backends/east", body) == refused(message)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (pool("east", "nowhere"), "Backend with id '/backends/nowhere' could not be found"),
        (pool("east", "inner"), "Backend 'inner' is a pool; only backends of type Single can be in a pool"),
        (
            {"properties": {**pool("east")["properties"], "url": "https://x", "protocol": "http"}},
            "Url is not supported for backend pool\nProtocol is not supported for backend pool",
        ),
        (pool(*["east"] * 31), "A backend pool has 1 to 30 services, and this one has 31"),
        (
            {"properties": {"type": "Pool", "pool": {"services": [{"id": "/backends/east", "weight": 900}]}}},
            "The value must be between 0 and 100, and it is 900. Path 'properties.pool.services[0].weight'.",
        ),
    ],
)
def test_a_pool_that_azure_refuses_is_refused(service, body, message):
    service.put(f"{SERVICE}/backends/east", BACKEND)
    service.put(f"{SERVICE}/backends/inner", pool("east"))
    assert service.error("PUT", f"{SERVICE}/backends/pool", body) == refused(message)


def test_a_pool_names_its_members_by_their_full_ids(service):
    service.put(f"{SERVICE}/backends/east", BACKEND)
    shown = service.put(f"{SERVICE}/backends/pool", pool("east"))
    assert shown["properties"] == {
        "type": "Pool",
        "pool": {"services": [{"id": f"{ID}/backends/east", "priority": 1, "weight": 50}]},
    }


def test_a_backend_in_use_stays(service):
    service.put(f"{SERVICE}/backends/east", BACKEND)
    service.put(f"{SERVICE}/backends/pool", pool("east"))
    with_api(service)
    service.put(f"{SERVICE}/apis/openai/policies/policy", policy(ROUTE))
    assert service.error("DELETE", f"{SERVICE}/backends/east") == refused(
        f"Backend 'east' can't be deleted, because it is used by {ID}/backends/pool"
    )
    assert service.error("DELETE", f"{SERVICE}/backends/pool") == refused(
        f"Backend 'pool' can't be deleted, because it is used by {ID}/apis/openai/policies/policy"
    )
    for path in ("/apis/openai/policies/policy", "/backends/pool", "/backends/east"):
        assert service.send("DELETE", SERVICE + path, None, {"If-Match": "*"}).status == 200


@pytest.mark.parametrize(
    ("text", "form", "message"),
    [
        (
            ROUTE,
            "rawxml",
            "Error in element 'set-backend-service' on line 2, column 20: Backend with id 'pool' could not be found.",
        ),
        (
            '<policies><inbound><include-fragment fragment-id="nope" /></inbound></policies>',
            "rawxml",
            "Error in element 'include-fragment' on line 1, column 20: Policy fragment with id 'nope' could not be found.",
        ),
        (
            '<policies><inbound><set-variable name="a" value="{{nope}}" /></inbound></policies>',
            "rawxml",
            "Cannot find a property 'nope' on line 1, column 43.",
        ),
        (
            "<policies><backend><base /><forward-request /></backend></policies>",
            "rawxml",
            (
                "Error in element 'forward-request' on line 1, column 28: only one policy is allowed in the 'backend' "
                "section."
            ),
        ),
        (
            '<policies><inbound><rate-limit calls="1" renewal-period="60" /><forwards /></inbound></policies>',
            "rawxml",
            "Error in element 'forwards' on line 1, column 64: there is no policy of that name.",
        ),
        (
            '<policies><inbound><llm-token-limit tokens-per-minute="5" estimate-prompt-tokens="flase" /></inbound></policies>',
            "rawxml",
            (
                "Error in element 'llm-token-limit' on line 1, column 20: Required attribute 'counter-key' is missing.\n"
                "Error in element 'llm-token-limit' on line 1, column 20: The value 'flase' of "
                "'estimate-prompt-tokens' is not valid; expected true or false."
            ),
        ),
        (
            '<policies><inbound><set-variable name="a" value="@{ var x = return x; }" /></inbound></policies>',
            "rawxml",
            "Error in element 'set-variable' on line 1, column 20: `= return x` is not C# here (line 1, column 59).",
        ),
        (
            '<policies><inbound><set-variable name="a" value="@(new HttpClient().ToString())" /></inbound></policies>',
            "rawxml",
            "Error in element 'set-variable' on line 1, column 20: the type `HttpClient` is not allowed in policy expressions (line 1, column 56).",
        ),
        (
            '<policies><inbound><set-variable name="a" value="@(context.Variables["n"] > 3)" /></inbound></policies>',
            "rawxml",
            "Error in element 'set-variable' on line 1, column 20: operator `>` cannot be applied to `object` and `int` (line 1, column 52).",
        ),
        (
            '<policies><inbound><choose><when condition="@(1 < 2 && true)" /></choose></inbound></policies>',
            "xml",
            "The XML is not well-formed: not well-formed (invalid token): line 1, column 48",
        ),
        (
            '<!DOCTYPE x [<!ENTITY a "b">]><policies><inbound>&a;</inbound></policies>',
            "xml",
            "The XML is not well-formed: DTDForbidden(name='x', system_id=None, public_id=None)",
        ),
    ],
)
def test_a_policy_that_azure_refuses_is_refused(service, text, form, message):
    with_api(service)
    assert service.error("PUT", f"{SERVICE}/apis/openai/policies/policy", policy(text, form)) == refused(message)


def test_a_policy_at_the_wrong_scope_is_refused(service):
    text = '<policies><inbound><rate-limit calls="1" renewal-period="60" /></inbound></policies>'
    assert service.error("PUT", f"{SERVICE}/policies/policy", policy(text)) == refused(
        "Error in element 'rate-limit' on line 1, column 20: Policy is not allowed in the specified scope."
    )


def test_a_policy_reads_back_escaped_with_azures_line_ends_unless_asked_for_raw(service):
    with_api(service)
    raw = '<policies>\n<inbound><set-variable name="a" value="@(1 < 2 ? "x" : "y")" /></inbound>\n</policies>'
    path = f"{SERVICE}/apis/openai/policies/policy"
    service.put(path, policy(raw))
    assert service.send("GET", path, format="rawxml").body["properties"] == {
        "format": "rawxml",
        "value": raw.replace("\n", "\r\n"),
    }
    assert service.send("GET", path).body["properties"] == {
        "format": "xml",
        "value": (
            '<policies>\r\n<inbound><set-variable name="a" value="@(1 &lt; 2 ? &quot;x&quot; : &quot;y&quot;)" /></inbound>'
            "\r\n</policies>"
        ),
    }


def test_a_fragment_in_use_stays_and_holds_no_other_fragment(service):
    path = f"{SERVICE}/policyFragments/identity"
    service.put(path, policy('<fragment><set-header name="a" exists-action="delete" /></fragment>'))
    assert service.error(
        "PUT",
        f"{SERVICE}/policyFragments/outer",
        policy('<fragment><include-fragment fragment-id="identity" /></fragment>'),
    ) == refused(
        "Error in element 'include-fragment' on line 1, column 11: it is not allowed in a policy fragment."
    )
    service.put(
        f"{SERVICE}/policies/policy",
        policy('<policies><inbound><include-fragment fragment-id="identity" /></inbound></policies>'),
    )
    assert service.error("DELETE", path) == refused(
        f"Policy fragment 'identity' can't be deleted, because it is used by {ID}/policies/policy"
    )


def test_a_secret_named_value_is_told_only_when_asked_for(service):
    path = f"{SERVICE}/namedValues/key"
    shown = service.put(path, {"properties": {"displayName": "the-key", "value": "hunter2", "secret": True}})
    assert shown["properties"] == {"displayName": "the-key", "secret": True}
    assert service.send("POST", f"{path}/listValue").body == {"value": "hunter2"}
    open_value = service.put(f"{SERVICE}/namedValues/open", {"properties": {"displayName": "open", "value": "x"}})
    assert open_value["properties"] == {"displayName": "open", "secret": False, "value": "x"}


def test_a_named_value_in_use_stays(service):
    service.put(f"{SERVICE}/namedValues/n", {"properties": {"displayName": "shown", "value": "x"}})
    service.put(
        f"{SERVICE}/policies/policy",
        policy('<policies><inbound><set-variable name="a" value="{{shown}}" /></inbound></policies>'),
    )
    assert service.error("DELETE", f"{SERVICE}/namedValues/n") == refused(
        f"Property 'shown' is in use and can't be deleted or renamed: {ID}/policies/policy"
    )


def test_keys_of_a_subscription_are_told_only_when_asked_for(service):
    service.put(f"{SERVICE}/products/web", {"properties": {"displayName": "Web"}})
    path = f"{SERVICE}/subscriptions/web"
    shown = service.put(path, {"properties": {"displayName": "Web", "scope": "/products/web", "state": "active"}})
    assert shown["properties"] == {
        "displayName": "Web",
        "scope": f"{ID}/products/web",
        "state": "active",
        "allowTracing": False,
        "createdDate": "2027-01-15T08:03:00.0000000Z",
    }
    keys = service.send("POST", f"{path}/listSecrets").body
    assert sorted(keys) == ["primaryKey", "secondaryKey"]
    service.put(path, {"properties": {"displayName": "Webs", "scope": "/products/web", "primaryKey": "mine"}})
    assert service.send("POST", f"{path}/listSecrets").body == {**keys, "primaryKey": "mine"}


def test_a_product_with_subscriptions_stays_unless_they_go_too(service):
    service.put(f"{SERVICE}/products/web", {"properties": {"displayName": "Web"}})
    service.put(f"{SERVICE}/subscriptions/web", {"properties": {"displayName": "Web", "scope": "/products/web"}})
    assert service.error("DELETE", f"{SERVICE}/products/web") == refused(
        "Product 'web' can't be deleted, because it has subscriptions (web); delete them, or set deleteSubscriptions"
    )
    answer = service.send("DELETE", f"{SERVICE}/products/web", None, {"If-Match": "*"}, deleteSubscriptions="true")
    assert answer.status == 200
    assert service.send("GET", f"{SERVICE}/subscriptions").body == {"value": [], "count": 0}


def test_operations_declare_the_parameters_of_their_template(service):
    with_api(service)
    path = f"{SERVICE}/apis/openai/operations/chat"
    body = {"properties": {"displayName": "Chat", "method": "POST", "urlTemplate": "/deployments/{name}/chat"}}
    assert service.error("PUT", path, body) == refused(
        "All template parameters used in the UriTemplate must be defined in the Operation, and vice-versa."
    )
    body["properties"]["templateParameters"] = [{"name": "name", "type": "string", "required": True}]
    assert service.put(path, body)["properties"] == body["properties"]


def test_a_logger_shows_no_credential(service):
    path = f"{SERVICE}/loggers/insights"
    shown = service.put(
        path, {"properties": {"loggerType": "applicationInsights", "credentials": {"connectionString": "secret"}}}
    )
    assert shown["properties"] == {
        "loggerType": "applicationInsights",
        "isBuffered": True,
        "credentials": {"connectionString": "{{Logger-Credentials--8de0c599b11124da008fead6}}"},
    }
    diagnostic = {"properties": {"loggerId": "/loggers/insights"}}
    service.put(f"{SERVICE}/diagnostics/applicationinsights", diagnostic)
    assert service.error("DELETE", path) == refused(
        f"Logger 'insights' can't be deleted, because it is used by {ID}/diagnostics/applicationinsights"
    )


def test_a_deleted_service_is_restored_purged_or_in_the_way(service):
    assert service.send("DELETE", SERVICE, None, {"If-Match": "*"}).status == 202
    service.clock.now += 60
    assert service.error("PUT", SERVICE, SERVICE_BODY) == (
        409,
        "ServiceAlreadyExistsInSoftDeletedState",
        (
            "Api service apim was soft-deleted. In order to create the new service with the same name, you have to either "
            "undelete the service or purge it. See https://aka.ms/apimsoftdelete."
        ),
    )
    assert service.send("GET", "/providers/Microsoft.ApiManagement/deletedservices").body == {
        "value": [
            {
                "id": (
                    f"/subscriptions/{DEFAULT_SUBSCRIPTION}/providers/Microsoft.ApiManagement/locations/uksouth"
                    "/deletedservices/apim"
                ),
                "name": "apim",
                "type": "Microsoft.ApiManagement/deletedservices",
                "location": "uksouth",
                "properties": {
                    "serviceId": ID,
                    "deletionDate": "2027-01-15T08:02:20.0000000Z",
                    "scheduledPurgeDate": "2027-01-17T08:02:20.0000000Z",
                },
            }
        ]
    }
    path = "/providers/Microsoft.ApiManagement/locations/uksouth/deletedservices/apim"
    assert service.send("DELETE", path).status == 200
    assert service.put(SERVICE, SERVICE_BODY)["properties"]["provisioningState"] == "Succeeded"


def test_entities_wait_for_a_service_that_is_being_made(azure):
    azure.put(GROUP, {"location": "uksouth"})
    assert azure.send("PUT", SERVICE, SERVICE_BODY).body["properties"]["provisioningState"] == "Activating"
    assert azure.error("PUT", f"{SERVICE}/backends/east", BACKEND) == (
        409,
        "ServiceNotReady",
        "API Management service is activating: 'apim'.",
    )


def socket_api(**changes: Any) -> dict[str, Any]:
    properties = {"displayName": "rt", "path": "rt", "apiType": "websocket", "serviceUrl": "wss://a.test/rt"}
    return {"properties": {**properties, **changes}}


def test_a_websocket_api_has_its_handshake_which_carries_policies_and_never_changes(service):
    api = f"{SERVICE}/apis/rt"
    shown = service.put(api, socket_api())["properties"]
    assert (shown["type"], shown["protocols"], shown["serviceUrl"]) == ("websocket", ["wss"], "wss://a.test/rt")
    operation = service.send("GET", f"{api}/operations/onHandshake").body["properties"]
    assert (operation["method"], operation["urlTemplate"]) == ("GET", "/")
    text = ROUTE.replace('<set-backend-service backend-id="pool" />', "")
    service.put(f"{api}/operations/onHandshake/policies/policy", policy(text))
    service.put(api, socket_api(displayName="again"))
    assert service.send("GET", f"{api}/operations/onHandshake/policies/policy").status == 200
    message = "name: A WebSocket API has the operation 'onHandshake' alone, which cannot be changed"
    other = {"properties": {"displayName": "x", "method": "GET", "urlTemplate": "/x", "templateParameters": []}}
    for method, name in (("PUT", "other"), ("PUT", "onHandshake"), ("DELETE", "onHandshake")):
        assert service.error(method, f"{api}/operations/{name}", other)[2].endswith(message.partition(": ")[2])
    assert service.send("DELETE", api, headers={"If-Match": "*"}).status == 200
    assert service.send("GET", f"{api}/operations/onHandshake").status == 404


@pytest.mark.parametrize("url", [None, "https://a.test/rt"])
def test_a_websocket_api_needs_the_url_of_a_socket(service, url):
    said = service.error("PUT", f"{SERVICE}/apis/rt", socket_api(serviceUrl=url))
    assert said[0] == 400
    assert "The serviceUrl of a WebSocket API begins with ws:// or wss://" in said[2]


def test_an_api_stays_what_it_was_made(service):
    service.put(f"{SERVICE}/apis/rt", {"properties": {"displayName": "rt", "path": "rt"}})
    assert "The type of an API cannot be changed" in service.error("PUT", f"{SERVICE}/apis/rt", socket_api())[2]


def test_the_consumption_tier_has_no_websocket_apis(azure):
    azure.put(GROUP, {"location": "uksouth"})
    azure.put(SERVICE, SERVICE_BODY | {"sku": {"name": "Consumption", "capacity": 0}})
    said = azure.error("PUT", f"{SERVICE}/apis/rt", socket_api())
    assert "WebSocket APIs are not supported in the Consumption tier" in said[2]
