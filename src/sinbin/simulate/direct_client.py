"""Callers that go straight to the regions, without a gateway."""

from collections.abc import Mapping

from sinbin.simulate.choosers import client_sites, make_chooser
from sinbin.simulate.engine import Process
from sinbin.simulate.pauses import make_pauses
from sinbin.simulate.request_source import Request
from sinbin.simulate.scenario import Client, statuses
from sinbin.simulate.send import Send
from sinbin.simulate.sites import OK, Outcome, Site
from sinbin.simulate.streams import follow
from sinbin.simulate.tally import Tally


def make_direct_client(client: Client, sites: Mapping[str, Site], tally: Tally) -> Send:
    """Return how callers that behave like `client` send one request.

    The latency of a stream is the time to its first token; its tokens are settled when it ends.
    """
    known = client_sites(client, sites)
    choose = make_chooser(client, known)
    pause = make_pauses(client)
    attempts, cool_down = client.attempts, client.cool_down_seconds
    fails_when_all_cool = client.when_all_cooling == "fail"
    retries = statuses(client.retry_on)
    cooling: dict[int, dict[Site, float]] = {}

    def free_sites(caller: int, now: float) -> list[Site]:
        mine = cooling.get(caller)
        if not mine:
            return known
        free = [site for site in known if mine.get(site, 0.0) <= now]
        return known if len(free) == len(known) or not (free or fails_when_all_cool) else free

    def send(request: Request, caller: int, waits: bool) -> Process | None:
        now = request.arrived
        free = known if cool_down is None else free_sites(caller, now)
        if not free:
            tally.fail(request, now, 0)
            return None
        site = choose(request, 0, free)
        outcome = site.call(request, now, request.latency)
        if outcome[0] == OK:
            site.answer(request, outcome[1])
            return _until(outcome[1]) if waits else None
        return go_on(request, caller, site, outcome)

    def go_on(request: Request, caller: int, site: Site, outcome: Outcome) -> Process:
        status, now, retry_after = outcome
        attempt = 0
        while True:
            yield now
            if status == OK:
                return
            if status not in retries:
                break
            if cool_down is not None:
                cooling.setdefault(caller, {})[site] = now + cool_down
                tally.sits_out(site.name, now, now + cool_down)
            attempt += 1
            if attempt >= attempts:
                break
            wait = pause(attempt - 1, retry_after, request)
            if wait is None:
                break
            if wait:
                now += wait
                yield now
            free = known if cool_down is None else free_sites(caller, now)
            if not free:
                break
            site = choose(request, attempt, free)
            status, now, retry_after = site.call(request, now, follow(request.latency, attempt))
            if status == OK:
                site.answer(request, now)
        tally.fail(request, now, status)

    return send


def _until(now: float) -> Process:
    yield now
