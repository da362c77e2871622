"""How long the regions of a stack take: what was measured, and what the length of an answer adds."""

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from sinbin.foundry.latency import DEFAULT_PACE
from sinbin.foundry.models import model_facts
from sinbin.simulate.scenario import Latency


@dataclass(frozen=True, slots=True)
class Measurement:
    """What the known latencies are latencies of."""

    when: str
    how: str
    model: str
    answer_tokens: int


@cache
def _known() -> dict[str, Any]:
    known: dict[str, Any] = json.loads((resources.files("sinbin.simulate") / "latencies.json").read_text("utf-8"))
    return known


MEASURED = Measurement(**{key: _known()["measured"][key] for key in ("when", "how", "model", "answer_tokens")})


def is_measured(region: str) -> bool:
    """Return whether the latency of `region` was measured."""
    return region in _known()["regions"]


def seconds_per_token(model: str) -> float:
    """Return how long each completion token of `model` after the first takes.

    Source: the published latency target of provisioned deployments (`models.json`); that pay-as-you-go is as quick
    is assumed, and so is the pace of gpt-4.1-mini where nothing is published. One that only embeds writes none.
    """
    if model_facts(model).operations == ("embeddings",):
        return 0.0
    aim = model_facts(model).tokens_per_second
    return 1 / (aim or model_facts(MEASURED.model).tokens_per_second or 1 / DEFAULT_PACE.median_s)


def known_latency(region: str, model: str) -> Latency:
    """Return how long `region` takes through a gateway, of an unmeasured one what is typical.

    What was measured is an answer of `MEASURED.answer_tokens` tokens; it is taken apart into its first token and
    the others, so that an answer of that size takes as long as measured and a longer one longer.
    """
    whole = _known()["regions"].get(region, _known()["otherRegions"])
    if not seconds_per_token(model):
        return Latency(median_ms=whole["medianMs"], p95_ms=whole["p95Ms"])
    others_ms = 1000 * seconds_per_token(MEASURED.model) * (MEASURED.answer_tokens - 1)
    return Latency(
        median_ms=whole["medianMs"] - others_ms,
        p95_ms=whole["p95Ms"] - others_ms,
        per_token_ms=1000 * seconds_per_token(model),
    )
