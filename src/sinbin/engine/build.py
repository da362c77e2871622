"""Builds the Pulumi CLI from the Go module proxy, as `tools/pulumi/go.mod` pins it.

Takes minutes on a cold Go build cache and seconds on a warm one. Two runs at once build once; a run that is
stopped leaves nothing half-built in the way of the next.
"""

import fcntl
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sinbin.errors import SinbinError

_MODULE = "github.com/pulumi/pulumi/pkg/v3"
_VERSION_VARIABLE = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version"
"""Without it `pulumi version` prints nothing, and the Automation API refuses the CLI."""
_HOST = "pulumi-language-python"
_PACKAGES = 1733
"""About how many packages a cold build compiles; only for the progress line."""
_EVERY_S = 10.0


def pinned_version(tools: Path) -> str:
    """Return the version that `go.mod` in `tools` pins: `v3.274.1`.

    Raises:
        SinbinError: it cannot be read or pins none.
    """
    try:
        text = (tools / "go.mod").read_text("utf-8")
    except OSError as error:
        raise SinbinError(f"{tools / 'go.mod'}: cannot be read: {error.strerror}") from error
    match = re.search(rf"{re.escape(_MODULE)} (v\S+)", text)
    if match is None:
        raise SinbinError(f"{tools / 'go.mod'}: requires no version of {_MODULE}")
    return match[1]


def build_cli(tools: Path, folder: Path, progress: Callable[[str], None]) -> None:
    """Build the CLI into `folder`, with sinbin's own language host beside it.

    Raises:
        SinbinError: there is no Go, the cache cannot be written, or the build fails.
    """
    go = shutil.which("go")
    if go is None:
        raise SinbinError("there is no `go` on PATH to build it with")
    version = pinned_version(tools)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with _only_one(folder.parent, progress):
            if (folder / "pulumi").exists():
                return
            with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".building-") as scratch:
                module, ready = Path(scratch) / "module", Path(scratch) / "ready"
                module.mkdir()
                ready.mkdir()
                for name in ("go.mod", "go.sum"):
                    shutil.copy(tools / name, module)
                progress(f"· building the Pulumi CLI {version} from source (once; minutes on a cold cache)")
                _run_go(go, module, ready / "pulumi", version, progress)
                refresh_language_host(tools, ready)
                ready.rename(folder)
    except OSError as error:
        raise SinbinError(
            f"{error.filename or folder}: cannot be written ({error.strerror}); set SINBIN_CACHE to another folder"
        ) from error
    progress(f"· built {folder / 'pulumi'}")


def refresh_language_host(tools: Path, folder: Path) -> None:
    """Put the project's language host beside the CLI in `folder`, if it is not there already."""
    wanted = (tools / _HOST).read_bytes()
    there = folder / _HOST
    if there.is_file() and there.read_bytes() == wanted:
        return
    with tempfile.NamedTemporaryFile(dir=folder, prefix=".host-", delete=False) as file:
        file.write(wanted)
    Path(file.name).chmod(0o755)
    Path(file.name).rename(there)


def _run_go(go: str, module: Path, output: Path, version: str, progress: Callable[[str], None]) -> None:
    command = [go, "build", "-v", "-mod=readonly", "-buildvcs=false"]
    command += ["-ldflags", f"-s -w -X {_VERSION_VARIABLE}={version}", "-o", str(output)]
    command.append(f"{_MODULE}/cmd/pulumi")
    began = time.monotonic()
    told, packages, last = began, 0, ""
    # Its own process group, so that stopping us stops the compilers too.
    with subprocess.Popen(  # noqa: S603
        command,
        cwd=module,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | {"GOWORK": "off"},
    ) as process:
        try:
            for line in process.stderr or ():
                # With -v Go names a package when it is compiled, and a module when it is fetched.
                packages += not line.startswith("go: ")
                last = line.strip() or last
                if time.monotonic() - told > _EVERY_S:
                    told = time.monotonic()
                    share = min(99, 100 * packages // _PACKAGES)
                    progress(f"· {told - began:.0f} s, about {share} %: {last}")
        except BaseException:
            os.killpg(process.pid, signal.SIGTERM)
            raise
    if process.returncode:
        raise SinbinError(f"building it from source failed: {last}")


@contextmanager
def _only_one(folder: Path, progress: Callable[[str], None]) -> Iterator[None]:
    """Hold the lock of the cache; the kernel lets go of it however this process ends."""
    with (folder / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress("· another run is building the Pulumi CLI; waiting for it")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
