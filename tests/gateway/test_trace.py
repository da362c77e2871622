"""A trace says what happened, and costs nothing when nobody asked for it."""

from sinbin.gateway.configuration import Api, Backend, GatewayConfiguration, PolicySource, Pool
from sinbin.gateway.gateway import Gateway
from sinbin.gateway.messages import Headers, HttpRequest
from sinbin.gateway.testing.driver import Driver, ScriptedReply
from sinbin.gateway.trace import Trace
from sinbin.topology import CircuitBreaker, PoolMember, StatusRange
from tests.gateway.replies import json_reply

POLICY = """<policies>
<inbound>
<rate-limit-by-key calls="5" renewal-period="60" counter-key="k" />
<llm-token-limit counter-key="k" tokens-per-minute="100" estimate-prompt-tokens="true" />
<set-backend-service backend-id="chat" />
</inbound>
<backend>
<retry condition="@(context.Response.StatusCode == 429)" count="2" interval="3" first-fast-retry="false">
<forward-request buffer-request-body="true" />
</retry>
</backend>
<outbound />
<on-error />
</policies>"""


def test_a_trace_holds_scopes_policies_choices_attempts_waits_and_counters():
    rule = CircuitBreaker(
        failure_count=1,
        interval_s=60,
        trip_duration_s=60,
        status_ranges=(StatusRange(low=429, high=429),),
        accept_retry_after=True,
    )
    members = tuple(PoolMember(backend=name, priority=number, weight=1) for number, name in enumerate("ab", 1))
    configuration = GatewayConfiguration(
        backends=tuple(Backend(name=name, url=f"http://{name}.test", circuit_breaker=rule) for name in "ab"),
        pools=(Pool(name="chat", members=members),),
        apis=(Api(name="api", path="", policy=PolicySource(text=POLICY, name="api.xml")),),
    )
    trace = Trace()
    answers = {
        "a": [ScriptedReply(429, (("Retry-After", "20"),), latency_s=0.5)],
        "b": [json_reply({"usage": {"prompt_tokens": 8, "completion_tokens": 2}}, latency_s=1.0)],
    }
    request = HttpRequest(
        "POST", "/chat", Headers(), b'{"messages":[{"content":"0123456789012345678901234567890123456789"}]}'
    )
    Driver(Gateway(configuration)).run(request, answers, trace=trace)
    assert [entry.text for entry in trace.entries if entry.starts] == [
        "rate-limit-by-key (api.xml:3)",
        "llm-token-limit (api.xml:4)",
        "set-backend-service (api.xml:5)",
        *["retry (api.xml:8)", "forward-request (api.xml:9)", "forward-request (api.xml:9)"],
    ]
    forward = r"retry[1]\forward-request[1]"
    assert [line.strip() for line in str(trace).splitlines()] == [
        "0.000s  scopes: global, API api; no subscription",
        "0.000s  api/inbound rate-limit-by-key[1]: rate-limit-by-key (api.xml:3)",
        "0.000s  api/inbound rate-limit-by-key[1]: 5 of 5 calls left, now 4",
        "0.000s  api/inbound llm-token-limit[1]: llm-token-limit (api.xml:4)",
        "0.000s  api/inbound llm-token-limit[1]: 100 of 100 tokens left, 10 reserved",
        "0.000s  api/inbound set-backend-service[1]: set-backend-service (api.xml:5)",
        "0.000s  api/backend retry[1]: retry (api.xml:8)",
        f"0.000s  api/backend {forward}: forward-request (api.xml:9)",
        f"0.000s  api/backend {forward}: chat → a",
        f"0.500s  api/backend {forward}: a answered 429: its breaker opens until 20.5s",
        f"0.500s  api/backend {forward}: retry 1 after 3s",
        f"3.500s  api/backend {forward}: forward-request (api.xml:9)",
        f"3.500s  api/backend {forward}: chat → b (sitting out: a until 20.5s)",
        f"4.500s  api/backend {forward}: b answered 200",
        "4.500s  8 prompt and 2 completion tokens used, 90 of 100 left",
        "4.500s  answered 200",
    ]
