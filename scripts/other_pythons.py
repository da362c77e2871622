"""Makes an environment for every other Python of this machine, so that tests can ask them what they simulate.

    python scripts/other_pythons.py

What is there: on the PATH, in pyenv, or installed by uv. Nothing but wheels of uv.lock is downloaded. Exit 2 where
there is no other Python, or its packages cannot be had.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from scripts.asked import tell
from sinbin.errors import SinbinError

ROOT = Path(__file__).parents[1]
ENVIRONMENTS = ROOT / ".sinbin" / "pythons"
VERSIONS = ("3.11", "3.12", "3.13", "3.14")


def environments() -> dict[str, Path]:
    """Return the interpreters of the environments that have been made, by version."""
    found = {version: ENVIRONMENTS / version / "bin" / "python" for version in VERSIONS}
    return {version: python for version, python in found.items() if python.is_file()}


def make_environments() -> list[str]:
    """Make an environment for every other Python that is found; return their versions.

    Raises:
        SinbinError: there is none, or the packages of one cannot be installed.
    """
    uv = next(filter(None, (shutil.which(str(ROOT / ".uv" / "bin" / "uv")), shutil.which("uv"))), None)
    if uv is None:
        raise SinbinError("there is no uv; run make setup")
    own = f"{sys.version_info.major}.{sys.version_info.minor}"
    made = []
    for version in VERSIONS:
        python = _find(uv, version)
        if version == own or python is None:
            continue
        outcome = subprocess.run(  # noqa: S603 - uv, found above
            [uv, "sync", "--quiet", "--frozen", "--no-default-groups", "--no-install-project", "--python", python],
            cwd=ROOT,
            env={**os.environ, "UV_PROJECT_ENVIRONMENT": str(ENVIRONMENTS / version)},
            capture_output=True,
            text=True,
            check=False,
        )
        if outcome.returncode:
            raise SinbinError(f"packages for Python {version} cannot be installed: {outcome.stderr.strip()}")
        made.append(version)
    if not made:
        raise SinbinError(f"there is no Python but {own} here; uv python install 3.13 brings one")
    return made


def _find(uv: str, version: str) -> str | None:
    # uv runs pyenv's shims, which fail for versions that are not chosen: it is told where pyenv keeps them.
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for folder in sorted(kept.glob(f"{version}.*")):
        if (folder / "bin" / "python").is_file():
            return str(folder / "bin" / "python")
    outcome = subprocess.run(  # noqa: S603 - uv, found by the caller
        [uv, "python", "find", "--no-python-downloads", "--no-project", version],
        capture_output=True,
        text=True,
        check=False,
    )
    return outcome.stdout.strip() if outcome.returncode == 0 else None


def main() -> int:
    """Make them and say which."""
    return tell(lambda: ", ".join(make_environments()))


if __name__ == "__main__":
    sys.exit(main())
