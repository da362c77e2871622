"""What one local Azure runs: services that start in order and stop in the reverse one."""

import errno
import socket
import threading
from typing import Protocol

import uvicorn
from starlette.types import ASGIApp

from sinbin.errors import SinbinError

_STOP_S = 5
HEADER_BYTES = 64 * 1024


class Service(Protocol):
    """Something that listens on a port of 127.0.0.1."""

    name: str

    def start(self) -> int:
        """Begin to listen and return the port.

        Raises:
            SinbinError: it can't, e.g. because the port is taken.
        """

    def stop(self) -> None:
        """End what runs; what was answered is kept."""


class HttpService:
    """An ASGI app in a thread of its own."""

    def __init__(self, name: str, app: ASGIApp, port: int, option: str) -> None:
        """Serve `app` on `port` (0 = any that is free); `option` of the command line chooses another."""
        self.name = name
        self._app = app
        self._port = port
        self._option = option
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> int:
        """Begin to listen and return the port."""
        listener = listen(self._port, self._option)
        config = uvicorn.Config(
            self._app,
            log_level="warning",
            access_log=False,
            lifespan="off",
            h11_max_incomplete_event_size=HEADER_BYTES,
            http="h11",
            timeout_graceful_shutdown=_STOP_S,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [listener]}, name=self.name)
        self._thread.start()
        return int(listener.getsockname()[1])

    def stop(self) -> None:
        """Finish running requests and end."""
        if self._server is not None and self._thread is not None:
            self._server.should_exit = True
            self._thread.join(_STOP_S * 2)


def listen(port: int, option: str) -> socket.socket:
    """Return a socket that listens on `port` of 127.0.0.1.

    Raises:
        SinbinError: the port is taken or not ours to take.
    """
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
    except OSError as error:
        listener.close()
        reason = "is taken" if error.errno == errno.EADDRINUSE else f"can't be used ({error.strerror})"
        raise SinbinError(
            f"port {port} of 127.0.0.1 {reason}; choose another with {option}, or 0 for any that is free"
        ) from error
    listener.listen(128)
    return listener
