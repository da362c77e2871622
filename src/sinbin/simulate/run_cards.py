"""Published load-test runs as scenarios: a card says what was set up and what came out.

What the cards leave open is assumed once, the same for all of them: `ASSUMPTIONS`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sinbin.simulate.scenario import Scenario
from sinbin.simulate.scenario_file import parse_scenario

Card = Mapping[str, Any]

_SPEED_ORDER = ("uksouth", "swedencentral", "westeurope")
_CALLERS_OF_A_BURST = 20
_CALLERS_OF_A_STEADY_RUN = 30
_RETRIES_OF_A_CLIENT = 3
_BREAKER_COUNT = 3
_TOKENS_PER_REQUEST_UNIT = 1000
"""Tokens a minute for each request a minute: 60,000 and 60 are printed."""
_BREAKER_INTERVAL_S = 60
_BROKEN_RETRY = {"count": 2, "intervalSeconds": 1, "firstFastRetry": False, "bufferRequestBody": False}
_GATEWAY_RETRIES_ON = ["429"]
_LIMITER = "leaky-bucket"


@dataclass(frozen=True, slots=True)
class Assumption:
    """Something that no card says, assumed for all of them."""

    what: str
    why: str


ASSUMPTIONS = (
    Assumption(
        "30 callers in a steady run, who has waited longest sends next; 20 in a burst",
        "20 is printed for the bursts alone; each caller learns of a short region by a refusal of its own, and "
        "the four cool-down runs that print calls per request or refused calls all ask for 28 to 31 callers",
    ),
    Assumption(
        "behind a breaker a region sits out for the Retry-After of the 429 that tripped it, 60 s without one",
        "Azure Monitor counted 4 refused calls with a breaker at 1 (twice) and 12 at 3 in five minutes, which "
        "is four trips; whole minutes leave time for two or three. The same cause lifts the runs at 6 requests/s "
        "to what was printed, where trips of 60 s stay 3 to 5 points low",
    ),
    Assumption(
        "a 429 asks for what remains of its region's minute, in whole seconds; minutes begin at a random instant",
        "the article says so of Retry-After; where the minutes lie is not known",
    ),
    Assumption(
        "a region takes requests as long as a minute's amount is not reached (`leaky-bucket`): one more than the "
        "amount in a burst",
        "three regions of 10 a minute answered 33 of 200 within 3.0, 4.1 and 5.6 s, too soon for 3 to drip in",
    ),
    Assumption(
        "every bucket is full when a run begins",
        "60 s passed between runs, the time in which an empty bucket fills",
    ),
    Assumption(
        "a breaker without a printed count trips at 3 failures within 60 s",
        "printed for one burst card, and meant by the others (`trip_count_1` is called the exception)",
    ),
    Assumption(
        "the fallbacks of a priority list share one priority and take turns",
        "the card names two tiers and no rank between the fallbacks",
    ),
    Assumption(
        "a client that walks the regions goes UK South, Sweden Central, West Europe, and fails without a call "
        "when all cool down; a client that draws regions then calls one of them all the same",
        "the order is the one that the article recommends; 0.75 against 2.21 calls per request are printed",
    ),
    Assumption(
        "weights that are not printed are equal",
        "only runs in which every region ran out leave them open",
    ),
    Assumption(
        "a gateway tries a 429 again and nothing else; a client any 429 and 5xx, three times where the number is "
        "not printed; without a Retry-After to obey it waits 0.5 s, then twice as long each time; jitter takes "
        "pauses times 0.5 to 1.5",
        "the article says so of the gateway, the cards `retry_immediate` and `retry_backoff` of the client's "
        "number and pauses; the rest is what openai-python does",
    ),
    Assumption(
        "a gateway retry that never worked (request body not buffered) waits its second and fails in the gateway",
        "these runs took about 1.2 s a refused request, the runs without a retry rule 0.2 to 0.5 s",
    ),
    Assumption(
        "latencies are those of the region-speed table, through the gateway or direct; a refusal takes 170 ms "
        "(95th percentile 200 ms), a reply of the gateway itself 12 ms",
        "the table is the cleanest measurement; refusals are faster than answers in every closed-loop run",
    ),
)


ODDITIES: Mapping[str, str] = {
    "circuit_breaker": "9 of 200 answered, although full buckets answer 33 before a refusal can trip a breaker",
    "optimal_asym_apim": "11 of 200, with the same setup as apim_retry_asym, which printed 36",
    "asym_retry_no_cb_r2": "190 of 200 answered in 7.4 s at 90/5/5, far more than one region's 60 and the refill",
    "full_resilience": "nothing reached a model in 1.3 s, and no card says what refused it; breakers that were "
    "still open from the run before would",
    "retry_backoff": "26 of 200 answered in 40.2 s, in which 20 drip into the three buckets: they held 6 at first",
    "retry_backoff_jitter": "26 of 200 answered in 41.8 s, 21 of them dripped in",
    "optimal_equal_apim_r2": "the same setup as apim_retry_equal_r2, which printed 96.5 % in 5.6 s; this run took "
    "14.2 s, 1.4 s a request, for a reason that no card tells",
}
"""Burst cards that nothing assumed for all cards reproduces, and what speaks against the card or the setup."""

COMMON_CAUSE = (
    "Five of them, and `gateway_throttle` (7 answered of the 10 that its cap lets through), answered fewer "
    "requests than three full buckets hold. One cause explains all six: each run begins 14 to 20 s after another "
    "has emptied the buckets, not the printed 60 s. Simulated 16 s after, `circuit_breaker` comes out at 3.0 % "
    "(printed 4.5), `gateway_throttle` at 3.0 (3.5), `optimal_asym_apim` at 3.0 (5.5), `full_resilience` at 2.0 "
    "(0), `retry_backoff` at 13.5 (13.0) and `retry_backoff_jitter` at 13.5 (13.0). Nothing printed says which "
    "runs that were, so it is not assumed."
)
"""What would have to be true for most of the oddities; figures: means of 40 runs, 2026-11-30."""


def card_name(card: Card) -> str:
    """Return the name of a card: its first id, with the region for the ids that name several."""
    name = str(card["ids"][0]).partition(" ")[0]
    region = card["routing"].get("reported_region")
    return f"{name}_{region}" if region else name


def scenario_of(card: Card, speeds: list[Mapping[str, Any]]) -> Scenario:
    """Return the scenario of `card`.

    Args:
        card: one entry of `cards`.
        speeds: the table `region_speed` of the same file.

    Raises:
        ScenarioError: the card does not describe a run.
    """
    name = card_name(card)
    raw: dict[str, Any] = {"name": name, "regions": _regions(card, speeds), "load": _load(card)}
    retry = card["retry"] or {}
    at_client = retry.get("where") == "client" or card["path"] == "direct"
    raw["client"] = _client(card, retry if at_client else {})
    if card["path"] == "gateway":
        raw["gateway"] = _gateway(card, {} if at_client else retry)
    return parse_scenario(raw, source=f"run card {name}")


def _regions(card: Card, speeds: list[Mapping[str, Any]]) -> dict[str, Any]:
    seen = "gateway" if card["path"] == "gateway" else "direct"
    by_name = {str(speed["region"]).replace(" ", "").lower(): speed for speed in speeds}
    return {
        name: {
            "requestsPerMinute": card.get("rpm_configured_per_region")
            or card["tpm_per_region"] / _TOKENS_PER_REQUEST_UNIT,
            "tokensPerMinute": card["tpm_per_region"],
            "limiter": _LIMITER,
            "latency": {
                "medianMs": by_name[name][f"{seen}_median_ms"],
                "p95Ms": by_name[name][f"{seen}_p95_ms"],
            },
        }
        for name in _SPEED_ORDER
    }


def _load(card: Card) -> dict[str, Any]:
    load = card["load"]
    callers = load.get("callers")
    if load["kind"] == "burst":
        return {"kind": "burst", "requests": load["requests"], "callers": callers or _CALLERS_OF_A_BURST}
    return {
        "kind": "steady",
        "requestsPerSecond": load.get("total_rate_rps") or load["rate_rps"],
        "durationSeconds": load["duration_s"],
        "callers": callers or _CALLERS_OF_A_STEADY_RUN,
    }


def _weights(card: Card) -> dict[str, Any]:
    routing = card["routing"]
    if routing["type"] == "single":
        return {routing.get("region") or routing["reported_region"]: 1}
    return dict(routing.get("weights") or dict.fromkeys(_SPEED_ORDER, 1))


def _client(card: Card, retry: Mapping[str, Any]) -> dict[str, Any]:
    client: dict[str, Any] = {}
    if retry:
        extra = retry["max_extra"] if retry["max_extra"] is not None else _RETRIES_OF_A_CLIENT
        client |= {"attempts": extra + 1, "pause": _pause(retry)}
    if card["path"] == "gateway":
        return client
    kind = card["routing"]["type"]
    if kind in ("sequential", "priority"):
        tiers = card["routing"].get("tiers") or [[name] for name in card["routing"].get("order") or ()]
        order = [name for tier in tiers for name in tier if name]
        client |= {"pick": "in-order", "order": order + [name for name in _SPEED_ORDER if name not in order]}
    elif kind in ("equal", "round_robin"):
        client["pick"] = "even"
    else:
        client |= {"pick": "weighted", "weights": _weights(card)}
    if card["cooldown_s"] is not None:
        client["coolDownSeconds"] = card["cooldown_s"]
        client["whenAllCooling"] = "fail" if kind in ("sequential", "priority") else "try"
    return client


def _pause(retry: Mapping[str, Any]) -> Any:
    pause = retry["pause_s"]
    if pause == "Retry-After":
        return "retry-after"
    return {"exponential": 0.5, "jitter": True} if pause is None else pause


def _gateway(card: Card, retry: Mapping[str, Any]) -> dict[str, Any]:
    routing = card["routing"]
    if routing["type"] == "priority":
        pool = {
            region: {"priority": tier, "weight": 1}
            for tier, names in enumerate(routing["tiers"], 1)
            for region in names
        }
    else:
        pool = {region: {"priority": 1, "weight": weight} for region, weight in _weights(card).items()}
    gateway: dict[str, Any] = {"pool": pool, "requestsPerMinute": card["gateway_cap_rpm"], "policy": "bare"}
    breaker = card["breaker"]
    if breaker is not None:
        gateway["circuitBreaker"] = {
            "count": breaker["count"] or _BREAKER_COUNT,
            "interval": f"PT{breaker['interval_s'] or _BREAKER_INTERVAL_S}S",
            "tripDuration": f"PT{breaker['trip_s'] or 60}S",
            "statusCodes": ["500-599" if code == "5xx" else code for code in breaker["status"] or ("429", "5xx")],
            "acceptRetryAfter": True,
        }
    if card["retry_configured_but_broken"]:
        gateway["retry"] = _BROKEN_RETRY | {"retryOn": _GATEWAY_RETRIES_ON}
    elif retry:
        pause = retry["pause_s"]
        gateway["retry"] = {
            "count": retry["max_extra"],
            "intervalSeconds": int(pause) if pause == int(pause) else pause,
            "firstFastRetry": False,
            "retryOn": _GATEWAY_RETRIES_ON,
        }
    return gateway
