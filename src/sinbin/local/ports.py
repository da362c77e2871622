"""Ports that stay the same: who listened on a port once listens there again after a restart."""

import json
import socket
from pathlib import Path

from sinbin.errors import SinbinError


class StablePorts:
    """Gives every name a port of 127.0.0.1, and remembers which."""

    def __init__(self, file: Path | None, first: int, count: int) -> None:
        """Give ports from `first` on, `count` of them at most; with `first` 0 any that are free, not remembered.

        Args:
            file: where they are remembered; None = in memory only.
            first: the first port.
            count: how many ports from there on may be given.
        """
        self._file = file if first else None
        self._first = first
        self._count = count
        self._known = _read(self._file)

    def knows(self, name: str) -> bool:
        """Return whether `name` has had a port."""
        return name in self._known

    def listen(self, name: str) -> socket.socket:
        """Return a socket that is bound to the port of `name`, or to another one if somebody else has that.

        Raises:
            SinbinError: no port is free.
        """
        if self._first == 0:
            return bind(0)
        taken = {port for other, port in self._known.items() if other != name}
        wanted = self._known.get(name)
        free = [port for port in range(self._first, self._first + self._count) if port not in taken]
        for port in [wanted, *free] if wanted is not None else free:
            try:
                listener = bind(port)
            except OSError:
                continue  # somebody else has it
            self._remember(name, port)
            return listener
        raise SinbinError(
            f"{name}: no port of 127.0.0.1 from {self._first} to {self._first + self._count - 1} is free; end "
            "what uses them, or choose another first port"
        )

    def _remember(self, name: str, port: int) -> None:
        if self._known.get(name) != port:
            self._known[name] = port
            if self._file is not None:
                # Replaced whole: a process that is killed here leaves the old file or the new one.
                new = self._file.with_suffix(".new")
                new.write_text(json.dumps(self._known))
                new.replace(self._file)


def bind(port: int) -> socket.socket:
    """Return a socket that is bound to `port` of 127.0.0.1; 0 = any that is free.

    Raises:
        OSError: the port can't be had.
    """
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
    except OSError:
        listener.close()
        raise
    return listener


def _read(file: Path | None) -> dict[str, int]:
    if file is None or not file.exists():
        return {}
    try:
        found = json.loads(file.read_text())
    except ValueError:
        return {}
    pairs = found.items() if isinstance(found, dict) else ()
    return {name: port for name, port in pairs if isinstance(port, int)}
