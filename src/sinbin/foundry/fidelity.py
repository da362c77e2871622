"""What is claimed about a region's behaviour, and on what ground: read by the fidelity page.

Facts about single models, and the sources of each, are in `models.json`.
"""

from dataclasses import dataclass
from typing import Literal

State = Literal["modelled", "assumed", "differs", "refused"]
"""modelled: as the source says; assumed: no source; differs: otherwise in Azure; refused: not there, told so."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim: the part of a region, what it does, and the source (empty for what is assumed or refused)."""

    part: str
    behaviour: str
    state: State
    source: str = ""


_LEARN = "https://learn.microsoft.com/azure/ai-foundry/openai/"
_RUNS = "42 published load-test runs of three regions, 2026-11-02"

CLAIMS: tuple[Claim, ...] = (
    Claim("quota", "token bucket of one minute, full at the start, refilled continuously", "modelled", _RUNS),
    Claim("quota", "leaky bucket as a choice: open until a minute's amount is reached", "modelled", _RUNS),
    Claim("quota", "fixed minute, 10 s and 1 s windows as a choice", "modelled", _LEARN + "how-to/quota"),
    Claim(
        "quota",
        "sliding minute as a choice",
        "modelled",
        "https://github.com/microsoft/aoai-api-simulator",
    ),
    Claim("quota", "a fixed minute begins at every full minute of the clock", "assumed"),
    Claim("quota", "requests and tokens must both fit; a refused request charges neither", "assumed"),
    Claim(
        "quota",
        "prompt estimate and max_tokens are reserved on arrival, n or best_of times",
        "modelled",
        _LEARN + "how-to/quota",
    ),
    Claim(
        "quota",
        "the reservation is settled at the true size on completion",
        "modelled",
        "https://learn.microsoft.com/answers/questions/1381398",
    ),
    Claim("quota", "a failed request gives its tokens back and stays counted as a request", "assumed"),
    Claim(
        "quota",
        "a stream that its caller cuts off counts as a request, its prompt and the tokens sent so far",
        "assumed",
    ),
    Claim(
        "quota",
        "16 tokens are reserved when the caller names no maximum",
        "modelled",
        "https://github.com/microsoft/aoai-api-simulator (gpt-3.5); assumed for other models",
    ),
    Claim("quota", "Retry-After is what remains of the minute", "modelled", _RUNS),
    Claim(
        "quota",
        "a request above the whole limit is told 86,400 s",
        "modelled",
        "https://github.com/vanderschaarlab/climb/issues/1",
    ),
    Claim(
        "quota",
        "the busy shared pool of Standard deployments: only as a fault (429 for a share of the calls)",
        "differs",
    ),
    Claim("quota", "dynamic quota", "refused"),
    Claim(
        "provisioned",
        "leaky bucket: admitted below 100 %, corrected on completion",
        "modelled",
        _LEARN + "concepts/provisioned-throughput",
    ),
    Claim("provisioned", "100 % stand for one minute of the units' rate", "assumed"),
    Claim(
        "provisioned",
        "cached prompt tokens cost as much as others",
        "differs",
        _LEARN + "concepts/provisioned-throughput",
    ),
    Claim(
        "provisioned",
        "spillover on any answer from 429 on, by deployment or by header",
        "modelled",
        _LEARN + "how-to/spillover-traffic-management",
    ),
    Claim("latency", "log-normal by median and 95th percentile, refusals 150 to 200 ms", "modelled", _RUNS),
    Claim("latency", "independent of the load on the region", "differs"),
    Claim(
        "access",
        "key off: 403; wrong key: 401; wrong audience: 401",
        "modelled",
        "public reports, named in replies/errors.py",
    ),
    Claim("access", "signature and expiry of tokens, role assignments, networks", "refused"),
    Claim(
        "routes",
        "a dated route without api-version is 404",
        "modelled",
        "https://github.com/MicrosoftDocs/azure-docs/issues/114602",
    ),
    Claim("routes", "every api-version of the right form is taken, and all behave alike", "differs"),
    Claim("routes", "audio, images, files, batches, assistants: 400", "refused"),
    Claim(
        "realtime",
        "a session over a WebSocket, in the events of the v1 API",
        "modelled",
        "https://learn.microsoft.com/javascript/api/@azure/ai-projects/realtimeservereventtype",
    ),
    Claim(
        "realtime",
        "the dated API names its text events and items as the preview did",
        "modelled",
        "https://github.com/liusida/dictionary (OpenAI-Realtime-API-responses-example.md)",
    ),
    Claim("realtime", "every chat model takes sessions, text alone; audio and tools: an error event", "differs"),
    Claim("realtime", "a response costs the quota what the same chat would, and says the same", "assumed"),
    Claim(
        "realtime",
        "a session ends after 30 minutes",
        "modelled",
        "https://learn.microsoft.com/answers/a/12544418",
    ),
    Claim("realtime", "how it ends then: 1001", "assumed"),
    Claim("realtime", "WebRTC, SIP, `realtime/client_secrets`, `rate_limits.updated`", "refused"),
    Claim("replies", "the text is made up; tokens of a prompt are estimated at four bytes each", "differs"),
    Claim("replies", "sampling parameters are checked and have no effect", "differs"),
    Claim(
        "replies",
        "first stream chunk with empty choices and the prompt's filter results",
        "modelled",
        "https://github.com/sashabaranov/go-openai/issues/444",
    ),
    Claim("replies", "tools are called only when they must be; reasoning and cached tokens are 0", "differs"),
    Claim("replies", "logprobs, audio, predictions, data sources, functions of the older kind: 400", "refused"),
    Claim("replies", "Responses state is kept per account", "modelled", _LEARN + "how-to/responses"),
    Claim("replies", "background responses, conversations, prompts, built-in tools: 400", "refused"),
    Claim(
        "headers",
        "as in a reply of gpt-5-nano recorded in October 2025",
        "modelled",
        "tests of envoyproxy/ai-gateway",
    ),
    Claim(
        "headers",
        "the request limit per 10 s as an option",
        "modelled",
        "https://learn.microsoft.com/answers/questions/2265464",
    ),
    Claim(
        "headers",
        "Responses without limits as an option",
        "modelled",
        "https://github.com/openai/openai-dotnet/issues/838",
    ),
    Claim("headers", "utilisation of a provisioned deployment in a header", "assumed"),
)
