"""What a caller leaves behind that goes away in the middle of a stream."""

import time

from tests.local.gateway.conftest import LOCAL

CHAT = {
    "model": "chat-default",
    "messages": [{"role": "user", "content": "tell me a long story"}],
    "max_tokens": 2000,
    "stream": True,
}
CALLS = 5


def used(azure):
    """Return what all regions together count as used, by the name of the limit, once nobody waits any more."""
    totals = {}
    for region in azure.regions.servers.regions.values():
        for gauges in region.gauges(azure.clock.now()).values():
            for gauge in gauges:
                totals[gauge.limit_name] = totals.get(gauge.limit_name, 0) + gauge.used
    return totals


def per_second(azure, limit):
    rates = {
        gauge.limit / gauge.window_s
        for region in azure.regions.servers.regions.values()
        for gauges in region.gauges(azure.clock.now()).values()
        for gauge in gauges
        if gauge.limit_name == limit
    }
    return max(rates)


def test_streams_that_are_cut_off_count_as_requests_and_as_the_tokens_that_were_sent(start):
    azure = start()
    azure.deploy(LOCAL)
    began = azure.clock.now()
    with azure.client(headers={"api-key": azure.key("web-chat")}, timeout=20) as client:
        for _ in range(CALLS):
            with client.stream("POST", "/openai/v1/chat/completions", json=CHAT) as reply:
                assert reply.status_code == 200
                next(reply.iter_raw())
    time.sleep(0.3)  # until the regions have seen the callers go
    now = azure.clock.now()
    counted = used(azure)
    refilled = (now - began) * per_second(azure, "requests")
    assert CALLS - refilled <= counted["requests"] <= CALLS
    # 10,000 were reserved; of what was sent, some were given back by time already.
    assert counted["tokens"] < 1000
