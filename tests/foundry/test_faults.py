"""Faults: what each kind does to a call, how long it lasts, and which descriptions are refused."""

import pytest

from sinbin.errors import SinbinError
from sinbin.foundry.faults import parse_fault
from tests.foundry.calls import call, chat, get


def begin(region, now=0.0, **raw):
    return region.faults.begin(now, parse_fault(raw))


def statuses(region, times):
    return [call(region, chat(), at)[0].status for at in times]


def test_a_status_comes_with_the_retry_after_that_is_asked_for(region):
    begin(region, kind="status", status=429, retryAfterS=7)
    answer, body = call(region, chat())
    assert (answer.status, answer.headers["retry-after"], answer.headers["retry-after-ms"]) == (429, "7", "7000")
    assert "Please retry after 7 seconds." in body["error"]["message"]


def test_a_status_comes_without_retry_after_when_none_is_asked_for(region):
    begin(region, kind="status", status=503)
    answer, body = call(region, chat())
    assert (answer.status, "retry-after" in answer.headers) == (503, False)
    assert body == {
        "error": {
            "code": "ServiceUnavailable",
            "message": "The service is temporarily unable to process your request.",
        }
    }


def test_a_faulty_call_uses_no_quota(region):
    begin(region, kind="status", status=500)
    call(region, chat())
    assert [gauge.used for gauge in region.gauges(0)["chat"]] == [0, 0]


def test_a_stopped_prompt_says_which_filter_stopped_it(region):
    begin(region, kind="content-filter")
    answer, body = call(region, chat())
    assert (answer.status, body["error"]["code"]) == (400, "content_filter")
    assert body["error"]["innererror"]["content_filter_result"]["violence"] == {
        "filtered": True,
        "severity": "medium",
    }


def test_a_fault_lasts_for_the_next_calls(region):
    begin(region, kind="status", status=500, calls=2)
    assert statuses(region, [0, 0, 0]) == [500, 500, 200]


def test_a_fault_lasts_for_a_time(region):
    begin(region, now=10, kind="status", status=500, forS=5)
    assert statuses(region, [10, 14.9, 15]) == [500, 500, 200]


def test_a_fault_hits_a_share_of_the_calls(make_region):
    region = make_region(seed=3)
    begin(region, kind="status", status=500, share=0.25)
    hits = statuses(region, range(0, 4000, 2)).count(500)
    # 2,000 draws at 0.25: three standard deviations are 58.
    assert abs(hits - 500) <= 58


def test_a_fault_may_be_of_one_deployment(region):
    begin(region, kind="status", status=500, deployment="units")
    assert statuses(region, [0]) == [200]


def test_a_faulty_provisioned_deployment_spills_over(region):
    begin(region, kind="status", status=500, deployment="units")
    answer, _ = call(region, chat("units"))
    assert (answer.status, answer.headers["x-ms-spillover-error"]) == (200, "500")


def test_a_fault_ends_when_it_is_cleared(region):
    first = begin(region, kind="status", status=500)
    begin(region, kind="delay", delayS=1)
    assert region.faults.clear(first.number)
    assert not region.faults.clear(first.number)
    assert [active.fault.kind for active in region.faults.active(0)] == ["delay"]
    assert region.faults.clear()
    assert statuses(region, [0]) == [200]


@pytest.mark.parametrize(
    ("kind", "error"),
    [("dns", "dns"), ("tls", "tls"), ("region-down", "refused"), ("reset-before-headers", "reset")],
)
def test_a_broken_connection_has_no_answer(region, kind, error):
    begin(region, kind=kind, calls=1)
    answer = region.receive(0, chat())
    assert (answer.transport_error, answer.status, answer.chunks) == (error, 0, ())
    assert statuses(region, [0]) == [200]


def test_a_region_that_stays_down_is_not_even_connected_to(region):
    assert region.connect(0) is None
    begin(region, kind="region-down", forS=10)
    assert (region.connect(9), region.connect(10)) == ("refused", None)
    begin(region, kind="dns", calls=1)
    assert region.connect(11) is None


def test_faults_of_the_connection_hit_every_route(region):
    begin(region, kind="region-down")
    assert region.receive(0, get("/openai/v1/models", {})).transport_error == "refused"


def test_a_delay_holds_the_headers_back(region):
    begin(region, kind="delay", delayS=2)
    assert call(region, chat())[0].delay_s == pytest.approx(2.35)


def test_a_slow_stream_holds_every_piece_back(region):
    begin(region, kind="slow-stream", delayS=0.5)
    answer, _ = call(region, chat())
    assert answer.total_s == pytest.approx(0.35)
    answer = region.receive(0, chat(stream=True))
    assert answer.total_s == pytest.approx(0.35 + 0.5 * len(answer.chunks))


@pytest.mark.parametrize("stream", [False, True])
def test_a_reset_in_the_body_leaves_the_first_half(region, stream):
    whole = region.receive(0, chat(stream=stream))
    begin(region, kind="reset-in-body", calls=1)
    broken = region.receive(0, chat(stream=stream))
    assert broken.breaks_off
    assert 0 < len(broken.body) < len(whole.body)
    if not stream:
        assert int(broken.headers["content-length"]) > len(broken.body)


def test_a_halved_quota_is_halved_for_its_time(region):
    begin(region, kind="quota", quotaShare=0.5, forS=10)
    assert region.gauges(0)["chat"][0].limit == 30
    assert call(region, chat())[0].headers["x-ratelimit-limit-requests"] == "30"
    assert call(region, chat(), 10)[0].headers["x-ratelimit-limit-requests"] == "60"


def test_a_region_that_runs_dry_asks_for_the_rest_of_the_minute_and_comes_back(region):
    begin(region, kind="quota", quotaShare=0, forS=90)
    asked = [call(region, chat(), at)[0] for at in (20, 70)]
    assert [(answer.status, answer.headers["retry-after"]) for answer in asked] == [(429, "40"), (429, "50")]
    assert call(region, chat(), 90)[0].status == 200


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ({"kind": "status"}, "fault: status needs status"),
        ({"kind": "delay", "delayS": 1, "status": 500}, "fault: delay takes no status"),
        (
            {"kind": "quota", "quotaShare": 0.5, "calls": 3},
            "fault: quota changes what there is, not single calls: use forS instead of calls or share",
        ),
        ({"kind": "status", "status": 200}, "fault.status: Input should be greater than or equal to 400"),
        ({"kind": "dns", "speed": 1}, "fault.speed: Extra inputs are not permitted"),
        (
            {"kind": "dns", "share": 0, "calls": 0},
            "fault.calls: Input should be greater than or equal to 1\nfault.share: Input should be greater than 0",
        ),
    ],
)
def test_a_fault_that_makes_no_sense_is_refused(raw, message):
    with pytest.raises(SinbinError) as caught:
        parse_fault(raw)
    assert str(caught.value) == message
