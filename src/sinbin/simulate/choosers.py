"""Which region a client calls next."""

from bisect import bisect_right
from collections.abc import Callable, Mapping
from itertools import accumulate

from sinbin.simulate.request_source import Request
from sinbin.simulate.scenario import Client
from sinbin.simulate.sites import Site
from sinbin.simulate.streams import follow

Chooser = Callable[[Request, int, list[Site]], Site]
"""`(request, attempt, free)` → the site to call; attempts count from 0, `free` are the sites to choose from."""


def client_sites(client: Client, sites: Mapping[str, Site]) -> list[Site]:
    """Return the sites that `client` knows, in its order."""
    if client.pick == "in-order":
        return [sites[name] for name in client.order or sites]
    if client.pick == "weighted" and client.weights is not None:
        return [sites[name] for name, weight in client.weights.items() if weight]
    return list(sites.values())


def make_chooser(client: Client, known: list[Site]) -> Chooser:
    """Return how `client` chooses among the sites that it knows, or among those that do not cool down."""
    if len(known) == 1:
        return lambda _request, _attempt, free: free[0]
    if client.pick == "even":
        turn = -1

        def even(_request: Request, _attempt: int, free: list[Site]) -> Site:
            nonlocal turn
            turn += 1
            return free[turn % len(free)]

        return even
    if client.pick == "in-order":
        # With all regions free, every attempt is one further down the list; a caller that remembers has taken
        # the regions that refused it out of `free`, so its next is the first of the rest.
        return lambda _request, attempt, free: free[attempt % len(free)] if free is known else free[0]
    weights = client.weights or {}
    shares = {site.name: float(weights.get(site.name, 1)) for site in known}
    table = list(accumulate(shares.values()))
    total = table[-1]
    last = len(known) - 1

    def weighted(request: Request, attempt: int, free: list[Site]) -> Site:
        point = follow(request.pick, attempt) if attempt else request.pick
        if free is known:
            return known[min(bisect_right(table, point * total), last)]
        point *= sum(shares[site.name] for site in free)
        for site in free:
            point -= shares[site.name]
            if point < 0:
                return site
        return free[-1]

    return weighted
