"""The loads that `sinbin loadtest` knows by name, as in a scenario file."""

from collections.abc import Mapping
from typing import Any

KINDS = ("steady", "burst", "stream", "mixed")
_LONG_PROMPT = 10
"""How many times longer the long prompts of a mixed load are."""


def load_of(kind: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the load called `kind`.

    steady: answers that are not streamed; burst: `requests` shared by `callers`; stream: every answer is streamed
    and counts from its first token; mixed: six in ten steady, three streamed, one with a prompt ten times longer.

    Args:
        kind: one of `KINDS`.
        options: `rate` (requests/s), `duration` (s), `requests`, `callers`, `prompt_tokens`, `max_tokens`.
    """
    prompt, most = options["prompt_tokens"], options["max_tokens"]
    # Callers name the longest reply, and the model writes as much: so prediction and measurement reserve alike.
    sizes = {"promptTokens": prompt, "completionTokens": most, "maxTokens": most}
    load: dict[str, Any] = {"callers": options["callers"], **sizes, "stream": kind == "stream"}
    if kind == "burst":
        return load | {"kind": "burst", "requests": options["requests"]}
    if kind == "mixed":
        load["mix"] = [
            {"name": "chat", "share": 6, **sizes},
            {"name": "stream", "share": 3, **sizes, "stream": True},
            {"name": "long prompt", "share": 1, **sizes, "promptTokens": prompt * _LONG_PROMPT},
        ]
    return load | {"kind": "steady", "requestsPerSecond": options["rate"], "durationSeconds": options["duration"]}
