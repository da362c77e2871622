"""Carries out what a running policy asks for, with real requests and on the clock of the local Azure."""

import asyncio
import ssl
from collections.abc import Callable, Coroutine
from functools import lru_cache
from typing import Any

from sinbin.foundry.auth import make_token
from sinbin.gateway.effects import (
    Effect,
    Forward,
    Outcome,
    Parallel,
    ReadBody,
    SendRequest,
    SingleOutcome,
    TransportError,
    TransportErrorKind,
    Wait,
)
from sinbin.gateway.messages import BodyStream, Headers, HttpRequest, HttpResponse
from sinbin.local.clock import Clock
from sinbin.local.gateway.destinations import Destinations, Unreachable
from sinbin.local.gateway.wire import read_headers, to_backend
from sinbin.local.http.client import HttpClient, TransportFailure
from sinbin.local.http.response import BodyTooLargeError, ClientResponse
from sinbin.local.http.websocket import WebSocket

_IDENTITY = "Bearer managed-identity/"
_BUFFERED_BYTES = 64 * 1024 * 1024
"""What a reply that is buffered may have: as much as a request."""
_KINDS: dict[str, TransportErrorKind] = {
    "dns": "dns", "tls": "tls", "refused": "reset", "reset": "reset", "timeout": "timeout"
}  # fmt: skip

Note = Callable[[str], None]
"""Takes a remark for the trace of the request."""


class Relayed:
    """A reply's body that is still arriving."""

    __slots__ = ("response",)

    def __init__(self, response: ClientResponse) -> None:
        self.response = response


class Effects:
    """Carries out the effects of all requests of one gateway."""

    def __init__(self, client: HttpClient, destinations: Destinations, clock: Clock) -> None:
        """Send with `client`; waits and limits are seconds of `clock`."""
        self._client = client
        self._destinations = destinations
        self._clock = clock
        self._unattended: set[asyncio.Task[SingleOutcome]] = set()

    @property
    def clock(self) -> Clock:
        """Whose seconds waits and limits are."""
        return self._clock

    def begin(self, note: Note | None, protocols: list[str] | None = None) -> "Carrier":
        """Return what carries out the effects of one request.

        Args:
            note: takes remarks for its trace.
            protocols: the subprotocols of the handshake that the request is; None = it is none.
        """
        return Carrier(self, note, protocols)

    async def send(
        self, request: HttpRequest, timeout_s: float, note: Note | None
    ) -> HttpResponse | TransportError:
        """Send `request` and return its reply as soon as the head is there."""
        try:
            destination, target = self._destinations.find(request.url)
            response = await self._client.send(
                destination.origin,
                request.method,
                target,
                to_backend(_with_token(request.headers), destination.host),
                request.body or b"",
                timeout_s=self._clock.wall_s(timeout_s),
            )
        except Unreachable as why:
            _say(note, str(why))
            return TransportError(why.kind)
        except TransportFailure as failure:
            _say(note, str(failure))
            return TransportError(_KINDS[failure.kind])
        except (ValueError, UnicodeEncodeError) as error:
            _say(note, f"cannot be sent: {error}")
            return TransportError("reset")
        headers = read_headers(response.headers)
        body: bytes | BodyStream = Relayed(response)
        if response.complete and "event-stream" not in (headers.get("content-type") or ""):
            body = await response.read()
        return HttpResponse(response.status, headers, body, response.reason)

    async def open(
        self, request: HttpRequest, timeout_s: float, protocols: list[str], note: Note | None
    ) -> WebSocket | HttpResponse | TransportError:
        """Send the handshake `request` and return the open WebSocket, or the reply that refuses it."""
        try:
            destination, target = self._destinations.find(request.url)
            path, question, query = target.partition("?")
            async with asyncio.timeout(self._clock.wall_s(timeout_s)):
                opened = await WebSocket.connect(
                    destination.origin,
                    # The handshake's path is "/": the service URL itself is meant, not a folder of that name.
                    (path.rstrip("/") or "/") + question + query,
                    to_backend(_with_token(request.headers), destination.host),
                    protocols,
                )
        except Unreachable as why:
            _say(note, str(why))
            return TransportError(why.kind)
        except TimeoutError:
            _say(note, f"no answer to the handshake within {timeout_s:g} s")
            return TransportError("timeout")
        except (OSError, ValueError, UnicodeError) as error:
            _say(note, f"no WebSocket: {error}")
            return TransportError("tls" if isinstance(error, ssl.SSLError) else "reset")
        if isinstance(opened, WebSocket):
            return opened
        headers = read_headers((name.encode(), value.encode()) for name, value in opened.headers.raw_items())
        return HttpResponse(opened.status_code, headers, bytes(opened.body or b""), opened.reason_phrase)

    async def read(self, response: ClientResponse, timeout_s: float, note: Note | None) -> bytes | TransportError:
        """Return the body of a reply that is buffered."""
        try:
            async with asyncio.timeout(self._clock.wall_s(timeout_s)):
                return await response.read(_BUFFERED_BYTES)
        except TimeoutError:
            _say(note, f"timeout: the body did not end within {timeout_s:g} s")
            return TransportError("timeout")
        except (ConnectionError, BodyTooLargeError) as error:
            _say(note, f"reset: {error}")
            return TransportError("reset")
        finally:
            response.close()

    async def wait(self, seconds: float) -> None:
        """Let `seconds` of the clock pass."""
        await self._clock.sleep(seconds)

    def leave(self, work: Coroutine[Any, Any, SingleOutcome]) -> None:
        """Do `work` beside the request, which does not wait for it."""
        task = asyncio.ensure_future(work)
        self._unattended.add(task)
        task.add_done_callback(self._unattended.discard)


class Carrier:
    """Carries out the effects of one request, and knows what it has opened."""

    __slots__ = ("_effects", "_note", "_opened", "_protocols", "pinned")

    def __init__(self, effects: Effects, note: Note | None, protocols: list[str] | None) -> None:
        self._effects = effects
        self._protocols = protocols
        self.pinned: WebSocket | None = None
        """The backend's end of the WebSocket that the request asked for, once it is open."""
        self._note = note
        self._opened: list[Relayed] = []

    async def carry_out(self, effect: Effect) -> Outcome:
        """Return what comes of `effect`."""
        if type(effect) is Parallel:
            return await self._parallel(effect)
        return await self._single(effect)  # type: ignore[arg-type]  # all others are single

    def close(self, kept: object = None) -> None:
        """Give up every reply whose body nobody took, except `kept`."""
        for opened in self._opened:
            if opened is not kept:
                opened.response.close()
        if self.pinned is not None and self.pinned is not kept:
            self.pinned.abort()
            self.pinned = None

    async def _single(self, effect: Forward | SendRequest | ReadBody | Wait) -> SingleOutcome:
        if isinstance(effect, Wait):
            await self._effects.wait(effect.seconds)
            return None
        if isinstance(effect, ReadBody):
            assert isinstance(effect.stream, Relayed)
            return await self._effects.read(effect.stream.response, effect.timeout_s, self._note)
        if isinstance(effect, SendRequest) and effect.one_way:
            self._effects.leave(self._unattended(effect))
            return None
        if self._protocols is not None and isinstance(effect, Forward):
            return await self._pin(effect, self._protocols)
        outcome = await self._effects.send(effect.request, effect.timeout_s, self._note)
        if isinstance(outcome, HttpResponse) and isinstance(outcome.body, Relayed):
            self._opened.append(outcome.body)
        return outcome

    async def _pin(self, effect: Forward, protocols: list[str]) -> HttpResponse | TransportError:
        opened = await self._effects.open(effect.request, effect.timeout_s, protocols, self._note)
        if not isinstance(opened, WebSocket):
            return opened
        if self.pinned is not None:
            self.pinned.abort()  # a policy has sent the handshake once more
        self.pinned = opened
        headers = read_headers((name.lower().encode(), value.encode()) for name, value in opened.headers)
        return HttpResponse(101, headers, None)

    async def _unattended(self, effect: SendRequest) -> None:
        outcome = await self._effects.send(effect.request, effect.timeout_s, None)
        if isinstance(outcome, HttpResponse) and isinstance(outcome.body, Relayed):
            outcome.body.response.close()

    async def _parallel(self, effect: Parallel) -> list[SingleOutcome]:
        tasks = [asyncio.ensure_future(self._single(one)) for one in effect.effects]
        try:
            if effect.first_only:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            else:
                await asyncio.gather(*tasks)
            first = next((task for task in tasks if task.done()), None)
            return [
                task.result() if task.done() and (task is first or not effect.first_only) else None
                for task in tasks
            ]
        finally:
            for task in tasks:
                task.cancel()


def _with_token(headers: Headers) -> Headers:
    """Return `headers` with a token that a region takes in place of the gateway's stand-in for one."""
    shown = headers.get("authorization")
    if shown is None or not shown.startswith(_IDENTITY):
        return headers
    _, _, audience = shown.removeprefix(_IDENTITY).partition("/")
    headers = headers.copy()
    headers.set("Authorization", _bearer(audience))
    return headers


@lru_cache(maxsize=16)
def _bearer(audience: str) -> str:
    return f"Bearer {make_token(audience)}"


def _say(note: Note | None, text: str) -> None:
    if note is not None:
        note(text)
