"""The requests of a run: what each of them drew when it arrived."""

import math
import random
from bisect import bisect_right
from itertools import accumulate

from sinbin.foundry.quota import Demand
from sinbin.simulate.loads import Load, TokenCount, Tokens, Traffic
from sinbin.simulate.streams import follow, normal, stream
from sinbin.simulate.tally import Cell, KindTally, Tally
from sinbin.simulate.token_counts import token_spread


class Kind:
    """One kind of request of the mix, ready for drawing."""

    __slots__ = (
        "cells",
        "completion",
        "demand",
        "max_tokens",
        "name",
        "prompt",
        "stream",
        "tally",
        "usual_completion",
    )

    def __init__(self, traffic: Traffic, tally: Tally) -> None:
        self.name = traffic.name
        self.prompt = traffic.prompt_tokens
        self.completion = traffic.completion_tokens
        self.max_tokens = traffic.max_tokens
        self.stream = traffic.stream
        self.demand: Demand | None = None
        """What every request of the kind demands; None when they differ."""
        self.usual_completion = 0
        self.tally: KindTally = tally.kinds[traffic.name]
        self.cells: dict[str, Cell] = tally.cells[traffic.name]
        if isinstance(self.prompt, int) and isinstance(self.completion, int):
            self.demand = Demand(self.prompt, self.max_tokens)
            self.usual_completion = min(self.completion, self.max_tokens or self.completion)
            self.tally.tokens_each = (self.prompt, self.usual_completion)


class Request:
    """One request and its chance; the attributes are what differs between requests."""

    __slots__ = ("arrived", "completion", "demand", "kind", "latency", "number", "pick")

    demand: Demand
    completion: int

    def __init__(self, number: int, kind: Kind, arrived: float, pick: float, latency: float) -> None:
        self.number = number
        self.kind = kind
        self.arrived = arrived
        self.pick = pick
        self.latency = latency
        if kind.demand is not None:
            self.demand = kind.demand
            self.completion = kind.usual_completion


_PAUSE_STEP = 1 << 20
"""Where pauses begin in a request's sequence, out of the way of its picks."""


def pause_chance(request: Request, number: int) -> float:
    """Return the chance (0 to 1) of the pause `number` of `request`, or of what else comes with an attempt."""
    return follow(request.pick, _PAUSE_STEP + number)


class RequestSource:
    """Draws requests: one number per stream for each, whatever the request goes on to do."""

    def __init__(self, load: Load, seed: int, tally: Tally) -> None:
        traffic = load.traffic()
        self.kinds = [Kind(one, tally) for one in traffic]
        shares = list(accumulate(one.share for one in traffic))
        self._shares = [share / shares[-1] for share in shares]
        self._only = self.kinds[0] if len(self.kinds) == 1 else None
        self._kind = stream(seed, "kind").random
        self._pick = stream(seed, "pick").random
        self._latency = stream(seed, "latency").random
        self._tokens = stream(seed, "tokens")
        self._number = 0

    def draw(self, now: float) -> Request:
        """Return the request that arrives at `now`."""
        kind = self._only or self.kinds[min(bisect_right(self._shares, self._kind()), len(self.kinds) - 1)]
        kind.tally.requests += 1
        self._number = number = self._number + 1
        request = Request(number, kind, now, self._pick(), self._latency())
        if kind.demand is None:
            prompt = _draw_tokens(kind.prompt, self._tokens)
            request.completion = _draw_tokens(kind.completion, self._tokens)
            if kind.max_tokens is not None:
                request.completion = min(request.completion, kind.max_tokens)
            request.demand = Demand(prompt, kind.max_tokens)
        return request


def _draw_tokens(count: TokenCount, rng: random.Random) -> int:
    number = rng.random()
    if not isinstance(count, Tokens):
        return count
    return max(1, round(count.median * math.exp(token_spread(count) * normal(number))))
