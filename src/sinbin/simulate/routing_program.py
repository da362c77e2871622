"""The routing policy as a program of its own: pool, breaker, retry and cap, without the rest of the policy.

What the gateway does with a request that our `inference_api` template routes, written down in the few lines that
decide where it goes and when. It drives the very pool, breaker and counter states that a compiled policy drives;
that both make the same decisions is shown by differential tests, and by every `sinbin simulate` for its scenario:
see `scenario_policy`. It exists for speed alone, and for bare policies, which retry on other statuses than ours.
"""

import math

from sinbin.gateway.backends import BackendTable, Refusal
from sinbin.gateway.configuration import Backend, Pool
from sinbin.gateway.counters import SlidingWindow
from sinbin.gateway.limit_outputs import whole_seconds
from sinbin.gateway.policies.retrying import retry_pause
from sinbin.settings.resilience import circuit_breaker
from sinbin.simulate.instances import Handling, Reply
from sinbin.simulate.request_source import Request
from sinbin.simulate.scenario import GatewaySetup, statuses
from sinbin.simulate.sites import TOO_MANY, Site
from sinbin.simulate.streams import Draws, follow
from sinbin.simulate.tally import LIMITS, POOL_EMPTY, Tally
from sinbin.topology import PoolMember

POOL = "pool"
_FAILED_INSIDE = 500
_SERVER_ERROR = 500
_COMES_BACK_AFTER_S = 10
"""What our template tells the caller of a gateway without breakers."""


class RoutingProgram:
    """One gateway instance: its pool, its breakers, its cap."""

    def __init__(self, setup: GatewaySetup, sites: dict[str, Site], tally: Tally) -> None:
        rule = circuit_breaker(setup.circuit_breaker)
        members = tuple(
            PoolMember(backend=name, priority=member.priority, weight=member.weight)
            for name, member in setup.pool.items()
        )
        self.table = BackendTable(
            [
                Backend(name=name, url=f"https://{name}.invalid", region=name, circuit_breaker=rule)
                for name in setup.pool
            ],
            [Pool(name=POOL, members=members)],
        )
        self._cap = SlidingWindow(setup.requests_per_minute, 60) if setup.requests_per_minute else None
        self._retry = setup.retry
        self._retry_on = statuses(setup.retry.retry_on) if setup.retry is not None else frozenset()
        self._own_reply_s = setup.own_reply_ms / 1000
        # Our template tells when the first region is back: after what its breaker takes from the reply, or after
        # its usual trip. A bare policy passes on what the regions of this request asked for.
        self._takes_retry_after = rule is None or rule.accept_retry_after
        self._comes_back_s = (
            None
            if setup.bare
            else _COMES_BACK_AFTER_S
            if rule is None
            else max(1, math.ceil(rule.trip_duration_s))
        )
        self._sites = sites
        self._tally = tally
        self._draws = Draws()

    def handle(self, request: Request, now: float, step: int) -> Handling:
        """Answer `request`, which arrives at `now`; `step` is how many attempts the request has behind it."""
        if self._cap is not None:
            if self._cap.left(now) < 1:
                told = whole_seconds(self._cap.wait(now, 1))
                now += self._own_reply_s
                yield now
                return Reply(TOO_MANY, now, told, reason=LIMITS)
            self._cap.add(now, 1)
        retry = self._retry
        retries = retry.count if retry is not None else 0
        # Requests share the generator and overlap: each notes how far its own sequence has gone.
        draws, drawn = self._draws, step
        tried = called = 0
        asked: float | None = None
        while True:
            reply: Reply
            if tried and retry is not None and not retry.buffer_request_body:
                # The body went out with the first attempt; the second dies before it leaves the gateway.
                reply = Reply(_FAILED_INSIDE, now, reason="failed inside")
                retries = 0
            else:
                choice = self.table.choose(POOL, now, draws.load(request.pick, drawn))
                drawn = draws.step
                if isinstance(choice, Refusal):
                    reply = Reply(
                        choice.status, now, self._comes_back_s if asked is None else asked, reason=POOL_EMPTY
                    )
                else:
                    site = self._sites[choice.name]
                    status, now, wanted = site.call(request, now, follow(request.latency, step + called))
                    called += 1
                    yield now
                    if self.table.record(site.name, now, status, "", wanted):
                        breaker = self.table.breaker(site.name)
                        assert breaker is not None
                        self._tally.sits_out(site.name, now, breaker.open_until)
                    reply = Reply(status, now, wanted, site)
                    back = wanted
                    if self._comes_back_s is not None and (status == TOO_MANY or status >= _SERVER_ERROR):
                        back = wanted if wanted is not None and self._takes_retry_after else self._comes_back_s
                    if back is not None:
                        asked = back if asked is None else min(asked, back)
            if tried >= retries or reply.status not in self._retry_on:
                if reply.site is not None:
                    return reply
                now += self._own_reply_s
                yield now
                return Reply(reply.status, now, reply.retry_after_s, reason=reply.reason)
            assert retry is not None
            tried += 1
            wait = 0.0
            if tried > 1 or not retry.first_fast_retry:
                draws.load(request.pick, drawn)
                wait = retry_pause(
                    tried, retry.interval_seconds, retry.delta_seconds, retry.max_interval_seconds, draws
                )
                drawn = draws.step
            if wait:
                now += wait
                yield now
