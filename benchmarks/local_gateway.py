"""The local gateway, a bare proxy and LiteLLM in front of one stub, side by side in one run, by `wrk`.

    python benchmarks/local_gateway.py [--seconds 4] [--connections 16] [--rounds 5] [--litellm] [--stub go|ours]
    python benchmarks/local_gateway.py --requests 1000000      # memory of the gateway over so many requests

Every row forwards the same 300-byte chat call to the stub. `bare proxy` is the gateway's own HTTP server and client
with nothing between them: what it costs is the price of HTTP here, the rest is that of policies. LiteLLM has one
worker, two model entries and two retries. All servers run all the time and are measured in turn, round after round,
so that what else the machine does hits them alike: a figure is the median of the rounds, a ratio the median of the
ratios inside each round. CPU per request is that of the server's own processes, and knows nothing of others. Needs wrk,
and Go for the stub.
"""

import argparse
import asyncio
import multiprocessing
import os
import random
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from local_http import SCRIPT, forward_ours, free_port, measure, ours
from servers.foreign import build_stub, litellm_process

from sinbin.gateway.configuration import Api, Backend, GatewayConfiguration, PolicySource, Pool
from sinbin.gateway.gateway import Gateway
from sinbin.local.clock import Clock
from sinbin.local.gateway.destinations import Destinations
from sinbin.local.gateway.effects import Effects
from sinbin.local.gateway.handler import GatewayHandler
from sinbin.local.gateway.traces import Traces
from sinbin.local.http.client import HttpClient
from sinbin.local.http.server import HttpServer
from sinbin.local.loop import new_loop
from sinbin.topology import CircuitBreaker, PoolMember, StatusRange

PASS = "<policies><inbound/><backend><forward-request /></backend><outbound/><on-error/></policies>"
FULL = """<policies>
  <inbound>
    <rate-limit-by-key calls="100000000" renewal-period="60" counter-key="@(context.Request.IpAddress)" />
    <llm-token-limit counter-key="@(context.Request.IpAddress)" tokens-per-minute="2000000000" estimate-prompt-tokens="true" />
    <set-backend-service backend-id="pool" />
  </inbound>
  <backend>
    <retry condition="@(context.Response == null || context.Response.StatusCode == 429 || context.Response.StatusCode >= 500)" count="2" interval="0" first-fast-retry="true">
      <forward-request buffer-request-body="true" buffer-response="false" />
    </retry>
  </backend>
  <outbound />
  <on-error />
</policies>"""


class NoRegions:
    """No region listens: the stub is another server on loopback."""

    def port(self, account: str) -> None:
        del account

    def connect(self, account: str) -> None:
        del account


def serve_gateway(port: int, target: str, policy: str, *, trace: bool = False) -> None:
    breaker = CircuitBreaker(
        failure_count=1,
        interval_s=60,
        trip_duration_s=60,
        status_ranges=(StatusRange(low=429, high=429), StatusRange(low=500, high=599)),
        accept_retry_after=True,
    )
    names = ("first", "second", "third")
    configuration = GatewayConfiguration(
        backends=tuple(Backend(name=name, url=f"{target}/openai", circuit_breaker=breaker) for name in names),
        pools=(
            Pool(name="pool", members=tuple(PoolMember(backend=name, priority=1, weight=1) for name in names)),
        ),
        apis=(
            Api(name="a", path="openai", service_url=f"{target}/o", policy=PolicySource(text=policy, name="api")),
        ),
    )

    async def run() -> None:
        clock = Clock()
        effects = Effects(HttpClient(), Destinations(NoRegions()), clock)
        url = f"http://127.0.0.1:{port}"
        handler = GatewayHandler(url, effects, clock.now, random.Random(1), Traces(), trace_all=trace)
        handler.gateway = Gateway(configuration)
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        await HttpServer(handler).start(listener)
        await asyncio.Event().wait()

    new_loop().run_until_complete(run())


def gateway_pass(port: int, target: str) -> None:
    serve_gateway(port, target, PASS)


def gateway_full(port: int, target: str) -> None:
    serve_gateway(port, target, FULL)


def gateway_traced(port: int, target: str) -> None:
    serve_gateway(port, target, FULL, trace=True)


@dataclass
class Round:
    """What one server did in one round."""

    rps: float
    p50_ms: float
    p99_ms: float
    alone_ms: float
    """Median at one connection."""
    cpu_ms: float
    """Of its own processes, per request."""
    errors: int


@dataclass
class Server:
    """A row: where it listens, and what it did."""

    name: str
    url: str
    pid: int
    rounds: list[Round] = field(default_factory=list)

    def median(self, figure: str) -> float:
        return statistics.median(getattr(one, figure) for one in self.rounds)


OURS: dict[str, Callable[[int, str], None]] = {
    "bare proxy": forward_ours,
    "gateway: forward only": gateway_pass,
    "gateway: limits, pool, breaker, retry": gateway_full,
    "the same, every request traced": gateway_traced,
}
STUB, FULL_ROW, LITELLM_ROW = "the stub itself", "gateway: limits, pool, breaker, retry", "LiteLLM"


def family(pid: int) -> list[int]:
    """Return a process and its children."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(one for child in children for one in family(int(child)))]


def memory_mb(pid: int) -> float:
    """Return the resident memory of a process and its children."""
    texts = [Path(f"/proc/{one}/status").read_text() for one in family(pid)]
    return sum(int(re.search(r"VmRSS:\s+(\d+)", text)[1]) for text in texts) / 1024


def cpu_s(pid: int) -> float:
    """Return the processor time of a process and its children."""
    ticks = 0
    for one in family(pid):
        fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def measure_round(server: Server, script: str, seconds: int, connections: int) -> None:
    path = (
        f"{server.url}/v1/chat/completions"
        if server.name == LITELLM_ROW
        else f"{server.url}/openai/v1/chat/completions"
    )
    _, alone, _, _ = measure(path, script, 1, 1)
    before = cpu_s(server.pid)
    rps, p50, p99, errors = measure(path, script, seconds, connections)
    cpu = 1000 * (cpu_s(server.pid) - before) / max(1.0, rps * seconds)
    server.rounds.append(Round(rps, p50 / 1000, p99 / 1000, alone / 1000, cpu, errors))


def wait_until_it_answers(port: int, seconds: float = 120) -> None:
    """Wait for a server that takes long to start."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    sys.exit(f"nothing listens on port {port}")


class Servers:
    """Everything that listens, ended together."""

    def __init__(self) -> None:
        self.rows: list[Server] = []
        self._ours: list[multiprocessing.process.BaseProcess] = []
        self._foreign: list[subprocess.Popen[bytes]] = []

    def stub(self, kind: str) -> str:
        port = free_port()
        if kind == "ours":
            return self.ours(STUB, ours, "", port)
        self._foreign.append(subprocess.Popen([build_stub(), f"127.0.0.1:{port}"]))
        return self._row(STUB, port, self._foreign[-1].pid)

    def ours(self, name: str, serve: Callable[[int, str], None], target: str, port: int) -> str:
        process = multiprocessing.get_context("spawn").Process(target=serve, args=(port, target), daemon=True)
        process.start()
        self._ours.append(process)
        assert process.pid is not None
        return self._row(name, port, process.pid)

    def litellm(self, target: str, folder: Path) -> None:
        port = free_port()
        self._foreign.append(litellm_process(port, target, folder))
        self._row(LITELLM_ROW, port, self._foreign[-1].pid)

    def stop(self) -> None:
        for process in self._foreign:
            process.terminate()
            process.wait()
        for one in self._ours:
            one.terminate()
            one.join()

    def _row(self, name: str, port: int, pid: int) -> str:
        wait_until_it_answers(port)
        self.rows.append(Server(name, f"http://127.0.0.1:{port}", pid))
        return self.rows[-1].url


def show(rows: list[Server]) -> None:
    print(
        f"{'':40}{'requests/s':>12}{'p50 ms':>9}{'p99 ms':>9}{'alone p50':>11}{'CPU ms':>8}{'% of stub':>11}"
        f"{'errors':>8}{'MB':>6}"
    )
    stub = rows[0]
    for row in rows:
        share = 100 * statistics.median(a.rps / b.rps for a, b in zip(row.rounds, stub.rounds, strict=True))
        print(
            f"{row.name:40}{row.median('rps'):12.0f}{row.median('p50_ms'):9.2f}{row.median('p99_ms'):9.2f}"
            f"{row.median('alone_ms'):11.2f}{row.median('cpu_ms'):8.3f}{share:11.2f}"
            f"{sum(one.errors for one in row.rounds):8}{memory_mb(row.pid):6.0f}"
        )
    by_name = {row.name: row for row in rows}
    full, litellm = by_name[FULL_ROW], by_name.get(LITELLM_ROW)
    added = statistics.median(a.alone_ms - b.alone_ms for a, b in zip(full.rounds, stub.rounds, strict=True))
    print(f"the gateway with limits adds {added:.2f} ms to the median at one connection")
    if litellm is not None:
        pairs = list(zip(full.rounds, litellm.rounds, strict=True))
        ratios = sorted(a.rps / b.rps for a, b in pairs)
        cpu = statistics.median(b.cpu_ms / a.cpu_ms for a, b in pairs)
        print(
            f"it answers {statistics.median(ratios):.0f} times as many requests a second as LiteLLM "
            f"({ratios[0]:.0f} to {ratios[-1]:.0f}), each for a {cpu:.0f}th of the processor time"
        )
    print(f"{len(stub.rounds)} rounds, load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def memory(row: Server, script: str, requests: int, connections: int) -> None:
    """Print the gateway's memory at 10^4 and 10^5 requests, and at every quarter of a million.

    Windows of a minute hold what came in that minute: memory grows for as long, and must not afterwards.
    """
    path = f"{row.url}/openai/v1/chat/completions"
    heading = f"{'requests':>12}{'seconds':>9}{'MB':>8}{'requests/s':>12}{'errors':>8}"
    print(f"{heading}\n{0:12,}{0:9.0f}{memory_mb(row.pid):8.1f}", flush=True)
    began = time.monotonic()
    sent, failed, marks = 0.0, 0, [10_000, 100_000, *range(250_000, requests, 250_000), requests]
    for mark in marks:
        while sent < mark:
            # In pieces that end near the mark, whatever the rate is just then.
            rps, _, _, errors = measure(path, script, 10 if mark - sent > 50_000 else 2, connections)
            sent += rps * (10 if mark - sent > 50_000 else 2)
            failed += errors
        passed = time.monotonic() - began
        print(f"{sent:12,.0f}{passed:9.0f}{memory_mb(row.pid):8.1f}{rps:12.0f}{failed:8}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=4)
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--litellm", action="store_true", help="LiteLLM too, from PyPI in an environment of its own"
    )
    parser.add_argument("--stub", choices=["go", "ours"], default="go")
    parser.add_argument(
        "--requests", type=int, help="watch the memory of the gateway over so many requests instead"
    )
    arguments = parser.parse_args()
    if shutil.which("wrk") is None:
        sys.exit("wrk is not installed; Debian: apt-get install wrk")
    servers = Servers()
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "post.lua"
        script.write_text(SCRIPT.replace('"model":"gpt-4o"', '"model":"chat"'))
        try:
            target = servers.stub(arguments.stub)
            wanted = {FULL_ROW: gateway_full} if arguments.requests else OURS
            for name, serve in wanted.items():
                servers.ours(name, serve, target, free_port())
            if arguments.requests:
                memory(servers.rows[-1], str(script), arguments.requests, arguments.connections)
                return 0
            if arguments.litellm:
                servers.litellm(target, Path(folder))
            for number in range(arguments.rounds + 1):
                for row in servers.rows:
                    measure_round(row, str(script), arguments.seconds, arguments.connections)
                    if number == 0:
                        row.rounds.clear()  # the first round warms everything up
            show(servers.rows)
        finally:
            servers.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
