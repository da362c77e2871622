import pytest

from sinbin.simulate.loads import SteadyLoad
from sinbin.simulate.scenario import GatewaySetup, Scenario
from sinbin.simulate.scenario_file import ScenarioError, load_scenario, parse_scenario

COOL_DOWN = """
name: client-cooldown
regions:
  uksouth:       {requestsPerMinute: 60, tokensPerMinute: 60000, latency: {medianMs: 297, p95Ms: 434}}
  swedencentral: {requestsPerMinute: 60, tokensPerMinute: 60000, latency: {medianMs: 365, p95Ms: 675}}
  westeurope:    {requestsPerMinute: 60, tokensPerMinute: 60000, latency: {medianMs: 481, p95Ms: 982}}
load: {kind: steady, requestsPerSecond: 2, durationSeconds: 300, callers: 20, promptTokens: 20, completionTokens: 5}
gateway:
  pool: {uksouth: {priority: 1, weight: 90}, swedencentral: {priority: 1, weight: 5}, westeurope: {priority: 1, weight: 5}}
  circuitBreaker: {count: 1, interval: PT1M, tripDuration: PT1M, statusCodes: ["429", "500-599"], acceptRetryAfter: false}
  retry: {count: 2, intervalSeconds: 1, firstFastRetry: false}
  requestsPerMinute: null
  instances: 1
client:
  pick: weighted
  weights: {uksouth: 90, swedencentral: 5, westeurope: 5}
  attempts: 3
  pause: 0
  coolDownSeconds: 60
  whenAllCooling: try
"""


def minimal(**changes):
    return {
        "name": "x",
        "regions": {
            "uksouth": {
                "requestsPerMinute": 60,
                "tokensPerMinute": 60_000,
                "latency": {"medianMs": 297, "p95Ms": 434},
            }
        },
        "load": {"kind": "steady", "requestsPerSecond": 1, "durationSeconds": 60},
        **changes,
    }


def problems(raw):
    with pytest.raises(ScenarioError) as caught:
        parse_scenario(raw, source="s.yaml")
    return caught.value.problems


def test_the_documented_example_is_read(tmp_path):
    path = tmp_path / "cooldown.yaml"
    path.write_text(COOL_DOWN)
    scenario = load_scenario(path)
    assert isinstance(scenario, Scenario)
    assert isinstance(scenario.load, SteadyLoad)
    assert isinstance(scenario.gateway, GatewaySetup)
    assert scenario.gateway.pool["uksouth"].weight == 90
    assert scenario.client.cool_down_seconds == 60
    assert list(scenario.regions) == ["uksouth", "swedencentral", "westeurope"]


@pytest.mark.parametrize("pause", [0, 1.5, [0.5, 1, 2], {"exponential": 0.5, "jitter": True}, "retry-after"])
def test_every_kind_of_pause_is_read(pause):
    assert parse_scenario(minimal(client={"pause": pause}), source="s").client.pause is not None


BAD = [
    (
        {"load": {"kind": "steady", "requestsPerSecond": -2, "durationSeconds": 0}},
        [
            "load.requestsPerSecond: must be more than 0 (got -2)",
            "load.durationSeconds: must be more than 0 (got 0)",
        ],
    ),
    (
        {"gateway": {"pool": {"uksoth": {"priority": 1, "weight": 1}}}},
        ['gateway.pool.uksoth: unknown region "uksoth"; the scenario has uksouth'],
    ),
    (
        {"gateway": {"pool": {"uksouth": {"weight": 0}}}},
        ["gateway.pool: has weights that are all 0; give at least one region a weight"],
    ),
    ({"client": {"weights": {"uksouth": 0}}}, ["client.weights: are all 0; give at least one region a weight"]),
    (
        {"regions": {"uksouth": {"requestsPerMinute": 60, "tokensPerMinute": 60_000}}},
        ["regions.uksouth.latency: is missing"],
    ),
    ({"regions": {}}, ["regions: is empty; list at least one region"]),
    (
        {"load": {"kind": "wavy", "requestsPerSecond": 1}},
        ['load.kind: must be one of steady, poisson, bursty, diurnal, burst, closed, trace (got "wavy")'],
    ),
    (
        {"client": {"cooldownSeconds": 60}},
        ['client.cooldownSeconds: is no key that is known here; did you mean "coolDownSeconds"?'],
    ),
    (
        {"faults": [{"kind": "outage", "region": "mars", "fromSeconds": 9, "toSeconds": 3}]},
        [
            'faults.0.region: unknown region "mars"; the scenario has uksouth',
            "faults.0.toSeconds: must be more than fromSeconds 9 (got 3)",
        ],
    ),
    (
        {"client": {"pause": "later"}},
        ["client.pause: must be seconds, a list of seconds, retry-after, or {exponential: seconds} (got 'later')"],
    ),
    (
        {"client": {"pause": -1}},
        ["client.pause: must be seconds, a list of seconds, retry-after, or {exponential: seconds} (got -1)"],
    ),
    (
        {"load": {"kind": "burst", "requests": "many", "callers": 0}},
        ["load.callers: must be at least 1 (got 0)", "load.requests: must be a whole number (got 'many')"],
    ),
    (
        {"load": {"kind": "steady", "requestsPerSecond": float("nan"), "durationSeconds": float("inf")}},
        [
            "load.requestsPerSecond: must be a finite number (got nan)",
            "load.durationSeconds: must be a finite number (got inf)",
        ],
    ),
    (
        {"load": {"kind": "steady", "requestsPerSecond": 1, "durationSeconds": 9, "promptTokens": -1}},
        ["load.promptTokens: must be a number of tokens up to 2000000, or {median: tokens, p95: tokens} (got -1)"],
    ),
    (
        {"client": {"pick": "even", "weights": {"uksouth": 1}}},
        ['client.weights: is not used by pick "even"; remove it, or pick "weighted"'],
    ),
    (
        {
            "regions": {
                "uksouth": {
                    "requestsPerMinute": 60,
                    "tokensPerMinute": 60_000,
                    "model": "gpt-9",
                    "latency": {"medianMs": 500, "p95Ms": 400},
                }
            }
        },
        [
            "regions.uksouth.latency.p95Ms: must be at least medianMs 500 (got 400)",
            'regions.uksouth.model: sinbin knows no facts about "gpt-9"',
        ],
    ),
    (
        {"load": {"kind": "diurnal", "troughRequestsPerSecond": 0, "peakRequestsPerSecond": 1e9}},
        ["load: makes about 8.64e+13 requests in a run, allowed are 100,000,000; lower the rate or shorten it"],
    ),
    (
        {"load": {"kind": "closed", "callers": 1000, "durationSeconds": 1e12}},
        ["load: makes about 1e+17 requests in a run, allowed are 100,000,000; lower the rate or shorten it"],
    ),
    (
        {
            "load": {
                "kind": "bursty",
                "quietRequestsPerSecond": 0,
                "burstRequestsPerSecond": 1,
                "quietSeconds": 1e-9,
                "burstSeconds": 1e-9,
                "durationSeconds": 60,
            }
        },
        ["load: makes about 6e+10 requests in a run, allowed are 100,000,000; lower the rate or shorten it"],
    ),
    (
        {"load": {"requestsPerSecond": 1}},
        ["load.kind: must be one of steady, poisson, bursty, diurnal, burst, closed, trace (it is missing)"],
    ),
    (
        {
            "load": {"kind": "wavy", "callers": 0},
            "gateway": {"pool": {"mars": {}}},
            "faults": [
                {"kind": "quake", "region": "venus", "fromSeconds": -1, "toSeconds": 1},
                {"kind": "outage", "region": "pluto", "fromSeconds": 0, "toSeconds": 1},
            ],
        },
        [
            'load.kind: must be one of steady, poisson, bursty, diurnal, burst, closed, trace (got "wavy")',
            'faults.0.kind: must be one of outage, quota, slow (got "quake")',
            "load.callers: must be at least 1 (got 0)",
            "faults.0.fromSeconds: must be at least 0 (got -1)",
            'gateway.pool.mars: unknown region "mars"; the scenario has uksouth',
            'faults.1.region: unknown region "pluto"; the scenario has uksouth',
        ],
    ),
    (
        {
            "regions": {
                "uksouth": {"requestsPerMinute": 60, "tokensPerMinute": 0, "latency": {"medianMs": 9, "p95Ms": 5}},
                "westeurope": {
                    "requestsPerMinute": 60,
                    "tokensPerMinute": 60,
                    "latency": {"medianMs": 9, "p95Ms": 5},
                },
            },
            "gateway": {"pool": {"uksouth": {"priority": -1}}},
        },
        [
            "regions.uksouth.tokensPerMinute: must be more than 0 (got 0)",
            "gateway.pool.uksouth.priority: must be at least 0 (got -1)",
            "regions.westeurope.latency.p95Ms: must be at least medianMs 9 (got 5)",
        ],
    ),
    ({"load": None}, ["load: must be a mapping (got None)"]),
]


@pytest.mark.parametrize(("changes", "expected"), BAD)
def test_every_problem_is_named_with_file_and_path(changes, expected):
    assert problems(minimal(**changes)) == tuple(f"s.yaml: {line}" for line in expected)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- 1\n", "{}: must be a mapping with name, regions and load"),
        ("name: [\n", "{}:2:1: is no YAML: did not find expected node content"),
        ("name: a\nname: b\n", '{}:2:1: "name" is given twice'),
    ],
)
def test_a_file_that_holds_no_scenario_says_so(tmp_path, text, message):
    path = tmp_path / "s.yaml"
    path.write_text(text)
    with pytest.raises(ScenarioError) as caught:
        load_scenario(path)
    assert str(caught.value) == message.format(path)


def test_a_file_that_is_not_there_says_so(tmp_path):
    with pytest.raises(ScenarioError, match="there is no such file"):
        load_scenario(tmp_path / "none.yaml")
