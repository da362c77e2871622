"""The folder of a local Azure: its state, its lock, what runs, its log, and the Pulumi backend.

.sinbin-local    says that sinbin made the folder: only then is anything used or removed here
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
from typing import TextIO

from sinbin.errors import SinbinError

DEFAULT = Path(".sinbin/local")
"""In the folder of the project."""
_STOP_S = 15.0
_ANNOUNCE_S = 30.0
_MARK = "The state of a local Azure; `sinbin local down --purge` removes it.\n"


@dataclass(frozen=True, slots=True)
class Running:
    """A process that serves."""

    pid: int
    ports: dict[str, int]
    subscription: str
    tenant: str


class AlreadyRunningError(SinbinError):
    """Another process serves from the folder."""

    def __init__(self, path: Path, running: Running) -> None:
        super().__init__(
            f"{path}: process {running.pid} serves from it already; end it with `sinbin local down`, or choose "
            "another folder with --state"
        )
        self.running = running


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
        self._marker = self.path / ".sinbin-local"

    def make(self) -> tuple[Path, ...]:
        """Make the folder, and return the folders that were not there before, outermost first, and the marker.

        Nothing is returned for a folder that sinbin made earlier.

        Raises:
            SinbinError: it can't be made or written, or holds what is not sinbin's.
        """
        try:
            if self._is_ours():
                made: tuple[Path, ...] = ()
            elif self.path.is_dir() and any(self.path.iterdir()) and not self._is_ours():  # asked again: a race
                raise SinbinError(
                    f"{self.path}: is not empty, and sinbin did not make it; choose an empty or a new folder with "
                    "--state"
                )
            else:
                missing = [folder for folder in (self.path, *self.path.parents) if not folder.exists()]
                made = (*reversed(missing), self._marker)
                self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._marker.write_text(_MARK)
            (self.path / ".gitignore").write_text("*\n")
            self.backend.mkdir(exist_ok=True)
        except OSError as error:
            raise SinbinError(
                f"{self.path}: cannot be written ({error.strerror}); choose a folder with --state"
            ) from error
        return made

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Be the one process that serves from this folder; what fails before it is announced leaves nothing new.

        Raises:
            AlreadyRunningError: another one does.
            SinbinError: a file in the folder can't be used.
        """
        with self.usable():
            lock, made = self._take_lock()
            with lock:
                self._process.unlink(missing_ok=True)  # of a process that was killed
                is_new = not self.database.exists()
                try:
                    yield
                finally:
                    if is_new and not self._process.exists():
                        self._forget_database()
                        if made:
                            self._remove(made)
                    self._process.unlink(missing_ok=True)

    def _take_lock(self) -> tuple[TextIO, tuple[Path, ...]]:
        """Return the locked file and what was made for it; while another process starts, wait for its end."""
        until = time.monotonic() + _ANNOUNCE_S
        made: tuple[Path, ...] = ()
        while time.monotonic() < until:
            made += self.make()
            lock = self._lock.open("w")
            if _is_taken(lock, self._lock):
                return lock, made
            lock.close()
            running = self.running()
            if running is not None:
                raise AlreadyRunningError(self.path, running)
            time.sleep(0.05)
        raise SinbinError(
            f"{self.path}: another process began to serve from it and does not get on; end it by hand"
        )

    @contextmanager
    def usable(self) -> Iterator[None]:
        """Say clearly which file in the folder can't be used in the block, for example as it is a folder.

        Raises:
            SinbinError: there is such a file.
        """
        try:
            yield
        except OSError as error:
            if not str(error.filename).startswith(f"{self.path}{os.sep}"):
                raise
            raise SinbinError(
                f"{error.filename}: cannot be used ({error.strerror}); remove it, or choose another folder with "
                "--state"
            ) from error

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

    def purge(self) -> str:
        """Remove everything that a local Azure keeps here, and the folder if nothing else is in it.

        Returns:
            What was removed, in words.

        Raises:
            SinbinError: sinbin did not make the folder, or a file can't be removed.
        """
        if not self._is_ours():
            if self.path.is_dir() and any(self.path.iterdir()):
                raise SinbinError(
                    f"{self.path}: sinbin did not make it, so nothing is removed; name the folder of a local "
                    "Azure with --state"
                )
            return f"nothing to remove in {self.path}"
        if self._is_locked():
            raise SinbinError(f"{self.path}: a process has just begun to serve from it; try again")
        self._remove((self.path,))
        if not self.path.exists():
            return f"removed {self.path}"
        left = ", ".join(sorted(path.name for path in self.path.iterdir()))
        return f"removed the state in {self.path}; what is not of sinbin stays: {left}"

    def take_back(self, made: tuple[Path, ...]) -> None:
        """Remove what `make` made, unless another process serves from it or has done so.

        Raises:
            SinbinError: a file can't be removed.
        """
        if made and self.path.is_dir() and not self.database.exists():
            with self._lock.open("w") as lock:
                if _is_taken(lock, self._lock):
                    self._remove(made)

    def _remove(self, made: tuple[Path, ...]) -> None:
        """Remove our own files, and those folders in `made`, outermost first, that are empty then."""
        try:
            self._forget_database()
            for path in (
                *(self.region_ports, self.gateway_ports, self.log, self._lock, self._process),
                *(self.path / ".gitignore", self._marker),
            ):
                path.unlink(missing_ok=True)
            if (self.backend / ".pulumi").is_dir():
                shutil.rmtree(self.backend / ".pulumi")
            for folder in (self.backend, *reversed(made)):
                if folder.is_dir() and not any(folder.iterdir()):
                    folder.rmdir()
        except OSError as error:
            raise SinbinError(f"{error.filename}: cannot be removed ({error.strerror})") from error

    def _forget_database(self) -> None:
        for end in ("", "-wal", "-shm"):
            Path(f"{self.database}{end}").unlink(missing_ok=True)

    def _is_ours(self) -> bool:
        return self._marker.is_file() or self.database.is_file()

    def _is_locked(self) -> bool:
        try:
            with self._lock.open() as lock:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False


def _is_taken(lock: TextIO, path: Path) -> bool:
    """Take a lock if it is free, and return whether that worked; not with a file that was removed meanwhile."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(lock.fileno()), path.stat())
    except (BlockingIOError, FileNotFoundError):
        return False
