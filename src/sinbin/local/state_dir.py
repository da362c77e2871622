"""The folder of a local Azure: its state, its lock, what runs, its log, and the Pulumi backend.

lock             held by the process that serves; the system frees it when the process dies, however it dies
process.json     pid and ports of that process
control-plane.db the state of ARM
region-ports.json where each Foundry account listens, so that it listens there again
gateway-ports.json likewise each API Management service beside the first
log              what the process in the background wrote
pulumi/          the backend of the stacks
"""

import fcntl
import json
import os
import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from sinbin.errors import SinbinError

DEFAULT = Path(".sinbin/local")
_STOP_S = 15.0


@dataclass(frozen=True, slots=True)
class Running:
    """A process that serves."""

    pid: int
    ports: dict[str, int]
    subscription: str
    tenant: str


class StateDir:
    """The folder of one local Azure."""

    def __init__(self, path: Path) -> None:
        """Use the folder `path`; nothing is made until something is written."""
        self.path = path.absolute()
        self.database = self.path / "control-plane.db"
        self.region_ports = self.path / "region-ports.json"
        self.gateway_ports = self.path / "gateway-ports.json"
        self.log = self.path / "log"
        self.backend = self.path / "pulumi"
        self._lock = self.path / "lock"
        self._process = self.path / "process.json"

    def make(self) -> None:
        """Make the folder.

        Raises:
            SinbinError: it can't be made or written.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
            (self.path / ".gitignore").write_text("*\n")
            self.backend.mkdir(exist_ok=True)
        except OSError as error:
            raise SinbinError(
                f"{self.path}: cannot be written ({error.strerror}); choose a folder with --state"
            ) from error

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Be the one process that serves from this folder.

        Raises:
            SinbinError: another one does.
        """
        self.make()
        with self._lock.open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise SinbinError(
                    f"{self.path}: another process serves from it; see `sinbin local status`"
                ) from error
            try:
                yield
            finally:
                self._process.unlink(missing_ok=True)

    def announce(self, running: Running) -> None:
        """Write down who serves, in one step."""
        draft = self._process.with_suffix(".new")
        draft.write_text(json.dumps(asdict(running)))
        draft.replace(self._process)

    def running(self) -> Running | None:
        """Return who serves; a file that a dead process left behind counts for nothing."""
        if not self._is_locked():
            return None
        try:
            return Running(**json.loads(self._process.read_text()))
        except (OSError, ValueError, TypeError):
            return None  # it has not come so far yet

    def stop(self) -> bool:
        """End the process that serves, and return whether there was one.

        Raises:
            SinbinError: it does not end.
        """
        running = self.running()
        if running is None:
            return False
        for kill in (signal.SIGTERM, signal.SIGKILL):
            os.kill(running.pid, kill)
            until = time.monotonic() + _STOP_S
            while time.monotonic() < until:
                if not self._is_locked():
                    return True
                time.sleep(0.05)
        raise SinbinError(f"process {running.pid} does not end; end it by hand")

    def purge(self) -> None:
        """Remove everything that a local Azure keeps here, and the folder if nothing else is in it.

        Raises:
            SinbinError: a file can't be removed.
        """
        try:
            shutil.rmtree(self.backend, ignore_errors=True)
            ours = [
                self.log,
                self.region_ports,
                self.gateway_ports,
                self._lock,
                self._process,
                self.path / ".gitignore",
            ]
            for path in [*ours, *self.path.glob(f"{self.database.name}*")]:
                path.unlink(missing_ok=True)
            if self.path.is_dir() and not any(self.path.iterdir()):
                self.path.rmdir()
        except OSError as error:
            raise SinbinError(f"{error.filename}: cannot be removed ({error.strerror})") from error

    def _is_locked(self) -> bool:
        try:
            with self._lock.open() as lock:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False
