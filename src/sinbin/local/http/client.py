"""A pooled HTTP/1.1 client: what a local gateway forwards with.

A connection that is reused and turns out to be dead is an error to the caller, never a silent second attempt: the
request may have been received, and a fault that breaks connections must be seen. To make that rare, a connection
that was idle for a few seconds is not reused.
"""

import asyncio
import socket
import ssl
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sinbin.local.http.messages import Header, encode_head
from sinbin.local.http.response import ClientConnection, ClientResponse

FailureKind = Literal["dns", "tls", "refused", "reset", "timeout"]

_IDLE_S = 4.0
"""Below the five seconds after which common servers close an idle connection."""


class TransportFailure(Exception):  # noqa: N818 - what went wrong, in the words of the gateway
    """No answer, or no whole answer: why."""

    def __init__(self, kind: FailureKind, detail: str) -> None:
        self.kind = kind
        super().__init__(f"{kind}: {detail}")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a connection goes."""

    secure: bool
    host: str
    port: int


class HttpClient:
    """Sends requests and keeps connections; all of it in one loop."""

    def __init__(self, connect_s: float = 10.0, tls: ssl.SSLContext | None = None) -> None:
        """Make a client that gives up connecting after `connect_s` seconds on the wall."""
        self._connect_s = connect_s
        self._tls = tls
        self._idle: dict[Origin, list[ClientConnection]] = {}

    async def send(
        self,
        origin: Origin,
        method: str,
        target: str,
        headers: Sequence[Header],
        body: bytes,
        *,
        timeout_s: float | None = None,
    ) -> ClientResponse:
        """Send a request with its whole body and return the response when its head is there.

        Args:
            origin: where to.
            method: the verb.
            target: path and query as they go on the wire.
            headers: without content-length, which is added, and with host.
            body: the whole body.
            timeout_s: seconds on the wall until the head must be there; None = for ever.

        Raises:
            TransportFailure: there was no answer.
        """
        connection = self._reusable(origin) or await self._connect(origin)
        length = (b"content-length", str(len(body)).encode())
        measured = (*headers, length) if body or method in ("POST", "PUT", "PATCH") else headers
        head = encode_head(f"{method} {target} HTTP/1.1\r\n".encode("latin-1"), measured)
        response = connection.begin(head + body, method)
        timer = None
        if timeout_s is not None:
            timer = asyncio.get_running_loop().call_later(timeout_s, connection.time_out)
        try:
            await response.head
        except TimeoutError as error:
            raise TransportFailure("timeout", f"no answer within {timeout_s:g} s") from error
        except ConnectionError as error:
            raise TransportFailure("reset", str(error)) from error
        except BaseException:
            connection.abort()
            raise
        finally:
            if timer is not None:
                timer.cancel()
        return response

    def close(self) -> None:
        """Close the connections that nobody uses."""
        for connections in self._idle.values():
            for connection in connections:
                connection.abort()
        self._idle.clear()

    def _reusable(self, origin: Origin) -> ClientConnection | None:
        idle = self._idle.get(origin)
        oldest = time.monotonic() - _IDLE_S
        while idle:
            connection = idle.pop()
            if connection.is_open and connection.idle_since >= oldest:
                return connection
            connection.abort()
        return None

    async def _connect(self, origin: Origin) -> ClientConnection:
        loop = asyncio.get_running_loop()
        idle = self._idle.setdefault(origin, [])
        tls = (self._tls or ssl.create_default_context()) if origin.secure else None
        try:
            async with asyncio.timeout(self._connect_s):
                _, connection = await loop.create_connection(
                    lambda: ClientConnection(loop, idle.append), origin.host, origin.port, ssl=tls
                )
        except TimeoutError as error:
            raise TransportFailure("timeout", f"no connection within {self._connect_s:g} s") from error
        except socket.gaierror as error:
            raise TransportFailure("dns", f"{origin.host} is not found") from error
        except (ssl.SSLError, ssl.CertificateError) as error:
            raise TransportFailure("tls", str(error)) from error
        except ConnectionRefusedError as error:
            raise TransportFailure("refused", f"nobody listens on {origin.host}:{origin.port}") from error
        except OSError as error:
            raise TransportFailure("tls" if tls is not None else "refused", str(error)) from error
        return connection
