"""The local gateway, a bare proxy and LiteLLM in front of one stub, side by side in one run, by `wrk`.

    python benchmarks/local_gateway.py [--seconds 4] [--connections 16] [--litellm PATH] [--target URL]

Every row forwards the same 300-byte chat call to the stub. `bare proxy` is the gateway's own HTTP server and client
with nothing between them: what it costs is the price of HTTP here, the rest is that of policies. LiteLLM is a row
when `--litellm` names the command of a virtual environment that has it (`uv pip install 'litellm[proxy]'`): one
worker, two model entries, two retries. Figures of one run compare with each other only. Needs wrk.
"""

import argparse
import asyncio
import multiprocessing
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from local_http import SCRIPT, forward_ours, free_port, measure, ours, wait_for

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


def litellm(port: int, target: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "config.yaml"
        entry = f"{{model_name: chat, litellm_params: {{model: openai/gpt-4o, api_base: '{target}/v1', api_key: none}}}}"
        config.write_text(f"model_list: [{entry}, {entry}]\nrouter_settings: {{num_retries: 2}}\n")
        command = [os.environ["LITELLM"], "--config", str(config), "--port", str(port), "--host", "127.0.0.1"]
        command += ["--num_workers", "1"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        offline = {
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
            "LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY": "true",
        }
        subprocess.run(command, env={**os.environ, **offline}, **quiet)  # noqa: PLW1510


ROWS = {
    "bare proxy": forward_ours,
    "gateway: forward only": gateway_pass,
    "gateway: limits, pool, breaker, retry": gateway_full,
    "the same, every request traced": gateway_traced,
    "LiteLLM": litellm,
}


def memory_mb(pid: int) -> float:
    """Return the resident memory of a process and its children."""
    status = Path(f"/proc/{pid}/status").read_text()
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    own = int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024
    return own + sum(memory_mb(int(child)) for child in children)


def end(process: multiprocessing.Process) -> None:
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    for child in children:
        os.kill(int(child), 15)
    process.terminate()
    process.join()


def wait_until_it_answers(port: int) -> None:
    """Wait for a server that takes long to start."""
    until = time.monotonic() + 90
    while time.monotonic() < until:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    sys.exit(f"nothing listens on port {port}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure the local gateway.")
    parser.add_argument("--seconds", type=int, default=4)
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--litellm", help="the command `litellm` of another environment")
    parser.add_argument("--target", help="the stub; default: one on our own server")
    arguments = parser.parse_args()
    if shutil.which("wrk") is None:
        sys.exit("wrk is not installed; Debian: apt-get install wrk")
    os.environ["LITELLM"] = arguments.litellm or ""
    spawn = multiprocessing.get_context("spawn")
    target, stub = arguments.target, None
    if target is None:
        port = free_port()
        stub = spawn.Process(target=ours, args=(port, ""), daemon=True)
        stub.start()
        wait_for(port)
        target = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "post.lua"
        script.write_text(SCRIPT.replace('"model":"gpt-4o"', '"model":"chat"'))
        print(f"{'':40}{'requests/s':>12}{'p50 ms':>9}{'p99 ms':>9}{'alone p50 ms':>14}{'errors':>8}{'MB':>7}")
        for name, serve in {"the stub itself": None, **ROWS}.items():
            if serve is litellm and not arguments.litellm:
                print(f"{name:40}{'not given':>12}")
                continue
            url, process = target, None
            if serve is not None:
                port = free_port()
                process = spawn.Process(target=serve, args=(port, target))
                process.start()
                wait_until_it_answers(port)
                url = f"http://127.0.0.1:{port}"
            path = f"{url}/v1/chat/completions" if serve is litellm else f"{url}/openai/v1/chat/completions"
            _, alone, _, _ = measure(path, str(script), 2, 1)
            rps, p50, p99, errors = measure(path, str(script), arguments.seconds, arguments.connections)
            memory = "" if process is None else f"{memory_mb(process.pid):7.0f}"
            print(f"{name:40}{rps:12.0f}{p50 / 1000:9.2f}{p99 / 1000:9.2f}{alone / 1000:14.2f}{errors:8}{memory}")
            if process is not None:
                end(process)
    if stub is not None:
        stub.terminate()
    return 0


if __name__ == "__main__":
    sys.exit(main())
