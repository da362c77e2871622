"""A scenario on a virtual clock and over HTTP, sent by k6: the same requests get the same."""

import socket
import statistics
from urllib.parse import urlsplit

import pytest
import yaml

from sinbin.cli import main
from sinbin.errors import SinbinError
from sinbin.loadtest.k6 import find_k6
from sinbin.loadtest.rehearsal import rehearse
from sinbin.loadtest.run import run_load
from sinbin.simulate.cost import load_prices
from sinbin.simulate.replications import replicate
from sinbin.simulate.scenario_file import parse_scenario

SPEED = 10
POINTS = 2.0
"""What simulator and measurement may differ by in success, beside chance."""
NAMES = ("uksouth", "swedencentral", "westeurope")
RETRY = {"count": 2, "intervalSeconds": 1, "firstFastRetry": False, "retryOn": ["429"]}
BREAKER = {"count": 1, "interval": "PT1M", "tripDuration": "PT1M", "statusCodes": ["429", "500-599"]}
SHORT = dict.fromkeys(NAMES, 20)
MAIN_SHORT = {"uksouth": 10, "swedencentral": 200, "westeurope": 200}


def raw(quota=SHORT, rate=4, seconds=30, **gateway):
    """Return a scenario with the latencies of the published runs; its quotas are spent within half a minute."""
    latencies = {"uksouth": (299, 798), "swedencentral": (396, 929), "westeurope": (473, 1233)}
    return {
        "name": "test",
        "regions": {
            name: {
                "requestsPerMinute": quota[name],
                "tokensPerMinute": 1000 * quota[name],
                "latency": {"medianMs": median, "p95Ms": p95},
            }
            for name, (median, p95) in latencies.items()
        },
        "load": {"kind": "steady", "requestsPerSecond": rate, "durationSeconds": seconds, "callers": 30},
        "gateway": {"pool": {name: {} for name in NAMES}} | gateway,
    }


def direct(quota=SHORT, **client):
    """Return the same without a gateway: callers go straight to the regions."""
    return parse_scenario(raw(quota) | {"gateway": None, "client": {"retryOn": ["429"], **client}}, source="test")


def scenario(**changes):
    return parse_scenario(raw(**changes), source="test")


PRIORITY = {"uksouth": {"priority": 1}, "swedencentral": {"priority": 2}, "westeurope": {"priority": 2}}


@pytest.mark.parametrize(
    "made",
    [
        pytest.param(scenario(), id="every region short"),
        pytest.param(scenario(retry=RETRY), id="retries in vain"),
        pytest.param(
            scenario(quota=MAIN_SHORT, pool=PRIORITY, circuitBreaker=BREAKER, retry=RETRY),
            id="the main region sits out",
        ),
        pytest.param(
            direct(pick="in-order", attempts=3, coolDownSeconds=60, whenAllCooling="fail"), id="callers remember"
        ),
        pytest.param(direct(pick="even", attempts=2, pause=[0.5, 1]), id="callers pause"),
    ],
)
def test_k6_and_the_simulator_agree(made):
    """Success differs by less than two points, the aim for five minutes, and what chance does to one short run.

    Chance is three standard deviations of single runs, as the simulator's replications scatter; these setups are
    chosen so that it is small, or the test would say nothing. A call more or less per ten requests may be the
    machine's: at ten times the speed a delay of a few milliseconds counts as a tenth of an answer.
    """
    [simulated] = replicate([made], runs=20)
    runs = [run["success_pct"] for run in simulated.replications]
    chance = 3 * statistics.stdev(runs)
    with rehearse(made, SPEED) as target:
        measured = run_load(made, target, find_k6(), load_prices()).result
    assert chance < 3
    assert abs(measured.total["success_pct"].mean - statistics.mean(runs)) <= POINTS + chance
    expected = simulated.total["calls_per_request"].mean
    assert measured.total["calls_per_request"].mean == pytest.approx(expected, abs=0.1)


def test_a_scenario_file_is_served_and_sent_by_one_command(tmp_path, monkeypatch, capsys):
    file = tmp_path / "scenario.yaml"
    cap = raw(rate=10, seconds=20, quota=dict.fromkeys(NAMES, 600), requestsPerMinute=60)
    file.write_text(yaml.safe_dump(cap))
    monkeypatch.setattr("sys.argv", ["sinbin", "loadtest", str(file), "--speed", "20", "--compare"])
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capsys.readouterr()
    assert ended.value.code == 0
    assert "test: on this machine, which costs nothing; in Azure: about 200 requests" in err
    assert "refused at the gateway" in out
    assert "side by side" in out


def test_servers_end_when_the_block_fails():
    with pytest.raises(KeyError), rehearse(scenario()) as target:
        raise KeyError
    with pytest.raises(ConnectionRefusedError), socket.create_connection(("127.0.0.1", urlsplit(target.url).port)):
        pass


@pytest.mark.parametrize(
    ("pause", "least_ms"),
    [(2, 4000), ([1, 3], 4000), ({"exponential": 1}, 3000), ("retry-after", 2000)],
)
def test_a_caller_waits_before_it_tries_again(pause, least_ms):
    """No region admits a second request of a minute; three attempts need two pauses, of a known length at least."""
    client = {"pick": "even", "attempts": 3, "pause": pause, "maxRetryAfterSeconds": 1000}
    made = parse_scenario(
        raw(dict.fromkeys(NAMES, 1))
        | {"gateway": None, "client": client, "load": {"kind": "burst", "requests": 9, "callers": 9}},
        source="test",
    )
    with rehearse(made, 20) as target:
        found = run_load(made, target, find_k6(), load_prices()).result
    assert found.total["elapsed_s"].mean * 1000 >= least_ms
    assert found.total["success_pct"].mean >= 100 / 3
    if pause != "retry-after":
        assert found.unanswered == {429: 6}
        assert found.total["calls_per_request"].mean == pytest.approx((3 + 6 * 3) / 9, abs=0.5)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"faults": [{"kind": "outage", "region": "uksouth", "fromSeconds": 0, "toSeconds": 9}]},
            "test: its faults cannot be rehearsed; begin them with `sinbin local fault`",
        ),
        (
            {"load": raw()["load"] | {"completionTokens": {"median": 5, "p95": 9}}},
            "test: replies whose length varies cannot be rehearsed; name maxTokens",
        ),
    ],
)
def test_what_cannot_be_served_is_refused(change, message):
    made = parse_scenario(raw() | change, source="test")
    with pytest.raises(SinbinError) as caught, rehearse(made):
        pass
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "name either a stack or a scenario file: sinbin loadtest -s local, or chat.yaml"),
        (["x.yaml", "--rate", "3"], "a scenario file says itself what is sent where; leave --rate out"),
        (["x.yaml"], "x.yaml: there is no such file"),
        (
            ["-s", "local", "--speed", "3"],
            "--speed is for scenario files; a local Azure is made faster with `sinbin local up --speed`",
        ),
    ],
)
def test_words_that_do_not_go_together_are_one_clear_message(words, message, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["sinbin", "loadtest", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert (ended.value.code, capsys.readouterr()) == (2, ("", f"error: {message}\n"))
