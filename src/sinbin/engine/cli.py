"""Finds the Pulumi CLI: on PATH, in the cache, from the official installer, or built from source.

Nothing is downloaded while a fitting CLI is there. A CLI that sinbin fetched or built stays in its cache and is
never put on the PATH of anybody else.
"""

import os
import re
import shutil
import socket
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sinbin.engine.build import build_cli, pinned_version, refresh_language_host
from sinbin.errors import SinbinError

OLDEST = (3, 200, 0)
"""The first CLI that is known to run with the pinned Python SDK; the next major version may change anything."""

_INSTALLER_HOST = "get.pulumi.com"
_REACHABLE_S = 5.0
_VERSION_S = 60.0

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Cli:
    """A Pulumi CLI that fits."""

    executable: Path
    version: str
    origin: Literal["path", "installer", "built"]

    def environment(self) -> dict[str, str]:
        """Return the variables with which a plain `pulumi` is this one."""
        return {"PATH": os.pathsep.join([str(self.executable.parent), os.environ.get("PATH", "")])}


def cache_folder() -> Path:
    """Return where sinbin keeps what it fetched or built: `SINBIN_CACHE`, else `~/.cache/sinbin`."""
    if own := os.environ.get("SINBIN_CACHE"):
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sinbin"


def find_cli(tools: Path) -> Cli | None:
    """Return a fitting CLI that is already on this machine; None when there is none.

    Args:
        tools: the project's folder `tools/pulumi`, which says what a build is made from.
    """
    on_path = shutil.which("pulumi")
    candidates: list[tuple[Path, Literal["path", "installer", "built"]]] = []
    if on_path:
        candidates.append((Path(on_path), "path"))
    candidates.append((_official() / "bin" / "pulumi", "installer"))
    built = _built(tools)
    if built is not None:
        candidates.append((built / "pulumi", "built"))
    for executable, origin in candidates:
        version = _version(executable)
        if version is not None and _fits(version):
            if origin == "built":
                refresh_language_host(tools, executable.parent)
            return Cli(executable, version, origin)
    return None


def get_cli(tools: Path, progress: Progress) -> Cli:
    """Return a fitting CLI, installing or building it when there is none.

    Args:
        tools: the project's folder `tools/pulumi`.
        progress: is told in short lines what takes its time.

    Raises:
        SinbinError: there is none and none can be had; the message says what was tried.
    """
    found = find_cli(tools)
    if found is not None:
        return found
    tried = [_why_not_on_path()]
    for attempt in (_install, lambda tell: _build(tools, tell)):
        try:
            attempt(progress)
        except SinbinError as error:
            tried.append(str(error))
            progress(f"· {error}")
        else:
            found = find_cli(tools)
            if found is not None:
                return found
            tried.append("what was fetched does not run")
    raise SinbinError(
        f"pulumi: no Pulumi CLI {_span()} on this machine: {'; '.join(tried)}; "
        "install it from https://www.pulumi.com/docs/install/ or install Go (https://go.dev/dl/), then try again "
        "(`sinbin plan`, `lint` and `simulate` need no engine)"
    )


def _install(progress: Progress) -> None:
    """Run the official installer, through the Automation API, into the cache.

    Raises:
        SinbinError: it cannot be reached or fails.
    """
    try:
        socket.create_connection((_INSTALLER_HOST, 443), timeout=_REACHABLE_S).close()
    except OSError as error:
        raise SinbinError(f"the official installer at {_INSTALLER_HOST} is out of reach ({error})") from error
    from pulumi.automation import PulumiCommand  # noqa: PLC0415

    progress("· installing the Pulumi CLI with the official installer")
    try:
        PulumiCommand.install(root=str(_official()))
    except Exception as error:
        # The SDK lets through whatever urllib, the shell or the installer raise.
        raise SinbinError(f"the official installer failed ({_first_line(error)})") from error


def _build(tools: Path, progress: Progress) -> None:
    folder = _built(tools)
    if folder is None:
        raise SinbinError(f"{tools}: there is no go.mod, so the CLI cannot be built from source")
    build_cli(tools, folder, progress)


def _official() -> Path:
    return cache_folder() / "engine" / "official"


def _built(tools: Path) -> Path | None:
    return cache_folder() / "engine" / pinned_version(tools) if (tools / "go.mod").is_file() else None


def _why_not_on_path() -> str:
    on_path = shutil.which("pulumi")
    if on_path is None:
        return "no `pulumi` on PATH"
    return f"{on_path} is version {_version(Path(on_path)) or 'unknown'}"


def _fits(version: str) -> bool:
    numbers = tuple(int(part) for part in version.split(".")[:3])
    return OLDEST <= numbers < (OLDEST[0] + 1,)


def _span() -> str:
    return f"from {'.'.join(map(str, OLDEST))} on and below {OLDEST[0] + 1}"


def _version(executable: Path) -> str | None:
    """Return `3.274.1`; None when the file does not run or does not say."""
    if not executable.is_file():
        return None
    try:
        ran = subprocess.run(  # noqa: S603
            [executable, "version"],
            capture_output=True,
            text=True,
            check=True,
            timeout=_VERSION_S,
            env={**os.environ, "PULUMI_SKIP_UPDATE_CHECK": "1"},
        )
    except (OSError, subprocess.SubprocessError):
        return None
    match = re.search(r"v?(\d+\.\d+\.\d+)", ran.stdout)
    return match[1] if match else None


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
