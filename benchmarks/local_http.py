"""Servers and clients for the local Azure, side by side in one run: requests/s and latency by `wrk`.

    python benchmarks/local_http.py [--seconds 4] [--connections 16] [--target http://127.0.0.1:9001]

Every server answers the same 300-byte chat call with the same body. `forward …` is a reverse proxy on our server
that forwards to the target (ours by default) with one client or another. Figures of one run compare with each
other only: they depend on what else the machine does. Needs wrk (Debian: apt-get install wrk) and, for rows of
packages that sinbin does not use, these packages (`uv run --with granian --with aiohttp …`).
"""

import argparse
import asyncio
import importlib.util
import multiprocessing
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sinbin.local.http.client import HttpClient, Origin
from sinbin.local.http.exchange import Exchange
from sinbin.local.http.messages import Limits
from sinbin.local.http.server import HttpServer
from sinbin.local.loop import new_loop

REPLY = (
    b'{"id":"chatcmpl-1","object":"chat.completion","created":1700000000,"model":"gpt-4o","choices":[{"index":0,'
    b'"message":{"role":"assistant","content":"Hello from the stub."},"finish_reason":"stop"}],"usage":'
    b'{"prompt_tokens":60,"completion_tokens":40,"total_tokens":100}}'
)
HEADERS = [(b"content-type", b"application/json"), (b"x-request-id", b"abc")]
SCRIPT = """
wrk.method = "POST"
local text = string.rep("x", 222)
wrk.body = '{"model":"gpt-4o","max_tokens":40,"messages":[{"role":"user","content":"' .. text .. '"}]}'
wrk.headers["Content-Type"] = "application/json"
function done(summary, latency, _)
  local e = summary.errors
  io.write(string.format("RESULT %f %f %f %d\\n", summary.requests / (summary.duration / 1e6),
    latency:percentile(50), latency:percentile(99), e.status + e.connect + e.read + e.write + e.timeout))
end
"""


def serve(port: int, handler: Callable[[Exchange], Any]) -> None:
    async def run() -> None:
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        await HttpServer(handler, Limits()).start(listener)
        await asyncio.Event().wait()

    new_loop().run_until_complete(run())


def ours(port: int, target: str) -> None:
    del target

    async def answer(exchange: Exchange) -> None:
        exchange.respond(200, HEADERS, REPLY)

    serve(port, answer)


async def asgi(scope: Any, receive: Any, send: Any) -> None:
    del scope
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
    await send({"type": "http.response.body", "body": REPLY})


def uvicorn(port: int, target: str) -> None:
    import uvicorn as package  # noqa: PLC0415 - one row's package

    del target
    package.run(
        asgi, port=port, http="httptools", loop="uvloop", access_log=False, log_level="error", lifespan="off"
    )


def granian(port: int, target: str) -> None:
    from granian import Granian  # noqa: PLC0415 - one row's package

    del target
    Granian("local_http:asgi", port=port, interface="asgi", workers=1, log_enabled=False).serve()


def aiohttp(port: int, target: str) -> None:
    from aiohttp import web  # noqa: PLC0415 - one row's package

    del target

    async def answer(request: web.Request) -> web.Response:
        await request.read()
        return web.Response(body=REPLY, content_type="application/json")

    app = web.Application()
    app.router.add_post("/{path:.*}", answer)
    web.run_app(app, host="127.0.0.1", port=port, print=None, access_log=None, loop=new_loop())


def forward_ours(port: int, target: str) -> None:
    where = urlsplit(target)
    origin = Origin(secure=False, host=where.hostname or "", port=where.port or 80)
    client = HttpClient()

    async def forward(exchange: Exchange) -> None:
        request = exchange.request
        headers = [pair for pair in request.headers if pair[0] != b"content-length"]
        response = await client.send(origin, request.method, request.target, headers, request.body)
        exchange.respond(response.status, response.headers, await response.read())

    serve(port, forward)


def forward_aiohttp(port: int, target: str) -> None:
    from aiohttp import ClientSession, TCPConnector  # noqa: PLC0415 - one row's package

    sessions: list[ClientSession] = []

    async def forward(exchange: Exchange) -> None:
        if not sessions:
            sessions.append(ClientSession(connector=TCPConnector(limit=500)))
        request = exchange.request
        async with sessions[0].request(request.method, target + request.target, data=request.body) as response:
            exchange.respond(response.status, HEADERS, await response.read())

    serve(port, forward)


def forward_httpx(port: int, target: str) -> None:
    import httpx  # noqa: PLC0415 - one row's package

    limits = httpx.Limits(max_connections=500, max_keepalive_connections=500)
    client = httpx.AsyncClient(limits=limits, trust_env=False)

    async def forward(exchange: Exchange) -> None:
        request = exchange.request
        response = await client.request(request.method, target + request.target, content=request.body)
        exchange.respond(response.status_code, HEADERS, response.content)

    serve(port, forward)


ROWS: dict[str, tuple[Callable[[int, str], None], str | None]] = {
    "serve: ours": (ours, None),
    "serve: uvicorn (ASGI, httptools, uvloop)": (uvicorn, "uvicorn"),
    "serve: granian (ASGI)": (granian, "granian"),
    "serve: aiohttp (uvloop)": (aiohttp, "aiohttp"),
    "forward: ours": (forward_ours, None),
    "forward: aiohttp": (forward_aiohttp, "aiohttp"),
    "forward: httpx": (forward_httpx, "httpx"),
}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int) -> None:
    until = time.monotonic() + 20
    while time.monotonic() < until:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    sys.exit(f"nothing listens on port {port}")


def measure(url: str, script: str, seconds: int, connections: int) -> tuple[float, float, float, int]:
    threads = min(2, connections)
    command = ["wrk", f"-t{threads}", f"-c{connections}", f"-d{seconds}s", "--timeout", "20s", "-s", script, url]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rps, p50, p99, errors = re.findall(r"RESULT (\S+) (\S+) (\S+) (\S+)", said)[0]
    return float(rps), float(p50), float(p99), int(errors)


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare HTTP servers and clients for the local Azure.")
    parser.add_argument("--seconds", type=int, default=4)
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--target", help="what the forwards call; default: our own server")
    arguments = parser.parse_args()
    if shutil.which("wrk") is None:
        sys.exit("wrk is not installed; Debian: apt-get install wrk")
    spawn = multiprocessing.get_context("spawn")
    target = arguments.target
    stub = None
    if target is None:
        port = free_port()
        stub = spawn.Process(target=ours, args=(port, ""), daemon=True)
        stub.start()
        wait_for(port)
        target = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "post.lua"
        script.write_text(SCRIPT)
        print(f"{'':42}{'requests/s':>12}{'p50 ms':>9}{'p99 ms':>9}{'p50 ms, 1 conn.':>17}{'errors':>8}")
        rows = [("target itself", None), *ROWS.items()]
        for name, row in rows:
            if row is not None and row[1] is not None and importlib.util.find_spec(row[1]) is None:
                print(f"{name:42}{'not installed':>12}")
                continue
            process = None
            url = target
            if row is not None:
                port = free_port()
                process = spawn.Process(target=row[0], args=(port, target), daemon=row[0] is not granian)
                process.start()
                wait_for(port)
                url = f"http://127.0.0.1:{port}"
            path = f"{url}/openai/deployments/chat/chat/completions"
            _, alone, _, _ = measure(path, str(script), 2, 1)
            rps, p50, p99, errors = measure(path, str(script), arguments.seconds, arguments.connections)
            print(f"{name:42}{rps:12.0f}{p50 / 1000:9.2f}{p99 / 1000:9.2f}{alone / 1000:17.2f}{errors:8}")
            if process is not None:
                process.terminate()
                process.join()
    if stub is not None:
        stub.terminate()
    return 0


if __name__ == "__main__":
    sys.exit(main())
