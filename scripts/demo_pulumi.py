"""Runs the Pulumi CLI for the demo and shows what it did."""

import re
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path

from sinbin.engine.cli import Cli

_DONE = re.compile(r"^ ?(?:\+|~|-)\s+(?:azure-native:)?(\S+:\S+) (\S+) (created|updated|deleted)\b")
_SUMMARY = re.compile(r"^ +(?:[-+~] )?\d+ (?:created|updated|deleted|unchanged)$")
_STOP_S = 60
_COUNTED = 4
"""Resources of a type beyond which only their number is shown."""


def pulumi(cli: Cli, folder: Path, environment: Mapping[str, str], *words: str, verbatim: bool = False) -> None:
    """Run the CLI and show what it did: single resources while they are few, numbers where they are many."""
    command = [str(cli.executable), *words, "--non-interactive", "--color", "never"]
    said: list[str] = []
    with subprocess.Popen(  # noqa: S603
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            said += process.stdout or ()
        except BaseException:
            process.send_signal(signal.SIGINT)  # the engine ends its plugins and lets go of its lock
            process.wait(_STOP_S)
            raise
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, ["pulumi", *words], "".join(said))
    if verbatim:
        print("".join(line for line in said if not line.startswith("@")).strip())
        return
    done: dict[tuple[str, str], list[str]] = {}
    for match in filter(None, map(_DONE.match, said)):
        kind, name, what = match.groups()
        if not kind.startswith(("sinbin:", "pulumi:")):
            done.setdefault((what, kind), []).append(name)
    for (what, kind), names in sorted(done.items()):
        shown = " ".join(sorted(names)) if len(names) <= _COUNTED else str(len(names))
        print(f"  {what} {kind}: {shown}")
    for line in filter(_SUMMARY.match, said):
        print(f"  {line.strip()}")
