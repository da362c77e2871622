"""A realtime session: events of the caller in, events of the model out, all of them text.

A response is the chat completion of the conversation so far, event by event: it says the same, costs the quota the
same and meets the same faults. Not modelled: audio, tools, transcription, voice detection.

Source: https://learn.microsoft.com/javascript/api/@azure/ai-projects/realtimeservereventtype (v1) and
a session recorded in https://github.com/liusida/dictionary (the dated preview), read 2026-11-30.
"""

import base64
import json
import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from sinbin.foundry.answers import Answering
from sinbin.foundry.deployment import Deployment
from sinbin.foundry.exchange import Answer, Chunk, Request
from sinbin.foundry.faults import Fault
from sinbin.foundry.replies.errors import front_error
from sinbin.foundry.replies.reply import FAMILIES

SESSION_S = 1800.0
"""Source: https://learn.microsoft.com/answers/a/12544418, read 2026-11-30."""
_CHAT_VERSION = "2024-10-21"
_TEXTS = ("input_text", "output_text", "text")


def open_session(answering: Answering, deployment: Deployment, struck: Iterable[Fault]) -> Answer:
    """Return the answer to a handshake: 101, or the status that a fault wants.

    Raises:
        WireError: the request asks for no WebSocket, or the model for no chat.
    """
    if answering.request.headers.get("upgrade", "").lower() != "websocket":
        raise front_error(426, "426", "Upgrade Required")
    family = FAMILIES["chat"]
    if family.operation not in deployment.facts.operations:
        raise front_error(400, "OperationNotSupported", "The realtime operation does not work with this model.")
    for fault in struck:
        if fault.kind == "status":
            return answering.faulty(fault, family, deployment.config)
    return Answer(status=101, headers=answering.headers(), deployment=deployment.config.name)


class RealtimeSession:
    """What one session remembers; every method returns an answer whose chunks are the events to send."""

    def __init__(
        self, ask: Callable[[float, Request], Answer], request: Request, deployment: str, rng: random.Random
    ) -> None:
        """Begin a session.

        Args:
            ask: asks the region, as `Region.receive` does.
            request: the handshake; its keys and tokens pay for the responses as well.
            deployment: which model speaks.
            rng: where identifiers come from.
        """
        self._ask = ask
        self._request = request
        self._deployment = deployment
        self._rng = rng
        self._dated = not request.path.startswith("/openai/v1/")
        self._items: list[dict[str, Any]] = []
        self._session: dict[str, Any] = {
            "id": self._identifier("sess_"),
            "object": "realtime.session",
            "type": "realtime",
            "model": deployment,
            "output_modalities": ["text"],
            "instructions": "",
        }

    def begin(self) -> Answer:
        """Return what the caller is told first."""
        return self._say(("session.created", {"session": self._session}))

    def receive(self, now: float, text: str | bytes) -> Answer:
        """Return what comes of an event of the caller at `now`; what it owes is for `Region.finish`."""
        try:
            event = json.loads(text)
            kind = event["type"]
        except (ValueError, TypeError, KeyError, RecursionError):
            return self._wrong("the message is no JSON object with a `type`", None)
        identifier = event.get("event_id")
        match kind:
            case "session.update":
                return self._update(event.get("session"), identifier)
            case "conversation.item.create":
                return self._add(event.get("item"), event.get("previous_item_id"), identifier)
            case "response.create":
                return self._respond(now, event.get("response"), identifier)
        return self._wrong(f"the event {kind} is not modelled by sinbin", identifier)

    def _update(self, given: Any, identifier: Any) -> Answer:
        if not isinstance(given, dict):
            return self._wrong("session: an object is expected", identifier)
        if (problem := _not_text(given)) is not None:
            return self._wrong(problem, identifier)
        self._session |= {name: value for name, value in given.items() if name not in ("id", "object", "model")}
        return self._say(("session.updated", {"session": self._session}))

    def _add(self, given: Any, previous: Any, identifier: Any) -> Answer:
        item = given if isinstance(given, dict) else {}
        parts = item.get("content")
        if item.get("type") != "message" or not isinstance(parts, list):
            return self._wrong(
                "item: only a message with a list as its `content` is modelled by sinbin", identifier
            )
        if not all(_is_text(part) for part in parts):
            return self._wrong(
                f"item.content: only parts of the types {', '.join(_TEXTS)} with a `text` are modelled by sinbin",
                identifier,
            )
        before = self._items[-1]["id"] if self._items else None
        if previous not in (None, before):
            return self._wrong(
                "previous_item_id: only the last item, which it is without one, is modelled by sinbin", identifier
            )
        item = {"id": self._identifier("item_"), "object": "realtime.item", "status": "completed"} | item
        self._items.append(item)
        return self._say(*self._item_events(item, before))

    def _respond(self, now: float, given: Any, identifier: Any) -> Answer:
        options = given if isinstance(given, dict) else {}
        if (problem := _not_text(options)) is not None:
            return self._wrong(problem, identifier)
        longest = options.get("max_output_tokens", self._session.get("max_output_tokens"))
        body: dict[str, Any] = {"messages": self._messages(options.get("instructions")), "stream": True}
        if isinstance(longest, int):
            body["max_completion_tokens"] = longest
        path = f"/openai/deployments/{self._deployment}/chat/completions"
        query = {"api-version": _CHAT_VERSION}
        answer = self._ask(now, Request("POST", path, query, self._request.headers, json.dumps(body).encode()))
        if answer.transport_error is not None:
            return answer
        response = {"id": self._identifier("resp_"), "object": "realtime.response", "output": []}
        if answer.status != 200:
            return self._failed(answer, response, identifier)
        return self._spoken(answer, response, _prompt_tokens(answer))

    def _spoken(self, answer: Answer, response: dict[str, Any], prompt_tokens: int) -> Answer:
        """Return the events of a response in the rhythm of the chat's chunks."""
        item: dict[str, Any] = {
            "id": self._identifier("item_"),
            "object": "realtime.item",
            "type": "message",
            "role": "assistant",
            "status": "in_progress",
            "content": [],
        }
        at = {"response_id": response["id"], "item_id": item["id"], "output_index": 0, "content_index": 0}
        kind, part = ("response.text", "text") if self._dated else ("response.output_text", "output_text")
        before = self._items[-1]["id"] if self._items else None
        head = [
            ("response.created", {"response": response | {"status": "in_progress"}}),
            ("response.output_item.added", at | {"item": item}),
            *self._item_events(item, before)[:1],
            ("response.content_part.added", at | {"part": {"type": part, "text": ""}}),
        ]
        chunks = [self._chunk(*event) for event in head]
        chunks[0] = replace(chunks[0], delay_s=answer.delay_s)
        text, tokens = "", 0
        for chunk in answer.chunks:
            said = _content(chunk.data)
            text, tokens = text + said, tokens + chunk.tokens
            if said:
                event = self._chunk(f"{kind}.delta", at | {"delta": said})
                chunks.append(replace(event, delay_s=chunk.delay_s, tokens=chunk.tokens))
        item = item | {"status": "completed", "content": [{"type": part, "text": text}]}
        self._items.append(item)
        usage = {
            "total_tokens": prompt_tokens + tokens,
            "input_tokens": prompt_tokens,
            "output_tokens": tokens,
        }
        done = response | {"status": "completed", "output": [item], "usage": usage}
        tail = [
            (f"{kind}.done", at | {"text": text}),
            ("response.content_part.done", at | {"part": item["content"][0]}),
            ("response.output_item.done", at | {"item": item}),
            *self._item_events(item, before)[1:],
            ("response.done", {"response": done}),
        ]
        chunks += [self._chunk(*event) for event in tail]
        return replace(answer, delay_s=0.0, chunks=tuple(chunks))

    def _failed(self, answer: Answer, response: dict[str, Any], identifier: Any) -> Answer:
        error = json.loads(answer.body)["error"]
        if answer.status != 429 and answer.status < 500:
            return self._wrong(error["message"], identifier)
        code = "rate_limit_exceeded" if answer.status == 429 else "server_error"
        details = {"type": "failed", "error": {"type": code, "code": code, "message": error["message"]}}
        return self._say(
            ("response.done", {"response": response | {"status": "failed", "status_details": details}})
        )

    def _messages(self, instructions: Any) -> list[dict[str, str]]:
        system = instructions if isinstance(instructions, str) else self._session["instructions"]
        said = [
            {"role": item.get("role", "user"), "content": "".join(part["text"] for part in item["content"])}
            for item in self._items
        ]
        return ([{"role": "system", "content": system}] if system else []) + said

    def _item_events(self, item: dict[str, Any], before: str | None) -> list[tuple[str, dict[str, Any]]]:
        values = {"item": item, "previous_item_id": before}
        if self._dated:
            return [("conversation.item.created", values)]
        return [("conversation.item.added", values), ("conversation.item.done", values)]

    def _wrong(self, message: str, identifier: Any) -> Answer:
        error = {"type": "invalid_request_error", "code": "invalid_value", "message": message, "param": None}
        return self._say(("error", {"error": error | {"event_id": identifier}}))

    def _say(self, *events: tuple[str, Mapping[str, Any]]) -> Answer:
        return Answer(status=200, chunks=tuple(self._chunk(*event) for event in events))

    def _chunk(self, kind: str, values: Mapping[str, Any]) -> Chunk:
        event = {"type": kind, "event_id": self._identifier("event_"), **values}
        return Chunk(0.0, json.dumps(event, separators=(",", ":")).encode())

    def _identifier(self, prefix: str) -> str:
        return prefix + base64.b32encode(self._rng.randbytes(13)).decode().rstrip("=")[:21]


def _not_text(options: Mapping[str, Any]) -> str | None:
    """Return what `options` ask for that a session of text does not do."""
    if options.get("type") not in (None, "realtime"):
        return 'type: only "realtime" is modelled by sinbin'
    if options.get("conversation") not in (None, "auto"):
        return 'conversation: only "auto" is modelled by sinbin'
    if options.get("input") is not None:
        return "input: only the items of the conversation are modelled by sinbin"
    for name in ("output_modalities", "modalities"):
        if options.get(name) not in (None, ["text"]):
            return f'{name}: only ["text"] is modelled by sinbin'
    if options.get("tools"):
        return "tools are not modelled by sinbin"
    return None


def _is_text(part: Any) -> bool:
    return isinstance(part, dict) and part.get("type") in _TEXTS and isinstance(part.get("text"), str)


def _content(data: bytes) -> str:
    """Return the text that a piece of a chat's stream brings."""
    text = ""
    for line in data.decode().splitlines():
        if line.startswith("data: {"):
            for choice in json.loads(line.removeprefix("data: "))["choices"]:
                text += choice["delta"].get("content") or ""
    return text


def _prompt_tokens(answer: Answer) -> int:
    return 0 if answer.settlement is None else answer.settlement.prompt_tokens
