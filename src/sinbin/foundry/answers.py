"""Turns decisions of a region into answers: headers as Azure sends them, delays, faults of the body.

Source of the headers: a reply of gpt-5-nano recorded in October 2025 in the tests of envoyproxy/ai-gateway; of the
spillover headers: https://github.com/microsoft/mosaic-apim, read 2026-11-29.
"""

import math
import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sinbin.foundry.account import AccountConfig, DeploymentConfig
from sinbin.foundry.deployment import Deployment
from sinbin.foundry.exchange import Answer, Chunk, Request, Settlement
from sinbin.foundry.faults import Fault
from sinbin.foundry.quota import Refusal, Reservation
from sinbin.foundry.replies import errors
from sinbin.foundry.replies.errors import WireError
from sinbin.foundry.replies.reply import Family, Reply, compact

DEFAULT_API_VERSION = "v1"
"""What a 429 names when the caller used a route without api-version. Source: assumed."""


@dataclass(frozen=True, slots=True)
class Answering:
    """What every answer to one request has in common."""

    account: AccountConfig
    region: str
    request: Request
    rng: random.Random

    def headers(self) -> dict[str, str]:
        """Return the headers that every answer carries."""
        identifier = _uuid(self.rng)
        return {
            "apim-request-id": identifier,
            "x-request-id": _uuid(self.rng),
            "x-ms-region": self.region,
            "x-content-type-options": "nosniff",
            "strict-transport-security": "max-age=31536000; includeSubDomains; preload",
        }

    def refused(self, now: float, refusal: Refusal, deployment: Deployment, family: Family) -> Answer:
        """Return the 429 for `refusal`."""
        config = deployment.config
        headers = deployment.quota.refusal_headers(now, refusal)
        seconds = int(headers["retry-after"])
        if family.operation == "responses" and config.options.responses_without_limits:
            headers = _without_limits(headers)
        error = (
            errors.units_exhausted(
                operation=family.operation_id, api_version=self._api_version(), retry_after_s=seconds
            )
            if refusal.limit == "utilization"
            else self._too_many(config, family, "token" if refusal.limit == "tokens" else "call", seconds)
        )
        headers["x-ms-deployment-name"] = config.name
        answer = json_answer(self, 429, error.body, headers)
        answer.deployment, answer.operation = config.name, family.operation
        return answer

    def answered(
        self, now: float, deployment: Deployment, family: Family, reply: Reply, reservation: Reservation
    ) -> Answer:
        """Return `reply` with its headers and the times at which its pieces arrive."""
        config = deployment.config
        timing = self.account.latency.draw(self.rng, reply.completion_tokens)
        limits = deployment.quota.headers(now)
        if family.operation == "responses" and config.options.responses_without_limits:
            limits = _without_limits(limits)
        headers = self.headers() | limits
        headers |= {
            "x-ms-deployment-name": config.name,
            "x-ms-rai-invoked": "true",
            "azureml-model-session": f"d{self.rng.getrandbits(32):08x}",
            "x-accel-buffering": "no",
        }
        answer = Answer(status=200, headers=headers, deployment=config.name, operation=family.operation)
        if reply.body is not None:
            data = compact(reply.body).encode()
            headers |= {"content-type": "application/json", "content-length": str(len(data))}
            answer.delay_s, answer.chunks = timing.total_s, (Chunk(0.0, data),)
        else:
            headers["content-type"] = "text/event-stream; charset=utf-8"
            answer.delay_s, answer.chunks = timing.first_s, _paced(reply, timing.pace_s)
        answer.settlement = Settlement(deployment.quota, reservation, reply.prompt_tokens, reply.completion_tokens)
        return answer

    def faulty(self, fault: Fault, family: Family, config: DeploymentConfig) -> Answer:
        """Return the error that `fault` makes."""
        error: WireError = errors.content_filtered()
        headers: dict[str, str] = {}
        if fault.kind == "status" and fault.status is not None:
            seconds = math.ceil(fault.retry_after_s) if fault.retry_after_s is not None else None
            if fault.status == 429:
                error = self._too_many(config, family, "token", 60 if seconds is None else seconds)
            else:
                error = errors.server_error(fault.status)
            if seconds is not None:
                headers = {
                    "retry-after": str(seconds),
                    "retry-after-ms": str(math.ceil((fault.retry_after_s or 0) * 1000)),
                }
        answer = json_answer(self, error.status, error.body, headers)
        answer.deployment, answer.operation = config.name, family.operation
        return answer

    def afflict(self, answer: Answer, struck: Iterable[Fault]) -> Answer:
        """Return `answer` as the faults of the body leave it."""
        for fault in struck:
            if fault.kind == "delay":
                answer.delay_s += fault.delay_s or 0
            elif fault.kind == "slow-stream" and answer.streamed:
                slower = fault.delay_s or 0
                answer.chunks = tuple(
                    Chunk(chunk.delay_s + slower, chunk.data, chunk.tokens) for chunk in answer.chunks
                )
            elif fault.kind == "reset-in-body":
                answer.chunks = _first_half(answer.chunks)
                answer.breaks_off = True
        return answer

    def _too_many(self, config: DeploymentConfig, family: Family, limit: str, seconds: int) -> WireError:
        return errors.too_many_requests(
            operation=family.operation_id,
            api_version=self._api_version(),
            deployment=config.name,
            model=config.model,
            region=self.region,
            limit=limit,
            retry_after_s=seconds,
        )

    def _api_version(self) -> str:
        return self.request.query.get("api-version", DEFAULT_API_VERSION)


def json_answer(
    answering: Answering, status: int, body: dict[str, Any], headers: dict[str, str] | None = None
) -> Answer:
    """Return `body` as the whole answer; an error takes the time that a refusal takes."""
    data = compact(body).encode()
    all_headers = answering.headers() | (headers or {})
    all_headers |= {"content-type": "application/json", "content-length": str(len(data))}
    latency = answering.account.latency
    delay_s = latency.refusal.draw(answering.rng)
    return Answer(status=status, headers=all_headers, delay_s=delay_s, chunks=(Chunk(0.0, data),))


def _paced(reply: Reply, pace_s: float) -> tuple[Chunk, ...]:
    chunks, first = [], True
    for event in reply.events:
        # The first token comes with the headers: the time to it is the delay of the headers.
        delay_s = 0.0 if first else pace_s * event.tokens
        first = first and event.tokens == 0
        chunks.append(Chunk(delay_s, event.data, event.tokens))
    return tuple(chunks)


def _first_half(chunks: tuple[Chunk, ...]) -> tuple[Chunk, ...]:
    if len(chunks) > 1:
        return chunks[: len(chunks) // 2]
    return tuple(Chunk(chunk.delay_s, chunk.data[: len(chunk.data) // 2], chunk.tokens) for chunk in chunks)


def _without_limits(headers: dict[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in headers.items() if not name.startswith(("x-ratelimit-", "retry-after"))}
    for name in ("requests", "tokens"):
        kept |= {f"x-ratelimit-limit-{name}": "-1", f"x-ratelimit-remaining-{name}": "-1"}
        kept[f"x-ratelimit-reset-{name}"] = "0"
    return kept


def _uuid(rng: random.Random) -> str:
    digits = f"{rng.getrandbits(128):032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
