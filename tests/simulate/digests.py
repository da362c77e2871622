"""Digests of what is simulated for equal seeds: every load, every kind of draw, a compiled policy.

    python tests/simulate/digests.py            print them
    python tests/simulate/digests.py --write    make them the expected ones

Any Python runs this that can run sinbin; `other_pythons.py` does so with those that a machine has.
"""

import hashlib
import io
import json
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

import policy_templates  # noqa: E402 - found by the lines above, in any environment
from policy_templates.inference_api.operations import OPERATIONS  # noqa: E402
from sinbin.simulate.cost import load_prices  # noqa: E402
from sinbin.simulate.results import summarise  # noqa: E402
from sinbin.simulate.run import run  # noqa: E402
from sinbin.simulate.scenario_file import parse_scenario  # noqa: E402
from sinbin.simulate.scenario_policy import Templates, compiled_scenario  # noqa: E402
from sinbin.simulate.trace import TraceWriter  # noqa: E402

EXPECTED = ROOT / "tests" / "data" / "simulated.json"
SEEDS = (0, 7, 2**40)
REGIONS = {
    "a": {"requestsPerMinute": 40, "tokensPerMinute": 9_000, "latency": {"medianMs": 300, "p95Ms": 800}},
    "b": {"requestsPerMinute": 30, "tokensPerMinute": 30_000, "latency": {"medianMs": 400, "p95Ms": 400}},
    "c": {
        "requestsPerMinute": 30,
        "tokensPerMinute": 30_000,
        "limiter": "sliding-minute",
        "latency": {"medianMs": 200, "p95Ms": 900, "perTokenMs": 9},
        "gatewayLatency": {"medianMs": 250, "p95Ms": 950, "perTokenMs": 9},
    },
}
TIMES = {"durationSeconds": 120}
TOKENS = {"promptTokens": {"median": 80, "p95": 700}, "completionTokens": {"median": 20, "p95": 90}}
POOL = {"a": {"priority": 1, "weight": 70}, "b": {"priority": 1, "weight": 30}, "c": {"priority": 2}}
GROWING = {"count": 3, "intervalSeconds": 1, "deltaSeconds": 1, "maxIntervalSeconds": 5}
BREAKER = {"count": 2, "tripDuration": "PT20S"}
SCENARIOS = {
    "weighted client, jitter, cool-down": {
        "load": {"kind": "steady", "requestsPerSecond": 3, **TIMES},
        "client": {
            "weights": {"a": 3, "b": 2, "c": 1},
            "attempts": 4,
            "pause": {"exponential": 0.3, "jitter": True},
            "coolDownSeconds": 9,
        },
    },
    "gateway, growing retries, two instances": {
        "load": {"kind": "poisson", "requestsPerSecond": 4, **TIMES},
        "gateway": {"pool": POOL, "circuitBreaker": BREAKER, "retry": GROWING, "instances": 2},
    },
    "bursty, mixed requests, tokens that vary": {
        "load": {
            "kind": "bursty",
            "quietRequestsPerSecond": 0.5,
            "burstRequestsPerSecond": 9,
            "quietSeconds": 10,
            "burstSeconds": 5,
            **TIMES,
            "mix": [{"name": "long", "share": 1, **TOKENS}, {"name": "short", "share": 2, "stream": True}],
        },
        "client": {"pick": "even", "attempts": 2},
    },
    "a day, faults": {
        "load": {
            "kind": "diurnal",
            "troughRequestsPerSecond": 0.2,
            "peakRequestsPerSecond": 5,
            "peakAtSeconds": 60,
            "periodSeconds": 120,
            **TIMES,
        },
        "client": {"pick": "in-order", "attempts": 3, "pause": [0.2, 1]},
        "faults": [
            {"kind": "outage", "region": "a", "fromSeconds": 20, "toSeconds": 40},
            {"kind": "slow", "region": "b", "fromSeconds": 30, "toSeconds": 60, "factor": 3},
            {"kind": "quota", "region": "c", "fromSeconds": 10, "toSeconds": 90, "share": 0.5},
        ],
    },
    "burst, Retry-After and back-off": {
        "load": {"kind": "burst", "requests": 150, "callers": 12},
        "gateway": {"pool": POOL, "policy": "bare", "circuitBreaker": BREAKER},
        "client": {"attempts": 5, "pause": "retry-after"},
    },
    "closed loop, a cap": {
        "load": {"kind": "closed", "callers": 8, "thinkSeconds": 0.7, **TIMES},
        "gateway": {"pool": POOL, "requestsPerMinute": 90},
    },
    "recorded arrivals": {
        "load": {"kind": "trace", "times": [0, 0.1, 0.1, 3, 50, 50.5]},
        "client": {"pick": "even"},
    },
}
TEMPLATES = Templates(
    render=policy_templates.render_policies,
    operations=OPERATIONS,
    named_values=lambda topology: {one.name: one.value for one in policy_templates.named_values(topology)},
)


def digests():
    """Return a digest of every event and every figure, by scenario."""
    made = {}
    for name, parts in SCENARIOS.items():
        scenario = parse_scenario({"name": name, "regions": REGIONS, **parts}, source=name)
        made[name] = _digest(scenario)
        if scenario.gateway is not None and not scenario.gateway.bare:
            made[f"{name}, compiled"] = _digest(compiled_scenario(scenario, TEMPLATES))
    return made


def _digest(scenario):
    events = io.StringIO()
    tallies = [run(scenario, seed, TraceWriter(events)) for seed in SEEDS]
    figures = summarise(scenario, 0, tallies, load_prices()).as_json()
    return hashlib.sha256((events.getvalue() + json.dumps(figures)).encode()).hexdigest()


if __name__ == "__main__":
    text = json.dumps(digests(), indent=1)
    if sys.argv[1:] == ["--write"]:
        EXPECTED.write_text(f"{text}\n", "utf-8")
    else:
        print(text)
