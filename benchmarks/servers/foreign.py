"""Servers of others for the benchmarks of the local gateway: a stub in Go, and LiteLLM's proxy from PyPI.

What they need is made once, outside the repository, in sinbin's cache: `SINBIN_CACHE`, else `~/.cache/sinbin`.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from sinbin.engine.cli import cache_folder

LITELLM = "1.108.7"
PACKAGES = (f"litellm[proxy]=={LITELLM}", "opentelemetry-sdk==1.45.2")
"""Without the SDK every request tries an import anew that fails (`litellm.integrations.otel.logger`), which costs more
than all the rest of a request: found with py-spy. With it LiteLLM shows what it can do."""
CONFIG = """model_list:
  - {{model_name: chat, litellm_params: {{model: openai/gpt-4o, api_base: "{target}/v1", api_key: none}}}}
  - {{model_name: chat, litellm_params: {{model: openai/gpt-4o, api_base: "{target}/v1", api_key: none}}}}
router_settings: {{num_retries: 2}}
litellm_settings: {{telemetry: false, callbacks: [], success_callback: [], failure_callback: [], set_verbose: false}}
general_settings: {{disable_spend_logs: true}}
"""
OFFLINE = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_TELEMETRY": "False",
    "LITELLM_LOG": "ERROR",
    "LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY": "true",
    "NO_PROXY": "127.0.0.1",
}


def build_stub() -> Path:
    """Return the stub in Go, built."""
    go = shutil.which("go")
    if go is None:
        sys.exit("the stub is written in Go, which is not on the PATH")
    folder = cache_folder() / "benchmarks"
    folder.mkdir(parents=True, exist_ok=True)
    built = folder / "stub"
    source = Path(__file__).with_name("stub.go")
    subprocess.run([go, "build", "-o", built, source], check=True, cwd=folder)
    return built


def install_litellm() -> Path:
    """Return the command of LiteLLM in an environment of its own."""
    folder = cache_folder() / "benchmarks" / f"litellm-{LITELLM}"
    command = folder / "bin" / "litellm"
    done = folder / "installed"
    if not done.exists() or done.read_text("utf-8") != "\n".join(PACKAGES):
        print(f"installing {', '.join(PACKAGES)} into {folder}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        pip = [folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, *PACKAGES], check=True)
        done.write_text("\n".join(PACKAGES), "utf-8")
    return command


def litellm_process(port: int, target: str, folder: Path) -> subprocess.Popen[bytes]:
    """Start LiteLLM's proxy: one worker, two entries of one model, two retries; no database, no callbacks."""
    config = folder / "litellm.yaml"
    config.write_text(CONFIG.format(target=target), "utf-8")
    # Bytecode is written even where a machine says otherwise: without it LiteLLM takes a minute to start.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [
        install_litellm(),
        "--config",
        config,
        "--port",
        str(port),
        "--host",
        "127.0.0.1",
        "--num_workers",
        "1",
    ]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, env=environment | OFFLINE, stdout=quiet, stderr=quiet)
