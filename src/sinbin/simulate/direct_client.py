"""Callers that go straight to the regions, without a gateway."""

from collections.abc import Callable, Generator, Mapping

from sinbin.simulate.choosers import client_sites, make_chooser
from sinbin.simulate.pauses import make_pauses
from sinbin.simulate.region_call import OK, RegionCall
from sinbin.simulate.request_source import Request
from sinbin.simulate.scenario import Client, statuses
from sinbin.simulate.sites import Site
from sinbin.simulate.streams import follow
from sinbin.simulate.tally import Tally

Process = Generator[float, None, None]
"""Something that takes time: yields the instant (s) at which it wants to go on; the engine resumes it then."""
Send = Callable[[Request, int], Process]
"""`(request, caller)` → the process of sending that request."""


def make_direct_client(client: Client, sites: Mapping[str, Site], tally: Tally) -> Send:
    """Return how callers that behave like `client` send one request.

    The latency of a stream is the time to its first token; its tokens are settled when it ends.
    """
    known = client_sites(client, sites)
    choose = make_chooser(client, known)
    pause = make_pauses(client)
    attempts, cool_down = client.attempts, client.cool_down_seconds
    gives_up_when_all_cool = client.when_all_cooling == "fail"
    retries = statuses(client.retry_on)
    cooling: dict[int, dict[Site, float]] = {}

    def free_sites(caller: int, now: float) -> list[Site]:
        mine = cooling.get(caller)
        if not mine:
            return known
        free = [site for site in known if mine.get(site, 0.0) <= now]
        if free or gives_up_when_all_cool:
            return known if len(free) == len(known) else free
        return known

    def send(request: Request, caller: int) -> Process:
        now = request.arrived
        status = attempt = 0
        while True:
            free = known if cool_down is None else free_sites(caller, now)
            if not free:
                break
            site = choose(request, attempt, free)
            call = RegionCall(request, site, now, follow(request.latency, attempt) if attempt else request.latency)
            now = call.headers_at
            yield now
            status = call.status
            if status == OK:
                call.answer(now)
                if call.end > now:
                    yield call.end
                call.complete()
                return
            attempt += 1
            if status not in retries:
                break
            if cool_down is not None:
                cooling.setdefault(caller, {})[site] = now + cool_down
                tally.sits_out(site.name, now, now + cool_down)
            if attempt >= attempts:
                break
            wait = pause(attempt - 1, call.retry_after_s, request.chance)
            if wait is None:
                break
            if wait:
                now += wait
                yield now
        tally.fail(request.kind.name, now, status)

    return send
