"""Installs the packages of `tests/clients/node` into `.sinbin`, as its lock file pins them: `openai` from npm.

    python scripts/node_packages.py

Exit 2 where there is no Node to run them. Nothing is done when they are there already.
"""

import fcntl
import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

from scripts.asked import tell
from sinbin.errors import SinbinError

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "tests" / "clients" / "node"
_LEAST_NODE = 20
_PINS = ("package.json", "package-lock.json")


def install() -> Path:
    """Return the folder in which the packages are, after installing them there if need be.

    Raises:
        SinbinError: there is no Node, it is too old, or npm fails.
    """
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise SinbinError("there is no `node` with `npm` on the PATH; install Node 20 or newer")
    said = subprocess.run([node, "--version"], check=True, capture_output=True, text=True).stdout  # noqa: S603
    match = re.match(r"v(\d+)", said)
    if match is None or int(match[1]) < _LEAST_NODE:
        raise SinbinError(f"{node}: is version {said.strip()}; install Node {_LEAST_NODE} or newer")
    pins = b"".join((SOURCE / name).read_bytes() for name in _PINS)
    folder = ROOT / ".sinbin" / f"node-{hashlib.sha256(pins).hexdigest()[:12]}"
    done = folder / "installed"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two test processes install once
        if not done.exists():
            for name in _PINS:
                shutil.copy(SOURCE / name, folder)
            command = [npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
            ended = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)  # noqa: S603
            if ended.returncode:
                raise SinbinError(f"npm cannot install the packages of {SOURCE}: {ended.stderr.strip()}")
            done.touch()
    return folder


def main() -> int:
    """Install them and say where."""
    return tell(lambda: str(install()))


if __name__ == "__main__":
    sys.exit(main())
