"""Traffic for the demo: the ordinary OpenAI client calls the local gateway, with and without the sin bin."""

import contextlib
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import openai

SPEED = 30
"""How many times faster the demo's clock runs: three minutes of traffic take nine seconds."""
SECONDS = 180
PER_SECOND = 2.0
_CALL = {
    "model": "chat-default",
    "messages": [{"role": "user", "content": "Why is the sky blue?"}],
    "max_tokens": 5,
}


@dataclass(frozen=True, slots=True)
class Call:
    """A request: when it came (s since the first), what it got, and the regions that were tried, in order."""

    at: float
    status: int
    seconds: float
    tried: tuple[str, ...]


def send_traffic(variables: Mapping[str, str], state: Path) -> list[Call]:
    """Send two requests a second of the gateway's clock for three minutes, and return what became of them."""
    command = [sys.executable, "-m", "sinbin", "local", "key", "web-chat", "--state", str(state)]
    key = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()  # noqa: S603
    before = {trace["id"] for trace in _traces(variables)}
    headers = {"api-key": key, "x-sinbin-trace": "1"}
    with (
        openai.OpenAI(
            base_url=variables["OPENAI_BASE_URL"], api_key=key, max_retries=0, default_headers=headers
        ) as client,
        ThreadPoolExecutor(16) as pool,
    ):
        client.models.list()  # the connection is there before time counts
        began = time.monotonic()
        for number in range(int(SECONDS * PER_SECOND)):
            time.sleep(max(0.0, began + number / PER_SECOND / SPEED - time.monotonic()))
            pool.submit(_ask, client)
    return _calls(
        [trace for trace in _traces(variables) if trace["id"] not in before and trace["method"] == "POST"]
    )


def _ask(client: openai.OpenAI) -> None:
    with contextlib.suppress(openai.APIStatusError):  # what it got stands in the trace
        client.chat.completions.create(**_CALL)  # type: ignore[call-overload]  # a plain mapping is enough


def _traces(variables: Mapping[str, str]) -> list[dict[str, Any]]:
    answer = httpx.get(f"{variables['ARM_ENDPOINT']}/sinbin/traces", trust_env=False)
    traces: list[dict[str, Any]] = answer.raise_for_status().json()["traces"]
    return traces


def _calls(traces: Sequence[Mapping[str, Any]]) -> list[Call]:
    first = min(trace["unixTime"] for trace in traces)
    return [
        Call(
            trace["unixTime"] - first,
            trace["status"] or 0,
            trace["afterS"] or 0.0,
            tuple(str(backend).rpartition("-")[2] for backend in trace["tried"]),
        )
        for trace in traces
    ]
