"""A change of what is deployed reaches the gateway that runs."""

import time

import pytest

from tests.local.gateway.running import PUBLISHER, SERVICE
from tests.local.gateway.stub import Stub, answer

FORWARD = """<policies><inbound><base /><set-backend-service backend-id="pool" />{}</inbound>
<backend><forward-request /></backend><outbound><base /></outbound><on-error><base /></on-error></policies>"""
BREAKER = {
    "name": "b",
    "failureCondition": {"count": 1, "interval": "PT1M", "statusCodeRanges": [{"min": 500, "max": 599}]},
    "tripDuration": "PT1M",
}


@pytest.fixture
def world(start):
    """A pool of the backends `a` and `b`, of which only `a` is called, behind an API."""
    stubs = []

    def make(**options):
        azure = start(**options)
        stubs.extend([Stub(azure.call, answer(200, b"a")), Stub(azure.call, answer(200, b"b"))])
        azure.make_service()
        for name, stub in zip("ab", stubs, strict=True):
            azure.backend(name, stub.url, BREAKER)
        azure.pool("pool", [("a", 1, 1), ("b", 2, 1)])
        azure.make_api("t", FORWARD.format(""))
        azure.settle()
        return azure, stubs

    yield make
    for stub in stubs:
        stub.stop()


def test_a_weight_takes_effect_without_a_restart_and_breakers_keep_their_state(world):
    azure, stubs = world()
    with azure.client() as client:
        assert client.get("/t/x").content == b"a"
        stubs[0].replies = [answer(503)]
        assert [client.get("/t/x").status_code, client.get("/t/x").content] == [503, b"b"]
        stubs[0].replies = [answer(200, b"a")]
        azure.pool("pool", [("a", 1, 100), ("b", 2, 1)])
        azure.policy("/apis/t", FORWARD.format('<set-header name="x-new"><value>1</value></set-header>'))
        azure.settle()
        assert client.get("/t/x").content == b"b"  # `a` still sits out
        assert (b"x-new", b"1") in stubs[1].received[-1].headers
        azure.delete("/apis/t")
        azure.settle()
        assert client.get("/t/x").status_code == 404


def test_a_change_is_noticed_by_itself(world):
    azure, _ = world()
    with azure.client() as client:
        azure.pool("pool", [("b", 1, 1)])
        until = time.monotonic() + 3
        while client.get("/t/x").content != b"b":
            assert time.monotonic() < until
            time.sleep(0.02)


def test_a_change_arrives_as_late_as_in_azure(world):
    azure, _ = world(speed=60, policy_delay_s=120)  # two minutes pass in two seconds
    with azure.client() as client:
        assert client.get("/t/x").status_code == 503  # the first configuration takes as long
        began = azure.clock.now()
        while client.get("/t/x").status_code == 503:
            assert azure.clock.now() < began + 240
            time.sleep(0.02)
        changed = azure.clock.now()
        azure.pool("pool", [("b", 1, 1)])
        while client.get("/t/x").content != b"b":
            assert azure.clock.now() < changed + 240
            time.sleep(0.02)
        assert azure.clock.now() - changed >= 120


def test_a_configuration_that_the_gateway_refuses_leaves_the_old_one_running(world):
    azure, _ = world()
    with azure.client() as client:
        azure.policy(
            "/apis/t",
            FORWARD.format('\n<invoke-dapr-binding name="perhaps" />'),
        )
        azure.settle()
        [gateway] = azure.report()["gateways"]
        assert client.get("/t/x").content == b"a"
        assert gateway["changes"] == 1
        [problem] = gateway["refused"]
        assert problem.startswith("apim/apis/t:2:")
        assert "invoke-dapr-binding" in problem
        azure.policy("/apis/t", FORWARD.format(""))
        azure.pool("pool", [("b", 1, 1)])
        azure.settle()
        assert (azure.report()["gateways"][0]["refused"], client.get("/t/x").content) == ([], b"b")


def test_a_first_configuration_that_is_refused_answers_503_and_says_why(start):
    azure = start()
    azure.make_service()
    azure.make_api(
        "t",
        FORWARD.replace('<set-backend-service backend-id="pool" />', "").format(
            '<invoke-dapr-binding name="x" />'
        ),
    )
    azure.settle()
    with azure.client() as client:
        reply = client.get("/t/x")
    assert reply.status_code == 503
    assert reply.json()["message"].startswith("the configuration of apim is refused: apim/apis/t:1:")


def test_before_anything_is_deployed_callers_are_told_so(start):
    with start().client() as client:
        reply = client.get("/openai/v1/models")
    assert (reply.status_code, reply.json()) == (
        503,
        {"statusCode": 503, "message": "no API Management service is deployed; deploy one with `pulumi up`"},
    )


def test_a_mock_answers_with_the_example_of_the_deployed_operation(start):
    azure = start()
    azure.make_service()
    azure.make_api("t", '<policies><inbound><mock-response status-code="429" /></inbound></policies>')
    representation = {"contentType": "application/json", "examples": {"default": {"value": {"error": "busy"}}}}
    azure.put(
        "/apis/t/operations/get",
        {
            "displayName": "Get",
            "method": "GET",
            "urlTemplate": "/x",
            "templateParameters": [],
            "responses": [{"statusCode": 429, "representations": [representation]}],
        },
    )
    azure.settle()
    with azure.client() as client:
        reply = client.get("/t/x")
    assert (reply.status_code, reply.json()) == (429, {"error": "busy"})


def test_products_open_their_apis_to_their_subscriptions_only(start):
    azure = start()
    azure.make_service()
    reply = "<policies><inbound><return-response><set-body>{}</set-body></return-response></inbound></policies>"
    for name in ("one", "two"):
        azure.make_api(name, reply.format(name), subscriptionRequired=True)
    azure.put("/products/p", {"displayName": "p", "state": "published"})
    azure.put("/products/p/apis/one")
    for name, scope in {"p": "/products/p", "api": "/apis/two", "all": "/apis", "off": "/apis"}.items():
        state = "suspended" if name == "off" else "active"
        azure.put(f"/subscriptions/{name}", {"scope": scope, "state": state, "displayName": name})
    azure.settle()
    with azure.client() as client:
        opened = {
            name: [
                client.get(f"/{api}/x", headers={"Ocp-Apim-Subscription-Key": azure.key(name)}).status_code
                for api in ("one", "two")
            ]
            for name in ("p", "api", "all", "off")
        }
    assert opened == {"p": [200, 401], "api": [401, 200], "all": [200, 200], "off": [401, 401]}


def test_policies_of_every_scope_named_values_and_fragments_are_read(start):
    azure = start()
    azure.make_service()
    put = '<set-header name="x-seen" exists-action="append"><value>{}</value></set-header>'
    document = "<policies><inbound><base />{}</inbound><backend><base /></backend><outbound><base /></outbound><on-error><base /></on-error></policies>"
    azure.put("/namedValues/nv", {"displayName": "the-name", "value": "named", "secret": True})
    azure.policy("/policyFragments/f", f"<fragment>{put.format('fragment')}</fragment>")
    azure.put("/products/p", {"displayName": "p", "state": "published"})
    azure.make_api("t", subscriptionRequired=True)
    operation = {"displayName": "o", "method": "GET", "urlTemplate": "/x"}
    azure.put("/apis/t/operations/o", operation)
    azure.put("/products/p/apis/t")
    azure.put("/subscriptions/s", {"scope": "/products/p", "state": "active", "displayName": "s"})
    azure.policy("", f"<policies><inbound>{put.format('global')}</inbound></policies>")
    azure.policy("/products/p", document.format(put.format("product")))
    azure.policy("/apis/t", document.format(put.format("{{the-name}}") + '<include-fragment fragment-id="f" />'))
    show = """<return-response><set-body>@(context.Request.Headers.GetValueOrDefault("x-seen", ""))</set-body></return-response>"""
    azure.policy("/apis/t/operations/o", document.format(put.format("operation") + show))
    azure.settle()
    with azure.client(headers={"Ocp-Apim-Subscription-Key": azure.key("s")}) as client:
        assert client.get("/t/x").text == "global,product,named,fragment,operation"


def test_what_a_deployment_says_and_the_gateway_does_not_do_is_listed(start):
    azure = start()
    azure.make_service()
    azure.backend("b", "http://127.0.0.1:1", tls={"validateCertificateChain": False})
    azure.settle()
    assert azure.report()["gateways"][0]["notModelled"] == [
        "backend b: tls is not modelled, the local gateway goes on without it"
    ]


def test_two_services_listen_on_two_ports(start):
    azure = start()
    azure.make_service()
    azure.make_api("t", "<policies><inbound><return-response /></inbound></policies>")
    azure.settle()
    other = SERVICE.replace("/apim", "/other")
    azure.put(other, PUBLISHER, location="uksouth", sku={"name": "Developer", "capacity": 1})
    azure.settle()
    [first, second] = azure.report()["gateways"]
    assert (first["service"], second["service"]) == ("apim", "other")
    assert first["url"] != second["url"]
    azure.delete(other)
    azure.settle()
    assert [gateway["service"] for gateway in azure.report()["gateways"]] == ["apim"]
