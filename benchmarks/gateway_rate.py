"""Requests a second through the routing policy that our templates render: limits, pool, breaker, retry, no I/O.

    python benchmarks/gateway_rate.py [--requests N] [--profile]
    python benchmarks/gateway_rate.py --memory 1_000_000

Prints the rate of this machine and, since machines differ, its ratio to a bare generator that yields once. With
`--memory` it prints instead what the process holds after every tenfold number of requests.
"""

import argparse
import cProfile
import gc
import itertools
import pstats
import random
import resource
import time
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path

from policy_templates import API_ID, named_values, render_policies
from policy_templates.inference_api.operations import OPERATIONS
from sinbin.gateway.configuration import Api, Operation, PolicySource
from sinbin.gateway.gateway import Gateway
from sinbin.gateway.messages import Headers, HttpRequest, HttpResponse
from sinbin.gateway.topology import configuration_of
from sinbin.gateway.trace import Trace
from sinbin.settings import load_settings

STACK = Path(__file__).parents[1] / "stacks" / "Pulumi.prod.yaml"
REPLY = (
    b'{"id":"chatcmpl-1","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant",'
    b'"content":"hello"}}],"usage":{"prompt_tokens":9,"completion_tokens":1,"total_tokens":10}}'
)


def build_gateway(stack: Path = STACK) -> tuple[Gateway, HttpRequest]:
    """Return the gateway of a stack, its limits out of the way, and a request that its first consumer may send."""
    topology = load_settings(stack).to_topology()
    rendered = render_policies(topology)
    sources = {
        (policy.scope, policy.name): PolicySource(text=policy.text, name=policy.path) for policy in rendered
    }
    consumer = topology.consumers[0]
    operations = tuple(
        Operation(name=one.id, method=one.method, url_template=one.url_template) for one in OPERATIONS
    )
    configuration = configuration_of(
        topology,
        api=Api(
            name=API_ID,
            path=API_ID,
            operations=operations,
            subscription_required=True,
            key_headers=("api-key",),
            policy=sources["api", API_ID],
        ),
        product_policies={name: source for (scope, name), source in sources.items() if scope == "product"},
        fragments={name: source for (scope, name), source in sources.items() if scope == "fragment"},
        named_values={one.name: one.value for one in named_values(topology)},
        keys={consumer.name: ("key",)},
    )
    alias = consumer.aliases[0]
    body = b'{"model":"%s","messages":[{"role":"user","content":"Say hello."}],"max_tokens":5}' % alias.encode()
    headers = Headers({"api-key": "key", "Content-Type": "application/json", "User-Agent": "benchmark"})
    return Gateway(configuration), HttpRequest("POST", f"/{API_ID}/v1/chat/completions", headers, body)


RUNS = 40
CLOCK = itertools.count(0.0, 2.0)
"""Virtual seconds; two between requests are slow enough for every limit."""


def drive(gateway: Gateway, request: HttpRequest, requests: int, *, trace: bool = False) -> int:
    """Send `request` again and again; every hundredth forward is refused and retried."""
    rng = random.Random(1)
    reply = HttpResponse(200, Headers({"Content-Type": "application/json", "x-ms-region": "UK South"}), REPLY)
    refusal = HttpResponse(429, Headers({"Retry-After": "1"}), b"{}")
    served = forwards = 0
    for now in itertools.islice(CLOCK, requests):
        run = gateway.handle(request, now, rng, trace=Trace() if trace else None)
        try:
            next(run)
            while True:
                forwards += 1
                run.send((now, reply if forwards % 100 else refusal))
        except StopIteration as stop:
            served += stop.value.response.status == 200
    return served


def bare(requests: int) -> int:
    """Drive a generator that does nothing, the yardstick."""

    def nothing() -> object:
        yield None

    for _ in range(requests):
        run = nothing()
        next(run)
        next(run, None)
    return requests


def rate(action: Callable[[int], int], requests: int) -> float:
    """Return the best rate (requests per second of processor time) of many short runs.

    Other work on the machine only makes a run slower, and a short run has a chance to be left alone.
    """
    best = 0.0
    for _ in range(RUNS):
        started = time.process_time()
        action(requests // RUNS)
        best = max(best, requests // RUNS / (time.process_time() - started))
    return best


def print_memory(gateway: Gateway, request: HttpRequest, requests: int) -> None:
    """Print memory after 10,000 requests, 100,000 and so on up to `requests`.

    Traced is by how much Python's objects have grown since the start, resident the most that the process ever held
    (the tracing included; Linux reports KiB).
    """
    tracemalloc.start()
    done = 0
    for mark in itertools.takewhile(lambda mark: mark <= requests, (10**power for power in itertools.count(4))):
        drive(gateway, request, mark - done)
        done = mark
        gc.collect()
        traced = tracemalloc.get_traced_memory()[0]
        resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(
            f"{mark:>9,} requests: {traced / 1024:+,.1f} KiB traced, {resident:,} KiB resident at most", flush=True
        )


def main(argv: Sequence[str] | None = None) -> None:
    """Print the rates, and where the time goes with `--profile`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--memory", type=int, metavar="REQUESTS", help="10,000 or more")
    options = parser.parse_args(argv)
    started = time.process_time()
    gateway, request = build_gateway()
    print(f"loaded in {time.process_time() - started:.2f} s")
    served = drive(gateway, request, 1000)
    assert served > 900, served
    if options.memory:
        print_memory(gateway, request, options.memory)
        return
    plain = rate(lambda requests: drive(gateway, request, requests), options.requests)
    traced = rate(lambda requests: drive(gateway, request, requests, trace=True), options.requests)
    yardstick = rate(bare, options.requests * 20)
    print(f"{plain:,.0f} requests/s, {1e6 / plain:.1f} µs each")
    print(f"{traced:,.0f} requests/s with a trace of each")
    print(f"{yardstick:,.0f} bare generators/s: a request costs as much as {yardstick / plain:.0f} of them")
    if options.profile:
        profile = cProfile.Profile()
        profile.runcall(drive, gateway, request, options.requests)
        pstats.Stats(profile).sort_stats("tottime").print_stats(40)


if __name__ == "__main__":
    main()
