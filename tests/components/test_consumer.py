import asyncio

import pytest

from components.consumer import Consumer, ConsumerArgs
from policy_templates import RenderedPolicy
from sinbin.engine.recording import SECRET
from sinbin.topology import Consumer as Spec

URN = "urn:pulumi:test::sinbin::sinbin:components:Consumer$azure-native:apimanagement:"
PLACE = {"resourceGroupName": "rg", "serviceName": "gateway"}
SPEC = Spec(
    name="web",
    traffic="interactive",
    aliases=("chat",),
    tokens_per_minute=1000,
    requests_per_minute=60,
    token_quota=None,
)
ARGS = {
    "spec": SPEC,
    "api_id": "/apis/openai",
    "policy": RenderedPolicy(scope="product", name="web", text="<policies />"),
}


@pytest.fixture
def consumer(declare, place):
    def program():
        Consumer("web", ConsumerArgs(**ARGS, **place))

    return declare(program)


def test_a_consumer_has_a_product_of_its_own_that_opens_the_api(consumer):
    assert consumer.one("apimanagement:Product").urn == URN + "Product::web"
    assert consumer.one("apimanagement:Product").inputs == PLACE | {
        "productId": "web",
        "displayName": "web",
        "description": "interactive traffic of web",
        "subscriptionRequired": True,
        "approvalRequired": False,
        "state": "published",
    }
    assert consumer.one("ProductApiLink").inputs == PLACE | {
        "productId": "web",
        "apiLinkId": "web",
        "apiId": "/apis/openai",
    }


def test_its_limits_are_the_policy_of_its_product(consumer):
    assert consumer.one("ProductPolicy").inputs == PLACE | {
        "productId": "web",
        "policyId": "policy",
        "format": "rawxml",
        "value": "<policies />",
    }


def test_its_subscription_is_for_its_product_alone(consumer):
    service = "/subscriptions/[subscription]/resourceGroups/rg/providers/Microsoft.ApiManagement/service/gateway"
    assert consumer.one("Subscription").inputs == PLACE | {
        "sid": "web",
        "displayName": "web",
        "scope": f"{service}/products/web",
        "state": "active",
    }


def test_its_key_is_a_secret(declare, place):
    seen = []

    def program():
        key = Consumer("web", ConsumerArgs(**ARGS, **place)).key
        key.apply(seen.append)
        asyncio.ensure_future(key.is_secret()).add_done_callback(lambda future: seen.append(future.result()))

    declare(program)
    assert sorted(map(str, seen)) == ["True", SECRET]
