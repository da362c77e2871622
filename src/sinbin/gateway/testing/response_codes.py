"""What a caller gets for every answer of a region: with and without a healthy member, a breaker, a retry.

Two regions, priority 1 and 2. `a` gives the answer in question; `b` is healthy, or gives the same answer. The
breaker counts 429, 500 to 599 and, with error reasons, missing replies; it trips on the first for a minute and
accepts Retry-After. The retry makes up to two more attempts when there is no reply, or one with 429 or 500 and
more.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from sinbin.gateway.configuration import Api, Backend, GatewayConfiguration, PolicySource, Pool
from sinbin.gateway.gateway import Gateway
from sinbin.gateway.messages import Headers, HttpRequest
from sinbin.gateway.testing.driver import Driver, ScriptedReply
from sinbin.topology import NO_REPLY_REASONS, CircuitBreaker, PoolMember, StatusRange

_STATUS_CODES_ONLY = CircuitBreaker(
    failure_count=1,
    interval_s=60.0,
    trip_duration_s=60.0,
    status_ranges=(StatusRange(low=429, high=429), StatusRange(low=500, high=599)),
    accept_retry_after=True,
)
BREAKERS: dict[str, CircuitBreaker | None] = {
    "breaker": replace(_STATUS_CODES_ONLY, error_reasons=NO_REPLY_REASONS),
    "breaker without error reasons": _STATUS_CODES_ONLY,
    "no breaker": None,
}
CONDITION = (
    "@(context.Response == null || context.Response.StatusCode == 429 || context.Response.StatusCode >= 500)"
)
_FORWARD = '<forward-request buffer-request-body="true" />'
_RETRY = f'<retry condition="{CONDITION}" count="2" interval="0">{_FORWARD}</retry>'
RETRY_AFTER_S = 20

ANSWERS: dict[str, ScriptedReply] = {
    **{str(status): ScriptedReply(status) for status in (400, 401, 403, 404, 408, 409, 429)},
    f"429, Retry-After {RETRY_AFTER_S}": ScriptedReply(429, (("Retry-After", str(RETRY_AFTER_S)),)),
    **{str(status): ScriptedReply(status) for status in (499, 500, 502, 503, 504)},
    "no reply: DNS": ScriptedReply(error="dns"),
    "no reply: TLS": ScriptedReply(error="tls"),
    "no reply: reset": ScriptedReply(error="reset"),
    "no reply: timeout": ScriptedReply(error="timeout", latency_s=1.0),
}
"""What a region may answer, by its name in the table."""


@dataclass(frozen=True, slots=True)
class Row:
    """One cell of the table: a setup, an answer, and what comes of it."""

    answer: str
    healthy_remains: bool
    breaker: str
    retry: bool
    status: int
    retry_after: str | None
    calls: tuple[str, ...]
    sits_out: tuple[tuple[str, float], ...]
    """Who sits out after it, and for how many seconds."""


def rows() -> Iterator[Row]:
    """Yield the whole table, setup by setup."""
    for breaker, retry, healthy, name in product(BREAKERS, (True, False), (True, False), ANSWERS):
        driver = Driver(Gateway(_configuration(BREAKERS[breaker], retry=retry)))
        answer = ANSWERS[name]
        answers = {"a": [answer], "b": [ScriptedReply() if healthy else answer]}
        ran = driver.run(HttpRequest("POST", "/chat/completions", Headers(), b"{}"), answers)
        out = driver.gateway.instances[0].backends.sitting_out(driver.now)
        response = ran.response
        yield Row(
            answer=name,
            healthy_remains=healthy,
            breaker=breaker,
            retry=retry,
            status=response.status,
            retry_after=response.headers.get("Retry-After"),
            calls=tuple(ran.backends),
            sits_out=tuple((backend, until - driver.now) for backend, until in out.items()),
        )


def _configuration(rule: CircuitBreaker | None, *, retry: bool) -> GatewayConfiguration:
    text = (
        '<policies><inbound><set-backend-service backend-id="regions" /></inbound>'
        f"<backend>{_RETRY if retry else _FORWARD}</backend><outbound /><on-error /></policies>"
    )
    return GatewayConfiguration(
        backends=tuple(Backend(name=name, url=f"http://{name}.test", circuit_breaker=rule) for name in "ab"),
        pools=(
            Pool(
                name="regions",
                members=(
                    PoolMember(backend="a", priority=1, weight=1),
                    PoolMember(backend="b", priority=2, weight=1),
                ),
            ),
        ),
        apis=(Api(name="api", path="", policy=PolicySource(text=text, name="api.xml")),),
    )


def page() -> str:
    """Return the page `docs/response-codes.md`."""
    table = {(row.breaker, row.retry, row.healthy_remains, row.answer): row for row in rows()}
    lines = [_INTRODUCTION]
    for breaker, retry in product(BREAKERS, (True, False)):
        lines.append(f"## {breaker.capitalize()}, {'retry' if retry else 'no retry'}\n")
        lines.append(
            "| `a` answers | `b` is healthy | calls | sits out | `b` answers the same | calls | sits out |"
        )
        lines.append("|---|---|---|---|---|---|---|")
        for answer in ANSWERS:
            cells = [_cells(table[breaker, retry, healthy, answer]) for healthy in (True, False)]
            lines.append(f"| {answer} | {' | '.join(cells)} |")
        lines.append("")
    return "\n".join(lines)


def _cells(row: Row) -> str:
    status = str(row.status) + (f", Retry-After {row.retry_after}" if row.retry_after else "")
    out = ", ".join(f"{name} {seconds:g} s" for name, seconds in row.sits_out)
    return f"{status} | {' '.join(row.calls)} | {out}"


_INTRODUCTION = """\
<!-- generated by scripts/docs.py: do not edit -->

# What a caller gets

Two regions in a pool, `a` with priority 1 and `b` with priority 2. For every answer of `a`: what the caller gets,
which calls left the gateway, and who sits out afterwards for how long.

- the breaker trips on the first 429 or 500 to 599, for 60 s or for what Retry-After asks
- the retry makes up to two more attempts, without a pause, when there is no reply or one with 429 or 500 and more
- a missing reply trips a breaker only by its error reasons: `BackendConnectionFailure` and `Timeout`, the default
  of a stack file; with `errorReasons: []`, as most published samples have it, a region that is down never sits out
"""
