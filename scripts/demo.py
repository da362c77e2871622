"""The main job, shown: `pulumi up` of the stack `local`, traffic, a changed weight, and everything down again.

Works on a copy in a temporary folder, on free ports, with a state of its own: nothing in the repository changes
but a picture in `.sinbin/`, and nothing else is left behind, also after Ctrl-C or a failure.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from scripts.demo_pulumi import pulumi
from scripts.demo_result import picture, save, table
from scripts.demo_traffic import SPEED, send_traffic
from sinbin.engine.cli import Cli, get_cli
from sinbin.engine.plan_text import routing_text
from sinbin.engine.project import find_project
from sinbin.errors import EXIT_FINDINGS, EXIT_INPUT, EXIT_OK, SinbinError

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / ".sinbin" / "demo.svg"
OLD, NEW = "uksouth: 90,", "uksouth: 60,"
WITH, WITHOUT = (
    "        routing:\n          strategy: weighted",
    "        circuitBreaker: null\n        routing:\n          strategy: weighted",
)


def main() -> int:
    """Run the demo and return 0, 1 when a step failed, 2 when this machine cannot run it, 130 after Ctrl-C."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        cli = get_cli(ROOT / "tools" / "pulumi", print)
        began = time.monotonic()
        with _copy_of_the_project() as folder, _local_azure(folder) as variables:
            _show(
                folder, {**os.environ, **variables, **cli.environment(), "PULUMI_HOME": str(folder / "home")}, cli
            )
    except SinbinError as error:
        print(f"error: {error}", file=sys.stderr)
        return EXIT_INPUT
    except subprocess.CalledProcessError as error:
        said = error.stderr or error.output or ""
        print(f"error: `{' '.join(map(str, error.cmd))}` ended with {error.returncode}: {said}", file=sys.stderr)
        return EXIT_FINDINGS
    except KeyboardInterrupt:
        print("\nstopped; everything is cleaned up", file=sys.stderr)
        return 130
    _say(f"done in {time.monotonic() - began:.0f} s; nothing is left behind")
    return EXIT_OK


def _show(folder: Path, environment: Mapping[str, str], cli: Cli) -> None:
    stack_file = folder / "stacks" / "Pulumi.local.yaml"
    pulumi(cli, folder, environment, "stack", "init", "local")

    _say("pulumi up -s local: three Foundry regions, API Management, pools, breakers, policies")
    pulumi(cli, folder, environment, "up", "-s", "local", "--yes", "--skip-preview")
    print("\n".join(routing_text(find_project(folder).settings("local").to_topology())))

    _say("python scripts/read_rate_limits.py -s local: the limits that really apply")
    sizes = ["--prompt-tokens", "1500", "--completion-tokens", "300"]
    script = [sys.executable, str(ROOT / "scripts" / "read_rate_limits.py"), "-s", "local", *sizes]
    subprocess.run(script, cwd=folder, env=environment, check=True)  # noqa: S603

    _say(f"three minutes of traffic from the OpenAI client, with the sin bin and without ({SPEED} times faster)")
    runs = {"with the sin bin": send_traffic(environment, folder / "azure")}
    text = stack_file.read_text("utf-8")
    stack_file.write_text(_replaced(text, WITH, WITHOUT), "utf-8")
    pulumi(cli, folder, environment, "up", "-s", "local", "--yes", "--skip-preview")
    time.sleep(60 / SPEED)  # the regions' quotas are full again
    runs["without"] = send_traffic(environment, folder / "azure")
    stack_file.write_text(text, "utf-8")
    pulumi(cli, folder, environment, "up", "-s", "local", "--yes", "--skip-preview")
    save(picture(runs), PICTURE)
    print(f"\n{table(runs)}\n\n  the picture: {PICTURE}")

    _say(f"one weight changes ({OLD[:-1]} → {NEW[:-1]}): pulumi preview shows exactly that")
    stack_file.write_text(_replaced(text, OLD, NEW), "utf-8")
    pulumi(cli, folder, environment, "preview", "-s", "local", "--diff", verbatim=True)
    _say("pulumi up: one update in place")
    pulumi(cli, folder, environment, "up", "-s", "local", "--yes", "--skip-preview")
    _say("pulumi up again: no changes")
    pulumi(cli, folder, environment, "up", "-s", "local", "--yes", "--skip-preview")
    _say("pulumi destroy: all of it down again")
    pulumi(cli, folder, environment, "destroy", "-s", "local", "--yes", "--skip-preview")


def _replaced(text: str, old: str, new: str) -> str:
    if old not in text:
        raise SinbinError(f"stacks/Pulumi.local.yaml: the demo changes `{old}`, which is not there; put it back")
    return text.replace(old, new)


@contextmanager
def _copy_of_the_project() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="sinbin-demo-") as name:
        folder = Path(name)
        shutil.copy(ROOT / "Pulumi.yaml", folder)
        shutil.copytree(ROOT / "stacks", folder / "stacks", ignore=shutil.ignore_patterns("__pycache__"))
        (folder / ".venv").symlink_to(sys.prefix)
        yield folder


@contextmanager
def _local_azure(folder: Path) -> Iterator[dict[str, str]]:
    """Start a local Azure, yield the variables with which `pulumi` deploys to it, and stop it."""

    def local(*words: str) -> str:
        command = [sys.executable, "-m", "sinbin", "local", *words, "--state", str(folder / "azure")]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603

    _say("sinbin local up: a control plane and a Pulumi provider on this machine, no Azure account")
    try:
        ports = (
            word for name in ("", "provider-", "regions-", "page-", "gateway-") for word in (f"--{name}port", "0")
        )
        local("up", *ports, "--speed", str(SPEED))
        variables: dict[str, str] = json.loads(local("env", "--format", "json"))
        yield variables
    finally:
        local("down", "--purge")


def _say(text: str) -> None:
    print(f"\n▸ {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
