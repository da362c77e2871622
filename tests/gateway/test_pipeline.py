"""A request through sections, retries, pools and breakers: what leaves the gateway, what comes back."""

import pytest

from sinbin.gateway.configuration import (
    Api,
    Backend,
    GatewayConfiguration,
    Operation,
    PolicySource,
    Pool,
    Product,
    Subscription,
)
from sinbin.gateway.failures import PolicyLoadError
from sinbin.gateway.gateway import Gateway
from sinbin.gateway.messages import Headers, HttpRequest
from sinbin.gateway.testing.driver import Driver, ScriptedReply
from sinbin.topology import CircuitBreaker, PoolMember, StatusRange

RULE = CircuitBreaker(
    failure_count=1,
    interval_s=60.0,
    trip_duration_s=60.0,
    status_ranges=(StatusRange(low=429, high=429),),
    accept_retry_after=True,
)
RETRY = '<retry condition="true" count="2" interval="0" first-fast-retry="true">{}</retry>'
TO_POOL = '<set-backend-service backend-id="chat" />'
REFUSED = ScriptedReply(429, (("Retry-After", "20"),))
OK = ScriptedReply(200, (), b"ok")


def document(inbound=TO_POOL, backend="<forward-request />", outbound="", on_error="", name="api.xml"):
    return PolicySource(
        name=name,
        text=f"<policies>\n<inbound>{inbound}</inbound>\n<backend>{backend}</backend>\n"
        f"<outbound>{outbound}</outbound>\n<on-error>{on_error}</on-error>\n</policies>",
    )


def configuration(policy, rule=RULE, api=None, global_policy=None, **more):
    backends = tuple(Backend(name=n, url=f"http://{n}.test/openai", circuit_breaker=rule) for n in "abc")
    members = tuple(PoolMember(backend=n, priority=p, weight=1) for p, n in enumerate("abc", 1))
    return GatewayConfiguration(
        backends=backends,
        pools=(Pool(name="chat", members=members),),
        apis=(api or Api(name="api", path="", policy=policy),),
        policy=global_policy,
        **more,
    )


def driver(policy=None, **more):
    return Driver(Gateway(configuration(policy or document(), **more)))


def post(path="/chat/completions", body=b"{}", method="POST", **headers):
    return HttpRequest(method, path, Headers(headers), body)


def test_a_refusal_is_answered_by_the_next_member_and_the_first_sits_out():
    run = driver(document(backend=RETRY.format('<forward-request buffer-request-body="true" />')))
    ran = run.run(post(), {"a": [REFUSED], "b": [OK]})
    assert ran.backends[:2] == ["a", "b"]
    assert run.gateway.instances[0].backends.sitting_out(0.0) == {"a": 20.0}


def test_count_is_retries_so_attempts_are_one_more():
    ran = driver(document(backend=RETRY.format('<forward-request buffer-request-body="true" />')), rule=None).run(
        post()
    )
    assert ran.backends == ["a", "a", "a"]


def test_fake_200_from_a_retry_without_forward_request():
    ran = driver(document(backend=RETRY.format('<set-variable name="x" value="1" />'))).run(post())
    assert (ran.response.status, ran.body, ran.backends) == (200, b"", [])


def test_a_retry_dies_without_a_buffered_body_and_the_model_never_sees_it():
    ran = driver(document(backend=RETRY.format("<forward-request />"))).run(post(), {"a": [REFUSED], "b": [OK]})
    assert ran.backends == ["a"]
    assert ran.response.status == 500
    assert (ran.answer.last_error.source, ran.answer.last_error.reason) == (
        "forward-request",
        "BackendConnectionFailure",
    )
    assert ran.answer.last_error.message.startswith("Content length mismatch")


def test_a_request_without_a_body_can_be_retried_without_a_buffer():
    ran = driver(document(backend=RETRY.format("<forward-request />"))).run(
        post(body=None, method="GET"), {"a": [REFUSED]}
    )
    assert ran.backends == ["a", "b", "b"]


def test_503_of_an_emptied_pool_keeps_the_last_retry_after():
    run = driver(document(backend=RETRY.format('<forward-request buffer-request-body="true" />')))
    ran = run.run(post(), {"a": [REFUSED], "b": [REFUSED], "c": [ScriptedReply(429, (("Retry-After", "7"),))]})
    assert ran.backends == ["a", "b", "c"]
    assert ran.response.status == 429
    again = run.run(post())
    assert (again.backends, again.response.status) == ([], 503)
    assert again.response.json() == {"statusCode": 503, "message": "Service unavailable"}
    assert (again.answer.last_error.reason, again.answer.last_error.section) == ("PoolExhausted", "backend")


def test_the_503_of_a_pool_emptied_within_the_request_carries_the_last_replys_retry_after():
    more = RETRY.replace('count="2"', 'count="3"')
    ran = driver(document(backend=more.format('<forward-request buffer-request-body="true" />'))).run(
        post(), {"a": [REFUSED], "b": [REFUSED], "c": [ScriptedReply(429, (("Retry-After", "7"),))]}
    )
    assert (ran.response.status, ran.response.headers.get("Retry-After")) == (503, "7")


def test_instances_do_not_share_their_breakers():
    run = Driver(Gateway(configuration(document()), instances=2))
    assert run.run(post(), {"a": [REFUSED]}, instance=0).backends == ["a"]
    assert run.run(post(), instance=0).backends == ["b"]
    assert run.run(post(), instance=1).backends == ["a"]


def test_a_breaker_stays_open_over_a_change_of_policy():
    run = driver()
    run.run(post(), {"a": [REFUSED]})
    run.gateway.reconfigure(configuration(document(outbound='<set-status code="201" reason="Changed" />')))
    ran = run.run(post())
    assert (ran.backends, ran.response.status) == (["b"], 201)


def test_a_single_backend_with_an_open_breaker_answers_503_until_the_trip_is_over():
    run = driver(document(inbound='<set-backend-service backend-id="a" />'))
    run.run(post(), {"a": [REFUSED]})
    assert run.run(post()).response.status == 503
    run.now = 20.0
    assert run.run(post()).response.status == 200


def test_a_slow_reply_is_a_timeout_after_the_time_that_forward_request_gives():
    ran = driver(document(backend='<forward-request timeout="10" />')).run(
        post(), {"a": [ScriptedReply(latency_s=11.0)]}
    )
    assert (ran.response.status, ran.ended_at, ran.answer.last_error.reason) == (500, 10.0, "Timeout")


def test_an_error_status_goes_to_on_error_only_when_asked():
    on_error = '<set-header name="x-error"><value>yes</value></set-header>'
    plain = driver(document(on_error=on_error)).run(post(), {"a": [ScriptedReply(500, body=b"broken")]})
    assert (plain.response.status, plain.response.headers.get("x-error")) == (500, None)
    failing = driver(document(backend='<forward-request fail-on-error-status-code="true" />', on_error=on_error))
    ran = failing.run(post(), {"a": [ScriptedReply(500, body=b"broken")]})
    assert (ran.response.status, ran.response.headers.get("x-error"), ran.body) == (500, "yes", b"broken")


def test_base_is_the_broader_scope_in_place_and_the_product_counts_only_for_its_subscriptions():
    def mark(name):
        return f'<set-header name="x-path" exists-action="append"><value>{name}</value></set-header>'

    def marked(name):
        return document(inbound=f"<base />{mark(name)}", backend="<base />", name=f"{name}.xml")

    api = Api(
        name="api",
        path="ai",
        policy=marked("api"),
        operations=(Operation(name="chat", method="POST", url_template="/chat", policy=marked("operation")),),
    )
    run = driver(
        api=api,
        global_policy=document(inbound=TO_POOL + mark("global"), name="global.xml"),
        products=(Product(name="web", policy=marked("product")),),
        subscriptions=(Subscription(id="s", keys=("k",), product="web"), Subscription(id="t", keys=("all",))),
    )
    for key, path in (("k", "global,product,api,operation"), ("all", "global,api,operation")):
        ran = run.run(post("/ai/chat", **{"Ocp-Apim-Subscription-Key": key}))
        assert ran.calls[0].request.headers.get("x-path") == path
        assert ran.calls[0].request.url == "http://a.test/openai/chat"


@pytest.mark.parametrize(
    ("request_", "status", "message", "reason"),
    [
        (post("/ai/chat"), 401, "Access denied due to missing subscription key. Make sure to include subscription key when making requests to an API.", "SubscriptionKeyNotFound"),
        (post("/ai/chat", **{"api-key": "wrong"}), 401, "Access denied due to invalid subscription key. Make sure to provide a valid key for an active subscription.", "SubscriptionKeyInvalid"),
        (post("/ai/other", **{"api-key": "k"}), 404, "Resource not found", "OperationNotFound"),
        (post("/elsewhere", **{"api-key": "k"}), 404, "Resource not found", "OperationNotFound"),
    ],
)  # fmt: skip
def test_who_is_not_let_in_reads_azures_words(request_, status, message, reason):
    api = Api(
        name="api",
        path="ai",
        subscription_required=True,
        key_headers=("api-key",),
        operations=(Operation(name="chat", method="POST", url_template="/chat"),),
    )
    ran = driver(api=api, subscriptions=(Subscription(id="s", keys=("k",)),)).run(request_)
    assert (ran.response.status, ran.response.json()) == (status, {"statusCode": status, "message": message})
    assert ran.answer.last_error.reason == reason


@pytest.mark.parametrize("headers", [{"api-key": "k"}, {"Authorization": "Bearer k"}])
def test_a_key_is_taken_from_header_or_bearer(headers):
    api = Api(
        name="api",
        path="",
        policy=document(),
        subscription_required=True,
        key_headers=("api-key",),
        key_bearer=True,
    )
    assert (
        driver(api=api, subscriptions=(Subscription(id="s", keys=("k",)),)).run(post(**headers)).response.status
        == 200
    )


def test_a_key_is_taken_from_the_query():
    api = Api(name="api", path="", policy=document(), subscription_required=True)
    run = driver(api=api, subscriptions=(Subscription(id="s", keys=("k",)),))
    assert run.run(post("/chat?subscription-key=k")).response.status == 200


def test_everything_that_is_not_modelled_is_refused_at_once_with_its_place():
    policy = document(
        inbound='\n<validate-content />\n<set-backend-service backend-id="nowhere" />\n<rate-limit calls="1" renewal-period="400" />',
        backend='<forward-request buffer="true" /><base />',
    )
    with pytest.raises(PolicyLoadError) as refused:
        driver(policy)
    assert [str(problem) for problem in refused.value.problems] == [
        "api.xml:3:1: <validate-content> is not modelled",
        'api.xml:4:22: <set-backend-service> names the backend "nowhere", which is not there (backends and pools: a, b, c, chat)',
        "api.xml:5:23: `renewal-period` of <rate-limit> is 400; it can be 1 to 300",
        "api.xml:6:27: <forward-request> has no attribute `buffer` (known: buffer-request-body, buffer-response, fail-on-error-status-code, follow-redirects, http-version, timeout, timeout-ms)",
        "api.xml:6:43: the backend section takes one policy, here are <forward-request>, <base>; put them inside one <retry> or <choose>",
    ]


def test_what_is_not_modelled_can_be_let_pass_and_is_then_listed_on_every_answer():
    policy = document(inbound='<validate-content /><set-backend-service backend-id="a" />')
    run = Driver(Gateway(configuration(policy), allow_unmodelled=True))
    assert run.run(post()).response.headers.get("X-Sinbin-Not-Modelled") == "validate-content"


def test_a_quota_of_bandwidth_counts_the_bodies_of_request_and_reply():
    quota = '<quota-by-key bandwidth="1" renewal-period="0" counter-key="k" />'
    run = driver(document(inbound=TO_POOL + quota))
    half = post(body=b"x" * 512)
    assert run.run(half, {"a": [ScriptedReply(body=b"y" * 511)]}).response.status == 200
    assert run.run(half, {"a": [ScriptedReply(body=b"y")]}).response.status == 200
    refused = run.run(half)
    assert refused.response.json() == {"statusCode": 403, "message": "Out of bandwidth quota."}
    assert "Retry-After" not in refused.response.headers


def handshake_api(**more):
    return Api(
        name="rt",
        path="rt",
        websocket=True,
        service_url="ws://a.test",
        operations=(Operation(name="onHandshake", method="GET", url_template="/"),),
        **more,
    )


def test_a_handshake_skips_inherited_policies_that_it_cannot_have():
    skipped = "<set-method>POST</set-method><set-body>x</set-body>"
    inherited = document(f'{skipped}<set-header name="X-Kept"><value>1</value></set-header>')
    api = handshake_api(policy=PolicySource(name="rt.xml", text=document("<base />", "<base />").text))
    ran = driver(api=api, global_policy=inherited).run(HttpRequest("GET", "/rt", Headers(), None))
    [call] = ran.calls
    assert (call.request.method, call.request.body) == ("GET", None)
    assert call.request.headers.get("X-Kept") == "1"


def test_only_a_handshake_for_a_websocket_api_opens_one():
    gateway = Gateway(GatewayConfiguration(apis=(handshake_api(), Api(name="http", path="chat"))))
    assert [gateway.opens_websocket(path) for path in ("/rt", "/rt/", "/rt/below", "/chat", "/nothing")] == [
        True,
        True,
        False,
        False,
        False,
    ]


def test_retries_inside_each_other_end_after_ten_thousand():
    inner = '<set-header name="x"><value>1</value></set-header>'
    for _ in range(4):
        inner = f'<retry condition="true" count="50" interval="0">{inner}</retry>'
    on_error = """<return-response><set-body>@(context.LastError.Reason + ": " + context.LastError.Message)</set-body>
    </return-response>"""
    ran = driver(document(inbound=inner, on_error=on_error)).run(post())
    assert ran.response.body == b"RetryLimitExceeded: a request may retry 10,000 times in all"
